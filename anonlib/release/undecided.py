"""How many share what is known while nobody has decided yet what is known: both ends that it can come to."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.columns.free_text import is_text
from anonlib.columns.roles import undecided
from anonlib.counting.privacy_models import ONE, Coded, RowsKnown
from anonlib.dataset import Dataset


@dataclass(frozen=True)
class Sizes:
    """How many share the values of some columns.

    Attributes
    ----------
    columns : tuple[str, ...]
        What is taken to be known.
    k : int
        The smallest class; 0 without records.
    alone, below : int
        Records (persons, summed weights) alone, and in classes below the k that is asked for.
    n_records : int
        All of them.
    """

    columns: tuple[str, ...]
    k: int
    alone: int
    below: int
    n_records: int

    @property
    def share_alone(self) -> float:
        """Of all, in [0, 1]."""
        return self.alone / self.n_records if self.n_records else 0.0


@dataclass(frozen=True)
class BothEnds:
    """What is true if every undecided column is known too, and if none is.

    Attributes
    ----------
    undecided : tuple[str, ...]
        Columns without a role that somebody could know.
    aside : tuple[str, ...]
        Other columns without a role: texts, which nobody knows word for word, and what nobody outside can know.
    k_wanted : int
        The smallest class that is asked for.
    all_known : Sizes
        The undecided columns beside those decided as known. No decision can come to less.
    decided : Sizes | None
        The columns decided as known alone; None where there is none. No decision can come to more.
    rows : tuple[RowsKnown, ...], default ()
        What is taken to be known of the rows of a person, of which the worst counts; () where every person has one.
    """

    undecided: tuple[str, ...]
    aside: tuple[str, ...]
    k_wanted: int
    all_known: Sizes
    decided: Sizes | None
    rows: tuple[RowsKnown, ...] = ()


def both_ends(
    data: Dataset, k: int, rows: Sequence[RowsKnown] = (ONE,), unknowable: Container[str] = ()
) -> BothEnds | None:
    """Count who shares what is known, with all undecided columns and without them.

    Parameters
    ----------
    data : Dataset
        With the roles that are decided. A column without one is undecided.
    k : int
        The smallest class that is asked for, 1 or more.
    rows : Sequence[RowsKnown], default (ONE,)
        What may be known of the rows of a person, where persons have several; the worst counts.
    unknowable : Container[str], default ()
        Columns that nobody outside can know.

    Returns
    -------
    BothEnds or None
        None where every column that somebody could know is decided.

    Notes
    -----
    A missing value is a value. One who knows more columns has no more peers, so that the two ends hold whatever the
    decisions will be.
    """
    without = undecided(data.columns, data.roles)
    aside = tuple(name for name in without if name in unknowable or is_text(data.held, name))
    left = tuple(name for name in without if name not in aside)
    if not left:
        return None
    known = tuple(data.quasi_identifiers)
    coded = data.coded([*known, *left])
    return BothEnds(
        left, aside, k, _sizes(coded, (*known, *left), k, rows), _sizes(coded, known, k, rows) if known else None,
        tuple(rows) if data.has_several_rows else (),
    )  # fmt: skip


def _sizes(coded: Coded, columns: tuple[str, ...], k: int, rows: Sequence[RowsKnown]) -> Sizes:
    least = np.min([coded.peers(columns, each).least_sizes() for each in rows], axis=0)
    is_counted = coded.counts > 0
    alone, below = (int(coded.counts[is_counted & (least < size)].sum()) for size in (2, k))
    return Sizes(columns, int(least[is_counted].min()) if is_counted.any() else 0, alone, below, coded.n_records)

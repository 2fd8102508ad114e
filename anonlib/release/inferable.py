"""How many have a sensitive value that is certain to someone who knows two things about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anonlib.classes.subsets import n_subsets
from anonlib.dataset import Dataset
from anonlib.guarantees import CodedRows, Uncertain, exposures

MOST_KNOWN = 2
_MOST_LOOKED_AT = 20_000_000  # rows times sets of columns that are looked at, some half a second


@dataclass(frozen=True)
class Inferable:
    """How many have a value of a sensitive column that is certain from at most two known columns.

    Attributes
    ----------
    column : str
        The sensitive column.
    certain : int
        Records (persons, summed weights) for whom all who share their values in some set of at most two known
        columns, the empty set included, have the same value of ``column`` and it is not missing.
    n_records : int
        All of them.
    known : tuple of str
        The columns that may be known: quasi-identifiers and places.
    is_complete : bool
        Every set was looked at. Else those of the columns with most values, and ``certain`` is the least it can be.
    """

    column: str
    certain: int
    n_records: int
    known: tuple[str, ...]
    is_complete: bool = True

    @property
    def share(self) -> float:
        return self.certain / self.n_records if self.n_records else 0.0


def inferable(dataset: Dataset) -> tuple[Inferable, ...]:
    """Each sensitive column, the one that is certain for most first; none without sensitive columns.

    These are the persons of PPP 0, the attacker who knows nothing included and values that are missing not. A missing
    value is a value to those who know it, and one that not all have.

    References
    ----------
    Kroes et al. (2021), Definition 3.
    """
    known, sensitive = dataset.quasi_identifiers, dataset.sensitive
    rows = CodedRows.of(dataset.with_missing("category").classes([*known, *sensitive]))
    if not rows.n_records:  # weights of 0 count nobody
        return tuple(Inferable(name, 0, 0, tuple(known), True) for name in sensitive)
    names = _finest(rows, known)
    asked = [Uncertain(columns=names, sensitive=name, known=MOST_KNOWN) for name in sensitive]
    found = [
        Inferable(each.guarantee.sensitive, each.records, each.n_records, names, len(names) == len(known))
        for each in exposures(rows, asked)
        if isinstance(each.guarantee, Uncertain)
    ]
    return tuple(sorted(found, key=lambda column: -column.certain))


def _finest(rows: CodedRows, known: Sequence[str]) -> tuple[str, ...]:
    """The columns that are looked at: all, or as many of those with most values as can be in the time."""
    ranked = sorted(known, key=lambda name: -len(rows.labels[name]))
    while len(ranked) > 1 and n_subsets(len(ranked), MOST_KNOWN) * len(rows.counts) > _MOST_LOOKED_AT:
        ranked.pop()
    return tuple(name for name in known if name in ranked)

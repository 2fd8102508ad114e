"""The smallest sets of variables that are enough: to infer a sensitive value, or to single a record out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import prod

import numpy as np
import pandas as pd

from anonlib import checks
from anonlib.classes import ClassTable
from anonlib.classes.subsets import Subsets, n_subsets
from anonlib.errors import InputError
from anonlib.individuals.measures import (
    MOST_SETS,
    Measure,
    Progress,
    Question,
    evaluate,
    n_tabled,
    value_is_missing,
)
from anonlib.individuals.sampling import MEMORY, Individuals


@dataclass(frozen=True, eq=False)
class MinimalSets(Individuals):
    """The minimal exposing sets: sets of variables that expose a record when no part of them does.

    Attributes
    ----------
    attributes : the variables that the sets are made of.
    sets : the sets that are minimal for some record, those minimal for most records first.
    exposed : int64, per set the records it is minimal for (estimated, when a sample was taken).
    smallest : int8, per row the size of the smallest set that exposes it, -1 where none does.
    first : int64, per row the first of its smallest sets, as a number: bit j is attribute j.
    n_sets : int32, per row how many minimal sets it has.

    The individuals they are of are as in :class:`~anonlib.individuals.sampling.Individuals`.
    """

    attributes: tuple[str, ...]
    sets: tuple[tuple[str, ...], ...]
    exposed: np.ndarray
    smallest: np.ndarray
    first: np.ndarray
    n_sets: np.ndarray

    @property
    def n_exposed(self) -> int:
        """Records that some set exposes (estimated, when a sample was taken)."""
        return int(self.number(self.smallest >= 0))

    def smallest_set(self, row: int) -> tuple[str, ...]:
        """The first of a row's smallest sets; empty where it has none."""
        return _names(self.attributes, int(self.first[row]))

    def to_frame(self) -> pd.DataFrame:
        """One row a set: ``variables`` (a tuple), ``size``, ``records`` it is minimal for, their ``share``."""
        return pd.DataFrame(
            {
                "variables": self.sets,
                "size": [len(names) for names in self.sets],
                "records": self.exposed,
                "share": self.exposed / max(1, self.n_records),
            }
        )

    def records(self) -> pd.DataFrame:
        """Records in the file's order: ``smallest`` and ``n_sets``; NaN for a record left out or not looked at."""
        return pd.DataFrame({name: self.by_record(column) for name, column in self._of_row.items()})

    @property
    def _of_row(self) -> dict[str, np.ndarray]:
        return {"smallest": self.smallest, "n_sets": self.n_sets}


@dataclass(frozen=True, eq=False)
class SinglingOut(MinimalSets):
    """The minimal sets that make a record unique, or leave it in a class below k.

    ``score`` (float64, per row) is the special-uniques score: each minimal set of j of K variables adds the product of
    (K - i) for i from j to the largest size looked at; the smaller a set, and the more of them, the higher.
    """

    k: int
    max_size: int
    score: np.ndarray

    @property
    def _of_row(self) -> dict[str, np.ndarray]:
        return {**super()._of_row, "score": self.score}


def singling_out(
    classes: ClassTable,
    *,
    max_size: int = 3,
    k: int = 2,
    memory: int = MEMORY,
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
) -> SinglingOut:
    """The minimal combinations of at most ``max_size`` attributes that leave a record among fewer than ``k``.

    Raises InputError for a k below 2, a size below 1, or too many combinations.
    Source: minimal sample uniques and their score, Elliot, Manning and Ford 2002 (SUDA), for any k.
    """
    checks.whole(max_size, "The number of attributes in a combination", 1)
    checks.whole(k, "k", 2)
    n, largest = len(classes.attributes), min(max_size, len(classes.attributes))
    if n_subsets(n, largest) > MOST_SETS:
        raise InputError(f"{n} columns have too many combinations of {largest}. Choose smaller combinations.")
    people = Individuals.chosen(classes, n_subsets(n, largest) + 13, memory, rng)
    some = people.selection(classes)

    def below_k() -> Iterator[tuple[int, np.ndarray]]:
        for done, subset in enumerate(Subsets(classes).walk(largest)):
            if subset.members:
                group = subset.group if some is None else subset.group[some]
                yield subset.mask, (subset.sizes < k)[group]
            if progress:
                progress((done + 1) / n_subsets(n, largest))

    points = {size: prod(n - i for i in range(size, min(largest, n - 1) + 1)) for size in range(1, largest + 1)}
    score = np.zeros(len(people.rows))

    def scored() -> Iterator[tuple[int, np.ndarray]]:
        for mask, minimal in only_minimal(below_k()):
            score[minimal] += points[mask.bit_count()]
            yield mask, minimal

    found = _gathered(classes, scored(), people)
    return SinglingOut(**vars(found), k=k, max_size=largest, score=score)


def breaching_sets(
    classes: ClassTable,
    sensitive: str,
    *,
    p: float = 0.0,
    measure: Measure = "ppp",
    q: float = 0.0,
    max_known: int | None = None,
    include_empty: bool = False,
    within: Mapping[str, float] | None = None,
    missing_is_harm: bool = False,
    memory: int = MEMORY,
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
) -> MinimalSets:
    """The smallest sets of known variables that bring the measure of ``sensitive`` to ``p`` or below.

    A set counts for a record when no part of it is enough (with p above 0 a larger set may protect again; that does
    not undo the breach). Parameters and errors as in :func:`~anonlib.individuals.profile.privacy_profile`.
    """
    checks.number(p, "p")
    question = Question.of(classes, sensitive, measure, q, max_known, include_empty, within, missing_is_harm)
    each = 4 * n_tabled(classes, question) + n_subsets(len(classes.attributes) - 1, question.max_known) + 5
    people = Individuals.chosen(classes, each, memory, rng)
    found = evaluate(classes, question, people.selection(classes), progress)
    harmed = ~question.unharmed(value_is_missing(classes, question.sensitive[0])[people.rows])
    return _gathered(classes, only_minimal((one.mask, (one.values <= p) & harmed) for one in found), people)


def only_minimal(exposed: Iterable[tuple[int, np.ndarray]]) -> Iterator[tuple[int, np.ndarray]]:
    """From sets (by ascending mask) with the rows each exposes, to the sets with the rows each is minimal for."""
    reached: dict[int, np.ndarray] = {}  # by the set or a part of it
    for mask, rows in exposed:
        by_part = np.zeros(len(rows), dtype=bool)
        for j in range(mask.bit_length()):
            if mask >> j & 1 and mask ^ 1 << j in reached:
                by_part |= reached[mask ^ 1 << j]
        yield mask, rows & ~by_part
        reached[mask] = rows | by_part


def _gathered(classes: ClassTable, minimal: Iterable[tuple[int, np.ndarray]], people: Individuals) -> MinimalSets:
    smallest, n_sets = np.full(len(people.rows), 127, np.int8), np.zeros(len(people.rows), np.int32)
    first = np.zeros(len(people.rows), np.int64)
    exposed: dict[int, int] = {}
    for mask, of in minimal:
        if of.any():
            exposed[mask] = int(people.number(of))
            first[of & (mask.bit_count() < smallest)] = mask
            np.minimum(smallest, mask.bit_count(), out=smallest, where=of)
            n_sets += of
    smallest[smallest == 127] = -1
    ranked = sorted(exposed, key=lambda mask: (-exposed[mask], mask.bit_count(), mask))
    return MinimalSets(
        **vars(people),
        attributes=classes.attributes,
        sets=tuple(_names(classes.attributes, mask) for mask in ranked),
        exposed=np.array([exposed[mask] for mask in ranked], dtype=np.int64),
        smallest=smallest,
        first=first,
        n_sets=n_sets,
    )


def _names(attributes: tuple[str, ...], mask: int) -> tuple[str, ...]:
    return tuple(name for j, name in enumerate(attributes) if mask >> j & 1)

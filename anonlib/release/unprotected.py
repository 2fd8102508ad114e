"""Columns that leave as they are: what they tell of what the recipe protects, and whom they tell apart."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from anonlib.basics.progress import Progress, nobody
from anonlib.columns.roles import Role
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.subsets import Subset, Subsets
from anonlib.counting.guarantees import ONE, RowsKnown, Shared, violation
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe

KNOWN = 0.95  # least share of the records whose original value a column tells
MOST_BELOW_K = 0.03  # share of the records that a column may put below k and still not be named
_MOST_CELLS = 5_000_000_000  # rows times pairs times hidden columns that are looked at: some half a minute
LEFT = 0.2  # largest share of wrong guesses that knowing the column may leave


@dataclass(frozen=True)
class Telling:
    """A column that leaves as it was and tells, alone or with another, the value of a quasi-identifier that does not.

    Attributes
    ----------
    column : str
        The column that leaves; k does not count it.
    tells : str
        The quasi-identifier that the recipe recodes or drops.
    known : int
        Records (persons, summed weights) of the original whose value of ``tells`` more than half of the others with
        the same value of ``column``, and of ``beside``, have too.
    n_records : int
        All of them.
    beside : str
        The other column, without which it does not tell it; "" where it does alone.
    """

    column: str
    tells: str
    known: int
    n_records: int
    beside: str = ""


@dataclass(frozen=True)
class NotCounted:
    """A released column that k does not count, and what it does once somebody knows it after all.

    Attributes
    ----------
    column : str
        Its name.
    role : Role | None
        Role or None “Other”; “Weight” where its numbers tell rows apart as those of a survey do; None where nobody has
        decided.
    below : int
        How many records (persons, summed weights) are then in groups below k: by the column alone, or beyond those that
        the quasi-identifiers have there. Of a weight: those of rows whose number fewer than k rows have.
    n_records : int
        All of them.
    """

    column: str
    role: Role | None
    below: int
    n_records: int

    @property
    def breaks_k(self) -> bool:
        """Whether it puts more than 3% into groups below k."""
        return self.below > MOST_BELOW_K * self.n_records

    @property
    def if_of_a_survey(self) -> str:
        """What to do with a weight that may be a survey's, in a sentence; "" of any other column."""
        if self.role is not Role.WEIGHT:
            return ""
        return (
            f"Most rows have a number in {self.column} that few others have, as the weights of a survey are. There "
            f"each row is one person: give {self.column} the role Other, so that rows are counted, and round or drop "
            "it. If it counts persons, say that nobody outside can know it."
        )


@dataclass(frozen=True)
class Tellers:
    """The columns by which what a recipe recodes or drops is known all the same.

    Attributes
    ----------
    alone : tuple[Telling, ...]
        Each column that tells one, in the file's order.
    pairs : tuple[Telling, ...] | None
        Two columns that tell one together that neither tells alone; None where they are too
        many to look at.
    """

    alone: tuple[Telling, ...]
    pairs: tuple[Telling, ...] | None


def tellers(applied: Applied, recipe: Recipe, progress: Progress = nobody) -> Tellers:
    """The columns, alone and two together, by which what the recipe recodes or drops is known all the same.

    A column that is no quasi-identifier, released and not recoded, tells one when the original value is known by it of
    at least 95% of the records, and the others are at most a fifth of those that one would get wrong by always guessing
    the commonest value (1 - lambda; else every column would tell one in which nearly all are alike). A record is no
    evidence of itself, so that a column of ids tells nothing. A missing value is a value. ``progress`` gets the
    share of the pairs that is looked at; may raise to stop.

    References
    ----------
    Goodman and Kruskal (1954), lambda.
    """
    telling = _TellingColumns(applied, recipe)
    alone = telling.alone()
    return Tellers(alone, telling.pairs(alone, progress))


def telling_columns(applied: Applied, recipe: Recipe) -> tuple[Telling, ...]:
    """The columns that tell one alone, in the file's order: see :func:`tellers`."""
    return _TellingColumns(applied, recipe).alone()


class _TellingColumns:
    """The columns that a recipe hides, those that leave as they are, and what these tell of those."""

    def __init__(self, applied: Applied, recipe: Recipe) -> None:
        recoded = {
            name
            for entry, effect in zip(recipe.entries, applied.effects, strict=True)
            if effect is not None and not effect.problem
            for name in entry.step.recodes
        }
        original, released = applied.original.with_missing("category"), applied.released
        self.hidden = [name for name in original.quasi_identifiers if name in recoded or name not in released.columns]
        left = uncounted(released) if self.hidden and released.n_records else []
        self.left = [name for name in left if name not in recoded]
        table = original.classes([*self.hidden, *self.left] if self.left else [])
        self.n, self.subsets = table.n_records, Subsets(table)
        self.everyone = self.subsets.everyone()
        sizes = (self.subsets.refine(self.everyone, i).sizes for i in range(len(self.hidden) if self.left else 0))
        self.wrong = [self.n - int(each.max(initial=0)) for each in sizes]  # by always guessing the commonest value

    def alone(self) -> tuple[Telling, ...]:
        return tuple(
            Telling(column, tells, known, self.n)
            for j, column in enumerate(self.left)
            for tells, known in self._by(self._alike(self.everyone, j), self.hidden)
        )

    def pairs(self, alone: Sequence[Telling], progress: Progress) -> tuple[Telling, ...] | None:
        pairs = list(combinations(range(len(self.left)), 2))
        if len(pairs) * (1 + len(self.hidden)) * len(self.everyone.group) > _MOST_CELLS:
            return None
        alone_pairs, found = {(each.column, each.tells) for each in alone}, []
        by_one = [self._alike(self.everyone, j) for j in range(len(self.left))]
        for done, (j, k) in enumerate(pairs):
            progress(done / len(pairs))
            one, other = self.left[j], self.left[k]
            hidden = [name for name in self.hidden if not alone_pairs & {(one, name), (other, name)}]
            by_both = self._by(self._alike(by_one[j], k), hidden)
            found += [Telling(one, tells, known, self.n, other) for tells, known in by_both]
        return tuple(found)

    def _alike(self, subset: Subset, j: int) -> Subset:
        """Who shares the value of a column that leaves, of those alike already."""
        return self.subsets.refine(subset, len(self.hidden) + j)

    def _by(self, alike: Subset, hidden: Sequence[str]) -> Iterator[tuple[str, int]]:
        """Of some of the hidden columns those that can be read off who is alike, and of how many records."""
        if not self.n or alike.sizes[alike.sizes > 1].sum() / self.n < KNOWN:
            return
        for i, name in enumerate(self.hidden):
            if name in hidden and self.wrong[i]:
                known = _known(alike, self.subsets.refine(alike, i))
                if known / self.n >= KNOWN and (self.n - known) / self.wrong[i] <= LEFT:
                    yield name, known


def not_counted(
    released: Dataset, k: int, rows: Sequence[RowsKnown] = (ONE,), unknowable: Container[str] = ()
) -> tuple[NotCounted, ...]:
    """What released columns that k does not count do once somebody knows one of them, the worst first.

    A file-level k says something only of an attacker who knows the quasi-identifiers and nothing else that leaves: the
    choice of quasi-identifiers is the risk assessment. Sensitive columns are not looked at here: what leaves of these
    is counted with all that leaves (:mod:`anonlib.release.alone`). A missing value is a value.

    The numbers of a weight are looked at row by row, whether it leaves or not: where more than half of the rows have
    one that fewer than k rows have, it may be the weight of a survey, by which k says nothing of the rows.

    Parameters
    ----------
    released : Dataset
        What leaves.
    k : int
        The smallest group that is accepted, 1 or more.
    rows : Sequence[RowsKnown], default (ONE,)
        What may be known of the rows of a person, where persons have several; the worst counts.
    unknowable : Container[str], default ()
        Columns that nobody outside can know, which are left aside.

    References
    ----------
    El Emam (2013); ISO/IEC 27559:2022, 7.3.2.
    """
    known = tuple(released.quasi_identifiers)
    looked_at = open_columns(released, unknowable)
    coded = released.coded([*known, *looked_at])
    n, found = coded.n_records, []
    counted = {each: violation(coded, Shared(columns=known, least=k, rows=each)).records for each in rows}
    for name in looked_at:
        alone, together = (
            [violation(coded, Shared(columns=columns, least=k, rows=each)).records for each in rows]
            for columns in ((name,), (*known, name))
        )
        beyond = [with_it - counted[each] for with_it, each in zip(together, rows, strict=True)]
        found.append(NotCounted(name, released.roles.get(name), max(*alone, *beyond), n))
    if released.weight is not None and released.weight not in unknowable:
        found += _of_weight(released, released.weight, k)
    return tuple(sorted(found, key=lambda each: -each.below))


def _of_weight(released: Dataset, weight: str, k: int) -> list[NotCounted]:
    """The weight, where its numbers tell most rows apart."""
    rows = ClassTable.from_records(released.held, [weight])
    rare = rows.counts < k
    if rows.counts[rare].sum() <= rows.n_records / 2:
        return []
    persons, values = released.with_missing("category").classes([weight]), set(rows.column(weight)[rare])
    is_rare = np.array([value in values for value in persons.column(weight)], dtype=bool)
    return [NotCounted(weight, Role.WEIGHT, int(persons.counts[is_rare].sum()), persons.n_records)]


def open_columns(released: Dataset, unknowable: Container[str] = ()) -> list[str]:
    """The columns that leave, are neither known nor sensitive, and that somebody outside may know after all."""
    return [
        name for name in uncounted(released)
        if name not in unknowable and released.roles.get(name) != Role.SENSITIVE
    ]  # fmt: skip


def uncounted(released: Dataset) -> list[str]:
    """The columns that leave although no role protects them: sensitive, other or without a role."""
    return [name for name in released.columns if released.roles.get(name) in (None, Role.SENSITIVE, Role.OTHER)]


def _known(alike: Subset, pairs: Subset) -> int:
    """Records whose second value more than half of the others with the same first value have."""
    others = alike.sizes[alike.group[pairs.row]] - 1
    return int(pairs.sizes[2 * (pairs.sizes - 1) > others].sum())

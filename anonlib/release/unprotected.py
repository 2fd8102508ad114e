"""Columns that leave as they are: what they tell of what the recipe protects, and whom they tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.columns.roles import Role, numbers_are_dates
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.subsets import Subset, Subsets
from anonlib.counting.guarantees import ONE, RowsKnown, Shared, violation
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.readings import MOST_VALUES, Amounts, Cells, amounts, places_of, readings, sums_and_differences
from anonlib.release.recipe import Recipe
from anonlib.release.steps import ShiftDates

KNOWN = 0.95  # least share of the records whose original value a column tells
MOST_BELOW_K = 0.03  # share of the records that a column may put below k and still not be named
_MOST_CELLS = 5_000_000_000  # rows times pairs times hidden columns that are looked at: some half a minute
_EVIDENCE = 10  # records with another than the commonest value of which a reading must be right
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
        the same value of ``column``, and of ``beside``, or in which the same is read, have too.
    n_records : int
        All of them.
    beside : str, default ""
        The other column, without which it does not tell it; "" where it does alone.
    by : str, default ""
        What is read in it, or what the two come to, as :attr:`anonlib.release.readings.Reading.by` has it; "" where
        its values tell it as they are.
    of_rows : bool, default False
        Whether rows are counted, although persons have several.
    """

    column: str
    tells: str
    known: int
    n_records: int
    beside: str = ""
    by: str = ""
    of_rows: bool = False

    @property
    def share(self) -> float:
        """Share of the records whose value is known, 0 to 1."""
        return self.known / self.n_records if self.n_records else 0.0


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
        Two columns that tell one together that neither tells alone, of which k counts at most one; None where they are
        too many to look at.
    nearly_unique : tuple[str, ...], default ()
        Columns that tell nothing by all that is looked at, of which fewer than 95% of the records share a value with
        another, and these do not rule out that something else in it tells.
    unread : tuple[str, ...], default ()
        Those of them that have too many values to be read.
    is_asked : bool, default True
        Whether a known column is recoded or dropped that another could tell.
    """

    alone: tuple[Telling, ...]
    pairs: tuple[Telling, ...] | None
    nearly_unique: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    is_asked: bool = True


def tellers(applied: Applied, recipe: Recipe, progress: Progress = nobody) -> Tellers:
    """The columns, alone and two together, by which what the recipe recodes or drops is known all the same.

    A column that is no quasi-identifier, released and not recoded, tells one when the original value is known by it of
    at least 95% of the records, and the others are at most a fifth of those that one would get wrong by always guessing
    the commonest value (1 - lambda; else every column would tell one in which nearly all are alike). A record is no
    evidence of itself, so that the values of a column of ids tell nothing as they are. A missing value is a value.

    Where whatever is read off a value can be right of fewer (of those that share it, at most of those whose hidden
    value is the commonest there), equal values settle it. In the values of other columns is read what
    :mod:`anonlib.release.readings` lists, and what is read counts as values do, if it is right of at least ten
    records whose hidden value is not the commonest: there are many readings, and a few records agree by chance. What
    stands whole in its values is known without others. The same holds of sums and differences of two numbers or
    dates. Of two columns one may be a quasi-identifier that leaves as it is, for what it does not tell by itself. Dates
    moved by one step leave the days between them as they were. Where persons have several rows, what two columns come
    to is counted by rows.

    ``progress`` gets the share that is looked at; may raise to stop.

    References
    ----------
    Goodman and Kruskal (1954), lambda.
    """
    telling = _TellingColumns(applied, recipe)
    alone = telling.alone(share_of(progress, 0.0, 0.5))
    pairs = telling.pairs(alone, share_of(progress, 0.5, 1.0))
    in_pairs = {name for each in pairs or () for name in (each.column, each.beside)}
    nearly_unique = tuple(name for name in telling.nearly_unique if name not in in_pairs)
    unread = tuple(name for name in nearly_unique if name in telling.unread)
    return Tellers(alone, pairs, nearly_unique, unread, bool(telling.hidden))


def telling_columns(applied: Applied, recipe: Recipe) -> tuple[Telling, ...]:
    """The columns that tell one alone, in the file's order: see :func:`tellers`."""
    return _TellingColumns(applied, recipe).alone()


class _Hidden:
    """Columns that leave no more as they were, of rows that are counted, and how much of them something tells."""

    def __init__(self, table: ClassTable, n_hidden: int) -> None:
        self.table, self.n = table, table.n_records
        self.columns = [np.ascontiguousarray(table.codes[:, i], dtype=np.intp) for i in range(n_hidden)]
        self.spans = [len(values) for values in table.categories[:n_hidden]]
        sizes = [np.bincount(codes, table.counts, span) for codes, span in zip(self.columns, self.spans, strict=True)]
        self.commonest = [int(each.argmax()) if len(each) else 0 for each in sizes]
        self.wrong = [self.n - int(each.max(initial=0)) for each in sizes]  # by always guessing the commonest value
        self.is_shared = [self.n > 0 and each[each > 1].sum() / self.n >= KNOWN for each in sizes]

    def tells(self, known: int, i: int) -> bool:
        """Whether it tells a column to know its value of so many."""
        return bool(self.wrong[i] and known / self.n >= KNOWN and (self.n - known) / self.wrong[i] <= LEFT)

    def known_of(self, codes: np.ndarray, span: int, hidden: Collection[int]) -> dict[int, int] | None:
        """Of how many what is read tells some of the columns, of those that it does; None where too few share it."""
        subsets = Subsets.of_codes([codes, *self.columns], [span, *self.spans], self.table.counts)
        alike = subsets.refine(subsets.everyone(), 0)
        if alike.sizes[alike.sizes > 1].sum() / self.n < KNOWN:
            return None
        found = {}
        for i in hidden:
            pairs = subsets.refine(alike, 1 + i)
            known = _known(alike, pairs)
            if self.tells(known, i) and known - _known(alike, pairs, self.columns[i] == self.commonest[i]) >= _EVIDENCE:
                found[i] = known
        return found

    def equal(self, numbers: np.ndarray, others: np.ndarray) -> int:
        """Of how many two numbers are the same."""
        return int(self.table.counts[np.isclose(numbers, others, rtol=0, atol=1e-6)].sum())


class _TellingColumns:
    """The columns that a recipe hides, those that leave as they are, and what these tell of those."""

    def __init__(self, applied: Applied, recipe: Recipe) -> None:
        effective = [
            entry.step
            for entry, effect in zip(recipe.entries, applied.effects, strict=True)
            if effect is not None and not effect.problem
        ]
        self.recoded = {name for step in effective for name in step.recodes}
        self.moved = [step.dates for step in effective if isinstance(step, ShiftDates)]
        original, self.released = applied.original.with_missing("category"), applied.released
        self.original = original
        self.hidden = [
            name for name in original.quasi_identifiers if name in self.recoded or name not in self.released.columns
        ]
        left = uncounted(self.released) if self.hidden and self.released.n_records else []
        self.left = [name for name in left if name not in self.recoded]
        counted = [name for name in self.released.quasi_identifiers if name not in self.recoded]
        self.as_is = [*self.left, *counted] if self.left else []  # behind, what k counts
        table = original.classes([*self.hidden, *self.as_is] if self.left else [])
        self.rows, self.subsets = _Hidden(table, len(self.hidden) if self.left else 0), Subsets(table)
        self.n, self.everyone = table.n_records, self.subsets.everyone()
        self.nearly_unique: list[str] = []
        self.unread: list[str] = []

    def alone(self, progress: Progress = nobody) -> tuple[Telling, ...]:
        """The columns that tell one alone; :attr:`nearly_unique` are then those that may and are not found to."""
        found, self.nearly_unique, self.unread = list[Telling](), [], []
        for j, column in enumerate(self.left):
            progress(j / len(self.left))
            alike = self._alike(self.everyone, j)
            by_equal_values = dict(self._by(alike, self.hidden))
            open_to = [i for i, name in enumerate(self.hidden) if name not in by_equal_values and self._could(alike, i)]
            read = self._read(j, open_to) if open_to else {}
            of_column = [Telling(column, tells, known, self.n) for tells, known in by_equal_values.items()]
            of_column += [Telling(column, self.hidden[i], n, self.n, by=by) for i, (n, by) in read.items()]
            found += sorted(of_column, key=lambda each: self.hidden.index(each.tells))
            if open_to and not of_column and not self._is_shared(alike):
                self.nearly_unique.append(column)
        return tuple(found)

    def pairs(self, alone: Sequence[Telling], progress: Progress) -> tuple[Telling, ...] | None:
        pairs = [(j, k) for j, k in combinations(range(len(self.as_is)), 2) if j < len(self.left)]
        of_numbers = _Sums(self) if self.hidden and self.released.n_records else None
        work = len(pairs) * len(self.everyone.group) + (0 if of_numbers is None else of_numbers.work)
        if work * (1 + len(self.hidden)) > _MOST_CELLS:
            return None
        by_equal_values, found = {(each.column, each.tells) for each in alone}, []
        by_one = [self._alike(self.everyone, j) for j in range(len(self.as_is))]
        for j in range(len(self.left), len(self.as_is)):  # what these tell alone, k counts
            by_equal_values |= {(self.as_is[j], tells) for tells, _ in self._by(by_one[j], self.hidden)}
        for done, (j, k) in enumerate(pairs):
            progress(0.5 * done / len(pairs))
            one, other = self.as_is[j], self.as_is[k]
            hidden = [name for name in self.hidden if not by_equal_values & {(one, name), (other, name)}]
            by_both = self._by(self._alike(by_one[j], k), hidden)
            found += [Telling(one, tells, known, self.n, other) for tells, known in by_both]
        if of_numbers is not None:
            found += of_numbers.found([*alone, *found], share_of(progress, 0.5, 1.0))
        return tuple(found)

    def _alike(self, subset: Subset, j: int) -> Subset:
        """Who shares the value of a column that leaves, of those alike already."""
        return self.subsets.refine(subset, len(self.hidden) + j)

    def _by(self, alike: Subset, hidden: Sequence[str]) -> Iterator[tuple[str, int]]:
        """Of some of the hidden columns those that can be read off who is alike, and of how many records."""
        if not self._is_shared(alike):
            return
        for i, name in enumerate(self.hidden):
            if name in hidden and self.rows.wrong[i]:
                known = _known(alike, self.subsets.refine(alike, i))
                if self.rows.tells(known, i):
                    yield name, known

    def _is_shared(self, alike: Subset) -> bool:
        """Whether nearly every record shares its value with another."""
        return bool(self.n and alike.sizes[alike.sizes > 1].sum() / self.n >= KNOWN)

    def _could(self, alike: Subset, i: int) -> bool:
        """Whether something in the values of a column could tell a hidden one, as far as those who share one show."""
        pairs = self.subsets.refine(alike, i)
        most = np.zeros(len(alike.sizes), dtype=np.int64)
        np.maximum.at(most, alike.group[pairs.row], pairs.sizes)
        return self.rows.tells(int(most.sum()), i)

    def _read(self, j: int, hidden: Sequence[int]) -> dict[int, tuple[int, str]]:
        """By hidden column of how many it is read in another, and what is read: the reading that tells most."""
        values, codes = (each[len(self.hidden) + j] for each in (self.rows.table.categories, self.subsets.columns))
        found: dict[int, tuple[int, str]] = {}
        if len(values) > MOST_VALUES:
            self.unread.append(self.left[j])
            return found
        for chain in readings(Cells(values)):
            for reading in chain:
                known = self.rows.known_of(reading.codes[codes], reading.n, hidden)
                if known is None:
                    break  # what tells even more values apart is shared by fewer
                found |= {i: (n, reading.by) for i, n in known.items() if n > found.get(i, (0, ""))[0]}
            if len(found) == len(hidden) and all(n == self.n for n, _ in found.values()):
                break
        for i in hidden:
            if i not in found and not self.rows.is_shared[i]:
                known_whole, by = self._standing_whole(values[codes], i)
                found |= {i: (known_whole, by)} if self.rows.tells(known_whole, i) else {}
        return found

    def _standing_whole(self, values: np.ndarray, i: int) -> tuple[int, str]:
        """Of how many the value of a hidden column stands whole at one place of another's, and which place."""
        hidden, counts = self.rows.table.categories[i][self.rows.columns[i]], self.rows.table.counts
        known, missed = Counter[str](), self.n
        for value, tells, n in zip(values, hidden, counts.tolist(), strict=True):
            if value is not None and tells is not None and not (hasattr(value, "members") or hasattr(tells, "members")):
                for place in places_of(value.strip(), tells.strip()):
                    known[place] += n
            missed -= n
            if max(known.values(), default=0) + missed < KNOWN * self.n:
                break
        return max(((n, by) for by, n in known.items()), default=(0, ""))


class _Sums:
    """Sums and differences of two columns of numbers or dates, and what they tell."""

    def __init__(self, telling: _TellingColumns) -> None:
        released, original = telling.released, telling.original
        self.hidden, left = telling.hidden, set(uncounted(released))
        as_is = [name for name in (*released.quasi_identifiers, *telling.left) if name not in telling.recoded]
        moved = [tuple(name for name in dates if name in released.columns) for dates in telling.moved]
        names = [name for name in original.columns if name in {*as_is, *(name for dates in moved for name in dates)}]
        are_dates = {name: numbers_are_dates(original.held, name) for name in names if self._lists_few(original, name)}
        names = [name for name, numbers in are_dates.items() if amounts(Cells(original.held.values(name)), numbers)]
        self.pairs = [
            (one, other, is_moved)
            for one, other in combinations(names, 2)
            for is_moved in [not {one, other} <= set(as_is)]
            if left & {one, other} and (not is_moved or any({one, other} <= set(dates) for dates in moved))
        ]
        names = list(dict.fromkeys(name for pair in self.pairs for name in pair[:2]))
        self.of_rows = original.has_several_rows
        wanted = [*self.hidden, *(name for name in names if name not in self.hidden)] if names else []
        self.table = ClassTable.from_records(original.held, wanted) if self.of_rows else original.classes(wanted)
        self.amounts = {name: self._of_rows(original, name) for name in wanted}
        self.work = 2 * len(self.pairs) * self.table.n_classes

    @staticmethod
    def _lists_few(original: Dataset, name: str) -> bool:
        return original.held.lists_values(name) and len(original.held.values(name)) <= MOST_VALUES

    def _of_rows(self, original: Dataset, name: str) -> Amounts | None:
        """A column as numbers, one a row; None where it is none of numbers."""
        at = self.table.attributes.index(name)
        found = amounts(Cells(self.table.categories[at]), numbers_are_dates(original.held, name))
        if found is None:
            return None
        codes = self.table.codes[:, at]
        return Amounts(found.numbers[codes], None if found.years is None else found.years[codes])

    def found(self, by_equal_values: Sequence[Telling], progress: Progress) -> list[Telling]:
        """What sums and differences tell that neither column tells alone, nor both by equal values."""
        rows, found = _Hidden(self.table, len(self.hidden) if self.pairs else 0), list[Telling]()
        for done, (one, other, is_moved) in enumerate(self.pairs):
            progress(done / len(self.pairs))
            known = {
                each.tells for each in by_equal_values if {each.column, each.beside or each.column} <= {one, other}
            }
            open_to = [i for i, name in enumerate(self.hidden) if name not in {*known, one, other} and rows.wrong[i]]
            first, second = self.amounts[one], self.amounts[other]
            best: dict[int, tuple[int, str]] = {}
            for by, numbers in sums_and_differences(first, second, is_moved) if first and second and open_to else ():
                for i, n in self._known_of(rows, numbers, open_to).items():
                    best |= {i: (n, by)} if n > best.get(i, (0, ""))[0] else {}
            found += [Telling(one, self.hidden[i], n, rows.n, other, by, self.of_rows) for i, (n, by) in best.items()]
        return found

    def _known_of(self, rows: _Hidden, numbers: np.ndarray, hidden: Sequence[int]) -> dict[int, int]:
        codes, distinct = pd.factorize(numbers, use_na_sentinel=False)
        found = rows.known_of(codes.astype(np.intp), len(distinct), hidden) or {}
        for i in hidden:
            of_hidden = self.amounts[self.hidden[i]]
            if i not in found and not rows.is_shared[i] and of_hidden is not None:
                known = rows.equal(numbers, of_hidden.numbers)
                found |= {i: known} if rows.tells(known, i) else {}
        return found


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


def _known(alike: Subset, pairs: Subset, among: np.ndarray | None = None) -> int:
    """Records whose second value more than half of the others with the same first value have; of some rows alone."""
    others = alike.sizes[alike.group[pairs.row]] - 1
    known = 2 * (pairs.sizes - 1) > others
    return int(pairs.sizes[known if among is None else known & among[pairs.row]].sum())

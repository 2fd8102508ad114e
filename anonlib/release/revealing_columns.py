"""Columns that reveal another: what leaves and lets a value be read off it that a recipe hides.

After what is found of such columns comes what leaves, beside what a recipe hides of it. Next is what a recipe hides of
known columns, and how much of it something that leaves reveals. Then come sums and differences of two columns of
numbers or dates that leave, and what they reveal. At the end the columns are found: alone, beside the label of what
they reveal, and two together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.columns.roles import numbers_are_dates
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.subsets import Subset, Subsets
from anonlib.reading.records.names import unused_name
from anonlib.release.applied import Applied
from anonlib.release.readings import (
    MOST_VALUES,
    Amounts,
    CellsOfValues,
    WayToRead,
    amounts,
    digits_of,
    places_of,
    readings,
    sums_and_differences,
)
from anonlib.release.recipe import Recipe
from anonlib.release.unprotected import uncounted


@dataclass(frozen=True)
class RevealingColumn:
    """A column that leaves and tells, alone or with another, a quasi-identifier that is recoded or dropped.

    Attributes
    ----------
    column : str
        The column that leaves; k does not count it.
    tells : str
        The quasi-identifier that the recipe recodes or drops.
    known : int
        Records (persons, summed weights) that leave whose value of ``tells`` more than half of the others with
        the same label of ``column``, and of ``beside``, or in which the same is read, have too.
    n_records : int
        All that leave.
    beside : str, default ""
        The other column, without which it does not tell it: ``tells`` for the label with which that leaves itself; ""
        where it does alone.
    by : str, default ""
        What is read in it, or what the two come to, as :attr:`anonlib.release.readings.WayToRead.by` has it; "" where
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
class RevealingColumns:
    """The columns by which what a recipe recodes or drops is known all the same.

    Attributes
    ----------
    alone : tuple[RevealingColumn, ...]
        Each column that tells one, in the file's order.
    pairs : tuple[RevealingColumn, ...] | None
        Columns that tell one beside its label, and two that tell one together that neither tells alone, of which k
        counts at most one; None where they are too many to look at.
    nearly_unique : tuple[str, ...], default ()
        Columns that tell nothing by all that is looked at, of which fewer than 95% of the records share a value with
        another, and these do not rule out that something else in it tells.
    unread : tuple[str, ...], default ()
        Those of them that have too many values to be read.
    is_asked : bool, default True
        Whether a known column is recoded or dropped that another could tell.
    """

    alone: tuple[RevealingColumn, ...]
    pairs: tuple[RevealingColumn, ...] | None
    nearly_unique: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    is_asked: bool = True


class Leaving:
    """What leaves, beside what known columns were that a recipe hides.

    Attributes
    ----------
    hidden : list[str]
        The quasi-identifiers that leave no more as they were.
    left : list[str]
        The columns that leave and that k does not count.
    counted : list[str]
        The quasi-identifiers that leave.
    recoded : set[str]
        The columns that the recipe recodes.
    original : Dataset
        What they were.
    wide : Dataset
        What leaves, with :attr:`before`; missing values are values.
    before : list[str]
        By hidden column, what it was is called in :attr:`wide`.
    labels : list[str | None]
        By hidden column its name in :attr:`wide`, where it leaves.
    """

    def __init__(self, applied: Applied, recipe: Recipe) -> None:
        effective = [
            entry.step
            for entry, effect in zip(recipe.entries, applied.effects, strict=True)
            if effect is not None and not effect.problem
        ]
        self.recoded = {name for step in effective for name in step.recodes}
        self.original, released = applied.original, applied.released
        leaving = set(released.columns)
        hidden = [name for name in self.original.quasi_identifiers if name in self.recoded or name not in leaving]
        self.left = uncounted(released) if hidden and released.n_records else []
        self.is_asked = bool(hidden)
        self.hidden = hidden if self.left else []
        self.counted = list(released.quasi_identifiers) if self.left else []
        taken = [*released.held.columns, *self.original.held.columns]
        names = {name: unused_name(f"{name} before", taken) for name in self.hidden}
        wide = released.with_columns_of(self.original, names) if names else released
        self.wide, self.before = wide.with_missing("category"), list(names.values())
        self.labels = [name if name in leaving else None for name in self.hidden]


KNOWN = 0.95
"""Least share of the records whose original value a column tells."""
LEFT = 0.2  # largest share of wrong guesses that knowing the column may leave
_EVIDENCE = 10  # records with another than the commonest value of which a reading must be right


@dataclass(frozen=True, eq=False)
class OwnLabel:
    """What the label with which a hidden column leaves tells of its value by itself.

    Attributes
    ----------
    alike : Subset
        Who has the same label; everybody where the column is dropped.
    known : np.ndarray
        bool per class of the table, whether more than half of the others with the label have the same value.
    commonest : np.ndarray
        bool per class, whether its value is the commonest of those with the label.
    wrong : int
        Records of which one is wrong by always guessing the commonest value of the label.
    """

    alike: Subset
    known: np.ndarray
    commonest: np.ndarray
    wrong: int

    @property
    def says_something(self) -> bool:
        """Whether there are several labels."""
        return len(self.alike.sizes) > 1


class HiddenColumns:
    """Columns that leave no more as they were, of rows that are counted, and how much of them something tells.

    Attributes
    ----------
    table : ClassTable
        The rows. Its first attributes are the hidden columns, with the values that they had.
    n : int
        Records (persons, summed weights) in it.
    wrong : list[int]
        By hidden column, of how many records one is wrong by always guessing its commonest value.
    is_shared : list[bool]
        By hidden column, whether nearly all records share their value with another.
    own : list[OwnLabel]
        By hidden column, what its own label tells.
    """

    def __init__(self, table: ClassTable, labels: Sequence[str | None]) -> None:
        """``labels`` are, by hidden column, the attribute of its label in what leaves; None where it is dropped."""
        self.table, self.n, n_hidden = table, table.n_records, len(labels)
        self.columns = [np.ascontiguousarray(table.codes[:, i], dtype=np.intp) for i in range(n_hidden)]
        self.spans = [len(values) for values in table.categories[:n_hidden]]
        sizes = [np.bincount(codes, table.counts, span) for codes, span in zip(self.columns, self.spans, strict=True)]
        self.commonest = [int(value_sizes.argmax()) if len(value_sizes) else 0 for value_sizes in sizes]
        self.wrong = [self.n - int(value_sizes.max(initial=0)) for value_sizes in sizes]
        self.is_shared = [self.n > 0 and value_sizes[value_sizes > 1].sum() / self.n >= KNOWN for value_sizes in sizes]
        self._cells: dict[str, CellsOfValues] = {}
        subsets = Subsets(table)
        self.own = [self._own(subsets, i, label) for i, label in enumerate(labels)]

    def _own(self, subsets: Subsets, i: int, label: str | None) -> OwnLabel:
        alike = subsets.everyone()
        alike = alike if label is None else subsets.refine(alike, self.table.attributes.index(label))
        pairs = subsets.refine(alike, i)
        label_of_pair = alike.group[pairs.row]
        by_size = np.lexsort((self.columns[i][pairs.row], -pairs.sizes))  # of equally common values the first
        first = by_size[np.unique(label_of_pair[by_size], return_index=True)[1]]
        is_commonest = np.zeros(len(pairs.sizes), dtype=bool)
        is_commonest[first] = True
        wrong = self.n - int(pairs.sizes[first].sum())
        return OwnLabel(alike, known_by_class(alike, pairs), is_commonest[pairs.group], wrong)

    def tells(self, known: int, i: int, beyond_label: bool = False) -> bool:
        """Whether it tells a column to know its value of so many; ``beyond_label``: more than its own label tells."""
        if beyond_label and self._is_known_by_label(i):
            return False
        wrong = self.own[i].wrong if beyond_label else self.wrong[i]
        return bool(wrong and known / self.n >= KNOWN and (self.n - known) / wrong <= LEFT)

    def enough(self, known: np.ndarray, i: int, is_read: bool = False, beyond_label: bool = False) -> int:
        """Of how many a column is known, where that is enough to tell it; else 0.

        Parameters
        ----------
        known : np.ndarray
            bool per class of the table, whether its value is known.
        i : int
            The hidden column.
        is_read : bool, default False
            Whether it is one of many readings by which it is known: these must be right of some whose value is not the
            commonest.
        beyond_label : bool, default False
            Whether more must be known than the column's own label tells; of some, too, whose value is not the commonest
            of those with the label.
        """
        n_known = self._records(known)
        if not self.tells(n_known, i, beyond_label):
            return 0
        is_commonest = self.own[i].commonest if beyond_label else self.columns[i] == self.commonest[i]
        has_evidence = not (is_read or beyond_label) or self._records(known & ~is_commonest) >= _EVIDENCE
        return n_known if has_evidence else 0

    def known_of(
        self, codes: np.ndarray, span: int, hidden: Collection[int], beyond_label: bool = False
    ) -> dict[int, int] | None:
        """Of how many what is read tells some of the columns, of those that it does; None where too few share it."""
        subsets = Subsets.of_codes([codes, *self.columns], [span, *self.spans], self.table.counts)
        alike = subsets.refine(subsets.everyone(), 0)
        if not shared_by_nearly_all(alike, self.n):
            return None
        n_known = {}
        for i in hidden:
            known = known_by_class(alike, subsets.refine(alike, 1 + i))
            if n_enough := self.enough(known, i, is_read=True, beyond_label=beyond_label):
                n_known[i] = n_enough
        return n_known

    def known_beside_label(self, codes: np.ndarray, span: int, hidden: Collection[int]) -> dict[int, int | None]:
        """Of how many what is read tells some of the columns beside their own labels.

        Who shares it and the label with nobody is taken for the commonest value of those with the label.

        Returns
        -------
        dict[int, int | None]
            By hidden column the records, of those of which it tells enough beyond the label; None of a column of which
            nothing can that tells even more values apart.
        """
        subsets = Subsets.of_codes([codes, *self.columns], [span, *self.spans], self.table.counts)
        n_known: dict[int, int | None] = {}
        for i in hidden:
            own = self.own[i]
            alike = subsets.refine(own.alike, 0)
            is_alone = (alike.sizes == 1)[alike.group]
            if self._records(is_alone & ~own.known) > LEFT * own.wrong:
                n_known[i] = None
                continue
            pairs = subsets.refine(alike, 1 + i)
            known = np.where(is_alone, own.known, known_by_class(alike, pairs))
            if n_enough := self.enough(known, i, beyond_label=True):
                n_known[i] = n_enough
        return n_known

    def could_beside_label(self, codes: np.ndarray, span: int, i: int) -> bool:
        """Whether anything in the values of a column can tell a hidden one beyond its own label."""
        own = self.own[i]
        if not own.says_something or self._is_known_by_label(i):
            return False
        subsets = Subsets.of_codes([codes, self.columns[i]], [span, self.spans[i]], self.table.counts)
        alike = subsets.refine(own.alike, 0)
        most = most_alike(alike, subsets.refine(alike, 1))
        return self.tells(int(most.sum()), i, beyond_label=True)

    def _is_known_by_label(self, i: int) -> bool:
        """Whether the label of a column is right of nearly all by itself, such as where only rare values are merged."""
        return self.own[i].says_something and self.own[i].wrong <= (1 - KNOWN) * self.n

    def equal(self, numbers: np.ndarray, others: np.ndarray) -> int:
        """Of how many two numbers are the same, or further by one number, such as 1 where the first day counts too."""
        differences = np.round(others - numbers, 6)
        is_number = ~np.isnan(differences)
        distinct, place = np.unique(differences[is_number], return_inverse=True)
        return int(np.bincount(place, self.table.counts[is_number], len(distinct)).max(initial=0))

    def codes(self, name: str) -> np.ndarray:
        """intp per class, the place of its value of a column."""
        return np.ascontiguousarray(self.table.codes[:, self.table.attributes.index(name)], dtype=np.intp)

    def cells(self, name: str) -> CellsOfValues:
        """The cells of a column's values; found once."""
        if name not in self._cells:
            self._cells[name] = CellsOfValues(self.table.categories[self.table.attributes.index(name)])
        return self._cells[name]

    def _records(self, of_classes: np.ndarray) -> int:
        return int(self.table.counts[of_classes].sum())


def shared_by_nearly_all(alike: Subset, n: int) -> bool:
    """Whether nearly every one of the records shares with another what makes them alike."""
    return bool(n and alike.sizes[alike.sizes > 1].sum() / n >= KNOWN)


def most_alike(alike: Subset, pairs: Subset) -> np.ndarray:
    """int64, of each of those who are alike the most records of one value; ``pairs`` are parted by the values too."""
    most = np.zeros(len(alike.sizes), dtype=np.int64)
    np.maximum.at(most, alike.group[pairs.row], pairs.sizes)
    return most


def known_by_class(alike: Subset, pairs: Subset) -> np.ndarray:
    """bool per class of the table, whether more than half of the others who are alike have its value."""
    others = alike.sizes[alike.group[pairs.row]] - 1
    return (2 * (pairs.sizes - 1) > others)[pairs.group]


class Sums:
    """What the sums and differences of two columns tell, of which k counts at most one.

    Attributes
    ----------
    work : int
        Rows times sums and differences that are looked at, about.
    """

    def __init__(self, release: Leaving, rows: HiddenColumns) -> None:
        """``rows`` are of what is hidden and of all columns that leave, by records or persons."""
        self._release, self._of_rows = release, release.wide.has_several_rows
        self._named = dict(zip(release.before, release.hidden, strict=True))
        leaving = {*release.left, *release.counted}
        numbers = [name for name in release.original.columns if name in leaving and self._numbers(rows, name)]
        self._pairs = [pair for pair in combinations(numbers, 2) if not set(release.left).isdisjoint(pair)]
        if self._of_rows and self._pairs:
            labels = [name for name in release.labels if name is not None]
            names = dict.fromkeys([*release.before, *labels, *(name for pair in self._pairs for name in pair)])
            rows = HiddenColumns(ClassTable.from_records(release.wide.held, list(names)), release.labels)
        self._rows, self._by_class = rows, dict[str, Amounts | None]()
        self.work = 2 * len(self._pairs) * rows.table.n_classes

    def _numbers(self, rows: HiddenColumns, name: str) -> Amounts | None:
        """A column as numbers, one a value; None where it is none of numbers."""
        cells = rows.cells(name)
        if len(cells.texts) > MOST_VALUES:
            return None
        return amounts(cells, numbers_are_dates(self._release.original.held, self._named.get(name, name)))

    def _of_classes(self, name: str) -> Amounts | None:
        """A column as numbers, one a class; found once."""
        if name not in self._by_class:
            amounts, codes = self._numbers(self._rows, name), self._rows.codes(name)
            years = None if amounts is None or amounts.years is None else amounts.years[codes]
            self._by_class[name] = None if amounts is None else Amounts(amounts.numbers[codes], years)
        return self._by_class[name]

    def found(self, by_equal_values: Sequence[RevealingColumn], progress: Progress) -> list[RevealingColumn]:
        """What sums and differences tell that neither column tells alone, nor both by equal values."""
        rows, tellings = self._rows, list[RevealingColumn]()
        for done, (one, other) in enumerate(self._pairs):
            progress(done / len(self._pairs))
            known = {
                telling.tells
                for telling in by_equal_values
                if {telling.column, telling.beside or telling.column} <= {one, other}
            }
            open_to = [i for i, name in enumerate(self._release.hidden) if name not in known and rows.wrong[i]]
            is_recoded = not self._release.recoded.isdisjoint((one, other))
            first, second = self._of_classes(one), self._of_classes(other)
            best: dict[int, tuple[int, str]] = {}
            for by, numbers in sums_and_differences(first, second) if first and second and open_to else ():
                known_by_it = self._known_of(numbers, open_to, is_recoded)
                best |= {i: (n, by) for i, n in known_by_it.items() if n > best.get(i, (0, ""))[0]}
            for i, (n, by) in best.items():
                tells = self._release.hidden[i]
                column, beside = (other, one) if one == tells else (one, other)
                tellings.append(RevealingColumn(column, tells, n, rows.n, beside, by, self._of_rows))
        return tellings

    def _known_of(self, numbers: np.ndarray, hidden: Sequence[int], is_recoded: bool) -> dict[int, int]:
        codes, distinct = pd.factorize(numbers, use_na_sentinel=False)
        known = self._rows.known_of(codes.astype(np.intp), len(distinct), hidden, is_recoded) or {}
        for i in hidden:
            if i in known or self._rows.is_shared[i]:
                continue
            of_hidden = self._of_classes(self._release.before[i])
            n = 0 if of_hidden is None else self._rows.equal(numbers, of_hidden.numbers)
            known |= {i: n} if self._rows.tells(n, i, is_recoded) else {}
        return known


_MOST_CELLS = 5_000_000_000  # rows times pairs times hidden columns that are looked at: some half a minute


def find_revealing_columns(applied: Applied, recipe: Recipe, progress: Progress = nobody) -> RevealingColumns:
    """The columns, alone and two together, by which what the recipe recodes or drops is known all the same.

    A released column that is no quasi-identifier tells one when the original value is known by its labels of at least
    95% of the records that leave, and the others are at most a fifth of those that one would get wrong by always
    guessing the commonest value (1 - lambda; else every column would tell one in which nearly all are alike). A record
    is no evidence of itself, so that the values of a column of ids tell nothing as they are. A missing value is a
    value.

    A quasi-identifier that is recoded leaves with a label. What tells it beside that label is found too: who shares
    both with others is taken for what more than half of these are, anybody else for the commonest value of the label.
    Of a column that is recoded, and beside a label, only that counts which goes beyond the label: the others are at
    most a fifth of those that one would get wrong by always guessing the commonest value of the label (lambda given the
    label), and it is right of at least ten records whose value is not the commonest there. Nothing goes beyond a label
    by which nearly all are known anyway.

    Where whatever is read off a value can be right of fewer (of those that share it, at most of those whose hidden
    value is the commonest there), equal values settle it. In the values of other columns is read what
    :mod:`anonlib.release.readings` lists, and what is read counts as values do, if it is right of at least ten
    records whose hidden value is not the commonest: there are many readings, and a few records agree by chance. What
    stands whole in its values, or is made of the digits of its label and theirs, is known without others. The same is
    so of sums and differences of two numbers or dates. Of two columns one may be a quasi-identifier that leaves, for
    what it does not tell by itself. Where persons have several rows, what two columns come to is counted by rows.

    Parameters
    ----------
    applied : Applied
        What the recipe made of the original.
    recipe : Recipe
        The steps.
    progress : Progress, default nobody
        Called with the share that is looked at; may raise to stop.

    Returns
    -------
    RevealingColumns

    References
    ----------
    Goodman and Kruskal (1954), lambda, and its partial form.
    """
    telling = _TellingColumns(applied, recipe)
    alone = telling.alone(share_of(progress, 0.0, 0.5))
    pairs = telling.pairs(alone, share_of(progress, 0.5, 1.0))
    in_pairs = {name for pair in pairs or () for name in (pair.column, pair.beside)}
    nearly_unique = tuple(name for name in telling.nearly_unique if name not in in_pairs)
    unread = tuple(name for name in nearly_unique if name in telling.unread)
    return RevealingColumns(alone, pairs, nearly_unique, unread, telling.release.is_asked)


def revealing_columns(applied: Applied, recipe: Recipe) -> tuple[RevealingColumn, ...]:
    """The columns that tell one alone, in the file's order: see :func:`find_revealing_columns`.

    Parameters
    ----------
    applied : Applied
        What the recipe made of the original.
    recipe : Recipe
        The steps.

    Returns
    -------
    tuple[RevealingColumn, ...]
    """
    return _TellingColumns(applied, recipe).alone()


class _TellingColumns:
    """What the columns that leave tell of those that a recipe hides."""

    def __init__(self, applied: Applied, recipe: Recipe) -> None:
        self.release = Leaving(applied, recipe)
        self.hidden, self.left = self.release.hidden, self.release.left
        self.leaving = [*self.left, *self.release.counted]  # behind, what k counts
        table = self.release.wide.classes([*self.release.before, *self.leaving])
        self.rows, self.subsets = HiddenColumns(table, self.release.labels), Subsets(table)
        self.n, self.everyone = table.n_records, self.subsets.everyone()
        self.nearly_unique: list[str] = []
        self.unread: list[str] = []

    def alone(self, progress: Progress = nobody) -> tuple[RevealingColumn, ...]:
        """The columns that tell one alone; :attr:`nearly_unique` are then those that may and are not found to."""
        tellings, self.nearly_unique, self.unread = list[RevealingColumn](), [], []
        for j, column in enumerate(self.left):
            progress(j / len(self.left))
            alike = self._alike(self.everyone, j)
            by_equal_values = self._known_by(alike, range(len(self.hidden)), self._is_recoded(column))
            open_to = [i for i in range(len(self.hidden)) if i not in by_equal_values and self._could(alike, i, j)]
            read = self._read(j, open_to) if open_to else {}
            known = {i: (n, "") for i, n in by_equal_values.items()} | read
            tellings += [
                RevealingColumn(column, self.hidden[i], n, self.n, by=by) for i, (n, by) in sorted(known.items())
            ]
            if open_to and not known and not shared_by_nearly_all(alike, self.n):
                self.nearly_unique.append(column)
        return tuple(tellings)

    def pairs(self, alone: Sequence[RevealingColumn], progress: Progress) -> tuple[RevealingColumn, ...] | None:
        """Those that tell one beside its label, and two that do together; None where they are too many."""
        pairs = [(j, k) for j, k in combinations(range(len(self.leaving)), 2) if j < len(self.left)]
        sums = Sums(self.release, self.rows) if self.hidden else None
        work = len(pairs) * len(self.everyone.group) + (0 if sums is None else sums.work)
        if work * (1 + len(self.hidden)) > _MOST_CELLS:
            return None
        tellings = self._beside_labels(alone, share_of(progress, 0.0, 0.4))
        by_equal_values = {(telling.column, telling.tells) for telling in (*alone, *tellings)}
        by_one = [self._alike(self.everyone, j) for j in range(len(self.leaving))]
        for j in range(len(self.left), len(self.leaving)):  # what these tell alone, k counts
            known_by_it = self._known_by(by_one[j], range(len(self.hidden)))
            by_equal_values |= {(self.leaving[j], self.hidden[i]) for i in known_by_it}
        for done, (j, k) in enumerate(pairs):
            progress(0.4 + 0.3 * done / len(pairs))
            one, other = self.leaving[j], self.leaving[k]
            known = {tells for name, tells in by_equal_values if name in (one, other)} | {other}
            hidden = [i for i, name in enumerate(self.hidden) if name not in known]
            by_both = self._known_by(self._alike(by_one[j], k), hidden, self._is_recoded(one, other))
            tellings += [RevealingColumn(one, self.hidden[i], n, self.n, other) for i, n in by_both.items()]
        if sums is not None:
            tellings += sums.found([*alone, *tellings], share_of(progress, 0.7, 1.0))
        return tuple(tellings)

    def _is_recoded(self, *names: str) -> bool:
        return not self.release.recoded.isdisjoint(names)

    def _alike(self, subset: Subset, j: int) -> Subset:
        """Who shares the value of a column that leaves, of those alike already."""
        return self.subsets.refine(subset, len(self.hidden) + j)

    def _known_by(self, alike: Subset, hidden: Sequence[int], beyond_label: bool = False) -> dict[int, int]:
        """Of some of the hidden columns those that can be read off who is alike, and of how many records."""
        if not shared_by_nearly_all(alike, self.n):
            return {}
        known = {}
        for i in hidden:
            if self.rows.wrong[i]:
                is_known = known_by_class(alike, self.subsets.refine(alike, i))
                if n_enough := self.rows.enough(is_known, i, beyond_label=beyond_label):
                    known[i] = n_enough
        return known

    def _could(self, alike: Subset, i: int, j: int) -> bool:
        """Whether something in the values of a column could tell a hidden one, as far as those who share one show."""
        most = most_alike(alike, self.subsets.refine(alike, i))
        return self.rows.tells(int(most.sum()), i, self._is_recoded(self.left[j]))

    def _values(self, j: int) -> tuple[np.ndarray, np.ndarray]:
        """The values of a column that leaves, and intp per class the place of its value."""
        at = len(self.hidden) + j
        return self.rows.table.categories[at], self.subsets.columns[at]

    def _read(self, j: int, hidden: Sequence[int]) -> dict[int, tuple[int, str]]:
        """By hidden column of how many it is read in another, and what is read: the reading that tells most."""
        values, codes = self._values(j)
        best: dict[int, tuple[int, str]] = {}
        if len(values) > MOST_VALUES:
            self.unread.append(self.left[j])
            return best
        is_recoded = self._is_recoded(self.left[j])
        for chain in readings(self.rows.cells(self.left[j])):
            for reading in chain:
                known = self.rows.known_of(reading.codes[codes], reading.n, hidden, is_recoded)
                if known is None:
                    break  # what tells even more values apart is shared by fewer
                _take_better(best, known, reading)
            if len(best) == len(hidden) and all(n == self.n for n, _ in best.values()):
                break
        for i in hidden:
            if i not in best and not self.rows.is_shared[i]:
                known_whole, by = self._standing_whole(values[codes], i)
                best |= {i: (known_whole, by)} if self.rows.tells(known_whole, i, is_recoded) else {}
        return best

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

    def _beside_labels(self, alone: Sequence[RevealingColumn], progress: Progress) -> list[RevealingColumn]:
        """The columns that tell a hidden one beside the label with which it leaves, and not alone."""
        tell_alone, tellings = {(telling.column, telling.tells) for telling in alone}, list[RevealingColumn]()
        for j, column in enumerate(self.left):
            progress(j / len(self.left))
            values, codes = self._values(j)
            open_to = {
                i
                for i, tells in enumerate(self.hidden)
                if (column, tells) not in tell_alone and self.rows.could_beside_label(codes, len(values), i)
            }
            known = {i: (n, "") for i, n in self.rows.known_beside_label(codes, len(values), open_to).items() if n}
            open_to -= known.keys()
            if open_to and len(values) > MOST_VALUES:
                self.unread.append(column)
                self.nearly_unique += [column] if column not in self.nearly_unique else []
            elif open_to:
                known |= self._read_beside_labels(self.rows.cells(column), codes, open_to)
            for i in open_to - known.keys():
                n = 0 if self.rows.is_shared[i] else self._completing(values[codes], i)
                known |= {i: (n, "digits")} if self.rows.tells(n, i, beyond_label=True) else {}
            tellings += [
                RevealingColumn(column, self.hidden[i], n, self.n, self.hidden[i], by)
                for i, (n, by) in sorted(known.items())
            ]
        return tellings

    def _completing(self, values: np.ndarray, i: int) -> int:
        """Of how many the digits of a hidden value are made of those of its label and of a column, in one way."""
        label = self.release.labels[i]
        if label is None:
            return 0
        labels = self.rows.table.column(label)
        hidden, counts = self.rows.table.categories[i][self.rows.columns[i]], self.rows.table.counts
        known, missed = Counter[int](), self.n
        for value, of_label, tells, n in zip(values, labels, hidden, counts.tolist(), strict=True):
            if all(type(text) is str for text in (value, of_label, tells)):
                first, second, whole = map(digits_of, (of_label, value, tells))
                if first and second:
                    known.update(
                        {way: n for way, digits in enumerate(_put_together(first, second, whole)) if digits == whole}
                    )
            missed -= n
            if max(known.values(), default=0) + missed < KNOWN * self.n:
                break
        return max(known.values(), default=0)

    def _read_beside_labels(
        self, cells: CellsOfValues, codes: np.ndarray, hidden: set[int]
    ) -> dict[int, tuple[int, str]]:
        best: dict[int, tuple[int, str]] = {}
        for chain in readings(cells):
            open_to = set(hidden)
            for reading in chain:
                known = self.rows.known_beside_label(reading.codes[codes], reading.n, open_to)
                _take_better(best, {i: n for i, n in known.items() if n}, reading)
                open_to -= {i for i, n in known.items() if n is None}
                if not open_to:
                    break
        return best


def _put_together(label: str, other: str, whole: str) -> tuple[str, ...]:
    """Digits of a label and of another column as those of a value may be made of them: one behind the other, with zeros
    in front, and of a date the year of its label, whose quarter or month stands behind it, with the month and day."""
    year, day_first = label[:4], other[2:] + other[:2]
    return (
        label + other.zfill(len(whole) - len(label)),
        other + label,
        year + other.zfill(len(whole) - len(year)),
        other + year,
        year + day_first,
        day_first + year,
    )


def _take_better(best: dict[int, tuple[int, str]], known: Mapping[int, int], reading: WayToRead) -> None:
    """Put the reading in the place of one that tells fewer."""
    best |= {i: (n, reading.by) for i, n in known.items() if n > best.get(i, (0, ""))[0]}

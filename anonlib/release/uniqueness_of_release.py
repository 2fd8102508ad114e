"""Who is alone, or in a group below k, by some set of a few of all columns that leave.

After what was counted come the columns that leave as facts that somebody may know: of each row the label, its level,
and its true value there. Where a column is recoded part by part its labels are of several levels, and a coarse one is
fulfilled by all that it covers. Somebody who has the whole file sees more: beside a record with a coarse label stand
finer parts that others were parted off into, and these are not in the record's own region.

Then comes every set of at most a few columns, and who is below k by it. Equal labels are counted first: who shares all
labels with k others is in no small group, unless finer parts stand beside it. Of the others those are counted who
fulfil the labels with their true values, level by level.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from math import comb

import numpy as np

from anonlib.basics.progress import Progress
from anonlib.basics.thresholds import DEFAULT
from anonlib.columns.free_text import is_text
from anonlib.counting.classes.coding import group
from anonlib.counting.classes.subsets import Subset, Subsets, n_subsets
from anonlib.counting.privacy_models import Coded, CodedPersons
from anonlib.dataset import Dataset
from anonlib.reading.records.names import unused_name
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.release.steps import ReachableLevel, Step


@dataclass(frozen=True)
class Alone:
    """Who is alone, or in a group below k, by some set of a few released columns.

    Attributes
    ----------
    known : int
        How many columns somebody knows at most.
    k : int
        The size that counts as small.
    alone, below : int
        Records (persons, by one of their rows; summed weights) of whom some set is true of nobody else, and of whom
        some set is true of fewer than k.
    n_records : int
        All that are released.
    columns : tuple[str, ...]
        The columns that were looked at, whatever their role.
    aside : tuple[str, ...]
        Those that leave and were not: free text, what nobody outside can know, and the weight.
    n_sets : int
        Sets of columns that were looked at.
    worst : tuple[tuple[tuple[str, ...], int, int], ...]
        The sets by which most are below k, with how many they leave alone and below k.
    not_counted : str, default ""
        Which sets were not looked at since they are too many, in a sentence; "".
    """

    known: int
    k: int
    alone: int
    below: int
    n_records: int
    columns: tuple[str, ...]
    aside: tuple[str, ...]
    n_sets: int
    worst: tuple[tuple[tuple[str, ...], int, int], ...]
    not_counted: str = ""

    @property
    def share_alone(self) -> float:
        """Of all released, in [0, 1]."""
        return self.alone / self.n_records if self.n_records else 0.0

    @property
    def share_below(self) -> float:
        """Of all released, in [0, 1]."""
        return self.below / self.n_records if self.n_records else 0.0


_AT_ONCE = 2_000_000  # pairs of parts that are compared at once
MISSING = -1
"""For the level of a label that is missing, which is no condition."""


@dataclass(frozen=True, eq=False)
class Fact:
    """A column that leaves, as a condition.

    Attributes
    ----------
    label : np.ndarray
        Intp, a row each: the label that leaves; ``span`` is above all of them.
    codes : tuple[np.ndarray, ...]
        A level each: intp, of each row the label of its true value on the level.
    level : np.ndarray
        Intp, a row each: the highest level on which its value has its label, or :data:`MISSING`.
    of_parts : bool
        Whether it is recoded part by part.
    """

    label: np.ndarray
    span: int
    codes: tuple[np.ndarray, ...]
    level: np.ndarray
    of_parts: bool


@dataclass(frozen=True, eq=False)
class _Levels:
    """The step that recodes a column part by part, and the column with what its cells were before."""

    step: Step
    column: str
    beside: str

    def labels_of(self, values: np.ndarray) -> list[np.ndarray]:
        """By level the label of each value; missing is a value."""
        return [way.labels for way in self.step.levels(self.column, [ReachableLevel("", values)])]


def facts_of(applied: Applied, recipe: Recipe, columns: Sequence[str]) -> tuple[Coded, list[Fact]]:
    """Those who are released, and of each of their rows what somebody may know."""
    released, levels = applied.released, dict[str, _Levels]()
    steps = recipe.enabled
    for i, step in enumerate(steps):
        later = {name for other in steps[i + 1 :] for name in other.recodes}
        if step.labels_by != "part" or applied.problems:
            continue
        before = Recipe.of(steps[:i]).leaves(applied.original)
        for name in step.recodes:
            if name in columns and name not in later:  # else equal labels are counted alone, which is never too few
                beside = unused_name(
                    f"{name} before",
                    [*released.held.columns, *(column_levels.beside for column_levels in levels.values())],
                )
                released = released.with_columns_of(before, {name: beside})
                levels[name] = _Levels(step, name, beside)
    coded = released.coded([*columns, *(column_levels.beside for column_levels in levels.values())])
    return coded, [_fact(coded, name, levels.get(name)) for name in columns]


def _fact(coded: Coded, name: str, levels: _Levels | None) -> Fact:
    """A column of each row of a person, or of each record."""
    rows, place = (coded.rows, coded.row) if isinstance(coded, CodedPersons) else (coded, slice(None))
    labels, released = rows.labels[name], rows.codes[name][place].astype(np.intp)
    span = max(1, len(labels))
    present = np.array([label is not None for label in labels] or [False], dtype=bool)[released]
    if levels is None:
        return Fact(released, span, (released,), np.where(present, 0, MISSING), False)
    true, values = rows.codes[levels.beside][place], rows.labels[levels.beside]
    code = {label: i for i, label in enumerate(labels)}
    level, codes = np.full(len(released), MISSING, dtype=np.intp), list[np.ndarray]()
    for i, of_value in enumerate(levels.labels_of(values)):
        at_level = np.array([code.get(label, MISSING) for label in of_value], dtype=np.intp)
        number = {label: n for n, label in enumerate(dict.fromkeys(of_value.tolist()))}
        codes.append(np.array([number[label] for label in of_value], dtype=np.intp)[true])
        level[present & (at_level[true] == released)] = i  # the highest of several, where the label covers most
    return Fact(released, span, tuple(codes), level, True)


# ---- parts ----


@dataclass(frozen=True, eq=False)
class Finer:
    """By part the finer parts that others were parted off into along some columns alone.

    Attributes
    ----------
    first : np.ndarray
        int64, parts + 1: where those of each part begin.
    level, code : np.ndarray
        Intp, finer parts x columns: the level of its label, and the label's code there.
    """

    first: np.ndarray
    level: np.ndarray
    code: np.ndarray


class Parts:
    """The parts of a file: rows with the same labels in all columns that are recoded part by part."""

    def __init__(self, facts: Sequence[Fact], n_rows: int) -> None:
        self.facts = facts
        self.columns = [j for j, fact in enumerate(facts) if fact.of_parts]
        labels = np.column_stack([facts[j].label for j in self.columns]) if self.columns else np.zeros((n_rows, 0))
        self.of_row, rows = group(labels, [facts[j].span for j in self.columns])
        self.label = {j: facts[j].label[rows] for j in self.columns}
        self.level = {j: facts[j].level[rows] for j in self.columns}
        self.codes = {j: np.array([at_level[rows] for at_level in facts[j].codes]) for j in self.columns}
        self.n = len(rows)
        self._finer = dict[tuple[int, ...], Finer | None]()

    def finer(self, columns: tuple[int, ...]) -> Finer | None:
        """Those of each part that differ from it in these columns alone, each finer there or the same; None: none."""
        if columns not in self._finer:
            self._finer[columns] = self._find(columns)
        return self._finer[columns]

    def _find(self, columns: tuple[int, ...]) -> Finer | None:
        others = [j for j in self.columns if j not in columns]
        alike = np.zeros(self.n, dtype=np.intp)
        if others:
            alike, _ = group(np.column_stack([self.label[j] for j in others]), [self.facts[j].span for j in others])
        order = np.argsort(alike, kind="stable")
        begins = np.flatnonzero(np.diff(alike[order], prepend=-1))
        size = np.repeat(np.diff(np.append(begins, self.n)), np.diff(np.append(begins, self.n)))
        begin = np.repeat(begins, np.diff(np.append(begins, self.n)))  # of each part's family in the order
        pairs = [np.zeros((0, 2), dtype=np.intp)]
        for some in _in_chunks(size):
            many = size[some]
            part = np.repeat(order[some], many)
            within = np.arange(len(part)) - np.repeat(many.cumsum() - many, many)
            other = order[np.repeat(begin[some], many) + within]
            within_it = self._are_finer(other, part, columns)
            pairs.append(np.column_stack([part[within_it], other[within_it]]))
        both = np.concatenate(pairs)
        if not len(both):
            return None
        both = both[np.argsort(both[:, 0], kind="stable")]
        flat = both[:, 1]
        first = np.zeros(self.n + 1, dtype=np.int64)
        first[1:] = np.bincount(both[:, 0], minlength=self.n).cumsum()
        level = np.column_stack([self.level[j][flat] for j in columns])
        code = np.column_stack([self.codes[j][self.level[j][flat], flat] for j in columns])
        return Finer(first, level, code)

    def _are_finer(self, other: np.ndarray, part: np.ndarray, columns: tuple[int, ...]) -> np.ndarray:
        """bool, a pair each: each value that another part's labels cover is covered by a part's in these columns."""
        finer = other != part
        for j in columns:
            at, fine = self.level[j][part], self.level[j][other]
            finer &= (fine >= 0) & (fine <= at) & (self.codes[j][at, other] == self.codes[j][at, part])
        return finer


def _in_chunks(sizes: np.ndarray) -> Iterator[slice]:
    """Slices of so many sizes that add up to a chunk or are one, without those of families of one."""
    if not len(sizes) or int(sizes.max()) < 2:
        return
    chunk = sizes.cumsum() // _AT_ONCE
    ends = np.flatnonzero(np.diff(chunk, append=-1)) + 1
    for begin, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True):
        yield slice(begin, end)


FACTS = 3
"""How many columns somebody knows at most."""
MOST_LOOKED_AT = 1_000_000_000
"""Rows times sets of columns that are looked at, some ten seconds, a set counting for :data:`A_SET` rows besides its
own; beyond it sets of three are of fewer columns."""
MOST_OF_THREE = 30
"""Of how many columns sets of three are looked at then, those with most labels."""
A_SET = 2_000
"""Rows that take as long as a set does, however few its rows are."""
_A_SECOND = 100_000_000  # rows that are looked at in a second
_OF_PARTS = 7  # times as long where columns have labels of several levels
_WORST = 5  # sets that are named


def seconds(n_records: int, columns: Sequence[str], recipe: Recipe) -> float:
    """About how long it takes to count who is alone by what leaves: columns that are recoded part by part have many
    levels, of which each is looked at.

    Parameters
    ----------
    n_records : int
        The records of the release.
    columns : Sequence[str]
        The columns that are looked at.
    recipe : Recipe
        The steps, of which those that recode part by part matter.

    Returns
    -------
    float
    """
    of_parts = any(step.labels_by == "part" for step in recipe.enabled)
    _, n_sets = _in_largest_sets(len(columns), FACTS, n_records, MOST_LOOKED_AT)
    return n_sets * (n_records + A_SET) / _A_SECOND * (_OF_PARTS if of_parts else 1)


def alone_by_what_leaves(
    applied: Applied,
    recipe: Recipe,
    *,
    known: int = FACTS,
    k: int = DEFAULT.k,
    unknowable: Container[str] = (),
    most: int = MOST_LOOKED_AT,
    progress: Progress | None = None,
) -> Alone:
    """Count who is alone by at most a few of all columns that leave.

    Parameters
    ----------
    applied : Applied
        The release, and the original that it was made of.
    recipe : Recipe
        The steps that made it.
    known : int, default FACTS
        Facts known at most, 1 or more.
    k : int, default DEFAULT.k
        What is a small group, 2 or more.
    unknowable : Container[str], default ()
        Columns that nobody outside can know.
    most : int, default MOST_LOOKED_AT
        How much is looked at (:data:`MOST_LOOKED_AT`).
    progress : Progress, optional
        Called with the share that is done; may raise to stop.

    Returns
    -------
    Alone

    References
    ----------
    Singling out: Article 29 Working Party, WP216 (2014); Giomi et al. (2023) for predicates.
    """
    return AloneCount.of(
        applied, recipe, known=known, k=k, unknowable=unknowable, most=most, progress=progress
    ).result()  # fmt: skip


def looked_at(released: Dataset, unknowable: Container[str] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns that leave and that somebody may know, and those that leave and are not looked at.

    Parameters
    ----------
    released : Dataset
        The release.
    unknowable : Container[str], default ()
        Columns that nobody outside can know.

    Returns
    -------
    tuple[tuple[str, ...], tuple[str, ...]]
    """
    leaving = [name for name in released.columns if name != released.person_id]
    aside = tuple(
        name for name in leaving
        if name == released.weight or name in unknowable or is_text(released.held, name)
    )  # fmt: skip
    return tuple(name for name in leaving if name not in aside), aside


# ---- which sets, and how many ----


def _in_largest_sets(n_columns: int, known: int, rows: int, most: int) -> tuple[int, int]:
    """Of how many columns the largest sets are looked at, and how many sets that makes in all."""
    smaller = n_subsets(n_columns, known - 1) - 1
    n = n_columns
    while n and (smaller + comb(n, known)) * (rows + A_SET) > most:
        n = MOST_OF_THREE if n > MOST_OF_THREE else n - 1
    return n, smaller + comb(n, known)


Allows = Callable[[float, float], bool]
"""Whether the shares alone and below k are within limits."""


class AloneCount:
    """Who is alone, and who is below k, by each set of columns; one column after the other can be put in.

    Attributes
    ----------
    columns : tuple[str, ...]
        Those that leave and are looked at.
    by_set : by set of their places, how many it leaves alone and below k.
    """

    def __init__(self, coded: Coded, facts: Sequence[Fact], columns: tuple[str, ...], k: int) -> None:
        from anonlib.counting.privacy_models import sharing_kernel  # which loads the compiler

        self.coded, self.kernel, self.facts, self.columns, self.k = coded, sharing_kernel, list(facts), columns, k
        self.has_rows = isinstance(coded, CodedPersons)  # some hold several, else each one row
        self.start = coded.start if isinstance(coded, CodedPersons) else np.arange(len(coded.counts) + 1)
        self.holder = np.repeat(np.arange(len(coded.counts)), np.diff(self.start))
        self.counts = coded.counts.astype(np.int64)
        self.is_each_one = bool((self.counts == 1).all())
        n_rows = len(self.holder)
        self.last, self.sizes = np.empty(n_rows + 1, np.int32), np.empty(n_rows + 1, np.int64)
        self.parts = Parts(facts, n_rows)
        self.by_set = dict[tuple[int, ...], tuple[int, int]]()
        self.marked = np.zeros((2, len(self.counts)), dtype=bool)  # who is alone, and who is below k, by some set
        self.known, self.in_largest, self.aside, self.not_counted = 0, frozenset[int](), tuple[str, ...](), ""
        self.aside_now = frozenset[int]()  # columns that are left aside
        self._prepare()

    def _prepare(self) -> None:
        counts = np.ones(len(self.holder), dtype=np.int64) if self.has_rows else self.counts
        facts = self.facts
        self.by_label = Subsets.of_codes(  # the part comes behind all columns
            [*(fact.label for fact in facts), self.parts.of_row], [*(fact.span for fact in facts), self.parts.n], counts
        )
        n_levels = np.array([len(fact.codes) for fact in facts], dtype=np.int64)
        self.places = n_levels.cumsum() - n_levels  # by column its place on the lowest level; the others follow
        self.codes = np.empty((int(n_levels.sum()), len(self.holder)), dtype=np.int32)
        for place, fact in zip(self.places, facts, strict=True):
            self.codes[place : place + len(fact.codes)] = fact.codes
        self.ordered = dict[int, tuple[np.ndarray, np.ndarray]]()

    @classmethod
    def of(
        cls,
        applied: Applied,
        recipe: Recipe,
        *,
        known: int = FACTS,
        k: int = DEFAULT.k,
        unknowable: Container[str] = (),
        most: int = MOST_LOOKED_AT,
        progress: Progress | None = None,
        without: Container[str] = (),
    ) -> AloneCount:
        """All sets of a release, as :func:`alone_by_what_leaves`, or all without some columns."""
        columns, aside = looked_at(applied.released, unknowable)
        coded, facts = facts_of(applied, recipe, columns)
        count = cls(coded, facts, columns, k)
        by_labels = sorted(range(len(facts)), key=lambda j: -facts[j].span)
        n_largest, n_sets = _in_largest_sets(len(facts), known, len(count.holder), most)
        count.known, count.aside, count.in_largest = known, aside, frozenset(by_labels[:n_largest])
        if n_largest < len(columns):
            count.not_counted = (
                f"Sets of {known} are too many to look at all: of the {n_largest} columns with most labels all were, "
                f"and of all {len(columns)} those of fewer."
            )
        count.aside_now = frozenset(j for j, name in enumerate(columns) if name in without)
        among = [j for j in range(len(facts)) if j not in count.aside_now]
        for done, _ in enumerate(count._walk(among), start=1):
            if progress is not None:
                progress(min(1.0, done / max(1, n_sets)))
        return count

    def with_column(
        self, name: str, labels: Mapping[str | None, str | None], allows: Allows, known: int | None = None
    ) -> AloneCount | None:
        """The same with a column that was left aside, not one recoded part by part, whose labels become others.

        Parameters
        ----------
        name : str
            The column.
        labels : Mapping[str | None, str | None]
            What its labels become; those that are not named stay.
        allows : Allows
            Of the shares alone and below k; where it does not allow what is counted so far, nothing more is counted.
        known : int, optional
            How many columns somebody knows at most beside it, itself included; as many as in all else when left out.

        Returns
        -------
        AloneCount or None
            None where it is not allowed.
        """
        j, rows = self.columns.index(name), self.coded
        if isinstance(self.coded, CodedPersons):
            rows, place = self.coded.rows, self.coded.row
        else:
            place = np.arange(len(self.holder))
        codes = rows.codes[name][place]
        new = [labels.get(label, label) for label in self.labels_of(name)]
        number = {label: n for n, label in enumerate(dict.fromkeys(new))}
        code = np.array([number[label] for label in new] or [0], dtype=np.intp)[codes]
        is_missing = np.array([label is None for label in new] or [True], dtype=bool)[codes]
        span = max(1, len(number))
        other = copy(self)
        other.by_set, other.marked, other.facts = dict(self.by_set), self.marked.copy(), [*self.facts]
        other.facts[j] = Fact(code, span, (code,), np.where(is_missing, MISSING, 0), False)
        other.aside_now, other.known = self.aside_now - {j}, self.known if known is None else known
        other._prepare()
        for _ in other._walk([i for i in range(len(self.facts)) if i not in other.aside_now], j):
            if not allows(*other.shares):
                return None
        return other

    def labels_of(self, name: str) -> list[str | None]:
        """The labels that a column leaves with."""
        rows = self.coded.rows if isinstance(self.coded, CodedPersons) else self.coded
        return list(rows.labels[name])

    def result(self) -> Alone:
        """What was counted."""
        worst = sorted(self.by_set.items(), key=lambda item: (-item[1][1], -item[1][0], len(item[0]), item[0]))[:_WORST]
        return Alone(
            self.known, self.k, *self.numbers, self.coded.n_records, self.columns, self.aside, len(self.by_set),
            tuple((tuple(self.columns[j] for j in members), *numbers) for members, numbers in worst if numbers[1]),
            self.not_counted,
        )  # fmt: skip

    @property
    def numbers(self) -> tuple[int, int]:
        """How many are alone, and how many below k, by some set that was looked at so far."""
        return int(self.counts[self.marked[0]].sum()), int(self.counts[self.marked[1]].sum())

    @property
    def shares(self) -> tuple[float, float]:
        """The same of all that are released."""
        alone, below = self.numbers
        return alone / max(1, self.coded.n_records), below / max(1, self.coded.n_records)

    def _walk(self, among: Sequence[int], first: int | None = None) -> Iterator[None]:
        """Count by every set of at most so many of some columns, or of ``first`` with others; the largest are of some
        columns alone."""

        def beyond(subset: Subset, fits_so_far: np.ndarray, members: tuple[int, ...]) -> Iterator[None]:
            least = max((j for j in members if j != first), default=-1)
            for j in among if members or first is None else (first,):
                is_largest = len(members) + 1 == self.known
                if j in members or j <= least or (is_largest and not self.in_largest.issuperset((*members, j))):
                    continue
                fits = fits_so_far & (self.facts[j].level >= 0)
                together = self.by_label.refine(subset, j)
                self._look(together, fits, tuple(sorted((*members, j))))
                yield
                if not is_largest:
                    yield from beyond(together, fits, (*members, j))

        if self.known:
            yield from beyond(self.by_label.everyone(), np.ones(len(self.holder), dtype=bool), ())

    def _look(self, subset: Subset, fits: np.ndarray, members: tuple[int, ...]) -> None:
        """Mark who is alone and who is below k by a set of columns; ``asked`` are the rows that have all of them."""
        of_parts = tuple(j for j in members if self.facts[j].of_parts)
        if not of_parts and not self.has_rows:
            self._look_at_labels(subset, fits, members)
            return
        finer = self.parts.finer(of_parts) if of_parts else None
        by_label = self._holders(subset)[subset.group]
        open_to = fits & (by_label < self.k)
        if finer is not None and (has_finer := fits & (np.diff(finer.first) > 0)[self.parts.of_row]).any():
            of_part = self.by_label.refine(subset, len(self.facts))  # a region has at least those of the part
            open_to |= has_finer & (self._holders(of_part) < self.k)[of_part.group]
        rows = np.flatnonzero(open_to)
        self.by_set[members] = 0, 0
        if not len(rows):
            return
        marked = np.zeros((2, len(self.counts)), dtype=bool)
        if not of_parts:
            self._mark(marked, rows, by_label[rows])
        else:
            self._mark(marked, rows, self._in_own_region(subset, rows, members, finer))
        self.by_set[members] = int(self.counts[marked[0]].sum()), int(self.counts[marked[1]].sum())
        self.marked |= marked

    def _look_at_labels(self, subset: Subset, fits: np.ndarray, members: tuple[int, ...]) -> None:
        """The same where each has one row and equal labels are all there is to share: whole groups are marked."""
        is_small = (subset.sizes < self.k).view(np.uint8) + (subset.sizes < 2)
        of_row = np.take(is_small, subset.group, mode="clip") * fits  # 2: alone, 1: below k
        numbers = []
        for marked, small in zip(self.marked, (of_row > 1, of_row > 0), strict=True):
            numbers.append(int(np.count_nonzero(small) if self.is_each_one else self.counts[small].sum()))
            marked |= small
        self.by_set[members] = numbers[0], numbers[1]

    def _holders(self, subset: Subset) -> np.ndarray:
        """int64, a group each: how many have a row in it. What it returns may be written over by the next call."""
        if not self.has_rows:
            return subset.sizes
        sizes = self.sizes[: len(subset.sizes)]
        self.kernel.count_holders(subset.group.astype(np.int32), self.start, self.counts, self.last, sizes)
        return sizes

    def _mark(self, marked: np.ndarray, rows: np.ndarray, sizes: np.ndarray) -> None:
        marked[0, self.holder[rows[sizes < 2]]] = True
        marked[1, self.holder[rows[sizes < self.k]]] = True

    def _in_own_region(
        self, subset: Subset, rows: np.ndarray, members: tuple[int, ...], finer: Finer | None
    ) -> np.ndarray:
        """Of each of some rows how many fulfil its labels and are in its part's own region, up to k."""
        from anonlib.release.uniqueness_loops import in_own_region

        keys = np.column_stack([self.parts.of_row[rows], subset.group[rows]])  # of one part and one label, one answer
        same, first = group(keys, [self.parts.n, len(subset.sizes)])
        first_rows = rows[first]
        levels = np.column_stack([self.facts[j].level[first_rows] for j in members])
        pattern, example = group(levels, [len(self.facts[j].codes) for j in members])
        none = np.zeros((0, 1), dtype=np.int64)
        begins, finer_places, finer_codes = np.zeros(self.parts.n + 1, dtype=np.int64), none, none
        if finer is not None:
            of_parts = np.array([self.places[j] for j in members if self.facts[j].of_parts])
            begins, finer_places, finer_codes = finer.first, finer.level + of_parts, finer.code
        sizes = np.empty(len(first_rows), dtype=np.int64)
        for i, of_levels in enumerate(levels[example].tolist()):
            places = np.array([self.places[j] + level for j, level in zip(members, of_levels, strict=True)])
            some = np.flatnonzero(pattern == i)
            shortest = self._shortest(places, first_rows[some])
            for j, place in enumerate(places.tolist()):
                mine = some[shortest == j]
                if not len(mine):
                    continue
                order, start = self._in_order(place)
                code = self.codes[place, first_rows[mine]]
                n_mine = np.empty(len(mine), dtype=np.int64)
                in_own_region(
                    first_rows[mine], self.codes, places, order, start[code], start[code + 1], self.holder, self.counts,
                    self.parts.of_row, begins, finer_places, finer_codes, self.k, n_mine,
                )  # fmt: skip
                sizes[mine] = n_mine
        return sizes[same]

    def _shortest(self, places: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Per row the first of some places at which fewest have its label."""
        lengths = []
        for place in places.tolist():
            _, start = self._in_order(place)
            code = self.codes[place, rows]
            lengths.append(start[code + 1] - start[code])
        return np.argmin(lengths, axis=0)

    def _in_order(self, place: int) -> tuple[np.ndarray, np.ndarray]:
        """All rows in the order of their labels at a place, and where each label begins."""
        if place not in self.ordered:
            codes = self.codes[place]
            order = np.argsort(codes, kind="stable")
            self.ordered[place] = order, np.searchsorted(codes[order], np.arange(int(codes.max(initial=0)) + 2))
        return self.ordered[place]

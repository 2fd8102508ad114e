"""Who is alone by a few of all columns that leave, whatever their role.

A verdict counts what officers declared as known; somebody with the file has not read the declaration. Here a released
record's labels in a few columns are a condition, and those are counted who fulfil it with their true values. A missing
cell is no condition, and where a column has labels of several levels a coarse one is fulfilled by all that it covers.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.basics.progress import Progress
from anonlib.basics.thresholds import DEFAULT
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.columns.free_text import is_text
from anonlib.counting.classes.subsets import Subset, Subsets
from anonlib.counting.guarantees import Coded, CodedPersons
from anonlib.dataset import Dataset
from anonlib.reading.records.names import unused_name
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.release.steps import GeneralizeLocally

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
_WORST = 5  # sets that are named


@dataclass(frozen=True)
class Alone:
    """Who is alone, or in a group below k, by some set of a few released columns.

    Attributes
    ----------
    known : how many columns somebody knows at most.
    k : the size that counts as small.
    alone, below : records (persons, by one of their rows; summed weights) of whom some set is true of nobody else, and
        of whom some set is true of fewer than k.
    n_records : all that are released.
    columns : the columns that were looked at, whatever their role.
    aside : those that leave and were not: free text, what nobody outside can know, and the weight.
    n_sets : sets of columns that were looked at.
    worst : the sets by which most are below k, with how many they leave alone and below k.
    not_counted : which sets were not looked at since they are too many, in a sentence; "".
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


def seconds(n_records: int, columns: Sequence[str], recipe: Recipe) -> float:
    """About how long it takes to count who is alone by what leaves: columns that are recoded part by part have many
    levels, of which each is looked at."""
    levels = {name: len(hierarchy.recodings) + 1
              for step in recipe.enabled if isinstance(step, GeneralizeLocally)
              for name, hierarchy in step.hierarchies}  # fmt: skip
    n_levels = sorted((levels.get(name, 1) for name in columns), reverse=True)
    _, n_sets = _in_largest_sets(n_levels, FACTS, n_records, MOST_LOOKED_AT)
    return n_sets * (n_records + A_SET) / _A_SECOND


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
    applied, recipe
        The release and what made it.
    known
        Facts known at most, 1 or more.
    k
        What is a small group, 2 or more.
    unknowable
        Columns that nobody outside can know.
    most
        How much is looked at (:data:`MOST_LOOKED_AT`).
    progress
        Called with the share that is done; may raise to stop.

    Returns
    -------
    Alone

    References
    ----------
    Singling out: Article 29 Working Party, WP216 (2014); Giomi et al. (2023) for predicates.
    """
    columns, aside = looked_at(applied.released, unknowable)
    coded, levels = _coded(applied, recipe, columns)
    facts = [_Fact.of(coded, name, levels.get(name)) for name in columns]
    rows = len(coded.row) if isinstance(coded, CodedPersons) else len(coded.counts)
    by_labels = sorted(range(len(facts)), key=lambda j: -facts[j].n_labels)
    n_largest, n_sets = _in_largest_sets([len(facts[j].codes) for j in by_labels], known, rows, most)
    in_largest = sorted(by_labels[:n_largest])
    count = _Count(coded, facts, k)
    for done, _ in enumerate(count.walk(known, in_largest), start=1):
        if progress is not None:
            progress(min(1.0, done / max(1, n_sets)))
    worst = sorted(count.by_set.items(), key=lambda item: (-item[1][1], -item[1][0], len(item[0])))[:_WORST]
    not_counted = ""
    if len(in_largest) < len(columns):
        not_counted = (
            f"Sets of {known} are too many to look at all: of the {len(in_largest)} columns with most labels all were, "
            f"and of all {len(columns)} those of fewer."
        )
    return Alone(
        known, k, count.marked(0), count.marked(1), coded.n_records, columns, aside, len(count.by_set),
        tuple((tuple(columns[j] for j in members), *numbers) for members, numbers in worst if numbers[1]), not_counted,
    )  # fmt: skip


def looked_at(released: Dataset, unknowable: Container[str] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns that leave and that somebody may know, and those that leave and are not looked at."""
    leaving = [name for name in released.columns if name != released.person_id]
    aside = tuple(
        name for name in leaving
        if name == released.weight or name in unknowable or is_text(released.held, name)
    )  # fmt: skip
    return tuple(name for name in leaving if name not in aside), aside


# ---- what can be known ----


@dataclass(frozen=True, eq=False)
class _Fact:
    """A column that leaves, as a condition: by each level that its labels have.

    Attributes
    ----------
    codes, spans : a level each: intp, of each row the label of its true value on the level, and what that is below.
    fits : a level each: bool, of each row whether that is the label that leaves; none is where a cell is missing.
    n_labels : different labels.
    """

    codes: tuple[np.ndarray, ...]
    spans: tuple[int, ...]
    fits: tuple[np.ndarray, ...]
    n_labels: int

    @classmethod
    def of(cls, coded: Coded, name: str, levels: _Levels | None) -> _Fact:
        """Of each row of a person, or each record."""
        rows, place = (coded.rows, coded.row) if isinstance(coded, CodedPersons) else (coded, slice(None))
        labels, released = rows.labels[name], rows.codes[name][place]
        present = np.array([label is not None for label in labels] or [False], dtype=bool)[released]
        if levels is None:
            return cls((released,), (max(1, len(labels)),), (present,), len(labels))
        true, values = rows.codes[levels.beside][place], rows.labels[levels.beside]
        code = {label: i for i, label in enumerate(labels)}
        codes, fits = list[np.ndarray](), list[np.ndarray]()
        for of_value in levels.labels_of(values):
            at_level = np.array([code.get(label, -1) for label in of_value], dtype=np.intp)
            number = np.unique(["" if label is None else f"={label}" for label in of_value], return_inverse=True)[1]
            codes.append(number[true])
            fits.append(present & (at_level[true] == released) & ~np.logical_or.reduce(fits or [~present & present]))
        return cls(tuple(codes), tuple(int(each.max(initial=0)) + 1 for each in codes), tuple(fits), len(labels))


@dataclass(frozen=True, eq=False)
class _Levels:
    """The levels that a column is recoded to part by part, and the column with what its cells were before."""

    hierarchy: Hierarchy
    beside: str

    def labels_of(self, values: np.ndarray) -> list[np.ndarray]:
        """By level the label of each value; missing is a value."""
        levels = self.hierarchy.on(values, self.beside)
        return [levels.label(level) for level in range(levels.n_levels)]


def _coded(applied: Applied, recipe: Recipe, columns: Sequence[str]) -> tuple[Coded, dict[str, _Levels]]:
    """Those who are released with the labels of some columns, and what was recoded part by part as it was before."""
    released, found = applied.released, dict[str, _Levels]()
    steps = recipe.enabled
    for i, step in enumerate(steps):
        later = {name for other in steps[i + 1 :] for name in other.recodes}
        if not isinstance(step, GeneralizeLocally) or applied.problems:
            continue
        before = Recipe.of(steps[:i]).leaves(applied.original)
        for name, hierarchy in step.hierarchies:
            if name in columns and name not in later:  # else equal labels are counted alone, which is never too few
                beside = unused_name(
                    f"{name} before", [*released.held.columns, *(each.beside for each in found.values())]
                )
                released = released.with_columns_of(before, {name: beside})
                found[name] = _Levels(hierarchy, beside)
    return released.coded([*columns, *(each.beside for each in found.values())]), found


# ---- which sets, and how many ----


def _in_largest_sets(n_levels: Sequence[int], known: int, rows: int, most: int) -> tuple[int, int]:
    """Of how many columns the largest sets are looked at, and how many sets that makes in all.

    ``n_levels`` are the levels of each column, those with most labels first.
    """
    smaller = sum(_n_sets(n_levels, size) for size in range(1, known))
    n = len(n_levels)
    while n and (smaller + _n_sets(n_levels[:n], known)) * (rows + A_SET) > most:
        n = MOST_OF_THREE if n > MOST_OF_THREE else n - 1
    return n, smaller + _n_sets(n_levels[:n], known)


def _n_sets(n_levels: Sequence[int], size: int) -> int:
    """How many sets of so many columns there are, each with one of its levels."""
    sets = [1] + [0] * size
    for n in n_levels:
        for s in range(size, 0, -1):
            sets[s] += n * sets[s - 1]
    return sets[size]


class _Count:
    """Who is alone, and who is below k, by the sets that were walked so far."""

    def __init__(self, coded: Coded, facts: Sequence[_Fact], k: int) -> None:
        from anonlib.counting.guarantees import kernel  # which loads the compiler

        self.kernel, self.facts, self.k = kernel, facts, k
        self.start = coded.start if isinstance(coded, CodedPersons) else np.arange(len(coded.counts) + 1)
        self.counts = coded.counts.astype(np.int64)
        self.places = [(j, level) for j, fact in enumerate(facts) for level in range(len(fact.codes))]
        columns = [facts[j].codes[level] for j, level in self.places]
        spans = [facts[j].spans[level] for j, level in self.places]
        self.n_rows = len(coded.row) if isinstance(coded, CodedPersons) else len(coded.counts)
        self.subsets = Subsets.of_codes(columns, spans, np.ones(self.n_rows, dtype=np.int64))
        room = self.n_rows + 1
        self.last, self.sizes, self.alone = np.empty(room, np.int32), np.empty(room, np.int64), np.empty(room, np.int64)
        self.thing_bits = np.zeros((room, 1), np.uint64)
        self.marks = np.zeros((len(coded.counts), 1), np.uint64)
        self.by_set: dict[tuple[int, ...], tuple[int, int]] = {}

    def walk(self, known: int, in_largest: Sequence[int]) -> Iterator[None]:
        """Count by every set of at most so many columns; the largest are of some columns alone."""
        everyone = np.ones(self.n_rows, dtype=bool)
        chosen = frozenset(in_largest)

        def beyond(subset: Subset, asked: np.ndarray, members: tuple[int, ...]) -> Iterator[None]:
            for place, (j, level) in enumerate(self.places):
                largest = len(members) + 1 == known
                if (members and j <= members[-1]) or (largest and not chosen.issuperset((*members, j))):
                    continue
                fits = asked & self.facts[j].fits[level]
                if fits.any():
                    larger = self.subsets.refine(subset, place)
                    self._look(larger, fits, (*members, j))
                    yield
                    if not largest:
                        yield from beyond(larger, fits, (*members, j))

        if known:
            yield from beyond(self.subsets.everyone(), everyone, ())

    def _look(self, subset: Subset, asked: np.ndarray, members: tuple[int, ...]) -> None:
        n = len(subset.sizes)
        thing, sizes = subset.group.astype(np.int32), self.sizes[:n]
        self.kernel.count_holders(thing, self.start, self.counts, self.last, sizes)
        few = sizes < self.k
        numbers = self.by_set.setdefault(members, (0, 0))
        if not few.any():
            return
        thing_bits = self.thing_bits[: n + 1]
        thing_bits[:] = 0
        thing_bits[:n, 0] = few * np.uint64(2) | (sizes < 2)
        records = np.zeros(2, dtype=np.int64)
        self.kernel.mark(
            np.where(asked, thing, np.int32(n)), self.start, self.counts, thing_bits, self.alone, self.marks, records
        )
        self.by_set[members] = numbers[0] + int(records[0]), numbers[1] + int(records[1])

    def marked(self, bit: int) -> int:
        """How many are alone (0), or below k (1), by some set."""
        of_holder = (self.marks[:, 0] >> np.uint64(bit)) & np.uint64(1)
        return int(self.counts[of_holder.astype(bool)].sum())

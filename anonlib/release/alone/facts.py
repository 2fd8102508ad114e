"""The columns that leave as facts that somebody may know: of each row the label, its level, and its true value there.

Where a column is recoded part by part its labels are of several levels, and a coarse one is fulfilled by all that it
covers. Who has the whole file sees more: beside a record with a coarse label stand finer parts that others were parted
off into, and these are not in the record's own region.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.counting.classes.coding import group
from anonlib.counting.privacy_models import Coded, CodedPersons
from anonlib.reading.records.names import unused_name
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Step, Way

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
        return [way.labels for way in self.step.levels(self.column, [Way("", values)])]


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
                    f"{name} before", [*released.held.columns, *(each.beside for each in levels.values())]
                )
                released = released.with_columns_of(before, {name: beside})
                levels[name] = _Levels(step, name, beside)
    coded = released.coded([*columns, *(each.beside for each in levels.values())])
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
        found = other != part
        for j in columns:
            at, fine = self.level[j][part], self.level[j][other]
            found &= (fine >= 0) & (fine <= at) & (self.codes[j][at, other] == self.codes[j][at, part])
        return found


def _in_chunks(sizes: np.ndarray) -> Iterator[slice]:
    """Slices of so many sizes that add up to a chunk or are one, without those of families of one."""
    if not len(sizes) or int(sizes.max()) < 2:
        return
    chunk = sizes.cumsum() // _AT_ONCE
    ends = np.flatnonzero(np.diff(chunk, append=-1)) + 1
    for begin, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True):
        yield slice(begin, end)

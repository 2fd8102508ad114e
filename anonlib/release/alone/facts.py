"""The columns that leave as facts that somebody may know: of each row the label, its level, and its true value there.

Where a column is recoded part by part its labels are of several levels, and a coarse one is fulfilled by all that it
covers. Who has the whole file sees more: beside a record with a coarse label stand finer parts that others were parted
off into, and these are not in the record's own region.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.classes.coding import group
from anonlib.counting.guarantees import Coded, CodedPersons
from anonlib.reading.records.names import unused_name
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.release.steps import GeneralizeLocally

MISSING = -1
"""For the level of a label that is missing, which is no condition."""


@dataclass(frozen=True, eq=False)
class Fact:
    """A column that leaves, as a condition.

    Attributes
    ----------
    label : intp, a row each: the label that leaves; ``span`` is above all of them.
    codes, spans : a level each: intp, of each row the label of its true value on the level, and what that is below.
    level : intp, a row each: the level of its label, or :data:`MISSING`.
    of_parts : whether it is recoded part by part.
    """

    label: np.ndarray
    span: int
    codes: tuple[np.ndarray, ...]
    spans: tuple[int, ...]
    level: np.ndarray
    of_parts: bool


@dataclass(frozen=True, eq=False)
class _Levels:
    """The levels that a column is recoded to part by part, and the column with what its cells were before."""

    hierarchy: Hierarchy
    beside: str

    def labels_of(self, values: np.ndarray) -> list[np.ndarray]:
        """By level the label of each value; missing is a value."""
        levels = self.hierarchy.on(values, self.beside)
        return [levels.label(level) for level in range(levels.n_levels)]


def facts_of(applied: Applied, recipe: Recipe, columns: Sequence[str]) -> tuple[Coded, list[Fact]]:
    """Those who are released, and of each of their rows what somebody may know."""
    released, levels = applied.released, dict[str, _Levels]()
    steps = recipe.enabled
    for i, step in enumerate(steps):
        later = {name for other in steps[i + 1 :] for name in other.recodes}
        if not isinstance(step, GeneralizeLocally) or applied.problems:
            continue
        before = Recipe.of(steps[:i]).leaves(applied.original)
        for name, hierarchy in step.hierarchies:
            if name in columns and name not in later:  # else equal labels are counted alone, which is never too few
                beside = unused_name(
                    f"{name} before", [*released.held.columns, *(each.beside for each in levels.values())]
                )
                released = released.with_columns_of(before, {name: beside})
                levels[name] = _Levels(hierarchy, beside)
    coded = released.coded([*columns, *(each.beside for each in levels.values())])
    return coded, [_fact(coded, name, levels.get(name)) for name in columns]


def _fact(coded: Coded, name: str, levels: _Levels | None) -> Fact:
    """A column of each row of a person, or of each record."""
    rows, place = (coded.rows, coded.row) if isinstance(coded, CodedPersons) else (coded, slice(None))
    labels, released = rows.labels[name], rows.codes[name][place].astype(np.intp)
    span = max(1, len(labels))
    present = np.array([label is not None for label in labels] or [False], dtype=bool)[released]
    if levels is None:
        return Fact(released, span, (released,), (span,), np.where(present, 0, MISSING), False)
    true, values = rows.codes[levels.beside][place], rows.labels[levels.beside]
    code = {label: i for i, label in enumerate(labels)}
    level, codes, spans = np.full(len(released), MISSING, dtype=np.intp), list[np.ndarray](), list[int]()
    for i, of_value in enumerate(levels.labels_of(values)):
        at_level = np.array([code.get(label, MISSING) for label in of_value], dtype=np.intp)
        number = {label: n for n, label in enumerate(dict.fromkeys(of_value.tolist()))}
        codes.append(np.array([number[label] for label in of_value], dtype=np.intp)[true])
        spans.append(max(1, len(number)))
        level[present & (at_level[true] == released) & (level < 0)] = i
    return Fact(released, span, tuple(codes), tuple(spans), level, True)


# ---- parts ----


@dataclass(frozen=True, eq=False)
class Finer:
    """By part the finer parts that others were parted off into along some columns alone.

    Attributes
    ----------
    first : int64, parts + 1: where those of each part begin.
    level, code : intp, finer parts x columns: the level of its label, and the label's code there.
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
        self.codes = {j: [at_level[rows] for at_level in facts[j].codes] for j in self.columns}
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
        ends = np.append(begins[1:], self.n)
        finer = dict[int, list[int]]()
        for begin, end in zip(begins[ends - begins > 1], ends[ends - begins > 1], strict=True):
            family = order[begin:end].tolist()
            for part in family:
                if within := [other for other in family if other != part and self._is_finer(other, part, columns)]:
                    finer[part] = within
        if not finer:
            return None
        n_finer = np.zeros(self.n + 1, dtype=np.int64)
        n_finer[np.array(list(finer)) + 1] = [len(within) for within in finer.values()]
        flat = np.array([other for part in sorted(finer) for other in finer[part]], dtype=np.intp)
        level = np.column_stack([self.level[j][flat] for j in columns])
        code = np.column_stack(
            [
                np.array([self.codes[j][at][part] for at, part in zip(self.level[j][flat], flat, strict=True)])
                for j in columns
            ]
        )
        return Finer(n_finer.cumsum(), level, code)

    def _is_finer(self, other: int, part: int, columns: tuple[int, ...]) -> bool:
        """Whether each value that another part's labels cover is covered by a part's in these columns."""
        for j in columns:
            at, mine = self.level[j][part], self.level[j][other]
            if at < 0 or mine < 0 or mine > at or self.codes[j][at][other] != self.codes[j][at][part]:
                return False
        return True

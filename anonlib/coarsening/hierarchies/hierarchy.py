"""A value hierarchy: what each value of a column is released as, level by level.

The hierarchy comes first, then its labels for the values in a class table. At the end labels of a hierarchy are changed
by hand, so that it stays nested whatever is changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Recoding, ValueMap, label_of_missing, named, untouched
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.rows_of_persons import ValueSet, bar_between
from anonlib.reading.records.layout import NO_CELL

TOP = "*"
"""The label of the level at which all values are one, as in the ARX format."""
EVERYTHING = ValueMap((), otherwise=TOP, missing=TOP)
"""The recoding of that level: every value, and missing ones, to the same label."""


@dataclass(frozen=True)
class Hierarchy:
    """Ways to recode one column, each at least as coarse as the one before.

    Level 0 is the value as it is. A hierarchy says how, and not of which values: :meth:`on` gives its labels for the
    values of a column, and there refuses what does not fit.

    Attributes
    ----------
    recodings : tuple[Recoding, ...], default ()
        ``recodings[i]`` makes level i + 1.
    called : tuple[str, ...], default ()
        ``called[i]`` is what level i + 1 is called where its recoding says too little; it is not part of what the
        hierarchy is.
    """

    recodings: tuple[Recoding, ...] = ()
    called: tuple[str, ...] = field(default=(), compare=False)

    @property
    def n_levels(self) -> int:
        """Levels, the original one included: at least 1."""
        return len(self.recodings) + 1

    @property
    def has_top(self) -> bool:
        """Whether the last level is one label for everything, so that the column then says nothing."""
        last = self.recodings[-1] if self.recodings else None
        return isinstance(last, ValueMap) and not last.labels_of and last.otherwise == last.missing is not None

    @property
    def n_named(self) -> int:
        """How many values its levels name, on each level counted again."""
        return sum(named(recoding) for recoding in self.recodings)

    @property
    def as_saved(self) -> Hierarchy:
        """The hierarchy as it is read again: without what its levels are called."""
        return replace(self, called=())

    def with_top(self) -> Hierarchy:
        """The hierarchy with a last level where all values are one."""
        return self if self.has_top else Hierarchy((*self.recodings, EVERYTHING), self.called)

    @cached_property
    def key(self) -> str:
        """Names the hierarchy: the same key, the same labels."""
        return hashlib.sha256(repr(self.recodings).encode(errors="surrogatepass")).hexdigest()

    def describe(self, level: int) -> str:
        """A level in words: ``as it is``, ``intervals of 5``, ``first 4 characters kept``, ``removed``.

        Parameters
        ----------
        level : int
            Counted from 0.

        Returns
        -------
        str
        """
        if level == 0:
            return "as it is"
        if self.has_top and level == self.n_levels - 1:
            return "removed"
        if level <= len(self.called):
            return self.called[level - 1]
        recoding = self.recodings[level - 1]
        if isinstance(recoding, ValueMap) and recoding.otherwise is None:
            labels = {label for _, label in recoding.labels_of} | {recoding.missing}
            return f"grouped into {len(labels - {None})}"
        return recoding.describe()

    def on(self, values: Iterable[str | None], column: str = "") -> Levels:
        """The labels of the values of a column, checked.

        Parameters
        ----------
        values : Iterable[str | None]
            Distinct values (None = missing).
        column : str, default ""
            Its name, for sentences.

        Returns
        -------
        Levels

        Raises
        ------
        InputError
            For a value that a level does not cover, or that parts from the others of its group on a higher level
            (levels must be nested). It says where the value stands without quoting it.
        """
        given = tuple(values)
        before = self.__dict__.get("_latest")  # searches ask for the same column again and again
        if before is not None and before[0] == given:
            return before[1]
        leaves = np.array([*given, None], dtype=object)[:-1]
        sets = [i for i, value in enumerate(leaves) if isinstance(value, ValueSet)]
        singles = dict.fromkeys(value for value in leaves if value is not None and not isinstance(value, ValueSet))
        singles |= dict.fromkeys(member for i in sets for member in leaves[i].members)
        has_no_cells = singles.pop(NO_CELL, "") is None
        texts = np.array([*singles, None], dtype=object)[:-1]
        labels = [leaves]
        for level, recoding in enumerate(self.recodings, start=1):
            if isinstance(recoding, ValueMap):
                _refuse_uncovered(recoding, texts, level, column)
            cleaned = [None if label is None or not label.strip() else label for label in recoding.labels(texts)]
            label_of = dict(zip(texts, cleaned, strict=True)) | {None: label_of_missing(recoding)}
            label_of |= {NO_CELL: NO_CELL} if has_no_cells else {}
            label_of |= _labels_of_sets([leaves[i] for i in sets], label_of)
            labels.append(np.array([*(label_of[value] for value in leaves), None], dtype=object)[:-1])
        levels = Levels.of(labels, column)
        self.__dict__["_latest"] = given, levels
        return levels


def _labels_of_sets(sets: list[ValueSet], label_of: dict[str, Any]) -> dict[ValueSet, str | None]:
    """The set of its values' labels, for each set: who knows a person knows the labels of all their rows."""
    if not sets:
        return {}
    place = {label: i for i, label in enumerate(dict.fromkeys(label_of.values()))}
    bar = bar_between(label for label in place if label is not None)
    labels: dict[ValueSet, str | None] = {}
    for value in sets:
        members = sorted({label_of[member] for member in value.members} - {None}, key=place.__getitem__)
        labels[value] = ValueSet.of(members, bar) if len(members) > 1 else members[0] if members else None
    return labels


@dataclass(frozen=True, eq=False)
class Levels:
    """A hierarchy's labels of the values of one column.

    Attributes
    ----------
    labels : tuple[np.ndarray, ...]
        Per level, the distinct labels of its groups (object array, None = missing).
    group : tuple[np.ndarray, ...]
        Per level, intp: per value, the position of its label in ``labels``. At level 0 it is the value's own.
    """

    labels: tuple[np.ndarray, ...]
    group: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, labels: Iterable[np.ndarray], column: str = "") -> Levels:
        """Levels from their labels.

        Parameters
        ----------
        labels : Iterable[np.ndarray]
            One array a level, each as long as the values.
        column : str, default ""
            Its name, for sentences.

        Returns
        -------
        Levels

        Raises
        ------
        InputError
            If they are not nested.
        """
        distinct: list[np.ndarray] = []
        groups: list[np.ndarray] = []
        given = list(labels)
        for level, at_level in enumerate(given):
            index: dict[str | None, int] = {}
            group = np.fromiter((index.setdefault(label, len(index)) for label in at_level), np.intp, len(at_level))
            if level:
                _refuse_not_nested(groups[-1], group, column, level)
            distinct.append(np.array([*index, None], dtype=object)[:-1])
            groups.append(group)
        return cls(tuple(distinct), tuple(groups))

    @property
    def n_levels(self) -> int:
        """Levels, the values themselves included."""
        return len(self.labels)

    @property
    def n_values(self) -> int:
        """Distinct values of the column."""
        return len(self.group[0])

    @cached_property
    def leaves(self) -> tuple[np.ndarray, ...]:
        """Per level, int64: per value, the number of values in its group."""
        return tuple(np.bincount(group)[group] if len(group) else group for group in self.group)

    def label(self, level: int) -> np.ndarray:
        """The label that each value has on a level.

        Parameters
        ----------
        level : int
            Counted from 0.

        Returns
        -------
        object array, one item a value
        """
        return self.labels[level][self.group[level]]

    def loss(self, level: int) -> np.ndarray:
        """The share of a column's detail that each value loses on a level.

        Parameters
        ----------
        level : int
            Counted from 0.

        Returns
        -------
        float64 array, one item a value
            (values in its group - 1) / (values - 1): 0 for a value that stays alone, 1 if all values are one. 0 for a
            column of one value.

        References
        ----------
        Iyengar 2002, the loss metric LM; the normalized certainty penalty of categorical attributes.
        """
        return (self.leaves[level] - 1) / max(1, self.n_values - 1)


def _refuse_uncovered(recoding: ValueMap, texts: np.ndarray, level: int, column: str) -> None:
    uncovered = np.flatnonzero(untouched(recoding, texts))
    if uncovered.size:
        # Not which: a cell may be a name. Its place among the sorted values says where to look.
        values = words.count(uncovered.size, "values")
        raise InputError(
            f"The hierarchy{_of(column)} does not cover {values} of {len(texts):,} on level {level}; the first is "
            f"number {uncovered[0] + 1:,} in the column’s order. Give every value a label on each level.",
            code="hierarchy-does-not-cover",
        )


def _refuse_not_nested(finer: np.ndarray, coarser: np.ndarray, column: str, level: int) -> None:
    """Each group of the finer level must be inside one group of the coarser."""
    first = np.full(finer.max(initial=-1) + 1, -1, dtype=np.intp)
    first[finer[::-1]] = coarser[::-1]
    parted = np.flatnonzero(first[finer] != coarser)
    if parted.size:
        position = parted[0]
        other = np.flatnonzero(finer == finer[position])[0]
        together = f"share a label on level {level - 1}" if level > 1 else "are one value"
        raise InputError(
            f"The hierarchy{_of(column)} is not nested: the values number {other + 1:,} and {position + 1:,} in the "
            f"column’s order {together} but part again on level {level}. Give them one label there.",
            code="levels-not-nested",
        )


def _of(column: str) -> str:
    return f" of “{column}”" if column else ""


def levels_of(classes: ClassTable, hierarchies: Mapping[str, Hierarchy]) -> dict[str, Levels]:
    """The labels of every hierarchy for the values in a class table.

    Parameters
    ----------
    classes : ClassTable
        A table that has the attributes.
    hierarchies : Mapping[str, Hierarchy]
        By attribute.

    Returns
    -------
    dict of Levels by attribute

    Raises
    ------
    InputError
        As :meth:`Hierarchy.on`.
    """
    for name in hierarchies:
        if name not in classes.attributes:
            raise InputError(
                f"There is a hierarchy for “{name}”, but no column of that name among those counted.",
                code="column-unknown",
                column=name,
            )
    return {
        name: hierarchies[name].on(classes.categories[j], name)
        for j, name in enumerate(classes.attributes)
        if name in hierarchies
    }


def generalized(classes: ClassTable, hierarchies: Mapping[str, Hierarchy], levels: Mapping[str, int]) -> ClassTable:
    """The class table with each named attribute recoded to a level.

    Parameters
    ----------
    classes : ClassTable
        The attributes as they are, those to be recoded and others.
    hierarchies : Mapping[str, Hierarchy]
        By attribute, the one that the level is of.
    levels : Mapping[str, int]
        Level of each attribute that is recoded; 0 leaves its values as they are.

    Returns
    -------
    ClassTable
        Classes that become equal are one.

    Raises
    ------
    InputError
        For a level that the hierarchy does not have.
    """
    by_name = levels_of(classes, hierarchies)
    recoded = {}
    for name, level in levels.items():
        if name not in by_name:
            raise InputError(f"There is no hierarchy for “{name}”.", code="hierarchy-missing", column=name)
        if not 0 <= level < by_name[name].n_levels:
            raise InputError(
                f"The hierarchy of “{name}” has levels 0 to {by_name[name].n_levels - 1}, not {level}.",
                code="level-unknown",
                column=name,
            )
        recoded[name] = by_name[name].label(level)
    return classes.recode(recoded)


Label = str | None


def relabelled(levels: Sequence[Sequence[Label]], changes: Mapping[tuple[int, int], Label]) -> list[list[Label]]:
    """Change labels of a hierarchy so that it stays nested.

    Values that are one on the level below change together. Those that join a group on a level belong to that group on
    every higher level too; otherwise higher levels change with them if they only carried the old label on. Finer levels
    are changed first.

    Parameters
    ----------
    levels : Sequence[Sequence[Label]]
        ``levels[i]`` are the labels of level i + 1, nested.
    changes : Mapping[tuple[int, int], Label]
        Position of a value and level (from 1) -> its new label.

    Returns
    -------
    list of lists
        The labels of each level after the changes.
    """
    changed = [list(level) for level in levels]
    for (value, level), label in sorted(changes.items(), key=lambda change: change[0][::-1]):
        _change(changed, value, level, label if label is not None and label.strip() else None)
    return changed


def _change(changed: list[list[Label]], value: int, level: int, label: Label) -> None:
    labels = changed[level - 1]
    below = changed[level - 2] if level > 1 else range(len(labels))
    members = [i for i, group in enumerate(below) if group == below[value]]
    joined = next((i for i, other in enumerate(labels) if other == label and i not in members), None)
    before = labels[value]
    for i in members:
        labels[i] = label
        if joined is not None:
            for higher in changed[level:]:
                higher[i] = higher[joined]
    if joined is None and level < len(changed):
        carried = [i for i, other in enumerate(changed[level]) if other == before]
        if before is not None and carried == members:
            _change(changed, value, level + 1, label)

"""What a search counts again and again: codes of every column on every level, and who violates by what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from anonlib.coarsening.hierarchies import Levels
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import sum_by
from anonlib.counting.guarantees import CodedRows
from anonlib.counting.guarantees.coded import Groups, in_text_order


class Codes:
    """The codes of every column on every level, in the order of the values."""

    def __init__(self, classes: ClassTable, levels: Mapping[str, Levels]) -> None:
        self.classes, self.levels = classes, levels
        self._of: dict[tuple[str, int], tuple[np.ndarray, np.ndarray]] = {}
        self._ranks: dict[tuple[str, int], np.ndarray] = {}

    def values(self, name: str) -> np.ndarray:
        """Per row, the position of its value in the table's categories."""
        return self.classes.codes[:, self.classes.attributes.index(name)]

    def records(self, name: str) -> np.ndarray:
        """int64, records of each value of a column."""
        values = self.classes.categories[self.classes.attributes.index(name)]
        return sum_by(self.values(name), len(values), self.classes.counts)

    def at(self, name: str, level: int) -> tuple[np.ndarray, np.ndarray]:
        """intp per row its code on a level, and the label of each code."""
        if (name, level) not in self._of:
            if name in self.levels:
                labels, of_value = self.levels[name].labels[level], self.levels[name].group[level]
            else:
                labels = self.classes.categories[self.classes.attributes.index(name)]
                of_value = np.arange(len(labels))
            self._of[name, level] = of_value.astype(np.intp)[self.values(name)], labels
        return self._of[name, level]

    def in_text_order(self, name: str, level: int) -> np.ndarray:
        """intp per row, the place of its label on a level in the order of their text."""
        if (name, level) not in self._ranks:
            self._ranks[name, level] = in_text_order(self.at(name, level)[1])
        return self._ranks[name, level][self.at(name, level)[0]]

    def rows(self, names: Sequence[str], levels: Mapping[str, int]) -> CodedRows:
        """All rows with some of the columns at their levels."""
        found = {name: self.at(name, levels.get(name, 0)) for name in names}
        codes = {name: codes for name, (codes, _) in found.items()}
        return CodedRows(codes, {name: labels for name, (_, labels) in found.items()}, self.classes.counts)

    def groups(self, names: Sequence[str], levels: Mapping[str, int]) -> Groups:
        """The groups of some columns at their levels."""
        return self.rows(names, levels).groups(names)

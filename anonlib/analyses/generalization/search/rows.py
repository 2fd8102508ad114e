"""Distinct rows of codes with their records: what a search counts on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from anonlib.coarsening.hierarchies import Levels
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import LIMIT, tally, tally_keys
from anonlib.counting.guarantees import CodedRows
from anonlib.counting.guarantees.coded import in_text_order

Node = tuple[int, ...]
"""The level of each attribute that can be generalized, in the class table's order."""
_PACKED_FROM = 4  # attributes; a search groups by many small sets of them, each seldom


class Ladders:
    """The attributes that can be generalized, and the way from one level of theirs to another."""

    def __init__(self, levels: dict[str, Levels]) -> None:
        self.names = tuple(levels)
        self.levels = list(levels.values())
        self._up: dict[tuple[int, int, int], np.ndarray] = {}

    def up(self, j: int, low: int, high: int) -> np.ndarray:
        """Per group of attribute j on a level, the group it is in on a higher one."""
        key = (j, low, high)
        if key not in self._up:
            levels = self.levels[j]
            self._up[key] = np.zeros(len(levels.labels[low]), dtype=np.intp)
            self._up[key][levels.group[low]] = levels.group[high]
        return self._up[key]

    def span(self, j: int, level: int) -> int:
        return len(self.levels[j].labels[level])


@dataclass(frozen=True, eq=False)
class LeveledRows:
    """Distinct rows of codes with their records, of which every column can be had on every level.

    Attributes
    ----------
    ladders : Ladders
        The attributes that can be generalized.
    columns : list[np.ndarray]
        An array of codes an attribute that can be generalized, at its lowest level.
    others, labels : dict[str, np.ndarray]
        By name, the codes of an attribute that cannot, and its values in the order of these codes.
    counts : np.ndarray
        int64, records of each row.
    """

    ladders: Ladders
    columns: list[np.ndarray]
    others: dict[str, np.ndarray]
    labels: dict[str, np.ndarray]
    counts: np.ndarray
    # Groups of the state looked at last, by their attributes; blocks of attributes, by the attributes grouped by; codes
    # and places of labels as text, by name and level.
    _last: dict[Any, Any] = field(default_factory=dict, repr=False)
    _packed: dict[tuple[str, ...], Any] = field(default_factory=dict, repr=False)
    _at_levels: dict[tuple[str, int], np.ndarray] = field(default_factory=dict, repr=False)
    _ranks: dict[tuple[str, int], np.ndarray] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, classes: ClassTable, ladders: Ladders) -> LeveledRows:
        codes = {name: classes.codes[:, j].astype(np.intp) for j, name in enumerate(classes.attributes)}
        labels = dict(zip(classes.attributes, classes.categories, strict=True))
        columns = [codes.pop(name) for name in ladders.names]
        return cls(ladders, columns, codes, labels, classes.counts)

    def codes_at(self, name: str, level: int) -> np.ndarray:
        """intp, per row the code of an attribute on a level, which is remembered."""
        if name in self.others:
            return self.others[name]
        if (name, level) not in self._at_levels:
            j = self.ladders.names.index(name)
            self._at_levels[name, level] = self.ladders.up(j, 0, level)[self.columns[j]] if level else self.columns[j]
        return self._at_levels[name, level]

    def labels_at(self, name: str, level: int) -> np.ndarray:
        """The label of each code of an attribute on a level (object array, None = missing)."""
        if name in self.others:
            return self.labels[name]
        return self.ladders.levels[self.ladders.names.index(name)].labels[level]

    def in_text_order(self, name: str, level: int) -> np.ndarray:
        """intp, per row the place of its label on a level in the order of their text."""
        if (name, level) not in self._ranks:
            self._ranks[name, level] = in_text_order(self.labels_at(name, level))
        return self._ranks[name, level][self.codes_at(name, level)]

    def coded(self, names: Iterable[str], levels: Mapping[str, int]) -> CodedRows:
        """All rows with some attributes at their levels, the lowest where none is named: what guarantees count."""
        at = [(name, levels.get(name, 0)) for name in names]
        codes = {name: self.codes_at(name, level) for name, level in at}
        return CodedRows(codes, {name: self.labels_at(name, level) for name, level in at}, self.counts)

    def grouped(
        self, state: Node, attributes: Iterable[str], counts: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Per row its group by some attributes at a state, and per group its records (0 where there is none).

        ``counts`` are the records of each row, when not all of them are to count.
        """
        names = [name for name in (*self.ladders.names, *self.others) if name in set(attributes)]
        if counts is None:
            if self._last.get("state") != state:
                self._last.clear()
                self._last["state"] = state
            key = tuple(names)
            if key not in self._last:
                self._last[key] = self._tally(state, names, self.counts)
            return self._last[key]
        return self._tally(state, names, counts)

    def _tally(self, state: Node, names: Sequence[str], counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        maps, spans = [], []  # per attribute, what its codes become, and their number
        for name in names:
            if name in self.others:
                spans.append(len(self.labels[name]))
                maps.append(np.arange(len(self.labels[name])))
            else:
                j = self.ladders.names.index(name)
                spans.append(self.ladders.span(j, state[j]))
                maps.append(self.ladders.up(j, 0, state[j]))
        if len(names) < _PACKED_FROM or prod(spans) > LIMIT:
            return tally([to[self._codes(name)] for name, to in zip(names, maps, strict=True)], spans, counts)
        # The codes of a block are looked up at once, in a table of what each combination becomes.
        key, span = np.zeros(len(counts), dtype=np.intp), 1
        for members, joint in self._blocks(names):
            table = np.zeros(1, dtype=np.intp)
            for i in members:
                table = np.add.outer(table, maps[i] * span).ravel()
                span *= spans[i]
            key += table[joint]
        return tally_keys(key, span, counts)

    def _blocks(self, names: Sequence[str]) -> list[tuple[list[int], np.ndarray]]:
        """Places of attributes that few combinations are possible of, and per row its combination."""
        if (key := tuple(names)) not in self._packed:
            blocks: list[tuple[list[int], np.ndarray]] = []
            size, most = 1, max(64, len(self.counts) // 8)
            for i, name in enumerate(names):
                codes, span = self._codes(name), self._span(name)
                if not blocks or size * span > most:
                    blocks.append(([i], codes))
                    size = span
                else:
                    members, joint = blocks[-1]
                    blocks[-1] = ([*members, i], joint * span + codes)
                    size *= span
            self._packed[key] = blocks
        return self._packed[key]

    def _codes(self, name: str) -> np.ndarray:
        return self.others[name] if name in self.others else self.columns[self.ladders.names.index(name)]

    def _span(self, name: str) -> int:
        if name in self.others:
            return len(self.labels[name])
        j = self.ladders.names.index(name)
        return self.ladders.span(j, 0)

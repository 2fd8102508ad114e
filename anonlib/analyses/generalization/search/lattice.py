"""A class table and the levels that its columns may have: the nodes among which every search looks.

First the distinct rows of a table, of which every column can be had on every level; the rows that a search looks at
where some columns are decided; and the lattice made of both. Then the objectives of searches: losses that add up over
cells, or figures counted of the whole table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any, Literal, get_args

import numpy as np

from anonlib.coarsening.hierarchies import Hierarchy, Levels, levels_of
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import LIMIT, sum_by, tally, tally_keys
from anonlib.counting.privacy_models import CodedRows, PrivacyModel
from anonlib.counting.privacy_models.coded import Groups, in_text_order
from anonlib.counting.privacy_models.models import sensitive_of
from anonlib.counting.privacy_models.violations import violating_in

# ---- rows on levels ----

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
    # Groups of the node looked at last, by their attributes; blocks of attributes, by the attributes grouped by; codes
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
        self, node: Node, attributes: Iterable[str], counts: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Per row its group by some attributes at a node, and per group its records (0 where there is none).

        ``counts`` are the records of each row, when not all of them are to count.
        """
        names = [name for name in (*self.ladders.names, *self.others) if name in set(attributes)]
        if counts is None:
            if self._last.get("state") != node:
                self._last.clear()
                self._last["state"] = node
            key = tuple(names)
            if key not in self._last:
                self._last[key] = self._tally(node, names, self.counts)
            return self._last[key]
        return self._tally(node, names, counts)

    def _tally(self, node: Node, names: Sequence[str], counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        maps, spans = [], []  # per attribute, what its codes become, and their number
        for name in names:
            if name in self.others:
                spans.append(len(self.labels[name]))
                maps.append(np.arange(len(self.labels[name])))
            else:
                j = self.ladders.names.index(name)
                spans.append(self.ladders.span(j, node[j]))
                maps.append(self.ladders.up(j, 0, node[j]))
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


# ---- some columns decided ----


@dataclass(frozen=True, eq=False)
class DecidedRows:
    """Rows of a table of which some columns are at their levels and the others as they are.

    Attributes
    ----------
    rows : LeveledRows
        The table's.
    first : np.ndarray | slice
        Intp, per row here a row of the table that is like it in all columns decided; a slice: all rows.
    counts : np.ndarray
        int64, records of each.
    codes : Mapping[str, np.ndarray]
        By column, intp, a row each, at its level.
    levels : Mapping[str, int]
        Of the columns that can be coarsened, by name: decided, or the lowest that may be.
    groups : Mapping[tuple[str, ...], Groups]
        By sets of columns of guarantees, the groups of those of them that are decided.
    can_be_merged : bool, default True
        Whether equal rows can be one; not of persons, who are more than a row.
    """

    rows: LeveledRows
    first: np.ndarray | slice
    counts: np.ndarray
    codes: Mapping[str, np.ndarray]
    levels: Mapping[str, int]
    groups: Mapping[tuple[str, ...], Groups]
    can_be_merged: bool = True

    @classmethod
    def of(cls, rows: LeveledRows, sets: Sequence[tuple[str, ...]], lowest: Mapping[str, int]) -> DecidedRows:
        """All rows at the lowest levels, with the groups of the columns of sets that have no levels to decide."""
        codes = {name: rows.codes_at(name, lowest.get(name, 0)) for name in (*rows.ladders.names, *rows.others)}
        start = {
            columns: rows.coded(columns, {}).groups([name for name in columns if name in rows.others])
            for columns in dict.fromkeys(sets)
        }
        part = cls(rows, slice(None), rows.counts, codes, lowest, start)
        return part.merged()[0] if any(lowest.values()) else part

    def span(self, name: str) -> int:
        """The codes of a column are below it."""
        return max(1, len(self.rows.labels_at(name, self.levels.get(name, 0))))

    def with_level(self, name: str, level: int) -> DecidedRows:
        """The same rows with one column more decided."""
        levels, codes = {**self.levels, name: level}, self.codes
        if not self.can_be_merged:
            return replace(self, levels=levels)
        if level > self.levels[name]:
            up = self.rows.ladders.up(self.rows.ladders.names.index(name), self.levels[name], level)
            codes = {**codes, name: up[codes[name]]}
        decided = replace(self, codes=codes, levels=levels)
        groups = dict(self.groups)
        for columns, (ids, sizes) in self.groups.items():
            if name in columns:
                groups[columns] = tally([ids, codes[name]], [len(sizes), decided.span(name)], self.counts)
        return replace(decided, groups=groups)

    def violating(self, guarantee: PrivacyModel, columns: tuple[str, ...]) -> np.ndarray:
        """bool per row: it violates a guarantee by those of these columns that are decided."""
        sensitive = sensitive_of(guarantee)
        codes, labels = {}, {}
        if sensitive is not None:
            codes[sensitive] = self.codes[sensitive]
            labels[sensitive] = self.rows.labels_at(sensitive, self.levels.get(sensitive, 0))
        return violating_in(CodedRows(codes, labels, self.counts), guarantee, self.groups[columns])

    def merged(self) -> tuple[DecidedRows, np.ndarray]:
        """The part with equal rows as one, and per row of it the first of those."""
        ids, sizes = self._tally(list(self.codes), self.counts)
        first = np.full(len(sizes), -1, dtype=np.intp)
        first[ids[::-1]] = np.arange(len(ids) - 1, -1, -1)
        occurs = np.flatnonzero(first >= 0)
        first = first[occurs]
        groups = {columns: (of_row[first], sizes_of) for columns, (of_row, sizes_of) in self.groups.items()}
        codes = {name: column[first] for name, column in self.codes.items()}
        place = first if isinstance(self.first, slice) else self.first[first]
        return replace(self, first=place, counts=sizes[occurs], codes=codes, groups=groups), first

    def sizes(self, names: Sequence[str], left: np.ndarray) -> np.ndarray:
        """int64, the records left, so many of each row, of each combination of some columns."""
        return self._tally(names, left)[1]

    def _tally(self, names: Sequence[str], counts: np.ndarray) -> Groups:
        return tally([self.codes[name] for name in names], [self.span(name) for name in names], counts)


# ---- the lattice ----


class Lattice:
    """What every problem of generalization is made of: a node is a level for each column that has a hierarchy.

    Attributes
    ----------
    classes : ClassTable
        The table of the records.
    hierarchies : Mapping[str, Hierarchy]
        By column that can be coarsened, in the table's order.
    rows : LeveledRows
        The table's rows, as codes on every level.
    highest : Node
        The highest level that each of these columns may have.
    n_records : records of the table.
    """

    def __init__(self, classes: ClassTable, hierarchies: Mapping[str, Hierarchy], like: Lattice | None = None) -> None:
        """A lattice ``like`` this one, of the same table and hierarchies, lends its rows: so many problems of a large
        table take the memory of one."""
        self.classes, self.n_records = classes, classes.n_records
        self.hierarchies = {name: hierarchies[name] for name in classes.attributes if name in hierarchies}
        if like is not None and like.classes is classes and like.hierarchies == self.hierarchies:
            self.rows: LeveledRows = like.rows
        else:
            self.rows = LeveledRows.of(classes, Ladders(levels_of(classes, self.hierarchies)))
        self.highest: Node = tuple(levels.n_levels - 1 for levels in self.ladders.levels)

    @property
    def ladders(self) -> Ladders:
        """The columns that can be coarsened, and the way from one level of theirs to another."""
        return self.rows.ladders

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that can be coarsened, in the table's order."""
        return self.ladders.names

    @cached_property
    def levels(self) -> dict[str, Levels]:
        """By such a column, its labels on each level."""
        return dict(zip(self.columns, self.ladders.levels, strict=True))

    @property
    def n_nodes(self) -> int:
        """Combinations of levels there are."""
        return prod(level + 1 for level in self.highest)

    @property
    def bottom(self) -> Node:
        """The node in which every value is as it is."""
        return tuple(0 for _ in self.highest)


# ---- objectives ----

CellObjective = Literal["cell_loss", "entropy"]
"""Objectives that add up over the columns and records; weights count in them."""
TableObjective = Literal["rows", "classes", "discernibility"]
"""Objectives that are counted of a table: its distinct rows, its distinct combinations of known columns, or the sum of
squared sizes of these with the number of all records for each one left out (Bayardo and Agrawal 2005)."""
Objective = Literal["rows", "cell_loss", "classes", "entropy", "discernibility"]
DIGITS = 12  # sums of floats differ in the digits after these, in whatever order they are added


class Losses:
    """A loss of every column, level and value.

    ``cell_loss``: (values in the group - 1) / (values - 1) of each cell, averaged over the cells (Iyengar 2002).
    ``entropy``: log2(records of the group / records with the value) of each cell, summed and divided by the sum when
    everything is one group (non-uniform entropy, de Waal and Willenborg 1999). A record left out loses all.

    ``weights``, one a column that can be coarsened and 0 or more, say how much a cell's loss counts, and what there is
    to lose with it (the weighted certainty penalty of Xu et al. 2006).

    Attributes
    ----------
    most : what there is to lose in all cells of these columns, in cells or bits.
    """

    def __init__(self, rows: LeveledRows, kind: CellObjective, weights: Sequence[float]) -> None:
        self.kind, self.levels, self.weights = kind, rows.ladders.levels, tuple(weights)
        self.n_records = int(rows.counts.sum())
        self._records = [
            sum_by(column, levels.n_values, rows.counts)
            for column, levels in zip(rows.columns, self.levels, strict=True)
        ]
        self.most = sum(float((self._records[j] * self.of_left_out(j)).sum()) for j in range(len(self.levels)))

    def of_left_out(self, j: int) -> np.ndarray:
        """Per value of column j, what one record loses that is left out."""
        records = self._records[j]
        if self.kind == "cell_loss":
            return np.full(len(records), self.weights[j])
        return self.weights[j] * np.log2(max(1, self.n_records) / np.maximum(1, records))

    def of_values(self, j: int, level: int) -> np.ndarray:
        """Per value of column j, what one record loses on a level."""
        levels, records = self.levels[j], self._records[j]
        if self.kind == "cell_loss":
            return self.weights[j] * levels.loss(level)
        of_group = sum_by(levels.group[level], len(levels.labels[level]), records)
        return self.weights[j] * np.log2(of_group[levels.group[level]] / np.maximum(1, records))

    def of_level(self, j: int, level: int) -> float:
        """What all records lose on a level of column j, in cells or bits."""
        return float((self._records[j] * self.of_values(j, level)).sum())

    def of_cells(self, rows: LeveledRows, cell_levels: np.ndarray, kept: np.ndarray) -> float:
        """The share lost when every row has levels of its own (rows x columns), on rows that are as in the original."""
        total = 0.0
        for j, (levels, values) in enumerate(zip(self.levels, rows.columns, strict=True)):
            per_level = np.array([self.of_values(j, level) for level in range(levels.n_levels)])
            lost = np.where(kept, per_level[cell_levels[:, j], values], self.of_left_out(j)[values])
            total += float((rows.counts * lost).sum())
        return round(total / self.most, DIGITS) if self.most else 0.0


def is_of_cells(objective: Objective) -> bool:
    """Whether an objective adds up over cells; else it is counted of the table."""
    return objective in get_args(CellObjective)


def loss_of_classes(objective: TableObjective, sizes: np.ndarray, n_records: int) -> float:
    """What an objective that is counted loses, lower is better: of rows and classes so many fewer than none.

    ``sizes`` are the records left of each combination of its columns (0: none), ``n_records`` those of the original.
    """
    if objective == "discernibility":
        sizes = sizes.astype(float)
        return float((sizes**2).sum()) + float(n_records) * (n_records - float(sizes.sum()))
    return -float(np.count_nonzero(sizes))

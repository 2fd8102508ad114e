"""The rows that a search looks at where some columns are decided: those that are equal for it are one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from anonlib.analyses.generalization.search.rows import LeveledRows
from anonlib.counting.classes.coding import tally
from anonlib.counting.guarantees import CodedRows, PrivacyModel
from anonlib.counting.guarantees.coded import Groups
from anonlib.counting.guarantees.kinds import sensitive_of
from anonlib.counting.guarantees.violating import violating_in


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

    def violating(self, asked: PrivacyModel, columns: tuple[str, ...]) -> np.ndarray:
        """bool per row: it violates a guarantee by those of these columns that are decided."""
        sensitive = sensitive_of(asked)
        codes, labels = {}, {}
        if sensitive is not None:
            codes[sensitive] = self.codes[sensitive]
            labels[sensitive] = self.rows.labels_at(sensitive, self.levels.get(sensitive, 0))
        return violating_in(CodedRows(codes, labels, self.counts), asked, self.groups[columns])

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

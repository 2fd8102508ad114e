"""Losses that add up over attributes and records: cell loss and non-uniform entropy, in [0, 1]."""

from __future__ import annotations

from typing import Literal

import numpy as np

from anonlib.classes.coding import sum_by
from anonlib.generalization.rows import Rows, State

_DIGITS = 12  # sums of floats differ in the digits after these, in whatever order they are added


class Losses:
    """A loss of every attribute, level and value, as a share of what there is to lose.

    ``cell_loss``: (values in the group - 1) / (values - 1) of each cell, averaged over the cells (Iyengar 2002).
    ``entropy``: log2(records of the group / records with the value) of each cell, summed and divided by the sum when
    everything is one group (non-uniform entropy, de Waal and Willenborg 1999). A record left out loses all.
    """

    def __init__(self, rows: Rows, kind: Literal["cell_loss", "entropy"]) -> None:
        self.kind, self.ladders = kind, rows.ladders
        self.n_records = int(rows.counts.sum())
        self._records = [
            sum_by(column, levels.n_values, rows.counts)
            for column, levels in zip(rows.columns, rows.ladders.levels, strict=True)
        ]
        self._logs = float(rows.logs.sum())
        self._totals = [
            np.array([float((records * self.of_values(j, level)).sum()) for level in range(levels.n_levels)])
            for j, (records, levels) in enumerate(zip(self._records, self.ladders.levels, strict=True))
        ]
        m = len(self._records)
        full = m * self.n_records * np.log2(max(1, self.n_records)) - self._logs
        self._most = full if kind == "entropy" else float(m * self.n_records)

    def of_values(self, j: int, level: int) -> np.ndarray:
        """Per value of attribute j, what one record loses on a level."""
        levels = self.ladders.levels[j]
        if self.kind == "cell_loss":
            return levels.loss(level)
        return np.log2(self._in_group(j, level)[levels.group[level]] / np.maximum(1, self._records[j]))

    def _in_group(self, j: int, level: int) -> np.ndarray:
        """Per group of attribute j on a level, its records."""
        levels = self.ladders.levels[j]
        return sum_by(levels.group[level], len(levels.labels[level]), self._records[j])

    def of(self, state: State) -> float:
        """The loss of a state when no record is left out."""
        return self._share(sum(totals[level] for totals, level in zip(self._totals, state, strict=True)))

    def of_every_state(self) -> np.ndarray:
        """The loss of every state, an axis an attribute."""
        total = np.zeros([len(totals) for totals in self._totals])
        for j, totals in enumerate(self._totals):
            total += totals.reshape([-1 if i == j else 1 for i in range(total.ndim)])
        return np.round(total / self._most, _DIGITS) if self._most else total

    def of_kept(self, state: State, rows: Rows, kept: np.ndarray) -> float:
        """The loss at a state when the rows that are not kept (bool, per row) are left out."""
        counts = rows.counts[kept]
        columns = [column[kept] for column in rows.columns_at(state)]
        left_out = self.n_records - int(counts.sum())
        if self.kind == "entropy":  # log2 of the group, less that of the value, which the rows carry
            total = left_out * len(columns) * np.log2(max(1, self.n_records)) - self._logs
            for j, (column, level) in enumerate(zip(columns, state, strict=True)):
                total += float((counts * np.log2(np.maximum(1, self._in_group(j, level)))[column]).sum())
            return self._share(total)
        total = float(left_out * len(columns))
        for j, (column, level) in enumerate(zip(columns, state, strict=True)):
            levels = self.ladders.levels[j]
            of_group = np.zeros(len(levels.labels[level]))
            of_group[levels.group[level]] = levels.loss(level)
            total += float((counts * of_group[column]).sum())
        return self._share(total)

    def of_cells(self, rows: Rows, cell_levels: np.ndarray, kept: np.ndarray) -> float:
        """The loss when every row has levels of its own (rows x attributes), on rows that are as in the original."""
        total = 0.0
        for j, levels in enumerate(self.ladders.levels):
            most = np.ones(levels.n_values)
            if self.kind == "entropy":
                most = np.log2(max(1, self.n_records) / np.maximum(1, self._records[j]))
            per_level = np.array([self.of_values(j, level) for level in range(levels.n_levels)])
            lost = np.where(kept, per_level[cell_levels[:, j], rows.columns[j]], most[rows.columns[j]])
            total += float((rows.counts * lost).sum())
        return self._share(total)

    def _share(self, total: float) -> float:
        return round(float(total / self._most), _DIGITS) if self._most else 0.0

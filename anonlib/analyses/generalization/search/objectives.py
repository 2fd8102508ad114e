"""Losses that add up over attributes and records: cell loss and non-uniform entropy, in [0, 1]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from anonlib.analyses.generalization.search.rows import Rows, State
from anonlib.coarsening.hierarchies import Levels
from anonlib.counting.classes.coding import sum_by

_DIGITS = 12  # sums of floats differ in the digits after these, in whatever order they are added


class Losses:
    """A loss of every attribute, level and value, as a share of what there is to lose.

    ``cell_loss``: (values in the group - 1) / (values - 1) of each cell, averaged over the cells (Iyengar 2002).
    ``entropy``: log2(records of the group / records with the value) of each cell, summed and divided by the sum when
    everything is one group (non-uniform entropy, de Waal and Willenborg 1999). A record left out loses all.

    ``weights``, one an attribute and 0 or more, say how much a cell's loss counts, and what there is to lose with it
    (the weighted certainty penalty of Xu et al. 2006).
    """

    def __init__(self, rows: Rows, kind: Literal["cell_loss", "entropy"], weights: Sequence[float]) -> None:
        self.kind, self.ladders, self.weights = kind, rows.ladders, tuple(weights)
        self.n_records = int(rows.counts.sum())
        self._records = [
            sum_by(column, levels.n_values, rows.counts)
            for column, levels in zip(rows.columns, rows.ladders.levels, strict=True)
        ]
        self._totals = [
            weight * np.array([float((records * self.of_values(j, level)).sum()) for level in range(levels.n_levels)])
            for j, (weight, records, levels) in enumerate(self._attributes())
        ]
        self._most = sum(
            weight * float((records * self.of_left_out(j)).sum())
            for j, (weight, records, _) in enumerate(self._attributes())
        )
        self._logs = sum(
            weight * float((records * np.log2(np.maximum(1, records))).sum())
            for weight, records, _ in self._attributes()
        )

    def _attributes(self) -> Iterable[tuple[float, np.ndarray, Levels]]:
        """Of each attribute its weight, the records of each value and the levels."""
        return zip(self.weights, self._records, self.ladders.levels, strict=True)

    def of_left_out(self, j: int) -> np.ndarray:
        """Per value of attribute j, what one record loses that is left out."""
        records = self._records[j]
        if self.kind == "cell_loss":
            return np.ones(len(records))
        return np.log2(max(1, self.n_records) / np.maximum(1, records))

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
        left_out = self.n_records - int(counts.sum())
        is_entropy = self.kind == "entropy"
        # log2 of the group, less that of the value, which is the same for every state
        total = -self._logs if is_entropy else 0.0
        most = np.log2(max(1, self.n_records)) if is_entropy else 1.0
        for j, (weight, column, level) in enumerate(zip(self.weights, rows.columns_at(state), state, strict=True)):
            if not weight:
                continue
            levels = self.ladders.levels[j]
            if is_entropy:
                of_group = np.log2(np.maximum(1, self._in_group(j, level)))
            else:
                of_group = np.zeros(len(levels.labels[level]))
                of_group[levels.group[level]] = levels.loss(level)
            total += weight * (left_out * most + float((counts * of_group[column[kept]]).sum()))
        return self._share(total)

    def of_cells(self, rows: Rows, cell_levels: np.ndarray, kept: np.ndarray) -> float:
        """The loss when every row has levels of its own (rows x attributes), on rows that are as in the original."""
        total = 0.0
        for j, (weight, _, levels) in enumerate(self._attributes()):
            per_level = np.array([self.of_values(j, level) for level in range(levels.n_levels)])
            values = rows.columns[j]
            lost = np.where(kept, per_level[cell_levels[:, j], values], self.of_left_out(j)[values])
            total += weight * float((rows.counts * lost).sum())
        return self._share(total)

    def _share(self, total: float) -> float:
        return round(float(total / self._most), _DIGITS) if self._most else 0.0

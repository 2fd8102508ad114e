"""What a search is to keep: losses that add up over cells, or figures counted of the whole table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from anonlib.analyses.generalization.search.rows import LeveledRows
from anonlib.counting.classes.coding import sum_by

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

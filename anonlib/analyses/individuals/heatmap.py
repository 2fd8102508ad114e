"""Individuals in an order that reads, put together into columns of a picture (Kroes et al. 2021, Figure 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

COLUMNS = 900
_LEVELS = 4


@dataclass(frozen=True, eq=False)
class HeatmapColumns:
    """Variables x columns of a heatmap; a column is one individual or several that stand side by side.

    Attributes
    ----------
    start, stop : int
        The first individual shown and the one after the last, counted in the order from 0.
    width : float
        Individuals a column.
    mean : np.ndarray
        float32, variables x columns, the mean of the measure over those for whom it is defined; NaN where there are
        none, as where there is nothing to infer.
    certain : np.ndarray
        bool, variables x columns: some value in the column of the picture is certain. A mean would hide it.
    without_peers : np.ndarray | None, default None
        bool, variables x columns: more than half of those in the column of the picture are looked up in a file that has
        nobody like them; None where everybody is in the file.
    """

    start: int
    stop: int
    width: float
    mean: np.ndarray
    certain: np.ndarray
    without_peers: np.ndarray | None = None


def certainty_order(values: np.ndarray, certain: np.ndarray) -> np.ndarray:
    """The rows in an order that reads: by the first variable in coarse steps, then the second, and so on.

    Parameters
    ----------
    values : np.ndarray
        float64, rows x variables, of a measure; NaN where there is nothing to infer.
    certain : np.ndarray
        bool of the same shape: the lowest step. The others are quarters of the variable's largest value, and last who
        has no value.

    Returns
    -------
    int64, positions of the rows, those of whom most is certain first; within one pattern that with the lower mean.
    """
    is_missing = np.isnan(values)
    values = np.nan_to_num(values, nan=np.inf)
    largest = np.where(np.isfinite(values), values, 0).max(axis=0, initial=0)
    quarter = np.minimum(values / np.where(largest > 0, largest, 1), 1) * _LEVELS
    steps = np.where(certain, 0, 1 + np.minimum(np.ceil(quarter), _LEVELS) + is_missing).astype(np.int8)
    return np.lexsort((np.minimum(values, largest).sum(axis=1), *steps.T[::-1]))


def heatmap_columns(
    values: np.ndarray,
    certain: np.ndarray,
    counts: np.ndarray,
    order: np.ndarray,
    start: int = 0,
    stop: int | None = None,
    columns: int = COLUMNS,
    without_peers: np.ndarray | None = None,
) -> HeatmapColumns:
    """The individuals from ``start`` to ``stop`` of an order, in at most ``columns`` columns of equal width.

    An individual that falls into two columns counts in each by its share, so that means are exact.

    Parameters
    ----------
    values, certain : np.ndarray
        Rows x variables, as for :func:`certainty_order`.
    counts : np.ndarray
        int64, the individuals of each row.
    order : np.ndarray
        Positions of the rows.
    start : int, default 0
        The position in the order, from 0, of the first individual shown.
    stop : int, optional
        The position after the last one shown; all from ``start`` on when left out.
    columns : int, default COLUMNS
        The most columns.
    without_peers : np.ndarray, optional
        bool, rows x variables: nobody in the file that they are looked up in is like them.
    """
    ends = np.cumsum(counts[order])
    n = int(ends[-1]) if len(ends) else 0
    stop = n if stop is None else min(stop, n)
    start = min(max(0, start), max(0, stop - 1))
    n_columns = min(columns, max(1, stop - start))
    edges = start * n_columns + np.arange(n_columns + 1) * (stop - start)  # whole numbers, over n_columns
    ordered, weights = values[order], counts[order][:, None]
    defined = ~np.isnan(ordered)
    width = (stop - start) / n_columns

    def in_each(amounts: np.ndarray) -> np.ndarray:
        """Variables x columns: the sum of the amounts (rows x variables) within each column."""
        total = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(amounts, axis=0)])
        return np.array([np.diff(np.interp(edges / n_columns, np.append(0, ends), column)) for column in total.T])

    totals, numbers = in_each(np.where(defined, ordered, 0) * weights), in_each(defined * weights)
    mean = np.divide(totals, numbers, out=np.full(totals.shape, np.nan), where=numbers > 1e-9)
    first = np.searchsorted(ends * n_columns, edges[:-1], side="right")
    beyond = np.searchsorted(ends * n_columns, edges[1:], side="left") + 1
    upto = np.concatenate([np.zeros((1, values.shape[1]), np.int64), np.cumsum(certain[order], axis=0)])
    some = upto[np.minimum(beyond, len(ends))] > upto[np.minimum(first, len(ends))]
    alone = None
    if without_peers is not None and without_peers.any():
        alone = in_each(without_peers[order] * weights) > width / 2
    return HeatmapColumns(start, stop, width, mean.astype(np.float32), some.T, alone)


def row_at(counts: np.ndarray, order: np.ndarray, individual: int) -> int:
    """The row that the individual at this place of the order belongs to."""
    ends = np.cumsum(counts[order])
    return int(order[min(int(np.searchsorted(ends, individual, side="right")), len(order) - 1)])

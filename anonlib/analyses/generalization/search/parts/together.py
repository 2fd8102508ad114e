"""Parts found better, for as long as one likes: some that are alike are put together and split again.

A union of parts of which all that is asked holds is such a part too, and whatever it is split into is one. It need not
be what was split before: so parts come about that no splitting from the top has.
"""

from __future__ import annotations

import numpy as np

from anonlib.analyses.generalization.search.parts.kernel import (
    LabelTable,
    PartLimits,
    SplitParts,
    SplitRule,
    SplitScratch,
)
from anonlib.analyses.generalization.search.parts.together_kernel import LinkedParts, put_in_order, split_together

_TRIES, _MOST_ROWS = 1_000, 100_000  # of a round
_LOOKED_AT = 1_000  # parts, among which the nearest are looked for
_NEAR = 4  # parts that are put to another one
_MOST_RECORDS, _TIMES_K = 300, 10  # of parts put together, or so many times k where that is more
_NOISE = 0.5


class Rejoining:
    """Parts, and rounds in which some are put together and split again.

    Parameters
    ----------
    table, asked, room : LabelTable, PartLimits, SplitScratch
        The rows, what must hold of a part, and arrays to count in, as in the search that found the parts.
    state : np.ndarray
        One uint64, from which numbers at random go on to be drawn; it is changed.
    made : SplitParts
        The parts that were found; ``made.levels`` are changed.
    top : np.ndarray
        int16, the highest level of each column.
    runs : list[tuple[int, int]]
        Which rows of the order can be parted from which, from one place to another.
    order : np.ndarray
        int64, the rows.
    """

    def __init__(
        self,
        table: LabelTable,
        asked: PartLimits,
        room: SplitScratch,
        state: np.ndarray,
        made: SplitParts,
        top: np.ndarray,
        runs: list[tuple[int, int]],
        order: np.ndarray,
    ) -> None:
        self.table, self.asked, self.room, self.state, self.made, self.top = table, asked, room, state, made, top
        self.order, self.regions = order.copy(), made.regions.copy()
        self.pieces = self._pieces(runs)
        self.trial = SplitParts(
            np.zeros_like(made.levels), np.zeros(len(order), dtype=bool), np.zeros((len(order), 0), dtype=np.uint64)
        )

    def round(self) -> None:
        """Try so often to lose less."""
        if self.pieces.n[0] < 2:
            return
        split_together(
            self.table, self.asked, SplitRule(False, True, _NOISE), self.top, self.pieces, _TRIES, _MOST_ROWS,
            max(_MOST_RECORDS, _TIMES_K * self.asked.k), _NEAR, min(_LOOKED_AT, int(self.pieces.n[0])), self.state,
            self.room, self.trial,
        )  # fmt: skip

    def put_in_order(self, order: np.ndarray, made: SplitParts) -> None:
        """Write the parts as they are now where the search has its own: rows that are in no part stay as they are."""
        n_before = int(self.in_parts.sum())
        rows = np.concatenate([np.zeros(n_before, dtype=np.int64), self.order[~self.in_parts]])
        put_in_order(self.table, self.pieces, self.regions, rows, made)
        order[:] = rows
        made.begins[n_before:] = False

    def _pieces(self, runs: list[tuple[int, int]]) -> LinkedParts:
        n_rows = len(self.order)
        self.in_parts = np.zeros(n_rows, dtype=bool)
        of_run = np.zeros(n_rows, dtype=np.int64)
        for run, (first, last) in enumerate(runs):
            self.in_parts[first:last] = True
            of_run[first:last] = run
        places = np.flatnonzero(self.in_parts & self.made.begins)
        part_of_place = np.cumsum(self.in_parts & self.made.begins) - 1
        rows, part = self.order[self.in_parts], part_of_place[self.in_parts]
        n_parts = len(places)

        def of_parts(values: np.ndarray) -> np.ndarray:
            return np.append(values, np.zeros(n_rows + 1 - n_parts, dtype=values.dtype))

        after = np.full(n_rows, -1, dtype=np.int64)
        follows = part[1:] == part[:-1]
        after[rows[:-1][follows]] = rows[1:][follows]
        records = np.bincount(part, weights=self.table.counts[rows], minlength=n_parts).astype(np.int64)
        row_of = self.order[places].astype(np.int64)
        lost = np.zeros(n_parts)
        for j in range(len(self.top)):
            entry = self.table.at[j] + self.made.levels[row_of, j] * self.table.n[j] + self.table.values[j, row_of]
            lost += records * self.table.loss[entry]
        return LinkedParts(
            first=of_parts(row_of), after=after, levels=self.made.levels, size=of_parts(records), lost=of_parts(lost),
            run=of_parts(of_run[places]), place=of_parts(places), n=np.array([n_parts], dtype=np.int64),
        )  # fmt: skip

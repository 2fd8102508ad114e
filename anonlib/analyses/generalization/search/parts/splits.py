"""One way to split a table into parts, on arrays that the compiled loops read; small parts are split several times."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from anonlib.analyses.generalization.search.parts.kernel import (
    LabelTable,
    PartLimits,
    SplitParts,
    SplitRule,
    SplitScratch,
    split,
)

Look = Callable[[float], None]
"""Called with the share of the work that is done, in [0, 1]; may raise to stop."""
ROUNDS = 6
"""How often each small part is split, at random but the first time; what loses least is taken. In every round more
some parts that are alike are put together and split again (:mod:`.together`)."""
SMALL, SMALL_FILE = 300, 2_000  # records of a part, and of a file, that are split several times
RULES = tuple(SplitRule(widest, jumps, 0.0) for widest in (False, True) for jumps in (True, False))
_NOISE = 0.3
_MOST_HELD = 4_000_000  # values of children that are counted at once
_SEED = np.uint64(88172645463325252)  # of xorshift: the same parts of the same records, always


def rules_for(n_records: int) -> tuple[SplitRule, ...]:
    """What saves most for its entropy; of a small file every way to compare splits."""
    return RULES if n_records <= SMALL_FILE else RULES[:1]


class Splits:
    """Runs of rows that are split, and what is made of them.

    Attributes
    ----------
    order : int64, the rows, those of a part side by side.
    made : the levels of each row; by place in ``order``, where parts begin, and their regions.
    room, state : what the compiled loops count in, and where their numbers at random come from.
    """

    def __init__(
        self, table: LabelTable, top: np.ndarray, rule: SplitRule, rounds: int, span: int, words: int = 0
    ) -> None:
        """``top`` are the levels (int16) to begin with, ``rounds`` how often a small part is split, ``span`` the most
        values of a column that something is asked of, ``words`` those of a region (:class:`SplitParts`)."""
        self.table, self.top, self.rule, self.rounds, self.small = table, top, rule, rounds, SMALL
        n_records, n_rows = int(table.counts.sum()), len(table.counts)
        if 0 < n_records <= SMALL_FILE:  # the whole of it, and more often
            self.small = n_records
            self.rounds *= min(10, SMALL_FILE // n_records) if rounds > 1 else 1
        labels = 1 + max((int(n) for n in table.n), default=0)
        numbers, marks = np.zeros((8, labels), dtype=np.int64), np.zeros((2, labels), dtype=bool)
        # No more than can be needed: where freed memory is overwritten, an array costs its whole size.
        held = np.empty(max(span, min(_MOST_HELD, span * min(labels, n_rows))), dtype=np.int64)
        buffer = np.zeros(n_rows, dtype=np.int64)
        self.room = SplitScratch(
            size=numbers[0], row=numbers[1], place=numbers[2], children=numbers[3], alone=marks[0],
            best_children=numbers[4], best_alone=marks[1], having=numbers[5], records=numbers[6], first=numbers[7],
            held=held, buffer=buffer,
        )  # fmt: skip
        self.order = np.arange(n_rows)
        self.made = SplitParts(
            np.zeros((n_rows, len(top)), dtype=np.int16),
            np.zeros(n_rows, dtype=bool),
            np.zeros((n_rows, words), dtype=np.uint64),
        )
        self.state = np.array([_SEED], dtype=np.uint64)

    def run(self, asked: PartLimits, order: np.ndarray, starts: Sequence[tuple[int, int]], look: Look) -> None:
        """Split runs (from, to) of an order of the rows, as far as what is asked lets parts stand alone."""
        self.asked, self.order = asked, order
        waiting = np.zeros((len(order), 2 + len(self.top)), dtype=np.int64)
        few = self.small if self.rounds > 1 else 0
        for i, (first, last) in enumerate(starts):
            self.made.regions[first] = ~np.uint64(0)
            _, n_waiting = self._split(first, last, self.top, self.rule, few, waiting)
            for w in range(n_waiting):
                self._try(waiting[w])
                if w % 16 == 0:
                    look((i + w / n_waiting) / len(starts))

    def _split(
        self, first: int, last: int, start: np.ndarray, rule: SplitRule, few: int, waiting: np.ndarray
    ) -> tuple[float, int]:
        return split(
            self.table, self.asked, rule, self.order, first, last, start, few, self.state, self.room, self.made,
            waiting,
        )  # fmt: skip

    def _try(self, part: np.ndarray) -> None:
        """Split a small part several times, and take the best of these."""
        first, last, start = int(part[0]), int(part[1]), part[2:].astype(np.int16)
        run = slice(first, last)
        rows, region = self.order[run].copy(), self.made.regions[first].copy()
        nothing = np.zeros((0, len(part)), dtype=np.int64)
        best, kept = math.inf, tuple[np.ndarray, ...]()
        for turn in range(self.rounds):
            self.order[run], self.made.begins[run], self.made.regions[first] = rows, False, region
            rule = self.rule if turn == 0 else self.rule._replace(noise=_NOISE)
            lost, _ = self._split(first, last, start, rule, 0, nothing)
            if lost < best - 1e-9:
                best = lost
                kept = (self.order[run].copy(), self.made.begins[run].copy(), self.made.regions[run].copy(),
                        self.made.levels[self.order[run]])  # fmt: skip
        order, begins, regions, levels = kept
        self.order[run], self.made.begins[run], self.made.regions[run] = order, begins, regions
        self.made.levels[order] = levels

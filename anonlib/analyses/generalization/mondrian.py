"""Multidimensional recoding on hierarchies: each part of the table is generalized only as far as it must be.

As Mondrian (LeFevre et al. 2006) it splits the table from the top, part by part; here along the hierarchies. The
records of a part whose values are too rare to stand alone stay at the value above, so labels of different levels stand
side by side in a column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anonlib.analyses.generalization.search.lattice import LeveledRows
from anonlib.analyses.generalization.whole_classes import SearchRun, WholeClasses
from anonlib.basics.budget import Over
from anonlib.coarsening.hierarchies import Levels
from anonlib.counting.privacy_models import LDiversity, TCloseness, lacking_groups


@dataclass(frozen=True, eq=False)
class MondrianRecoding:
    """Levels per row of ``problem.rows`` and attribute, the rows that are kept, and whether it came to its end.

    ``splits`` is the number of parts that were split.
    """

    cell_levels: np.ndarray
    kept: np.ndarray
    splits: int
    finished: bool


@dataclass(frozen=True, eq=False)
class _Ladder:
    """Per level of one attribute and value: the place of its group among those inside the group above; its loss."""

    place: list[np.ndarray]
    loss: list[np.ndarray]

    @classmethod
    def of(cls, levels: Levels) -> _Ladder:
        place = []
        for low, high in zip(levels.group, levels.group[1:], strict=False):
            within = np.zeros(int(low.max(initial=-1)) + 1, dtype=np.intp)
            above = np.zeros_like(within)
            above[low] = high
            order = np.argsort(above, kind="stable")
            starts = np.flatnonzero(np.diff(above[order], prepend=-1))
            within[order] = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
            place.append(within[low])
        return cls(place, [levels.loss(level) for level in range(levels.n_levels)])


def mondrian(problem: WholeClasses, run: SearchRun) -> MondrianRecoding:
    """Split the table while every part keeps what is asked of all groups: the largest k, and every guarantee of values.

    A part is split by the attribute whose labels are widest there, times its weight, as far as it can be. The table
    begins at the top node; groups that violate there are left out, as far as records may be.
    """
    return _Splitting(problem, run).run()


class _Splitting:
    def __init__(self, problem: WholeClasses, run: SearchRun) -> None:
        self.problem, self.search_run = problem, run
        self.rows: LeveledRows = problem.rows
        self.values = self.rows.columns
        self.weights = self.rows.counts.astype(float)
        self.ladders = [_Ladder.of(levels) for levels in problem.ladders.levels]
        self.k = problem.least
        self.values_asked: list[tuple[LDiversity | TCloseness, np.ndarray, np.ndarray]] = []
        self.parts: list[np.ndarray] = []
        self.splits = self.done = 0

    def run(self) -> MondrianRecoding:
        problem, rows = self.problem, self.rows
        top = problem.highest
        kept = problem.kept(top, problem.violating_groups(top)[0])
        self.values_asked = problem.values_asked(np.where(kept, rows.counts, 0))  # splitting leaves nobody out
        # One part for each combination of what no level takes away.
        columns = dict(zip(problem.columns, top, strict=True)) | {
            name: 0 for name in rows.others if name in problem.shield
        }
        ids, _ = rows.coded(columns, columns).groups(columns)
        free = np.flatnonzero(kept & ~self._held(ids, kept))
        waiting = [(part, list(top)) for part in _parts(ids[free], free)]
        finished = True
        try:
            while waiting:
                waiting.extend(self._split(*waiting.pop()))
                if self.splits % 256 == 0:
                    self.search_run.report(self.done / len(self.weights))
        except Over:
            finished = False
            self.parts.extend(part for part, _ in waiting)
        return MondrianRecoding(self._tightened(), kept, self.splits, finished)

    def _held(self, ids: np.ndarray, kept: np.ndarray) -> np.ndarray:
        """bool, per row: it stays at the top, because a part in its group of some guarantee cannot stand alone.

        Parts are distinguished by the columns of all guarantees, so that it may be smaller than any group of theirs.
        """
        rows = self.rows
        counts = np.where(kept, rows.counts, 0)
        sizes = np.bincount(ids, weights=counts)
        weak = sizes < self.k
        for model, value, overall in self.values_asked:
            weak |= lacking_groups(model, ids, sizes, value, counts, overall)
        held = weak[ids] & kept
        if not held.any():
            return held
        by_guarantee = [
            rows.grouped(self.problem.highest, guarantee.columns)[0] for guarantee in self.problem.guarantees
        ]
        return np.any([np.isin(groups, groups[held]) for groups in by_guarantee], axis=0)

    def _split(self, part: np.ndarray, at: list[int]) -> list[tuple[np.ndarray, list[int]]]:
        """The parts that a part is split into: those that stand alone, and what stays together at the level above."""
        if self.weights[part].sum() < 2 * self.k:
            return self._stays(part)
        weights = self.weights[part]
        values = [column[part] for column in self.values]
        wide = [float(ladder.loss[level][v].max()) for ladder, level, v in zip(self.ladders, at, values, strict=True)]
        # Of those that may be lost without regret the widest is first.
        width = [(weight * w, w) for weight, w in zip(self.problem.attribute_weights, wide, strict=True)]
        for j in sorted(range(len(at)), key=width.__getitem__, reverse=True):
            if at[j] == 0:
                continue
            place = self.ladders[j].place[at[j] - 1][values[j]]
            alone = self._alone(part, place, weights)
            if not alone.any():
                continue
            self.splits += 1
            finer = [level - (i == j) for i, level in enumerate(at)]
            inside = alone[place]
            parts = [(child, finer) for child in _parts(place[inside], part[inside])]
            return parts if inside.all() else [*parts, (part[~inside], at)]
        return self._stays(part)

    def _stays(self, part: np.ndarray) -> list[Any]:
        """Nothing of a part is split further."""
        self.parts.append(part)
        self.done += len(part)
        return []

    def _alone(self, part: np.ndarray, place: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """bool, per place: its records can stand alone, and those of the other places together."""
        sizes = np.bincount(place, weights=weights)
        alone = sizes >= self.k
        if self.problem.of_values and alone.any():
            alone &= ~self._lacks_values(part, place, sizes)
        while alone.any():
            rest = float(sizes[~alone].sum())
            if rest == 0 or (rest >= self.k and not self._rest_lacks_values(part, place, alone)):
                break
            alone[np.flatnonzero(alone)[np.argmin(sizes[alone])]] = False
        return alone

    def _lacks_values(self, part: np.ndarray, ids: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        bad = np.zeros(len(sizes), dtype=bool)
        for model, value, overall in self.values_asked:
            bad |= lacking_groups(model, ids, sizes, value[part], self.rows.counts[part], overall)
        return bad

    def _rest_lacks_values(self, part: np.ndarray, place: np.ndarray, alone: np.ndarray) -> bool:
        if not self.problem.of_values:
            return False
        rest = part[~alone[place]]
        ids = np.zeros(len(rest), dtype=np.intp)
        return bool(self._lacks_values(rest, ids, np.array([self.rows.counts[rest].sum()]))[0])

    def _tightened(self) -> np.ndarray:
        """Per row and attribute the lowest level on which all rows of its part have one label."""
        cell_levels = np.tile(np.array(self.problem.highest, dtype=np.int16), (len(self.weights), 1))
        if not self.parts:
            return cell_levels
        members = np.concatenate(self.parts)
        lengths = np.array([len(part) for part in self.parts])
        starts = np.append(0, np.cumsum(lengths)[:-1])
        for j, levels in enumerate(self.problem.ladders.levels):
            lowest = np.full(len(self.parts), levels.n_levels - 1)
            for level in reversed(range(levels.n_levels - 1)):
                groups = levels.group[level][self.values[j][members]]
                is_single = np.minimum.reduceat(groups, starts) == np.maximum.reduceat(groups, starts)
                lowest[is_single] = level
            cell_levels[members, j] = np.repeat(lowest, lengths)
        return cell_levels


def _parts(ids: np.ndarray, members: np.ndarray) -> list[np.ndarray]:
    """The members of each id; ``ids`` has one a member."""
    order = np.argsort(ids, kind="stable")
    cuts = np.flatnonzero(np.diff(ids[order])) + 1
    return [part for part in np.split(members[order], cuts) if len(part)]

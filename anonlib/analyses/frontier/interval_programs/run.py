"""Which attribute is cut again next, from which policy, and for which weights of the risk."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from anonlib.analyses.frontier.interval_programs.boxes import Boxes, short_attributes
from anonlib.analyses.frontier.interval_programs.cells import CellTable, ends_of
from anonlib.analyses.frontier.interval_programs.expansion import Found, expand
from anonlib.analyses.frontier.pace import Pace
from anonlib.analyses.frontier.result import Frontier
from anonlib.basics.budget import A_SECOND

_SHORT = -1  # stands for all short attributes
_GROUPS = 8, 32  # of equal records, in the attributes that are not cut again at first
_FIRST_WEIGHTS = np.logspace(-2.5, 2.5, 41)
_FIRST_CAP = 24  # values
_SWEEPS = 2
_SWEPT_WEIGHTS = np.logspace(-1.5, 2, 5)
_AROUND = np.exp(np.linspace(-1.2, 1.2, 41))  # weights looked at, as shares of the one asked for
_NEIGHBOURS = 12  # at most, on either side of a point, between which the slope is taken
_ENUMERATED = 0.06  # share of the steps
_BEST = 0.5  # share of the steps that begin at the best policy for the slope
_OF_AREA = 0.6  # how points are drawn: by their share of the area, and of the gaps
_NEAR = 2  # boundaries on either side of one that is kept that are looked at
_DRAWN = 0.1  # share of the others that are
_DRAWN_ALONE = 0.5  # where there is one attribute: its best policies are known, others are between them
_FEW = 100  # of an attribute with fewer boundaries all are looked at
_MANY = 1_000  # more are not drawn
_A_FOUND = A_SECOND / 1_000  # work to take what a step found


class Search:
    """Steps of the search, each of which adds what it finds to the archive."""

    def __init__(self, pace: Pace, rng: np.random.Generator) -> None:
        self.pace, self.archive, self.rng = pace, pace.archive, rng
        self.plane, self.space = self.archive.plane, self.archive.plane.space
        sizes = [len(domain) for domain in self.space.domains]
        self.short = short_attributes(sizes, int(self.space.cells.occupied.sum()))
        self.long = [j for j, size in enumerate(sizes) if size > 1 and j not in self.short]
        self.alone = len(self.long) + len(self.short) == 1

    @cached_property
    def table(self) -> CellTable:
        return CellTable(self.plane)

    @cached_property
    def boxes(self) -> Boxes:
        return Boxes(self.table, self.short)

    def frontiers(self) -> Iterator[Frontier]:
        """The frontier after the first step, then now and then."""
        _ = self.archive.spending  # begins before the first step
        for number, work in enumerate(self.steps()):
            due = self.pace.due(work)
            if not self.pace.left or self.archive.risk[0] + self.archive.loss[0] == 0:
                break
            if number == 0 or due:
                yield from self.archive.show()
        yield from self.archive.show(finished=True, exact=not self.long)

    def steps(self) -> Iterator[float]:
        """The work of each: from coarse to fine, then along the whole frontier, then where most is to be gained.

        Without end, but there are none where all attributes are short: then all policies have been looked at.
        """
        work = self._add(self.boxes.enumerate(self.space.top)) if self.short else 0.0
        if not self.long:
            self.archive.given = 0 if self.short else 1  # top and bottom are among those enumerated
            self.archive.spending.spend(work)
            return
        *others, longest = sorted(self.long, key=lambda j: len(self.space.domains[j]))
        if self.alone:
            yield from self._hull(longest)
        for k in _GROUPS if others else _GROUPS[:1]:
            policy = self.space.bottom.copy()
            for j in others:
                self.space.bits_of(policy, j)[:] = self._equal_groups(j, k)
            work += self._add(expand(self.table, policy, longest, _FIRST_WEIGHTS, _FIRST_CAP, self._even(longest)))
            yield work
            work = 0.0
        swept = [*([_SHORT] if self.short else []), *others, longest]
        for j in swept * _SWEEPS:
            for weight in _SWEPT_WEIGHTS:
                yield self._change(self._best(weight), j, weight)
        while True:
            drawn, weight = self._draw()
            enumerated = bool(self.short) and self.rng.random() < _ENUMERATED
            j = _SHORT if enumerated else self.long[self.rng.integers(len(self.long))]
            yield self._change(drawn, j, weight)

    def _change(self, position: int, j: int, weight: float) -> float:
        """Better a policy of the archive in attribute j, or in the short ones; the work it was."""
        policy = self.archive.bits(np.array([position]))[0]
        if j == _SHORT:
            return self._add(self.boxes.enumerate(policy))
        bits = self.space.bits_of(policy, j)
        first, end = ends_of(bits)
        longest = int((end - first)[1:-1].max(initial=1))  # the first and the last interval may have any length
        return self._add(expand(self.table, policy, j, weight * _AROUND, 2 * longest + 4, self._looked_at(bits)))

    def _hull(self, j: int) -> Iterator[float]:
        """All policies of a lone attribute that are best for some weight: by the slopes between those known."""
        tried = set(_FIRST_WEIGHTS.tolist())
        weights = _FIRST_WEIGHTS
        while len(weights):
            yield self._add(expand(self.table, self.space.top, j, weights, self.space.n_levels, self._even(j)))
            corners = lower_hull(self.archive.risk, self.archive.loss)
            slopes = -np.diff(self.archive.loss[corners]) / np.diff(self.archive.risk[corners])
            weights = np.array(sorted(set(slopes.tolist()) - tried))
            tried.update(weights.tolist())

    def _add(self, candidates: Found) -> float:
        """Take what was found into the archive; the work it was."""
        self.archive.evaluations += len(candidates.risk)
        self.archive.add(candidates.policies, candidates.risk, candidates.loss)
        return candidates.work + _A_FOUND

    def _best(self, weight: float) -> int:
        return int(np.argmin(weight * self.archive.risk + self.archive.loss))

    def _draw(self) -> tuple[int, float]:
        """A policy of the archive, and a weight of the risk: the slope of the frontier there."""
        risk, loss = self.archive.risk, self.archive.loss
        width = np.diff(risk, append=1.0)
        area, gap = width * loss, width * -np.diff(loss, append=0.0)
        shares = _OF_AREA * area / (area.sum() or 1.0) + (1 - _OF_AREA) * gap / (gap.sum() or 1.0)
        total = shares.sum()
        x = int(self.rng.choice(len(risk), p=shares / total if total > 0 else None))
        around = int(self.rng.integers(1, _NEIGHBOURS + 1))
        a, b = max(0, x - around), min(len(risk) - 1, x + around)
        run, fall = risk[b] - risk[a], loss[a] - loss[b]
        weight = float(fall / run) if run > 0 and fall > 0 else 1.0
        return (self._best(weight) if self.rng.random() < _BEST else x), weight

    def _looked_at(self, bits: np.ndarray) -> np.ndarray:
        """bool, which boundaries a step looks at: those that are kept, those near them, and some."""
        looked = bits.copy()
        for step in range(1, _NEAR + 1):
            looked[step:] |= bits[:-step]
            looked[:-step] |= bits[step:]
        share = _DRAWN_ALONE if self.alone else _DRAWN
        drawn = 1.0 if len(bits) < _FEW and not self.alone else min(share, _MANY / len(bits))
        return looked | (self.rng.random(len(bits)) < drawn)

    def _even(self, j: int) -> np.ndarray:
        """bool, boundaries of attribute j at even distances; all unless they are many."""
        n = len(self.space.domains[j]) - 1
        looked = np.zeros(n, dtype=bool)
        looked[np.linspace(0, n - 1, min(n, _MANY)).round().astype(np.int64)] = True
        return looked

    def _equal_groups(self, j: int, k: int) -> np.ndarray:
        """bool, the bits of k intervals of about equal records."""
        table = self.table
        records = np.bincount(table.places[:, j], weights=table.records, minlength=2 * table.sizes[j] - 1)[::2]
        share = (np.cumsum(records) - records / 2) / records.sum()
        return np.diff(np.floor(share * k)) > 0


def lower_hull(risk: np.ndarray, loss: np.ndarray) -> np.ndarray:
    """int64, the corners of the lower left hull of points whose risk ascends and loss descends; ties are one corner."""
    corners: list[int] = []
    for i in range(len(risk)):
        while corners and (
            risk[corners[-1]] == risk[i]
            or (
                len(corners) > 1
                and (risk[corners[-1]] - risk[corners[-2]]) * (loss[i] - loss[corners[-2]])
                <= (loss[corners[-1]] - loss[corners[-2]]) * (risk[i] - risk[corners[-2]])
            )
        ):
            corners.pop()
        corners.append(i)
    return np.array(corners)

"""Runs of the exchange: sweeps of the compiled loop, and the weights that follow what they reach."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.analyses.regions.area_classes import AreaClasses
from anonlib.analyses.regions.exchange.graph import adjacency, cut_edges, without_stray_pieces
from anonlib.analyses.regions.exchange.kernel import EMPTY, Problem, State, Table, fill, sweep
from anonlib.basics.progress import Progress

WORK = 5e8  # entries of the matrix of areas and classes to look at: by work, not by the clock, so that results repeat
LEAST_SWEEPS, MOST_SWEEPS, END_SWEEPS = 40, 150, 40
WEIGHTS = (1.0, 0.6, 0.3, 3.0, 0.3)  # of what is left out, compactness, discernibility, entropy and cut edges, at first
PACE = np.array([0.0, 4.0, 2.0, 20.0, 4.0])  # how fast a weight follows the distance to its target
MARGIN, STEP = 0.001, 0.25
WEIGHT_RANGE = (0.02, 50.0)
NOISE = 2.0
ROUNDING = 1e-9
PENALTY = 1.3
DENSE_BYTES = 400_000_000  # of the table of regions and classes; where it would be larger, it is hashed


class Search:
    """Runs of the search from one start, each with targets of its own."""

    def __init__(self, start: Aggregation, rng: np.random.Generator) -> None:
        points, k = start.area_classes.areas.points, start.k
        graph = adjacency(points)
        self._rng = rng
        self._region = without_stray_pieces(start.region_of_area, points, graph)
        self._problem = problem_of(start.area_classes, graph, k)
        at = start.measures
        edges = cut_edges(start.region_of_area, graph)
        self._at_start = np.array([at.left_out, at.compactness, at.discernibility, at.entropy, edges], dtype=float)
        self._n_regions = start.n_regions
        self.sweeps = int(np.clip(WORK / max(1, len(self._problem.counts)), LEAST_SWEEPS, MOST_SWEEPS))

    def run(self, targets: np.ndarray, *, anneal: bool, progress: Progress | None) -> np.ndarray | None:
        """Of all regions met that are better in all four measures, those nearest to the targets.

        Of those that meet them, the ones that leave out least. None where there are none.
        """
        state = state_of(self._problem, self._region, self._n_regions, int(self._rng.integers(2**63)))
        scale = np.where(self._at_start > 0, self._at_start, 1.0)
        free, caps = np.full(5, np.inf), np.append(np.inf, (targets * self._at_start)[1:])
        weights = np.array(WEIGHTS)
        best = _Best(self._at_start, targets)
        n_noisy = self.sweeps if anneal else 0
        for s in range(n_noisy + END_SWEEPS):
            noisy = s < n_noisy
            order = self._rng.permutation(len(state.region)).astype(np.int32)
            temperature = NOISE * (1 - s / n_noisy) ** 2 / len(order) if noisy else 0.0
            moves = sweep(self._problem, state, order, weights / scale, temperature, free if noisy else caps)
            ratios = state.totals / scale
            best.offer(state)
            if noisy:
                weights *= np.exp(np.clip(PACE * (ratios - targets + MARGIN), -STEP, STEP))
                weights[1:] = np.clip(weights[1:], *WEIGHT_RANGE)
            else:
                over = state.totals > caps
                if not moves and not over.any():
                    break
                weights[over] *= PENALTY
            if progress:
                progress((s + 1) / (n_noisy + END_SWEEPS), best.region)
        return best.region


class _Best:
    def __init__(self, at_start: np.ndarray, targets: np.ndarray) -> None:
        self._at_start, self._targets = at_start, targets[1:]
        self._key = (np.inf, np.inf)
        self.region: np.ndarray | None = None

    def offer(self, state: State) -> None:
        s, rest = state.totals[0], state.totals[1:4]
        below = self._at_start[1:4] * (1 - ROUNDING)  # of totals that have been added to a long time
        if not ((s < self._at_start[0] or s == self._at_start[0] == 0) and (rest < below).all()):
            return
        over = state.totals[1:] / np.maximum(self._at_start[1:], 1e-300) - self._targets
        key = (float(over.clip(min=0).sum()), float(s))
        if key < self._key:
            self._key, self.region = key, state.region.copy()


def problem_of(area_classes: AreaClasses, graph: csr_array, k: int) -> Problem:
    """What the compiled loop needs.

    Classes of fewer than k records in all areas together are left out of the problem: no move changes what they add.
    """
    counts = area_classes.counts
    of_class = np.asarray(counts.sum(axis=0))
    matter = of_class >= k
    rows = counts[:, matter].tocsr() if not matter.all() else counts
    dtype = np.int32 if area_classes.n_records < 2**31 else np.int64
    place = np.ascontiguousarray(area_classes.areas.points.T, dtype=float)
    return Problem(
        place, graph.indptr.astype(np.int64), graph.indices.astype(np.int32),
        rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data.astype(dtype),
        area_classes.records, k, int(of_class[~matter].sum()),
    )  # fmt: skip


def state_of(problem: Problem, region: np.ndarray, n_regions: int, seed: int, dense_bytes: int = DENSE_BYTES) -> State:
    """The state of connected regions, none empty."""
    n = len(region)
    n_classes = int(problem.classes.max()) + 1 if len(problem.classes) else 0
    table = _empty_table(n_regions, n_classes, len(problem.counts), problem.counts.dtype, dense_bytes)
    state = State(
        region=region.astype(np.int32), first=np.full((2, n_regions), -1, np.int32), after=np.empty((2, n), np.int32),
        before=np.empty((2, n), np.int32), records=np.zeros(n_regions, np.int64),
        spread=np.empty(n_regions), table=table, totals=np.zeros(5), squares=np.zeros(1, np.int64),
        members=np.empty(n + 1, np.int32), mark=np.zeros(n, np.int64), marks=np.zeros(1, np.int64),
        noise=np.array([seed], np.uint64),
    )  # fmt: skip
    fill(problem, state, np.argsort(-problem.place, axis=1, kind="stable").astype(np.int32))
    return state


def _empty_table(n_regions: int, n_classes: int, n_entries: int, dtype: np.dtype, dense_bytes: int) -> Table:
    """A table of zeros; ``n_entries`` is the most that can differ from 0 at a time."""
    width = max(n_classes, 1)
    if n_regions * width * dtype.itemsize <= dense_bytes:
        return Table(np.zeros(n_regions * width, dtype), np.zeros(0, np.int64), np.zeros(1, np.int64), width)
    slots = 1 << (2 * n_entries + 16).bit_length()
    return Table(np.zeros(slots, dtype), np.full(slots, EMPTY, np.int64), np.zeros(1, np.int64), width)

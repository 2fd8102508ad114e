"""Exchange of areas between regions: better in all four measures at the same number of regions (beyond the paper).

First comes which areas are neighbours: the graph that regions are connected on. Next are runs of the exchange: sweeps
of the compiled loop, and the weights that follow what they reach. At the end is the exchange, from regions to better
ones of the same number, by moving areas across borders.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import Delaunay, QhullError, cKDTree

from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.analyses.regions.areas import AreaClasses
from anonlib.analyses.regions.exchange_loops import EMPTY, ExchangeProblem, ExchangeState, RegionTable, fill, sweep
from anonlib.analyses.regions.measures import Measures, middles
from anonlib.basics import checks
from anonlib.basics.budget import Stopwatch
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress


def adjacency(points: np.ndarray) -> csr_array:
    """The Delaunay triangulation of the areas' points (float, areas x 2) as a symmetric int8 matrix of ones.

    It is connected. An area that is no corner of it, such as one that shares its point with another, is a neighbour
    of the nearest corner alone. Areas on one line, or fewer than three, are a path.
    """
    n = len(points)
    centred = points - points.mean(axis=0)
    try:
        triangles = Delaunay(centred).simplices if n > 2 else None
    except QhullError:
        triangles = None
    if triangles is None:
        return _symmetric(_path(centred), n)
    corners = np.unique(triangles)
    others = np.setdiff1d(np.arange(n), corners)
    nearest = corners[cKDTree(centred[corners]).query(centred[others])[1]] if others.size else others
    sides = [triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]
    return _symmetric(np.concatenate([*sides, np.column_stack([others, nearest])]), n)


def _path(centred: np.ndarray) -> np.ndarray:
    """Each area with the next along the line of the greatest extent."""
    direction = np.linalg.svd(centred, full_matrices=False)[2][0]
    along = np.argsort(centred @ direction, kind="stable")
    return np.column_stack([along[:-1], along[1:]])


def _symmetric(pairs: np.ndarray, n: int) -> csr_array:
    both = np.concatenate([pairs, pairs[:, ::-1]])
    matrix = csr_array((np.ones(len(both), dtype=np.int8), (both[:, 0], both[:, 1])), shape=(n, n))
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix


def without_stray_pieces(region: np.ndarray, points: np.ndarray, graph: csr_array) -> np.ndarray:
    """The regions (int, of each area), each connected: its largest piece stays, and the others go to a neighbour.

    A piece goes to the adjacent region whose areas are nearest in the mean; pieces amid pieces wait for their turn.
    """
    region = region.copy()
    a, b = _ends(graph)
    same = region[a] == region[b]
    n_pieces, piece = connected_components(csr_array((same[same], (a[same], b[same])), shape=graph.shape), False)
    size = np.bincount(piece, minlength=n_pieces)
    region_of_piece = np.zeros(n_pieces, dtype=region.dtype)
    region_of_piece[piece] = region
    largest_last = np.lexsort((size, region_of_piece))
    main = np.zeros(n_pieces, dtype=bool)
    main[largest_last[np.append(np.flatnonzero(np.diff(region_of_piece[largest_last])), n_pieces - 1)]] = True
    settled = main[piece]
    means = _means(points[settled], region[settled], int(region.max()) + 1)
    while not settled.all():
        beside = ~settled[a] & settled[b]
        for stray in np.unique(piece[a[beside]]):
            members = piece == stray
            near = np.unique(region[b[beside & members[a]]])
            apart = means[near] - points[members].mean(axis=0)
            region[members] = near[np.argmin(np.hypot(apart[:, 0], apart[:, 1]))]
        settled |= np.isin(piece, piece[a[beside]])
    return region


def cut_edges(region: np.ndarray, graph: csr_array) -> int:
    """How many neighbours are in different regions."""
    a, b = _ends(graph)
    return int(np.count_nonzero(region[a] != region[b])) // 2


def _ends(graph: csr_array) -> tuple[np.ndarray, np.ndarray]:
    return np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr)), graph.indices


def _means(points: np.ndarray, region: np.ndarray, n: int) -> np.ndarray:
    sums = [np.bincount(region, points[:, axis], minlength=n) for axis in (0, 1)]
    return np.column_stack(sums) / np.bincount(region, minlength=n)[:, None]


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


class ExchangeSearch:
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

    def offer(self, state: ExchangeState) -> None:
        s, rest = state.totals[0], state.totals[1:4]
        below = self._at_start[1:4] * (1 - ROUNDING)  # of totals that have been added to a long time
        if not ((s < self._at_start[0] or s == self._at_start[0] == 0) and (rest < below).all()):
            return
        over = state.totals[1:] / np.maximum(self._at_start[1:], 1e-300) - self._targets
        key = (float(over.clip(min=0).sum()), float(s))
        if key < self._key:
            self._key, self.region = key, state.region.copy()


def problem_of(area_classes: AreaClasses, graph: csr_array, k: int) -> ExchangeProblem:
    """What the compiled loop needs.

    Classes of fewer than k records in all areas together are left out of the problem: no move changes what they add.
    """
    counts = area_classes.counts
    of_class = np.asarray(counts.sum(axis=0))
    matter = of_class >= k
    rows = counts[:, matter].tocsr() if not matter.all() else counts
    dtype = np.int32 if area_classes.n_records < 2**31 else np.int64
    place = np.ascontiguousarray(area_classes.areas.points.T, dtype=float)
    return ExchangeProblem(
        place, graph.indptr.astype(np.int64), graph.indices.astype(np.int32),
        rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data.astype(dtype),
        area_classes.records, k, int(of_class[~matter].sum()),
    )  # fmt: skip


def state_of(
    problem: ExchangeProblem, region: np.ndarray, n_regions: int, seed: int, dense_bytes: int = DENSE_BYTES
) -> ExchangeState:
    """The state of connected regions, none empty."""
    n = len(region)
    n_classes = int(problem.classes.max()) + 1 if len(problem.classes) else 0
    table = _empty_table(n_regions, n_classes, len(problem.counts), problem.counts.dtype, dense_bytes)
    state = ExchangeState(
        region=region.astype(np.int32), first=np.full((2, n_regions), -1, np.int32), after=np.empty((2, n), np.int32),
        before=np.empty((2, n), np.int32), middle=np.empty((2, n_regions), np.int32),
        areas=np.zeros(n_regions, np.int32), records=np.zeros(n_regions, np.int64),
        spread=np.empty(n_regions), table=table, totals=np.zeros(5), squares=np.zeros(1, np.int64),
        members=np.empty(n + 1, np.int32), mark=np.zeros(n, np.int64), marks=np.zeros(1, np.int64),
        noise=np.array([seed], np.uint64),
    )  # fmt: skip
    fill(problem, state, np.argsort(-problem.place, axis=1, kind="stable").astype(np.int32))
    return state


def _empty_table(n_regions: int, n_classes: int, n_entries: int, dtype: np.dtype, dense_bytes: int) -> RegionTable:
    """A table of zeros; ``n_entries`` is the most that can differ from 0 at a time."""
    width = max(n_classes, 1)
    if n_regions * width * dtype.itemsize <= dense_bytes:
        return RegionTable(np.zeros(n_regions * width, dtype), np.zeros(0, np.int64), np.zeros(1, np.int64), width)
    slots = 1 << (2 * n_entries + 16).bit_length()
    return RegionTable(np.zeros(slots, dtype), np.full(slots, EMPTY, np.int64), np.zeros(1, np.int64), width)


COMPACTNESS, BALANCE = 0.05, 0.35  # what is asked for by default
CUT = 1.05
RELAXED = (1.0, 0.5, 0.2, 0.05, 0.0)  # shares of what is asked for, one try after the other; the last is a descent
SHARES = (0.0, 0.9, 0.95, 0.98, 0.99, 1.0)  # of the progress, at the beginning of each try
MOST_COMPACTNESS = 0.5


def exchange(
    start: Aggregation,
    *,
    compactness: float = COMPACTNESS,
    balance: float = BALANCE,
    seed: int = 0,
    progress: Progress | None = None,
) -> Aggregation:
    """Leave out fewer records in as many regions, which are also more compact, and finer by both measures of loss.

    Areas move, one at a time, from their region to an adjacent one; regions stay connected on the graph of neighbours
    (Delaunay), and none is emptied. What is left out is minimised, while

    * compactness (Equation 20, m, each region from its own middle, at the start as well) falls by the share
      ``compactness``;
    * discernibility (21) and non-uniform entropy (22, 23) go the share ``balance`` of the way to what they would be if
      all regions had the same number of records;
    * borders are at most 5% longer, in pairs of neighbours that they part.

    If that leaves one of the four measures no better, half, a fifth and a twentieth of it are asked for, then only that
    none gets worse. If even so not all four are better, the start is returned, and ``improves_all`` says so. If the
    start leaves nothing out, that nothing is left out passes for better. Sites are the coordinate-wise medians of the
    areas.

    Not in Croft et al. 2015. As with their clustering, where borders run depends on the records.

    Parameters
    ----------
    start : Aggregation
        The regions to begin with.
    compactness : float, default COMPACTNESS
        Share by which compactness falls, from 0 to 0.5.
    balance : float, default BALANCE
        Share of the way to regions of equal records, from 0 to 1.
    seed : int, default 0
        The same seed gives the same regions.
    progress : Progress, optional
        Called with the share done (0 to 1) and the best regions so far, None as long as not all four measures are
        better; may raise to stop.

    Returns
    -------
    Aggregation

    Raises
    ------
    InputError
        For a setting out of its range.
    """
    asked = _share(compactness, "The compactness asked for", MOST_COMPACTNESS), _share(balance, "The balance", 1.0)
    rng = np.random.default_rng(checks.whole(seed, "The seed", 0))
    began = Stopwatch()
    unchanged = replace(start, method="exchange", improves_all=False)
    if start.n_regions in (1, start.area_classes.n_areas) or not start.measures.discernibility:
        return unchanged  # no area can move, or all is left out, and what is no more would raise discernibility from 0

    search = ExchangeSearch(start, rng)
    for attempt, share in enumerate(RELAXED):
        of_attempt = _reporter(progress, start, began, *SHARES[attempt : attempt + 2])
        targets = _targets(start, share * asked[0], share * asked[1])
        region = search.run(targets, anneal=share > 0, progress=of_attempt)
        if region is not None:
            aggregation = _aggregation(start, region, began)
            if _better(aggregation.measures, start.measures):  # as the totals say, but for rounding
                return aggregation
    return replace(unchanged, seconds=start.seconds + began.seconds)


def _share(value: float, what: str, most: float) -> float:
    if not 0 <= checks.number(value, what) <= most:
        raise InputError(f"{what} must be from 0 to {most:g}.", code="number-out-of-range")
    return float(value)


def _better(new: Measures, old: Measures) -> bool:
    """Whether all four measures are better; where nobody is left out, that measure passes."""
    return (
        (new.left_out < old.left_out or old.left_out == 0 == new.left_out)
        and new.compactness < old.compactness
        and new.discernibility < old.discernibility
        and new.entropy < old.entropy
    )


def _targets(start: Aggregation, compactness: float, balance: float) -> np.ndarray:
    """The greatest share of its value at the start that each total should end with."""
    at, records = start.measures, start.records.astype(float)
    n = records.sum()
    own = start.area_classes.records[start.area_classes.records > 0].astype(float)
    least_entropy = n * np.log2(n / start.n_regions) - (own * np.log2(own)).sum()
    gain_q = 1 - min(1.0, n * n / start.n_regions / (records @ records))
    gain_e = 1 - min(1.0, max(0.0, least_entropy) / at.entropy) if at.entropy > 0 else 0.0
    return np.array([1.0, 1 - compactness, 1 - balance * gain_q, 1 - balance * gain_e, CUT])


def _reporter(
    progress: Progress | None, start: Aggregation, began: Stopwatch, low: float, high: float
) -> Progress | None:
    """What a run calls with the share of it that is done and its best regions so far."""
    if progress is None:
        return None
    latest: list[Any] = [None, None]  # regions, and what was made of them: they are often reported again

    def of_regions(share: float, region: np.ndarray | None = None, /) -> None:
        if region is not None and region is not latest[0]:
            latest[:] = region, _aggregation(start, region, began)
        progress(low + (high - low) * share, latest[1])

    return of_regions


def _aggregation(start: Aggregation, region: np.ndarray, began: Stopwatch) -> Aggregation:
    sites = middles(start.area_classes.areas.points, region, start.n_regions)
    seconds = start.seconds + began.seconds
    return replace(
        start, sites=sites, region_of_area=region, method="exchange", seconds=seconds, improves_all=True
    )  # fmt: skip

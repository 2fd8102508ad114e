"""The exchange: from regions to better ones of the same number, by moving areas across borders."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.analyses.regions.measures import Measures, middles
from anonlib.basics import checks
from anonlib.basics.budget import Stopwatch
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress

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
    progress : BestSoFar[Aggregation | None], optional
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
    from anonlib.analyses.regions.exchange.run import Search  # loads the compiler, which takes half a second

    search = Search(start, rng)
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

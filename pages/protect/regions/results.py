"""What the library answers to the page's settings: computed once, long work by the button."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from anonlib.regions import Aggregation, AreaClasses, Measures, aggregate, clustering
from anonlib.regions.aggregation import areas_as_they_are
from anonlib.regions.exchange import exchange
from pages.protect.regions.settings import PLACEMENTS, Asked
from ui import cache, long_work, state

AT_ONCE = 1.0  # seconds; what takes longer waits for a button
ALL = "regions-all-"  # names the work that runs all placements
MOST_SEEN = 60  # configurations that are held


def before(asked: Asked) -> Aggregation:
    """Every area a region of its own: the records as they are."""
    return cache.remember(areas_as_they_are, asked.counted, k=asked.k)


def balanced(asked: Asked) -> Aggregation:
    """As many regions as are asked for, placed balanced: where every search begins."""
    return cache.remember(aggregate, asked.counted, k=asked.k, number=asked.number)


def result(asked: Asked) -> Aggregation:
    """The aggregation that is asked for; while it is being searched for, the best so far or the balanced one."""
    start = balanced(asked)
    found = _searched(asked, start) or start
    see(asked, found)
    return found


def searched_now(asked: Asked, tell: Callable[..., None]) -> Aggregation:
    """The aggregation that is asked for, however long it takes."""
    start = balanced(asked)
    search, weights = _search_of(asked)
    return start if search is None else search(start, **weights, progress=tell)


def _searched(asked: Asked, start: Aggregation) -> Aggregation | None:
    search, weights = _search_of(asked)
    if search is None:
        return start
    seconds = estimated_seconds(asked.counted, asked.placement)
    if seconds <= AT_ONCE:
        return cache.remember(search, start, **weights)
    stage = (f"{PLACEMENTS[asked.placement]} regions", lambda tell: search(start, **weights, progress=tell))
    return long_work.best_so_far(f"regions-{start.key}-{asked.placement}-{weights}", [stage], seconds)


def _search_of(asked: Asked) -> tuple[Callable[..., Aggregation] | None, dict[str, Any]]:
    """The search that begins at the balanced regions, and its settings."""
    if asked.placement == "exchange":
        return _exchanged, {"compactness": asked.compactness, "balance": asked.balance}
    return (_clustered if asked.placement == "clustering" else None), {}


def _exchanged(start: Aggregation, *, compactness: float, balance: float, progress=None) -> Aggregation:
    return exchange(start, compactness=compactness, balance=balance, progress=progress)


def _clustered(start: Aggregation, *, progress=None) -> Aggregation:
    def told(share: float, best) -> None:
        progress(share)

    place = partial(clustering, progress=None if progress is None else told)
    return aggregate(start.area_classes, start.k, number=start.asked, placement=place, name="clustering")


def estimated_seconds(counted: AreaClasses, placement: str) -> float:
    """About how long a search takes, by what it goes through."""
    n = counted.counts.nnz
    return {"balanced": 0.1, "clustering": n / 500_000}.get(placement, n * 150 / 7e6)


# ---- side by side -------------------------------------------------------------------------------------------------


def see(asked: Asked, found: Aggregation) -> None:
    """Hold on to what a configuration came to, for the comparison; the oldest give way."""
    held = state.session().aggregations
    name = name_of(asked, found)
    held.pop((asked.counted.key, name), None)
    held[asked.counted.key, name] = found.measures
    for oldest in list(held)[:-MOST_SEEN]:
        del held[oldest]


def name_of(asked: Asked, found: Aggregation) -> str:
    """What the regions found are called, whatever they were to become."""
    placement = found.method if found.method in PLACEMENTS else "balanced"
    return replace(asked, placement=placement, number=found.n_regions).name


def all_seen(asked: Asked) -> list[tuple[str, Measures]]:
    """The configurations run so far of the same areas, records and columns; the latest last."""
    return [(name, found) for (key, name), found in state.session().aggregations.items() if key == asked.counted.key]


def forget_seen() -> None:
    session = state.session()
    session.aggregations.clear()
    for name in [name for name in session.work if name.startswith(ALL)]:
        del session.work[name]

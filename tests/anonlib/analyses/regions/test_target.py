"""The most regions that keep to a target, placed by a search: against every number, and counted record by record."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.regions import Aggregation, AreaClasses, Target, aggregate, clustering, regions_for_target
from anonlib.analyses.regions.exchange import exchange
from anonlib.analyses.regions.target import LOOK_BEYOND, MOST_TRIES
from anonlib.basics.progress import Progress, nobody
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.reference.regions import province


def clustered(start: Aggregation, /, *, progress: Progress = nobody) -> Aggregation:
    return aggregate(start.area_classes, start.k, number=start.asked, placement=clustering)


def of_another_number(change, start: Aggregation, /, *, progress: Progress = nobody) -> Aggregation:
    """A search that is quick and known: the balanced regions of another number."""
    return aggregate(start.area_classes, start.k, number=change(start.asked))


def plainly_left_out(of: AreaClasses, region: np.ndarray, k: int) -> int:
    """Records in classes below k of their region, counted one by one."""
    sizes: dict[tuple[int, int], int] = {}
    table = of.counts.tocoo()
    for area, of_class, n in zip(*table.coords, table.data, strict=True):
        key = int(region[area]), int(of_class)
        sizes[key] = sizes.get(key, 0) + int(n)
    return sum(n for n in sizes.values() if n < k)


def crowded(n: int) -> AreaClasses:
    """Areas with so many classes that most records are left out where each is a region."""
    return province(n, (2, 9, 8), seed=2, vary=0.5)


def check(of: AreaClasses, k: int, share: float, search) -> Target:
    """The answer is one of the runs of every number, keeps to the share, and says what it tried."""
    every = {n: search(aggregate(of, k, number=n), progress=nobody) for n in range(1, of.n_areas + 1)}
    target = regions_for_target(of, k, share, search=search)
    kept = {n for n, run in every.items() if plainly_left_out(of, run.region_of_area, k) <= share * of.n_records}
    assert np.array_equal(target.aggregation.region_of_area, every[target.asked].region_of_area)
    assert target.aggregation.asked == every[target.asked].asked
    assert len({n for n, _ in target.points}) == len(target.points) <= MOST_TRIES + 1
    for n, measures in target.points:
        assert measures.left_out == plainly_left_out(of, every[n].region_of_area, k)
    if target.is_kept:
        assert target.asked in kept and kept.isdisjoint(target.beyond)
    else:
        assert target.asked == 1 and not kept
    if target.is_ended and target.is_kept:
        after = range(target.asked + 1, min(target.asked + LOOK_BEYOND, of.n_areas) + 1)
        assert set(after) <= set(target.beyond), "what is missed is farther than those that were looked at"
        assert not kept.intersection(after)
    return target


@settings(max_examples=40)
@given(st.integers(0, 2**31), st.integers(1, 18), st.sampled_from([2, 3, 5, 40]), st.floats(0, 1))
def test_exchanged_regions_keep_to_the_target_and_are_never_fewer_than_balanced_ones(seed, n, k, share):
    of = province(n, (2, 4), seed=seed, vary=0.5)
    assert check(of, k, share, exchange).asked >= regions_for_target(of, k, share).asked


@settings(max_examples=40)
@given(st.integers(0, 2**31), st.integers(1, 18), st.sampled_from([2, 3, 5, 40]), st.floats(0, 1))
def test_clustered_regions_keep_to_the_target_also_where_they_leave_out_more(seed, n, k, share):
    check(province(n, (2, 4), seed=seed, vary=0.5), k, share, clustered)


@pytest.mark.parametrize("share", [0.0, 0.05, 0.2, 0.5, 1.0])
@pytest.mark.parametrize(
    "change", [lambda n: (2 * n + 1) // 3, lambda n: max(1, n - n % 7), lambda n: n + 5, lambda n: 3 * n]
)
def test_whatever_the_search_does_few_numbers_are_tried_and_the_answer_is_one_of_them(change, share):
    """A third fewer regions, fewer in steps, a few more, and far more."""

    def of_a_number(n: int) -> int:
        return 1 if n == 1 else min(70, change(n))

    check(crowded(70), 5, share, partial(of_another_number, of_a_number))


def test_many_more_regions_are_found_in_few_tries():
    of = crowded(250)
    search = partial(of_another_number, lambda n: (n + 1) // 2)
    target = regions_for_target(of, 5, 0.03, search=search)
    placed = regions_for_target(of, 5, 0.03)
    assert 5 < placed.asked < 125 and 2 * placed.asked - 1 <= target.asked and len(target.points) < 18


def test_the_same_is_tried_whatever_is_known_already_and_however_often():
    of = crowded(60)
    first = regions_for_target(of, 5, 0.1, search=exchange)
    curve = regions_for_target(of, 5, 0.1).points
    again = regions_for_target(of, 5, 0.1, search=exchange, curve=curve)
    assert [n for n, _ in again.points] == [n for n, _ in first.points] and again.asked == first.asked
    assert again.aggregation.key == first.aggregation.key


@pytest.mark.parametrize("most", [1, 2, 4])
def test_a_search_that_may_try_no_more_says_so(most):
    of = crowded(70)
    whole = regions_for_target(of, 5, 0.05, search=exchange)
    part = regions_for_target(of, 5, 0.05, search=exchange, most_tries=most)
    assert whole.is_ended and not part.is_ended and len(part.points) == most
    assert part.is_kept and regions_for_target(of, 5, 0.05).asked <= part.asked <= whole.asked
    with refused("number-out-of-range"):
        regions_for_target(of, 5, 0.05, search=exchange, most_tries=0)


def test_progress_hands_on_the_best_so_far_and_may_stop():
    of = crowded(60)
    reports: list[tuple[float, Target | None]] = []
    target = regions_for_target(
        of, 5, 0.1, search=exchange, progress=lambda *report: reports.append((*report, None)[:2])
    )
    assert all(0 <= share <= 1 for share, _ in reports) and reports[-1][0] == 1
    bests = [best for _, best in reports if best is not None]
    assert len(bests) == len(target.points), "one after each try"
    assert all(best.is_kept and not best.is_ended for best in bests)
    assert [best.asked for best in bests] == sorted(best.asked for best in bests) and bests[-1].asked == target.asked
    assert [len(best.points) for best in bests] == list(range(1, len(bests) + 1))

    def stop(share: float, best: Target | None = None, /) -> None:
        if best is not None:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        regions_for_target(of, 5, 0.1, search=exchange, progress=stop)

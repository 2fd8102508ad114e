"""Who may come: numbers of people, draws without replacement, and what they say of a policy."""

from __future__ import annotations

from collections import Counter
from math import comb, sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.forecast import (
    NewPeople,
    Promise,
    RiskForecast,
    below_after,
    confidence_interval,
    draw_futures,
    forecast,
    kept_after_each,
    past_periods,
)
from anonlib.analyses.frontier import PolicySpace
from anonlib.counting.classes import ClassTable
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.reference.forecast import Row, all_draws, below, expected_share, rows_of

FEW = settings(max_examples=40)
PEOPLE: list[Row] = [("x", "1"), ("x", "1"), ("x", "2"), ("y", "1"), ("y", "2"), ("y", "2"), ("z", "2")]


def table(people: list[Row], names: tuple[str, ...] = ("place", "age")) -> ClassTable:
    return ClassTable.from_frame(pd.DataFrame(people, columns=list(names)))


def assert_alike(counted: Counter, chances: dict, draws: int) -> None:
    """How often each outcome came is within five standard errors of its chance, and none without one came."""
    assert set(counted) <= set(chances)
    for outcome, chance in chances.items():
        assert abs(counted[outcome] / draws - chance) <= 5 * sqrt(chance * (1 - chance) / draws) + 1e-12, outcome


def chances_of(people: list[Row], numbers: dict[str, int] | int, k: int) -> dict[int, float]:
    """Of each number of people below k, its chance, from every draw that there is."""
    every = [below(draw, k) for draw in all_draws(people, numbers)]
    return {value: n / len(every) for value, n in Counter(every).items()}


@pytest.mark.parametrize("numbers", [3, 6, {"x": 2, "y": 2}, {"x": 3, "y": 1, "z": 1}])
def test_draws_are_as_likely_as_all_draws_counted(numbers: dict[str, int] | int) -> None:
    people = NewPeople.of(numbers) if isinstance(numbers, int) else NewPeople.by_place("place", dict(numbers))
    futures = draw_futures(table(PEOPLE), people, 20_000, np.random.default_rng(5))
    drawn = forecast(futures, np.arange(futures.classes.n_classes), 2)
    assert_alike(Counter(drawn.below.tolist()), chances_of(PEOPLE, numbers, 2), 20_000)


def test_the_first_of_a_draw_are_a_draw_of_fewer() -> None:
    futures = draw_futures(table(PEOPLE), NewPeople.of(6), 20_000, np.random.default_rng(1))
    counted, _ = below_after(futures, np.arange(futures.classes.n_classes), np.full((20_000, 1), 3), 2)
    assert_alike(Counter(counted[:, 0].tolist()), chances_of(PEOPLE, 3, 2), 20_000)


def test_the_mean_is_that_of_the_hypergeometric_distribution() -> None:
    sizes = [40, 7, 25, 3, 1, 24]
    people = [(str(i), "1") for i, size in enumerate(sizes) for _ in range(size)]
    futures = draw_futures(table(people), NewPeople.of(30), 20_000, np.random.default_rng(2))
    drawn = forecast(futures, np.arange(len(sizes)), 11)
    error = drawn.share.std() / sqrt(20_000)
    assert abs(drawn.expected - expected_share(sizes, 30, 11)) < 5 * error


@FEW
@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("1234")), min_size=1, max_size=30), st.data())
def test_counts_are_those_of_the_people_drawn(people: list[Row], data: st.DataObject) -> None:
    classes = table(people)
    number, k = data.draw(st.integers(1, len(people))), data.draw(st.integers(2, 5))
    group = np.array(data.draw(st.lists(st.integers(0, 5), min_size=classes.n_classes, max_size=classes.n_classes)))
    futures = draw_futures(classes, NewPeople.of(number), 20, np.random.default_rng(data.draw(st.integers(0, 99))))
    drawn = forecast(futures, group, k)
    size = Counter(int(group[cell]) for cell, n in enumerate(classes.counts) for _ in range(n))
    promise = Promise(k, data.draw(st.sampled_from([0.0, 0.1, 0.5])))
    kept = kept_after_each(futures, group, promise)
    for i, cells in enumerate(futures.cells.tolist()):
        labels = [int(group[cell]) for cell in cells]
        assert drawn.below[i] == below(labels, k)
        assert drawn.matches[i] == pytest.approx(sum(1 / size[label] for label in labels))
        assert all(n <= classes.counts[cell] for cell, n in Counter(cells).items())  # nobody comes twice
    for n in range(1, number + 1):
        shares = [below([int(group[cell]) for cell in cells[:n]], k) / n for cells in futures.cells.tolist()]
        assert kept[n] == sum(share <= promise.most for share in shares)


def test_people_come_from_their_places() -> None:
    numbers = NewPeople.by_place("place", {"x": 2, "z": 1, "y": 3})
    for draw in rows_of(draw_futures(table(PEOPLE), numbers, 50)):
        assert Counter(place for place, _ in draw) == {"x": 2, "z": 1, "y": 3}


def test_all_of_a_population_come() -> None:
    for draw in rows_of(draw_futures(table(PEOPLE), NewPeople.of(len(PEOPLE)), 5)):
        assert sorted(draw) == sorted(PEOPLE)


def test_a_seed_gives_the_same_draws() -> None:
    one, same, other = (draw_futures(table(PEOPLE), NewPeople.of(4), 30, np.random.default_rng(s)) for s in (1, 1, 2))
    assert (one.cells == same.cells).all() and one.seed == same.seed
    assert one.seed != other.seed and (one.cells != other.cells).any()
    assert (one.cells == draw_futures(table(PEOPLE), NewPeople.of(4), 30, np.random.default_rng(1)).cells).all()


def test_each_draw_takes_one_of_the_scenarios() -> None:
    scenarios = NewPeople.by_place("place", [{"x": 1}, {"y": 3}, {"x": 2, "y": 1, "z": 1}])
    drawn = Counter(
        tuple(sorted(Counter(place for place, _ in draw).items()))
        for draw in rows_of(draw_futures(table(PEOPLE), scenarios, 9_000))
    )
    thirds = dict.fromkeys([(("x", 1),), (("y", 3),), (("x", 2), ("y", 1), ("z", 1))], 1 / 3)
    assert_alike(drawn, thirds, 9_000)


def test_people_of_places_come_in_turn() -> None:
    people = [("x", "1")] * 60 + [("y", "1")] * 30 + [("z", "1")] * 10
    for draw in rows_of(draw_futures(table(people), NewPeople.by_place("place", {"x": 60, "y": 30, "z": 10}), 3)):
        for n in range(1, 101):
            at = Counter(place for place, _ in draw[:n])
            assert all(abs(at[place] - n * share) <= 1 for place, share in (("x", 0.6), ("y", 0.3), ("z", 0.1)))


def test_a_policy_of_intervals_is_forecast_too() -> None:
    classes = table(PEOPLE)
    space = PolicySpace(classes)
    policy = space.bottom.copy()
    policy[0] = False
    label = dict(space.recode(policy)["place"].labels_of)
    codes = [(label[place], age) for place, age in zip(classes.column("place"), classes.column("age"), strict=True)]
    group = np.array([sorted(set(codes)).index(code) for code in codes])
    futures = draw_futures(classes, NewPeople.of(5), 100)
    released = [[(label[place], age) for place, age in draw] for draw in rows_of(futures)]
    assert forecast(futures, group, 3).below.tolist() == [below(draw, 3) for draw in released]


# ---- what is said of draws ----


def test_a_quantile_is_at_most_what_is_kept_in_as_many_draws() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        people = np.full(40, 50)
        drawn = RiskForecast(11, people, rng.integers(0, 6, 40), np.zeros(40), 0)
        promise = Promise(11, float(rng.integers(0, 6)) / 50, float(rng.integers(1, 101)) / 100)
        enough = drawn.kept(promise) >= promise.needed(40)
        assert enough == (drawn.quantile(promise.certainty) <= promise.most)


def test_a_release_of_nobody_has_no_share() -> None:
    drawn = RiskForecast(11, np.array([0, 4]), np.array([0, 4]), np.zeros(2), 0)
    assert drawn.share.tolist() == [0, 1] and drawn.expected == 0.5
    assert drawn.to_frame()["below 11"].tolist() == [0, 4]


@pytest.mark.parametrize(("kept", "draws"), [(953, 1000), (0, 20), (20, 20), (1, 7)])
def test_the_interval_is_that_of_the_binomial_tails(kept: int, draws: int) -> None:
    from scipy.stats import binom

    low, high = confidence_interval(kept, draws)
    assert low == 0 if kept == 0 else binom.sf(kept - 1, draws, low) == pytest.approx(0.025)
    assert high == 1 if kept == draws else binom.cdf(kept, draws, high) == pytest.approx(0.025)


def test_how_many_draws_a_promise_needs() -> None:
    assert Promise(certainty=0.95).needed(1_000) == 950
    assert Promise(certainty=0.951).needed(1_000) == 951 and Promise(certainty=1.0).needed(7) == 7
    assert Promise(certainty=0.07).needed(100) == 7  # and not 8, by rounding


# ---- numbers ----


def test_numbers_are_spread_as_they_were() -> None:
    past = NewPeople.by_place("place", [{"x": 10, "y": 1}, {"x": 20, "z": 2}])
    spread = past.spread(11)
    assert spread.places == ("x", "y", "z") and spread.counts.tolist() == [[10, 0, 1]]
    for number in range(1, 70):
        assert past.spread(number).counts.sum() == number


def test_periods_that_count_together() -> None:
    past = NewPeople.by_place("place", [{"x": 1, "y": 1}, {"x": 2}, {"x": 4, "y": 5}])
    assert past.within(2).counts.tolist() == [[3, 1], [6, 5]]
    assert past.within(3).counts.tolist() == [[7, 6]]
    assert NewPeople.of(5).within(4).counts.tolist() == [[20]]
    with refused("number-out-of-range"):
        past.within(4)


def test_past_weeks_are_counted_by_day() -> None:
    days = ["2024-01-03", "2024-01-08", "2024-01-14", "2024-01-15", None, "2024-01-30", "unknown", "2024-02-01"]
    records = pd.DataFrame({"day": days, "place": ["x", "x", "y", "y", "y", "x", "x", "y"]})
    past = past_periods(ClassTable.from_frame(records), "day", "week", "place")
    assert past is not None and past.uncounted == 2
    assert past.first_days.astype(str).tolist() == ["2024-01-08", "2024-01-15", "2024-01-22"]
    assert past.people.places == ("x", "y") and past.people.counts.tolist() == [[1, 1], [0, 1], [0, 0]]
    months = past_periods(ClassTable.from_frame(records), "day", "month")
    assert months is not None and months.people.numbers.tolist() == [5, 1]  # two alone: none is left out
    days_ = past_periods(ClassTable.from_frame(records), "day", "day")
    assert days_ is not None and days_.people.numbers.sum() == 4 and len(days_.first_days) == 28
    assert past_periods(ClassTable.from_frame(records), "place", "week") is None


def test_a_person_of_several_dates_comes_once() -> None:
    visits = pd.DataFrame(
        {"id": ["a", "a", "b", "c", "d"], "day": ["2024-03-20", "2024-03-05", "2024-03-12", "2024-03-01", "2024-03-21"]}
    )
    past = past_periods(ClassTable.from_frame(visits, ["day"], person="id"), "day", "week")
    assert past is not None and past.people.numbers.tolist() == [1, 1]
    assert past.first_days.astype(str).tolist() == ["2024-03-04", "2024-03-11"]


# ---- what cannot be drawn ----


def test_more_people_than_there_are() -> None:
    with refused("population-too-small") as caught:
        draw_futures(table(PEOPLE), NewPeople.of(8))
    assert "8 people are to come of 7 who could" in str(caught.value)


def test_a_place_without_enough_people() -> None:
    with refused("population-too-small", "place") as caught:
        draw_futures(table(PEOPLE), NewPeople.by_place("place", {"x": 4, "y": 1, "secret": 1}))
    assert "2 places" in str(caught.value) and "1 of them nobody at all" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_place_that_is_no_column() -> None:
    with refused("population-lacks-columns", "county"):
        draw_futures(table(PEOPLE), NewPeople.by_place("county", {"x": 1}))


def test_too_many_draws() -> None:
    with refused("number-out-of-range"):
        draw_futures(table(PEOPLE), NewPeople.of(6), 10_000_000)


@pytest.mark.parametrize("number", [0, -1, 2.5, True])
def test_numbers_that_are_none(number: object) -> None:
    with refused("number-out-of-range"):
        NewPeople.of(number)  # type: ignore[arg-type]
    if number != 0:
        with refused("number-out-of-range"):
            NewPeople.by_place("place", {"x": number})  # type: ignore[dict-item]


def test_numbers_without_anybody() -> None:
    with refused("number-out-of-range"):
        NewPeople.by_place("place", {"x": 0})
    with refused("options-missing"):
        NewPeople(np.zeros((0, 1), dtype=np.int64))


@pytest.mark.parametrize("given_", [{"k": 1}, {"most": -0.1}, {"most": 1.1}, {"certainty": 0}, {"certainty": 1.2}])
def test_promises_out_of_range(given_: dict) -> None:
    with refused("number-out-of-range"):
        Promise(**given_)


def test_the_tiny_example_of_the_document() -> None:
    """60 women and 40 men: in how many draws both are 11 or more."""
    everybody = [("F", "1")] * 60 + [("M", "1")] * 40
    futures = draw_futures(table(everybody), NewPeople.of(40), 20_000)
    kept = kept_after_each(futures, np.arange(2), Promise(11, 0.0)) / 20_000
    for n, printed in ((20, 0.0), (30, 0.746), (35, 0.934), (40, 0.990)):
        chance = sum(comb(60, women) * comb(40, n - women) for women in range(11, n - 10)) / comb(100, n)
        assert round(chance, 3) == printed and abs(kept[n] - chance) <= 5 * sqrt(chance * (1 - chance) / 20_000)


def test_long_draws_are_ended_by_their_progress() -> None:
    class Ended(Exception):
        pass

    def end(share: float, _: object = None, /) -> None:
        shares.append(share)
        if share > 0.3:
            raise Ended

    people = [("x", str(i % 7)) for i in range(3_000)]
    shares: list[float] = []
    draw_futures(table(people), NewPeople.of(2_500), 2_000, progress=lambda share, _=None, /: shares.append(share))
    assert len(shares) == 3 and shares == sorted(shares) and shares[-1] == 1
    shares.clear()
    with pytest.raises(Ended):
        draw_futures(table(people), NewPeople.of(2_500), 2_000, progress=end)
    assert len(shares) == 1

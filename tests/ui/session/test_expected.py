"""What is promised is measured: a machine that is twice as slow is promised twice the time."""

from __future__ import annotations

import pytest

from ui.session import long_work


def work(steps: int, clock: list[float], a_step: float):
    """Work of so many steps, each of which takes so long."""

    def compute(tell):
        for i in range(steps):
            clock[0] += a_step
            tell((i + 1) / steps, None)
        return "done"

    return compute


@pytest.mark.parametrize("a_step", [0.05, 0.1, 2.0])
def test_the_promise_is_what_the_work_takes_here(monkeypatch, a_step):
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    assert long_work.seconds_of(work(400, clock, a_step)) == pytest.approx(400 * a_step)
    assert clock[0] - 100 < 4.1, "it is tried for a moment only"


def test_getting_ready_is_no_measure_of_the_rest(monkeypatch):
    """Ten seconds of it, then a hundred steps of a second each."""
    clock = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])

    def compute(tell):
        clock[0] += 10.0
        tell(0.0)
        work(100, clock, 1.0)(tell)

    assert long_work.seconds_of(compute) == pytest.approx(110.0)


def test_what_is_done_in_a_moment_took_that_long_and_what_tells_nothing_is_not_promised(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    assert long_work.seconds_of(work(3, clock, 0.1)) == pytest.approx(0.3)
    assert long_work.seconds_of(work(100_000, clock, 0.5)) is None


def test_stages_are_promised_by_how_much_work_each_is():
    assert long_work.seconds_of_all(2.0, [1, 3, 6]) == 20.0
    assert long_work.seconds_of_all(None, [1, 3]) is None and long_work.seconds_of_all(1.0, [1, float("inf")]) is None


def test_the_rest_follows_from_what_is_done():
    assert long_work.time_left(60, 0.5) == "about 60 s left" and long_work.time_left(60, 0.25) == "about 3 minutes left"
    assert long_work.time_left(120, 0.25) == "about 6 minutes left", "twice as slow"
    assert not long_work.time_left(3, 0.004), "0% is no measure of the rest"
    assert not long_work.time_left(1, 0.5) and not long_work.time_left(60, 0.0) and not long_work.time_left(60, 1.0)


def test_durations_are_in_plain_words_no_more_exact_than_they_are():
    in_words = [long_work.duration(seconds) for seconds in (0, 1.4, 47, 300, 2_900, 20_000)]
    assert in_words == [
        "about 1 s",
        "about 1 s",
        "about 45 s",
        "about 5 minutes",
        "about 50 minutes",
        "more than an hour",
    ]

"""The solver beside the caller's thread: what is raised on either side ends both."""

from __future__ import annotations

import time

import pytest
from ortools.sat.python import cp_model

from anonlib.analyses.schedules.solver.search import Deadline, solve
from anonlib.basics.budget import A_SECOND, about_seconds


def many_solutions() -> cp_model.CpModel:
    """A model that is not soon done with."""
    model = cp_model.CpModel()
    numbers = [model.new_int_var(0, 50, "") for _ in range(30)]
    model.add(sum(numbers) == 700)
    model.minimize(sum((i * 7919) % 101 * number for i, number in enumerate(numbers)))
    return model


def test_what_the_reader_of_solutions_raises_is_raised_again():
    def read(solver) -> None:
        raise LookupError("no such cell")

    with pytest.raises(LookupError, match="no such cell"):
        solve(many_solutions(), Deadline(about_seconds(60.0)), 0, read)


def test_what_the_watch_raises_is_raised_again():
    def tell(share: float) -> None:
        raise LookupError("stop")

    with pytest.raises(LookupError, match="stop"):
        solve(many_solutions(), Deadline(about_seconds(60.0), tell), 0, lambda solver: time.sleep(0.1))


def test_without_time_there_is_a_status_all_the_same():
    _, status = solve(many_solutions(), Deadline(about_seconds(0.0)), 0)
    assert status in (cp_model.UNKNOWN, cp_model.FEASIBLE, cp_model.OPTIMAL)


def test_a_part_of_the_time_is_no_more_than_is_left_and_tells_of_the_whole():
    reports: list[float] = []
    whole = Deadline(about_seconds(100.0), reports.append)
    assert 99 * A_SECOND < whole.part(1000 * A_SECOND).work <= 100 * A_SECOND
    part = whole.part(50 * A_SECOND).part(0.0)
    assert part.work == 0 and not part.may_go_on()
    assert len(reports) == 1 and reports[0] < 0.01
    assert Deadline(about_seconds(0.0)).part(1.0).work == 0

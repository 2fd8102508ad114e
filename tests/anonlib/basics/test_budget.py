"""A budget is spent by work alone; a clock ends a search early, and that is marked."""

from __future__ import annotations

import pytest

from anonlib.basics.budget import A_SECOND, UNLIMITED, Budget, Over, about_seconds
from tests.helpers.errors import refused


def test_work_is_counted_and_the_clock_is_not_looked_at(monkeypatch):
    monkeypatch.setattr("time.monotonic", iter([0.0]).__next__)  # a second look would fail
    spending = Budget(work=10).begun()
    spending.spend(9)
    spending.raise_if_over()
    assert spending.share == 0.9
    spending.spend(1)
    with pytest.raises(Over):
        spending.raise_if_over()
    assert not spending.ended_early


def test_a_clock_ends_early_and_says_so(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    spending = Budget(work=10, seconds=5).begun()
    spending.spend(1)
    now[0] = 4.9
    spending.raise_if_over()
    assert spending.share == pytest.approx(0.98), "of the time, which is further on"
    now[0] = 5.0
    with pytest.raises(Over):
        spending.raise_if_over()
    assert spending.ended_early


def test_parts_and_sizes_of_budgets():
    assert Budget(10, 4).part(0.5) == Budget(5, 2) and UNLIMITED.part(0.5) == UNLIMITED
    assert UNLIMITED.is_unlimited and not Budget(work=0).is_unlimited and not Budget(seconds=0).is_unlimited
    assert about_seconds(2) == Budget(work=2 * A_SECOND)
    for wrong, code in (({"work": -1}, "number-out-of-range"), ({"seconds": "long"}, "not-a-number")):
        with refused(code):
            Budget(**wrong)

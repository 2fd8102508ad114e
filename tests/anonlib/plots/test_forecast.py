"""The pictures of a forecast: lines and bars hold what they are made from, and red is more than promised."""

from __future__ import annotations

import numpy as np
import pytest

from anonlib.analyses.forecast import Promise, RiskForecast
from anonlib.plots import forecast as plots
from anonlib.plots.forecast import KeptLine
from anonlib.plots.theme import DARK, LIGHT
from tests.helpers.figures import HOSTILE

KEPT = np.minimum(np.arange(2_001), 1_000)


@pytest.mark.parametrize("dark", [False, True])
def test_lines_hold_in_how_many_draws_it_is_kept(dark):
    lines = [
        KeptLine("now", KEPT // 2, "present"),
        KeptLine("zip removed", KEPT, "other"),
        KeptLine("it", KEPT, "finest"),
    ]
    chart = plots.kept_by_number(lines, Promise(11, 0.001, 0.9), 1_000, 300, dark=dark)
    drawn = {trace.name: trace for trace in chart.data}
    for line in lines:
        trace = drawn[line.name]
        at = np.array(trace.x)
        assert at[0] == 2 and at[-1] == 2_000 and len(at) <= 240 and (np.diff(at) > 0).all()
        assert np.array_equal(trace.y, line.kept[at] / 1_000) and np.array_equal(trace.customdata, line.kept[at])
    assert drawn["it"].line.width > drawn["now"].line.width > drawn["zip removed"].line.width
    assert not drawn["zip removed"].showlegend and drawn["it"].showlegend
    limit, now = chart.layout.shapes
    assert limit.y0 == limit.y1 == 0.9 and limit.line.color == (DARK if dark else LIGHT).risky
    assert now.x0 == now.x1 == 300
    assert [note.text for note in chart.layout.annotations] == ["300 people", "asked for: 90%"]


def test_names_of_a_file_are_no_markup():
    chart = plots.kept_by_number([KeptLine(HOSTILE, KEPT, "other")], Promise(), 1_000, 300)
    (line,) = chart.data
    assert "<b>" not in line.name and "<b>" not in line.hovertemplate.replace("<br>", "").replace("<extra>", "")


@pytest.mark.parametrize("most", [0.0, 0.02, 0.05, 0.5])
def test_bars_hold_all_draws_and_red_is_more_than_promised(most):
    rng = np.random.default_rng(1)
    drawn = RiskForecast(11, np.full(500, 100), rng.integers(0, 12, 500), np.zeros(500), 0)
    promise = Promise(11, most)
    (bars,) = plots.shares(drawn, promise).data
    red = np.array(bars.marker.color) == LIGHT.risky
    assert sum(bars.y) == 500 and len(bars.x) <= 26
    assert np.array(bars.y)[~red].sum() == drawn.kept(promise)
    assert bars.x[0] == "0%" and bars.y[0] == (drawn.below == 0).sum()


def test_one_share_is_one_bar():
    drawn = RiskForecast(11, np.full(9, 100), np.zeros(9, dtype=np.int64), np.zeros(9), 0)
    (bars,) = plots.shares(drawn, Promise(11, 0.0)).data
    assert list(bars.x) == ["0%"] and list(bars.y) == [9]

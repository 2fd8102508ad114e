"""The figures of attacks: what each mark is stands in the legend, and the numbers of each row behind it."""

from __future__ import annotations

import re

import pytest

from anonlib.plots.attacks import Concluded, Success, concluded, reachable, successes
from anonlib.plots.still import svg
from tests.helpers.figures import THEMES

ROWS = (
    Success("Inference of <b>sex</b>", 0.62, 0.58, 0.66, 0.4, 0.35, "36.7%", True, ("62 of 100 tries succeed.",)),
    Success("Linkage", 0.05, 0.03, 0.08, None, 0.01, "5%", False, ()),
    Success("Membership", 1.0, 0.96, 1.0, 1.0, None, "–", False, ()),
)


@THEMES
def test_red_is_what_gains_too_much_and_has_its_own_line_in_the_legend(dark, colours):
    chart = successes(ROWS, dark=dark)
    by_name = {each.name: each for each in chart.data if each.name}
    red, others = by_name["people in the file, gain above the limit"], by_name["people in the file"]
    assert list(red.x) == [0.62] and red.marker.color == colours.risky and red.marker.symbol == "diamond"
    assert list(others.x) == [0.05, 1.0] and others.marker.color == colours.safe
    assert len(by_name) == 5 and all(each.showlegend is not False for each in by_name.values())
    none_red = successes(ROWS[1:], dark=dark)
    assert "people in the file, gain above the limit" not in [each.name for each in none_red.data]


def test_behind_each_row_stand_its_success_and_its_gain_as_they_are_in_the_tables():
    texts = [list(each.text) for each in successes(ROWS).data if each.mode == "text"]
    assert texts == [["succeed", "<b>62%</b>", "5%", "100%"], ["gain", "<b>36.7%</b>", "5%", "–"]]


@pytest.mark.parametrize("rows", [ROWS, ROWS[:1], ROWS[2:]])
def test_the_still_picture_has_legend_and_numbers(rows):
    drawn = re.findall(r"<(?:text|tspan)\b[^>]*>([^<]+)<", svg(successes(rows), 660))
    assert {"95% interval", "succeed", "gain", *(row.gained for row in rows)} <= {*drawn}


CONCLUDED = (
    Concluded("any sensitive column", 5, 2, 30, 6, 32_561),
    Concluded("<b>ill</b>", 5, 0, None, None, 32_561),
    Concluded("ward", 0, 2, None, None, 32_561),
)


@THEMES
def test_red_and_hatched_is_whose_value_is_certain_and_who_is_left_out_for_one(dark, colours):
    chart = concluded(CONCLUDED, "records", dark=dark)
    bars = {each.name: each for each in chart.data if each.type == "bar"}
    assert list(bars) == ["certain", "left out for a value", "not shown to be safe", "safe"]
    assert {*bars["certain"].marker.color, *bars["left out for a value"].marker.color} == {colours.risky}
    assert bars["safe"].marker.color == colours.safe
    assert [width > 0 for width in bars["certain"].x] == [True, True, False], "few are seen beside many, nobody is not"
    texts = [list(each.text) for each in chart.data if each.type == "scatter"]
    assert texts == [
        ["certain", "<b>5</b>", "<b>5</b>", "0"], ["not shown safe", "2", "0", "2"], ["safe", "30", "", ""],
        ["left out", "<b>6</b>", "", ""],
    ]  # fmt: skip
    assert "<b>" not in chart.layout.yaxis.ticktext[1]


@THEMES
def test_the_probability_that_a_value_can_reach_is_the_formula(dark, colours):
    chart = reachable(25.0, 0.45, dark=dark)
    by_name = {each.name: each for each in chart.data}
    shown, most = by_name["what the release shows"], by_name["can be reached at most"]
    assert list(shown.x) == list(shown.y)
    assert list(most.y) == pytest.approx([25 * share / (25 * share + 1 - share) for share in most.x])
    assert list(by_name["this release"].y) == pytest.approx([25 * 0.45 / (25 * 0.45 + 0.55)])


def test_few_rows_have_whole_numbers_on_the_axis_up_to_all():
    chart = concluded([Concluded("ill", 1, 0, 2, 0, 3)], "records")
    assert list(chart.layout.xaxis.tickvals) == [0, 1, 2, 3]

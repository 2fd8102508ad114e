"""The bars of persons below k by what is known of their rows."""

from __future__ import annotations

from anonlib.analyses.individuals.rows_known import ByRows
from anonlib.counting.privacy_models import ALL, ONE
from anonlib.plots import history as plots
from anonlib.plots.theme import Palette
from tests.helpers.figures import THEMES, sent

FOUND = (ByRows(ONE, 3, 12, 1, 1_000), ByRows(2, None, None, None, 1_000), ByRows(3, 0, 0, 9, 1_000),
         ByRows(ALL, 40, 200, 1, 1_000))  # fmt: skip


@THEMES
def test_a_bar_each_in_their_order_from_the_top_red_and_hatched(dark: bool, colours: Palette):
    chart = sent(plots.bars(FOUND, 5, dark=dark))
    (bar,) = chart["data"]
    assert bar["x"][::-1] == [12, 0, 0, 200]
    assert bar["text"][::-1] == ["12 (1.2%), 3 alone", "not counted", "0", "200 (20%), 40 alone"]
    assert set(bar["marker"]["color"]) == {colours.risky} and set(bar["marker"]["pattern"]["shape"]) == {"/"}
    assert chart["layout"]["yaxis"]["ticktext"][::-1] == [
        "one visit known",
        "2 visits known",
        "3 visits known",
        "all visits known",
    ]
    assert "k = 5" in chart["layout"]["xaxis"]["title"]["text"]


def test_with_nobody_below_k_it_is_drawn_too():
    assert sent(plots.bars((ByRows(ONE, 0, 0, 9, 10),), 5))["data"][0]["x"] == [0]

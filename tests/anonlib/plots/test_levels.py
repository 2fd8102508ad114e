"""The picture of levels: the shares of the result, one colour a meaning, nothing red, text as text."""

from __future__ import annotations

import pytest

from anonlib.analyses.utility.levels import ColumnLevels, LevelShare
from anonlib.plots import levels as plots
from anonlib.plots.still import svg
from anonlib.plots.theme import Palette
from tests.helpers.figures import HOSTILE, THEMES, check_is_small_and_asks_nobody, check_names_are_text, sent, texts_of

LEVELS = (
    ColumnLevels(
        "age",
        (
            LevelShare("as it was", "as it was", 0.25, 1.0), LevelShare("intervals of 5", "coarser", 0.35, 0.6),
            LevelShare("intervals of 20", "coarser", 0.2, 0.3), LevelShare("removed", "all together", 0.1, 0.0),
            LevelShare("blank", "blank", 0.07, 0.0), LevelShare("missing already", "missing already", 0.03, 0.0),
        ),
    ),
    ColumnLevels("town", (LevelShare("regions", "coarser", 1.0, 0.6),)),
    ColumnLevels("note", (LevelShare("dropped", "dropped", 1.0, 0.0),)),
)  # fmt: skip


@THEMES
def test_bars_of_a_column_follow_one_another_from_0_to_1_in_the_files_order(dark: bool, colours: Palette):
    chart = sent(plots.columns(LEVELS, dark=dark))
    bars = [bar for trace in chart["data"] for bar in zip(trace["y"], trace["base"], trace["x"], strict=True)]
    for place, column in enumerate(LEVELS):
        own = sorted((base, share) for y, base, share in bars if y == place)
        assert [share for _, share in own] == pytest.approx([part.share for part in column.parts])
        assert [base for base, _ in own[1:]] == pytest.approx([base + share for base, share in own[:-1]])
    axis = chart["layout"]["yaxis"]
    assert axis["ticktext"] == ["age", "town", "note"] and axis["range"][0] > axis["range"][1], "from the top"


@THEMES
def test_equal_detail_has_one_colour_and_less_detail_a_paler_one(dark: bool, colours: Palette):
    by_name = {trace["name"]: trace["marker"] for trace in sent(plots.columns(LEVELS, dark=dark))["data"]}
    fine, coarse, region = by_name["coarser"]["color"]
    assert fine == region != coarse and by_name["as it was"]["color"] == [colours.much]
    assert by_name["removed"]["color"] == [colours.little]
    shades = [colours.much, fine, coarse, colours.little]
    brightness = [sum(int(shade[i : i + 2], 16) for i in (1, 3, 5)) for shade in shades]
    assert brightness == sorted(brightness, reverse=dark), "towards the page"
    hatched = {name for name, marker in by_name.items() if "/" in marker["pattern"]["shape"]}
    assert hatched == {"blank"}, "told from the rest without colours"


@THEMES
def test_it_is_small_compact_and_nothing_is_red(dark: bool, colours: Palette):
    chart = plots.columns(LEVELS, dark=dark)
    check_is_small_and_asks_nobody(chart)
    assert colours.risky not in texts_of(sent(chart))
    assert plots.columns(LEVELS * 3 + LEVELS[:1]).layout.height <= 320, "10 columns"
    assert plots.columns(()).layout.height > 0


def test_names_of_columns_and_levels_are_text():
    hostile = (ColumnLevels(HOSTILE, (LevelShare(HOSTILE, "coarser", 1.0, 0.5),)),)
    check_names_are_text(plots.columns(hostile))


def test_it_stands_still_in_a_report_with_its_legend():
    picture = svg(plots.columns([column.for_anybody for column in LEVELS]))
    assert "blank or missing" in picture and "missing already" not in picture and "intervals of 5" in picture


def test_the_name_of_a_level_is_shortened_where_its_bar_has_no_room():
    long = "intervals of 10, 30 and above together, and what is missing with them"
    chart = sent(plots.columns((ColumnLevels("age", (LevelShare(long, "coarser", 1.0, 0.5),)),)))
    (text,) = [text for trace in chart["data"] for text in trace["text"] if text]
    assert text.endswith("…") and long.startswith(text[:-1]) and 20 < len(text) < len(long)

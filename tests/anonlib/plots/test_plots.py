"""Figures show the numbers they are given, run no text of a file as markup, and ask nothing of another host."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.risk import attribute_contributions
from anonlib.counting.classes import AnonymityVector, ClassTable, anonymity_vector
from anonlib.plots import risk, theme
from tests.helpers.figures import HOSTILE, THEMES, check_is_small_and_asks_nobody, check_names_are_text

SIZES = st.lists(st.integers(1, 30) | st.integers(1, 60_000), max_size=12)


@given(SIZES, st.integers(1, 60))
def test_bins_hold_every_class_once_and_none_mixes_sizes_on_both_sides_of_k(sizes, k):
    vector = anonymity_vector(sizes)
    bins = risk.size_bins(vector, k)
    assert bins.lows[0] == 1 and (bins.lows[1:] == bins.highs[:-1] + 1).all() and (bins.lows <= bins.highs).all()
    assert bins.highs[-1] >= max([2 * k, *sizes])
    for low, high, classes, records in zip(bins.lows, bins.highs, bins.classes, bins.records, strict=True):
        inside = [size for size in sizes if low <= size <= high]
        assert (classes, records) == (len(inside), sum(inside))
        assert high < k or low >= k
    assert len(bins.labels) == len(set(bins.labels)) == len(bins.lows)
    assert len(bins.lows) <= 32, "few enough to read"


@given(SIZES, SIZES, st.integers(1, 60))
def test_two_variants_share_their_bins(sizes, others, k):
    vector, other = anonymity_vector(sizes), anonymity_vector(others)
    largest = max([1, *sizes, *others])
    one, two = risk.size_bins(vector, k, largest), risk.size_bins(other, k, largest)
    assert one.labels == two.labels


@THEMES
@pytest.mark.parametrize("k", [2, 5, 11, 30])
def test_red_is_what_lies_below_k_and_nothing_else(k, dark, colours):
    vector = anonymity_vector([1, 1, 3, 5, 12, 29, 30, 400])
    chart = risk.class_sizes(vector, k, dark=dark)
    bins = risk.size_bins(vector, k)
    bars = chart.data[0]
    assert [colour == colours.risky for colour in bars.marker.color] == [bool(high < k) for high in bins.highs]
    red = sum(y for y, colour in zip(bars.y, bars.marker.color, strict=True) if colour == colours.risky)
    assert red == vector.people_below(k)


def test_red_is_hatched_and_has_its_number():
    """Printed in grey, red and blue are alike."""
    chart = risk.class_sizes(anonymity_vector([1, 1, 3, 5, 12]), 5)
    bins, bars = risk.size_bins(anonymity_vector([1, 1, 3, 5, 12]), 5), chart.data[0]
    assert list(bars.marker.pattern.shape) == ["/" if high < 5 else "" for high in bins.highs]
    assert list(bars.text) == [
        f"{n}" if high < 5 and n else "" for n, high in zip(bins.records, bins.highs, strict=True)
    ]


@pytest.mark.parametrize(
    ("sizes", "scale", "log"),
    [
        ([1] * 300 + [9_700], "automatic", False),
        ([1] * 290 + [9_700], "automatic", True),
        ([5, 9_900], "automatic", False),
        ([1, 9_900], "even", False),
        ([1, 1], "logarithmic", True),
        ([], "automatic", False),
    ],
)
def test_the_axis_is_logarithmic_by_itself_where_a_red_bar_would_not_be_seen(sizes, scale, log):
    vector = anonymity_vector(sizes)
    assert risk.is_logarithmic(vector, 5, scale=scale) == log
    axis = risk.class_sizes(vector, 5, scale=scale).layout.yaxis
    assert (axis.type == "log") == log
    if log:
        assert axis.range[0] < 0 <= np.log10(max(sizes)) < axis.range[1], "one record has a height"


def test_a_large_original_makes_the_axis_logarithmic_too():
    assert risk.is_logarithmic(anonymity_vector([1, 30]), 5, anonymity_vector([200]))
    assert not risk.is_logarithmic(anonymity_vector([1, 30]), 5)


def test_the_original_is_an_outline_in_the_same_bins():
    before, after = anonymity_vector([1] * 50 + [700]), anonymity_vector([10] * 5)
    chart = risk.class_sizes(after, 5, before=before, unit="persons")
    bars, outline, *in_legend = chart.data
    assert [each.name for each in in_legend] == ["release", "release, below k = 5"]
    assert [each.marker.color for each in in_legend] == [(theme.LIGHT.safe,), (theme.LIGHT.risky,)]
    assert list(bars.x) == list(outline.x)
    assert sum(bars.y) == 50 and sum(outline.y) == 750
    assert outline.marker.color == "rgba(0,0,0,0)"
    assert "persons" in chart.layout.xaxis.title.text and chart.layout.yaxis.title.text == "persons"


def test_no_classes_make_an_empty_picture_and_no_error():
    assert sum(risk.class_sizes(anonymity_vector([]), 5).data[0].y) == 0
    assert sum(risk.class_sizes(anonymity_vector([]), 5, before=anonymity_vector([2])).data[1].y) == 2


@pytest.mark.parametrize(("classes", "angle"), [(1_000, 0), (1_000_000, -90)])
def test_numbers_that_are_wide_stand_upright(classes, angle):
    sizes = np.arange(1, 9)
    chart = risk.class_sizes(AnonymityVector(sizes, np.full(8, classes)), 5)
    assert chart.data[0].textangle == angle and chart.data[0].text[0] == f"{classes:,}"


def contributions(names: list[str]) -> tuple[pd.DataFrame, int]:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({name: rng.integers(0, 3 + i, 60).astype(str) for i, name in enumerate(names)})
    classes = ClassTable.from_frame(frame)
    return attribute_contributions(classes, k=5), classes.anonymity_vector.people_below(5)


def test_contributions_have_the_largest_on_top_with_its_number():
    table, below = contributions(["a", "b", "c"])
    chart = risk.contributions(table, below, 5)
    (bar,) = chart.data
    assert list(bar.x) == table["adds_below_k"].tolist()[::-1], "the last bar of a horizontal chart is on top"
    assert list(chart.layout.yaxis.ticktext) == table["attribute"].tolist()[::-1]
    assert list(bar.text) == [f"+{added:,}" for added in bar.x]
    for name, hover in zip(chart.layout.yaxis.ticktext, bar.hovertext, strict=True):
        without = table.set_index("attribute").loc[name, "below_k_without"]
        assert f"{without:,} without it" in hover and f"{below:,} records below k = 5" in hover


def whole_ticks(axis) -> bool:
    """From 0, and no tick between whole numbers."""
    return axis.range[0] == 0 and (axis.dtick == 1 or axis.range[1] > 6) and axis.tickformat == ",d"


@pytest.mark.parametrize("most", [0, 1, 3, 5, 6, 700])
def test_an_axis_of_records_begins_at_0_and_has_whole_numbers(most):
    table, below = contributions(["a", "b", "c"])
    chart = risk.contributions(table.assign(adds_below_k=[most, 0, 0]), below, 5)
    assert whole_ticks(chart.layout.xaxis) and chart.layout.xaxis.range[1] >= max(1, most)
    sizes = risk.class_sizes(anonymity_vector([1] * most), 5)
    assert whole_ticks(sizes.layout.yaxis) and sizes.layout.yaxis.range[1] >= max(1, most)


def test_a_column_without_which_more_are_below_k_has_its_bar_in_sight():
    table, below = contributions(["a", "b"])
    chart = risk.contributions(table.assign(adds_below_k=[4, -3]), below, 5)
    assert chart.layout.xaxis.range[0] < -3 and chart.layout.xaxis.range[1] > 4


def test_names_of_columns_are_text_and_a_figure_asks_nobody():
    check_names_are_text(risk.contributions(*contributions([HOSTILE, "b", "b" + HOSTILE]), 5))
    check_is_small_and_asks_nobody(
        risk.class_sizes(anonymity_vector([1, 2, 3]), 5, before=anonymity_vector([1])),
        risk.contributions(*contributions(["a", "b"]), 5),
    )


@pytest.mark.parametrize("dark", [False, True])
def test_what_is_risky_is_hatched_and_not_only_red(dark):
    """Red and blue are one grey on paper."""
    marker = theme.bar_marker([True, False, True], dark)
    bar = go.Figure(go.Bar(x=[1, 2, 3], y=[1, 2, 3], marker=marker)).data[0]
    colours = theme.palette(dark)
    assert list(bar.marker.color) == [colours.risky, colours.safe, colours.risky]
    assert list(bar.marker.pattern.shape) == ["/", "", "/"]
    assert bar.marker.pattern.fgcolor not in bar.marker.color
    assert list(theme.bar_marker([True, False], dark, other=["#111111", "#222222"])["color"]) == [
        colours.risky, "#222222",
    ]  # fmt: skip

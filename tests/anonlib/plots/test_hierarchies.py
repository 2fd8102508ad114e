"""The picture of a hierarchy: boxes where the groups are, labels where there is room, red where few records are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, intervals, masking, tree
from anonlib.plots import hierarchies as plots
from anonlib.plots.theme import DARK, LIGHT
from tests.helpers.figures import HOSTILE, check_names_are_text

ALCOHOL = tree({"High": ("Yes", "Any"), "No": ("Any",), "Low": ("Yes", "Any")})
DRINKS = ["High", "No", "Low"]


def boxes(chart, level: int) -> list[tuple[float, float, str]]:
    """Top, height and hover text of the boxes of a level, without their red edges."""
    bars = [bar for bar in chart.data if bar.type == "bar" and bar.hovertext is not None]
    return list(zip(bars[level].y, bars[level].width, bars[level].hovertext, strict=True))


def red(chart) -> int:
    return sum(len(bar.y) for bar in chart.data if bar.type == "bar" and bar.hovertext is None)


def test_groups_stand_together_and_say_what_they_hold():
    chart = plots.tree(ALCOHOL, ALCOHOL.on(DRINKS), [5, 2000, 1], k=5)
    texts = [[text for _, _, text in boxes(chart, level)] for level in range(3)]
    assert texts == [
        ["High<br>5 records", "Low<br>1 record", "No<br>2,000 records"],
        ["Yes<br>6 records, 2 values", "Any<br>2,000 records"],
        ["Any<br>2,006 records, 3 values"],
    ]
    assert red(chart) == 1, "Low alone; k records are enough"
    shown = chart.data[0].text
    assert shown[0].startswith("High") and "5" in shown[0]
    assert [text.split("<br>")[0] for text in chart.layout.xaxis.ticktext] == [
        "<b>Values</b>", "<b>Level 1</b>", "<b>Level 2</b>",
    ]  # fmt: skip


@given(
    st.lists(st.integers(0, 99).map(str), min_size=1, max_size=80, unique=True).flatmap(
        lambda values: st.tuples(
            st.just(values), st.lists(st.integers(0, 9), min_size=len(values), max_size=len(values))
        )
    )
)
def test_boxes_of_each_level_cover_all_values_and_records(column):
    values, records = column
    hierarchy = intervals((5, 20))
    levels = hierarchy.on(values)
    chart = plots.tree(hierarchy, levels, records, k=3)
    order = plots.leaf_order(levels)
    assert sorted(order.tolist()) == list(range(len(values)))
    few = 0
    for level in range(levels.n_levels):
        label = levels.label(level)[order]
        runs = [i for i in range(len(label)) if i == 0 or label[i] != label[i - 1]]
        assert len(runs) == len(set(label)), "every group once"
        drawn = boxes(chart, level)
        assert len(drawn) == len(runs)
        below = 0.0
        for middle, tall, _ in drawn:
            assert below <= middle - tall / 2 + 1e-9
            below = middle + tall / 2
        assert below <= len(values) + 1e-9
        held = [sum(r for r, name in zip(records, levels.label(level), strict=True) if name == label[i]) for i in runs]
        few += sum(0 < amount < 3 for amount in held)
    assert red(chart) == few


def test_many_values_are_summed_up_and_not_thinned_out():
    values = [f"{i:05d}" for i in range(5_000)]
    chart = plots.tree(masking(5), masking(5).on(values), np.ones(5_000, int), k=5)
    assert [text for _, _, text in boxes(chart, 0)] == ["5,000 values<br>5,000 records, 5,000 values"]
    assert [text.split("<br>")[0] for _, _, text in boxes(chart, 1)] == ["500 labels"]
    assert len(boxes(chart, 2)) == 50 and red(chart) == 0
    assert len(chart.to_json()) < 60_000


def test_boxes_without_room_are_named_from_first_to_last():
    values = [str(i) for i in range(100)]
    chart = plots.tree(intervals((10,)), intervals((10,)).on(values), np.ones(100, int))
    (spans,) = [trace for trace in chart.data if trace.type == "scatter"]
    assert list(spans.text) == [f"{10 * i} … {10 * i + 9}" for i in range(10)]
    assert set(chart.data[0].text) == {""}


def test_headings_are_short_and_say_how():
    cut = Hierarchy((*intervals((5,), top_group=90, top=False).recodings, EVERYTHING))
    assert plots.heading(cut, 0) == "<b>Values</b><br>as it is"
    assert plots.heading(cut, 1, 20) == "<b>Level 1</b><br>intervals of 5"
    assert plots.heading(cut, 1, 60).endswith("90 and above together")
    assert plots.heading(masking(5), 1, 18) == "<b>Level 1</b><br>first 4 characters"


@pytest.mark.parametrize("dark", [False, True])
def test_text_of_a_file_is_never_html(dark):
    values = [HOSTILE, "b" + HOSTILE, None]
    hierarchy = tree({value: (f"group of {value}",) for value in values[:2]})
    chart = plots.tree(hierarchy, hierarchy.on(values), np.ones(len(values), int), k=5, dark=dark)
    check_names_are_text(chart)
    assert chart.data[0].marker.color == (DARK if dark else LIGHT).little


@pytest.mark.parametrize("values", [[], ["a"], [None]])
def test_few_values(values):
    hierarchy = Hierarchy((EVERYTHING,))
    chart = plots.tree(hierarchy, hierarchy.on(values), [1] * len(values), k=5)
    assert len(boxes(chart, 0)) == len(values)

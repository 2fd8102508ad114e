"""The figure of the combinations that single out most."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.individuals import MinimalSets, singling_out
from anonlib.counting.classes import ClassTable
from anonlib.plots.individuals import minimal_sets
from anonlib.plots.theme import LIGHT
from tests.helpers.figures import HOSTILE, check_is_small_and_asks_nobody, check_names_are_text


def found(names: list[str], k: int = 2, max_size: int = 3) -> MinimalSets:
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({name: rng.integers(0, 4 + 3 * i, 80).astype(str) for i, name in enumerate(names)})
    return singling_out(ClassTable.from_frame(frame), k=k, max_size=max_size).minimal


def test_the_bars_are_the_first_combinations_with_the_largest_on_top():
    result = found(["a", "b", "c", "d"])
    chart = minimal_sets(result, "single out", most=5, unit="persons")
    (bar,) = chart.data
    assert len(result.sets) > 5
    assert list(bar.x) == result.counts[:5].tolist()[::-1], "the last bar of a horizontal chart is on top"
    assert list(bar.text) == [f"{n:,}" for n in bar.x]
    assert [note.text for note in chart.layout.annotations] == [" + ".join(names) for names in result.sets[:5][::-1]]
    for y, note in zip(bar.y, chart.layout.annotations, strict=True):
        assert y < note.y < y + 0.5, "its name is between the bar and the one above it"
    assert chart.layout.xaxis.range[1] > max(bar.x) and chart.layout.yaxis.range[1] > max(bar.y)
    assert LIGHT.risky not in json.dumps(chart.to_dict()["data"], default=str)
    assert "persons" in chart.layout.xaxis.title.text and "persons" in bar.hovertext[-1]


@pytest.mark.parametrize("k", [2, 5])
def test_hovering_says_what_is_counted(k):
    result = found(["a", "b"], k=k)
    for names, records, text in zip(
        result.sets[::-1], result.counts[::-1], minimal_sets(result, "single out").data[0].hovertext, strict=True
    ):
        assert text.startswith(" + ".join(names)) and "enough" in text and f"{records:,} record" in text


def test_a_line_of_names_is_never_longer_than_the_picture():
    long = "quite_a_long_name_of_a_column_in_a_register_"
    for size in (1, 2, 3, 4):
        result = found([f"{i}{long}" for i in range(size)], max_size=size)
        for note in minimal_sets(result, "single out").layout.annotations:
            assert len(note.text) <= 62
            assert ("…" in note.text) == (note.text.count("+") > 0), "cut only where it must be"


def test_one_combination_and_none_make_a_picture():
    result = found(["a"], k=60)
    assert len(minimal_sets(result, "single out").data[0].x) == len(result.sets) == 1
    none = found(["a"])
    assert not none.sets and len(minimal_sets(none, "single out").data[0].x) == 0


def test_names_of_columns_are_text_and_nothing_is_fetched():
    check_names_are_text(minimal_sets(found([HOSTILE, "b", "b" + HOSTILE]), "single out"))
    check_is_small_and_asks_nobody(minimal_sets(found(["a", "b"]), "single out"))

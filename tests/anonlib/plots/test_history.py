"""The figures of one person's history: the numbers of the result, red below k alone, text as text."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.individuals.history import History, MostTellingVisits, history
from anonlib.counting.classes import PersonTable
from anonlib.plots import history as plots
from anonlib.plots.theme import DARK, LIGHT, Palette
from tests.helpers.figures import HOSTILE, MOST, THEMES, check_names_are_text, sent


def of(text: str) -> History:
    """The history of the first of some persons, whose rows are letters."""
    rows = [(f"p{i}", letter) for i, letters in enumerate(text.split()) for letter in letters]
    table = PersonTable.from_frame(pd.DataFrame(rows, columns=["id", "x"]), ["x"], "id")
    return history(table, range(len(text.split()[0])), ["x"])


FOUND = of("abc a a a a ab ab b b c abcd")
DAYS = [19_723.0, 19_783.0, 19_723.0]


def marks(chart: dict) -> list[dict]:
    return [trace for trace in chart["data"] if "text" in trace]


@THEMES
@pytest.mark.parametrize("k", [1, 4, 100])
def test_marks_below_k_are_red_diamonds_with_their_number(dark: bool, colours: Palette, k: int):
    chart = sent(plots.timeline(FOUND, k, times=DAYS, named=["one", "two", "three"], axis="came", dark=dark))
    drawn = [
        (x, text, trace["marker"]["color"] == colours.risky, trace["marker"]["symbol"] == "diamond")
        for trace in marks(chart) for x, text in zip(trace["x"], trace["text"], strict=True)
    ]  # fmt: skip
    days = ["2024-01-01", "2024-03-01", "2024-01-01"]
    expected = [(day, str(n), n < k, n < k) for day, n in zip(days, [8, 6, 3], strict=True)]
    assert sorted(drawn) == sorted(expected)
    assert chart["layout"]["xaxis"]["title"]["text"] == "came" and "made up" not in json.dumps(chart)


def test_marks_of_one_time_stand_above_one_another():
    chart = sent(plots.timeline(FOUND, 2, times=DAYS))
    places = [place for trace in marks(chart) for place in zip(trace["x"], trace["y"], strict=True)]
    assert len(set(places)) == 3


@pytest.mark.parametrize("n", [1, 30, 200])
def test_marks_do_not_cover_one_another_while_there_is_room(n: int):
    levels = plots._levels(np.arange(n, dtype=float), ["12"] * n)
    assert min(levels) == 1 and max(levels) <= 6
    left = np.arange(n) / max(1, n - 1) * plots._WIDE
    if n <= 200:
        for level in set(levels):
            own = left[np.array(levels) == level]
            assert (np.diff(own) > 14).all()


def test_a_visit_without_a_time_is_not_drawn_and_without_any_they_stand_in_their_order():
    chart = sent(plots.timeline(FOUND, 4, times=[DAYS[0], None, DAYS[1]]))
    assert sum(len(trace["x"]) for trace in marks(chart)) == 2
    chart = sent(plots.timeline(FOUND, 4))
    assert sorted(x for trace in marks(chart) for x in trace["x"]) == [1, 2, 3]
    chart = sent(plots.timeline(FOUND, 4, times=[0.0, 30.0, 365.0], axis="day", are_days=False))
    assert sorted(x for trace in marks(chart) for x in trace["x"]) == [0, 30, 365]


@THEMES
def test_made_up_values_are_marked_in_the_figure(dark: bool, colours: Palette):
    notes = sent(plots.timeline(FOUND, 4, times=DAYS, made_up=True, dark=dark))["layout"]["annotations"]
    assert [note["text"] for note in notes] == ["<b>values made up</b>"]


@THEMES
@pytest.mark.parametrize("k", [1, 4, 100])
def test_steps_begin_with_everybody_and_end_with_those_of_just_these_rows(dark: bool, colours: Palette, k: int):
    chart = sent(plots.steps(FOUND, k, dark=dark))
    line = next(trace for trace in chart["data"] if trace.get("name") == "in the order of time")
    assert line["x"] == [0, 1, 2, 3, 4] and line["y"] == [11, 8, 4, 2, 1]
    drawn = sorted(
        (x, y, trace["marker"]["color"] == colours.risky)
        for trace in marks(chart) for x, y in zip(trace["x"], trace["y"], strict=True)
    )  # fmt: skip
    assert drawn == [(x, y, y < k) for x, y in zip(line["x"], line["y"], strict=True)]
    fewest = next(trace for trace in chart["data"] if trace.get("marker", {}).get("symbol") == "square")
    assert fewest["y"] == [3, 2, 2], "c; c with a or b"
    assert [colour == colours.risky for colour in fewest["marker"]["color"]] == [n < k for n in fewest["y"]]
    assert f"k = {k}" in [note["text"] for note in chart["layout"]["annotations"]]
    assert chart["layout"]["yaxis"]["type"] == "log"


def test_what_is_not_counted_has_no_line():
    found = replace(FOUND, telling=(FOUND.telling[0], MostTellingVisits(2, None, ())))
    chart = sent(plots.steps(found, 4))
    fewest = next(trace for trace in chart["data"] if trace.get("marker", {}).get("symbol") == "square")
    assert fewest["y"] == [3, None, 2] and "not counted" in fewest["hovertext"][1], "all three are known to leave two"


@pytest.mark.parametrize("other", [LIGHT, DARK], ids=["light", "dark"])
def test_nothing_else_is_red(other: Palette):
    """With nobody below k just its line is."""
    charts = [plots.timeline(FOUND, 1, times=DAYS), plots.steps(FOUND, 1)]
    assert other.risky not in json.dumps([sent(charts[0]), sent(charts[1])["data"]])


def test_one_visit_and_a_thousand_are_drawn():
    for found in (of("a a b"), of("a" * 1_000 + " a")):
        for chart in (plots.timeline(found, 5), plots.steps(found, 5)):
            assert len(chart.to_json()) < MOST
    chart = sent(plots.timeline(of("a" * 1_000 + " a"), 1))
    assert not any(text for trace in marks(chart) for text in trace["text"]), "no room for the numbers of so many"


def test_what_a_file_holds_is_text():
    check_names_are_text(plots.timeline(FOUND, 4, times=DAYS, named=[HOSTILE] * 3, axis=HOSTILE))

"""What the figures of information loss say: the numbers of the results, red only past a limit, text as text."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.leakage import LeakageTable, compare_leakage, information_loss
from anonlib.basics.words import percent
from anonlib.counting.classes import ClassTable
from anonlib.plots import leakage as plots
from anonlib.plots.theme import Palette, palette
from tests.helpers.figures import HOSTILE, THEMES, check_names_are_text, contrast, sent, texts_of

ROWS = [("x", "1", "p", "k"), *[("y", "1", "p", "k"), ("y", "2", "q", "k")] * 4, ("z", "2", "p", "k")]
NAMES = ["rare", "even", "skewed", "constant"]


def table(names: list[str] = NAMES, rows: list[tuple] = ROWS, max_size: int = 2, k: int = 3) -> LeakageTable:
    return information_loss(ClassTable.from_frame(pd.DataFrame(rows, columns=names)), max_size=max_size, k=k)


def traces(chart, kind: str) -> list[dict]:
    return [trace for trace in sent(chart)["data"] if trace["type"] == kind]


@THEMES
def test_bars_and_marks_are_the_losses_and_red_is_past_a_limit(dark: bool, colours: Palette):
    found = table()
    chart = plots.losses(found, average=0.2, worst=0.5, unit="persons", bold=["even"], dark=dark)
    bars, small = traces(chart, "bar")
    marks, numbers = traces(chart, "scatter")
    order = bars["customdata"]
    assert [found.sets[i][0] for i in order[::-1]] == ["even", "skewed", "rare", "constant"], "the leakiest on top"
    assert bars["x"] == pytest.approx(found.normalized[order].tolist())
    assert marks["x"] == pytest.approx(found.worst_normalized[order].tolist()) and small["x"] == [0, 2, 0, 0]
    assert bars["marker"]["color"] == [colours.risky if one > 0.2 else colours.safe for one in bars["x"]]
    assert marks["marker"]["color"] == [colours.risky if one > 0.5 else colours.ink for one in marks["x"]]
    assert small["marker"]["color"] == [colours.risky if one else colours.safe for one in small["x"]]
    assert numbers["text"][0] == "says nothing" and numbers["text"][1] == "<b>27.8%</b> · <b>100%</b>"
    assert marks["customdata"] == small["customdata"] == order
    layout = sent(chart)["layout"]
    assert layout["yaxis"]["ticktext"][3] == "<b>even</b>" and layout["yaxis"]["ticktext"][1] == "rare"
    assert {"average above 20%", "worst above 50%"} <= {one["text"] for one in layout["annotations"]}
    assert layout["xaxis2"]["title"]["text"] == "persons below 3"
    assert layout["xaxis2"]["range"][0] == 0 and layout["xaxis2"]["dtick"] == 1, "no half persons"


@THEMES
def test_in_grey_print_what_is_past_a_limit_is_striped_a_diamond_or_bold(dark: bool, colours: Palette):
    found = table()
    chart = plots.losses(found, average=0.2, worst=0.5, dark=dark)
    compared = plots.before_after(compare_leakage(found, found), range(len(NAMES)), average=0.2, worst=0.5, dark=dark)
    for figure in (chart, compared):
        for bars in traces(figure, "bar"):
            striped = [bool(shape) for shape in bars["marker"]["pattern"]["shape"]]
            assert striped == [colour == colours.risky for colour in bars["marker"]["color"]]
            assert bars["marker"]["pattern"]["fillmode"] == "overlay", "the colour stays"
        for marks in traces(figure, "scatter"):
            if "marker" in marks and marks["x"] != [None]:
                diamonds = [symbol == "diamond-tall" for symbol in marks["marker"]["symbol"]]
                assert diamonds == [colour == colours.risky for colour in marks["marker"]["color"]]
    assert any(traces(chart, "bar")[0]["marker"]["pattern"]["shape"])
    (numbers,) = [trace for trace in traces(chart, "scatter") if trace["mode"] == "text"]
    bars = traces(chart, "bar")[0]
    for text, share in zip(numbers["text"], bars["x"], strict=True):
        assert text.startswith("<b>") == (share > 0.2)


def test_limits_that_are_off_draw_nothing_and_nothing_is_red():
    chart = plots.losses(table(k=1))
    layout = sent(chart)["layout"]
    assert not layout.get("annotations") and not layout.get("shapes")
    assert palette().risky not in texts_of(sent(chart))


def test_a_limit_that_is_met_is_not_red():
    found = table(["a"], [("x",), ("x",), ("y",), ("y",)], 1, 2)
    at = float(found.normalized[0])
    assert palette().risky not in traces(plots.losses(found, average=at, worst=at), "bar")[0]["marker"]["color"]


@THEMES
def test_pairs_are_the_losses_of_both_and_the_diagonal_of_one(dark: bool, colours: Palette):
    found = table()
    chart = plots.pairs(found, dark=dark)
    names = sent(chart)["layout"]["xaxis"]["ticktext"]
    assert names == ["even", "skewed", "rare", "constant"] == sent(chart)["layout"]["yaxis"]["ticktext"]
    light_ink, dark_ink = traces(chart, "heatmap")
    cells = [
        [[np.nan if cell is None else cell for cell in row] for row in trace["z"]] for trace in (light_ink, dark_ink)
    ]
    drawn = np.where(np.isnan(cells[0]), cells[1], cells[0])
    assert (np.isnan(cells[0]) != np.isnan(cells[1])).all(), "each cell is drawn once"
    for i, one in enumerate(names):
        for j, other in enumerate(names):
            expected = found.normalized[found.place({one, other})]
            assert drawn[i, j] == pytest.approx(expected)
            written = [trace["text"][i][j] for trace in (light_ink, dark_ink)]
            assert sorted(written) == ["", f"{100 * expected:.0f}"]
            assert percent(expected) in light_ink["hovertext"][i][j]
    assert light_ink["zmin"] == 0 and light_ink["zmax"] == 1
    assert [one for _, one in light_ink["colorscale"]] == [colours.little, colours.much]
    assert colours.risky not in texts_of(sent(chart))


@THEMES
def test_numbers_on_cells_are_legible(dark: bool, colours: Palette):
    """At least 4 to 1 for every share, whichever ink is taken (WCAG 2.1 asks for 3 of large text)."""
    for share in np.linspace(0, 1, 101):
        ink = colours.ink_on(share)
        a, b = ([int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in (colours.little, colours.much))
        assert contrast(ink, [x + share * (y - x) for x, y in zip(a, b, strict=True)]) >= 4


def test_many_columns_have_no_numbers_in_their_cells():
    rows = [tuple(str(i * j % 7) for j in range(20)) for i in range(30)]
    chart = plots.pairs(table([f"c{j}" for j in range(20)], rows))
    assert all("texttemplate" not in trace for trace in traces(chart, "heatmap"))
    assert sent(chart)["layout"]["height"] < 900


@THEMES
def test_before_and_after_are_side_by_side_and_fates_are_stated(dark: bool, colours: Palette):
    before = table()
    after = table(["rare", "even", "skewed"], [("x", "1", "p"), ("y", "1", "p"), ("y", "1", "q"), ("y", "1", "q")])
    found = compare_leakage(before, after)
    places = [found.sets.index((name,)) for name in ("even", "rare", "skewed", "constant")]
    chart = plots.before_after(found, places, average=0.45, worst=0.9, dark=dark)
    original, release = traces(chart, "bar")
    assert (original["name"], release["name"]) == ("original", "release")
    assert original["x"] == pytest.approx(found.normalized_before[places[::-1]].tolist())
    assert release["x"] == pytest.approx(found.normalized_after[places[::-1]].tolist())
    assert set(original["marker"]["color"]) == {colours.original}, "red is of the release"
    assert release["marker"]["color"] == [colours.risky if one > 0.45 else colours.safe for one in release["x"]]
    marks = traces(chart, "scatter")
    assert marks[0]["x"] == pytest.approx(found.worst_before[places[::-1]].tolist())
    assert marks[1]["marker"]["color"] == [colours.risky if one > 0.9 else colours.ink for one in marks[1]["x"]]
    message = [one["text"] for one in sent(chart)["layout"]["annotations"]]
    assert message[0].endswith("<b>dropped</b>") and message[3].endswith("<b>utility gone</b>") and "→" in message[3]


@THEMES
def test_a_second_release_is_a_third_bar_of_its_own_stripes(dark: bool, colours: Palette):
    before, after = table(), table(["rare", "even"], [("x", "1"), ("y", "1"), ("y", "2"), ("y", "1")])
    first, other = compare_leakage(before, after), compare_leakage(before, before)
    places = [first.sets.index((name,)) for name in NAMES]
    chart = plots.before_after(first, places, average=0.2, name="release", second=("last year's", other), dark=dark)
    drawn = traces(chart, "bar")
    assert [bars["name"] for bars in drawn] == ["original", "release", "last year's"]
    assert drawn[1]["x"] == pytest.approx(first.normalized_after[places[::-1]].tolist())
    assert drawn[2]["x"] == pytest.approx(other.normalized_after[places[::-1]].tolist())
    for bars, shape, colour in zip(drawn[1:], "/\\", (colours.safe, colours.much), strict=True):
        assert set(bars["marker"]["pattern"]["shape"]) == {"", shape} and bars["marker"]["line"]["color"] == colour
        assert bars["marker"]["color"] == [colours.risky if one > 0.2 else colour for one in bars["x"]]
    for above, below in pairwise(drawn):
        assert all(a > b for a, b in zip(above["y"], below["y"], strict=True)), "in the order of the legend"
    legend = [trace for trace in traces(chart, "scatter") if trace["x"] == [None]]
    assert [trace["marker"]["color"] for trace in legend] == [colours.original, colours.safe, colours.much]
    lines = [one["text"].split("<br>") for one in sent(chart)["layout"]["annotations"]]
    assert all(len(both) == 2 for both in lines) and lines[0][0].endswith("<b>dropped</b>")


def test_one_column_and_one_record_are_drawn():
    for found in (table(["a"], [("x",)], 1), table(["a"], [("x",), ("y",)], 1)):
        for chart in (plots.losses(found), plots.pairs(found), plots.before_after(compare_leakage(found, found), [0])):
            assert sent(chart)["data"]


def test_names_of_a_file_are_text():
    found = table([HOSTILE, "b"], [("x", "1"), ("y", "2"), ("y", "1")])
    compared = compare_leakage(found, found)
    check_names_are_text(plots.losses(found, bold=[HOSTILE]), plots.pairs(found), plots.before_after(compared, [0, 2]))

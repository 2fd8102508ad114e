"""The heatmap of individuals and the generalization scan, as figures."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.individuals import GeneralizationScan, generalization_scan
from anonlib.analyses.individuals.heatmap import HeatmapColumns, certainty_order, heatmap_columns
from anonlib.basics import words
from anonlib.counting.classes import ClassTable
from anonlib.plots import individuals as plots
from anonlib.plots.theme import DARK, LIGHT, Palette, palette
from pages.measure.individuals.tabs.coarser import chosen_partition
from tests.helpers.examples import settings
from tests.helpers.figures import HOSTILE, MOST, THEMES, check_is_small_and_asks_nobody, check_names_are_text, sent

NAMES = [f"variable {i}" for i in range(9)]


def columns_of(n: int, variables: int, columns: int = 900, seed: int = 1, share: float = 0.3) -> HeatmapColumns:
    """Random individuals; each variable has some values that are certain."""
    rng = np.random.default_rng(seed)
    values = rng.random((n, variables))
    certain = values <= share * rng.random(variables)
    values[certain] = 0
    order = certainty_order(values, certain)
    return heatmap_columns(values, certain, np.ones(n, np.int64), order, columns=columns)


def check_red(columns: HeatmapColumns, chart: Any, colours: Palette) -> None:
    """The last heatmap is red over exactly the cells that are certain, and nothing else in the figure is red."""
    figure = sent(chart)
    maps = [trace for trace in figure["data"] if trace["type"] == "heatmap"]
    amounts, red = maps
    assert {colour for _, colour in red["colorscale"]} == {colours.risky}
    z = np.array([[np.nan if cell is None else cell for cell in row] for row in red["z"]], dtype=float)
    assert (~np.isnan(z) == columns.certain).all()
    assert red.get("opacity", 1) == 1 and not red["showscale"]
    for place in ("x0", "dx", "y", "xgap", "ygap"):
        assert red[place] == amounts[place], "both lie on the same cells"
    np.testing.assert_array_equal(np.array(amounts["z"], dtype=np.float32), columns.mean)
    rest = json.dumps([{**figure, "data": [trace for trace in figure["data"] if trace is not red]}])
    for other in (LIGHT, DARK):
        assert other.risky not in rest


# ---- heatmap ---------------------------------------------------------------------------------------------------------


@THEMES
@pytest.mark.parametrize(("n", "columns"), [(1, 900), (60, 900), (2_000, 900), (2_000, 37)])
def test_red_is_where_a_value_is_certain_and_nowhere_else(n, columns, dark, colours):
    found = columns_of(n, 4, columns)
    everybody, nobody = (
        heatmap_columns(np.full((5, 4), value), np.full((5, 4), not value), np.ones(5, np.int64), np.arange(5))
        for value in (0.0, 1.0)
    )
    for each in (found, everybody, nobody):
        check_red(each, plots.heatmap(each, NAMES[:4], "PPP", bold=NAMES[:2], dark=dark), colours)


@THEMES
@pytest.mark.parametrize(("n", "columns", "start"), [(1, 900, 0), (60, 900, 7), (2_000, 900, 0), (2_000, 37, 100)])
def test_in_grey_print_red_is_distinguished_from_blue_by_a_line(n, columns, start, dark, colours):
    values = np.random.default_rng(3).random((n, 4))
    certain = values < 0.3
    found = heatmap_columns(values, certain, np.ones(n, np.int64), np.arange(n), start, None, columns)
    figure = sent(plots.heatmap(found, NAMES[:4], "PPP", dark=dark))
    (line,) = [trace for trace in figure["data"] if trace.get("mode") == "lines"]
    assert line["hoverinfo"] == "skip" and line["line"]["color"] not in (colours.risky, colours.much)
    drawn = np.zeros(found.certain.shape, dtype=bool)
    for first, last, row in zip(line["x"][::3], line["x"][1::3], line["y"][::3], strict=True):
        cells = (np.array([first, last]) - found.start - 0.5) / found.width
        drawn[int(row), round(cells[0]) : round(cells[1])] = True
    assert (drawn == found.certain).all()


def test_who_has_nothing_to_infer_is_left_blank_and_out_of_the_mean():
    values = np.array([[0.2], [np.nan], [np.nan], [np.nan], [0.4], [np.nan]])
    found = heatmap_columns(values, values <= 0, np.ones(6, np.int64), np.arange(6), columns=3)
    assert found.mean[0].tolist() == pytest.approx([0.2, np.nan, 0.4], nan_ok=True)


def test_a_variable_without_a_measure_is_left_blank():
    values = np.column_stack([np.full(8, np.nan), np.linspace(0, 1, 8)])
    found = heatmap_columns(values, values <= 0, np.ones(8, np.int64), np.arange(8))
    amounts, red, *_ = sent(plots.heatmap(found, NAMES[:2], "PoAC"))["data"]
    for trace in (amounts, red):
        assert all(cell is None or cell != cell for cell in trace["z"][0]), "neither blue nor red"
    assert not any(cell != cell for cell in amounts["z"][1])


@THEMES
def test_amounts_are_on_the_one_scale_of_blue(dark, colours):
    found = columns_of(40, 2)
    for highest, ticks in ((1.0, ".0%"), (20.0, ",d")):
        amounts = sent(plots.heatmap(found, NAMES[:2], "NPP", highest=highest, dark=dark))["data"][0]
        assert amounts["colorscale"] == [[0.0, colours.little], [1.0, colours.much]]
        assert (amounts["zmin"], amounts["zmax"], amounts["colorbar"]["tickformat"]) == (0, highest, ticks)
        assert amounts["colorbar"]["title"]["text"] == "NPP" and "NPP" in amounts["hovertemplate"]


@pytest.mark.parametrize(("start", "stop", "columns"), [(0, 2_000, 900), (500, 700, 900), (3, 4, 900), (10, 1_000, 7)])
def test_cells_lie_on_the_places_of_their_individuals_counted_from_one(start, stop, columns):
    values = np.random.default_rng(2).random((2_000, 3))
    found = heatmap_columns(values, values < 0.1, np.ones(2_000, np.int64), np.arange(2_000), start, stop, columns)
    figure = sent(plots.heatmap(found, NAMES[:3], "PPP", unit="persons"))
    amounts, axis = figure["data"][0], figure["layout"]["xaxis"]
    n = len(amounts["z"][0])
    left, right = amounts["x0"] - amounts["dx"] / 2, amounts["x0"] + (n - 0.5) * amounts["dx"]
    assert (left, right) == pytest.approx((start + 0.5, stop + 0.5)) and axis["range"] == pytest.approx([left, right])
    assert axis["title"]["text"] == f"persons in order of certainty, {start + 1:,} to {stop:,}"
    vertical = figure["layout"]["yaxis"]
    assert list(vertical["ticktext"]) == NAMES[:3] and list(vertical["tickvals"]) == amounts["y"] == [0, 1, 2]
    assert vertical["autorange"] == "reversed", "the first variable is on top"


@pytest.mark.parametrize(("n", "variables"), [(900, 9), (30_162, 9), (111, 9), (50_000, 12), (3_000, 40)])
def test_a_figure_is_small_enough_to_draw_at_once(n, variables):
    names = [f"a long name of a column {i} " * 10 for i in range(variables)]
    found = columns_of(n, variables)
    assert found.mean.shape == (variables, min(n, 900))
    assert len(plots.heatmap(found, names, "PPP", bold=names).to_json()) < (MOST if variables < 20 else 3 * MOST)


@pytest.mark.parametrize(
    ("n", "variables", "columns", "clickable"),
    [(111, 9, 900, True), (112, 9, 900, False), (1, 1, 900, True), (900, 1, 900, True), (901, 1, 900, False),
     (100, 2, 50, False), (2_000, 9, 900, False)],
)  # fmt: skip
def test_few_enough_cells_can_be_clicked_and_else_a_range_is_drawn(n, variables, columns, clickable):
    found = columns_of(n, variables, columns)
    assert plots.is_clickable(found) == clickable
    figure = sent(plots.heatmap(found, NAMES[:variables], "PPP"))
    points = [trace for trace in figure["data"] if trace.get("mode") == "markers"]
    assert len(points) == clickable
    assert figure["layout"]["dragmode"] == (False if clickable else "select")
    assert clickable or figure["layout"]["selectdirection"] == "h"


@pytest.mark.parametrize("n", [20, 2_000])
def test_a_heatmap_that_leads_nowhere_promises_no_click_and_no_range(n):
    figure = sent(plots.heatmap(columns_of(n, 3), NAMES[:3], "PPP", selectable=False))
    assert not [trace for trace in figure["data"] if trace.get("mode") == "markers"]
    assert figure["layout"]["dragmode"] is False


def test_a_point_stands_on_its_cell_and_carries_the_place_in_the_order():
    values = np.random.default_rng(4).random((500, 3))
    found = heatmap_columns(values, values < 0.2, np.ones(500, np.int64), np.arange(500), 100, 150)
    (points,) = [
        trace for trace in sent(plots.heatmap(found, NAMES[:3], "PPP"))["data"] if trace.get("mode") == "markers"
    ]
    assert points["marker"]["opacity"] == 0 and points["unselected"]["marker"]["opacity"] == 0, "seen by nobody"
    cells = set()
    for x, y, place, text in zip(points["x"], points["y"], points["customdata"], points["text"], strict=True):
        assert x == place + 1 and text == f"{np.float32(values[place, y]):.3g}"
        cells.add((place, y))
    assert cells == {(place, y) for place in range(100, 150) for y in range(3)}


@THEMES
@pytest.mark.parametrize("n", [30, 3_000])
def test_names_of_variables_are_text(n, dark, colours):
    names = [HOSTILE, "b" + HOSTILE, "%{customdata} $x$ \n <br>"]
    chart = plots.heatmap(columns_of(n, 3), names, "PPP", bold=names[:2], dark=dark)
    check_names_are_text(chart)
    for trace in sent(chart)["data"]:
        assert "img" not in trace.get("hovertemplate", ""), "a name there could be a template"


def test_sensitive_columns_are_bold():
    ticks = plots.heatmap(columns_of(20, 3), NAMES[:3], "PPP", bold=NAMES[1:2]).layout.yaxis.ticktext
    assert list(ticks) == ["variable 0", "<b>variable 1</b>", "variable 2"]


@THEMES
def test_who_is_like_nobody_has_a_colour_of_its_own_and_red_comes_before_it(dark, colours):
    values = np.array([[0.0, np.nan], [np.nan, np.nan], [np.nan, 0.5], [0.5, np.nan]])
    alone = np.array([[False, True], [True, True], [True, False], [False, False]])
    found = heatmap_columns(
        values, values <= 0, np.ones(4, np.int64), np.arange(4), without_peers=alone
    )  # fmt: skip
    assert found.without_peers is not None and found.without_peers.tolist() == alone.T.tolist()
    figure = sent(plots.heatmap(found, NAMES[:2], "PPP", dark=dark))
    _, sand, _ = [trace for trace in figure["data"] if trace["type"] == "heatmap"]
    (colour,) = {colour for _, colour in sand["colorscale"]}
    assert colour not in (colours.risky, colours.little, colours.much, colours.safe, colours.ground)
    assert not np.isnan(np.array(sand["z"], dtype=float)[alone.T]).any()
    assert np.isnan(np.array(sand["z"], dtype=float)[~alone.T]).all()
    (points,) = [trace for trace in figure["data"] if trace.get("mode") == "markers"]
    assert points["text"] == ["0", "nobody like them", "nobody like them", "0.5",
                              "nobody like them", "nobody like them", "0.5", "nothing to infer"]  # fmt: skip
    two = heatmap_columns(values, values <= 0, np.ones(4, np.int64), np.arange(4), columns=2, without_peers=alone)
    assert two.without_peers is not None and two.without_peers.tolist() == [[False, False], [True, False]], "most"
    plain = heatmap_columns(
        values, values <= 0, np.ones(4, np.int64), np.arange(4), without_peers=np.zeros((4, 2), bool)
    )
    assert plain.without_peers is None
    assert (
        len([trace for trace in sent(plots.heatmap(plain, NAMES[:2], "PPP"))["data"] if trace["type"] == "heatmap"])
        == 2
    )


def test_what_the_colours_mean_fits_beside_few_rows():
    measure = "other values that are possible"
    few, many = (plots.heatmap(columns_of(20, n), NAMES[:n], measure) for n in (3, 9))
    titles = [chart.data[0].colorbar.title.text for chart in (few, many)]
    assert titles == ["other values that<br>are possible", measure]


# ---- scan ------------------------------------------------------------------------------------------------------------


def scan_of(n: int = 200, highest: int = 40, name: str = "age", width: float | None = 8.0) -> GeneralizationScan:
    rng = np.random.default_rng(11)
    frame = pd.DataFrame(
        {
            name: rng.integers(20, 20 + highest, n).astype(str),
            "sex": rng.choice(["F", "M"], n),
            "illness": rng.choice(["flu", "asthma", "none"], n),
        }
    )
    return generalization_scan(ClassTable.from_frame(frame), "illness", name, max_width=width)


def points_of(figure: dict) -> list[dict]:
    return [trace for trace in figure["data"] if trace["type"] == "scatter"]


@THEMES
def test_the_scan_shows_every_partition_once_and_the_best_stand_out(dark, colours):
    found = scan_of()
    others, best, _ = points_of(sent(plots.scan(found, unit="persons", dark=dark)))
    assert best["marker"]["color"] == colours.safe and others["marker"]["color"] == colours.original
    assert best["marker"]["size"] > others["marker"]["size"]
    assert [int(point[0]) for point in best["customdata"]] == found.best.tolist()
    seen = []
    for trace in (others, best):
        for x, y, (place, width, protected) in zip(trace["x"], trace["y"], trace["customdata"], strict=True):
            i = int(place)
            assert (x, y) == (found.categories[i], found.protected[i] / found.n_records)
            assert (width, protected) == (found.grid.width(int(found.widths[i])), found.protected[i])
            seen.append(i)
    assert sorted(seen) == list(range(len(found.protected)))
    for number in set(found.categories.tolist()):
        (i,) = [i for i in found.best if found.categories[i] == number]
        assert found.protected[i] == found.protected[found.categories == number].max()


def test_a_clicked_point_leads_to_its_partition_and_the_diamond_to_the_best_cuts():
    found = scan_of()
    *plain, diamond = points_of(sent(plots.scan(found)))
    for trace in plain:
        for point in trace["customdata"]:
            i = int(point[0])
            assert chosen_partition(found, [{"customdata": point}]) == found.partition(i)
            assert chosen_partition(found, [{"customdata": {"0": i, "1": 2.0}}]) == found.partition(i)
    assert "customdata" not in diamond
    assert chosen_partition(found, [{"x": 1}]) == found.optimum
    assert chosen_partition(found, []) is None


@THEMES
def test_the_diamond_is_the_best_cuts_and_only_where_a_width_limits_them(dark, colours):
    found = scan_of()
    diamonds = [t for t in points_of(sent(plots.scan(found, dark=dark))) if t["marker"].get("symbol") == "diamond"]
    (diamond,) = diamonds
    assert found.optimum is not None and found.optimum.protected >= found.protected[found.best].max()
    assert list(diamond["x"]) == [found.optimum.categories]
    assert list(diamond["y"]) == [found.optimum.protected / found.n_records]
    free = points_of(sent(plots.scan(scan_of(width=None), dark=dark)))
    assert not [trace for trace in free if trace["marker"].get("symbol") == "diamond"]


@THEMES
def test_lines_say_how_it_is_and_what_dropping_would_do(dark, colours):
    found = scan_of()
    layout = sent(plots.scan(found, dark=dark))["layout"]
    heights = {line["y0"] for line in layout["shapes"] if line["y0"] == line["y1"]}
    assert heights == {found.ceiling / found.n_records, found.baseline / found.n_records}
    message = {note["y"]: note["text"] for note in layout["annotations"]}
    assert (
        message[found.baseline / found.n_records] == f"as it is:<br>{words.percent(found.baseline / found.n_records)}"
    )
    assert (
        message[found.ceiling / found.n_records] == f"without age:<br>{words.percent(found.ceiling / found.n_records)}"
    )
    text = json.dumps(sent(plots.scan(found, dark=dark)))
    assert palette(not dark).risky not in text and colours.risky not in text, "nobody is at a threshold here"


@pytest.mark.parametrize("lines", [(0, 0), (0, 9), (0, 200), (4, 180), (50, 100), (150, 180), (200, 200)])
def test_the_names_of_the_lines_lie_beside_the_plot_and_apart(lines):
    """The height of the plot is some 270 pixels, a line of a name some 15."""
    baseline, ceiling = lines
    one = np.ones(1, np.int64)
    found = replace(scan_of(), baseline=baseline, ceiling=ceiling, protected=ceiling * one, widths=one, offsets=0 * one,
                    categories=one, optimum=None)  # fmt: skip
    layout = sent(plots.scan(found))["layout"]
    low, high = layout["yaxis"]["range"]
    assert low == 0 and high > ceiling / 200, "0 on the axis, and nothing below it"
    spans = []
    for note in layout["annotations"]:
        beside = note["x"], note["xref"], note["xanchor"]
        assert beside == (1, "paper", "left") and layout["margin"]["r"] > 60
        tall = 15 / 270 * high * len(note["text"].split("<br>"))
        below = {"bottom": 0, "middle": tall / 2, "top": tall}[note["yanchor"]]
        spans.append((note["y"] - below, note["y"] - below + tall))
    assert all(bottom >= 0 and top <= high * (1 + 28 / 270) for bottom, top in spans), f"{spans}, above is the margin"
    assert all(first[1] <= second[0] for first, second in pairwise(sorted(spans))), spans
    text = " ".join(note["text"] for note in layout["annotations"])
    assert f"as it is:<br>{words.percent(baseline / 200)}" in text
    assert f"without age:<br>{words.percent(ceiling / 200)}" in text


@pytest.mark.parametrize("protected", [0, 1, 2, 9, 40, 90, 470, 999, 5_000, 10_000])
def test_no_two_ticks_of_shares_read_alike(protected):
    found = replace(
        scan_of(),
        n_records=10_000,
        protected=np.array([0, protected]),
        ceiling=protected,
        baseline=0,
        optimum=None,
        widths=np.array([1, 2]),
        offsets=np.zeros(2, int),
        categories=np.array([9, 5]),
    )
    axis = sent(plots.scan(found))["layout"]["yaxis"]
    top, step, digits = axis["range"][1], axis["dtick"], int(axis["tickformat"][1:-1])
    ticks = [f"{100 * i * step:.{digits}f}" for i in range(int(top / step + 1e-9) + 1)]
    assert 3 <= len(ticks) <= 8 and len(set(ticks)) == len(ticks), ticks
    assert all(float(tick) == pytest.approx(100 * i * step) for i, tick in enumerate(ticks)), "none is rounded"


def test_a_scan_of_many_partitions_keeps_all_the_best_ones():
    found = scan_of(400, 700, width=None)
    figure = sent(plots.scan(found))
    others, best = points_of(figure)
    assert len(found.protected) > 100_000 and len(others["x"]) <= 4_000
    assert [int(point[0]) for point in best["customdata"]] == found.best.tolist()
    assert figure["layout"]["xaxis"]["type"] == "log"
    assert len(plots.scan(found).to_json()) < MOST


def test_the_name_of_the_scanned_column_is_text():
    check_names_are_text(plots.scan(scan_of(name=HOSTILE)))


@given(st.integers(1, 40), st.integers(1, 4), st.booleans())
@settings(max_examples=25)
def test_a_figure_names_no_other_host_and_draws_nothing_that_fetches(n, variables, dark):
    heatmap = plots.heatmap(columns_of(n, variables), NAMES[:variables], "PPP", dark=dark)
    check_is_small_and_asks_nobody(heatmap, plots.scan(scan_of()))

"""What the figures of schedules say: the numbers of the results, red only below k, text as text."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from anonlib.analyses.schedules.experiments import TABLE_10, TABLE_11, Table10, Table11, table10, table11
from anonlib.counting.classes import anonymity_vector
from anonlib.plots import schedules
from anonlib.plots.theme import Palette, palette
from tests.helpers.figures import HOSTILE, THEMES, check_names_are_text, sent, texts_of

BASE, RANDOM, BEST = anonymity_vector([4, 4, 5, 2]), anonymity_vector([2, 2, 3, 4, 1, 1, 2]), anonymity_vector([4] * 3)


def bars(chart) -> list[dict]:
    return [trace for trace in sent(chart)["data"] if trace["type"] == "bar"]


# ---- anonymity vectors ---------------------------------------------------------------------------------------------


@THEMES
def test_each_row_has_the_people_of_its_classes_and_red_is_below_k(dark: bool, colours: Palette):
    chart = schedules.vectors({"Base": BASE, "Random": RANDOM}, 3, bound=BEST, neutral={"Base"}, dark=dark)
    layout = sent(chart)["layout"]
    base, random, bound = bars(chart)
    labels = dict(zip(layout["xaxis"]["tickvals"], layout["xaxis"]["ticktext"], strict=True))
    assert [labels[x] for x in random["x"]] == ["1", "2", "3", "4"] and random["y"] == [2, 6, 3, 4]
    assert random["text"] == ["2", "6", "3", "4"]
    assert random["marker"]["color"] == [colours.risky] * 2 + [colours.safe] * 2
    assert base["marker"]["color"] == [colours.risky] + [colours.original] * 2, "what others are compared with is grey"
    assert bound["marker"]["pattern"]["shape"] == "/"
    assert random["marker"]["pattern"]["shape"] == [".", ".", "", ""], "grey print keeps what is red apart"
    assert len({one.get("yaxis") for one in (base, random, bound)}) == 3, "a row each"
    assert "6 people in 3 classes" in random["hovertext"][1] and "Random" in random["hovertext"][1]
    titles = [one["text"] for one in layout["annotations"]]
    assert "<b>Random</b><br>k = 1" in titles[1] and "8 people below 3" in titles[1] and colours.risky in titles[1]
    assert schedules.BOUND in titles[2] and "nobody below 3" in titles[2] and colours.risky not in titles[2]
    assert [title.split(">")[-2].removesuffix("</span") for title in titles[:2]] == ["(0,1,0,2,1)", "(2,3,1,1)"]
    assert titles[3] == "k = 3"
    assert [shape["x0"] for shape in layout["shapes"]] == [1.5] * 3, "between 2 and 3 in every row"


def test_nothing_is_red_where_nobody_is_below_k():
    for k in (1, 4):
        chart = schedules.vectors({"Optimal": BEST}, k)
        assert palette().risky not in [colour for one in bars(chart) for colour in one["marker"]["color"]]
        assert palette().risky not in sent(chart)["layout"]["annotations"][0]["text"]
    assert "shapes" not in sent(schedules.vectors({"Optimal": BEST}, 1))["layout"], "nothing is below 1"


@given(sizes=st.lists(st.integers(1, 40) | st.integers(1, 10**6), min_size=1, max_size=12), k=st.integers(1, 60))
def test_bars_hold_everyone_once_and_none_mixes_both_sides_of_k(sizes: list[int], k: int):
    vector = anonymity_vector(sizes)
    chart = sent(schedules.vectors({"x": vector, "other": anonymity_vector([3])}, k))
    labels, first = chart["layout"]["xaxis"]["ticktext"], chart["data"][0]
    assert len(labels) == len(set(labels)) <= 36, "few enough to read"
    ends = [[int(part.replace(",", "")) for part in one.split("–")] for one in labels]
    assert ends[0][0] == 1 and ends[-1][-1] >= max(sizes)
    assert all(low[-1] + 1 == high[0] for low, high in pairwise(ends)), "no size is left out"
    assert all(one[-1] < k or one[0] >= k for one in ends)
    if max(*sizes, k + 1) <= 30:
        assert all(len(one) == 1 for one in ends), "small sizes one by one"
    highest = max(sum(s for s in sizes if ends[x][0] <= s <= ends[x][-1]) for x in first["x"])
    for x, y, colour, hover in zip(first["x"], first["y"], first["marker"]["color"], first["hovertext"], strict=True):
        inside = [size for size in sizes if ends[x][0] <= size <= ends[x][-1]]
        assert y == pytest.approx(max(sum(inside), schedules._LEAST_SEEN * highest))
        assert f"class size {labels[x]}: {sum(inside):,} p" in hover and f"in {len(inside)} class" in hover
        assert (colour == palette().risky) == (ends[x][-1] < k)
    assert first["x"] == [x for x, one in enumerate(ends) if any(one[0] <= size <= one[-1] for size in sizes)]


def test_a_picture_grows_with_its_rows_and_stays_small_with_a_million_people():
    many = anonymity_vector(np.random.default_rng(1).integers(1, 15, 130_000))
    one = schedules.vectors({"a": many}, 5)
    six = schedules.vectors({str(i): many for i in range(6)}, 5)
    assert 40 <= (six.layout.height - one.layout.height) / 5 <= 60
    assert len(six.to_json()) < 100_000
    assert any(text.endswith("k") for text in bars(one)[0]["text"])


def test_many_bars_have_their_numbers_only_where_they_are_red():
    chart = schedules.vectors({"a": anonymity_vector(range(1, 25))}, 4)
    assert [bool(text) for text in bars(chart)[0]["text"]] == [True] * 3 + [False] * 21


def test_no_people_and_no_rows():
    assert len(bars(schedules.vectors({"nobody": anonymity_vector([])}, 5))[0]["x"]) == 0
    assert not bars(schedules.vectors({}, 5))


@pytest.mark.parametrize(
    ("number", "short"),
    [(999, "999"), (1_000, "1k"), (1_249, "1.2k"), (9_960, "10k"), (35_400, "35k"), (2 * 10**6, "2M")],
)
def test_short_numbers(number: int, short: str):
    assert schedules._short(number) == short


# ---- who goes where ------------------------------------------------------------------------------------------------

PEOPLE = np.array([[4, 0, 0], [1, 3, 0], [0, 2, 12]])


@THEMES
@pytest.mark.parametrize("as_sparse", [True, False])
def test_cells_are_people_and_empty_ones_blank(as_sparse: bool, dark: bool, colours: Palette):
    matrix = sparse.csr_array(PEOPLE) if as_sparse else PEOPLE
    chart = sent(schedules.grid(matrix, ["1950", "1951", "1952"], ["A", "B", "C"], 3, dark=dark))
    heat, numbers = chart["data"]
    assert [[cell or 0 for cell in np.nan_to_num(np.array(row, float))] for row in heat["z"]] == PEOPLE.tolist()
    assert (
        heat["hovertext"][1][0] == "1951<br>A<br>1 person, below 3"
        and heat["hovertext"][2][2] == "1952<br>C<br>12 people"
    )
    assert heat["hovertext"][0][1] == "" and not heat["hoverongaps"]
    assert dict(zip(zip(numbers["y"], numbers["x"], strict=True), numbers["text"], strict=True)) == {
        (int(i), int(j)): str(PEOPLE[i, j]) for i, j in zip(*np.nonzero(PEOPLE), strict=True)
    }
    for n in range(1, 13):  # the colour each number of people has
        red = colour_at(heat["colorscale"], n / heat["zmax"]) == colours.risky
        assert red == (n < 3), n
    assert heat["zmin"] == 0 and chart["layout"]["xaxis"]["ticktext"] == ["A", "B", "C"]
    assert chart["layout"]["yaxis"]["range"] == [2.5, -0.5], "the first row on top"


def colour_at(scale: list, amount: float) -> str:
    """The colour below which the amount is, where it is the same at both ends; else something between them."""
    for (low, first), (high, second) in pairwise(scale):
        if low <= amount <= high and low < high:
            return first if first == second else "between"
    raise AssertionError(amount)


def test_a_grid_is_all_red_or_has_no_red():
    rows, columns = ["a", "b", "c"], ["x", "y", "z"]
    assert {c for _, c in sent(schedules.grid(PEOPLE, rows, columns, 99))["data"][0]["colorscale"]} == {palette().risky}
    assert palette().risky not in texts_of(sent(schedules.grid(PEOPLE, rows, columns, 1)))
    one = sent(schedules.grid(np.array([[7]]), ["a"], ["x"], 5))
    assert one["data"][1]["text"] == ["7"]
    nothing = schedules.grid(np.zeros((2, 2)), ["a", "b"], ["x", "y"], 5)
    assert not sent(nothing)["data"][1]["text"]


@THEMES
def test_numbers_on_cells_contrast(dark: bool, colours: Palette):
    numbers = sent(schedules.grid(PEOPLE, list("abc"), list("xyz"), 3, dark=dark))["data"][1]
    for text, ink in zip(numbers["text"], numbers["textfont"]["color"], strict=True):
        expected = ("#11161c" if dark else "#ffffff") if int(text) < 3 else colours.ink_on(int(text) / 12)
        assert ink == expected


def test_hundreds_of_cells_keep_a_readable_size_and_few_labels():
    matrix = sparse.random_array((300, 400), density=0.01, rng=np.random.default_rng(1)).astype(bool).astype(int)
    chart = schedules.grid(matrix, [f"value {i}" for i in range(300)], [f"slot {i}" for i in range(400)], 5)
    figure = sent(chart)
    assert figure["layout"]["height"] < 1_500
    _heat, crosses = figure["data"]
    assert crosses["mode"] == "markers" and len(crosses["x"]) == matrix.nnz, "no numbers, a cross on each below k"
    assert len(figure["layout"]["xaxis"]["ticktext"]) <= 32 and len(figure["layout"]["yaxis"]["ticktext"]) <= 100
    assert figure["layout"]["yaxis"]["ticktext"][1] == f"value {figure['layout']['yaxis']['tickvals'][1]}"
    assert figure["data"][0]["showscale"] and len(chart.to_json()) < 2_000_000


@THEMES
def test_text_of_a_file_is_never_markup_and_nothing_is_fetched(dark: bool, colours: Palette):
    charts = [
        schedules.vectors({HOSTILE: RANDOM, "<i>Best</i>": BEST}, 3, bound=BASE, dark=dark),
        schedules.grid(PEOPLE, [HOSTILE, "<i>b</i>", "c"], ["<u>s</u>", HOSTILE * 9, "t"], 3, dark=dark),
    ]
    check_names_are_text(*charts)
    for chart in charts:
        assert any("&lt;i&gt;" in text for text in texts_of(sent(chart)))
    assert max(map(len, sent(charts[1])["layout"]["xaxis"]["ticktext"])) < 120, "long labels are cut"


# ---- the paper's experiments ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ten() -> Table10:
    return table10((20, 30, 100), 4, np.random.default_rng(1), methods=("reference", "optimal"))


@pytest.fixture(scope="module")
def eleven() -> Table11:
    return table11(np.random.default_rng(1), dates=3)


def named(chart) -> dict[str, dict]:
    return {trace["name"]: trace for trace in sent(chart)["data"] if "name" in trace and "markers" in trace["mode"]}


@THEMES
def test_table_10_is_measured_beside_printed(ten: Table10, dark: bool, colours: Palette):
    chart = schedules.table10(ten, dark=dark)
    lines = named(chart)
    assert len(lines) == 5 and colours.risky not in texts_of(sent(chart))
    for j, comparison in enumerate(ten.comparisons):
        line = lines[schedules.comparison_name(comparison)]
        assert line["x"] == [20, 30, 100] and line["y"] == pytest.approx(ten.mean[:, j].tolist())
    heuristic, printed = lines["heuristic over random"], lines["heuristic over random, printed"]
    assert dict(zip(printed["x"], printed["y"], strict=True)) == {n: value for n, (value, _) in TABLE_10.items()}
    optimum = lines["optimum over heuristic, printed"]
    assert max(optimum["x"]) == 50 and printed["line"]["dash"] == "dash"
    assert printed["marker"]["symbol"] == "diamond-open" and "dash" not in heuristic["line"]
    assert heuristic["line"]["color"] == printed["line"]["color"] != optimum["line"]["color"]


def test_a_band_holds_two_standard_errors_on_either_side(ten: Table10):
    bands = [trace for trace in sent(schedules.table10(ten))["data"] if trace.get("fill")]
    spread = 1.96 * ten.standard_error[:, 0]
    assert bands[0]["y"] == pytest.approx([*(ten.mean[:, 0] + spread), *(ten.mean[:, 0] - spread)[::-1]])
    single = table10((20, 25), 1, np.random.default_rng(1))
    chart = sent(schedules.table10(single))
    assert not any(trace.get("fill") for trace in chart["data"]), "one programme has no spread"
    assert "±" not in " ".join(texts_of(chart))
    alone = named(schedules.table10(table10((20,), 3, np.random.default_rng(1))))["heuristic over random"]
    assert alone["error_y"]["visible"], "of one size no band can be seen"


@THEMES
def test_table_11_has_least_mean_and_largest_of_each_region(eleven: Table11, dark: bool, colours: Palette):
    chart = schedules.table11(eleven, dark=dark)
    marks, layout = named(chart), sent(chart)["layout"]
    frame = eleven.to_frame()
    assert marks["heuristic over random"]["x"] == pytest.approx(frame["mean"].tolist())
    printed = marks["heuristic over random, printed"]
    assert printed["x"] == [TABLE_11[region][2] for region in (1, 2, 3, 4, 9)]
    assert "mean 82.6%, from 65.4% to 96.9%" in printed["hovertext"][0]
    ranges = [trace["x"] for trace in sent(chart)["data"] if trace["mode"] == "lines"]
    assert [x for x in ranges[0] if x is not None] == pytest.approx(frame[["min", "max"]].to_numpy().ravel().tolist())
    assert [x for x in ranges[1] if x is not None] == [x for one in TABLE_11.values() for x in one[:2]]
    assert layout["yaxis"]["ticktext"][-1] == "region 9" and layout["yaxis"]["range"][0] > layout["yaxis"]["range"][1]
    assert colours.risky not in texts_of(sent(chart))


def test_measured_and_printed_of_a_region_are_next_to_each_other(eleven: Table11):
    marks = named(schedules.table11(eleven))
    measured, printed = marks["heuristic over random"]["y"], marks["heuristic over random, printed"]["y"]
    assert [round(one) for one in measured] == [round(one) for one in printed] == [0, 1, 2, 3, 4]
    assert all(above < below for above, below in zip(measured, printed, strict=True))


def test_before_a_run_the_printed_numbers_are_there_alone():
    assert list(named(schedules.table10(None))) == [
        "heuristic over random, printed",
        "optimum over heuristic, printed",
    ]
    printed = named(schedules.table11(None))
    assert list(printed) == ["heuristic over random, printed"] and len(next(iter(printed.values()))["x"]) == 5


def test_both_rules_of_the_heuristic_and_the_optimum_are_distinguished():
    asked = ("published", "reference", "optimal")
    for chart in (
        schedules.table10(table10((20,), 2, np.random.default_rng(1), methods=asked)),
        schedules.table11(table11(np.random.default_rng(1), dates=1, methods=asked)),
    ):
        found = named(chart)
        colours = [found[name]["marker"]["color"] for name in found if not name.endswith("printed")]
        assert len(colours) == len(set(colours)) >= 3

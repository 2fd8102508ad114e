"""The pictures of a generalization: levels, the search tree and bars of methods hold what they are made from."""

from __future__ import annotations

import re
from itertools import cycle, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tests.reference.generalization as slow
from anonlib.analyses.generalization import Generalization, TracedTable, generalize
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, intervals
from anonlib.coarsening.recoding import ValueMap
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import KAnonymity
from anonlib.plots import generalization as plots
from anonlib.plots.theme import DARK, LIGHT
from tests.helpers.examples import settings
from tests.helpers.figures import HOSTILE, contrast
from tests.helpers.generalization import run
from tests.helpers.weight_loss import PROFILES, THREE, profiles

PEOPLE = pd.DataFrame(
    {"age": ["31", "31", "34", "36", "38", "52", "57"], "sex": ["F", "F", "F", "M", "M", "M", "F"]}, dtype=object
)
WAYS = {"age": intervals((5, 10)), "sex": Hierarchy((EVERYTHING,))}


def found(method="iab", frame=PEOPLE, ways=WAYS, k=2, **how) -> Generalization:
    return generalize(
        ClassTable.from_frame(frame), ways, KAnonymity(columns=tuple(frame.columns), least=k), method=method, **how
    )


def shown(chart) -> list[str]:
    """Every text that the browser may take for markup."""
    texts = [note.text for note in chart.layout.annotations]
    for axis in (chart.layout.xaxis, chart.layout.yaxis):
        texts += [axis.title.text or "", *(axis.ticktext or ())]
    for trace in chart.data:
        for held in (trace.hovertext, trace.text):
            texts += [str(text) for text in np.ravel(np.array(held, dtype=object))] if held is not None else []
    return texts


# ---- the level of each column ----------------------------------------------------------------------------------------


def test_a_row_a_column_and_a_cell_a_level_with_what_the_commonest_value_becomes():
    result = found()
    assert result.levels == {"age": 2, "sex": 1}
    chart = plots.levels(result, unit="persons")
    (cells,) = chart.data
    assert list(cells.x) == ["as it is", "level 1", "level 2", "level 3"]
    assert np.array_equal(np.array(cells.z, dtype=float), [[0, 0, 1, 0], [0, 1, np.nan, np.nan]], equal_nan=True), (
        "sex has no more levels"
    )
    assert [note.text for note in chart.layout.annotations] == ["31", "30-34", "<b>30-39</b>", "*", "F", "<b>*</b>"]
    assert list(chart.layout.yaxis.ticktext) == ["age", "sex"]
    assert cells.hovertext[0][2] == "age, level 2: 2 values<br>7 persons (100%) are released at this level"
    assert cells.hovertext[0][0] == "age, level 0: 6 values<br>0 persons (0%) are released at this level"
    assert cells.hovertext[1][3] == ""


def test_parts_at_levels_of_their_own_share_the_row():
    result = found("parts")
    (cells,) = plots.levels(result).data
    z = np.array(cells.z, dtype=float)
    at = np.where(result.kept, result.problem.classes.counts, 0)
    for j in range(2):
        records = [int(at[result.cell_levels[:, j] == level].sum()) for level in range(result.problem.highest[j] + 1)]
        assert z[j, : len(records)] == pytest.approx(np.array(records) / 7)
    assert np.nansum(z, axis=1) == pytest.approx([1, 1])
    assert (z[0] > 0).sum() > 1, "ages are at levels of their own"


def rgb(colour: str) -> list[float]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


@pytest.mark.parametrize("dark", [False, True])
def test_labels_are_legible_on_every_shade(dark):
    colours = DARK if dark else LIGHT
    frame = pd.DataFrame({"age": [str(20 + i % 40) for i in range(300)], "sex": ["F", "M", "F"] * 100}, dtype=object)
    chart = plots.levels(found("parts", frame, k=4), dark=dark)
    z = np.array(chart.data[0].z, dtype=float)
    shades = set()
    for note in chart.layout.annotations:
        amount = z[note.y, note.x]
        shades.add(round(float(amount), 1))
        ground = [a + amount * (b - a) for a, b in zip(rgb(colours.little), rgb(colours.much), strict=True)]
        assert contrast(note.font.color, ground) >= 4.5, (note.text, amount)
        assert note.text.startswith("<b>") == (amount > 0)
    assert len(shades) > 2


@given(slow.cases(), st.sampled_from(["iab", "parts"]), st.booleans())
@settings(max_examples=20)
def test_shares_of_each_row_are_of_the_records_kept(case, method, dark):
    try:
        result = run(case, method)
    except InputError:
        assume(False)
    chart = plots.levels(result, dark=dark)
    z = np.array(chart.data[0].z, dtype=float).reshape(
        len(result.attributes), max(result.problem.highest, default=0) + 1
    )
    kept = result.n_records > result.left_out
    assert np.nansum(z, axis=1) == pytest.approx(np.full(len(result.attributes), float(kept)))
    boxes = sum(height + 1 for height in result.problem.highest)
    assert np.isfinite(z).sum() == boxes == len(chart.layout.annotations)


def test_missing_values_have_their_name_and_nothing_else_is_empty():
    frame = pd.DataFrame({"age": [None, None, None, "31", "32"]}, dtype=object)
    ways = {"age": Hierarchy((ValueMap((("31", "y"), ("32", "y"))), ValueMap((("31", None), ("32", None)))))}
    chart = plots.levels(found("optimal", frame, ways))
    assert [note.text for note in chart.layout.annotations] == ["(missing)", "<b>(missing)</b>", "(missing)"]


def test_without_columns_there_is_an_empty_picture():
    fixed = pd.DataFrame({"sex": ["F", "F", "M"]})
    assert not plots.levels(found("optimal", fixed, {}, k=1)).layout.annotations


# ---- the search tree -------------------------------------------------------------------------------------------------


def places(chart) -> dict[int, tuple[float, float]]:
    return {i: (x, y) for i, (x, y) in enumerate(zip(chart.data[1].x, chart.data[1].y, strict=True))}


def drawn_of(result: Generalization, **how):
    return plots.search_tree(result.trace, tuple((result.levels or {}).values()), **how)


def test_the_tree_has_a_point_a_table_and_a_line_from_each_to_where_it_comes_from():
    result = found()
    chart = drawn_of(result)
    lines, points, numbers, names = chart.data[:4]
    assert len(points.x) == len(result.trace) == result.tables + 1
    at = places(chart)
    ends = [((lines.x[i], lines.y[i]), (lines.x[i + 1], lines.y[i + 1])) for i in range(0, len(lines.x), 3)]
    drawn = {((x, round(y)), (other_x, round(other_y))) for (x, y), (other_x, other_y) in ends}
    assert drawn == {(at[node.parent], at[i]) for i, node in enumerate(result.trace) if node.parent is not None}
    assert len(set(at.values())) == len(at), "no table on another"
    assert all(at[i][1] == -sum(node.evaluation.node) for i, node in enumerate(result.trace)), "a step down each"
    assert plots.tells_order(result.trace, (2, 1))
    for i, (node, text, turn) in enumerate(zip(result.trace, numbers.text, points.text, strict=True)):
        number = f"<sub>{i}</sub>" if i else ""
        assert text == f"T{number}({node.evaluation.rows}, {node.evaluation.n_rows})"
        assert turn == ("" if node.expanded is None else str(node.expanded + 1))
    assert not chart.layout.annotations, "each would take ten times as long as all texts together"
    assert names.text.count("age") == sum(node.attribute == "age" for node in result.trace)


def test_figure_3_of_arca_and_hewett():
    """T(a, b), numbered as made, in order of the turns, and what is pruned; T2 is (3, 22): see the errata."""
    result = generalize(profiles(), PROFILES, THREE, method="iab")
    points, numbers, names = drawn_of(result).data[1:4]
    shown = [text.replace("<sub>", "").replace("</sub>", "") for text in numbers.text]
    assert shown[:4] == ["T(5, 22)", "T1(0, 18)", "T2(3, 22)", "T3(2, 21)"] and shown[6] == "T6(0, 21)"
    assert list(names.text[:4]) == ["", "alcohol_consump…", "age", "zip"]
    turns = {turn: text for turn, text in zip(points.text, shown, strict=True) if turn}
    assert turns == {"1": "T(5, 22)", "2": "T2(3, 22)", "3": "T5(3, 22)", "4": "T8(2, 22)"}
    hollow = [text for text, symbol in zip(shown, points.marker.symbol, strict=True) if symbol.endswith("-open")]
    assert len(hollow) == len(shown) - 5 and "T3(2, 21)" in hollow, "all but those with a turn and the chosen one"
    assert "pruned: it keeps no more than the best that satisfies" in points.hovertext[3]
    greedy = generalize(profiles(), PROFILES, THREE, method="greedy")
    assert "the search had its answer" in drawn_of(greedy).data[1].hovertext[2]


def test_colours_say_what_satisfies_and_what_is_chosen():
    for dark, colours in ((False, LIGHT), (True, DARK)):
        for method in ("exhaustive", "iab"):
            result = found(method)
            chosen = tuple((result.levels or {}).values())
            points = drawn_of(result, dark=dark).data[1]
            drawn = zip(points.marker.color, points.marker.size, points.marker.symbol, strict=True)
            for node, (colour, size, symbol) in zip(result.trace, drawn, strict=True):
                table = node.evaluation
                expected = colours.safe if table.satisfied else colours.risky
                assert colour == (colours.sequence[1] if table.node == chosen else expected)
                filled = node.expanded is not None or table.node == chosen
                assert (size == 22) == filled == (not symbol.endswith("-open"))
                # in grey print too
                shape = "star" if table.node == chosen else "circle" if table.satisfied else "square"
                assert symbol.removesuffix("-open") == shape
            for colour, symbol in zip(points.textfont.color, points.marker.symbol, strict=True):
                ground = colours.risky if symbol.startswith("square") else colours.safe
                assert contrast(colour, ground) >= 4.5


def test_of_a_large_search_the_way_to_the_answer_is_drawn():
    frame = pd.DataFrame({name: [f"{name}{i}" for i in range(303)] for name in "abcdefg"}, dtype=object)
    result = found("exhaustive", frame, {name: Hierarchy((EVERYTHING,)) for name in "abcdefg"}, k=303)
    trace, chosen = result.trace, (1,) * 7
    assert len(trace) == 128 > plots.MOST_NODES
    drawn = plots.drawn_tables(trace, chosen)
    way = [next(i for i, node in enumerate(trace) if node.evaluation.node == chosen)]
    while (parent := trace[way[-1]].parent) is not None:
        way.append(parent)
    assert set(drawn) == {i for i, node in enumerate(trace) if i in way or node.parent in way}
    chart = drawn_of(result)
    check_room(chart)
    assert len(chart.data[1].x) == len(drawn) <= plots.MOST_NODES
    more = [re.findall(r"(\d+) tables? below it not drawn", text) for text in chart.data[1].hovertext]
    assert sum(int(n) for ns in more for n in ns) == len(trace) - len(drawn)
    below = {text.partition("<br>+")[2]: ns for text, ns in zip(chart.data[2].text, more, strict=True) if "+" in text}
    assert below and all(ns == [n] for n, ns in below.items()), "and below the table where there is room"


@pytest.mark.parametrize("dark", [False, True])
def test_a_search_that_ends_where_it_begins_is_one_point(dark):
    result = found(k=1)
    assert len(result.trace) == 1
    chart = plots.search_tree(result.trace, (0, 0), dark=dark)
    assert len(chart.data[1].x) == 1 and not chart.data[0].x
    assert list(chart.data[2].text) == ["T(0, 6)"]


@given(slow.cases(max_rows=9), st.sampled_from(["iab", "greedy", "exhaustive"]))
@settings(max_examples=20)
def test_children_are_below_their_parent_and_no_two_tables_meet(case, method):
    try:
        result = run(case, method)
    except InputError:
        assume(False)
    chart = plots.search_tree(result.trace, tuple((result.levels or {}).values()))
    at = places(chart)
    assert len(set(at.values())) == len(at)
    for y in {y for _, y in at.values()}:
        row = sorted(x for x, other in at.values() if other == y)
        assert all(b - a >= 1 for a, b in pairwise(row))
    children: dict[int, list[float]] = {}
    for i, node in enumerate(result.trace):
        if node.parent is not None:
            assert at[i][1] == at[node.parent][1] - 1
            children.setdefault(node.parent, []).append(at[i][0])
    for parent, xs in children.items():
        assert min(xs) <= at[parent][0] <= max(xs)


# ---- methods side by side --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "form", "texts"),
    [
        ([5681.0, 89.0], ",.0f", ["5,681", "89"]),
        ([0.21, 0.725], ".1%", ["21.0%", "72.5%"]),
        ([0.0, 0.0], ".2g", ["0", "0"]),
        ([], ",.0f", []),
    ],
)
def test_a_bar_a_method_in_the_order_given(values, form, texts):
    names = ["Part by part", "Best"][: len(values)]
    chart = plots.methods(names, values, "cell loss", form=form)
    (bars,) = chart.data
    assert list(bars.y) == names and list(bars.x) == values and list(bars.text) == texts
    low, high = chart.layout.xaxis.range
    assert low == 0 and high > max([*values, 0])
    assert chart.layout.xaxis.title.text == "cell loss"


# ---- text and themes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "dark"), list(zip([HOSTILE, "<i>age</i>", "a<br>b", "a & b <", " \t"], cycle([True, False])))
)
def test_text_of_a_file_is_no_markup(text, dark):
    frame = pd.DataFrame({text: [text, text, "b", "c"], "sex": ["F", "F", "M", "M"]}, dtype=object)
    ways = {text: Hierarchy((ValueMap(((text, f"{text}!"), ("b", "d"), ("c", "d"))), EVERYTHING))}
    result = found(frame=frame, ways=ways)
    for chart in (plots.levels(result, dark=dark), plots.search_tree(result.trace, (1,), dark=dark)):
        for shown_text in shown(chart):
            plain = re.sub("</?(b|i|sub)>", "", shown_text)
            assert "<" not in plain.replace("<br>", ""), shown_text
        colours = DARK if dark else LIGHT
        assert chart.layout.template.layout.font.color == colours.ink


def test_a_long_name_is_cut():
    name = "n" * 300
    frame = pd.DataFrame({name: ["v" * 300, "w" * 300]}, dtype=object)
    result = found(frame=frame, ways={name: Hierarchy((EVERYTHING,))})
    for chart in (plots.levels(result), plots.search_tree(result.trace, (1,))):
        drawn = [note.text for note in chart.layout.annotations]
        drawn += [text for trace in chart.data if trace.type == "scatter" for text in trace.text or ()]
        assert drawn and all(len(text) < 60 for text in drawn)
        assert all(len(tick) < 60 for tick in chart.layout.yaxis.ticktext or ())


def test_many_tables_are_reported_with_fewer_words():
    frame = pd.DataFrame({name: [f"{name}{i}" for i in range(9)] for name in "abcde"}, dtype=object)
    result = found("exhaustive", frame, {name: Hierarchy((EVERYTHING,)) for name in "abcde"})
    trace: tuple[TracedTable, ...] = result.trace
    assert 30 < len(trace) <= plots.MOST_NODES
    texts = plots.search_tree(trace, (1, 1, 1, 1, 1)).data[2].text
    assert not any(text.startswith("T") for text in texts) and "(9, 9)" in texts


@given(slow.cases(max_rows=9), st.sampled_from(["iab", "exhaustive"]))
@settings(max_examples=20)
def test_labels_side_by_side_do_not_meet(case, method):
    try:
        trace = run(case, method).trace
    except InputError:
        assume(False)
    check_room(plots.search_tree(trace, trace[-1].evaluation.node))


def test_where_there_is_no_room_the_chosen_table_is_reported_first():
    frame = pd.DataFrame({name: [f"{name}{i}" for i in range(303)] for name in "abcdef"}, dtype=object)
    trace = found("exhaustive", frame, {name: Hierarchy((EVERYTHING,)) for name in "abcdef"}, k=303).trace
    assert len(trace) == 64
    for chosen in (trace[5], trace[40]):
        chart = plots.search_tree(trace, chosen.evaluation.node)
        check_room(chart)
        texts = chart.data[2].text
        assert texts[trace.index(chosen)] and "" in texts


def check_room(chart) -> None:
    """No two labels in a row meet, at some five pixels a character and 900 for the whole."""
    low, high = chart.layout.xaxis.range
    for drawn in chart.data[2:4]:
        rows: dict[float, list[tuple[float, float]]] = {}
        for x, y, text in zip(drawn.x, drawn.y, drawn.text, strict=True):
            half = len(re.sub("</?sub>|<br>.*", "", text)) * drawn.textfont.size / 4
            at = 900 * (x - low) / (high - low)
            if text:
                rows.setdefault(y, []).append((at - half, at + half))
        for row in rows.values():
            assert all(before[1] < after[0] for before, after in pairwise(sorted(row)))

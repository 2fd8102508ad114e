"""Figures that stand still: the numbers, texts and colours of the figures they are made of, in a sound SVG."""

from __future__ import annotations

import base64
import io
import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from PIL import Image

from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.result import Frontier
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.analyses.individuals.heatmap import HeatmapColumns
from anonlib.analyses.leakage import compare_leakage, information_loss
from anonlib.analyses.utility import Association, ColumnUtility, Utility
from anonlib.counting.classes import ClassTable, anonymity_vector
from anonlib.plots import frontier, individuals, leakage, risk, utility, verdict
from anonlib.plots.still import axes, svg
from anonlib.plots.still import paint as still_text
from anonlib.plots.theme import LIGHT, figure, rgb
from tests.helpers.examples import settings
from tests.helpers.figures import HOSTILE

MOST = 60_000  # bytes of a picture
NAMES = ["sex", "age <b>", "postcode_of_residence_at_admission", "diagnosis", "ward"]
SPACE = "{http://www.w3.org/2000/svg}"


def people(n: int = 300) -> ClassTable:
    rng = np.random.default_rng(1)
    return ClassTable.from_frame(
        pd.DataFrame({name: rng.integers(0, 3 + 7 * i, n).astype(str) for i, name in enumerate(NAMES)})
    )


def kept(name: str = "name") -> Utility:
    """A column that is gone, and one that is coarser."""
    none = np.zeros((0, 0))
    columns = (
        ColumnUtility(name, 9, 0, 3.0, 0.0, 0, None),
        ColumnUtility('a & "b"' if name == "name" else "plain", 4, 3, 2.0, 1.5, 3, 0.1),
    )
    return Utility(9, 9, columns, Association((), none, none, none.astype(bool)), None)


def stairs(n: int = 700) -> Frontier:
    rng = np.random.default_rng(0)
    at = np.sort(np.concatenate([10 ** rng.uniform(-6, 0, n - 2), [1e-6, 1.0]]))
    space = PolicySpace(people(40))
    return Frontier(
        Plane(space), np.zeros((n, space.n_bits), bool), at, 1 - np.log10(at / 1e-6) / 6, "enumeration",
        rng.random((9_000, 2)), n,
    )  # fmt: skip


def cells(columns: int = 300) -> go.Figure:
    mean = np.linspace(0, 1, 9 * columns, dtype=np.float32).reshape(9, columns)
    found = HeatmapColumns(start=0, stop=columns, width=1, mean=mean, certain=mean < 0.2)
    return individuals.heatmap(found, [f"variable {i}" for i in range(9)], "privacy", selectable=False)


def figures() -> dict[str, go.Figure]:
    """What a report shows."""
    before, after = anonymity_vector([1] * 400 + [7] * 30 + [4000]), anonymity_vector([1] * 9 + [12] * 30 + [9_700])
    lost = information_loss(people(), max_size=2, k=5)
    return {
        "class sizes": risk.class_sizes(after, 11, before=before, unit="persons"),
        "information kept": utility.columns(kept()),
        "losses": leakage.losses(lost, average=0.3, worst=0.5, unit="persons", bold=["ward"]),
        "pairs": leakage.pairs(lost),
        "before and after": leakage.before_after(compare_leakage(lost, lost), range(5), average=0.3),
        "frontier": frontier.frontier([stairs(), stairs(50)], safe_harbor=(0.01, 0.55), log=True),
        "individuals": cells(),
        "prices": verdict.costs(["k", "risk"], [0.12, 0.0], [0.2, None]),
        "variants": verdict.variants(["saved", "finer"], [0.5, 0.9], [0.08, 0.2], [True, False]),
    }


FIGURES = figures()


def texts(picture: str) -> list[str]:
    return ["".join(element.itertext()) for element in ElementTree.fromstring(picture).iter(f"{SPACE}text")]


def unescaped(label: object) -> list[str]:
    """The lines of a label of Plotly."""
    return ["".join(span.text for span in line) for line in still_text.read(label)]


@pytest.mark.parametrize("name", FIGURES)
def test_a_picture_is_sound_small_and_the_same_each_time(name):
    picture = svg(FIGURES[name])
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SPACE}svg" and root.get("width") == "680" and len(picture.encode()) < MOST
    assert picture == svg(FIGURES[name])
    assert not re.search(r"nan|inf[\s\"]|<script|http(?!://www\.w3\.org/2000/svg)", picture.replace("information", ""))
    assert {element.tag.removeprefix(SPACE) for element in root.iter()} <= {
        "svg", "defs", "clipPath", "pattern", "g", "rect", "path", "text", "tspan", "image",
    }  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_titles_ticks_notes_and_names_are_in_the_picture(name):
    chart, found = FIGURES[name], texts(svg(FIGURES[name]))
    axes = [*chart.select_xaxes(), *chart.select_yaxes()]
    expected = [axis.title.text for axis in axes] + [note.text for note in chart.layout.annotations]
    expected += [text for axis in axes if axis.range is None and axis.type != "log" for text in axis.ticktext or ()]
    expected += [
        trace.name for trace in chart.data if chart.layout.showlegend and trace.name and trace.showlegend is not False
    ]
    for label in expected:
        assert set(unescaped(label)) <= set(found), label


@pytest.mark.parametrize("name", FIGURES)
def test_nothing_stands_outside_the_picture(name):
    """As wide as the widest face would be: places of texts, with their width, within the rim or nearly."""
    picture = svg(FIGURES[name])
    tall = float(ElementTree.fromstring(picture).get("height") or 0)
    for element in ElementTree.fromstring(picture).iter(f"{SPACE}text"):
        if element.get("transform"):
            continue
        size = float(element.get("font-size") or 0)
        wide = still_text.width(((still_text.TextRun("".join(element.itertext()), False),),), size)
        x = float(element.get("x") or 0) - wide * {"middle": 0.5, "end": 1}.get(element.get("text-anchor") or "", 0)
        assert x > -3 and x + wide < 683 and 0 < float(element.get("y") or 0) < tall, "".join(element.itertext())


def rects(picture: str) -> list[dict[str, str]]:
    drawn = re.sub(r"<defs>.*?</defs>", "", picture)
    return [element.attrib for element in ElementTree.fromstring(drawn).iter(f"{SPACE}rect")]


def test_red_bars_are_hatched_and_others_are_not():
    picture = svg(FIGURES["class sizes"])
    bars = [one for one in rects(picture) if float(one["y"]) > 20]  # the legend is above
    hatched = [one for one in bars if one["fill"].startswith("url(#hatched-")]
    plain = [one for one in bars if one["fill"] == LIGHT.safe]
    assert len(hatched) == 1 and "9" in texts(picture), "nine records below k, in one bar"
    assert len([one for one in plain if float(one["height"]) > 0]) == 2
    pattern = picture[picture.index("<pattern") : picture.index("</pattern>")]
    assert LIGHT.risky in pattern and LIGHT.ground in pattern
    assert picture.count("<pattern") == 1


@settings(40)
@given(st.lists(st.floats(0, 1e6) | st.integers(0, 9), min_size=1, max_size=12), st.booleans())
def test_bars_are_as_long_as_their_amounts(amounts, upright):
    names = [f"n{i}" for i in range(len(amounts))]
    bar = go.Bar(x=names, y=amounts) if upright else go.Bar(y=names, x=amounts, orientation="h")
    picture = svg(figure(bar))
    side, end = ("height", "y") if upright else ("width", "x")
    drawn = [(float(one[side]), float(one[end])) for one in rects(picture)]
    assert len(drawn) == len(amounts)
    longest, most = max(long for long, _ in drawn), max(amounts)
    for (long, _), amount in zip(drawn, amounts, strict=True):
        assert long == pytest.approx(longest * amount / most if most else 0, abs=0.2)
    feet = {round(at + long if upright else at) for long, at in drawn}
    assert max(feet) - min(feet) <= 1, "all stand on one line"


def test_amounts_on_a_logarithmic_axis_are_a_decade_apart():
    chart = figure(go.Bar(x=["a", "b", "c"], y=[1, 10, 100]), yaxis={"type": "log", "range": [-1, 3]})
    heights = [float(one["height"]) for one in rects(svg(chart))]
    assert np.diff(heights) == pytest.approx([heights[0]] * 2, abs=0.3)
    found = [text for text in texts(svg(chart)) if text[0].isdigit()]
    assert {"1", "10", "100"} <= set(found)


def test_bars_of_one_place_stand_beside_or_over_one_another():
    bars = [go.Bar(x=["a", "b"], y=[1, 2]), go.Bar(x=["a", "b"], y=[2, 1])]
    beside, over = (
        [float(one["x"]) for one in rects(svg(figure(*bars, barmode=mode)))] for mode in ("group", "overlay")
    )
    assert beside[0] < beside[2] < beside[1] < beside[3] and over[:2] == over[2:]


def test_a_line_breaks_where_a_value_is_missing_and_a_stair_goes_by_steps():
    line = svg(figure(go.Scatter(x=[0, 1, 2, 3, 4], y=[0, 1, None, 1, 0], mode="lines")))
    (way,) = re.findall(r'<path d="(M[^"]*)" fill="none" stroke="#0072b2"', line)
    assert way.count("M") == 2
    stair = svg(figure(go.Scatter(x=[0, 1, 2], y=[0, 1, 0], mode="lines", line={"shape": "hv"})))
    (way,) = re.findall(r'<path d="(M[^"]*)" fill="none" stroke="#0072b2"', stair)
    assert re.fullmatch(r"M[\d. ]+(H[\d.]+V[\d.]+){2}", way)


def test_cells_have_the_colours_of_their_amounts():
    chart = figure(go.Heatmap(z=[[0, 0.5, 1], [np.nan, 1, 0]], zmin=0, zmax=1, colorscale=LIGHT.scale, showscale=False))
    fills = [one["fill"] for one in rects(svg(chart))]
    half = LIGHT.shade(0.5)
    assert fills == [LIGHT.little, half, LIGHT.much, LIGHT.much, LIGHT.little], "none for what is missing"


def test_many_cells_are_an_image_of_their_colours():
    """One of the amounts, one of what is red."""
    assert "<image" not in svg(cells(30))
    amounts, red = re.findall(r'href="data:image/png;base64,([^"]+)"', svg(cells(300)))
    shown, over = (np.asarray(Image.open(io.BytesIO(base64.b64decode(one))).convert("RGBA")) for one in (amounts, red))
    assert shown.shape == over.shape == (9, 300, 4)
    assert tuple(shown[0, 0]) == (*rgb(LIGHT.little), 255) and tuple(shown[8, 299]) == (*rgb(LIGHT.much), 255)
    assert (shown[0, :, 3] == 255).all(), "the first variable on top, and nothing missing"
    certain = np.linspace(0, 1, 2700).reshape(9, 300) < 0.2
    assert ((over[..., 3] == 255) == certain).all() and {tuple(one) for one in over[certain][:, :3]} == {
        tuple(rgb(LIGHT.risky))
    }


@pytest.mark.parametrize(
    "words", [HOSTILE, "<script>alert(1)</script>", "\"a\" & 'b' &lt;b&gt;", "a\x00b\x1b", "\ud800"]
)
def test_names_are_text(words):
    picture = svg(utility.columns(kept(words)))
    picture.encode()
    found = [text for text in texts(picture) if text != "plain"]
    assert "<script" not in picture and "<img" not in picture and "<a " not in picture
    start = " ".join(words.split())[:20]
    assert any(text.startswith(re.sub("[\x00\x1b\ud800]", "\N{REPLACEMENT CHARACTER}", start)) for text in found)


@pytest.mark.parametrize(
    "chart",
    [
        go.Figure(go.Pie(values=[1, 2])),
        go.Figure(go.Scatter(x=[1], y=[1], mode="markers", marker={"symbol": "hexagram"})),
        go.Figure(go.Scatter(x=[1, 2], y=[1, 2], error_y={"array": [1, 1]})),
        go.Figure(go.Scatter(x=[1, 2], y=[1, 2], line={"shape": "spline"})),
        go.Figure(go.Bar(x=[1], y=[1]), layout={"yaxis": {"tickformat": "$.2f"}}),
        go.Figure(go.Bar(x=[1], y=[1], marker={"color": "tomato"})),
        go.Figure(go.Bar(x=[1], y=[1]), layout={"barmode": "stack"}),
        go.Figure(go.Bar(x=[1], y=[1], insidetextanchor="start")),
        go.Figure(go.Bar(x=[1], y=[1]), layout={"yaxis": {"side": "right"}}),
        go.Figure(go.Heatmap(z=[[1]], colorscale=LIGHT.scale, texttemplate="%{z}")),
    ],
)
def test_what_no_picture_has_is_refused_and_not_left_out(chart):
    with pytest.raises(ValueError, match="no still picture has"):
        svg(chart)


def test_a_picture_is_as_large_as_asked_for():
    chart = FIGURES["class sizes"]
    assert (chart.layout.height, 'width="680" height="300"' in svg(chart)) == (300, True)
    small = svg(chart, 340, 200)
    assert 'width="340" height="200" viewBox="0 0 340 200"' in small
    assert max(float(one["x"]) + float(one["width"]) for one in rects(small)) <= 340


def test_a_figure_without_anything_in_it_is_a_picture():
    for chart in (figure(), figure(go.Bar(x=[], y=[])), figure(go.Scatter(x=[None], y=[1])), figure(go.Heatmap(z=[]))):
        ElementTree.fromstring(svg(chart))


@pytest.mark.parametrize(
    ("value", "pattern", "text"),
    [
        (1234.4, ",d", "1,234"), (0.255, ".1%", "25.5%"), (0.012345, ".3~p", "1.23%"), (1, ".4~p", "100%"),
        (12345.678, ",.3~r", "12,300"), (0.00012, ".3~r", "0.00012"), (-0.5, ".0%", "−50%"), (0, ".3~r", "0"),
        (1.50, ".2~f", "1.5"), (-0.0001, ".1f", "0.0"),
    ],
)  # fmt: skip
def test_numbers_of_ticks_are_those_of_plotly(value, pattern, text):
    assert axes.formatted(value, pattern) == text


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9), st.integers(2, 12))
def test_even_ticks_lie_on_the_axis_and_are_few(low, span, most):
    assume(span > 1e-6 * abs(low))  # floats tell the ends apart
    ticks, step = axes.even_ticks(low, low + span, most)
    assert len(ticks) <= most + 1 and str(f"{step:e}")[0] in "125"
    assert all(low - 1e-6 * span <= tick <= low + span + 1e-6 * span for tick in ticks)


def test_labels_become_lines_of_text():
    lines = still_text.read("a &lt;b&gt; <b>bold</b><br>next <i>x</i>")
    assert [[span.text for span in line] for line in lines] == [["a <b> ", "bold"], ["next ", "x"]]
    assert [span.bold for span in lines[0]] == [False, True]
    assert still_text.read(None) == () and still_text.width((), 12) == 0

"""The plane of risk and loss, the progress of searches and the bars of intervals show what they are made from."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.frontier.bound import LowerBound
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.result import Frontier, non_dominated
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.analyses.frontier.update_rates import UpdateRates
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.plots import frontier as plots
from anonlib.plots.frontier import RiskAxis
from anonlib.plots.still import svg
from anonlib.plots.theme import DARK, LIGHT, Palette
from tests.helpers.examples import settings
from tests.helpers.figures import HOSTILE, MOST, THEMES, check_names_are_text, contrast, sent

PEOPLE = pd.DataFrame(
    {"age": ["30", "30", "31", "40", "41", "60", "60", "61", None], "sex": list("FFFMFMFFF")}, dtype=object
)


def space_of(frame: pd.DataFrame = PEOPLE, **how) -> PolicySpace:
    return PolicySpace(ClassTable.from_frame(frame), **how)


def found(space: PolicySpace, n: int = 40, seed: int = 1, method: str = "random_chains", **measures) -> Frontier:
    """The frontier of some random policies, the top and the bottom among them."""
    plane = Plane(space, **measures)
    policies = np.vstack([np.random.default_rng(seed).random((n, space.n_bits)) < 0.5, space.top, space.bottom])
    sums = np.array([plane.sums(policy) for policy in policies])
    risk, loss = plane.finish(sums[:, 0], sums[:, 1])
    kept, order = non_dominated(risk, loss)
    at = order[kept[order]]
    return Frontier(plane, policies[at], risk[at], loss[at], method, np.column_stack([risk, loss]), len(policies))


def made_up(n: int, seed: int = 0, method: str = "interval_programs") -> Frontier:
    """A frontier of many points; no policies."""
    rng = np.random.default_rng(seed)
    risk = np.sort(np.concatenate([10 ** rng.uniform(-6, 0, n - 2), [1e-6, 1.0]]))
    loss = 1 - np.log10(risk / 1e-6) / 6
    space = space_of()
    visited = rng.random((9_000, 2))
    return Frontier(Plane(space), np.zeros((n, space.n_bits), bool), risk, loss, method, visited, n)


def clickable(figure: dict) -> dict:
    """The one trace that can be hovered and so clicked."""
    (trace,) = [trace for trace in figure["data"] if trace.get("hoverinfo") != "skip"]
    return trace


def stair(figure: dict, name: str) -> dict:
    (trace,) = [trace for trace in figure["data"] if trace["mode"] == "lines" and trace.get("name") == name]
    return trace


def marks(figure: dict, symbol: str) -> list[tuple[float, float, str]]:
    """Risk, loss and colour of the marks of a kind."""
    traces = [trace for trace in figure["data"] if trace.get("marker", {}).get("symbol") == symbol]
    return [(trace["x"][0], trace["y"][0], trace["marker"]["color"]) for trace in traces]


def notes(figure: dict) -> dict[str, dict]:
    return {note["text"].replace("<b>", "").replace("</b>", ""): note for note in figure["layout"]["annotations"]}


# ---- the plane -----------------------------------------------------------------------------------------------------


def test_a_click_tells_which_policy_it_is():
    one, other = found(space_of()), found(space_of(), seed=2, method="sublattices")
    figure = sent(plots.frontier([one, other], safe_harbor=(0.5, 0.5), chosen=(one.risk[1], one.loss[1])))
    points = clickable(figure)
    assert len(one) > 4 and len(points["x"]) == len(one)
    for x, y, position in zip(points["x"], points["y"], points["customdata"], strict=True):
        assert (x, y) == (one.risk[position], one.loss[position])
    assert points["unselected"]["marker"]["opacity"] == points["selected"]["marker"]["opacity"] == 1, "none fades"
    for trace in figure["data"]:
        if "markers" in trace["mode"]:
            assert trace["unselected"]["marker"]["opacity"] == trace["marker"]["opacity"]
    hover = points["hovertemplate"]
    assert "Expected re-identifications: %{x" in hover and "Information (KL): %{y" in hover and "click" in hover


def test_the_stair_goes_on_at_the_same_loss_until_the_next_risk():
    whole = found(space_of(), risk_key="average")
    one = whole.only(np.flatnonzero(whole.loss < 1))  # without the top
    assert one.risk[-1] < 1 and one.loss[0] < 1
    figure = sent(plots.frontier([one]))
    line = stair(figure, "Random chains")
    assert line["line"]["shape"] == "hv" and line["hoverinfo"] == "skip"
    assert np.allclose(line["x"][1:-1], one.risk) and np.allclose(line["y"][1:-1], one.loss)
    assert line["y"][0] == 1 and line["x"][0] == line["x"][1], "no policy risks less"
    end = figure["layout"]["xaxis"]["range"][1]
    assert line["x"][-1] == pytest.approx(end) and end > one.risk[-1] and line["y"][-1] == line["y"][-2]


@THEMES
def test_each_method_has_its_colour_and_its_name_and_nothing_is_red(dark: bool, colours: Palette):
    space = space_of()
    names = {
        "interval_programs": "Interval programs", "sublattices": "Sublattices", "enumeration": "All policies",
        "bisection": "Bisection", "random_chains": "Random chains",
    }  # fmt: skip
    methods = [found(space, seed=i, method=method) for i, method in enumerate(names)]
    figure = sent(plots.frontier(methods, safe_harbor=(0.4, 0.4), chosen=(1.0, 0.0), other=(0.4, 0.5), dark=dark))
    lines = [stair(figure, name) for name in names.values()]
    shown = [line["line"]["color"] for line in lines]
    assert len(set(shown)) == 5 and shown[0] == colours.sequence[0] == clickable(figure)["marker"]["color"]
    assert [line["legendrank"] for line in lines] == [1, 2, 3, 4, 5]
    drawn = [trace.get("name") for trace in figure["data"]]
    assert drawn.index("Policies looked at") < drawn.index("Random chains") < drawn.index("Interval programs")
    ((*_, diamond),) = marks(figure, "diamond")
    assert diamond not in shown
    rest = json.dumps(figure)
    assert LIGHT.risky not in rest and DARK.risky not in rest


def test_safe_harbor_has_a_corner_that_holds_what_is_better():
    one = found(space_of(), 200)
    point = (float(one.risk[-2]) + 0.01, 0.9)
    better = len(one.dominating_point(*point))
    assert better > 1
    for log in (False, True):
        figure = sent(plots.frontier([one], safe_harbor=point, log=log))
        ((x, y, _),) = marks(figure, "diamond")
        assert (x, y) == point
        (corner,) = figure["layout"]["shapes"]
        assert (corner["x1"], corner["y0"], corner["y1"]) == (pytest.approx(point[0]), 0, point[1])
        points = clickable(figure)
        inside = [
            corner["x0"] <= x <= corner["x1"] and y <= corner["y1"]
            for x, y in zip(points["x"], points["y"], strict=True)
        ]
        assert sum(inside) == better
        note = notes(figure)[f"Safe Harbor<br>{better:,} better policies found"]
        assert note["hovertext"] == f"risk {words.percent(point[0])}, 90% lost"
        assert note["x"] == pytest.approx(np.log10(point[0]) if log else point[0]) and note["y"] == point[1]


@pytest.mark.parametrize(
    ("point", "message"),
    [((0.0, 0.0), "no better policy"), ((1.0, 1e-9), "1 better policy"), ((1.0, 1.0), "better pol")],
)
def test_how_many_are_better_is_stated_in_words(point, message):
    one = found(space_of(), 0)  # top and bottom
    assert len(one) == 2
    assert any(message in text for text in notes(sent(plots.frontier([one], safe_harbor=point))))


def test_rings_mark_the_chosen_and_the_compared_policy():
    one = found(space_of())
    chosen, other = [(float(one.risk[i]), float(one.loss[i])) for i in (2, 3)]
    figure = sent(plots.frontier([one], chosen=chosen, other=other))
    assert [mark[:2] for mark in marks(figure, "circle-open")] == [other, chosen]
    message = notes(figure)
    assert (message["chosen"]["x"], message["chosen"]["y"]) == chosen and message["compared"]["y"] == other[1]
    same = notes(sent(plots.frontier([one], chosen=chosen, other=other, safe_harbor=other)))
    assert "chosen" in same and "compared" not in same, "Safe Harbor says so already"


@THEMES
def test_other_releases_have_a_shape_and_a_label_each_and_can_be_clicked(dark: bool, colours: Palette):
    one = found(space_of())
    points = [(0.2, 0.9), (0.4, 0.5), (0.4, 0.5), (0.6, 0.3), (0.9, 0.1)]
    kinds = ["recipe", "k", "k", "proposal", "earlier"]
    labels = ["recipe", "k = 2", "k = 5", "mixed", "earlier 1"]
    releases = [plots.MarkedRelease(*mark) for mark in zip(points, labels, kinds, strict=True)]
    figure = sent(plots.frontier([one], marks=releases, chosen=points[1], dark=dark))
    drawn = [trace for trace in figure["data"] if trace.get("customdata") and trace["customdata"][0] < 0]
    assert [(trace["x"][0], trace["y"][0]) for trace in drawn] == points
    assert [trace["customdata"] for trace in drawn] == [[-1], [-2], [-3], [-4], [-5]]
    symbols = dict(zip(kinds, (trace["marker"]["symbol"] for trace in drawn), strict=True))
    assert len({*symbols.values()}) == 4 and "diamond" not in symbols.values(), "not told by colour alone"
    assert all(trace["marker"]["color"] != colours.risky for trace in drawn)
    assert {"recipe", "k = 2 · k = 5, chosen", "mixed", "earlier 1"} == {*notes(figure)}, "one label a point"
    far = sent(plots.frontier([one], marks=[plots.MarkedRelease((1e-6, 0.5), "recipe", "recipe")], log=True))
    assert far["layout"]["xaxis"]["range"][0] < -6, "the axis reaches it"


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(1e-4, 1), st.floats(0, 1)), min_size=3, max_size=3, unique=True), st.booleans())
def test_labels_of_close_points_do_not_lie_on_each_other(points, log):
    safe_harbor, chosen, other = points
    figure = sent(plots.frontier([found(space_of())], safe_harbor=safe_harbor, chosen=chosen, other=other, log=log))
    axis = figure["layout"]["xaxis"]["range"]
    boxes = []
    for text, note in notes(figure).items():
        high = 17 * (1 + text.count("<br>"))
        middle = 410 * note["y"] - note["ay"]
        place = (note["x"] - axis[0]) / (axis[1] - axis[0])
        widest = 5 * max(map(len, text.split("<br>")))  # pixels, at least
        assert (note["ax"] if note["xanchor"] == "right" else note["ax"] + widest) <= 460 * (1 - place) + 16
        boxes.append(((note["x"] - axis[0]) / (axis[1] - axis[0]), middle - high / 2, middle + high / 2))
    assert len(boxes) == 3
    for i, (x, low, top) in enumerate(boxes):
        for away, below, above in boxes[:i]:
            assert abs(x - away) > 0.25 or top <= below or low >= above


@pytest.mark.parametrize("log", [False, True])
def test_many_points_are_thinned_and_the_chosen_and_the_ends_stay(log):
    one = made_up(20_000)
    for position in (0, 4_321, 19_999):
        chosen = (float(one.risk[position]), float(one.loss[position]))
        chart = plots.frontier([one, made_up(9_000, 3, "bisection")], chosen=chosen, log=log)
        points = clickable(sent(chart))
        kept = points["customdata"]
        assert len(kept) <= plots.MOST_POINTS and sorted(set(kept)) == kept and {0, position, 19_999} <= {*kept}
        assert len(chart.to_json()) < MOST / 2
    places = np.log10(one.risk[kept]) / 6 if log else one.risk[kept]
    assert np.diff(places).max() < 0.01, "no gap is left where the frontier has none"
    assert np.diff(one.loss[kept]).min() > -0.01
    (looked_at,) = [trace for trace in sent(chart)["data"] if trace.get("name") == "Policies looked at"]
    assert len(looked_at["x"]) <= plots.MOST_VISITED
    assert {*looked_at["y"]} <= {*one.visited[:, 1].astype(np.float32).tolist()}


def test_a_lone_point_far_from_the_others_is_not_thinned_away():
    one = made_up(5_000)
    risk = np.concatenate([one.risk * 0.2, [0.6, 0.8, 1.0]])
    loss = np.concatenate([0.5 + one.loss / 2, [0.3, 0.2, 0.0]])
    points = clickable(sent(plots.frontier([replace(one, risk=risk, loss=loss)])))
    assert {4_999, 5_000, 5_001, 5_002} <= {*points["customdata"]}


def test_what_was_looked_at_can_be_left_out():
    one = found(space_of())
    assert "Policies looked at" not in json.dumps(sent(plots.frontier([one], visited=False)))
    none = replace(one, visited=np.zeros((0, 2)))
    assert "Policies looked at" not in json.dumps(sent(plots.frontier([none])))


def test_a_view_stays_while_the_same_plane_is_searched():
    one = found(space_of())
    views = [
        plots.frontier([one]), plots.frontier([found(space_of(), 90, 5)]), plots.frontier([one], log=True),
        plots.frontier([found(space_of(), loss_key="ncp")]), plots.frontier([found(space_of(PEOPLE.head(7)))]),
    ]  # fmt: skip
    first, later, *others = [view.layout.uirevision for view in views]
    assert first == later and first not in others and len({*others}) == 3
    assert all(view.layout.height == 520 for view in views)


def test_axes_name_the_measures():
    figure = sent(plots.frontier([found(space_of(), risk_key="below_k", loss_key="ncp", k=7)]))
    assert figure["layout"]["xaxis"]["title"]["text"] == "risk: Records below k = 7 (share of records)"
    assert figure["layout"]["yaxis"]["title"]["text"] == "loss: Detail of cells (NCP) (100%: all in one class)"
    assert figure["layout"]["xaxis"]["tickformat"].endswith("p") and figure["layout"]["yaxis"]["tickformat"]
    assert (
        "(probability)"
        in sent(plots.frontier([found(space_of(), risk_key="highest")]))["layout"]["xaxis"]["title"]["text"]
    )


@pytest.mark.parametrize("log", [False, True])
def test_where_no_policy_can_be_is_shaded_and_not_clicked(log):
    one = made_up(50)
    bound = LowerBound(one.plane, np.array([0.5, 2.0]), np.array([0.3, 0.6]), least_risk=0.01)
    chart = plots.frontier([one], bound=bound, log=log)
    figure = sent(chart)
    (region,) = [trace for trace in figure["data"] if trace.get("name") == "No policy can be here"]
    assert region["fill"] == "toself" and region["hoverinfo"] == "skip"
    at = [*zip(region["x"], region["y"], strict=True)]
    assert (0.01, 1.0) in at and (1.0, 0.0) in at
    for risk, loss in at[3:-1]:
        assert loss == pytest.approx(float(bound.loss_at(risk)))
    assert any(risk == pytest.approx(0.2) and loss == pytest.approx(0.2) for risk, loss in at)
    assert min(risk for risk, _ in at) == (0 if not log else pytest.approx(RiskAxis(one.risk, True).left))
    assert "customdata" not in region and clickable(figure)["customdata"]
    assert "No policy can be here" in svg(chart)
    assert "No policy can be here" not in json.dumps(sent(plots.frontier([one], log=log)))


# ---- the logarithmic axis ------------------------------------------------------------------------------------------


def test_no_risk_has_a_place_on_a_logarithmic_axis():
    one = found(space_of(), 100, risk_key="below_k", k=3)
    assert one.risk[0] == 0 and len(one) > 1
    figure = sent(plots.frontier([one], chosen=(0.0, float(one.loss[0])), log=True))
    points, axis = clickable(figure), figure["layout"]["xaxis"]
    assert axis["type"] == "log" and min(points["x"]) > 0 and sorted(points["x"]) == points["x"]
    assert len({*points["x"]}) == len({*one.risk.tolist()})
    assert axis["ticktext"][0] == "0%" and axis["tickvals"][0] == points["x"][0] < one.risk[1]
    assert (
        points["text"] == [words.percent(risk) for risk in one.risk.tolist()] and "%{text}" in points["hovertemplate"]
    )
    assert notes(figure)["chosen"]["x"] == pytest.approx(np.log10(points["x"][0]))


@settings(max_examples=60)
@given(st.lists(st.sampled_from([0.0, 1.0]) | st.floats(1e-11, 1), max_size=8))
def test_all_risks_are_within_a_logarithmic_axis_in_their_order(risks):
    axis = RiskAxis(np.array(risks), log=True)
    low, high = axis.layout()["range"]
    x = np.log10(axis.x(np.array(sorted(risks))))
    assert np.isfinite([low, high]).all() and low < high
    assert (x > low).all() and (x < high).all() and (np.diff(x) >= 0).all()
    assert len({*x.round(9)}) == len({*np.log10(np.maximum(risks, 1e-30)).round(9)}), (
        "different risks, different places"
    )
    ticks = axis.layout()
    assert ("0%" in ticks["ticktext"]) == (0 in risks)
    assert len(ticks["tickvals"]) == len(ticks["ticktext"]) and list(ticks["tickvals"]) == sorted(ticks["tickvals"])
    for value, text in zip(ticks["tickvals"], ticks["ticktext"], strict=True):
        assert float(text[:-1]) == pytest.approx(100 * value) or text == "0%"


# ---- odd input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("log", [False, True])
def test_a_picture_of_little_or_nothing(log):
    one = found(space_of())
    none = replace(one, policies=one.policies[:0], risk=np.zeros(0), loss=np.zeros(0), visited=np.zeros((0, 2)))
    single = replace(one, policies=one.policies[:1], risk=np.zeros(1), loss=np.zeros(1))
    assert plots.frontier([], log=log).layout.yaxis.title.text == "loss"
    plots.frontier([], safe_harbor=(0.1, 0.2), chosen=(0.0, 0.0), log=log)
    assert not plots.frontier([none], log=log).data
    assert clickable(sent(plots.frontier([single, none], safe_harbor=(0.0, 0.0), log=log)))["customdata"] == [0]


def test_text_of_a_file_is_no_markup():
    frame = PEOPLE.rename(columns={"sex": HOSTILE})
    frame.loc[:3, HOSTILE] = HOSTILE
    space = space_of(frame)
    check_names_are_text(
        plots.frontier([found(space, method=HOSTILE)], safe_harbor=(0.4, 0.4)),
        plots.frontier([found(space)], marks=[plots.MarkedRelease((0.4, 0.4), HOSTILE, "proposal")]),
        plots.progress({HOSTILE: [(0, 1), (1, 0.5)]}),
        plots.intervals(space, [(HOSTILE, space.bottom), ("b", space.top)], unit="records"),
    )


# ---- how methods compare -------------------------------------------------------------------------------------------


@THEMES
def test_the_area_of_each_method_against_its_time(dark: bool, colours: Palette):
    areas = {"interval_programs": [(0.5, 0.1), (0.0, 0.9), (5.0, 0.0821)], "sublattices": [(0.1, 0.8), (4, 0.125)]}
    figure = sent(plots.progress(areas, dark=dark))
    first, second = figure["data"]
    assert (first["x"], first["y"]) == ([0, 0.5, 5], [0.9, 0.1, 0.0821]) and first["line"]["shape"] == "hv"
    assert (first["name"], second["name"]) == ("Interval programs: 0.0821", "Sublattices: 0.125")
    methods = [found(space_of(), method=name) for name in areas]
    plane = sent(plots.frontier(methods, dark=dark))
    for trace, name in ((first, "Interval programs"), (second, "Sublattices")):
        assert trace["line"]["color"] == stair(plane, name)["line"]["color"] != colours.risky
    low, high = figure["layout"]["yaxis"]["range"]
    assert low < np.log10(0.0821) and np.log10(0.9) < high
    assert (
        figure["layout"]["xaxis"]["title"]["text"] == "seconds" and "less" in figure["layout"]["yaxis"]["title"]["text"]
    )


def test_progress_begins_with_the_first_policies_on_a_linear_axis():
    figure = sent(plots.progress({"a": [(0, 1.0), (0.2, 0.3), (4, 0.2)]}))
    axis = figure["layout"]["xaxis"]
    assert figure["data"][0]["x"] == [0, 0.2, 4] and axis["type"] == "linear" and axis["rangemode"] == "tozero"


@THEMES
def test_what_the_heuristic_predicts_is_drawn_by_tenths_with_its_correlation(dark: bool, colours: Palette):
    rates = UpdateRates(np.array([0.05, 0.1, 0.32, 0.95]), np.array([0.0, 0.2, 0.4, 0.9]), 1.0, 0.1, True)
    figure = sent(plots.update_rates(rates, dark=dark))
    each, means = figure["data"]
    assert (each["x"], each["y"]) == ([0.05, 0.1, 0.32, 0.95], [0.0, 0.2, 0.4, 0.9])
    assert means["x"] == [0.1, 0.4, 1.0] and means["y"] == pytest.approx([0.1, 0.4, 0.9])
    assert means["error_y"]["array"][0] == pytest.approx(1.96 * 0.1, rel=1e-3) and means["customdata"] == [2, 1, 1]
    (message,) = notes(figure)
    r = np.corrcoef(rates.predicted, rates.observed)[0, 1]
    assert message == f"correlation {r:.3f}<br>Xia et al. 2013: 0.864"
    assert colours.risky not in json.dumps(figure)
    alike = UpdateRates(np.array([0.5, 0.5]), np.array([0.1, 0.3]), 1.0, 0.1, True)
    assert "annotations" not in sent(plots.update_rates(alike))["layout"], "without a correlation none is named"


def test_progress_against_policies_on_a_logarithmic_axis():
    figure = sent(plots.progress({"a": [(0, 0.9), (100, 0.3), (14_780, 0.2)]}, against="policies looked at", log=True))
    assert figure["data"][0]["x"] == [100, 14_780] and figure["layout"]["xaxis"]["type"] == "log"
    assert figure["layout"]["xaxis"]["title"]["text"] == "policies looked at"
    assert not sent(plots.progress({}))["data"] and not sent(plots.progress({"a": []}))["data"]
    flat = sent(plots.progress({"a": [(1, 0.5)], "b": [(1, 0.0)]}))["layout"]["yaxis"]["range"]
    assert flat[0] < np.log10(0.5) < flat[1]


# ---- intervals -----------------------------------------------------------------------------------------------------


def bars_of(figure: dict) -> list[dict]:
    return [trace for trace in figure["data"] if trace["type"] == "heatmap"]


def test_a_bar_is_cut_where_the_policy_cuts():
    space = space_of()
    policy = np.array([0, 1, 0, 0, 0, 1, 0], dtype=bool)  # 30 31 | 40 41 60 61 | (missing); F M
    assert space.n_bits == 7
    figure = sent(plots.intervals(space, [("chosen", policy), ("as it is", space.bottom)], unit="persons"))
    age, as_it_is, sex, _ = bars_of(figure)
    assert age["hovertext"] == [["30-31", "40-61", "(missing)"]] and age["customdata"] == [[3, 5, 1]]
    assert age["x"] == pytest.approx([0, 3 / 9, 8 / 9, 1])
    assert len(as_it_is["hovertext"][0]) == 7 and sex["hovertext"] == [["*"]] and sex["x"] == [0, 1]
    assert "chosen" in age["hovertemplate"] and "age" in age["hovertemplate"] and "persons" in age["hovertemplate"]
    assert figure["layout"]["yaxis"]["ticktext"] == ["chosen", "as it is"] * 2
    centres = [sum(bar["y"]) / 2 for bar in bars_of(figure)]
    assert centres == pytest.approx(figure["layout"]["yaxis"]["tickvals"]) and centres == sorted(centres)
    assert all(a["y"][1] < b["y"][0] for a, b in pairwise(bars_of(figure))), "no bar on another"
    message = list(notes(figure))
    assert {"age  6 values and missing, 30 to 61", "sex  2 values, F to M", "3 intervals", "1 interval"} <= {*message}


@settings(max_examples=30)
@given(st.integers(0, 99), st.booleans())
def test_bars_hold_every_record_once_and_neighbours_differ_in_tone(seed, observed_only):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.integers(0, 9, 30).astype(str), "b": rng.integers(0, 3, 30).astype(str)})
    space = space_of(frame, order={"b": ["2", "x", "0", "1"]}, observed_only=observed_only)
    policy = rng.random(space.n_bits) < rng.random()
    figure = sent(plots.intervals(space, [("one", policy)], unit="records"))
    for j, bar in enumerate(bars_of(figure)):
        ends = space.intervals(policy, j)
        assert sum(bar["customdata"][0]) == 30 and len(bar["hovertext"][0]) == len(ends)
        assert bar["x"][0] == 0 and bar["x"][-1] == pytest.approx(1) and (np.diff(bar["x"]) >= 0).all()
        assert all(a != b for a, b in pairwise(bar["z"][0])) and {*bar["z"][0]} <= {0, 1}
        assert np.diff(bar["x"]) == pytest.approx(np.array(bar["customdata"][0]) / 30)


def test_labels_are_written_where_there_is_room():
    frame = pd.DataFrame({"code": [f"{i:03}" for i in range(400)], "group": (["long " * 9, "b"] * 200)}, dtype=object)
    space = space_of(frame)
    policy = space.bottom.copy()
    policy[:199] = False
    figure = sent(plots.intervals(space, [("one", policy)], unit="records"))
    written = [text for trace in figure["data"] if trace.get("mode") == "text" for text in trace.get("text", [])]
    assert written == ["000-199", "b"] or written == ["000-199", "b", " ".join(["long"] * 9)]
    code, _ = bars_of(figure)
    assert len(code["hovertext"][0]) == 201 and code["xgap"] == 0, "one trace, however many intervals"
    assert len(figure["data"]) == 3 and len(json.dumps(figure)) < 100_000


@THEMES
def test_tones_are_calm_and_labels_legible(dark: bool, colours: Palette):
    space = space_of()
    figure = sent(plots.intervals(space, [("one", space.bottom)], unit="records", dark=dark))
    tones = {tone for bar in bars_of(figure) for _, tone in bar["colorscale"]}
    ink = {trace["textfont"]["color"] for trace in figure["data"] if trace.get("mode") == "text"}
    assert len(tones) == 2 and ink == {colours.ink} and colours.risky not in json.dumps(figure)
    for tone in tones:
        assert contrast(colours.ink, tone) >= 4.5


def test_intervals_of_one_value_and_of_another_space():
    space = space_of(pd.DataFrame({"a": ["x", "x"]}))
    (bar,) = bars_of(sent(plots.intervals(space, [("one", space.top)], unit="records")))
    assert bar["hovertext"] == [["x"]] and bar["x"] == [0, 1] and bar["z"] == [[0]]
    assert not bars_of(sent(plots.intervals(space, [], unit="records")))
    with pytest.raises(InputError, match="0 bits"):
        plots.intervals(space, [("one", np.ones(3, dtype=bool))], unit="records")


# ---- without colour --------------------------------------------------------------------------------------------------


def test_searches_are_distinguished_by_their_lines_and_marks_too():
    """In grey print the colours of two searches are alike."""
    areas = {name: [(1.0, 0.5), (2.0, 0.4)] for name in ("one", "two", "three", "four", "five")}
    traces = plots.progress(areas).data
    assert len({trace.line.dash for trace in traces}) == len({trace.marker.symbol for trace in traces}) == 5

"""What the figures of utility say: the numbers of the results, nothing red, text as text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.utility import Utility, measure
from anonlib.analyses.utility.prediction import ModelScore, Prediction
from anonlib.basics.words import percent
from anonlib.coarsening.recoding import ValueMap
from anonlib.dataset import Dataset
from anonlib.plots import utility as plots
from anonlib.plots.theme import Palette
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode
from tests.helpers.figures import HOSTILE, THEMES, check_is_small_and_asks_nobody, check_names_are_text, sent, texts_of

NAMES = ["x", "y", "z", "gone"]


def kept(names: list[str] = NAMES) -> Utility:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({name: rng.choice(list("abc"), 90) for name in names[:2]})
    frame[names[2]], frame[names[3]] = frame[names[0]], "v"
    data = Dataset.from_frame(frame)
    recipe = Recipe.of([Recode(names[2], ValueMap.of({"a": "b"})), DropColumns((names[3],))])
    return measure(data, recipe.apply(data).released.with_records(np.arange(90) > 20, ""))


PREDICTED = Prediction(
    "ill", ("age",), 2, False, 90, 90, 80, "records", 0,
    (
        ModelScore("commonest value", "original", (0.5, 0.6, 0.7), (0.5, 0.5, 0.5)),
        ModelScore("logistic regression", "original", (0.8, 0.9, 0.7), (0.9, 0.9, 0.9)),
        ModelScore("logistic regression", "release", (0.7, 0.7, 0.7), (0.7, 0.8, np.nan)),
    ),
)  # fmt: skip
DRAWN = [
    lambda dark: plots.columns(kept(), dark=dark),
    lambda dark: plots.association_change(kept().association, dark=dark),
    lambda dark: plots.prediction(PREDICTED, dark=dark),
]


@THEMES
def test_columns_stand_in_the_files_order_with_what_they_keep_and_how_far_they_moved(dark: bool, colours: Palette):
    found = kept()
    chart = plots.columns(found, dark=dark)
    information, moved = sent(chart)["data"]
    rows = found.columns[::-1]
    assert sent(chart)["layout"]["yaxis"]["ticktext"] == NAMES[::-1]
    assert information["x"] == pytest.approx([row.entropy_kept for row in rows]) and information["x"][0] == 0
    assert information["text"][0] == "dropped" and moved["text"][0] == ""
    assert moved["x"][1:] == pytest.approx([row.distance for row in rows[1:]])
    assert moved["text"][1:] == [percent(row.distance or 0) for row in rows[1:]]


def test_each_pair_of_released_columns_is_drawn_once():
    found = kept().association
    (cells,) = sent(plots.association_change(found))["data"]
    expected = found.difference
    for i in range(3):
        for j in range(3):
            value = cells["z"][i][j]
            assert value == pytest.approx(expected[i, j]) if j < i else value is None or np.isnan(value)
    assert cells["zmin"] == -cells["zmax"] <= -0.1 and cells["text"][2][0] == f"{expected[2, 0]:+.2f}"
    assert f"{found.before[2, 0]:.2f} in the original" in cells["hovertext"][2][0]


def test_models_stand_from_the_top_with_their_scores():
    right, area, spread = sent(plots.prediction(PREDICTED))["data"]
    assert right["x"] == pytest.approx([0.7, 0.8, 0.6]) and area["x"] == pytest.approx([0.75, 0.9, 0.5])
    assert spread["x"][3:5] == pytest.approx([0.7, 0.9])
    ticks = sent(plots.prediction(PREDICTED))["layout"]["yaxis"]["ticktext"]
    assert ticks == ["logistic regression, the release", "logistic regression, the original", "commonest value"]


@THEMES
@pytest.mark.parametrize("draw", DRAWN)
def test_figures_are_small_ask_nothing_of_another_host_and_nothing_is_red(draw, dark: bool, colours: Palette):
    chart = draw(dark)
    check_is_small_and_asks_nobody(chart)
    assert {trace.type for trace in chart.data} <= {"bar", "scatter", "heatmap"}
    assert colours.risky not in texts_of(sent(chart))


def test_names_of_columns_are_text():
    found = kept([HOSTILE, "b", "b" + HOSTILE, HOSTILE * 2])
    check_names_are_text(plots.columns(found), plots.association_change(found.association))


def test_without_pairs_and_without_columns_there_is_an_empty_picture_and_no_error():
    data = Dataset.from_frame(pd.DataFrame({"a": ["x", "y"]}))
    found = measure(data, data)
    plots.association_change(found.association)
    gone = measure(data, data.without_columns(["a"]))
    plots.columns(gone)
    assert gone.farthest is None and gone.figures[3].value == "—"

"""The tab of the Release page that says what the file is still good for."""

from __future__ import annotations

import pytest

from anonlib.analyses.utility import measure, predict
from anonlib.basics import words
from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from tests.helpers.app import RELEASE, App, dataset_of, seeded
from tests.helpers.hostile import check_text, hostile_file

TAB = ("release-tabs", "What it is still good for")
STEPS = (Recode("age", Intervals(20)), Recode("zip", Mask(3)), DropColumns(("visit_date",)), LeaveOut(5))


def opened(file: bytes, *steps) -> App:
    return seeded(file, page=RELEASE, recipe=Recipe.of(steps), tab=TAB)


def unescaped(app: App) -> str:
    return app.text.replace("\\", "")


def test_each_figure_is_that_of_the_library_with_its_sentence(file):
    app = opened(file, *STEPS)
    data = dataset_of(app)
    found = measure(data, app.session.recipe.apply(data).released, k=app.session.k)
    shown = {metric.label: metric.value for metric in app.at.metric}
    for figure in found.figures:
        assert shown[figure.label] == figure.value
        assert figure.sentence in unescaped(app)
    pairs = app.table("Measure")
    assert pairs["Difference"].tolist() == found.association.to_frame()["difference"].head(10).round(3).tolist()
    assert [app.download(label).disabled for label in ("Columns as CSV", "All pairs as CSV")] == [False, False]


def test_a_task_is_chosen_started_and_answered(file):
    app = opened(file, *STEPS)
    assert app.widget("selectbox", "What to predict").value == "diagnosis", "the sensitive column"
    app.choose("selectbox", "What to predict", "sex")
    assert "sex" not in app.widget("multiselect", "From which columns").options
    app.choose("multiselect", "From which columns", ["age", "diagnosis"]).press("Start")
    data = dataset_of(app)
    found = predict(data, app.session.recipe.apply(data).released, "sex", ["age", "diagnosis"])
    for sentence in found.sentences:
        assert sentence in unescaped(app)
    assert not app.has_button("Start") and not app.download("Prediction as CSV").disabled
    app.choose("multiselect", "From which columns", [])
    assert "Choose at least one column" in app.text and not app.has_button("Start")


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ((), "No step changes anything yet"),
        ((DropColumns(("age", "sex", "zip", "visit_date", "notes")),), "Fewer than two columns are released"),
        (
            [Recode(name, ValueMap((), otherwise="*")) for name in ("age", "sex", "zip", "diagnosis", "notes")],
            "No released column has 2 to 20 values",
        ),
    ],
)
def test_where_there_is_no_task_the_button_says_why(file, steps, why):
    app = opened(file, *steps)
    button = app.button("utility-no-task")
    assert button.disabled and button.help.startswith(why) and why in app.text


def test_a_release_without_records_has_no_figures(file):
    app = opened(file, LeaveOut(10_000))
    assert "Nothing is known of what is kept" in app.text and not app.has_button("utility-no-task")


def test_a_figure_that_nobody_looks_at_is_not_computed(file, monkeypatch):
    """The tab is computed when it is opened."""
    measured = []
    monkeypatch.setattr(
        "pages.release.release.tabs.utility.measure", lambda *a, **b: measured.append(1) or measure(*a, **b)
    )
    app = seeded(file, page=RELEASE, recipe=Recipe.of(STEPS))
    assert not measured
    app.tab(*TAB)
    assert measured == [1]
    assert app.metric("Rows kept") == words.percent(284 / 300)


def test_names_of_columns_are_text():
    app = opened(hostile_file(), LeaveOut(1))
    check_text(app)

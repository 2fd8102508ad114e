"""What the data are needed for: named in a line, ranked and drawn in its tab, taken out, written into the case."""

from __future__ import annotations

from dataclasses import replace

from anonlib.analyses.utility import Alongside, association
from anonlib.analyses.utility.purposes import MeanByGroup, Model, Together, UsefulColumns, kept, named_columns
from anonlib.basics.words import percent
from anonlib.columns.roles import Role
from anonlib.release.detail import detail_lost
from anonlib.release.levels import levels_of
from anonlib.verdict.criteria import WAYS, WHOLE_COLUMNS, RecordsKept, SmallestClass
from tests.helpers.app import VERDICT, App, dataset_of, loaded

TAB, NO_SEARCH = ("verdict-tabs", "What must survive"), ("verdict-tabs", "How it works")
PURPOSES = (Together("age", "sex"), MeanByGroup("age", "sex"))


def opened(file: bytes, *purposes, ways=(WHOLE_COLUMNS,)) -> App:
    """With three columns that may be known, so that no search takes long."""
    app = loaded(file, page=VERDICT, tab=NO_SEARCH)
    app.session.roles = {**app.session.roles, "visit_date": Role.OTHER}
    aim = replace(app.session.aim, criteria=(SmallestClass(5), RecordsKept(0.9)), purposes=purposes, ways=ways)
    app.session.aim = aim
    return app.tab(*TAB)


def test_without_a_name_nothing_is_measured(file):
    app = opened(file)
    assert "Say above what the data are needed for" in app.text
    assert not app.has_button("Take out")
    assert "survives first" not in app.text


def test_what_is_named_is_ranked_and_drawn_and_taken_out_again(file):
    app = opened(file, ways=WAYS)
    app.choose("selectbox", "This column", "age").choose("selectbox", "Together with", "sex")
    app.press("It must survive")
    assert app.session.aim.purposes == (Together("age", "sex"),)
    assert app.button("It must survive").disabled
    table = app.table("Kept on average")
    assert len(table) >= 2 and "Detail lost" in table.columns
    assert "“age” together with “sex”" in app.text.replace("\\", "")
    assert len(app.at.get("plotly_chart")) >= 1
    app.press("Take out")
    assert app.session.aim.purposes == ()


def test_shares_are_those_of_the_release_that_leaves(file):
    app = opened(file, *PURPOSES, ways=WAYS)
    table = app.table("Kept on average")
    best = table.iloc[0]
    for mean in table["Kept on average"]:
        assert f"What must survive: **{mean}** kept." in app.text, "a proposal's line says it too"
    app.press(f"verdict-take-{best['Release']}")
    applied = app.session.recipe.apply(dataset_of(app))
    for found in kept(PURPOSES, applied.original, applied.released):
        assert found.share is not None
        assert best[found.purpose.title] == percent(found.share)
    shown = [float(each.rstrip("%")) for each in table["Kept on average"]]
    assert shown == sorted(shown, reverse=True)


def test_without_a_name_it_says_how_columns_go_together_in_what_leaves(file):
    app = opened(file, ways=WAYS)
    takes = [button.key for button in app.at.button if str(button.key).startswith("verdict-take-")]
    labels = [metric.label for metric in app.at.metric]
    n_shown = labels.count("Association kept") + app.text.count("Association kept **")
    assert n_shown == len(takes) >= 2
    best = next(metric.value for metric in app.at.metric if metric.label == "Association kept")
    app.press(takes[0])
    applied = app.session.recipe.apply(dataset_of(app))
    assert best == percent(association(Alongside.of(applied.original, applied.released)).kept)


def test_a_mean_is_of_numbers_and_a_model_of_few_values(file, without_searches):
    app = opened(file)
    app.choose("segmented_control", "What must survive", "A mean by group")
    assert "sex" not in app.widget("selectbox", "Mean of").options
    app.choose("segmented_control", "What must survive", "A model")
    assert "sex" in app.widget("selectbox", "What to predict").options
    assert app.button("It must survive").disabled
    app.choose("multiselect", "From which columns", ["age"])
    app.press("It must survive")
    (purpose,) = app.session.aim.purposes
    assert isinstance(purpose, Model) and purpose.predictors == ("age",)


def test_at_most_five_are_named(file, without_searches):
    names = ("age", "sex", "zip", "diagnosis")
    several = [Together(one, other) for i, one in enumerate(names) for other in names[i + 1 :]]
    app = loaded(file, page=VERDICT, tab=NO_SEARCH)
    app.session.aim = replace(app.session.aim, criteria=(SmallestClass(5),), purposes=tuple(several[:5]))
    app.tab(*TAB)
    assert not app.has_button("It must survive")
    assert "5 things are named" in app.text


def test_columns_that_must_stay_useful_are_named_before_the_proposals_and_no_figure_changes_its_meaning(file):
    app = opened(file)
    app.choose("multiselect", "Must stay useful", ["age"])
    assert app.session.aim.purposes == (UsefulColumns(("age",)),)
    shown = next(metric.value for metric in app.at.metric if metric.label == "Detail lost")
    app.press(next(button.key for button in app.at.button if str(button.key).startswith("verdict-take-")))
    recipe, data = app.session.recipe, dataset_of(app)
    applied = recipe.apply(data)
    lost = detail_lost(applied, levels_of(applied, recipe))
    assert lost is not None and shown == percent(lost.share), "as it is without a purpose"
    assert named_columns(["age"], applied.original, applied.released).says in app.text.replace("\\", "")
    app.choose("multiselect", "Must stay useful", [])
    assert app.session.aim.purposes == () and "Columns needed that keep" not in app.text


def test_what_is_needed_is_written_into_the_case_and_stays_text(file, without_searches):
    app = opened(file)
    assert app.button("Write it into the case").disabled
    app.session.aim = replace(app.session.aim, purposes=(UsefulColumns(("age", "sex")), Together("age", "zip")))
    app.session.case = replace(app.session.case, purpose="A study.")
    app.run().press("Write it into the case")
    assert app.session.case.purpose == (
        "A study.\nThe data are needed to analyse “age” and “sex” and to study how “age” and “zip” go together."
    )
    assert app.button("Write it into the case").disabled

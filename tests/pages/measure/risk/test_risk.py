"""The Risk page without a browser."""

from __future__ import annotations

import pytest

from anonlib.analyses.risk import assess, attribute_contributions, sensitive_risk
from anonlib.basics import words
from anonlib.basics.thresholds import PRESETS
from anonlib.columns.roles import Role
from anonlib.release.comparison import compare
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut
from anonlib.verdict.criteria import Aim
from tests.helpers.app import DATA, POPULATION, RELEASE, RISK, SMALL, App, dataset_of, loaded, sampled, seeded
from ui.session.state import Session


def test_the_risk_page_has_the_numbers_of_the_library(file):
    app = loaded(file, page=RISK)
    data = dataset_of(app)
    expected = assess(data.classes(), k=5, threshold=0.2)
    assert app.metric("k, the smallest class") == str(expected.k)
    assert app.below(5) == f"{expected.below_k:,}"
    assert app.metric("Highest risk") == words.percent(expected.prosecutor.highest)
    assert app.metric("Average risk") == words.percent(expected.marketer.average)
    assert app.metric("Records alone") == f"{expected.unique:,}"


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.title)
def test_a_preset_moves_k_and_the_threshold_with_it(preset, file):
    app = seeded(file, page=RISK, k=42, tab=("risk-tabs", "Attackers"))
    assert app.widget("selectbox", "Threshold").value not in [p.title for p in PRESETS], "42 is nobody's preset"
    app.choose("selectbox", "Threshold", preset.title)
    assert app.widget("slider", "k:").value == preset.k
    assert (app.session.k, app.session.threshold) == (preset.k, 1 / preset.k)
    assert f"1 / k = **{words.percent(1 / preset.k)}**" in app.text
    expected = assess(dataset_of(app).classes(), k=preset.k)
    assert expected.prosecutor.at_risk == expected.below_k
    assert f"[{expected.below_k:,}]" in app.text.replace("\\", "")
    app.open(DATA).open(RISK)
    assert app.widget("slider", "k:").value == preset.k, "and stays on another visit"


@pytest.fixture(scope="module")
def attackers(file) -> App:
    """The tab of attackers of a file with two quasi-identifiers; k is 5 and the threshold 1 / k."""
    roles = {"age": Role.QUASI_IDENTIFIER, "sex": Role.QUASI_IDENTIFIER}
    return seeded(file, page=RISK, roles=roles, tab=("risk-tabs", "Attackers"))


@pytest.mark.parametrize("k", [2, 3, 7, 50])
def test_the_k_slider_moves_the_numbers(k, attackers):
    app = attackers
    app.choose("slider", "k:", k)
    expected = assess(dataset_of(app).classes(), k=k)
    assert app.below(k) == f"{expected.below_k:,}"
    sidebar = " ".join(each.value for each in app.at.sidebar.markdown)
    assert "below k = 5" in sidebar, "which says on every page what the recipient asks"


@pytest.mark.parametrize("percent", [1, 9, 20, 33, 50])
def test_the_threshold_slider_moves_who_is_at_risk(percent, attackers):
    app = attackers
    assert not [slider for slider in app.at.slider if slider.label.startswith("Risk threshold")], "k says it"
    app.choose("toggle", "Set the risk threshold apart", True).choose("slider", "Risk threshold", percent)
    expected = assess(dataset_of(app).classes(), threshold=percent / 100)
    assert f"[{expected.prosecutor.at_risk:,}]" in app.text.replace("\\", "")
    app.choose("slider", "k:", 8 if app.session.k == 7 else 7)
    k = app.session.k
    assert (k, app.session.threshold) == (app.widget("slider", "k:").value, percent / 100), "k moves alone"
    app.choose("toggle", "Set the risk threshold apart", False)
    assert app.session.threshold == 1 / k, "and they are one again"


def test_a_release_that_reaches_k_11_is_at_no_risk_above_its_threshold(file):
    """11 meets 0.09 by convention: nobody is at risk in classes of 11, on any page."""
    app = seeded(file, page=RISK, aim=Aim.for_recipient("public")).choose("selectbox", "Threshold", "0.09 · k = 11")
    app.open(RELEASE).press("Start with these steps")
    release = app.table("Prosecutor: at risk").set_index("").loc["Release"]
    assert (
        release["k, the smallest class"] >= 11
        and release["Records below k = 11"] == release["Prosecutor: at risk"] == 0
    )
    app.open(RISK, ("risk-tabs", "Attackers"))
    beside = [
        line for line in app.text.split("\n") if line.startswith(("k: ", "highest risk (prosecutor): ", "below k"))
    ]
    assert len(beside) == 3 and ":red[" not in "".join(beside), "in the sidebar neither"
    assert ":red[0]" not in app.text.replace("\\", "") and ":primary[" in app.text


def test_a_strict_reading_of_9_percent_is_set_apart(file):
    app = seeded(b"age\n" + b"34\n" * 11, page=RISK, roles={"age": Role.QUASI_IDENTIFIER})
    app.set("selectbox", "Threshold", "0.09 · k = 11").tab("risk-tabs", "Attackers")
    assert "highest **9.09%**" in app.text and "[0]" in app.text.replace("\\", "")
    app.choose("toggle", "Set the risk threshold apart", True)
    assert app.session.threshold == 1 / 11, "setting them apart alone changes nothing"
    app.choose("slider", "Risk threshold", 9.0)
    assert "[11]" in app.text.replace("\\", "")
    app.choose("selectbox", "Threshold", "0.20 · k = 5")
    assert app.session.own_threshold is None, "a preset ties them"


def test_what_each_quasi_identifier_adds_is_what_the_library_says(file):
    app = loaded(file, page=RISK, tab=("risk-tabs", "Quasi-identifiers"))
    table = app.table("Quasi-identifier")
    expected = attribute_contributions(dataset_of(app).classes(), k=5)
    assert table["Quasi-identifier"].tolist() == expected["attribute"].tolist()
    columns = [table[name].tolist() for name in table.columns]
    for measure in ("below_k_without", "k_without", "at_risk_without"):
        assert expected[measure].tolist() in columns, measure


def test_sensitive_columns_have_the_librarys_l_and_t(file):
    app = loaded(file, page=RISK, tab=("risk-tabs", "Sensitive values"))
    data = dataset_of(app)
    table = app.table("Distinct l").set_index("Sensitive column")
    for column in data.sensitive:
        expected = sensitive_risk(data.classes([*data.quasi_identifiers, column]), data.quasi_identifiers, column)
        assert table.loc[column, "Distinct l"] == expected.distinct_l
        assert table.loc[column, "t, equal distance"] == pytest.approx(expected.t_equal, abs=5e-3)


def test_records_below_k_are_shown_with_identifiers_masked(file):
    app = loaded(file, page=RISK, tab=("risk-tabs", "Records below k"))
    data = dataset_of(app)
    table = app.table("age")
    masked = data.columns_with(Role.IDENTIFIER, Role.PERSON_ID, Role.SENSITIVE)
    assert {"full_name", "diagnosis"} <= set(masked)
    for column in masked:
        assert set(table[column]) == {"•••"}
    sizes = data.classes().size_of_record
    for position, size in list(zip(table.index, table["class of"], strict=True))[:50]:
        assert sizes[position - 1] == size < 5
        assert table.loc[position, "zip"] == data.frame["zip"].iloc[position - 1]
    app.choose("toggle", "Show sensitive values", True)
    table = app.table("age")
    assert set(table["full_name"]) == {"•••"} and set(table["diagnosis"]) != {"•••"}


def population(app: App, data: bytes, name: str = "people.csv") -> App:
    return app.upload(data, name, label="Load a population table")


def test_a_population_table_gives_the_journalist():
    app = loaded(SMALL, page=RISK, tab=("risk-tabs", "Attackers"))
    assert "Needs a population table" in app.text
    population(app, POPULATION)
    assert not app.errors and "110" in app.text and "people" in app.text
    held = app.session.population
    names = [name for name in dataset_of(app).quasi_identifiers if name in ("age", "zip")]
    expected = assess(dataset_of(app).classes(), population=held.classes(names)).journalist
    assert f"highest **{words.percent(expected.highest)}**" in app.text
    app.press("Remove it")
    assert app.session.population is None and "Needs a population table" in app.text


@pytest.fixture(scope="module")
def with_people() -> Session:
    """A file and a population table that serves."""
    return population(loaded(SMALL, page=RISK), POPULATION).session


@pytest.mark.parametrize(
    ("data", "refused"),
    [
        (b"colour,shape\nred,round\n", False),
        (b"age,people\n34,many\n35,few\n", False),
        (b"age,people\n34,2.5\n35,-1\n", True),
        (b"", True),
        (b"%PDF-1.7\n1 0 obj\n", True),
        (b"a,b\n1,2\n3\n", True),
    ],
)
def test_a_population_table_that_does_not_serve_is_stated_and_nothing_is_lost(data, refused, with_people):
    app = App(RISK, session=with_people, tab=("risk-tabs", "Attackers"))
    population(app, data, "other.csv")
    assert app.metric("k, the smallest class") == "1"
    if refused and app.errors:
        assert len(app.errors) == 1 and app.session.population.name == "people.csv"
    else:
        assert not app.errors
        assert app.session.population.name == "other.csv"
    assert ("has some of the quasi-identifiers" in app.text) == (b"colour" in data), "what the journalist needs"


def test_looking_at_the_release_shows_the_releases_records(file):
    app = loaded(file, page=RELEASE).press("Start with these steps").open(RISK)
    recipe = app.session.recipe
    result = compare(recipe.apply(dataset_of(app)), recipe, k=5)
    assert app.metric("k, the smallest class") == words.change(str(result.before.k), str(result.after.k))
    for name, vector in (("Original", result.before.vector), ("Release", result.after.vector)):
        app.set("segmented_control", "Look at", name).tab("risk-tabs", "Class sizes")
        assert app.table("Class size")["Class size"].tolist() == vector.sizes.tolist()


def test_a_recipe_that_leaves_nothing_is_stated(file):
    app = loaded(file, page=RELEASE)
    app.session.recipe = Recipe.of([DropColumns(tuple(dataset_of(app).quasi_identifiers))])
    for page in (RELEASE, RISK):
        assert not app.open(page).errors
    app.session.recipe = Recipe.of([LeaveOut(1000)])
    for page in (RELEASE, RISK):
        assert not app.open(page).errors
    assert app.open(RELEASE).download("Released CSV").proto.disabled


def test_a_risk_is_called_by_its_attacker_and_by_what_they_match():
    """With a population table the average is the population's, below a highest risk that is of the file."""
    with_population = sampled("admissions", RISK)
    names = {metric.label: metric.value for metric in with_population.at.metric}
    assert names["Highest risk (prosecutor), values known"] == "100%"
    assert names["Average risk (marketer, population), values known"] != "100%"
    alone = {metric.label for metric in sampled("weight_loss", RISK).at.metric}
    assert {"Highest risk (prosecutor)", "Average risk (marketer)"} <= alone
    assert any(line.startswith("highest risk (prosecutor), with one visit") for line in with_population.sidebar_lines)

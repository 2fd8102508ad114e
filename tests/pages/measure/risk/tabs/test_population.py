"""The tab "Population" of the Risk page, and what it adds to "Singling out", without a browser."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from anonlib.analyses.individuals import correct_match, intrusion, singling_out
from anonlib.analyses.population_uniqueness import counted_uniques, population_uniqueness
from anonlib.basics.words import percent
from anonlib.coarsening.recoding import Intervals
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from pages.measure.risk.tabs import population as tab
from pages.measure.risk.tabs import singling_out as singling
from tests.helpers.app import DATA, RISK, App, dataset_of, sampled, seeded
from ui.text import plain

ROLES = {"age": "quasi_identifier", "sex": "quasi_identifier"}
ASKED = "People in the population"


@pytest.fixture
def opened(file) -> App:
    """The tab of a file of which some are alone, and none of its people counted elsewhere."""
    return seeded(file, page=RISK, roles=ROLES, tab=("risk-tabs", tab.TAB))


def test_without_a_number_it_asks_for_one(opened):
    assert opened.widget("number_input", ASKED).value is None and "How many people" in opened.text
    assert not [table for table in opened.at.dataframe if "Estimate" in table.value.columns]


@pytest.mark.parametrize("people", [900, 300_000])
def test_the_estimates_are_those_of_the_library(people, opened):
    app = opened.choose("number_input", ASKED, people)
    found = population_uniqueness(dataset_of(app).classes().anonymity_vector, people)
    assert found.says("records") in app.text
    shown = app.table("Estimate")
    assert found.says_how_wrong in app.text
    assert shown["Estimate"].tolist() == [each.source for each in found.ranked]
    assert [None if pd.isna(text) else text for text in shown["Share of those alone"]] == [
        None if each.share is None else percent(each.share) for each in found.ranked
    ]
    assert shown[""].tolist() == ["Dankar’s rule" if each is found.used else each.why_none for each in found.ranked]
    assert shown["Was, times the truth"].tolist() == found.to_frame()["times"].tolist()
    app.open(DATA).open(RISK, ("risk-tabs", tab.TAB))
    assert app.widget("number_input", ASKED).value == people, "and stays on another visit"


def test_with_as_many_people_as_records_nothing_is_estimated(opened):
    app = opened.choose("number_input", ASKED, 300)
    assert "Everybody is in the file" in app.text and not app.errors
    assert app.widget("number_input", ASKED).min == 300, "fewer cannot be asked for"


def test_a_population_table_gives_the_number_and_the_count():
    app = sampled("admissions", RISK, ("risk-tabs", tab.TAB))
    people = app.session.population.classes([]).n_records
    assert app.widget("number_input", ASKED).value == people == 120_000
    data = dataset_of(app)
    table = app.session.population
    common = [name for name in data.quasi_identifiers if name in table.columns]
    counted = counted_uniques(data.classes(), table.classes(common))
    assert f"**{counted.alone_in_population:,}** have exactly one person like them" in app.text
    assert population_uniqueness(data.classes().anonymity_vector, people).says(data.unit) in app.text
    same = population_uniqueness(data.classes(common).anonymity_vector, people)
    assert f"for these columns alone: {same.in_words(same.highest)} to {same.in_words(same.lowest)}." in app.text


def test_the_release_is_counted_as_it_is_recoded():
    recipe = Recipe.of([Recode("age", Intervals(10))])
    app = sampled("admissions", RISK, ("risk-tabs", tab.TAB), recipe=recipe)
    released = recipe.apply(dataset_of(app)).released
    people = recipe.apply_to_population(app.session.population)
    common = [name for name in released.quasi_identifiers if name in people.columns]
    counted = counted_uniques(released.classes(), people.classes(common))
    who = f"of the {counted.alone:,} {released.unit} alone in the file"
    assert f"{who}, **{counted.alone_in_population:,}** have" in app.text


def test_the_records_that_stand_out_have_the_probability_of_a_match(file):
    app = seeded(file, page=RISK, roles=ROLES, tab=("risk-tabs", singling.TAB))
    assert singling.MATCH not in app.table("score").columns and plain(tab.TAB) in app.text.replace("“", "")
    app.put(risk_people=30_000).run()
    classes = dataset_of(app).classes()
    found = singling_out(classes)
    chances = intrusion(classes, found, 30_000).records()
    shown = app.table("score")
    assert shown[singling.MATCH].tolist() == [percent(chances[record - 1]) for record in shown.index]
    assert percent(correct_match(classes.anonymity_vector, 30_000)) in app.text
    app.choose("segmented_control", "Counts as singled out", singling.BELOW)
    assert singling.MATCH not in app.table("score").columns and not app.errors


def test_the_probabilities_of_all_records_go_home_with_the_scores(file):
    data = dataset_of(seeded(file, page=RISK, roles=ROLES, tab=("risk-tabs", singling.TAB)))
    found = singling_out(data.classes())
    table = pd.read_csv(io.BytesIO(singling._scores_csv(found, data.classes(), 900)))
    assert table["match_is_right"].tolist() == pytest.approx(
        intrusion(data.classes(), found, 900).records().tolist(), nan_ok=True
    )

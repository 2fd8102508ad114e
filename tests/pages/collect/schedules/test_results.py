"""What the Schedules page answers: figures, words, tabs, and the search that goes on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.schedules import Slots, appointments, greedy_schedule, improvement, made_up_people
from anonlib.counting.classes import anonymity_vector
from pages.collect.schedules import results
from pages.collect.schedules.results import SchedulesAnswer, SchedulesQuestion
from pages.collect.schedules.tabs.schedule import _grid_table, status
from tests.helpers.app import SCHEDULES, App, dataset_of, sampled
from tests.helpers.schedules import TABS, at_random, check_figures, county_of, every_tab, optimum, warnings
from tools.samples.screening import screening_county_slots


def alt_texts(app: App) -> str:
    return "\n".join(element.proto.alt for element in app.at.get("plotly_chart"))


def test_each_tab_shows_the_schedule_that_is_taken(county):
    people, slots = county_of(county)
    taken, random = optimum(people, slots), at_random(people, slots)
    compared = county.table("Schedule").set_index("Schedule")
    assert list(compared.index) == ["Without appointments", "Random", "Optimal", "Greedy", "Greedy, authors’ program"]
    vectors = {"Without appointments": people.base, "Random": random.vector, "Optimal": taken.vector}
    for rule, name in (("published", "Greedy"), ("reference", "Greedy, authors’ program")):
        vectors[name] = greedy_schedule(people.sizes, slots.capacities, rule=rule).vector
    assert compared["k"].to_dict() == {name: vector.k for name, vector in vectors.items()}
    assert compared["Alone"].to_dict() == {name: vector.people_below(2) for name, vector in vectors.items()}
    assert compared["Classes"].to_dict() == {name: vector.classes.sum() for name, vector in vectors.items()}
    assert compared["Proven"].tolist() == ["", "", "yes", "", ""]
    for name in compared.columns.drop(["Proven", "Vector"]):
        assert pd.api.types.is_numeric_dtype(compared[name]), name
    county.tab(TABS, "Grid")
    below = int((taken.assignment.data < 5).sum())
    assert f"schedule Optimal. {below} cells of all {taken.assignment.nnz} hold fewer than 5." in alt_texts(county)
    county.tab(TABS, "Invitations")
    invited = county.table("slot municipality")
    assert len(invited) == 200 and "first 200 of 1,180" in county.text
    data = dataset_of(county)
    seed = county.session.seed
    by_lot, as_ids = (
        appointments(taken, people, slots, np.random.default_rng(which), data.records).head(200).astype(str)
        for which in ([seed, 1], [seed, 0])
    )
    assert invited.astype(str).values.tolist() == by_lot.values.tolist() != as_ids.values.tolist()
    county.tab(TABS, "Slots")
    full = county.table("Invited")
    assert full["Invited"].tolist() == taken.assignment.sum(axis=0).tolist()
    smallest = [min(column[column > 0], default=0) for column in taken.assignment.toarray().T]
    assert full["Smallest class"].tolist() == smallest
    county.tab(TABS, "Change slots")
    assert (
        county.at.data_editor[0].value.astype(str).values.tolist()
        == screening_county_slots().astype(str).values.tolist()
    )
    every_tab(county)


def test_the_schedule_that_is_taken_changes_every_number(county):
    people, slots = county_of(county)
    random = at_random(people, slots)
    county.choose("selectbox", "Schedule to take", "Random")
    check_figures(county, random, random)
    assert "827 of 1,180 people) are alone" in county.text
    county.choose("selectbox", "Schedule to take", "Greedy")
    check_figures(county, random, greedy_schedule(people.sizes, slots.capacities))
    every_tab(county)


def test_the_gain_is_stated_in_people_and_the_paper_s_measure_with_its_meaning(county):
    people, slots = county_of(county)
    random, taken = at_random(people, slots).vector, optimum(people, slots).vector
    alone = random.people_below(2) - taken.people_below(2)
    message = county.text
    assert f"{alone:,} people fewer alone" in message
    message += " ".join(caption.value for caption in county.at.caption)
    assert f"The paper’s improvement is {results.signed(improvement(taken, random, people.base))}" in message
    assert "no share of people" in message
    assert county.metric("People alone") == f"{random.people_below(2):,} → {taken.people_below(2):,}"


def test_invitations_below_k_are_a_warning_that_says_whose_k_it_is(county):
    people, slots = county_of(county)
    below = optimum(people, slots).vector.people_below(5)
    (warning,) = [one for one in warnings(county) if "do not reach k = 5" in one]
    assert f"({below:,} of {people.n_people:,} people)" in warning and "sidebar" in warning
    labels = [metric.label for metric in county.at.metric]
    alone = optimum(people, slots).vector.people_below(2) > 0
    assert sum(":red[" in label for label in labels) == 2 + alone
    county.session.k = 1
    county.run()
    assert not [one for one in warnings(county) if "do not reach" in one]
    county.session.k = 12
    check_figures(county.run(), at_random(people, slots), optimum(people, slots), 12)


@pytest.mark.parametrize(
    ("known", "named"),
    [
        ("people_here", ["slot", "people_here", "slot people_here", "slot slot", "slot slot people_here"]),
        ("age", ["slot", "age", "slot people_here", "slot slot", "people_here"]),
    ],
)
def test_the_columns_of_the_grid_are_distinguished(known, named):
    values = pd.DataFrame({"slot": ["a", "b"], known: ["c", "d"]})
    people = replace(made_up_people(np.array([2, 3])), values=values, groups=values)
    slots = Slots(pd.DataFrame({"people_here": ["x", "y"], "slot": ["9", "10"]}), np.array([2, 3]))
    question = SchedulesQuestion(people, slots, (), None, True)
    grid = _grid_table(SchedulesAnswer(question, people.base, {"Optimal": optimum(people, slots)}), "Optimal")
    assert grid.columns.tolist() == named
    assert grid.values.tolist() == [["a", "c", "x", "9", 2], ["b", "d", "y", "10", 3]]


@pytest.mark.parametrize("name", [results.OPTIMAL, results.GREEDY])
def test_what_is_not_proven_is_called_so_and_looked_for_on_and_what_is_taken_stays(name, monkeypatch):
    """Where the chosen one has another title by then, it is another selectbox: a browser holds on to the title."""
    app = sampled("screening_county")
    people, slots = county_of(app)
    best, second = optimum(people, slots), greedy_schedule(people.sizes, slots.capacities)
    answers = [replace(second, method="optimal", certified_prefix=1, bound=best.vector), best]
    monkeypatch.setattr(results, "optimal_schedule", lambda *_, **__: answers.pop(0) if len(answers) > 1 else best)
    app.open(SCHEDULES)
    assert app.metric("The best there is?") == "Not known" and "Best found" in app.text
    assert "best found; k can be at most 2" in app.text and "Searching further for the best schedule" in app.text
    earlier = app.choose("selectbox", "Schedule to take", name).widget("selectbox", "Schedule to take")
    assert earlier.value == name
    now = app.press("Start").widget("selectbox", "Schedule to take")
    assert "Best found" in earlier.options and "Optimal" in now.options
    assert now.value == name
    assert (now.proto.id != earlier.proto.id) == (name == results.OPTIMAL)
    check_figures(app, at_random(people, slots), best if name == results.OPTIMAL else second)
    assert not app.has_button("Start") and ("**Proven:**" in app.text) == (name == results.OPTIMAL)


def test_what_a_clock_ended_is_called_so():
    found = replace(greedy_schedule([3, 2], [2, 3]), certified_prefix=1, bound=anonymity_vector([5]), ended_early=True)
    assert status(found) == "best found, ended early: another machine may find another; k can be at most 5"
    assert status(replace(found, ended_early=False)) == "best found; k can be at most 5"

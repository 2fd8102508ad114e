"""The searches of the Frontier page: they go on, stay, and are compared."""

from __future__ import annotations

import pandas as pd

from anonlib.analyses.frontier import Plane
from tests.helpers.frontier import LONG, QUASI, TABS, every_tab, file_of, looked_at, of_file, records_csv, space_of


def test_a_search_goes_on_at_each_press_and_methods_are_compared(long):
    plane = Plane(space_of(long))
    assert plane.space.n_bits > 20
    assert "A first look" in long.text and "all policies there are" not in long.text
    first = looked_at(long).loc["Interval programs"]
    later = looked_at(long.press("Search for")).loc["Interval programs"]
    assert later["looked at"] > first["looked at"] and later["seconds"] > first["seconds"]
    assert float(later["area under the stair"]) <= float(first["area under the stair"])
    assert long.has_button("Search for") and not long.has_button("Stop")
    for key, name in (("random_chains", "Random chains"), ("sublattices", "Sublattices"), ("bisection", "Bisection")):
        long.choose("selectbox", "Search", key)
        assert not long.errors and {"Interval programs", name} <= set(looked_at(long).index)
    assert len(looked_at(long)) == 4 and "too many policies" in long.text
    for against in ("policies looked at", "seconds"):
        long.choose("segmented_control", "Against", against)
        message = [chart.proto.alt for chart in long.at.get("plotly_chart")]
        assert any(f"area under the stair against {against}. Bisection" in alt for alt in message)
    long.choose("selectbox", "Search", "interval_programs")
    assert looked_at(long).loc["Interval programs", "looked at"] == later["looked at"], "nothing is lost"
    every_tab(long)


def test_two_officers_find_the_same(long):
    """Whatever is drawn by lot in their sessions, and however quick their machines are."""
    found = []
    other = of_file(records_csv(400, ages=LONG))
    assert other.session.project.seed != long.session.project.seed
    for app in (long, other):
        app.press("Search for")
        for search in ("random_chains", "sublattices", "bisection"):
            app.choose("selectbox", "Search", search)
        found.append(looked_at(app).drop(columns="seconds").sort_index())
    assert len(found[0]) == 4
    pd.testing.assert_frame_equal(*found)


def test_what_was_stopped_says_that_another_machine_may_find_others(long):
    name = next(name for name in long.work.searches if name.endswith("interval_programs"))
    long.work.searches[name].asked *= 2  # as the officer stops it on the way
    long.run()
    assert "The search was ended early: another machine may find others." in long.text
    assert looked_at(long).loc["Interval programs", "ended early"] == "yes"
    long.press("Add to recipe")
    steps = [entry.step for entry in long.session.project.recipe.entries]
    assert steps and all("whose search was ended early" in step.reason for step in steps)
    long.press("Search for")
    assert "ended early: another machine" not in long.text
    assert looked_at(long).loc["Interval programs", "ended early"] == "no"


def test_measures_that_are_no_sums_have_other_searches(long):
    long.choose("selectbox", "Risk", "highest")
    assert "interval_programs" not in long.widget("selectbox", "Search").options
    assert "Interval programs" not in looked_at(long).index and "is no sum over classes" in long.text
    long.choose("selectbox", "Risk", "average")
    assert "Interval programs" in looked_at(long).index


def test_a_bisection_is_of_its_own_safe_harbor():
    rows = [f"{60 + i % 40},{37000 + 37 * (i % 23)}" for i in range(400)]
    app = of_file(file_of("age,zip", *rows), age=QUASI, zip=QUASI)
    app.choose("selectbox", "Search", "bisection")
    before = app.tab(TABS, "Searches").table("looked at")
    app.choose("selectbox", "ZIP codes, for Safe Harbor", "(none)")
    found = app.tab(TABS, "Searches").table("looked at").set_index("search").loc["Bisection"]
    assert not app.errors
    assert found["policies"] != before.set_index("search").loc["Bisection", "policies"]

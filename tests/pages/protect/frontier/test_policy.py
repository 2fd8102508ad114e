"""From the Frontier page into the recipe: what is added releases the groups that were shown."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd

from anonlib.analyses.frontier import Plane, PolicySpace
from anonlib.basics import words
from anonlib.coarsening.recoding import Intervals
from anonlib.release.from_analyses import steps_of_policy
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from tests.helpers.app import FRONTIER, RELEASE, App, dataset_of, seeded
from tests.helpers.frontier import (
    QUASI,
    TABS,
    chosen,
    everything,
    file_of,
    of_file,
    people_csv,
    point,
    space_of,
    unique,
)


def check_release(app: App, space: PolicySpace, policy: np.ndarray) -> None:
    """The release has the groups of the policy, those at the ends of numbers open, and the Release page agrees."""
    applied = app.session.recipe.apply(dataset_of(app))
    assert applied.problems == ()
    released, expected = applied.released.classes(list(space.attributes)), space.recoded(policy)
    columns = list(space.attributes)
    one, other = released.to_frame("n"), expected.to_frame("n")
    for j, domain in enumerate(space.domains):
        if not space.bits_of(policy, j).all():
            ends = space.intervals(policy, j)
            opened = dict(zip(domain.labels(ends), domain.labels(ends, open_ends=True), strict=True))
            other[domain.attribute] = other[domain.attribute].astype(object).map(opened)
    pd.testing.assert_frame_equal(
        one.astype(dict.fromkeys(columns, str)).sort_values(columns)[[*columns, "n"]].reset_index(drop=True),
        other.astype(dict.fromkeys(columns, str)).sort_values(columns)[[*columns, "n"]].reset_index(drop=True),
    )
    app.open(RELEASE)
    assert not app.errors and f"{expected.counts.min():,}" in app.metric("k, the smallest")
    app.open(FRONTIER)


def test_what_is_added_to_the_recipe_gives_the_numbers_shown(app):
    space = space_of(app)
    found = everything(Plane(space))
    for start in (1, len(found) // 2):
        position = unique(found, start)
        policy = found.policies[position]
        app.choose("slider", "Policy", position + 1).press("Add to recipe")
        assert "In the recipe: " in app.text.replace("\\", "")
        steps = app.session.recipe.enabled
        assert {step.column for step in steps} == {step.column for step in steps_of_policy(space, policy)}
        assert all(isinstance(step, Recode) for step in steps)
        check_release(app, space, policy)
        assert chosen(app) == position, "the page still looks at the original"
    assert len(app.session.recipe) <= 3


def test_safe_harbor_is_taken_as_a_policy_is(app):
    space = space_of(app)
    harbor = space.safe_harbor("age", "zip")
    risk, loss = point(Plane(space), harbor)
    assert f"**Safe Harbor** has risk {words.percent(risk)} of the original’s, loss {words.percent(loss)}." in app.text
    assert "It recodes **age** and **zip**." in app.text
    assert "(here **name**) are left out" in app.text and "no date is finer than its year," in app.text
    app.press("Take Safe Harbor into the recipe")
    steps = app.session.recipe.enabled
    assert {step.column for step in steps} == {"age", "zip"}
    assert all(step.reason.startswith("Safe Harbor, 45 CFR 164.514(b)(2): ") for step in steps)
    check_release(app, space, harbor)
    app.press("Take Safe Harbor into the recipe")
    assert app.session.recipe.enabled == steps, "its own steps give way"


def test_values_that_only_the_population_has_are_reported_in_the_recipe(app):
    """The file has 5 ages and the recipe names 6: one is only in the population, between two of the file."""
    people = people_csv(ages=(30, 31, 40, 45, 91, 92))
    app.tab(TABS, "Population").upload(people, "people.csv", "Load a population")
    app.choose("slider", "Policy", 1).press("Add to recipe")
    step = next(step for step in app.session.recipe.enabled if step.column == "age")
    assert step.describe().startswith("Recode age: 6 values to") and step.reason.endswith(
        "1 value only in the population"
    )
    app.tab(TABS, "Order of values")
    assert app.widget("selectbox", "Order of age").help == "5 values, and 1 that only the population has."
    assert "5 values, " in "".join(chart.proto.spec for chart in app.tab(TABS, "Policy").at.get("plotly_chart"))


def test_earlier_steps_on_the_same_columns_give_way_and_the_others_stay(app):
    app.session.recipe = Recipe.of([Recode("age", Intervals(10)), LeaveOut(3)])
    app.run()
    found = everything(Plane(space_of(app)))
    position = unique(found, 1)
    app.choose("slider", "Policy", position + 1).press("Add to recipe")
    kinds = [step.kind for step in app.session.recipe.enabled]
    assert kinds[-1] == "leave_out" and kinds.count("leave_out") == 1 and set(kinds[:-1]) == {"recode"}
    assert "earlier step gave way" in app.text
    assert len([step for step in app.session.recipe.enabled if getattr(step, "column", "") == "age"]) <= 1


def released(app: App, *names: str) -> Counter:
    """What the recipe releases with the policy that has the least risk: labels -> records."""
    if any(slider.label.startswith("Policy") for slider in app.at.slider):
        app.choose("slider", "Policy", 1)
    assert not app.press("Add to recipe").errors
    return Counter(
        app.session.recipe.apply(dataset_of(app)).released.records[list(names)].itertuples(index=False, name=None)
    )


def test_who_is_left_out_of_the_search_is_recoded_all_the_same():
    app = of_file(file_of("age", *["30", "35"] * 4, "33", "97"), age=QUASI)
    app.tab(TABS, "Population").upload(b"age,people\n30,9\n35,9\n", "people.csv", "Load a population")
    app.choose("radio", "Records that nobody", "leave")
    assert released(app, "age") == {("*",): 10}, "all ages in one group, and who has an age of nobody"


def test_persons_whose_rows_differ_are_recoded_with_the_others():
    rows = [f"{i},{30 + i % 3}" for i in range(12)] + ["12,30", "12,57"]
    app = of_file(file_of("who,age", *rows), who="person_id", age=QUASI)
    assert set(released(app, "age")) == {("*",)}, "all ages in one group, and the sets of ages"


def test_who_lacks_a_value_and_is_left_out_is_not_let_in_by_a_label_for_missing_ones():
    rows = ["30,F", "30,F", "31,F", "31,M", "40,M", "40,M", ",M", ",F", ",F"]
    people = ["30,F,9", "31,F,9", "31,M,9", "40,M,9", "35,F,4", ",F,5", ",M,5"]
    roles = {"age": QUASI, "sex": QUASI}
    app = seeded(file_of("age,sex", *rows), page=FRONTIER, roles=roles, missing="drop")
    app.tab(TABS, "Population").upload(file_of("age,sex,people", *people), "people.csv", "Load a population")
    app.choose("toggle", "Only values that occur", False)
    assert "3 records lack a value and are left out" in app.text
    assert sum(released(app, "age", "sex").values()) == 6

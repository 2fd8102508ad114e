"""The Frontier page without a browser: its figures are the library's, and what it adds to the recipe holds."""

from __future__ import annotations

import io
import random
from functools import lru_cache
from itertools import product

import numpy as np
import pandas as pd
import pytest

from anonlib import words
from anonlib.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.frontier import (
    LOSSES,
    RISKS,
    Frontier,
    Plane,
    PolicySpace,
    safe_harbor_order,
    sparse_zip3,
    summary,
    with_records,
)
from anonlib.frontier.result import non_dominated
from anonlib.recoding import Intervals
from anonlib.release.frontier import steps_of
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode, Suppress
from tests.helpers.app import DATA, FRONTIER, FRONTIER_TABS, RELEASE, RISK, TRY, App, dataset_of
from ui import long_work

TABS = f"frontier-tabs-{len(FRONTIER_TABS)}"
MENDING = "frontier-tabs-3"  # without a frontier there is no policy to look at
QUASI = "Quasi-identifier"
ROLES = {"name": "Identifier", "age": QUASI, "sex": QUASI, "zip": QUASI, "illness": "Sensitive"}
NAMES = ("age", "sex", "zip")
ZIPS = ("03601", "37010", "37011", "37203")  # an area of few people, and two others
AGES = (30, 31, 45, 91, 92)
SECONDS = 0.4  # that a search goes on for at a press of its button


@lru_cache
def records_csv(n: int = 90, seed: int = 4, ages: tuple[int, ...] = AGES) -> bytes:
    rng = random.Random(seed)
    lines = ["name,age,sex,zip,illness"]
    for i in range(n):
        age, sex, where = rng.choice(ages[: 1 + i % len(ages)]), rng.choice("FFM"), rng.choice(ZIPS[i % 2 :])
        lines.append(f"Person {i},{age},{sex},{where},{rng.choice(['flu', 'asthma'])}")
    return ("\n".join(lines) + "\n").encode()


@lru_cache
def people_csv(n: int = 400, seed: int = 5, ages: tuple[int, ...] = AGES) -> bytes:
    """Their neighbours, among whom some combinations are not found."""
    rng = random.Random(seed)
    drawn = [
        f"{rng.choice(ages[1:])},{rng.choice('FM')},{rng.choice(ZIPS[1:])},{rng.randrange(1, 9)}" for _ in range(n)
    ]
    return ("age,sex,zip,people\n" + "\n".join(drawn) + "\n").encode()


def with_roles(app: App, **roles: str) -> App:
    columns = list(app.session.loaded.source.frame.columns)
    return app.edit("Role", {columns.index(name): {"Role": role} for name, role in roles.items()})


def of_file(data: bytes = b"", /, **roles: str) -> App:
    """A session with a file of one's own, on the Frontier page."""
    return with_roles(App(DATA, data or records_csv(), "visits.csv"), **(roles or ROLES)).open(FRONTIER)


def space_of(app: App, names: tuple[str, ...] = NAMES, people: ClassTable | None = None, **how) -> PolicySpace:
    """What the page asks for at first, by the library."""
    data = dataset_of(app)
    if "zip" in names:
        how.setdefault("order", {"zip": safe_harbor_order(data.records["zip"].cat.categories)})
    return PolicySpace(data.classes(list(names)), people, **how)


def everything(plane: Plane) -> Frontier:
    """The frontier of few policies, by looking at each of them."""
    policies = np.array([*product((False, True), repeat=plane.space.n_bits)], dtype=bool)
    sums = np.array([plane.sums(policy) for policy in policies])
    risk, loss = plane.finish(sums[:, 0], sums[:, 1])
    kept, order = non_dominated(risk, loss)
    at = order[kept[order]]
    return Frontier(plane, policies[at], risk[at], loss[at])


def point(plane: Plane, policy: np.ndarray) -> tuple[float, float]:
    risk, loss = plane.finish(*plane.sums(policy))
    return float(risk), float(loss)


def chosen(app: App) -> int:
    """The position along the slider."""
    return app.widget("slider", "Policy").value - 1


def check_figures(app: App, found: Frontier, safe_harbor: np.ndarray | None, position: int | None = None) -> None:
    """The figures of the page are those of the chosen policy, beside Safe Harbor's."""
    assert not app.errors
    at = chosen(app) if position is None else position
    now = summary(found.plane, found.policies[at])
    before = now if safe_harbor is None else summary(found.plane, safe_harbor)
    risks, losses = (
        [words.percent(one) for one in pair] for pair in ((before.risk, now.risk), (before.loss, now.loss))
    )
    assert app.metric("Risk") == words.change(*risks)
    assert app.metric("Loss") == words.change(*losses)
    assert app.metric("k, the smallest") == words.change(f"{before.k:,}", f"{now.k:,}")
    if safe_harbor is None:
        assert app.metric("Policies on the frontier") == f"{len(found):,}"
    else:
        better = found.dominating(safe_harbor)
        assert app.metric("Better than Safe Harbor") == f"{len(better):,} of {len(found):,}"
    of_what = " of the original’s" * (found.plane.risk.key == "population")
    assert f"**Risk {risks[1]}{of_what}, loss {losses[1]}.**" in app.text
    assert f"{words.count(now.groups, 'groups')}, the smallest of {words.count(now.k, 'records')}" in app.text


def check_exact(app: App, plane: Plane, *, safe_harbor: bool = True) -> Frontier:
    """The page has the frontier of all policies, whichever of those that tie."""
    found = everything(plane)
    harbor = plane.space.safe_harbor("age", "zip") if safe_harbor else None
    at = chosen(app)
    app.tab(TABS, "All policies")
    listed = app.table("intervals of age")
    assert listed["risk"].tolist() == [words.percent(one) for one in found.risk.tolist()]
    assert listed["loss"].tolist() == [words.percent(one) for one in found.loss.tolist()]
    ties = np.flatnonzero((found.risk == found.risk[at]) & (found.loss == found.loss[at]))
    if len(ties) == 1:
        check_figures(app, found, harbor, at)
    return found


def every_tab(app: App) -> App:
    for tab in FRONTIER_TABS:
        app.tab(TABS, tab)
        assert not app.errors, (tab, app.errors)
        assert [element.label for element in app.at.tabs if element.children] == [tab]
    return app.tab(TABS, FRONTIER_TABS[0])


@pytest.fixture
def app() -> App:
    return of_file()


# ---- the way in ------------------------------------------------------------------------------------------------------


def test_without_a_file_the_page_says_what_it_does_and_the_sample_shows_a_frontier_at_once():
    app = App(FRONTIER)
    assert "Nothing is loaded yet" in app.text and "compares them with Safe Harbor" in app.text and not app.at.metric
    app.press(TRY)
    assert app.at.title[0].value == "Frontier" and not app.errors
    before, after = (float(number.rstrip("%")) for number in app.metric("Risk").split(" → "))
    assert 0 < after <= before < 100
    assert "in the population" not in app.errors and "match nobody" in app.text, "its people come with it"
    assert "Search for" in "".join(button.label for button in app.at.button)
    every_tab(app)


def test_few_policies_are_all_looked_at(app):
    plane = Plane(space_of(app))
    assert plane.space.n_bits == 8
    found = check_exact(app, plane)
    assert not any(button.label.startswith("Search for") for button in app.at.button), "there is no more to search"
    assert "of 256 policies looked at" in app.text and "These are all policies there are" in app.text
    safe = found.least_loss(point(plane, plane.space.safe_harbor("age", "zip"))[0])
    assert chosen(app) == safe
    every_tab(app)


@pytest.mark.parametrize("risk", [key for key, one in RISKS.items() if not one.needs_population])
@pytest.mark.parametrize("loss", LOSSES)
def test_every_measure_is_the_librarys(risk, loss, app):
    app.choose("selectbox", "Risk", risk)
    if loss == "class_size" and risk in ("population", "average"):  # both count groups: no policy dominates another
        assert LOSSES[loss].name not in app.widget("selectbox", "Information loss").options
        return
    app.choose("selectbox", "Information loss", loss)
    plane = Plane(space_of(app), risk, loss)
    check_exact(app, plane)
    assert RISKS[risk].source in app.text and LOSSES[loss].source in app.text


def test_k_of_records_below_k_is_the_one_of_all_pages(app):
    app.choose("selectbox", "Risk", "below_k").choose("number_input", "k", 9)
    check_exact(app, Plane(space_of(app), "below_k", k=9))
    assert app.session.k == 9
    app.open(RISK).choose("slider", "k", 4).open(FRONTIER)
    check_exact(app, Plane(space_of(app), "below_k", k=4))


def test_what_is_recoded_is_chosen(app):
    app.choose("multiselect", "Quasi-identifiers to recode", ["zip", "age"])
    check_exact(app, Plane(space_of(app, ("zip", "age"))))
    app.choose("multiselect", "Quasi-identifiers to recode", [])
    assert len(app.errors) == 1 and "at least one quasi" in app.errors[0] and not app.at.metric
    for tab in ("Population", "Order of values", "How it works"):
        assert len(app.tab(MENDING, tab).errors) == 1
    app.choose("multiselect", "Quasi-identifiers to recode", ["sex"])
    assert "Safe Harbor changes nothing here" in app.text and not app.errors
    assert app.metric("Policies on the frontier") == "2"


# ---- the policy looked at --------------------------------------------------------------------------------------------


def test_the_policy_is_chosen_along_the_slider_and_by_presets(app):
    plane = Plane(space_of(app))
    found, harbor = everything(plane), plane.space.safe_harbor("age", "zip")
    for position in (0, len(found) - 1):
        check_figures(app.choose("slider", "Policy", position + 1), found, harbor, position)
    assert "all together" in app.choose("slider", "Policy", 1).text
    assert "as it is, 5 values" in app.choose("slider", "Policy", len(found)).text
    risk, loss = point(plane, harbor)
    for preset, position in (
        ("As detailed", found.least_risk(loss)),
        ("As safe", found.least_loss(risk)),
        ("Middle", found.least_loss(float(found.risk[found.nearest(risk=0, loss=0)]))),
    ):
        assert chosen(app.press(preset)) == position, preset
    app.open(RISK).open(FRONTIER)
    assert chosen(app) == position, "the choice stays"


def test_a_policy_is_said_against_safe_harbor(app):
    plane = Plane(space_of(app))
    found, harbor = everything(plane), plane.space.safe_harbor("age", "zip")
    risk, loss = point(plane, harbor)
    better = set(found.dominating(harbor).tolist())
    for position in range(len(found)):
        text = app.choose("slider", "Policy", position + 1).text
        assert ("**Better than Safe Harbor" in text) == (position in better)
        here = float(found.risk[position]), float(found.loss[position])
        assert ("just as much as Safe Harbor" in text) == (here == (risk, loss))
        assert ("higher." in text) == (here != (risk, loss) and position not in better)


def test_intervals_and_examples_are_those_of_the_policy(app):
    plane = Plane(space_of(app))
    found = everything(plane)
    ties = [(risk, loss) for risk, loss in zip(found.risk.tolist(), found.loss.tolist(), strict=True)]
    position = next(i for i in range(len(found) // 2, len(found)) if ties.count(ties[i]) == 1)
    app.choose("slider", "Policy", position + 1).tab(TABS, "Policy")
    said = app.table("from-to").set_index("column")
    assert said["from-to"].to_dict() == plane.space.describe(found.policies[position])
    for j, domain in enumerate(plane.space.domains):
        label = [domain.label(*ends) for ends in plane.space.intervals(found.policies[position], j)]
        released = dict(zip(domain.values, plane.space.interval_of_value(found.policies[position], j), strict=True))
        for shown in app.table("age")[domain.attribute]:
            value, _, became = shown.partition(" → ")
            assert (became or value) == label[released[value]]


def test_two_policies_are_compared(app):
    plane = Plane(space_of(app))
    found, harbor = everything(plane), plane.space.safe_harbor("age", "zip")
    app.choose("slider", "Policy", 2).tab(TABS, "Compare two")
    figures = app.table("groups").set_index("policy")
    for name, policy in (("Chosen", None), ("Safe Harbor", harbor)):
        risk, loss = (float(found.risk[1]), float(found.loss[1])) if policy is None else point(plane, policy)
        assert tuple(figures.loc[name, ["risk", "loss"]]) == (words.percent(risk), words.percent(loss))
    assert figures.loc["Safe Harbor", "k"] == summary(plane, harbor).k
    notation = app.table("from-to")
    of_harbor = notation[notation["policy"] == "Safe Harbor"].set_index("column")["from-to"]
    assert of_harbor.to_dict() == plane.space.describe(harbor)
    app.press("Set it aside").choose("slider", "Policy", 3)
    app.choose("selectbox", "Compare the chosen policy with", "Set aside")
    assert any("compared" in chart.proto.spec for chart in app.at.get("plotly_chart"))
    figures = app.table("groups").set_index("policy")
    assert figures.loc["Set aside", "risk"] == words.percent(float(found.risk[1]))
    assert figures.loc["Chosen", "risk"] == words.percent(float(found.risk[2]))


# ---- the population --------------------------------------------------------------------------------------------------


def test_a_population_is_matched_and_counted(app):
    app.tab(TABS, "Population").upload(people_csv(), "people.csv", "Load a population")
    assert not app.errors
    data = dataset_of(app).classes(list(NAMES))
    people = Dataset.from_frame(pd.read_csv(io.BytesIO(people_csv()), dtype=str), roles={"people": "weight"}).classes(
        list(NAMES)
    )
    everybody = with_records(people, data)
    order = safe_harbor_order(ZIPS, sparse_zip3(everybody, "zip"))  # where only records are, few are
    space = space_of(app, people=everybody, order={"zip": order})
    check_exact(app, Plane(space))
    alone = int(data.counts[[not there for there in known(data, people)]].sum())
    assert alone and f"{words.count(alone, 'records')} match nobody in the population table and are counted" in app.text
    app.tab(TABS, "Population")
    assert f"**{words.share(90 - alone, 90, 'records')} match somebody**" in app.text
    table = app.table("values unknown to the table").set_index("column")
    assert table.loc["sex", "such as"] == "" and table.loc["age", "such as"].isdigit()
    assert table.loc["age", "values unknown to the table"] == 1 and table.loc["sex", "values unknown to the table"] == 0
    app.choose("selectbox", "Risk", "highest_population")
    check_exact(app, Plane(space, "highest_population"))
    app.choose("selectbox", "Risk", "population").choose("radio", "Records that nobody", "leave")
    also = dict(zip(NAMES, data.categories, strict=True))  # they are released, and recoded, all the same
    check_exact(app, Plane(PolicySpace(data.keep(known(data, people)), people, {"zip": order}, also=also)))
    app.choose("segmented_control", "Population", "file")
    check_exact(app, Plane(space_of(app)))
    app.choose("segmented_control", "Population", "table").tab(TABS, "Population").press("Remove it")
    check_exact(app, Plane(space_of(app)))


def known(classes: ClassTable, people: ClassTable) -> np.ndarray:
    """bool, per class whether somebody in the population has its values."""
    there = {tuple(row) for row in people.to_frame("n")[list(classes.attributes)].itertuples(index=False)}
    return np.array(
        [tuple(row) in there for row in classes.to_frame("n")[list(classes.attributes)].itertuples(index=False)]
    )


# ---- the search ------------------------------------------------------------------------------------------------------


LONG = tuple(range(20, 60))


@pytest.fixture
def long(monkeypatch) -> App:
    """Too many policies to look at all of them; a search goes on for a moment at a press."""
    press = long_work._press_search
    monkeypatch.setattr(long_work, "_press_search", lambda name, seconds: press(name, SECONDS))
    return of_file(records_csv(400, ages=LONG))


def looked_at(app: App) -> pd.DataFrame:
    return app.tab(TABS, "Searches").table("looked at").set_index("search")


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
        said = [chart.proto.alt for chart in long.at.get("plotly_chart")]
        assert any(f"area under the stair against {against}. Bisection" in alt for alt in said)
    long.choose("selectbox", "Search", "interval_programs")
    assert looked_at(long).loc["Interval programs", "looked at"] == later["looked at"], "nothing is lost"
    every_tab(long)


def test_measures_that_are_no_sums_have_other_searches(long):
    long.choose("selectbox", "Risk", "highest")
    assert "interval_programs" not in long.widget("selectbox", "Search").options
    assert "Interval programs" not in looked_at(long).index and "is no sum over groups" in long.text
    long.choose("selectbox", "Risk", "average")
    assert "Interval programs" in looked_at(long).index


# ---- the recipe ------------------------------------------------------------------------------------------------------


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


def unique(found: Frontier, start: int) -> int:
    """A position from there on whose point is no other policy's."""
    points = list(zip(found.risk.tolist(), found.loss.tolist(), strict=True))
    return next(i for i in range(start, len(found)) if points.count(points[i]) == 1)


def test_what_is_added_to_the_recipe_gives_the_numbers_shown(app):
    space = space_of(app)
    found = everything(Plane(space))
    for start in (1, len(found) // 2):
        position = unique(found, start)
        policy = found.policies[position]
        app.choose("slider", "Policy", position + 1).press("Add to recipe")
        assert "In the recipe: " in app.text.replace("\\", "")
        steps = app.session.recipe.enabled
        assert {step.column for step in steps} == {step.column for step in steps_of(space, policy)}
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


def test_safe_harbor_that_cannot_be_placed_says_why(app):
    app.choose("multiselect", "Quasi-identifiers to recode", ["sex"])
    button = app.button("Take Safe Harbor into the recipe")
    assert button.disabled and "Safe Harbor changes nothing here" in button.help
    assert "It also demands that names" in app.text and "**Safe Harbor** has risk" not in app.text


def test_counts_of_values_are_those_of_the_file_and_leave_missing_out():
    lines = [f"Person {i},{30 + i % 3},{'FM'[i % 2]},{ZIPS[i % 4]},flu" for i in range(40)]
    lines += [f"Person {i},,F,{ZIPS[0]},flu" for i in range(4)]
    app = of_file(("name,age,sex,zip,illness\n" + "\n".join(lines) + "\n").encode())
    app.choose("slider", "Policy", 2)
    assert "**age**: 3 values and missing to" in app.text or "**age**: all together" in app.text
    last = app.widget("slider", "Policy").max
    assert "**age**: as it is, 3 values and missing" in app.choose("slider", "Policy", last).text
    charts = [chart.proto.spec for chart in app.at.get("plotly_chart")]
    assert any("3 values and missing, 30 to 32" in spec for spec in charts)


def test_values_that_only_the_population_has_are_told_in_the_recipe(app):
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
    app.session.recipe = Recipe.of([Recode("age", Intervals(10)), Suppress(3)])
    app.run()
    found = everything(Plane(space_of(app)))
    position = unique(found, 1)
    app.choose("slider", "Policy", position + 1).press("Add to recipe")
    kinds = [step.kind for step in app.session.recipe.enabled]
    assert kinds[-1] == "suppress" and kinds.count("suppress") == 1 and set(kinds[:-1]) == {"recode"}
    assert "earlier step gave way" in app.text
    assert len([step for step in app.session.recipe.enabled if getattr(step, "column", "") == "age"]) <= 1


def test_columns_that_the_recipe_drops_are_not_recoded(app):
    app.session.recipe = Recipe.of([DropColumns(("zip",))])
    app.run()
    assert not app.errors and "**zip**" not in app.text and "**sex**" in app.text
    app.session.recipe = Recipe.of([DropColumns(NAMES)])
    app.run()
    assert "drops every quasi-identifier" in app.text and not app.at.metric and not app.errors


def test_downloads_hold_the_frontier(app, monkeypatch):
    made: dict[str, bytes] = {}
    monkeypatch.setattr("ui.page.download", lambda label, make, file_name, key, **how: made.update({file_name: make()}))
    app.tab(TABS, "All policies")
    plane = Plane(space_of(app))
    found = everything(plane)
    again = Frontier.from_json(made["frontier.json"], plane)
    assert (again.risk.tolist(), again.loss.tolist()) == (found.risk.tolist(), found.loss.tolist()) and again.exact
    table = pd.read_csv(io.BytesIO(made["frontier.csv"]))
    assert table["risk"].to_numpy() == pytest.approx(found.risk) and set(NAMES) < set(table)
    assert "Person" not in made["frontier.csv"].decode() + made["frontier.json"].decode()
    assert "flu" not in made["frontier.csv"].decode() + made["frontier.json"].decode()

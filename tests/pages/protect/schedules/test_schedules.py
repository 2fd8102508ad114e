"""The Schedules page without a browser: its figures are the library's, whatever is invited to whatever slots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from anonlib import words
from anonlib.samples.screening import N_PEOPLE, screening_county_slots
from anonlib.schedules import (
    MaxDistance,
    OriginMix,
    People,
    Rule,
    SameRegion,
    Schedule,
    Slots,
    appointments,
    breaches,
    greedy_schedule,
    made_up_people,
    made_up_slots,
    optimal_schedule,
    people_of,
    program_programme,
    random_schedule,
    slots_of,
    text_programme,
    with_values,
)
from pages.protect.schedules import results
from pages.protect.schedules.slots import made_up
from tests.helpers.app import (
    DATA,
    RISK,
    SCHEDULES,
    SCHEDULES_TABS,
    TRY_COUNTY,
    App,
    dataset_of,
)

TABS = "schedules-tabs"
KNOWN = ["birth_year", "municipality"]
QUASI = "Quasi-identifier"
TWELVE = b"age,sex\n" + b"30,F\n30,F\n30,M\n31,F\n31,F\n31,F\n" * 2


def optimum(people: People, slots: Slots) -> Schedule:
    return optimal_schedule(people.frequencies, slots.capacities, quasi_ids=people.quasi_ids)


def at_random(people: People, slots: Slots, draw: int = 1) -> Schedule:
    drawn = random_schedule(people.frequencies, slots.capacities, np.random.default_rng(draw))
    return with_values(drawn, people.quasi_ids)


def county_of(app: App, also: tuple[str, ...] = (), known: list[str] | None = None) -> tuple[People, Slots]:
    return people_of(dataset_of(app), known or KNOWN, also), slots_of(screening_county_slots(), "places")


def check_figures(app: App, random: Schedule, taken: Schedule, k: int = 5) -> None:
    """The four figures are those of random invitations and of the schedule that is taken."""
    assert not app.errors
    assert app.metric("k, the smallest") == words.change(f"{random.k:,}", f"{taken.k:,}")
    alone = random.vector.people_below(2)
    assert f"**At random**, {words.share(alone, random.vector.n_records, 'people')} would be alone" in app.text
    below = [f"{schedule.vector.people_below(k):,}" for schedule in (random, taken)]
    assert app.metric(f"People below k = {k}") == words.change(*below)
    assert app.metric("Is there a better one?") == ("No, proven" if taken.proven else "Not known")


def every_tab(app: App) -> App:
    for tab in SCHEDULES_TABS:
        app.tab(TABS, tab)
        assert not app.errors, (tab, app.errors)
        assert [element.label for element in app.at.tabs if element.children] == [tab]
    return app.tab(TABS, SCHEDULES_TABS[0])


def alt_texts(app: App) -> str:
    return "\n".join(element.proto.alt for element in app.at.get("plotly_chart"))


def places_said(app: App) -> str:
    return next(caption.value for caption in app.at.caption if "to spare" in caption.value)


def of_file(data: bytes, **roles: str) -> App:
    return App(DATA, data).give_roles(**roles).open(SCHEDULES)


@pytest.fixture
def county() -> App:
    return App(SCHEDULES).press(TRY_COUNTY)


@pytest.fixture
def twelve() -> App:
    """Twelve people without slots of their own: these are made up."""
    return of_file(TWELVE, age=QUASI, sex=QUASI)


# ---- made-up people --------------------------------------------------------------------------------------------------


def test_without_a_file_the_people_and_slots_of_the_experiments_are_shown_at_once():
    app = App(SCHEDULES)
    assert "Nothing is loaded" in app.text and "made up" in app.text
    programme = program_programme(250, np.random.default_rng(1))
    people, slots = made_up_people(programme.frequencies), made_up_slots(programme.capacities)
    check_figures(app, at_random(people, slots), optimum(people, slots))
    assert app.widget("segmented_control", "Who is invited").disabled
    assert all(toggle.disabled and "Made-up people live nowhere" in toggle.help for toggle in app.at.toggle)
    every_tab(app)


@pytest.mark.parametrize(("n", "generator"), [(10, "text"), (1_000, "many"), (100_000, "program")])
def test_people_are_made_up_in_each_way_and_number(n, generator):
    app = App(SCHEDULES)
    app.widget("number_input", "People").set_value(n)
    app.choose("selectbox", "As in", generator).choose("number_input", "Draw", 3)
    rng = np.random.default_rng(3)
    programme = (
        program_programme(n, rng)
        if generator == "program"
        else text_programme(n, rng, q=n // 10 + 5 if generator == "many" else None)
    )
    people, slots = made_up_people(programme.frequencies), made_up_slots(programme.capacities)
    check_figures(app, at_random(people, slots), optimum(people, slots))
    assert places_said(app) == (
        f"{words.count(len(slots.capacities), 'slots')} with {slots.capacities.sum():,} places: "
        f"{slots.capacities.sum() - n:,} to spare."
    )
    every_tab(app)


def test_made_up_slots_have_as_many_places_as_is_said(twelve):
    twelve.choose("slider", "Places a slot", 4).choose("slider", "To spare", 50)
    assert places_said(twelve).endswith("with 18 places: 6 to spare.")
    people = people_of(dataset_of(twelve), ["age", "sex"])
    slots = made_up_slots(made_up(12, 4, 0.5, 1))
    check_figures(twelve, at_random(people, slots), optimum(people, slots))
    twelve.choose("number_input", "Random draw", 2)
    check_figures(twelve, at_random(people, slots, 2), optimum(people, slots))


# ---- the county ------------------------------------------------------------------------------------------------------


def test_the_county_comes_with_its_slots(county):
    people, slots = county_of(county)
    check_figures(county, at_random(people, slots), optimum(people, slots))
    assert f"{N_PEOPLE:,} people of 100 combinations" in county.text
    assert places_said(county) == "52 slots with 1,336 places: 156 to spare."
    assert "**Proven:**" in county.text
    assert any("All of them are so before any appointment" in element.value for element in county.at.warning)


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


def test_what_is_known_can_be_other_columns(county):
    county.choose("multiselect", "Known about them", ["birth_year"])
    people, slots = county_of(county, known=["birth_year"])
    check_figures(county, at_random(people, slots), optimum(people, slots))
    county.choose("multiselect", "Known about them", [])
    assert len(county.errors) == 1 and "Choose at least one column" in county.errors[0] and not county.at.metric
    assert "Nothing to show yet" in county.tab(TABS, "Grid").text


def test_k_is_that_of_the_risk_page(county):
    county.open(RISK).choose("slider", "k", 12).open(SCHEDULES)
    people, slots = county_of(county)
    check_figures(county, at_random(people, slots), optimum(people, slots), 12)


def test_settings_stay_when_other_pages_are_opened(county):
    county.choose("toggle", "Own region only", True).choose("selectbox", "Schedule to take", "Greedy")
    county.choose("multiselect", "Known about them", ["birth_year"]).choose("number_input", "Random draw", 7)
    before = [(metric.label, metric.value) for metric in county.at.metric], county.text
    county.open(RISK).open(DATA).open(SCHEDULES)
    assert ([(metric.label, metric.value) for metric in county.at.metric], county.text) == before
    assert county.widget("selectbox", "Schedule to take").value == "Greedy"


# ---- rules -----------------------------------------------------------------------------------------------------------


RULES = {
    "Own region only": ("municipality",),
    "Not too far": ("latitude", "longitude"),
    "Mixed origins": ("born_in",),
}


def rule_of(name: str, people: People, slots: Slots) -> Rule:
    if name == "Own region only":
        return SameRegion(people.groups["municipality"].tolist(), slots.table["municipality"].tolist())
    if name == "Mixed origins":
        return OriginMix(people.groups["born_in"].tolist(), "Norway", 0.15, 3)
    points, at = (frame[["latitude", "longitude"]].astype(float) for frame in (people.groups, slots.table))
    return MaxDistance(points.to_numpy(), at.to_numpy(), 25.0)


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_kept_and_its_cost_is_shown(name, county, monkeypatch):
    monkeypatch.setattr(results, "AT_ONCE", 0.3)
    without = county.metric("k, the smallest")
    county.choose("toggle", name, True)
    people, slots = county_of(county, RULES[name])
    assert not county.errors and "What the rules cost" in county.text
    assert county.widget("selectbox", "Schedule to take").value == results.RULED
    compared = county.table("Schedule").set_index("Schedule")
    ruled = next(title for title in compared.index if title.endswith("with the rules"))
    assert compared.loc[ruled, "People against the rules"] == 0 and compared.loc[ruled, "Rules kept"] == "yes"
    rule = rule_of(name, people, slots)
    random = breaches(rule, at_random(people, slots).groups, slots.capacities)
    assert compared.loc["Random, without the rules", "People against the rules"] == random.people
    assert compared.loc["Random, without the rules", "Rules kept"] == "no"
    assert compared.loc[ruled, "Alone"] >= compared.loc["Optimal, without the rules", "Alone"]
    assert county.metric("k, the smallest").split(" ")[-1] == str(compared.loc[ruled, "k"])
    every_tab(county)
    county.choose("selectbox", "Schedule to take", results.OPTIMAL)
    assert "does not look at the rules" in county.text
    county.choose("toggle", name, False)
    assert county.metric("k, the smallest") == without and "People against the rules" not in county.table("Schedule")


@pytest.mark.parametrize(
    ("toggle", "kind", "label", "value", "said"),
    [
        ("Not too far", "slider", "At most, km", 1, "within 1 km. The nearest to “1957, Havn, 59.02, 10.04” is 1"),
        ("Not too far", "selectbox", "Latitude of slots", "centre", "column “centre” of the slots holds something"),
        ("Own region only", "selectbox", "Region of slots", "centre", "can only go to 0 slots"),
        ("Mixed origins", "number_input", "Their origins", 20, "of 7 origins, and every slot"),
    ],
)
def test_rules_that_cannot_be_kept_are_a_sentence_and_the_rest_stays(toggle, kind, label, value, said, county):
    before = [(metric.label, metric.value) for metric in county.at.metric]
    county.choose("toggle", toggle, True).choose(kind, label, value)
    assert len(county.errors) == 1
    sentence = county.errors[0].replace("\\", "")
    assert said in sentence and sentence.endswith("Below are the schedules without rules.")
    assert [(metric.label, metric.value) for metric in county.at.metric] == before
    assert county.at.main.children[0] and results.RULED not in county.widget("selectbox", "Schedule to take").options
    county.choose("toggle", toggle, False)
    assert not county.errors


def test_all_rules_at_once_name_the_people_who_are_in_the_way(county):
    for name in RULES:
        county.choose("toggle", name, True)
    (sentence,) = county.errors
    assert "“1957, Nes, 58.92, 10.21, Norway”" in sentence.replace("\\", ""), "each combination in quotation marks"


# ---- long work -------------------------------------------------------------------------------------------------------


def test_what_is_not_proven_at_once_is_called_so_and_looked_for_on(monkeypatch):
    app = App().press("open-screening_county")
    people, slots = county_of(app)
    best, second = optimum(people, slots), greedy_schedule(people.sizes, slots.capacities)
    answers = [replace(second, method="optimal", certified_prefix=1, bound=best.vector), best, best]
    monkeypatch.setattr(results, "optimal_schedule", lambda *_, **__: answers.pop(0))
    app.open(SCHEDULES)
    assert app.metric("Is there a better one?") == "Not known" and "Best found" in app.text
    assert "best found; k can be at most 2" in app.text and "Searching further for the best schedule" in app.text
    app.press("Start")
    check_figures(app, at_random(people, slots), best)
    assert not app.has_button("Start") and "**Proven:**" in app.text


def test_the_schedule_that_is_taken_stays_when_another_is_proven(monkeypatch):
    """With other titles the browser must get another selectbox, or it shows the title of before."""
    app = App().press("open-screening_county")
    people, slots = county_of(app)
    best, second = optimum(people, slots), greedy_schedule(people.sizes, slots.capacities)
    answers = [replace(second, method="optimal", certified_prefix=1, bound=best.vector), best, best]
    monkeypatch.setattr(results, "optimal_schedule", lambda *_, **__: answers.pop(0))
    app.open(SCHEDULES).choose("selectbox", "Schedule to take", "Greedy")
    before = app.widget("selectbox", "Schedule to take")
    after = app.press("Start").widget("selectbox", "Schedule to take")
    assert "Best found" in before.options and "Optimal" in after.options and after.key != before.key
    assert after.value == "Greedy"

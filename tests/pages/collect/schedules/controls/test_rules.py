"""Rules on the Schedules page: what they cost, and schedules that do not keep them say so wherever they are shown."""

from __future__ import annotations

import pytest

from anonlib.analyses.schedules import Invitees, MaxDistance, OriginMix, Rule, SameRegion, Slots, breaches
from anonlib.basics.budget import A_SECOND
from pages.collect.schedules import results
from tests.helpers.app import SCHEDULES, SCHEDULES_TABS, App, sampled
from tests.helpers.schedules import RULES, TABS, at_random, county_of, warnings


def rule_of(name: str, people: Invitees, slots: Slots) -> Rule:
    if name == "Own region only":
        return SameRegion(people.groups["municipality"].tolist(), slots.table["municipality"].tolist())
    if name == "Mixed origins":
        return OriginMix(people.groups["born_in"].tolist(), "Norway", 0.15, 3)
    points, at = (frame[["latitude", "longitude"]].astype(float) for frame in (people.groups, slots.table))
    return MaxDistance(points.to_numpy(), at.to_numpy(), 25.0)


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_kept_and_its_cost_is_shown(name, county, monkeypatch):
    monkeypatch.setattr(results, "AT_ONCE", 0.3 * A_SECOND)
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
    others, turn = SCHEDULES_TABS[1:5], list(RULES).index(name)
    for tab in others[turn], others[turn + 1]:
        assert not county.tab(TABS, tab).errors
    assert not county.tab(TABS, "Invitations").download("Invitations (CSV)").disabled
    county.choose("selectbox", "Schedule to take", results.OPTIMAL)
    assert county.download("Invitations (CSV)").disabled
    assert any(warning.startswith("**Optimal, without the rules:**") for warning in warnings(county))
    assert "does not look at the rules" in county.tab(TABS, SCHEDULES_TABS[0]).text
    county.choose("toggle", name, False)
    assert county.metric("k, the smallest") == without and "People against the rules" not in county.table("Schedule")


@pytest.fixture(scope="module")
def of_all() -> App:
    """The county without rules, to which one after another is given and taken away."""
    return sampled("screening_county", SCHEDULES)


ANYWAY = "Take these invitations although they break the rules"


@pytest.fixture
def infeasible() -> App:
    app = sampled("screening_county", SCHEDULES, settings={"schedules-far": True, "schedules-km": 1})
    assert len(app.errors) == 1
    return app


@pytest.mark.parametrize(
    ("toggle", "settings", "message"),
    [
        ("Not too far", {"far": True, "km": 1}, "within 1 km. The nearest to “1957, Havn, 59.02, 10.04” is 1"),
        ("Not too far", {"far": True, "Latitude of slots": "centre"}, "column “centre” of the slots holds something"),
        ("Own region only", {"region": True, "Region of slots": "centre"}, "can only go to 0 slots"),
        ("Mixed origins", {"mix": True, "least": 20}, "of 7 origins, and every slot"),
    ],
)
def test_rules_that_cannot_be_kept_are_a_sentence_and_the_rest_stays(toggle, settings, message, of_all):
    county = of_all
    before = [(metric.label, metric.value) for metric in county.at.metric]
    county.session.settings = {f"schedules-{name}": value for name, value in settings.items()}
    assert county.run().widget("toggle", toggle).value
    assert len(county.errors) == 1
    sentence = county.errors[0].replace("\\", "")
    assert message in sentence and sentence.endswith("Below are the schedules without rules.")
    assert [(metric.label, metric.value) for metric in county.at.metric] == before
    assert county.at.main.children[0] and results.RULED not in county.widget("selectbox", "Schedule to take").options
    assert not county.choose("toggle", toggle, False).errors


def test_all_rules_at_once_name_the_people_who_are_in_the_way():
    rules = dict.fromkeys(("schedules-region", "schedules-far", "schedules-mix"), True)
    county = sampled("screening_county", SCHEDULES, settings=rules)
    assert all(county.widget("toggle", name).value for name in RULES)
    (sentence,) = county.errors
    assert "“1957, Nes, 58.92, 10.21, Norway”" in sentence.replace("\\", ""), "each combination in quotation marks"


def test_schedules_beside_a_rule_that_cannot_be_kept_are_marked_everywhere(infeasible):
    options = infeasible.widget("selectbox", "Schedule to take").options
    assert options and all(title.endswith("without the rules") for title in options)
    compared = infeasible.table("Schedule").set_index("Schedule").iloc[1:]
    assert set(compared["Rules kept"]) == {"no"} and (compared["People against the rules"] > 0).all()
    for tab in ("Grid", "Invitations", "Slots"):
        infeasible.tab(TABS, tab)
        assert any("does not look at the rules" in warning for warning in warnings(infeasible)), tab


def test_invitations_against_the_rules_are_taken_only_when_that_is_stated(infeasible):
    infeasible.tab(TABS, "Invitations")
    button = infeasible.download("Invitations (CSV)")
    assert button.disabled and "break the rules" in button.help
    infeasible.choose("toggle", ANYWAY, True)
    assert not infeasible.download("Invitations (CSV)").disabled
    infeasible.tab(TABS, "Grid").tab(TABS, "Invitations")
    assert not infeasible.download("Invitations (CSV)").disabled, "and stays"
    infeasible.choose("toggle", "Not too far", False).tab(TABS, "Invitations")
    assert not infeasible.download("Invitations (CSV)").disabled
    assert not [toggle for toggle in infeasible.at.toggle if toggle.label == ANYWAY]

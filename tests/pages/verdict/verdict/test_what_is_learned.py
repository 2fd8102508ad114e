"""The two questions of protection on the page: the switch, what is measured, and what waits to be counted."""

from __future__ import annotations

import pytest

from anonlib.columns.roles import Role
from anonlib.release.steps import DropColumns
from anonlib.verdict.criteria import (
    BY_KEY,
    Aim,
    Case,
    Inference,
    MethodDisclosure,
    RecordsKept,
    SmallestClass,
    State,
    judge,
)
from anonlib.verdict.proposals import WhatIf
from pages.verdict.verdict import results
from tests.helpers.app import SMALL, VERDICT, App, dataset_of, sampled, seeded, within
from ui.session import view

NO_SEARCH = ("verdict-tabs", "How it works")
SWITCH = "Nobody's value is learned"
pytestmark = pytest.mark.usefixtures("without_searches")


@pytest.fixture
def app() -> App:
    return sampled("admissions", VERDICT, NO_SEARCH)


def plain(app: App) -> str:
    return app.text.replace("\\", "")


def measured_of(app: App):
    """What the page must show, judged beside it."""
    session = app.session
    case = Case(session.recipe.apply(dataset_of(app)), session.recipe, rows_known=session.aim.of.rows)
    return judge(case, (), recipient=session.aim.of.name, measured=session.aim.measured)


def test_what_is_measured_stands_beside_the_verdict_and_column_by_column(app):
    verdict = measured_of(app)
    assert verdict.learned.startswith("Of what leaves, somebody who knows any 2 facts")
    *counted, _ = verdict.learned.split(". ")  # what the method tells is asked of no such case
    assert all(sentence in plain(app) for sentence in counted)
    for finding in (finding for finding in verdict.measured if not finding.criterion.of_method):
        assert finding.state is State.MEASURED and f"**{finding.criterion.title_measured}**" in plain(app)
        for name, persons in finding.by_column:
            assert f"{name} " in plain(app) and f"({persons:,})" in plain(app)


def test_what_the_method_tells_is_a_row_whose_coin_is_set_in_its_limits():
    aim = Aim("own", criteria=(SmallestClass(2), MethodDisclosure()))
    app = seeded(SMALL, page=VERDICT, tab=NO_SEARCH, aim=aim)
    assert "What the method tells" in app.text and "a coin refuses 15% of the tries" in plain(app)

    def now() -> MethodDisclosure:
        return next(criterion for criterion in app.session.aim.criteria if criterion.kind == "method")

    app.choose("number_input", "The coin refuses, of what values allow, in %", 20.0)
    assert now() == MethodDisclosure(q=0.2)
    app.choose("number_input", "Refusals that may part two who stay alike", 3)
    assert now() == MethodDisclosure(q=0.2, budget=3) and "a coin refuses 20% of the tries" in plain(app)
    app.choose("selectbox", "What refuses a change", "off")
    assert now() == MethodDisclosure("off", 0.2, 3) and "a coin refuses" not in plain(app)
    assert app.session.aim.coin is None


def test_the_switch_makes_it_a_criterion_and_is_undone(app):
    before = app.session.aim
    app.choose("toggle", SWITCH, True)
    assert app.session.aim == before.limiting_what_is_learned(True)
    assert "not limited for this recipient" not in app.text and "Inference" in app.text
    app.choose("toggle", SWITCH, False)
    assert app.session.aim == before and "not limited for this recipient" in app.text
    app.press("Undo")
    assert app.session.aim.limits_what_is_learned


@pytest.mark.parametrize(("key", "is_on"), [("public", True), ("cms", False)])
def test_where_the_recipient_decides_the_switch_shows_it_and_cannot_be_moved(app, key, is_on):
    app.choose("selectbox", "Recipient", key)
    switch = app.widget("toggle", SWITCH)
    assert (switch.disabled and switch.value is is_on and "Add a criterion" in switch.help) or is_on
    assert app.session.aim.criteria == BY_KEY[key].criteria


def test_what_takes_longer_than_the_criteria_is_counted_on_request(monkeypatch):
    monkeypatch.setattr(view, "AT_ONCE", 0.0)
    app = sampled("admissions", VERDICT, NO_SEARCH)
    counted = measured_of(app)
    name, persons = counted.measured[0].by_column[0]
    assert "was not counted" in app.text and f"({persons:,})" not in plain(app)
    (key,) = [key for button in app.at.button if (key := str(button.key)).startswith("work-measured-")][:1]
    app.press(key)
    assert f"{name} " in plain(app) and f"({persons:,})" in plain(app)
    assert app.session.aim.measured == BY_KEY["contract"].measured, "counting decides nothing"


def test_a_limit_beyond_what_is_usual_is_allowed_only_with_a_reason(app):
    session, old = app.session, SmallestClass(5)
    session.aim = session.aim.replacing(session.aim.criteria[1], old)
    what_if = WhatIf("a smallest class of 2 persons", old, SmallestClass(2))
    assert what_if.new.is_unusual and not SmallestClass(3).is_unusual
    assert Inference(most=0.4).is_unusual and RecordsKept(0.7).is_unusual and not RecordsKept(0.8).is_unusual
    within(session, results.allow, what_if, "Agreed by the board.")
    assert SmallestClass(2, "Agreed by the board.") in session.aim.criteria, "the reason stands where a source does"
    assert results._how_many(Inference(most=0.406), dataset_of(app)) == ": 1,867 of 4,600 persons"
    assert results._how_many(RecordsKept(0.7), dataset_of(app)) == ""


def test_where_nothing_stands_against_it_the_page_leads_to_the_release(app):
    links = [each.proto.label for each in app.at.main if each.type == "page_link"]
    assert not any(label.startswith("Release:") for label in links)
    app.session.aim = app.session.aim.__class__(criteria=(SmallestClass(1),), measured=())
    app.session.recipe = app.session.recipe.take([DropColumns(("zip",))])
    app.run()
    links = [each.proto.label for each in app.at.main if each.type == "page_link"]
    assert any(label.startswith("Release:") for label in links)


def test_where_nothing_is_known_outside_it_is_asked_whether_that_is_so():
    data = ("a,b\n" + "".join(f"{i % 5},{i % 3}\n" for i in range(60))).encode()
    app = seeded(data, page=VERDICT, tab=NO_SEARCH, roles={"a": Role.OTHER, "b": Role.OTHER})
    assert "No column is known outside, so nobody could be found by any." in app.text
    app.press("Nobody can")
    (accepted,) = app.session.aim.accepted
    assert isinstance(accepted.criterion, SmallestClass) and "No column is known outside" not in app.text

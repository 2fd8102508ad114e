"""What pages give away to be computed in another process comes to the same as in place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut
from anonlib.verdict.criteria import Aim, SmallestClass
from pages.measure.individuals import column_results
from pages.measure.individuals import results as individuals
from pages.measure.leakage import results as leakage
from pages.measure.risk.tabs import singling_out
from pages.release.release.tabs import utility
from tests.helpers.app import (
    ATTACK,
    DATA,
    INDIVIDUALS,
    LEAKAGE,
    RELEASE,
    REPORT,
    RISK,
    TABS_OF,
    VERDICT,
    App,
    computing_again,
    sampled,
    seeded,
    visits,
)
from ui.session import away, cache, proposed, view

OF_LARGE_FILES = (
    column_results._adds, column_results._sets, individuals._breach, leakage._table, singling_out._found,
    utility._measured, view._alone,
)  # fmt: skip
AIM = Aim(criteria=(SmallestClass(4),))
RECIPE = Recipe.of([DropColumns(("department",)), LeaveOut(3)])


def of_a_session(show: Callable[[App], Any]) -> Any:
    """What a page comes to of the admissions, or of few visits, in a session that computed nothing yet."""
    with computing_again():
        if show is proposals:
            app = seeded(visits(80), roles={"age": "quasi_identifier", "sex": "quasi_identifier"}, aim=AIM)
        else:
            app = sampled("admissions", DATA, aim=Aim.for_recipient("public"), recipe=RECIPE)
        app.session.project = replace(app.session.project, seed=7)
        return show(app)


def proposals(app: App) -> list[tuple]:
    app.open(VERDICT)
    offers = app.part(proposed._Made).offers
    assert offers.offers
    return [
        (offer.title, offer.proposal.loss, offer.proposal.left_out, [step.digest for step in offer.proposal.steps])
        for offer in offers.offers
    ] + [(relaxation.columns, relaxation.loss) for relaxation in offers.relaxations]


def attacks(app: App) -> list[str]:
    app.open(ATTACK)
    return [*app.text.splitlines(), *(chart.proto.spec for chart in app.at.get("plotly_chart"))]


def profiles(app: App) -> list[str]:
    app.open(INDIVIDUALS)
    text = app.text
    for tab in ("What each column adds", "Smallest sets", "One individual"):
        text += app.tab(TABS_OF[INDIVIDUALS][0], tab).text
    return [line for line in text.splitlines() if line]


def tables(app: App) -> list[str]:
    text = app.open(LEAKAGE).text + app.open(RISK, (TABS_OF[RISK][0], "Singling out")).text
    return text.splitlines()


def use(app: App) -> list[str]:
    return [
        f"{figure.label} {figure.value}"
        for figure in app.open(RELEASE, (TABS_OF[RELEASE][0], TABS_OF[RELEASE][1][1])).at.metric
    ]


def report(app: App) -> str:
    app.open(REPORT)
    return app.text


@pytest.mark.parametrize("show", [proposals, attacks, profiles, tables, use, report], ids=lambda show: show.__name__)
def test_a_page_shows_the_same_computed_away_and_in_place(
    show: Callable[[App], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = list[object]()
    begin = away.begin_job

    def count(*given: Any) -> Any:
        begun.append(given)
        return begin(*given)

    for function in OF_LARGE_FILES:
        monkeypatch.setattr(function, "_away_from", 0)
    monkeypatch.setattr(cache, "MANY", 0)
    with monkeypatch.context() as counted:
        counted.setattr(away, "begin_job", count)
        elsewhere = of_a_session(show)
    monkeypatch.setattr(away, "begin_job", lambda *_: None)
    assert begun and elsewhere == of_a_session(show)

"""The cheapest change that meets one criterion more and loses none that is met."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.basics.budget import about_seconds
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.steps import DropColumns, Scope
from anonlib.verdict.criteria import Criterion, Finding, State, Verdict
from anonlib.verdict.proposals import NothingFound, why_none
from pages.verdict.verdict import question
from ui.session import decide, guard, view
from ui.session.state import session

BUDGET = about_seconds(0.5)
"""What a search for one criterion may spend; its first answer is always waited for."""


def offer(verdict: Verdict, finding: Finding, key: str) -> None:
    """The button that mends a criterion, or why it cannot; nothing where it is met, or no step can make it known."""
    if finding.state is not State.NOT_MET and not finding.cells:
        return
    why_not = _why_not(finding.criterion)
    st.button(
        "Mend", key=key, icon=":material/build:", type="primary", on_click=guard.action(_mend),
        args=(finding.criterion, tuple(other.criterion for other in verdict.findings if other.is_met)),
        disabled=bool(why_not),
        help=why_not or finding.criterion.mending.says,
    )  # fmt: skip


def _why_not(criterion: Criterion) -> str:
    if criterion.mending.needs_no_search:
        return ""
    if criterion.coin is not None:
        return "Search for proposals below: mixed coarseness and blank cells are refused by the coin too."
    data = view.now().data
    assert data is not None
    if question.can_be_searched(criterion, data):
        long = question.seconds(data) > question.AT_ONCE
        return "On so large a file this takes longer: search for a proposal below." if long else ""
    return "No search takes part in this criterion: look at it on its page, or change its limit."


def _mend(criterion: Criterion, met: tuple[Criterion, ...]) -> None:
    now = view.now()
    assert now.data is not None and now.verdict is not None
    columns = next((finding.columns for finding in now.verdict.findings if finding.criterion == criterion), ())
    match criterion.mending.how:
        case "drop":
            drop(columns)
        case "count_as_known":
            count_as_known(columns)
        case "own_steps":
            _take_own_steps(criterion, met)
        case "search":
            _search(criterion, met, now.data)


def _search(criterion: Criterion, met: tuple[Criterion, ...], data: Dataset) -> None:
    looked_at = view.to_protect(data)
    adviser = question.adviser(looked_at, **question.asked(looked_at), criteria=(*met, criterion))
    outcome = adviser.most_detail(BUDGET)
    if isinstance(outcome, NothingFound):
        raise InputError(f"{why_none(adviser, outcome)} See the proposals.", code="nothing-satisfies")
    decide.take(outcome.to_take, outcome.decides, Scope.SEARCH, data)


def drop(columns: tuple[str, ...]) -> None:
    """Drop columns for the verdict."""
    decide.take([DropColumns(columns, "for the verdict")], columns, Scope.COLUMN)


def _take_own_steps(criterion: Criterion, met: tuple[Criterion, ...]) -> None:
    """Take the criterion's steps, and say which criteria that were met no longer are."""
    now, before = view.now(), session().recipe
    assert now.data is not None
    recipe = criterion.mended(before, now.data, now.people, session().aim.year)
    steps, earlier = [[entry.step for entry in version.entries] for version in (recipe, before)]
    gave_way = sum(step not in steps for step in earlier)
    decide.take_steps([step for step in steps if step not in earlier], recipe, gave_way)
    after = view.now().verdict
    lost = (
        [finding.criterion.title for finding in after.findings if not finding.is_met and finding.criterion in met]
        if after
        else []
    )
    if lost:
        session().notice += f" No longer met: {words.listed(lost)}."


def count_as_known(columns: tuple[str, ...]) -> None:
    """Make columns quasi-identifiers."""
    decide.set_roles({**session().roles, **dict.fromkeys(columns, Role.QUASI_IDENTIFIER)})
    named = words.listed(columns, most=len(columns))
    session().notice = f"Counted as known: {named}. What is asked of known columns holds for them too."

"""The cheapest change that meets one criterion more and loses none that is met."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.basics.budget import about_seconds
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.release.safe_harbor import with_safe_harbor
from anonlib.release.steps import DropColumns, Scope
from anonlib.verdict.criteria import (
    ColumnsNotCounted,
    Criterion,
    Finding,
    NoIdentifiers,
    SafeHarbor,
    State,
    TellingColumns,
    Verdict,
)
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
        args=(finding.criterion, tuple(each.criterion for each in verdict.findings if each.is_met)),
        disabled=bool(why_not),
        help=why_not or _does(finding.criterion),
    )  # fmt: skip


def needs_no_search(criterion: Criterion) -> bool:
    """Whether what mends a criterion follows from the columns at fault."""
    return isinstance(criterion, TellingColumns | NoIdentifiers | ColumnsNotCounted | SafeHarbor)


def _does(criterion: Criterion) -> str:
    match criterion:
        case TellingColumns():
            return "Drops the columns at fault."
        case NoIdentifiers():
            return "Drops the columns at fault. A column of texts can be redacted instead, on the Release page."
        case ColumnsNotCounted():
            return "Counts these columns as known: they become quasi-identifiers."
        case SafeHarbor():
            return (
                "Takes the rule’s own steps on the columns at fault: ages over 89 together, dates to years, ZIP codes "
                "to three digits where more than 20,000 people live, other places as “*”, what cannot be read "
                "under “*”, identifiers dropped. What is coarser already stays."
            )
    return "Makes the least change that meets this criterion too, and keeps those that are met."


def _why_not(criterion: Criterion) -> str:
    if needs_no_search(criterion):
        return ""
    data = view.now().data
    assert data is not None
    if question.can_be_searched(criterion, data):
        long = question.seconds(data) > question.AT_ONCE
        return "On so large a file this takes longer: search for a proposal below." if long else ""
    return "No search takes part in this criterion: look at it on its page, or change its limit."


def _mend(criterion: Criterion, met: tuple[Criterion, ...]) -> None:
    now = view.now()
    assert now.data is not None and now.verdict is not None
    if isinstance(criterion, TellingColumns | NoIdentifiers | ColumnsNotCounted):
        columns = next(each for each in now.verdict.findings if each.criterion == criterion).columns
        count_as_known(columns) if isinstance(criterion, ColumnsNotCounted) else drop(columns)
        return
    if isinstance(criterion, SafeHarbor):
        _take_safe_harbor(met)
        return
    looked_at = view.to_protect(now.data)
    adviser = question.adviser(looked_at, **question.asked(looked_at), criteria=(*met, criterion))
    found = adviser.most_detail(BUDGET)
    if isinstance(found, NothingFound):
        raise InputError(f"{why_none(adviser, found)} See the proposals.", code="nothing-satisfies")
    decide.take(found.to_take, found.decides, Scope.SEARCH, now.data)


def drop(columns: tuple[str, ...]) -> None:
    """Drop columns for the verdict."""
    decide.take([DropColumns(columns, "for the verdict")], columns, Scope.COLUMN)


def _take_safe_harbor(met: tuple[Criterion, ...]) -> None:
    """Take the rule's steps, and say which criteria that were met no longer are."""
    now, before = view.now(), session().recipe
    assert now.data is not None
    recipe = with_safe_harbor(before, now.data, now.people, session().aim.year)
    steps, earlier = [[entry.step for entry in each.entries] for each in (recipe, before)]
    gave_way = sum(step not in steps for step in earlier)
    decide.take_steps([step for step in steps if step not in earlier], recipe, gave_way)
    after = view.now().verdict
    lost = (
        [each.criterion.title for each in after.findings if not each.is_met and each.criterion in met] if after else []
    )
    if lost:
        session().notice += f" No longer met: {words.listed(lost)}."


def count_as_known(columns: tuple[str, ...]) -> None:
    """Make columns quasi-identifiers."""
    decide.set_roles({**session().roles, **dict.fromkeys(columns, Role.QUASI_IDENTIFIER)})
    named = words.listed(columns, most=len(columns))
    session().notice = f"Counted as known: {named}. What is asked of known columns holds for them too."

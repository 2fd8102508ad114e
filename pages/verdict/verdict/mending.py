"""The cheapest change that meets one criterion more and loses none that is met."""

from __future__ import annotations

import streamlit as st

from anonlib import words
from anonlib.adviser import Adviser, Asked, Proposal
from anonlib.criteria import (
    Aim,
    Case,
    ColumnsNotCounted,
    Criterion,
    Finding,
    NoIdentifiers,
    State,
    TellingColumns,
    Verdict,
)
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.hierarchies import Hierarchy
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Scope
from anonlib.roles import Role
from ui import cache, decide, guard, original, to_recipe, view
from ui.state import session

SECONDS = 5.0
"""How long a search for one criterion may take."""


def offer(verdict: Verdict, finding: Finding, data: Dataset, key: str) -> None:
    """The button that mends a criterion, or why it cannot; nothing where it is met."""
    if finding.state is not State.NOT_MET:
        return
    why_not = _why_not(finding.criterion)
    st.button(
        "Mend", key=key, icon=":material/build:", type="primary", on_click=guard.action(_mend),
        args=(finding.criterion, tuple(each.criterion for each in verdict.findings if each.is_met)),
        disabled=bool(why_not),
        help=why_not or _does(finding.criterion),
    )  # fmt: skip


def _does(criterion: Criterion) -> str:
    match criterion:
        case TellingColumns() | NoIdentifiers():
            return "Drops the columns at fault."
        case ColumnsNotCounted():
            return "Counts these columns as known: they become quasi-identifiers."
    return "Makes the least change that meets this criterion too, and keeps those that are met."


def _why_not(criterion: Criterion) -> str:
    if isinstance(criterion, TellingColumns | NoIdentifiers | ColumnsNotCounted):
        return ""
    data = view.now().data
    assert data is not None
    if can_be_searched(criterion, data):
        return ""
    return "No search takes part in this criterion: look at it on its page, or change its limit."


def can_be_searched(criterion: Criterion, data: Dataset) -> bool:
    """Whether a search can take a criterion into account."""
    return cache.remember(_searchable, data, criterion=criterion)


def _searchable(data: Dataset, *, criterion: Criterion) -> bool:
    return bool(criterion.guarantees(Case(view.apply(Recipe(), data), Recipe())))


def _mend(criterion: Criterion, met: tuple[Criterion, ...]) -> None:
    now = view.now()
    assert now.data is not None and now.verdict is not None
    if isinstance(criterion, TellingColumns | NoIdentifiers):
        finding = next(each for each in now.verdict.findings if each.criterion == criterion)
        names = [name.split(" tells ")[0] for name, _ in finding.worst]
        columns = tuple(name for name in dict.fromkeys(names) if name in now.data.columns)
        to_recipe.take([DropColumns(columns, "for the verdict")], columns, Scope.COLUMN)
        return
    if isinstance(criterion, ColumnsNotCounted):
        finding = next(each for each in now.verdict.findings if each.criterion == criterion)
        counted = [name for name, _ in finding.worst]
        decide.set_roles({**session().roles, **dict.fromkeys(counted, Role.QUASI_IDENTIFIER)})
        listed = words.listed(counted)
        session().notice = f"Counted as known: {listed}. What is asked of known columns holds for them too."
        return
    found = adviser(now.data, session().aim, (*met, criterion)).most_detail(SECONDS)
    if found is None:
        raise InputError("No change that is allowed meets this criterion and those that are met. See the proposals.")
    to_recipe.take(found.steps, found.decides, Scope.SEARCH, now.data)


def adviser(data: Dataset, aim: Aim, criteria: tuple[Criterion, ...]) -> Adviser:
    """The adviser on the loaded data, by what the officer decided."""
    return Adviser(asked(original.to_protect(data), aim, criteria, dict(session().hierarchies)))


def asked(data: Dataset, aim: Aim, criteria: tuple[Criterion, ...], hierarchies: dict[str, Hierarchy]) -> Asked:
    """The adviser's question."""
    return Asked(
        data,
        criteria,
        {name: hierarchy.with_top() for name, hierarchy in hierarchies.items()},
        aim.harmless_by_column,
        aim.fixed,
        dict(aim.weights),
        aim.droppable,
    )


def taken(proposal: Proposal) -> None:
    """Take a proposal into the recipe."""
    to_recipe.take(proposal.steps, proposal.decides, Scope.SEARCH, view.now().data)

"""The tabs under the Frontier page's picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from anonlib.analyses.frontier import Frontier
from anonlib.dataset import Dataset
from pages.protect.frontier.controls import orders
from pages.protect.frontier.question import Question
from pages.protect.frontier.tabs import policies, population_table, searches
from ui.kit import explain, page

ALL, COMPARE = "frontier-tabs-7", "Compare two"


def is_comparing() -> bool:
    """Whether the tab of two policies is open."""
    return st.session_state.get(ALL) == COMPARE


def show(
    question: Question, data: Dataset, population: Dataset | None, frontiers: Sequence[Frontier], position: int
) -> None:
    """All tabs; ``position`` is that of the chosen policy on the first frontier."""
    found = frontiers[0]
    policy = found.policies[position]
    of_policies: dict[str, Callable[[], object]] = {
        "Policy": partial(policies.show_policy, question, policy),
        COMPARE: partial(policies.show_comparison, question, policy),
        "All policies": partial(policies.show_policies, question, found),
        "Searches": partial(searches.show, question, frontiers),
    }
    page.tabs(ALL, of_policies | _of_settings(question, data, population, list(question.space.attributes)))


def show_to_mend(data: Dataset, population: Dataset | None) -> None:
    """Those that are there without a frontier: in them the settings can be mended."""
    page.tabs("frontier-tabs-3", _of_settings(None, data, population, data.quasi_identifiers))


def _of_settings(
    question: Question | None, data: Dataset, population: Dataset | None, columns: list[str]
) -> dict[str, Callable[[], object]]:
    return {
        "Population": partial(population_table.show, question),
        "Order of values": partial(orders.show, data, population, columns),
        "How it works": partial(explain.show, "frontier"),
    }

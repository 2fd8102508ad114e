"""What each criterion costs: the detail that would be kept without it, and what it costs alone."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from anonlib.basics import figures, words
from anonlib.basics.budget import A_SECOND, about_seconds
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.dataset import Dataset
from anonlib.plots import verdict as plots
from anonlib.release.export import table_csv
from anonlib.verdict.criteria import not_implied
from anonlib.verdict.proposals import MarginalCost
from pages.verdict.verdict import question
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.session import cache, long_work
from ui.session.state import session
from ui.text import plain

_AT_ONCE, _LONGER = about_seconds(1), about_seconds(10)  # of a search, at once and where the officer lets it search on


def show(data: Dataset) -> None:
    """A bar a criterion that searches take part in, and the table behind it."""
    try:
        costs = _made(question.looked_at(data), data)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return
    if costs is None:
        return
    if not costs:
        st.info("No change was found that meets all criteria, so what each costs is not known. See the proposals.")
        return
    criteria = not_implied(session().aim.criteria, data.has_several_rows)
    costs = tuple(cost for cost in costs if cost.criterion in criteria)
    table = pd.DataFrame(
        {
            "Criterion": [cost.criterion.title for cost in costs],
            "What it costs": [cost.cost for cost in costs],
            "Alone": [cost.alone for cost in costs],
            "Asks": [cost.criterion.describe_in(data.unit, data.has_several_rows) for cost in costs],
        }
    )
    names = [cost.criterion.title for cost in costs]
    page.figure(
        partial(plots.costs, names, [cost.cost for cost in costs], [cost.alone for cost in costs]),
        "Bars of what is lost in the search: "
        + "; ".join(f"{cost.criterion.title} {words.percent(cost.cost)}" for cost in costs),
        None,
    )
    page.table(table, "What each criterion costs", percent=("What it costs", "Alone"))
    page.counts(
        "A criterion costs what the least change found for all criteria loses, less what the least found without this "
        "one loses; alone is what this one loses by itself. These need not add up: two that imply each other cost "
        f"nothing each. {figures.LOST_IN_SEARCH.name}: {figures.LOST_IN_SEARCH.meaning()}"
    )
    if not all(cost.finished for cost in costs):
        page.counts(
            "Not every search came to its end: each costs so much by the least change found with the work given."
        )
    page.download("Table as CSV", partial(table_csv, table), "prices.csv", "verdict-prices-csv", holds=Holds.FIGURES)


def _made(data: Dataset, whole: Dataset) -> tuple[MarginalCost, ...] | None:
    asked = question.asked(data)
    searches = 2 * sum(question.can_be_searched(criterion, data) for criterion in session().aim.criteria) + 1
    expected = searches * question.seconds(data)
    first: tuple[MarginalCost, ...] | None = None
    if expected <= question.AT_ONCE:
        first = _costs(data, whole, **asked)
        if all(cost.finished for cost in first):
            return first
        expected = searches * (_LONGER.work or 0.0) / A_SECOND
    name = f"verdict-prices-{data.key}-{cache.digest(*asked.values())}"

    stage = ("What each criterion costs", _costs_longer.work(data, whole, **asked))
    return long_work.best_so_far(name, [stage], expected) or first


@cache.waited_for("Searching for what each criterion costs", away_from=0)
def _costs(data: Dataset, whole: Dataset, *, progress: Progress = nobody, **asked: Any) -> tuple[MarginalCost, ...]:
    return question.adviser(data, whole, **asked).marginal_costs(_AT_ONCE, progress)


@cache.remembered
def _costs_longer(data: Dataset, whole: Dataset, *, progress: Progress, **asked: Any) -> tuple[MarginalCost, ...]:
    return question.adviser(data, whole, **asked).marginal_costs(_LONGER, progress)

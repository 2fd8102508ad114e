"""The tabs under the Forecast page's picture."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.forecast import PolicyTable, RiskForecast
from anonlib.basics import words
from anonlib.plots import forecast as plots
from anonlib.release.export import table_csv
from pages.collect.forecast import results
from pages.collect.forecast.question import AskedForecast
from pages.collect.forecast.results import ReleasePlan
from ui.kit import glossary, page, population
from ui.kit.release_gate import Holds
from ui.session import keep, view
from ui.text import printable


def show_table(asked: AskedForecast, plan: ReleasePlan | None) -> None:
    """The rule for the periods to come: which policy at which number of new people."""
    table = results.table(asked, plan)
    if table is None:
        return
    frame = pd.DataFrame(
        [
            {
                "People of a release": f"{row.first:,} to {row.last:,}",
                **{
                    printable(name): "no release" if row.policy is None else text
                    for name, text in table.lattice.describe(row.policy or table.lattice.highest).items()
                },
                "Detail lost": None if row.policy is None else row.loss,
                f"Draws of {table.draws:,} that keep it": None if row.policy is None else row.kept,
                "Fewest at": None if row.policy is None else row.hardest,
            }
            for row in table.ranges
        ]
    )
    alt = "The finest policy that keeps the promise, by number of people"
    page.table(
        frame, alt, percent=["Detail lost"],
        help={
            "Fewest at": glossary.linked(
                "The number of people in the range for which the promise is kept in fewest draws.", "promise"
            )
        },
    )  # fmt: skip
    so_far = "" if table.finished else " The search was stopped: finer policies may keep it too."
    page.counts(
        "The finest policy that keeps the promise in enough of the draws for every number of people in the range "
        f"(Brown et al. 2022 look at the least number of each). “no release”: no policy does.{so_far}"
    )
    page.download(
        "Table (CSV)", partial(_csv, table), "policies-by-number.csv", "forecast-csv", holds=Holds.FIGURES,
        help="One row a range: its numbers, the level of each column, the detail lost, and draws that keep the "
        "promise.",
    )  # fmt: skip


def _csv(table: PolicyTable) -> bytes:
    return table_csv(table.to_frame())


def show_draws(asked: AskedForecast, plan: ReleasePlan | None) -> None:
    """How the share below k differs from draw to draw."""
    offered: dict[str, RiskForecast] = {}
    if plan is not None and plan.fresh is not None:
        offered["The finest policy"] = plan.fresh
    offered[results.name_of(view.now().recipe)] = results.present(asked)
    names = list(offered)
    name = keep.segments(keep.per("forecast-of", *names), "Draws of", names, label_visibility="collapsed")
    drawn, promise = offered[name], asked.question.promise
    kept = drawn.kept(promise)
    page.figure(
        partial(plots.shares, drawn, promise),
        f"Bars of how many draws have which share below {promise.k}: {kept:,} of {drawn.draws:,} have at most "
        f"{words.percent(promise.most)}; the mean is {words.percent(drawn.expected)}.",
        "forecast-shares",
    )  # fmt: skip
    page.counts(
        f"{name}: draws by the share of their people in classes of fewer than {promise.k}. Red: more than promised. "
        f"{kept:,} of {drawn.draws:,} keep it."
    )
    page.download(
        "Draws (CSV)", partial(_draws_csv, drawn), "draws.csv", "forecast-draws-csv", holds=Holds.FIGURES,
        help=f"One row a draw, of seed {drawn.seed}: its people, those below k, and both risks.",
    )  # fmt: skip


def _draws_csv(drawn: RiskForecast) -> bytes:
    return table_csv(drawn.to_frame())


def show_people(asked: AskedForecast | None) -> None:
    """The population table, and past periods."""
    left, right = st.columns([1, 1.4], gap="large")
    with left:
        population.show()
    with right:
        if asked is None or asked.question.dates is None:
            st.markdown("Past periods are shown here where a column of dates is chosen (More).")
            return
        question = asked.question
        assert question.dates is not None
        periods = results.past(asked.data, dates=question.dates, period=question.period, place=question.place)
        if periods is None:
            st.markdown("No date of this column can be read.")
            return
        frame = pd.DataFrame({"from": periods.first_days.astype(str), "new people": periods.people.numbers})
        page.table(frame, "New people of each past period", height=page.table_height(len(frame), 380))
        page.counts(
            f"Each {question.period} by {page.listed([question.dates])}, without the first and the last, which may "
            "lack days. Weeks begin on Mondays; a person of several rows comes once, at the first."
        )

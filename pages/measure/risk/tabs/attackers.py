"""The Risk page's tabs of attackers: what each achieves, what each column adds, and how many visits are known."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.individuals.rows_known import MOST_CHOICES, ByRows, by_rows
from anonlib.analyses.risk import AttackerRisk
from anonlib.basics import figures, words
from anonlib.counting.privacy_models import ALL, ONE, CodedPersons, in_short
from anonlib.dataset import Dataset
from anonlib.plots import history as plots_of_rows
from anonlib.plots import risk as plots
from anonlib.release.comparison import Comparison
from anonlib.release.export import table_csv
from pages.measure.risk.summary import contributions
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import cache, view
from ui.text import plain, printable

KNOWS = {
    "prosecutor": "knows that the target is in this file",
    "journalist": "knows only that the target is in the population",
    "marketer": "wants as many people as possible, no matter who they are",
}


def show(comparison: Comparison, unit: str) -> None:
    for column, name in zip(st.columns(3), KNOWS, strict=True):
        before, after = getattr(comparison.before, name), getattr(comparison.after, name)
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"**{name.capitalize()}** {KNOWS[name]}")
            if after is None or before is None:
                st.markdown(
                    "Needs a population table that has some of the quasi-identifiers: load one under **More** above."
                )
            else:
                _show_one(name, before, after, unit)
    page.counts(
        "At risk: above the threshold. Highest is what counts for a public release, average for a controlled one "
        "(ISO/IEC 27559, 7.3.2). Prosecutor, journalist and marketer as in El Emam 2013."
    )


def _show_one(name: str, before: AttackerRisk, after: AttackerRisk, unit: str) -> None:
    average = words.change(words.percent(before.average), words.percent(after.average))
    if name == "marketer":
        expected = [round(risk.average * risk.n_records) for risk in (before, after)]
        number, meaning = words.change(f"{expected[0]:,}", f"{expected[1]:,}"), f"{unit} expected to be re-identified"
        line = f"average **{average}** of all"
    else:
        number, meaning = words.change(f"{before.at_risk:,}", f"{after.at_risk:,}"), f"{unit} at risk"
        highest = words.change(words.percent(before.highest), words.percent(after.highest))
        line = f"highest **{highest}**, average **{average}**"
    st.subheader(f":{'red' if after.at_risk else 'primary'}[{plain(number)}]", anchor=False)
    st.markdown(f"{meaning}  \n{line}")
    if after.in_population:
        st.caption(f"By what the population table has: {page.listed(after.attributes)}.")
    elif name == "marketer":
        st.caption("Matched with the file alone: a population table makes it the people that look alike there.")
    if after.unmatched and name == "journalist":
        st.caption(
            f"{words.count(after.unmatched, unit)} have nobody like them in the population table: they count at the "
            "size of their class in the file."
        )


# ---- visits known ----


TAB = "Visits known"


def show_rows_known(data: Dataset) -> None:
    """The tab, for the original or a release in which persons have several rows."""
    k = view.now().k
    counts = _found(data, k=k)
    if not counts:
        st.markdown("Every person who is counted has one row: what is known of visits makes no difference.")
        return
    st.markdown(_in_words(counts, k))
    drawn, listing = st.columns([1.2, 1], gap="large")
    with drawn:
        page.figure(partial(plots_of_rows.bars, counts, k), _in_words(counts, k).replace("**", ""), "risk-rows-known")
    shown = pd.DataFrame(
        {
            "Known": [in_short(count.rows) for count in counts],
            f"Below k = {k}": pd.array([count.below_k for count in counts], dtype="Int64"),
            "Share": [None if count.below_k is None else count.below_k / count.n_persons for count in counts],
            "Alone": pd.array([count.alone for count in counts], dtype="Int64"),
            "Fewest": pd.array([count.smallest for count in counts], dtype="Int64"),
        }
    )
    with listing:
        page.table(
            shown, "Persons below k and alone, by how many of their visits are known", percent=["Share"],
            help={
                "Known": glossary.linked(
                    "Of these visits, which are rows, all quasi-identifiers; of a person who has fewer, all of "
                    "theirs.",
                    "quasi-identifier",
                ),
                "Fewest": "How few share the rarest thing that can be known so.",
            },
        )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="center"):
            page.download(
                "Table as CSV", partial(table_csv, shown), "rows-known.csv", "download-rows-known", holds=Holds.FIGURES
            )
            st.page_link(page.INDIVIDUALS, label="The history of one person", icon=":material/timeline:")
    page.counts(
        "By the visits that reveal most of each person. One visit: seen once. Two, three: so many rows, each another "
        "row of those who share them. All visits: just these, with their number. The values of each column are what "
        f"the rest of this page counts. “Not counted”: more than {MOST_CHOICES:,} ways to choose them.{_unlinked(data)}"
    )


@cache.waited_for("Counting who shares which visits")
def _found(data: Dataset, *, k: int) -> tuple[ByRows, ...]:
    coded = data.coded(data.quasi_identifiers)
    return by_rows(coded, data.quasi_identifiers, k) if isinstance(coded, CodedPersons) else ()


def _in_words(counts: tuple[ByRows, ...], k: int) -> str:
    by = {count.rows: count for count in counts}
    one, everything = by[ONE], by[ALL]
    n = one.n_persons
    seen, by_all = (words.share(count.below_k or 0, n, "persons") for count in (one, everything))
    return (
        f"Seen once, **{seen}** are below k = {k}: fewer than {k} have a visit like their rarest. To somebody who "
        f"knows all visits and their number, **{by_all}** are."
    )


def _unlinked(data: Dataset) -> str:
    if data.is_linked:
        return ""
    return " No person id leaves, so two visits or more are known only to somebody who can link them all the same."


# ---- quasi-identifiers ----


def show_quasi_identifiers(data: Dataset) -> None:
    k, table = view.now().k, contributions(data)
    whole = view.classes(data).anonymity_vector
    picture, listing = st.columns([1, 1], gap="large")
    with picture:
        top = printable(table["attribute"].iloc[0])
        page.figure(
            partial(plots.contributions, table, whole.people_below(k), k, unit=data.unit),
            f"Bars of the {data.unit} each quasi-identifier adds below k = {k}; the largest is {top}.",
            "risk-contributions",
        )
    with listing:
        shown = pd.DataFrame(
            {
                "Quasi-identifier": [printable(name) for name in table["attribute"]],
                figures.VALUES.name: [data.held.profile(name).distinct for name in table["attribute"]],
                "Below k without": table["below_k_without"],
                "At risk without": table["at_risk_without"],
                "Unique without": table["unique_without"],
                "k without": table["k_without"],
            }
        )
        page.table(shown, "What each quasi-identifier adds to the risk, as a table")
        page.download(
            "Table as CSV",
            partial(table_csv, shown),
            "quasi-identifiers.csv",
            "download-contributions",
            holds=Holds.FIGURES,
        )
    page.counts(
        f"With all quasi-identifiers {words.share(whole.people_below(k), whole.n_records, data.unit)} "
        f"are in classes below {k}; “without” counts again for an attacker who does not know that column."
    )

"""The Risk page's tab "Visits known": how many are below k by one visit, two, three, or all."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.individuals.rows_known import MOST_CHOICES, ByRows, by_rows
from anonlib.basics import words
from anonlib.counting.privacy_models import ALL, ONE, CodedPersons, in_short
from anonlib.dataset import Dataset
from anonlib.plots import history as plots
from anonlib.release.export import table_csv
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import cache, view

TAB = "Visits known"


def show(data: Dataset) -> None:
    """The tab, for the original or a release in which persons have several rows."""
    k = view.now().k
    found = _found(data, k=k)
    if not found:
        st.markdown("Every person who is counted has one row: what is known of visits makes no difference.")
        return
    st.markdown(_in_words(found, k))
    drawn, listing = st.columns([1.2, 1], gap="large")
    with drawn:
        page.figure(partial(plots.bars, found, k), _in_words(found, k).replace("**", ""), "risk-rows-known")
    shown = pd.DataFrame(
        {
            "Known": [in_short(each.rows) for each in found],
            f"Below k = {k}": pd.array([each.below_k for each in found], dtype="Int64"),
            "Share": [None if each.below_k is None else each.below_k / each.n_persons for each in found],
            "Alone": pd.array([each.alone for each in found], dtype="Int64"),
            "Fewest": pd.array([each.smallest for each in found], dtype="Int64"),
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


@cache.remembered(doing="Counting who shares which visits")
def _found(data: Dataset, *, k: int) -> tuple[ByRows, ...]:
    coded = data.coded(data.quasi_identifiers)
    return by_rows(coded, data.quasi_identifiers, k) if isinstance(coded, CodedPersons) else ()


def _in_words(found: tuple[ByRows, ...], k: int) -> str:
    by = {each.rows: each for each in found}
    one, everything = by[ONE], by[ALL]
    n = one.n_persons
    seen, by_all = (words.share(each.below_k or 0, n, "persons") for each in (one, everything))
    return (
        f"Seen once, **{seen}** are below k = {k}: fewer than {k} have a visit like their rarest. To somebody who "
        f"knows all visits and their number, **{by_all}** are."
    )


def _unlinked(data: Dataset) -> str:
    if data.is_linked:
        return ""
    return " No person id leaves, so two visits or more are known only to somebody who can link them all the same."

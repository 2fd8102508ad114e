"""The Risk page's tab "Quasi-identifiers": what each adds to the risk."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.basics import figures, words
from anonlib.dataset import Dataset
from anonlib.plots import risk as plots
from anonlib.release.export import table_csv
from pages.measure.risk.results import contributions
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.session import view
from ui.text import printable


def show(data: Dataset) -> None:
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

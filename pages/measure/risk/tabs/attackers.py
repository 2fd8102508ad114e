"""The Risk page's tab "Attackers": the same figures for who knows more or less about the target."""

from __future__ import annotations

import streamlit as st

from anonlib.analyses.risk import AttackerRisk
from anonlib.basics import words
from anonlib.release.comparison import Comparison
from ui.kit import page
from ui.text import plain

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

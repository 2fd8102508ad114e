"""The Attack page's fold "Columns at fault": by which columns people are alone, and what would help."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from anonlib.release.uniqueness_of_release import Alone
from anonlib.verdict.criteria import BY_KEY, AloneByWhatLeaves
from ui.kit import alone, page
from ui.session import guard
from ui.session.state import session
from ui.text import named


def show(counted: Alone, unit: str) -> None:
    """By which columns people are alone, and what would help."""
    st.markdown(alone.in_words(counted, unit, alone.is_limited()))
    if counted.worst:
        page.table(
            pd.DataFrame(
                [(named(names), few, below) for names, few, below in counted.worst],
                columns=["Columns", "Alone", f"Below {counted.k}"],
            ),
            "The sets of columns by which most are among few like them",
        )
    if not alone.is_limited():
        st.button(
            "Set a limit on it in the verdict", key="attack-limit-alone", icon=":material/gavel:",
            on_click=guard.action(_ask_limit),
            help="The verdict then asks for it, and its proposals make sensitive columns coarser for it.",
        )  # fmt: skip
    if not all(asked.allows(counted.share_alone, counted.share_below) for asked in _asked()):
        st.page_link(page.VERDICT, label="Take a change that meets it", icon=":material/gavel:")


def _asked() -> tuple[AloneByWhatLeaves, ...]:
    """The limits that the verdict sets; of a public release where it sets none."""
    for criteria in (session().aim.criteria, BY_KEY["public"].criteria):
        if found := tuple(each for each in criteria if isinstance(each, AloneByWhatLeaves)):
            return found
    return ()


def _ask_limit() -> None:
    asked = next(each for each in BY_KEY["public"].criteria if isinstance(each, AloneByWhatLeaves))
    aim = session().aim
    session().aim = replace(aim, criteria=(*aim.criteria, asked))
    session().notice = "The verdict asks for few who are unique on released columns. Choose a change that meets it."

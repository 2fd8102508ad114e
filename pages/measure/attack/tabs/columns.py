"""The Attack page's fold "Columns at fault": by which columns people are alone, and what would help."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from anonlib.release.uniqueness_of_release import Alone
from anonlib.verdict.criteria import BY_KEY, UniquenessLimit
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
    if not all(limit.allows(counted.share_alone, counted.share_below) for limit in _limits()):
        st.page_link(page.VERDICT, label="Take a change that meets it", icon=":material/gavel:")


def _limits() -> tuple[UniquenessLimit, ...]:
    """The limits that the verdict sets; of a public release where it sets none."""
    for criteria in (session().aim.criteria, BY_KEY["public"].criteria):
        if limits := tuple(each.uniqueness for each in criteria if each.uniqueness is not None):
            return limits
    return ()


def _ask_limit() -> None:
    asked = next(each for each in BY_KEY["public"].criteria if each.uniqueness is not None)
    session().aim = session().aim.with_criterion(asked)
    session().notice = "The verdict asks for few who are unique on released columns. Choose a change that meets it."

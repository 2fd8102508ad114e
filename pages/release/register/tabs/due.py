"""What is due, and what is over."""

from __future__ import annotations

from datetime import date

import pandas as pd
import streamlit as st

from anonlib.filing.register import WHAT_IS_DUE, Register
from ui.kit import page
from ui.session import keep
from ui.text import printable

_MOST_DAYS = 400
_MOST_HIGH = 420  # pixels


def show(register: Register) -> None:
    """What waits longest first."""
    about = "How far ahead is looked; what is over is always shown."
    days = keep.slider("register-days", "Days to come", 0, _MOST_DAYS, 90, help=about)
    due = register.due(date.today(), days)
    if not due:
        st.success(f"Nothing is over, and nothing is due in {days} days.", icon=":material/check:")
        return
    frame = pd.DataFrame(
        [
            {
                "By": deadline.day.isoformat(),
                "State": "over" if deadline.is_over else "due",
                "What": WHAT_IS_DUE[deadline.what],
                "Release": printable(deadline.entry.in_a_line),
            }
            for deadline in due
        ]
    )
    page.table(frame, "What is due by day, what waits longest first.", height=page.table_height(len(frame), _MOST_HIGH))
    page.counts(
        "Data are due back on the day that the case names; a release is to be assessed again a year after it left, or "
        "on the day that you set."
    )

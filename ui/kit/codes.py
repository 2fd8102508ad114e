"""Code systems on pages: which one a column's codes are of, and which values are none of its codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.columns.codes import SYSTEMS, CodeSystem, fit
from anonlib.values.cells import Values
from ui.kit import page
from ui.session import keep
from ui.text import printable


def ask_system(name: str, offered: Sequence[str], begin: str, *, place: Any = st, **options: Any) -> CodeSystem:
    """The control for the code system of a column; ``offered`` and ``begin`` are keys."""
    key = keep.select(
        name, "Codes of", offered, begin, place=place, format_func=lambda key: SYSTEMS[key].label,
        help="The systems that at least half of the values are codes of.", **options,
    )  # fmt: skip
    return SYSTEMS[key]


def show_strangers(system: CodeSystem, values: Values, records: np.ndarray) -> None:
    """How many values are no codes of the system and stay as they are, and which."""
    found = fit(system, values, records)
    st.caption(found.sentence())
    if found.strangers:
        with st.expander("Which these are"):
            shown = pd.DataFrame({"Value": list(map(printable, found.strangers)), "Records": found.records})
            page.table(
                shown.head(1_000), f"Values that are no {system.label}", height=page.table_height(len(shown), 220)
            )

"""The Generalize page's picture: the level that each column is released at."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.analyses.generalization import Generalization
from anonlib.plots import generalization as plots
from pages.protect.generalize.question import Question
from ui.kit import page
from ui.text import printable


def show(found: Generalization, question: Question, unit: str) -> None:
    """The picture, what it counts, and the weights."""
    frame = found.level_frame()
    levels = [
        f"{printable(name)} {level:.3g} of {n - 1}"
        for name, level, n in zip(frame["attribute"], frame["level"], frame["levels"], strict=True)
    ]
    page.figure(
        partial(plots.levels, found, unit=unit),
        "The level that each column is released at: " + ", ".join(levels),
        "generalize-levels",
    )
    page.counts(
        f"What the commonest value of each column becomes at each level of its hierarchy; the stronger the colour, the "
        f"more {unit} are released there. Change the levels under **Hierarchies**."
    )
    if question.weights:
        names = [f"{page.listed([name])} {weight:g}" for name, weight in question.weights]
        others = "" if len(names) == len(question.hierarchies) else "; the others 1"
        st.caption(f"Weights: {', '.join(names)}{others}.")

"""The Generalize page's numbers, and its picture: the level that each column is released at."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.analyses.generalization import Generalization
from anonlib.basics import words
from anonlib.plots import generalization as plots
from pages.protect.generalize import results
from pages.protect.generalize.comparison import weighted
from pages.protect.generalize.question import Question
from ui import page
from ui.text import printable


def show_metrics(found: Generalization, unit: str) -> None:
    """The figures that matter, original → result."""
    problem = found.problem
    original, utility = results.unchanged(problem), found.utility
    k = [" / ".join(f"{value:,}" for value in version.k) for version in (original, found)]
    wanted = " / ".join(f"{asked.least:,}" for asked in found.shared)
    page.metrics(
        (
            "k, the smallest class of the answer" if len(found.k) == 1 else "k of each requirement",
            words.change(*k),
            f"The fewest {unit} that share the columns of a requirement. Asked for: {wanted}.",
        ),
        (
            weighted("Cell loss", problem),
            words.percent(utility.cell_loss),
            "How much of the columns’ detail is lost: values in the group against all values, averaged over the cells"
            + (", each as often as its column’s weight says" if problem.is_weighted else "")
            + ". 100% says nothing any more.",
        ),
        (
            "Classes",
            words.change(f"{original.utility.classes:,}", f"{utility.classes:,}"),
            "Distinct combinations of the columns in requirements.",
        ),
        (
            f"{unit.capitalize()} left out",
            f"{found.suppressed:,}",
            f"{words.share(found.suppressed, found.n_records, unit)}; {problem.most_suppressed:,} may be.",
        ),
    )


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

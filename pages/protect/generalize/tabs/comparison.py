"""The Generalize page's tab of the original beside the result: what is kept, and what each column gives away."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.generalization import Generalization, WholeClasses
from anonlib.analyses.leakage import LeakageComparison, compare_leakage, information_loss
from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.plots import leakage as leakage_plots
from anonlib.release.export import table_csv
from pages.protect.generalize import results
from pages.protect.generalize.question import METHODS, GeneralizeQuestion
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import cache
from ui.text import printable

SHOWN_COLUMNS = 12


def show(data: Dataset, question: GeneralizeQuestion, generalization: Generalization) -> None:
    """The result beside the original: what is kept, and what each column gives away before and after."""
    original = results.unchanged_of(data, question)
    shown = pd.DataFrame(
        [measures("Original", original), measures(f"{METHODS[generalization.method]}", generalization)]  # type: ignore[index]
    )
    page.table(shown, "What the original and the result keep, and what violates", help=MEANINGS, percent=shares(shown))
    leakage = _leakage(data, question, generalization)
    drawn, listing = st.columns([1.5, 1], gap="large")
    with drawn:
        st.subheader("What each column gives away", anchor=False)
        most = int(np.argmax(leakage.normalized_before)) if len(leakage.sets) else 0
        page.figure(
            partial(leakage_plots.before_after, leakage, range(min(SHOWN_COLUMNS, len(leakage.sets)))),
            "Bars of the average information loss of each column before and after: "
            f"{printable(leakage.sets[most][0])} {words.percent(float(leakage.normalized_before[most]))} before, "
            f"{words.percent(float(leakage.normalized_after[most]))} after.",
            "generalize-leakage",
        )
        page.counts(
            "Average share of the information that names a record, given away by each column; marks: the worst record. "
            "“Utility gone”: the column says nothing any more. Longpré et al., as in Arca and Hewett 2021, Table 8."
        )
    with listing:
        st.subheader("Each column", anchor=False)
        frame = generalization.level_frame().rename(columns={"attribute": "column"})
        columns = pd.DataFrame(
            {
                "Column": [printable(name) for name in frame["column"]],
                "Level": [f"{level:.3g} of {n - 1}" for level, n in zip(frame["level"], frame["levels"], strict=True)],
                "Values": [
                    words.change(f"{a:,}", f"{b:,}")
                    for a, b in zip(frame["values_before"], frame["values_after"], strict=True)
                ],
                "Cell loss": frame["loss"],
            }
        )
        page.table(columns, "The level, the distinct values and the cell loss of each column", percent=["Cell loss"])
        page.download(
            "Table as CSV",
            partial(table_csv, frame),
            "generalization-columns.csv",
            "generalize-columns",
            holds=Holds.FIGURES,
        )


_LOSSES = {
    "Cell loss": "Values in the class against all values of the column, averaged over the cells; NCP.",
    "Entropy loss": "Non-uniform entropy lost, against everybody in one class.",
}
MEANINGS = {
    "Distinct rows": glossary.linked("Distinct rows over all columns that make a row.", "row"),
    "Classes": glossary.linked("Distinct combinations of the columns in criteria.", "class"),
    **{name: glossary.linked(meaning, "class") for name, meaning in _LOSSES.items()},
    **{
        f"{name}, weighted": glossary.linked(f"{meaning} Each cell counts as its column’s weight says.", "class")
        for name, meaning in _LOSSES.items()
    },
    "Discernibility": glossary.linked(
        "Sum of squared class sizes, plus all records for each one left out. Less is better.", "class", "left out"
    ),
    "Classes that violate": glossary.linked(
        "Classes with too few records for a criterion, before any are left out.", "class", "criterion"
    ),
}


def weighted(measure: str, problem: WholeClasses) -> str:
    """The name of a loss, which says so where columns count unequally."""
    return f"{measure}, weighted" if problem.is_weighted else measure


def measures(name: str, generalization: Generalization) -> dict[str, object]:
    """What a version keeps, in numbers; shares in [0, 1]."""
    utility = generalization.utility
    several = len(generalization.k) > 1
    return {
        "Version": name,
        **{f"k of criterion {i}" if several else "k": k for i, k in enumerate(generalization.k, 1)},
        "Distinct rows": utility.rows,
        "Classes": utility.classes,
        weighted("Cell loss", generalization.problem): utility.cell_loss,
        weighted("Entropy loss", generalization.problem): utility.entropy_loss,
        "Discernibility": utility.discernibility,
        "Left out": generalization.left_out,
        "Classes that violate": generalization.violations.groups,
        "Their distinct rows": generalization.violations.rows,
        "Their records": generalization.violations.records,
    }


def _leakage(data: Dataset, question: GeneralizeQuestion, generalization: Generalization) -> LeakageComparison:
    return _leakage_of(data, question, _GeneralizationKey(generalization))


class _GeneralizationKey:
    """A result as an input that names its content by its levels and what is left out."""

    def __init__(self, generalization: Generalization) -> None:
        self.generalization = generalization

    @property
    def key(self) -> str:
        result = self.generalization
        levels = str(result.levels) if result.levels is not None else f"parts {result.tables}"
        return f"{result.method} {levels} {result.left_out}"


@cache.remembered
def _leakage_of(data: Dataset, question: GeneralizeQuestion, keyed: _GeneralizationKey) -> LeakageComparison:
    before = information_loss(keyed.generalization.problem.classes)
    return compare_leakage(before, information_loss(keyed.generalization.classes))


def shares(table: pd.DataFrame) -> list[str]:
    """The columns of measures that are shares."""
    return [name for name in table.columns if name.startswith(("Cell loss", "Entropy loss"))]

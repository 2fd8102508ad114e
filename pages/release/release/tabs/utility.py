"""What the release is still good for: what it keeps, and how columns go together."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.utility import Utility, measure
from anonlib.basics.figures import OF_USE
from anonlib.dataset import Dataset
from anonlib.plots import utility as plots
from anonlib.release.applied import Applied
from anonlib.release.covering import bits_of_columns
from anonlib.release.export import table_csv
from anonlib.release.recipe import Recipe
from pages.release.release.summary import why_empty
from pages.release.release.tabs.task import show_task
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import cache, long_work, view
from ui.text import plain, printable

WORST = 10  # pairs in the table
BESIDE = 3  # figures in a row


def show_utility(data: Dataset, applied: Applied) -> None:
    """The tab: figures with their sentences, columns, pairs of columns, and a task."""
    if not applied.released.n_records:
        st.caption(f"Nothing is known of what is kept. {why_empty(applied)}")
        return
    found = _measured(data, view.now().recipe, k=view.now().aim.k)
    show_figures(found, data.unit)
    left, right = page.beside(1, 1)
    with left:
        _show_columns(found)
        _show_worst(found)
    with right:
        _show_pairs(found)
    show_task(data, applied)


@cache.remembered
def _measured(data: Dataset, recipe: Recipe, *, k: int) -> Utility:
    applied = view.apply(recipe, data)
    bits = bits_of_columns(applied, recipe)
    return measure(applied.original, applied.released, k=k, bits=bits, progress=long_work.let_go)


def show_figures(found: Utility, unit: str) -> None:
    """Each number with what it means for those who analyse the release."""
    for first in range(0, len(found.figures), BESIDE):
        for place, figure in zip(page.beside(*[1] * BESIDE), found.figures[first : first + BESIDE], strict=False):
            with place:
                st.metric(
                    figure.label,
                    figure.value,
                    help=glossary.linked(OF_USE[figure.key].meaning(unit), *filter(None, [OF_USE[figure.key].word])),
                )
                st.caption(plain(figure.sentence))


def _show_columns(found: Utility) -> None:
    st.subheader("Column by column", anchor=False)
    draw = partial(plots.columns, found)
    page.figure(
        draw, "Bars of the entropy each column keeps, from 0 to 100%, and of how far the shares of its labels "
        "moved.",
        "release-information",
    )  # fmt: skip
    page.counts(
        "Entropy kept: entropy of the column in the release / in the original. Distance: the share of records that "
        "would need another label for the labels to be spread as in the original; coarser labels alone move nothing. "
        "A cell left blank or * counts as left out where others of its value are not."
    )
    table = found.to_frame()
    table["column"] = [printable(name) for name in table["column"]]
    page.download(
        "Columns as CSV", partial(table_csv, table), "utility-columns.csv", "download-losses", holds=Holds.FIGURES
    )


def _show_pairs(found: Utility) -> None:
    st.subheader("How columns go together", anchor=False)
    if not found.association.pairs():
        st.caption("Fewer than two columns are released, so no two go together.")
        return
    page.figure(
        partial(plots.association_change, found.association),
        "A square of cells, one a pair of columns: blue where they go together less than in the original, orange where "
        "more.",
        "release-association",
    )  # fmt: skip
    page.counts(
        "Cramér’s V with Bergsma’s correction; Spearman’s rank correlation where both columns are numbers, intervals "
        "or dates. 0 is no association, 1 the closest."
    )


def _show_worst(found: Utility) -> None:
    frame = found.association.to_frame()
    if frame.empty:
        return
    st.subheader("Pairs that changed most", anchor=False)
    for name in ("column", "with"):
        frame[name] = [printable(each) for each in frame[name]]
    page.table(_worst(frame), "The pairs of columns whose association changed most")
    page.download(
        "All pairs as CSV", partial(table_csv, frame), "utility-pairs.csv", "download-pairs", holds=Holds.FIGURES
    )


def _worst(frame: pd.DataFrame) -> pd.DataFrame:
    shown = frame.head(WORST).rename(columns=str.capitalize)
    return shown.round({"Before": 3, "After": 3, "Difference": 3})

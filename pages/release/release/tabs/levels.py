"""The tab of what became of each column: at which levels its cells leave, and a made-up record before and after."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.utility.levels import to_frame
from anonlib.dataset import Dataset
from anonlib.release.analysing import advice
from anonlib.release.codebook import may_be_blank
from anonlib.release.export import table_csv
from anonlib.release.levels import steps_on
from anonlib.release.recipe import Applied, Recipe
from anonlib.release.typical import LEAST, TypicalRecord, typical_record
from pages.release.release.summary import why_empty
from ui.kit import levels as shown_levels
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.session import cache, keep, view
from ui.text import plain, printable

_EMPTY = "(empty)"


def show_levels(data: Dataset, applied: Applied) -> None:
    """The picture with its table beside it, what analysts have to mind, and a made-up record on request."""
    if not applied.released.n_records:
        st.caption(f"No cell leaves. {why_empty(applied)}")
        return
    recipe = view.now().recipe
    levels = shown_levels.of(data, recipe)
    left, right = page.beside(3, 2)
    with left:
        shown_levels.show(levels, "release-levels")
        page.counts(
            "The cells that leave, by the level of their label. The lighter, the coarser. Hatched: blank. Grey: "
            "missing already, which no file that leaves tells from blank."
        )
    with right:
        table = to_frame(levels)
        table["column"] = [printable(name) for name in table["column"]]
        page.table(table.rename(columns=str.capitalize), "The share of each column’s cells by level", percent=["Share"])
        page.download("Levels as CSV", partial(table_csv, table), "levels.csv", "download-levels", holds=Holds.FIGURES)
    for found in levels:
        if text := advice(found, may_be_blank(found.column, steps_on(found.column, applied, recipe))):
            st.markdown(f"**{plain(found.column, 40)}**: {plain(text)}")
    if keep.toggle(
        "release-typical", "Show a record before and after", False,
        help="A made-up one of common values, never a person’s.",
    ):  # fmt: skip
        show_typical(cache.remember(_typical, data, recipe, least=max(LEAST, view.now().aim.k)), data.unit)


def _typical(data: Dataset, recipe: Recipe, *, least: int) -> TypicalRecord | None:
    return typical_record(view.apply(recipe, data), least)


def show_typical(found: TypicalRecord | None, unit: str) -> None:
    """A made-up record as a table of its columns, before and after."""
    if found is None:
        st.caption("No values are common enough for a record to be made up of them here.")
        return
    rows = [
        (printable(cell.column), *(_EMPTY if text is None else printable(text) for text in (cell.before, cell.after)))
        for cell in found.cells
    ]
    table = pd.DataFrame(rows, columns=["Column", "Before", "After"])
    page.table(table, "A made-up record before and after")
    whole = "nobody has all of them" if found.is_nobodys else f"at least {found.least} have all of them"
    page.counts(f"Made up: at least {found.least} {unit} have each value with that label, and {whole}.")

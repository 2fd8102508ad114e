"""The tab of what became of each column: at which levels its cells leave, and a made-up record before and after."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from anonlib.analyses.utility.levels import ColumnLevels, to_frame
from anonlib.dataset import Dataset
from anonlib.release.analysing import advice_on
from anonlib.release.applied import Applied
from anonlib.release.codebook import may_be_blank
from anonlib.release.export import table_csv
from anonlib.release.levels import steps_on
from anonlib.release.recipe import Recipe
from pages.release.release.summary import why_empty
from ui.kit import levels as shown_levels
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.session import view
from ui.text import plain, printable


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
    _show_advice(levels, applied, recipe)
    shown_levels.ask_for_typical(data, recipe, "release-typical")


def _show_advice(levels: Sequence[ColumnLevels], applied: Applied, recipe: Recipe) -> None:
    """What those mind who analyse the release."""
    own, notes = advice_on(
        levels, [may_be_blank(found.column, steps_on(found.column, applied, recipe)) for found in levels]
    )
    if own or notes:
        st.markdown("**For those who analyse the release**")
        st.markdown("\n".join(f"- {plain(text)}" for text in (*notes, *own)))

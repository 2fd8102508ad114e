"""What becomes of each column: the levels at which its cells leave, and a made-up record before and after."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.utility.levels import ColumnLevels, in_words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.plots import levels as plots
from anonlib.release.detail import DetailLost, detail_lost
from anonlib.release.levels import levels_of
from anonlib.release.recipe import Recipe
from anonlib.release.typical import LEAST, TypicalRecord, typical_record
from ui.kit import page
from ui.session import cache, keep, view
from ui.text import printable

_EMPTY = "(empty)"


def of(data: Dataset, recipe: Recipe) -> tuple[ColumnLevels, ...]:
    """The levels of what a recipe makes of the data; counted once."""
    return _levels(data, recipe)


def lost(data: Dataset, recipe: Recipe) -> DetailLost | None:
    """The detail that what a recipe makes of the data has lost, counted once; None where that cannot be counted."""
    return _lost(data, recipe)


def show(levels: tuple[ColumnLevels, ...], key: str) -> None:
    """The bars, a column each."""
    page.figure(partial(plots.columns, levels), in_words(levels), key)


@cache.remembered
def _levels(data: Dataset, recipe: Recipe) -> tuple[ColumnLevels, ...]:
    return levels_of(view.apply(recipe, data), recipe)


@cache.remembered
def _lost(data: Dataset, recipe: Recipe) -> DetailLost | None:
    try:
        levels = of(data, recipe)
    except InputError:  # no record leaves, or a database has too many values of a column
        levels = ()
    return detail_lost(view.apply(recipe, data), levels)


def ask_for_typical(data: Dataset, recipe: Recipe, key: str) -> None:
    """A made-up record before and after what a recipe does, on request."""
    if keep.toggle(
        key, "Show a record before and after", False, help="A made-up one of common values, never a person’s."
    ):
        least = max(LEAST, view.now().aim.k)
        _show_typical(_typical(data, recipe, least=least), data.unit)


@cache.remembered
def _typical(data: Dataset, recipe: Recipe, *, least: int) -> TypicalRecord | None:
    return typical_record(view.apply(recipe, data), least)


def _show_typical(record: TypicalRecord | None, unit: str) -> None:
    if record is None:
        st.caption("No values are common enough for a record to be made up of them here.")
        return
    rows = [
        (printable(cell.column), *(_EMPTY if text is None else printable(text) for text in (cell.before, cell.after)))
        for cell in record.cells
    ]
    table = pd.DataFrame(rows, columns=["Column", "Before", "After"])
    page.table(table, "A made-up record before and after")
    whole = "nobody has all of them" if record.is_nobodys else f"at least {record.least} have all of them"
    page.counts(f"Made up: at least {record.least} {unit} have each value with that label, and {whole}.")

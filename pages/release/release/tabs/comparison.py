"""The tab of original beside release."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.utility.levels import ColumnLevels, to_frame
from anonlib.basics import figures, words
from anonlib.dataset import Dataset
from anonlib.release.analysing import advice_on
from anonlib.release.applied import Applied
from anonlib.release.codebook import may_be_blank
from anonlib.release.comparison import Comparison
from anonlib.release.export import table_csv
from anonlib.release.levels import steps_on
from anonlib.release.recipe import Recipe
from pages.release.release.summary import why_empty
from ui.kit import levels as shown_levels
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.session import view
from ui.text import plain, printable

_SHARES = (": highest", ": average")


def show_comparison(comparison: Comparison, data: Dataset) -> None:
    unit = data.unit
    table = comparison_table(comparison, unit, data.has_several_rows)
    matched = ", matching them with the population table" if comparison.before.marketer.in_population else ""
    shares = [name for name in table.columns if name.endswith(_SHARES)]
    page.table(table, "Risk and rows of the original and of the release", percent=shares)
    page.counts(
        f"At risk: {unit} above the threshold of {words.percent(comparison.after.threshold)}. Expected: {unit} that "
        f"an attacker on everyone gets right{matched}. Highest counts for a public release, average for a controlled "
        "one (ISO/IEC 27559, 7.3.2)."
    )
    page.download(
        "Table as CSV", partial(table_csv, table), "comparison.csv", "download-comparison", holds=Holds.FIGURES
    )


def comparison_table(comparison: Comparison, unit: str, by_values: bool) -> pd.DataFrame:
    """One row a variant, the original first; one column a measure as a number, risks in [0, 1]."""
    variants = (
        ("Original", comparison.before, comparison.records_before),
        ("Release", comparison.after, comparison.records_after),
    )
    rows = []
    for name, risk, records in variants:
        row: dict[str, object] = {
            "": name,
            figures.ROWS.name: records,
            figures.K.named(unit, by_values=by_values): risk.k,
            figures.BELOW_K.named(unit, risk.k_wanted, by_values): risk.below_k,
            figures.ALONE.named(unit, by_values=by_values): risk.unique,
        }
        for attacker in risk.attackers:
            title = attacker.attacker.capitalize()
            if attacker.attacker == "marketer":  # every record's risk is the average
                row[f"{title}: expected"] = round(attacker.average * attacker.n_records)
            else:
                row[f"{title}: at risk"] = attacker.at_risk
                row[f"{title}: highest"] = attacker.highest
            row[f"{title}: average"] = attacker.average
        rows.append(row if records else {"": name, figures.ROWS.name: 0})  # nobody's risk is no low risk
    table = pd.DataFrame(rows)
    counts = [name for name in table.columns[1:] if not name.endswith(_SHARES)]
    return table.astype(dict.fromkeys(counts, "Int64"))  # whole numbers, also beside what is missing


# ---- what became of each column ----


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
        levels,
        [
            may_be_blank(column_levels.column, steps_on(column_levels.column, applied, recipe))
            for column_levels in levels
        ],
    )
    if own or notes:
        st.markdown("**For those who analyse the release**")
        st.markdown("\n".join(f"- {plain(text)}" for text in (*notes, *own)))

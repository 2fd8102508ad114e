"""What the recipe does to risk and data."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.plots import release as plots
from anonlib.plots import risk as risk_plots
from anonlib.release.comparison import Comparison
from anonlib.release.export import table_csv
from anonlib.release.generalized import suppresses
from anonlib.release.recipe import Applied
from ui import page, state
from ui.text import printable


def why_empty(applied: Applied) -> str:
    """Why a release has no record, and the way out."""
    effects = zip(state.session().recipe.entries, applied.effects, strict=True)
    if any(suppresses(entry.step) and effect is not None and effect.records_removed for entry, effect in effects):
        return "No record is left: move Suppress below the recodings, or recode more."
    if applied.left_out:
        return (
            "No record is left: each lacks a quasi-identifier, and such records are left out. Count what is missing as "
            "a value on the Data page, or drop the columns that lack most."
        )
    return "No record is left: change or remove the step that takes the last ones."


def show_empty(comparison: Comparison, applied: Applied) -> None:
    """The figures of a release without records, of which none is a risk that was lowered."""
    st.warning(why_empty(applied), icon=":material/warning:")
    page.metrics(("Records kept", words.percent(0.0), f"None of {words.count(comparison.records_before, 'records')}."))


def show_metrics(comparison: Comparison, data: Dataset) -> None:
    kept_by = [loss.information_kept for loss in comparison.columns if loss.column in data.quasi_identifiers]
    page.metrics(
        *page.risk_figures(comparison, data.unit),
        (
            "Records kept",
            words.percent(comparison.share_kept),
            f"{comparison.records_after:,} of {comparison.records_before:,} records.",
        ),
        (
            "Information kept",
            words.percent(sum(kept_by) / len(kept_by)),
            "Mean over the quasi-identifiers of entropy after / before: how much they still tell apart.",
        ),
    )


def show_distribution(comparison: Comparison, unit: str) -> None:
    before, after = comparison.before, comparison.after
    if after.n_records:
        chart = risk_plots.class_sizes(after.vector, after.k_wanted, before=before.vector, unit=unit, dark=page.dark())
        said = words.share(after.below_k, after.n_records, unit)
        page.figure(
            chart, f"{unit.capitalize()} by the size of their class, original as outline, release as bars; "
            f"{said} are below k.", "release-sizes",
        )  # fmt: skip
        page.counts(
            f"{unit.capitalize()} by how many share all their quasi-identifiers. Outline: the original. Red: below k."
        )


def show_comparison(comparison: Comparison, unit: str) -> None:
    table = comparison_table(comparison)
    page.table(table, "Risk and records of the original and of the release")
    page.counts(
        f"At risk: {unit} above the threshold of {words.percent(comparison.after.threshold)}. Expected: {unit} that "
        "an attacker on everyone gets right. Highest counts for a public release, average for a controlled one "
        "(ISO/IEC 27559, 7.3.2)."
    )
    page.download("Table as CSV", partial(table_csv, table), "comparison.csv", "download-comparison")


def comparison_table(comparison: Comparison) -> pd.DataFrame:
    """One row a variant, the original first; one column a measure."""
    variants = (
        ("Original", comparison.before, comparison.records_before),
        ("Release", comparison.after, comparison.records_after),
    )
    rows = []
    for name, risk, records in variants:
        row = {"": name, "Records": f"{records:,}", "k": f"{risk.k:,}", f"Below {risk.k_wanted}": f"{risk.below_k:,}"}
        row["Unique"] = f"{risk.unique:,}"
        for attacker in risk.attackers:
            title = attacker.attacker.capitalize()
            if attacker.attacker == "marketer":  # every record's risk is the average
                row[f"{title}: expected"] = f"{round(attacker.average * attacker.n_records):,}"
            else:
                row[f"{title}: at risk"] = f"{attacker.at_risk:,}"
                row[f"{title}: highest"] = words.percent(attacker.highest)
            row[f"{title}: average"] = words.percent(attacker.average)
        rows.append(row if records else {"": name, "Records": "0"})  # nobody's risk is no low risk
    return pd.DataFrame(rows).fillna("–")


def show_losses(comparison: Comparison) -> None:
    table = comparison.column_frame()
    chart = plots.information_kept(table, dark=page.dark())
    page.figure(chart, "Bars of the information each column keeps, from 0 to 100%.", "release-information")
    page.counts(
        "Entropy of the column in the release / in the original: 100% tells records apart as before, 0% says nothing."
    )
    table["column"] = [printable(name) for name in table["column"]]
    page.download("Table as CSV", partial(table_csv, table), "information-kept.csv", "download-losses")

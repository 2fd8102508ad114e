"""The views under the result: what it keeps, the methods side by side, the search as a tree."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.generalization import Generalization, Method, Problem
from anonlib.leakage import LeakageComparison, compare_leakage, information_loss
from anonlib.plots import generalization as plots
from anonlib.plots import leakage as leakage_plots
from anonlib.release.export import table_csv
from pages.protect.generalize import results
from pages.protect.generalize.results import Tried
from pages.protect.generalize.settings import METHODS, Question
from ui import cache, page
from ui.text import plain, printable

SHOWN_COLUMNS = 12


def show_comparison(data: Dataset, question: Question, found: Generalization) -> None:
    """The result beside the original: what is kept, and what each column gives away before and after."""
    original = results.unchanged(results.problem_of(data, question))
    shown = pd.DataFrame(
        [_measures("Original", original), _measures(f"{METHODS[found.method]}", found)]  # type: ignore[index]
    )
    page.table(
        shown, "What the original and the result keep, and what violates", help=_MEANINGS, percent=_shares(shown)
    )
    leakage = _leakage(data, question, found)
    drawn, listing = st.columns([1.5, 1], gap="large")
    with drawn:
        st.subheader("What each column gives away", anchor=False)
        most = int(np.argmax(leakage.normalized_before)) if len(leakage.sets) else 0
        page.figure(
            leakage_plots.before_after(leakage, range(min(SHOWN_COLUMNS, len(leakage.sets))), dark=page.dark()),
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
        frame = found.level_frame().rename(columns={"attribute": "column"})
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
        page.download("Table as CSV", partial(table_csv, frame), "generalization-columns.csv", "generalize-columns")


_MEANINGS = {
    "Rows": "Distinct rows over all columns that make a row.",
    "Classes": "Distinct combinations of the columns in requirements.",
    "Cell loss": "Values in the group against all values of the column, averaged over the cells; NCP.",
    "Entropy loss": "Non-uniform entropy lost, against everything in one group.",
    "Discernibility": "Sum of squared class sizes, plus all records for each one left out. Less is better.",
    "Violating groups": "Groups of a requirement with too few records, before any are left out.",
}
_MEANINGS |= {
    f"{name}, weighted": f"{_MEANINGS[name]} Each cell counts as its column’s weight says."
    for name in ("Cell loss", "Entropy loss")
}


def weighted(measure: str, problem: Problem) -> str:
    """The name of a loss, which says so where columns count unequally."""
    return f"{measure}, weighted" if problem.is_weighted else measure


def _measures(name: str, found: Generalization) -> dict[str, object]:
    """What a version keeps, in numbers; shares in [0, 1]."""
    utility = found.utility
    several = len(found.k) > 1
    return {
        "Version": name,
        **{f"k of requirement {i}" if several else "k": k for i, k in enumerate(found.k, 1)},
        "Rows": utility.rows,
        "Classes": utility.classes,
        weighted("Cell loss", found.problem): utility.cell_loss,
        weighted("Entropy loss", found.problem): utility.entropy_loss,
        "Discernibility": utility.discernibility,
        "Left out": found.suppressed,
        "Violating groups": found.violations.groups,
        "rows": found.violations.rows,
        "records": found.violations.records,
    }


def _leakage(data: Dataset, question: Question, found: Generalization) -> LeakageComparison:
    return cache.remember(_leakage_of, data, question, _Found(found))


class _Found:
    """A result as an input that names its content by its levels and what is left out."""

    def __init__(self, found: Generalization) -> None:
        self.found = found

    @property
    def key(self) -> str:
        levels = str(self.found.levels) if self.found.levels is not None else f"parts {self.found.tables}"
        return f"{self.found.method} {levels} {self.found.suppressed}"


def _leakage_of(data: Dataset, question: Question, found: _Found) -> LeakageComparison:
    before = information_loss(found.found.problem.classes)
    return compare_leakage(before, information_loss(found.found.classes))


# ---- methods side by side -----------------------------------------------------------------------------------------


def show_methods(data: Dataset, question: Question) -> None:
    st.markdown("Every method on these requirements, hierarchies and limits, one after the other.")
    tried = results.compared(data, question)
    if not tried:
        return
    tried = tuple(sorted(tried, key=lambda each: list(METHODS).index(each.method)))
    found = [(METHODS[each.method], each.found) for each in tried if each.found is not None]
    original = results.unchanged(results.problem_of(data, question))
    rows = [_measures("Original", original) | {"Tables made": 0, "Seconds": None, "Proven": None}]
    rows += [
        _measures(name, each)
        | {
            "Tables made": each.tables,
            "Seconds": float(f"{each.seconds:.3g}"),
            "Proven": "yes" if each.proven else "no",
        }
        for name, each in found
    ]
    table = pd.DataFrame(rows).rename(columns={"Version": "Method"})
    places = st.columns(4, gap="small")
    names = [name for name, _ in found]
    measures: list[tuple[str, list[float], str]] = [
        ("distinct rows kept", [float(each.utility.rows) for _, each in found], ",.0f"),
        (weighted("cell loss", original.problem), [each.utility.cell_loss for _, each in found], ".1%"),
        ("tables made", [float(each.tables) for _, each in found], ",.0f"),
        ("seconds", [each.seconds for _, each in found], ".2g"),
    ]
    for place, (title, values, form) in zip(places, measures, strict=True):
        with place:
            page.figure(
                plots.methods(names, values, title, form=form, dark=page.dark()),
                f"Bars of {title} by method: "
                + ", ".join(f"{name} {value:{form}}" for name, value in zip(names, values, strict=True)),
                f"generalize-methods-{title}",
            )
    shown = table.drop(columns=["Violating groups", "rows", "records"])
    page.table(shown, "Every measure of every method", help=_MEANINGS, percent=_shares(shown))
    _show_failures(tried)
    page.counts(
        "The comparison of Arca and Hewett 2021, Figures 8 to 10, with two methods more. “Tables made” are generalized "
        "tables looked at; for Part by part, the parts split, which leaves values of different levels in one column."
    )
    page.download(
        "Table as CSV", partial(table_csv, _named(table)), "generalization-methods.csv",
        "generalize-methods-csv",
    )  # fmt: skip


def _named(table: pd.DataFrame) -> pd.DataFrame:
    return table.rename(columns={"rows": "Violating rows", "records": "Violating records"})


def _shares(table: pd.DataFrame) -> list[str]:
    return [name for name in table.columns if name.startswith(("Cell loss", "Entropy loss"))]


def _show_failures(tried: tuple[Tried, ...]) -> None:
    for each in tried:
        if each.problem:
            st.markdown(f"**{METHODS[each.method]}**: {plain(each.problem, 400)}")


# ---- the search as a tree -----------------------------------------------------------------------------------------


def show_tree(data: Dataset, question: Question, found: Generalization) -> None:
    """The tables a step-by-step search made; for the other methods that of IAB, where it is quick."""
    method: Method = found.method if found.trace else "iab"  # type: ignore[assignment]
    searched = found if found.trace else results.quick(data, question, "iab")
    if searched is None:
        st.markdown(
            "This method goes straight to its answer, and IAB’s way would take long here. Choose **IAB**, **Greedy** "
            "or **Exhaustive** as method to see its tables."
        )
        return
    if not found.trace:
        of = METHODS[found.method]  # type: ignore[index]
        st.markdown(
            f"**{of}** goes straight to its answer. This is the search of **IAB**, whose answer may be another."
        )
    if len(searched.trace) > plots.MOST_NODES:
        st.markdown(
            f"{METHODS[method]} made **{words.count(len(searched.trace) - 1, 'tables')}**, too many to draw as a tree. "
            f"With fewer columns or levels (up to {plots.MOST_NODES} tables) it is drawn here."
        )
    else:
        assert searched.levels is not None
        chosen = tuple(searched.levels.values())
        last = next(node.evaluation for node in searched.trace if node.evaluation.state == chosen)
        page.figure(
            plots.search_tree(searched.trace, chosen, dark=page.dark()),
            f"Search tree of {METHODS[method]}: {words.count(len(searched.trace), 'tables')} from the original to the "
            f"one chosen, which keeps {last.n_rows:,} rows.",
            "generalize-tree",
        )
        within = " within what may be left out" if searched.problem.most_suppressed else ""
        form = ("T(violating rows, rows)", ", in italics the order in which tables were gone on from")
        if not plots.tells_order(searched.trace):
            form = ("(violating rows, rows), where there is room", "")
        page.counts(
            f"{form[0]}: red crosses violate, blue dots satisfy{within}, the orange star is chosen; above each "
            f"the column generalized one step{form[1]}. Point at a table to read more. Arca and Hewett 2021, Figure 3."
        )
    page.download(
        "Tables as CSV", partial(_trace_csv, searched), "generalization-search.csv", "generalize-trace",
        help="Every table the search made, in order.",
    )  # fmt: skip


def _trace_csv(found: Generalization) -> bytes:
    rows = []
    for i, node in enumerate(found.trace):
        table = node.evaluation
        rows.append(
            {
                "table": i,
                "made from": node.parent,
                "column generalized": node.attribute or "",
                **{f"level of {name}": level for name, level in zip(found.attributes, table.state, strict=True)},
                "violating groups": table.groups,
                "violating rows": table.rows,
                "violating records": table.records,
                "rows": table.n_rows,
                "satisfies": "yes" if table.satisfied else "no",
                "gone on from as number": None if node.expanded is None else node.expanded + 1,
            }
        )
    return table_csv(pd.DataFrame(rows))

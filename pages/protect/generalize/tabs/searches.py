"""The Generalize page's tabs of its searches: the methods side by side, and one search as a tree."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.generalization import Generalization, Method
from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.plots import generalization as plots
from anonlib.release.export import table_csv
from pages.protect.generalize import results
from pages.protect.generalize.question import METHODS, GeneralizeQuestion
from pages.protect.generalize.results import TriedMethod
from pages.protect.generalize.summary import rows_in_words
from pages.protect.generalize.tabs.comparison import MEANINGS, measures, shares, weighted
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.text import plain


def show_methods(data: Dataset, question: GeneralizeQuestion) -> None:
    st.markdown(
        "Every method on these criteria, hierarchies and limits, one after the other. " + rows_in_words(question, data)
    )
    tried = results.compared(data, question)
    if not tried:
        return
    tried = tuple(sorted(tried, key=lambda attempt: list(METHODS).index(attempt.method)))
    solved = [
        (METHODS[attempt.method], attempt.generalization) for attempt in tried if attempt.generalization is not None
    ]
    original = results.unchanged_of(data, question)
    rows = [measures("Original", original) | {"Tables made": 0, "Seconds": None, "Proven": None}]
    rows += [
        measures(name, generalization)
        | {
            "Tables made": generalization.tables,
            "Seconds": float(f"{generalization.seconds:.3g}"),
            "Proven": "yes" if generalization.proven else "no",
        }
        for name, generalization in solved
    ]
    table = pd.DataFrame(rows).rename(columns={"Version": "Method"})
    places = st.columns(4, gap="small")
    names = [name for name, _ in solved]
    drawn: list[tuple[str, list[float], str]] = [
        ("distinct rows kept", [float(generalization.utility.rows) for _, generalization in solved], ",.0f"),
        (
            weighted("cell loss", original.problem),
            [generalization.utility.cell_loss for _, generalization in solved],
            ".1%",
        ),
        ("tables made", [float(generalization.tables) for _, generalization in solved], ",.0f"),
        ("seconds", [generalization.seconds for _, generalization in solved], ".2g"),
    ]
    for place, (title, values, form) in zip(places, drawn, strict=True):
        with place:
            page.figure(
                partial(plots.methods, names, values, title, form=form),
                f"Bars of {title} by method: "
                + ", ".join(f"{name} {value:{form}}" for name, value in zip(names, values, strict=True)),
                f"generalize-methods-{title}",
            )
    shown = table.drop(columns=["Classes that violate", "Their distinct rows", "Their records"])
    page.table(shown, "Every measure of every method", help=MEANINGS, percent=shares(shown))
    _show_failures(tried)
    page.counts(
        "The comparison of Arca and Hewett 2021, Figures 8 to 10, with two methods more. “Tables made” are generalized "
        "tables looked at; for mixed coarseness, the parts split, which leaves values of different levels in one "
        "column."
    )
    page.download(
        "Table as CSV", partial(table_csv, _named(table)), "generalization-methods.csv",
        "generalize-methods-csv", holds=Holds.FIGURES,
    )  # fmt: skip


def _named(table: pd.DataFrame) -> pd.DataFrame:
    return table.rename(columns={"rows": "Violating rows", "records": "Violating records"})


def _show_failures(tried: tuple[TriedMethod, ...]) -> None:
    for attempt in tried:
        if attempt.problem:
            st.markdown(f"**{METHODS[attempt.method]}**: {plain(attempt.problem, 400)}")


def show_tree(data: Dataset, question: GeneralizeQuestion, generalization: Generalization) -> None:
    """The tables a step-by-step search made; for the other methods that of IAB, where it is quick."""
    method: Method = generalization.method if generalization.trace else "iab"  # type: ignore[assignment]
    searched = generalization if generalization.trace else results.quick(data, question, "iab")
    if searched is None:
        st.markdown(
            "This method goes straight to its answer, and IAB’s way would take long here. Choose **IAB**, **Greedy** "
            "or **Exhaustive** as method to see its tables."
        )
        return
    if not generalization.trace:
        of = METHODS[generalization.method]  # type: ignore[index]
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
        last = next(node.evaluation for node in searched.trace if node.evaluation.node == chosen)
        page.figure(
            partial(plots.search_tree, searched.trace, chosen),
            f"Search tree of {METHODS[method]}: {words.count(len(searched.trace), 'tables')} from the original to the "
            f"one chosen, which keeps {last.n_rows:,} rows.",
            "generalize-tree",
        )
        within = " within what may be left out" if searched.problem.suppression_limit else ""
        form = ("T(violating rows, rows)", ", in italics the order in which tables were gone on from")
        if not plots.tells_order(searched.trace):
            form = ("(violating rows, rows), where there is room", "")
        page.counts(
            f"{form[0]}: red crosses violate, blue dots satisfy{within}, the orange star is chosen; above each "
            f"the column generalized one step{form[1]}. Point at a table to read more. Arca and Hewett 2021, Figure 3."
        )
    page.download(
        "Tables as CSV", partial(_trace_csv, searched), "generalization-search.csv", "generalize-trace",
        holds=Holds.FIGURES,
        help="Every table the search made, in order.",
    )  # fmt: skip


def _trace_csv(generalization: Generalization) -> bytes:
    rows = []
    for i, node in enumerate(generalization.trace):
        table = node.evaluation
        rows.append(
            {
                "table": i,
                "made from": node.parent,
                "column generalized": node.attribute or "",
                **{
                    f"level of {name}": level for name, level in zip(generalization.attributes, table.node, strict=True)
                },
                "violating classes": table.groups,
                "violating rows": table.rows,
                "violating records": table.records,
                "rows": table.n_rows,
                "satisfies": "yes" if table.satisfied else "no",
                "gone on from as number": None if node.expanded is None else node.expanded + 1,
            }
        )
    return table_csv(pd.DataFrame(rows))

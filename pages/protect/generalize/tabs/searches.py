"""The Generalize page's tabs of its searches: the methods side by side, and one search as a tree."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.generalization import Generalization, Method
from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.plots import generalization as plots
from anonlib.release.export import table_csv
from pages.protect.generalize import results
from pages.protect.generalize.question import METHODS, OBJECTIVES, PAPERS, GeneralizeQuestion
from pages.protect.generalize.results import TriedMethod
from pages.protect.generalize.summary import rows_in_words
from pages.protect.generalize.tabs.comparison import MEANINGS, measures, shares, weighted
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.text import plain, printable


def show_methods(data: Dataset, question: GeneralizeQuestion) -> None:
    st.markdown(
        "Every method on these criteria, hierarchies and limits, one after the other. " + rows_in_words(question, data)
    )
    tried = results.compared(data, question)
    if not tried:
        return
    tried = tuple(sorted(tried, key=lambda attempt: list(METHODS).index(attempt.method)))
    solved = {attempt.method: attempt.generalization for attempt in tried if attempt.generalization is not None}
    original = results.unchanged_of(data, question)
    rows = [measures("Original", original) | {"Levels": "", "Tables made": 0, "Seconds": None, "Proven": None}]
    rows += [
        measures(METHODS[method], generalization)
        | {
            "Levels": _levels_in_words(generalization),
            "Tables made": generalization.tables,
            "Seconds": float(f"{generalization.seconds:.3g}"),
            "Proven": "yes" if generalization.proven else "no",
        }
        for method, generalization in solved.items()
    ]
    table = pd.DataFrame(rows).rename(columns={"Version": "Method"})
    table.insert(1, "In the paper", ["", *(PAPERS.get(method, "") for method in solved)])
    places = st.columns([1.9, 1, 1, 1], gap="small")
    names = [METHODS[method] + (f" ({PAPERS[method]})" if method in PAPERS else "") for method in solved]
    drawn: list[tuple[str, list[float], str]] = [
        ("distinct rows kept", [float(generalization.utility.rows) for generalization in solved.values()], ",.0f"),
        (
            weighted("cell loss", original.problem),
            [generalization.utility.cell_loss for generalization in solved.values()],
            ".1%",
        ),
        ("tables made", [float(generalization.tables) for generalization in solved.values()], ",.0f"),
        ("seconds", [generalization.seconds for generalization in solved.values()], ".2g"),
    ]
    for i, (place, (title, values, form)) in enumerate(zip(places, drawn, strict=True)):
        with place:
            page.figure(
                partial(plots.methods, names, values, title, form=form, named=not i),
                f"Bars of {title} by method: "
                + ", ".join(f"{name} {value:{form}}" for name, value in zip(names, values, strict=True)),
                f"generalize-methods-{title}",
            )
    st.markdown("\n".join(f"- {sentence}" for sentence in differences(solved)))
    shown = table.drop(columns=["Classes that violate", "Their distinct rows", "Their records", "Seconds"])
    page.table(shown, "Every measure of every method", help=MEANINGS, percent=shares(shown))
    _show_failures(tried)
    page.counts(
        "The comparison of Arca and Hewett 2021, Table 7 and Figures 8 to 10, with three methods more. “Tables made” "
        "are generalized tables looked at, the paper’s generalizations; for mixed coarseness, the parts split, which "
        "leaves values of different levels in one column. What the paper prints is beside what its definitions give "
        "under **How it works**."
    )
    page.download(
        "Table as CSV", partial(table_csv, _named(table)), "generalization-methods.csv",
        "generalize-methods-csv", holds=Holds.FIGURES,
    )  # fmt: skip


def differences(solved: Mapping[Method, Generalization]) -> list[str]:
    """What each method does otherwise than IAB, by the name it has in the paper, and what that comes to here."""
    sentences = []
    for method in _IN_ORDER:
        if (generalization := solved.get(method)) is not None:
            name = f"**{METHODS[method]}** ({PAPERS.get(method, 'not')} in the paper)"
            sentences.append(f"{name} {_does(method, generalization, solved)}")
    return sentences


_IN_ORDER: tuple[Method, ...] = ("iab", "exhaustive", "greedy", "optimal", "blanks", "parts")


def _does(method: Method, generalization: Generalization, solved: Mapping[Method, Generalization]) -> str:
    n, n_nodes = generalization.tables, generalization.problem.n_nodes
    best = solved.get("iab") or solved.get("optimal")
    against = "" if best is None else _against(generalization, best)
    match method:
        case "iab":
            return (
                f"generalizes next the table that keeps most, and stops once no open one keeps more than the best that "
                f"satisfies: after {n:,} of {n_nodes - 1:,} tables."
            )
        case "exhaustive":
            return f"makes every table, {n:,} here, and takes the best. {against}"
        case "greedy":
            why = "Few violations say that the end is near, and nothing of what is lost on the way."
            return (
                f"generalizes next the table with the fewest violating rows, and stops at the first that satisfies: "
                f"after {words.count(n, 'tables')}. {against} {why}"
            )
        case "optimal":
            return (
                f"leaves aside all combinations above columns that fail by themselves, and what cannot keep more: "
                f"{words.count(n, 'tables')} were looked at. {against}"
            )
        case "blanks":
            return f"leaves single cells blank beside one level a column. {against}"
    return f"gives each part of the file levels of its own. {against}"


def _against(generalization: Generalization, best: Generalization) -> str:
    """How much is kept beside what IAB keeps, in a sentence."""
    if generalization.score == best.score:
        return "It keeps as much as IAB."
    more = "more" if generalization.score > best.score else "less"
    return f"It keeps {more} {OBJECTIVES[best.objective]} than IAB: {results.against(generalization, best)}."


def _levels_in_words(generalization: Generalization) -> str:
    """The level of each column that is not as it was, such as ``age 1, zip 1``."""
    if generalization.levels is None:
        return "by part"
    levels = [f"{printable(name)} {level}" for name, level in generalization.levels.items() if level]
    return ", ".join(levels) or "as it was"


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
    assert searched.levels is not None
    trace, chosen = searched.trace, tuple(searched.levels.values())
    drawn = plots.drawn_tables(trace, chosen)
    if len(drawn) < len(trace):
        st.markdown(
            f"{METHODS[method]} made **{words.count(len(trace) - 1, 'tables')}**, too many for one picture (up to "
            f"{plots.MOST_NODES}). It shows the way to the answer and what was made of each table on it; below the "
            "others stands how many more. All are in the CSV."
        )
    last = next(node.evaluation for node in trace if node.evaluation.node == chosen)
    page.figure(
        partial(plots.search_tree, trace, chosen),
        f"Search tree of {METHODS[method]}: {words.count(len(trace), 'tables')} from the original to the one chosen, "
        f"which keeps {last.n_rows:,} rows; {_followed_in_words(searched)}.",
        "generalize-tree",
    )
    within = " within what may be left out" if searched.problem.suppression_limit else ""
    order = (
        "the number in a table is its turn to be generalized further"
        if plots.tells_order(trace, chosen)
        else "there is no room for the order in which tables were generalized further"
    )
    page.counts(
        f"T(violating rows, rows), tables numbered as they were made; above each the column generalized one step; "
        f"{order}. Red squares violate, blue dots satisfy{within}. Hollow: {_pruning(method)} A table that is reached "
        "on two ways is one. Point at a table to read more. Arca and Hewett 2021, Figure 3."
    )
    page.download(
        "Tables as CSV", partial(_trace_csv, searched), "generalization-search.csv", "generalize-trace",
        holds=Holds.FIGURES,
        help="Every table the search made, in order.",
    )  # fmt: skip


def _followed_in_words(searched: Generalization) -> str:
    """How many tables were generalized further, and how many were not."""
    followed = sum(node.expanded is not None for node in searched.trace)
    return f"{followed:,} were generalized further, {len(searched.trace) - followed:,} were not"


def _pruning(method: Method) -> str:
    """Why a method does not generalize all tables further, in a sentence."""
    match method:
        case "iab":
            return (
                "pruned, since the table keeps no more than the best that satisfies, and generalizing it further never "
                "keeps more."
            )
        case "greedy":
            return "the search had its answer, the first table without violations."
    return "none, as this search makes every table."


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
                "why not": node.unfollowed,
            }
        )
    return table_csv(pd.DataFrame(rows))

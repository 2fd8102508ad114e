"""The Generalize page's figures, and in words how good a result is, with the way into the recipe."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.analyses.generalization import Generalization
from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.plots import generalization as plots
from anonlib.release.from_analyses import steps_of_generalization
from anonlib.release.steps import Scope
from pages.protect.generalize import controls, results
from pages.protect.generalize.question import METHODS, OBJECTIVES, GeneralizeQuestion, leave
from pages.protect.generalize.results import GeneralizeAnswer
from pages.protect.generalize.tabs.comparison import weighted
from ui.kit import glossary, page
from ui.session import decide, guard, view
from ui.text import plain, printable


def show(answer: GeneralizeAnswer, question: GeneralizeQuestion, data: Dataset) -> None:
    found, unit = answer.found, data.unit
    _say_comparison(answer)
    st.markdown(f"**{_how_good(found)}**{_of_which_rows(found, question, data)}")
    _say_levels(found)
    violations = found.violations
    if violations.records:
        st.markdown(
            f"{words.count(violations.groups, 'classes')} with {words.count(violations.records, unit)} still violate; "
            f"they are left out."
        )
    recoded = view.now().recipe.recoded
    if of_rules := [asked.sensitive for asked in found.problem.of_values if asked.sensitive in recoded]:
        st.markdown(
            f"The recipe recodes {page.listed(of_rules)}, and this search looks at the original: see on the Risk page "
            "what l and t the release has."
        )
    changes = found.levels is None or any(found.levels.values()) or bool(found.left_out or found.shares_blank())
    with st.container(horizontal=True):
        st.button(
            "Add to recipe", type="primary", icon=":material/playlist_add:", on_click=guard.action(add_to_recipe),
            args=(found, question), disabled=not changes,
            help="Steps that recode the same columns give way." if changes else "Nothing has to change.",
        )  # fmt: skip
        if (other := answer.other) is not None:
            name = METHODS[other.method].lower()  # type: ignore[index]
            st.button(
                f"See {name}", on_click=guard.action(controls.choose_method), args=(other.method,),
                icon=":material/swap_horiz:", help="Its levels, figures and steps. Go back by the method above.",
            )  # fmt: skip
    tables = "" if found.levels is None else f" {words.count(found.tables, 'tables')} looked at,"
    took = f"{found.seconds:.2g} s" if found.seconds >= 0.1 else "less than 0.1 s"
    method = METHODS[found.method]  # type: ignore[index]
    st.caption(f"{method}: {words.count(found.problem.n_nodes, 'combinations of levels')},{tables} {took}.")


def _say_comparison(answer: GeneralizeAnswer) -> None:
    """Which of two methods keeps more, and by how much."""
    found, other = answer.found, answer.other
    name = METHODS[found.method]  # type: ignore[index]
    if other is None:
        if answer.why_alone:
            missing = METHODS["optimal" if found.method == "parts" else "parts"]
            st.markdown(f"Shown is **{name}**, without **{missing}** beside it. {plain(answer.why_alone, 400)}")
        return
    than, kept = METHODS[other.method], OBJECTIVES[found.objective]  # type: ignore[index]
    if found.score == other.score:
        st.markdown(f"**{name}** and **{than}** keep as much {kept}; shown is the former.")
    else:
        st.markdown(f"**{name} keeps more {kept} than {than.lower()}**: {results.against(found, other)}.")


def _say_levels(found: Generalization) -> None:
    """What each column becomes."""
    problem = found.problem
    if found.levels is None:
        st.markdown(
            "Each part of the file is only as coarse as it must be: values of different levels stand side by side in a "
            f"column, in {words.count(found.tables, 'combinations of levels')}."
        )
    else:
        blank, past_levels = found.shares_blank(), int(found.method == "blanks")
        lines = [
            f"- {page.listed([name])}: {plain(problem.hierarchies[name].describe(level), 80)}"
            + (f" (level {level} of {height - past_levels})" if level else "")
            + (f"; {words.percent(blank[name])} blank" if name in blank else "")
            for (name, level), height in zip(found.levels.items(), problem.highest, strict=True)
        ]
        fixed = [name for name in problem.shield if name not in problem.columns]
        st.markdown("\n".join(lines) + (f"\n- {page.listed(fixed)}: as it is" if fixed else ""))
        if abrupt := _stay_or_go(found):
            st.markdown(
                f"{page.listed(abrupt)} can only stay or go: group values under **Hierarchies** for a step between."
            )


def _stay_or_go(found: Generalization) -> list[str]:
    """Columns that were given up for lack of a level between: few steps, but several values."""
    assert found.levels is not None
    ladders = found.problem.ladders.levels
    return [
        name
        for (name, level), ladder in zip(found.levels.items(), ladders, strict=True)
        if level and ladder.n_levels - (found.method == "blanks") == 2 and ladder.n_values > 3
    ]


def _how_good(found: Generalization) -> str:
    if found.ended_early:
        return "The best so far: the search was ended early, and another machine may find another."
    if not found.finished:
        return "The best found with the work given, the same on every machine; not proven."
    if found.levels is not None and not any(found.levels.values()) and not found.left_out and not found.shares_blank():
        return "Satisfied already: nothing has to change."
    if found.proven:
        kept = OBJECTIVES[found.objective]
        return f"Proven: no other combination of levels keeps more {kept}."
    if found.best_of_nodes:
        return (
            f"Of all combinations of levels this keeps most {OBJECTIVES[found.objective]}, each without the records "
            "that violate. Whom to leave out is a good choice, not proven."
        )
    if found.method == "blanks":
        return "One level a column and single cells blank: the least found, not proven."
    return "The best that this method found, not proven to be the best."


def _of_which_rows(found: Generalization, question: GeneralizeQuestion, data: Dataset) -> str:
    """Over which columns rows are counted, where that is what is kept most of."""
    if found.objective != "rows" or not found.best_of_nodes:
        return ""
    return f" {rows_in_words(question, data)}"


def rows_in_words(question: GeneralizeQuestion, data: Dataset) -> str:
    """Over which columns rows are counted, in a sentence."""
    counted, leaving = question.columns, leave(data)
    if set(counted) >= set(leaving):
        return f"Rows are counted over all {words.count(len(counted), 'columns')} that leave."
    aside = [name for name in leaving if name not in counted]
    return (
        f"Rows are counted over {page.listed(counted, len(counted))}, and not over {page.listed(aside, len(aside))}, "
        f"which {'leaves' if len(aside) == 1 else 'leave'} too: with {'it' if len(aside) == 1 else 'them'} another "
        "combination may keep more."
    )


def show_metrics(found: Generalization, question: GeneralizeQuestion, data: Dataset) -> None:
    """The figures that matter, original → result."""
    problem, unit = found.problem, data.unit
    by = ", values known" if data.has_several_rows else ""
    original, utility = results.unchanged_of(data, question), found.utility
    k = [" / ".join(f"{value:,}" for value in version.k) for version in (original, found)]
    wanted = " / ".join(f"{asked.least:,}" for asked in found.shared)
    page.metrics(
        (
            ("k, the smallest class of the answer" if len(found.k) == 1 else "k of each criterion") + by,
            words.change(*k),
            glossary.linked(
                f"The fewest {unit} that share the columns of a criterion. Asked for: {wanted}.",
                "k",
                "criterion",
                *(["values known"] if data.has_several_rows else []),
            ),
        ),
        (
            weighted("Cell loss", problem),
            words.percent(utility.cell_loss),
            glossary.linked(
                "How much of the columns’ detail is lost: values in the class against all values, averaged over the "
                "cells"
                + (", each as often as its column’s weight says" if problem.is_weighted else "")
                + ". 100% says nothing any more.",
                "class",
            ),
        ),
        (
            "Classes",
            words.change(f"{original.utility.classes:,}", f"{utility.classes:,}"),
            glossary.linked("Distinct combinations of the columns in criteria.", "class"),
        ),
        (
            f"{unit.capitalize()} left out",
            f"{found.left_out:,}",
            glossary.linked(
                f"{words.share(found.left_out, found.n_records, unit)}; {problem.suppression_limit:,} may be.",
                "left out",
            ),
        ),
    )


def add_to_recipe(found: Generalization, question: GeneralizeQuestion) -> None:
    """Take what was found into the recipe."""
    data = view.now().data
    assert data is not None
    decide.take(steps_of_generalization(found, data, question.limit), found.problem.shield, Scope.SEARCH, data)


# ---- the picture ----


def show_picture(found: Generalization, question: GeneralizeQuestion, unit: str) -> None:
    """The picture, what it counts, and the weights."""
    frame = found.level_frame()
    levels = [
        f"{printable(name)} {level:.3g} of {n - 1}"
        for name, level, n in zip(frame["attribute"], frame["level"], frame["levels"], strict=True)
    ]
    page.figure(
        partial(plots.levels, found, unit=unit),
        "The level that each column is released at: " + ", ".join(levels),
        "generalize-levels",
    )
    page.counts(
        f"What the commonest value of each column becomes at each level of its hierarchy; the stronger the colour, the "
        f"more {unit} are released there. Change the levels under **Hierarchies**."
    )
    if question.weights:
        names = [f"{page.listed([name])} {weight:g}" for name, weight in question.weights]
        others = "" if len(names) == len(question.hierarchies) else "; the others 1"
        st.caption(f"Weights: {', '.join(names)}{others}.")

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
    generalization, unit = answer.generalization, data.unit
    _say_comparison(answer)
    st.markdown(f"**{_how_good(generalization)}**{_of_which_rows(generalization, question, data)}")
    _say_levels(generalization)
    violations = generalization.violations
    if violations.records:
        st.markdown(
            f"{words.count(violations.groups, 'classes')} with {words.count(violations.records, unit)} still violate; "
            f"they are left out."
        )
    recoded = view.now().recipe.recoded
    if of_rules := [
        guarantee.sensitive for guarantee in generalization.problem.of_values if guarantee.sensitive in recoded
    ]:
        st.markdown(
            f"The recipe recodes {page.listed(of_rules)}, and this search looks at the original: see on the Risk page "
            "what l and t the release has."
        )
    changes = (
        generalization.levels is None
        or any(generalization.levels.values())
        or bool(generalization.left_out or generalization.shares_blank())
    )
    with st.container(horizontal=True):
        st.button(
            "Add to recipe", type="primary", icon=":material/playlist_add:", on_click=guard.action(add_to_recipe),
            args=(generalization, question), disabled=not changes,
            help="Steps that recode the same columns give way." if changes else "Nothing has to change.",
        )  # fmt: skip
        if (other := answer.other) is not None:
            name = METHODS[other.method].lower()  # type: ignore[index]
            st.button(
                f"See {name}", on_click=guard.action(controls.choose_method), args=(other.method,),
                icon=":material/swap_horiz:", help="Its levels, figures and steps. Go back by the method above.",
            )  # fmt: skip
    tables = "" if generalization.levels is None else f" {words.count(generalization.tables, 'tables')} looked at,"
    took = f"{generalization.seconds:.2g} s" if generalization.seconds >= 0.1 else "less than 0.1 s"
    method = METHODS[generalization.method]  # type: ignore[index]
    st.caption(f"{method}: {words.count(generalization.problem.n_nodes, 'combinations of levels')},{tables} {took}.")


def _say_comparison(answer: GeneralizeAnswer) -> None:
    """Which of two methods keeps more, and by how much."""
    generalization, other = answer.generalization, answer.other
    name = METHODS[generalization.method]  # type: ignore[index]
    if other is None:
        if answer.why_alone:
            missing = METHODS["optimal" if generalization.method == "parts" else "parts"]
            st.markdown(f"Shown is **{name}**, without **{missing}** beside it. {plain(answer.why_alone, 400)}")
        return
    than, objective = METHODS[other.method], OBJECTIVES[generalization.objective]  # type: ignore[index]
    if generalization.score == other.score:
        st.markdown(f"**{name}** and **{than}** keep as much {objective}; shown is the former.")
    else:
        st.markdown(f"**{name} keeps more {objective} than {than.lower()}**: {results.against(generalization, other)}.")


def _say_levels(generalization: Generalization) -> None:
    """What each column becomes."""
    problem = generalization.problem
    if generalization.levels is None:
        st.markdown(
            "Each part of the file is only as coarse as it must be: values of different levels stand side by side in a "
            f"column, in {words.count(generalization.tables, 'combinations of levels')}."
        )
    else:
        blank, past_levels = generalization.shares_blank(), int(generalization.method == "blanks")
        lines = [
            f"- {page.listed([name])}: {plain(problem.hierarchies[name].describe(level), 80)}"
            + (f" (level {level} of {height - past_levels})" if level else "")
            + (f"; {words.percent(blank[name])} blank" if name in blank else "")
            for (name, level), height in zip(generalization.levels.items(), problem.highest, strict=True)
        ]
        fixed = [name for name in problem.shield if name not in problem.columns]
        st.markdown("\n".join(lines) + (f"\n- {page.listed(fixed)}: as it is" if fixed else ""))
        if abrupt := _stay_or_go(generalization):
            st.markdown(
                f"{page.listed(abrupt)} can only stay or go: group values under **Hierarchies** for a step between."
            )


def _stay_or_go(generalization: Generalization) -> list[str]:
    """Columns that were given up for lack of a level between: few steps, but several values."""
    assert generalization.levels is not None
    ladders = generalization.problem.ladders.levels
    return [
        name
        for (name, level), ladder in zip(generalization.levels.items(), ladders, strict=True)
        if level and ladder.n_levels - (generalization.method == "blanks") == 2 and ladder.n_values > 3
    ]


def _how_good(generalization: Generalization) -> str:
    if generalization.ended_early:
        return "The best so far: the search was ended early, and another machine may find another."
    if not generalization.finished:
        return "The best found with the work given, the same on every machine; not proven."
    if (
        generalization.levels is not None
        and not any(generalization.levels.values())
        and not generalization.left_out
        and not generalization.shares_blank()
    ):
        return "Satisfied already: nothing has to change."
    if generalization.proven:
        objective = OBJECTIVES[generalization.objective]
        return f"Proven: no other combination of levels keeps more {objective}."
    if generalization.best_of_nodes:
        return (
            f"Of all combinations of levels this keeps most {OBJECTIVES[generalization.objective]}, each without the "
            "records that violate. Whom to leave out is a good choice, not proven."
        )
    if generalization.method == "blanks":
        return "One level a column and single cells blank: the least found, not proven."
    return "The best that this method found, not proven to be the best."


def _of_which_rows(generalization: Generalization, question: GeneralizeQuestion, data: Dataset) -> str:
    """Over which columns rows are counted, where that is what is kept most of."""
    if generalization.objective != "rows" or not generalization.best_of_nodes:
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


def show_metrics(generalization: Generalization, question: GeneralizeQuestion, data: Dataset) -> None:
    """The figures that matter, original → result."""
    problem, unit = generalization.problem, data.unit
    by = ", values known" if data.has_several_rows else ""
    original, utility = results.unchanged_of(data, question), generalization.utility
    k = [" / ".join(f"{value:,}" for value in version.k) for version in (original, generalization)]
    wanted = " / ".join(f"{guarantee.least:,}" for guarantee in generalization.shared)
    page.metrics(
        (
            ("k, the smallest class of the answer" if len(generalization.k) == 1 else "k of each criterion") + by,
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
            f"{generalization.left_out:,}",
            glossary.linked(
                f"{words.share(generalization.left_out, generalization.n_records, unit)}; "
                f"{problem.suppression_limit:,} may be.",
                "left out",
            ),
        ),
    )


def add_to_recipe(generalization: Generalization, question: GeneralizeQuestion) -> None:
    """Take what was found into the recipe."""
    data = view.now().data
    assert data is not None
    decide.take(
        steps_of_generalization(generalization, data, question.limit), generalization.problem.shield, Scope.SEARCH, data
    )


# ---- the picture ----


def show_picture(generalization: Generalization, question: GeneralizeQuestion, unit: str) -> None:
    """The picture, what it counts, and the weights."""
    frame = generalization.level_frame()
    levels = [
        f"{printable(name)} {level:.3g} of {n - 1}"
        for name, level, n in zip(frame["attribute"], frame["level"], frame["levels"], strict=True)
    ]
    page.figure(
        partial(plots.levels, generalization, unit=unit),
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

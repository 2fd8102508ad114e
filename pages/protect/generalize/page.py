"""Generalize: the least generalization that reaches k, what it costs, and the way into the recipe."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.generalization import Generalization, Problem
from anonlib.plots import generalization as plots
from pages.protect.generalize import fakes, hierarchies, results, settings, tabs
from pages.protect.generalize.results import Answer
from pages.protect.generalize.settings import METHODS, OBJECTIVES, Question, Way
from pages.protect.generalize.to_recipe import add_to_recipe
from ui import explain, guard, original, page, state
from ui.text import plain, printable

DOES = "This page finds how coarse each column must be so that at least k records share every combination."


def show_metrics(problem: Problem, found: Generalization, unit: str) -> None:
    """The figures that matter, original → result."""
    original, utility = results.unchanged(problem), found.utility
    k = [" / ".join(f"{value:,}" for value in version.k) for version in (original, found)]
    wanted = " / ".join(f"{requirement.k:,}" for requirement in problem.requirements)
    page.metrics(
        (
            "k, the smallest group" if len(found.k) == 1 else "k of each requirement",
            words.change(*k),
            f"The fewest {unit} that share the columns of a requirement. Asked for: {wanted}.",
        ),
        (
            tabs.weighted("Cell loss", problem),
            words.percent(utility.cell_loss),
            "How much of the columns’ detail is lost: values in the group against all values, averaged over the cells"
            + (", each as often as its column’s weight says" if problem.is_weighted else "")
            + ". 100% says nothing any more.",
        ),
        (
            "Classes",
            words.change(f"{original.utility.classes:,}", f"{utility.classes:,}"),
            "Distinct combinations of the columns in requirements.",
        ),
        (
            f"{unit.capitalize()} left out",
            f"{found.suppressed:,}",
            f"{words.share(found.suppressed, found.n_records, unit)}; {problem.most_suppressed:,} may be.",
        ),
    )


def in_words(answer: Answer, question: Question, unit: str) -> None:
    found = answer.found
    say_comparison(answer)
    st.markdown(f"**{how_good(found)}**")
    say_levels(found)
    violations = found.violations
    if violations.records:
        st.markdown(
            f"{words.count(violations.groups, 'groups')} with {words.count(violations.records, unit)} still violate; "
            f"they are left out."
        )
    recoded = state.session().recipe.recoded
    if of_rules := [rule.attribute for rule in found.rules if rule.attribute in recoded]:
        st.markdown(
            f"The recipe recodes {page.listed(of_rules)}, and this search looks at the original: see on the Risk page "
            "what l and t the release has."
        )
    changes = found.levels is None or any(found.levels.values()) or bool(found.suppressed)
    with st.container(horizontal=True):
        st.button(
            "Add to recipe", type="primary", icon=":material/playlist_add:", on_click=guard.action(add_to_recipe),
            args=(found, question), disabled=not changes,
            help="Steps that recode the same columns give way." if changes else "Nothing has to change.",
        )  # fmt: skip
        if (other := answer.other) is not None:
            name = METHODS[other.method].lower()  # type: ignore[index]
            st.button(
                f"See {name}", on_click=guard.action(settings.choose_method), args=(other.method,),
                icon=":material/swap_horiz:", help="Its levels, figures and steps. Go back by the method above.",
            )  # fmt: skip
    tables = "" if found.levels is None else f" {words.count(found.tables, 'tables')} looked at,"
    took = f"{found.seconds:.2g} s" if found.seconds >= 0.1 else "less than 0.1 s"
    method = METHODS[found.method]  # type: ignore[index]
    st.caption(f"{method}: {words.count(found.problem.n_states, 'combinations of levels')},{tables} {took}.")


def say_comparison(answer: Answer) -> None:
    """Which of two methods keeps more, and by how much."""
    found, other = answer.found, answer.other
    name = METHODS[found.method]  # type: ignore[index]
    if other is None:
        if answer.why_alone:
            missing = METHODS["optimal" if found.method == "mondrian" else "mondrian"]
            st.markdown(f"Shown is **{name}**, without **{missing}** beside it. {plain(answer.why_alone, 400)}")
        return
    than, kept = METHODS[other.method], OBJECTIVES[found.objective]  # type: ignore[index]
    if found.score == other.score:
        st.markdown(f"**{name}** and **{than}** keep as much {kept}; shown is the former.")
    else:
        st.markdown(f"**{name} keeps more {kept} than {than.lower()}**: {results.against(found, other)}.")


def say_levels(found: Generalization) -> None:
    """What each column becomes."""
    problem = found.problem
    if found.levels is None:
        st.markdown(
            f"Each part of the file is only as coarse as it must be: {words.count(found.tables, 'splits')} from the "
            "top down. Values of different levels stand side by side in a column."
        )
    else:
        lines = [
            f"- {page.listed([name])}: {plain(problem.hierarchies[name].describe(level), 80)}"
            + (f" (level {level} of {height})" if level else "")
            for (name, level), height in zip(found.levels.items(), problem.heights, strict=True)
        ]
        fixed = [name for name in problem.shield if name not in problem.attributes]
        st.markdown("\n".join(lines) + (f"\n- {page.listed(fixed)}: as it is" if fixed else ""))
        if abrupt := stay_or_go(found):
            st.markdown(
                f"{page.listed(abrupt)} can only stay or go: group values under **Hierarchies** for a step between."
            )


def stay_or_go(found: Generalization) -> list[str]:
    """Columns that were given up for lack of a level between: few steps, but several values."""
    assert found.levels is not None
    ladders = found.problem.ladders.levels
    return [
        name
        for (name, level), ladder in zip(found.levels.items(), ladders, strict=True)
        if level and ladder.n_levels == 2 and ladder.n_values > 3
    ]


def how_good(found: Generalization) -> str:
    if not found.finished:
        return "The best so far."
    if found.levels is not None and not any(found.levels.values()) and not found.suppressed:
        return "Satisfied already: nothing has to change."
    if found.proven:
        kept = OBJECTIVES[found.objective]
        return f"Proven: no other combination of levels keeps more {kept}."
    return "As coarse as this method makes it."


def show_levels(found: Generalization, unit: str) -> None:
    frame = found.level_frame()
    said = [
        f"{printable(name)} {level:.3g} of {n - 1}"
        for name, level, n in zip(frame["attribute"], frame["level"], frame["levels"], strict=True)
    ]
    page.figure(
        plots.levels(found, unit=unit, dark=page.dark()),
        "The level that each column is released at: " + ", ".join(said),
        "generalize-levels",
    )
    page.counts(
        f"What the commonest value of each column becomes at each level of its hierarchy; the stronger the colour, the "
        f"more {unit} are released there. Change the levels under **Hierarchies**."
    )


def say_weights(question: Question) -> None:
    if question.weights:
        names = [f"{page.listed([name])} {weight:g}" for name, weight in question.weights]
        others = "" if len(names) == len(question.hierarchies) else "; the others 1"
        st.caption(f"Weights: {', '.join(names)}{others}.")


def search(data: Dataset, question: Question, method: Way) -> Answer | None:
    """The result, or the sentence why there is none: the hierarchies can be mended below."""
    try:
        return results.answer(data, question, method)
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


# ---- the page -----------------------------------------------------------------------------------------------------


def show_page() -> None:
    page.header("Generalize", "How coarse must each column be to reach k, and what does that cost?")
    data = original.to_protect(page.require_quasi_identifiers(DOES))
    if not data.quasi_identifiers:
        st.info("The recipe drops every quasi-identifier: nothing is left to generalize.")
        st.stop()
    metrics = st.container()
    question, method = settings.ask(data)
    answer = search(data, question, method)
    found = None if answer is None else answer.found
    if answer is not None and found is not None:
        drawn, side = page.beside(2, 1)
        with drawn:
            show_levels(found, data.unit)
            say_weights(question)
        with side, st.container(border=True, height="stretch"):
            in_words(answer, question, data.unit)
        with metrics:
            show_metrics(found.problem, found, data.unit)

    columns = [name for name, _ in question.hierarchies]
    views: dict[str, Callable[[], object]] = {"Hierarchies": partial(hierarchies.edit, data, columns)}
    if found is not None:
        views["Original and result"] = partial(tabs.show_comparison, data, question, found)
        views["Methods side by side"] = partial(tabs.show_methods, data, question)
        views["Search tree"] = partial(tabs.show_tree, data, question, found)
    views["Fake records"] = partial(fakes.show, data, question)
    views["How it works"] = partial(explain.show, "generalization")
    page.tabs(f"generalize-tabs-{len(views)}", views)


show_page()

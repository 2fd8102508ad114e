"""The steps of the recipe: what each does, on or off, in which order."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.release.recipe import Applied, Entry, Recipe, StepEffect
from anonlib.release.steps import Step
from ui import guard, state
from ui.outcome import suggested
from ui.release.builder import begin_edit, of_recipe
from ui.text import plain


def switch(position: int, key: str) -> None:
    state.set_recipe(state.session().recipe.switch(position, st.session_state[key]))


def move(position: int, by: int) -> None:
    state.set_recipe(state.session().recipe.move(position, by))


def remove(position: int) -> None:
    state.set_recipe(state.session().recipe.remove(position))


def start_with(steps: tuple[Step, ...]) -> None:
    state.set_recipe(Recipe.of(steps))


def show_recipe(data: Dataset, applied: Applied) -> None:
    recipe = state.session().recipe
    st.subheader("Recipe", anchor=False, help="Steps are applied to the original, from top to bottom, each time.")
    if not len(recipe):
        show_start(data)
        return
    for position, (entry, effect) in enumerate(zip(recipe.entries, applied.effects, strict=True)):
        show_step(position, entry, effect, last=position == len(recipe) - 1)


def show_start(data: Dataset) -> None:
    found = suggested(data)
    with st.container(border=True):
        st.markdown("**No steps yet.** Add one below, or start from these, which follow from the columns’ values:")
        for step in found.steps:
            st.markdown(f"- {plain(step.describe(), 200)}")
        kept = words.share(found.records_kept, found.n_records, "records")
        st.markdown(
            f"They keep **{kept}**, with k = {found.k:,}."
            if found.records_kept
            else ":red[They leave no record: recode more coarsely by hand, or ask for a smaller k.]"
        )
        st.button(
            "Start with these steps",
            type="primary",
            icon=":material/playlist_add:",
            on_click=guard.action(start_with),
            args=(found.steps,),
        )


def show_step(position: int, entry: Entry, effect: StepEffect | None, *, last: bool) -> None:
    with st.container(border=True, gap="xsmall"):
        text, on = st.columns([12, 1.6], vertical_alignment="center", gap="small")
        if effect is not None and effect.problem:
            outcome = f":small[:red[{plain(effect.problem, 300)}]]"
        else:
            reason = f" ({plain(entry.step.reason, 200)})" if entry.step.reason else ""
            outcome = f":small[:gray[{effect_in_words(effect) if effect else 'Switched off'}{reason}.]]"
        number = position + 1
        text.markdown(f"**{number}. {plain(entry.step.describe(), 160)}**  \n{outcome}")
        on.toggle(
            f"Step {number} is on", value=entry.enabled, key=(key := f"on-{position}-{hash(entry)}"),
            label_visibility="collapsed", help="Switch the step on or off",
            on_change=guard.action(switch), args=(position, key),
        )  # fmt: skip
        first = "" if position else f"Step {number} is the first already."
        final = f"Step {number} is the last already." if last else ""
        with st.container(horizontal=True, gap="medium"):
            step_button("Change", f"Change step {number}", begin_edit, position)
            step_button("Earlier", f"Step {number} earlier", move, position, -1, why_not=first)
            step_button("Later", f"Step {number} later", move, position, 1, why_not=final)
            step_button("Remove", f"Remove step {number}", remove, position)


def step_button(label: str, meaning: str, callback: Callable[..., None], *arguments, why_not: str = "") -> None:
    st.button(
        f":small[{label}]",
        key=meaning,
        help=why_not or meaning,
        disabled=bool(why_not),
        type="tertiary",
        on_click=guard.action(of_recipe),
        args=(state.session().recipe, callback, *arguments),
    )


def effect_in_words(effect: StepEffect) -> str:
    said = []
    if effect.columns_removed:
        said.append(f"{words.count(effect.columns_removed, 'columns')} removed")
    if effect.records_removed:
        said.append(f"{words.count(effect.records_removed, 'records')} removed")
    if effect.cells_changed:
        said.append(f"{words.count(effect.cells_changed, 'cells')} changed")
    if effect.untouched:
        said.append(f"{words.count(effect.untouched, 'values')} left as they are, because it does not apply to them")
    return ", ".join(said) or "Changes nothing"

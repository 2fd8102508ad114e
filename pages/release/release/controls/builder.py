"""Adding a step to the recipe, or changing one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from anonlib.basics import figures, words
from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Mask
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode, Step
from pages.release.release.controls import forms
from ui.session import decide, guard, keep, view
from ui.session.state import session
from ui.text import plain


def of_recipe(recipe: Recipe, callback: Callable[..., None], *arguments) -> None:
    """What a button does that was drawn for this recipe: nothing to another one, as at the second of two clicks."""
    if session().recipe == recipe:
        callback(*arguments)


def begin_edit(position: int | None) -> None:
    session().editing = position


def show_builder(data: Dataset) -> None:
    """Choose a step, or change one, and see what it would do before it is kept."""
    recipe, position = view.now().recipe, session().editing
    if position is None:
        with st.expander("**Add a step**", expanded=not recipe, key=f"add-step-open-{bool(recipe)}"):
            current = view.apply(recipe, data).released
            build(
                partial(_before_recoding, recipe, data), current, None, "add", "Add to recipe",
                lambda step: recipe.take([step], data), decide.add_step,
            )  # fmt: skip
    else:
        with st.container(border=True):
            st.markdown(f"**Change step {position + 1}**")
            current = view.apply(recipe.before(position), data).released
            edited = recipe.entries[position].step
            outlook, replace = partial(recipe.replace_step, position), partial(decide.replace_step, position)
            key = f"edit-{position}-{edited.digest[:12]}"
            build(lambda column: current, current, edited, key, "Keep the change", outlook, replace)
            st.button("Leave it as it was", on_click=guard.action(begin_edit), args=(None,))


def _before_recoding(recipe: Recipe, data: Dataset, column: str) -> Dataset:
    """The data as a new recoding of a column will find it: the recipe puts it before what leaves records out."""
    place = recipe.place_of(Recode(column, Mask(0)))
    return view.apply(recipe.before(place), data).released


def build(
    before: Callable[[str], Dataset],
    current: Dataset,
    edited: Step | None,
    key: str,
    label: str,
    outlook: Callable[[Step], Recipe],
    take: Callable[[Step], None],
) -> None:
    try:
        step = forms.choose_step(current, edited, key, before)
    except InputError as error:
        st.markdown(f":red[{plain(error)}]")
        step = None
    given = edited.reason if edited is not None else ""
    reason = keep.text(f"{key}-reason", "Reason (kept in the recipe)", given, placeholder="optional")
    if step is None:
        st.button(label, key=f"{key}-done", disabled=True, help="Complete the step first.", icon=":material/check:")
        return
    step = step.with_reason(reason)
    show_outlook(outlook(step))
    st.button(
        label, key=f"{key}-done", type="primary", icon=":material/check:", on_click=guard.action(of_recipe),
        args=(view.now().recipe, take, step),
    )  # fmt: skip


def show_outlook(recipe: Recipe) -> None:
    """What the recipe would come to with the step, before it is kept."""
    asked = view.now().asked
    now, then = asked.comparison, asked.comparison_of(recipe)
    if now is None or then is None:
        return
    if not then.records_after:
        if now.records_after:
            st.warning("No record would be left.", icon=":material/warning:")
    else:
        wanted = then.after.k_wanted
        by = ", values known" if asked.data is not None and asked.data.has_several_rows else ""
        with st.container(horizontal=True):
            st.metric(f"Would make k{by}", words.change(f"{now.after.k:,}", f"{then.after.k:,}"))
            st.metric(f"below {wanted}{by}", words.change(f"{now.after.below_k:,}", f"{then.after.below_k:,}"))
            kept = words.change(words.percent(now.rows_kept), words.percent(then.rows_kept))
            st.metric(figures.ROWS_KEPT.name.lower(), kept)

"""The steps of the recipe: what each does, on or off, in which order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from anonlib.basics import figures, words
from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Mask
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied, StepEffect
from anonlib.release.recipe import Entry, Recipe
from anonlib.release.steps import Decision, Recode, Step, Unseen
from pages.release.release.controls import forms, saved_recipe
from ui.kit import page
from ui.session import decide, guard, keep, view
from ui.session.state import session
from ui.text import plain

MOST_NAMED = 8
DECISIONS: dict[Decision, str] = {
    "nearest": "Give them the label of the nearest value, and others like them next time",
    "star": "Replace them by *, and others like them next time",
    "leave_out": "Leave out their records, and others like them next time",
    "keep": "Release these as they are",
}


def switch(position: int, on: bool) -> None:
    if session().recipe.entries[position].enabled != on:
        decide.set_recipe(session().recipe.switch(position, on))


def move(position: int, by: int) -> None:
    decide.set_recipe(session().recipe.move(position, by))


def remove(position: int) -> None:
    decide.set_recipe(session().recipe.remove(position))


def start_with(steps: tuple[Step, ...]) -> None:
    decide.set_recipe(Recipe().take(steps, view.now().data))


def cover(position: int, unseen: Unseen, key: str) -> None:
    """Say what becomes of values that a step does not cover."""
    recipe, decision = session().recipe, keep.reported(key)
    if decision is not None:
        decide.set_recipe(recipe.replace_step(position, recipe.entries[position].step.decided(unseen, decision)))


def show_recipe(data: Dataset, applied: Applied) -> None:
    recipe = view.now().recipe
    st.subheader("Recipe", anchor=False, help="Steps are applied to the original, from top to bottom, each time.")
    saved_recipe.show_offer(data)
    if not len(recipe):
        show_start()
        return
    for position, (entry, effect) in enumerate(zip(recipe.entries, applied.effects, strict=True)):
        show_step(data, position, entry, effect, last=position == len(recipe) - 1)


def show_start() -> None:
    first_recipe = view.now().first_recipe
    with st.container(border=True):
        st.markdown("**No steps yet.** Add one below, or start from these, which follow from the columns’ values:")
        for step in first_recipe.steps:
            st.markdown(f"- {plain(step.describe(), 200)}")
        share_kept = words.share(first_recipe.records_kept, first_recipe.n_records, "rows")
        st.markdown(
            f"They keep **{share_kept}**, with k = {first_recipe.k:,}."
            if first_recipe.records_kept
            else ":red[They leave no record: recode more coarsely by hand, or ask for a smaller k.]"
        )
        st.button(
            "Start with these steps",
            type="primary",
            icon=":material/playlist_add:",
            on_click=guard.action(start_with),
            args=(first_recipe.steps,),
        )
        st.page_link(
            page.VERDICT, label="They are made for k alone; what meets all criteria is on the page Verdict",
            icon=":material/gavel:",
        )  # fmt: skip


def show_step(data: Dataset, position: int, entry: Entry, effect: StepEffect | None, *, last: bool) -> None:
    with st.container(border=True, gap="xsmall"):
        text, on = st.columns([12, 1.6], vertical_alignment="center", gap="small")
        if effect is not None and effect.problem:
            result = f":small[:red[{plain(effect.problem, 300)}]]"
        else:
            reason = f" ({plain(entry.step.reason, 200)})" if entry.step.reason else ""
            result = f":small[:gray[{effect_in_words(effect) if effect else 'Switched off'}{reason}.]]"
        number = position + 1
        text.markdown(f"**{number}. {plain(entry.step.describe(), 160)}**  \n{result}")
        keep.toggle(
            f"on-{position}", f"Step {number} is on", entry.enabled, take=partial(switch, position), place=on,
            label_visibility="collapsed", help="Switch the step on or off",
        )  # fmt: skip
        for unseen in effect.unseen if effect is not None else ():
            show_unseen(data, position, entry, unseen)
        first = "" if position else f"Step {number} is the first already."
        final = f"Step {number} is the last already." if last else ""
        with st.container(horizontal=True, gap="medium"):
            step_button("Change", f"Change step {number}", begin_edit, position)
            step_button("Earlier", f"Step {number} earlier", move, position, -1, why_not=first)
            step_button("Later", f"Step {number} later", move, position, 1, why_not=final)
            step_button("Remove", f"Remove step {number}", remove, position)


def show_unseen(data: Dataset, position: int, entry: Entry, unseen: Unseen) -> None:
    """Values that a step does not cover, with the decision on them; cells are named of quasi-identifiers only."""
    n, column = len(unseen.values), plain(unseen.column, 40)
    known = data.roles.get(unseen.column) in (Role.QUASI_IDENTIFIER, Role.PLACE)
    names = ": " + page.listed(list(unseen.values), MOST_NAMED) if known else ""
    st.warning(
        f"**{words.count(n, 'values')} of {column} {'is' if n == 1 else 'are'} not covered** "
        f"({words.count(unseen.records, 'records')}){names}. The step was made for a file without "
        f"{'it' if n == 1 else 'them'}. No file leaves until you decide.",
        icon=":material/warning:",
    )
    key = keep.key(f"decide-{position}-{unseen.column}-{entry.step.digest[:12]}")
    st.selectbox(
        f"What becomes of {'it' if n == 1 else 'them'}?", entry.step.decisions(unseen), index=None,
        placeholder="Decide", format_func=DECISIONS.__getitem__, key=key, on_change=guard.action(cover),
        args=(position, unseen, key),
    )  # fmt: skip


def step_button(label: str, meaning: str, callback: Callable[..., None], *arguments, why_not: str = "") -> None:
    st.button(
        f":small[{label}]",
        key=meaning,
        help=why_not or meaning,
        disabled=bool(why_not),
        type="tertiary",
        on_click=guard.action(of_recipe),
        args=(view.now().recipe, callback, *arguments),
    )


def effect_in_words(effect: StepEffect) -> str:
    parts = []
    if effect.columns_removed:
        parts.append(f"{words.count(effect.columns_removed, 'columns')} dropped")
    if effect.records_removed:
        parts.append(f"{words.count(effect.records_removed, 'rows')} left out")
    if effect.persons_cut:
        parts.append(f"{words.count(effect.persons_cut, 'persons')} had more rows")
    if effect.cells_changed:
        values = words.count(effect.values_changed, "values") + (" and missing ones" if effect.missing_changed else "")
        parts.append(f"{words.count(effect.cells_changed, 'cells')} of {values} changed")
    if effect.untouched:
        parts.append(f"{words.count(effect.untouched, 'values')} left as they are, because it does not apply to them")
    return ", ".join(parts) or "Changes nothing"


# ---- adding a step, or changing one ----


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
            rows_kept = words.change(words.percent(now.rows_kept), words.percent(then.rows_kept))
            st.metric(figures.ROWS_KEPT.name.lower(), rows_kept)

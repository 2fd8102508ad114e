"""Release: drop, recode and suppress until k holds, see what it costs, and take the file home."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np
import pandas as pd
import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.plots import release as plots
from anonlib.plots import risk as risk_plots
from anonlib.release.comparison import Comparison
from anonlib.release.export import released_csv, table_csv, value_mapping
from anonlib.release.generalized import suppresses
from anonlib.release.recipe import Applied, Entry, Recipe, StepEffect
from anonlib.release.steps import Step
from anonlib.release.suggestions import suggested_steps
from anonlib.release.unprotected import Lone, Telling, lone_values, telling_columns, uncounted
from anonlib.roles import Role
from ui import cache, explain, guard, outcome, page, state, step_builder
from ui.text import plain, printable

DOES = "Here you protect it step by step, see at once what each step does to risk and data, and download the result."
NEARLY_UNIQUE = 0.5  # distinct values / records


# ---- the recipe ---------------------------------------------------------------------------------------------------


def switch(position: int, key: str) -> None:
    state.set_recipe(state.session().recipe.switch(position, st.session_state[key]))


def move(position: int, by: int) -> None:
    state.set_recipe(state.session().recipe.move(position, by))


def remove(position: int) -> None:
    state.set_recipe(state.session().recipe.remove(position))


def of_recipe(recipe: Recipe, callback: Callable[..., None], *arguments) -> None:
    """What a button does that was drawn for this recipe: nothing to another one, as at the second of two clicks."""
    if state.session().recipe == recipe:
        callback(*arguments)


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
    steps = suggested_steps(data, state.session().k)
    with st.container(border=True):
        st.markdown("**No steps yet.** Add one below, or start from these, which follow from the columns’ values:")
        for step in steps:
            st.markdown(f"- {plain(step.describe(), 200)}")
        st.button(
            "Start with these steps",
            type="primary",
            icon=":material/playlist_add:",
            on_click=guard.action(start_with),
            args=(steps,),
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


# ---- adding and editing a step ------------------------------------------------------------------------------------


def begin_edit(position: int | None) -> None:
    state.session().editing = position


def show_builder(data: Dataset) -> None:
    """Choose a step, or change one, and see what it would do before it is kept."""
    session = state.session()
    recipe, position = session.recipe, session.editing
    if position is None:
        with st.expander("**Add a step**", expanded=not recipe, key=f"add-step-open-{bool(recipe)}"):
            current = outcome.applied_to(recipe, data).released
            build(current, None, "add", "Add to recipe", recipe.add, state.add_step)
    else:
        with st.container(border=True):
            st.markdown(f"**Change step {position + 1}**")
            current = outcome.applied_to(recipe.before(position), data).released
            edited = recipe.entries[position].step
            outlook, keep = partial(recipe.replace_step, position), partial(state.replace_step, position)
            build(current, edited, f"edit-{position}-{hash(edited)}", "Keep the change", outlook, keep)
            st.button("Leave it as it was", on_click=guard.action(begin_edit), args=(None,))


def build(
    current: Dataset,
    edited: Step | None,
    key: str,
    label: str,
    outlook: Callable[[Step], Recipe],
    keep: Callable[[Step], None],
) -> None:
    try:
        step = step_builder.choose_step(current, edited, key)
    except InputError as error:
        st.markdown(f":red[{plain(error)}]")
        step = None
    given = edited.reason if edited is not None else ""
    reason = st.text_input("Reason (kept in the recipe)", given, key=f"{key}-reason", placeholder="optional")
    if step is None:
        st.button(label, key=f"{key}-done", disabled=True, help="Complete the step first.", icon=":material/check:")
        return
    step = replace(cast(Any, step), reason=reason)
    show_outlook(outlook(step))
    st.button(
        label, key=f"{key}-done", type="primary", icon=":material/check:", on_click=guard.action(of_recipe),
        args=(state.session().recipe, keep, step),
    )  # fmt: skip


def show_outlook(recipe: Recipe) -> None:
    """What the recipe would come to with the step, before it is kept."""
    now, then = outcome.comparison(), outcome.comparison(recipe)
    if now is None or then is None:
        return
    if not then.records_after:
        if now.records_after:
            st.warning("No record would be left.", icon=":material/warning:")
    else:
        wanted = then.after.k_wanted
        with st.container(horizontal=True):
            st.metric("Would make k", words.change(f"{now.after.k:,}", f"{then.after.k:,}"))
            st.metric(f"below {wanted}", words.change(f"{now.after.below_k:,}", f"{then.after.below_k:,}"))
            st.metric("records kept", words.change(words.percent(now.share_kept), words.percent(then.share_kept)))


# ---- what it does -------------------------------------------------------------------------------------------------


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


# ---- take it home -------------------------------------------------------------------------------------------------


def released_file(released: Dataset, lot: list[int]) -> bytes:
    return released_csv(released, np.random.default_rng(lot))


def mapping_file(applied: Applied, recipe: Recipe) -> bytes:
    return table_csv(value_mapping(applied, recipe))


def load_recipe(key: str) -> None:
    upload = state.uploaded(key)
    if upload is not None:
        state.set_recipe(Recipe.from_json(upload.getvalue()))
        state.session().notice = f"The recipe {upload.name} is loaded."


def show_unprotected(data: Dataset, applied: Applied) -> None:
    """Columns that leave although nobody said what they are, tell what is protected, or tell records apart."""
    released = applied.released
    undecided = [column for column in released.columns if column not in released.roles]
    if undecided:
        st.caption(f"Without a role, and released as they are: {page.listed(undecided)}.")
    for said in telling_in_words(cache.remember(_telling, state.session().recipe, data), released):
        st.warning(said, icon=":material/warning:")
    lone = [
        f"{found.alone:,} of {words.count(found.n_records, released.unit)} have a **{plain(found.column, 40)}** that "
        "no other has"
        for found in cache.remember(_lone, released)
        if found.alone
    ]
    if lone:
        st.warning(
            f"{'; '.join(lone)}. The k above does not count that: whoever has the same values elsewhere can link "
            "these records. Drop or recode, unless nobody can.",
            icon=":material/warning:",
        )


def _telling(recipe: Recipe, data: Dataset) -> tuple[Telling, ...]:
    return telling_columns(outcome.applied_to(recipe, data), recipe)


def _lone(released: Dataset) -> tuple[Lone, ...]:
    least = NEARLY_UNIQUE * max(20, released.n_records)
    return lone_values(released, [c for c in uncounted(released) if released.records[c].nunique() > least])


def telling_in_words(found: tuple[Telling, ...], released: Dataset) -> list[str]:
    """By column that tells, as Markdown: what, of how many records, and the way out."""
    said = []
    for column in dict.fromkeys(one.column for one in found):
        told = [one for one in found if one.column == column]
        shares = ", ".join(
            f"**{plain(one.tells, 40)}** of {words.share(one.known, one.n_records, released.unit)}" for one in told
        )
        ways = dict.fromkeys("recoding" if one.tells in released.columns else "dropping" for one in told)
        said.append(
            f"**{plain(column, 40)}** tells the original {shares}: {' or '.join(ways)} "
            f"{page.listed([one.tells for one in told])} does little while it leaves. Drop it, or make it a "
            "quasi-identifier on the Data page."
        )
    return said


def show_downloads(data: Dataset, applied: Applied, comparison: Comparison) -> None:
    st.subheader("Take it home", anchor=False)
    recipe = state.session().recipe
    short = comparison.after.below_k
    if applied.problems:
        why = "A step of the recipe could not be applied: correct it, switch it off or remove it first."
    elif not comparison.records_after:
        why = why_empty(applied)
    else:
        why = ""
    if short and not why:
        st.warning(
            f"k does not hold yet: {words.share(short, comparison.after.n_records, data.unit)} are in classes below "
            f"{comparison.after.k_wanted}. You can download all the same; the file is then not what you asked for.",
            icon=":material/warning:",
        )
    gone, ids = data.identifiers, applied.released.columns_with(Role.PERSON_ID)
    st.markdown(
        f"{words.count(comparison.records_after, 'records')}, {words.count(len(applied.released.columns), 'columns')}"
        + (f"; identifiers gone: {page.listed(gone)}" if gone else "")
        + (f"; ids in {page.listed(ids)} replaced by numbers in random order" if ids else "")
        + (
            f"; {words.count(applied.left_out, 'records')} with a missing quasi-identifier left out"
            if applied.left_out
            else ""
        )
        + ". Cells that a spreadsheet would run as a formula get an apostrophe in front."
    )
    show_unprotected(data, applied)
    recodes = any(step.recodes for step in recipe.enabled)
    stem = printable(data.name).rsplit(".", 1)[0][:60] or "data"
    with st.container(horizontal=True):
        page.download(
            "Released CSV", partial(released_file, applied.released, state.lot("release")), f"{stem}-released.csv",
            "download-csv", why_not=why, primary=True,
        )  # fmt: skip
        page.download(
            "Value mapping", partial(mapping_file, applied, recipe), f"{stem}-values.csv", "download-mapping",
            why_not=why or ("" if recodes else "No step recodes values."),
            help="What each value was recoded to. It holds original values: keep it inside.",
        )  # fmt: skip
        page.download(
            "Save recipe", recipe.to_json().encode, f"{stem}-recipe.json", "download-recipe",
            why_not="" if len(recipe) else "The recipe has no steps.", help="To use again, say on next year’s file.",
        )  # fmt: skip
        with st.popover("Load recipe", icon=":material/upload:"):
            key = f"recipe-{state.session().generation}"
            st.file_uploader(
                "A recipe saved here (JSON)", type="json", key=key, on_change=guard.action(load_recipe), args=(key,)
            )


# ---- the page -----------------------------------------------------------------------------------------------------


def show_page() -> None:
    page.header("Release", "What must change before this file may leave, what does that cost, and where is the result?")
    data = page.require_quasi_identifiers(DOES)
    applied, comparison = outcome.applied(), outcome.comparison()
    assert applied is not None and comparison is not None
    if comparison.records_after:
        show_metrics(comparison, data)
    else:
        show_empty(comparison, applied)
    left, right = st.columns([1.1, 1], gap="large")
    with left:
        show_recipe(data, applied)
        show_builder(data)
    with right:
        show_distribution(comparison, data.unit)
        show_downloads(data, applied, comparison)

    page.tabs(
        "release-tabs",
        {
            "Original and release": partial(show_comparison, comparison, data.unit),
            "What was lost": partial(show_losses, comparison),
            "How it works": partial(st.markdown, explain.RELEASE),
        },
    )


show_page()

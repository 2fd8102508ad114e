"""What must survive: named by the officer, and how well each proposal keeps it, original against release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.utility.purposes import (
    MOST_PURPOSES,
    GroupMeans,
    Kept,
    Learnt,
    MeanByGroup,
    Model,
    Purpose,
    SharedTables,
    Together,
    kept,
    mean_share,
)
from anonlib.basics import figures, words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, share_of
from anonlib.dataset import Dataset
from anonlib.plots import purposes as plots
from anonlib.release.export import table_csv
from anonlib.release.recipe import Recipe
from anonlib.values.cells import is_code, to_numbers
from anonlib.verdict.proposals import Ranked, ranked
from anonlib.verdict.proposals.offers import Offers
from pages.verdict.verdict import offers, question
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.session import cache, guard, keep, stoppable, view
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain, printable

_RECIPE = "Recipe now"
_KINDS = (Together, MeanByGroup, Model)
_MOST_VALUES = 20  # that a model can predict
_WORDING = stoppable.Wording(
    "Measuring what survives", "What survives is not measured: you stopped it.", "Stop measuring", "Measure it"
)


def show(data: Dataset) -> None:
    """What is named, what names more, and how well the proposals do."""
    st.markdown(
        "Name what somebody needs these data for. Proposals are ranked by how well it does in the release, and "
        "searches spare the columns that it is about."
    )
    _ask(data)
    purposes = session().aim.purposes
    _show_named(purposes)
    if not purposes:
        return
    try:
        made = offers.made(data)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        made = None
    releases = _releases(made, data)
    if not releases:
        st.caption("There is no proposal to measure yet, and no step in the recipe.")
        return
    was_measured = all(survives(recipe, data) is not None for _, recipe, _ in releases)
    names = cache.digest(purposes, *(recipe for _, recipe, _ in releases))
    order = stoppable.done(
        f"survives-{data.key}-{names}", lambda tell: _ranked(releases, purposes, data, tell), _WORDING
    )
    if order is not None and not was_measured:
        st.rerun()  # so that the proposals above say it too
    if order is not None:
        _show_ranking(order, purposes)
        _show_pictures(order)


def survives(recipe: Recipe, data: Dataset) -> float | None:
    """The mean share that a release keeps of what must survive, in [0, 1]; None where it is not measured."""
    purposes = session().aim.purposes
    measured = cache.remembered(_kept, data, recipe, purposes=purposes) if purposes else None
    return None if measured is None else mean_share(measured)


# ---- naming ----


def _ask(data: Dataset) -> None:
    """The selectors that name one more thing."""
    n_named = len(session().aim.purposes)
    if n_named >= MOST_PURPOSES:
        st.caption(f"{MOST_PURPOSES} things are named, the most that can be. Take one out to name another.")
        return
    columns, numbers, few = cache.remember(_offered, data)
    if len(columns) < 2:
        st.caption("The file has fewer than two columns that say something of a person.")
        return
    with st.container(border=True):
        kind = keep.segments(
            "usefulness-kind", "What must survive", [each.called for each in _KINDS], label_visibility="collapsed"
        )
        purpose, why_not = _asked_purpose(kind, columns, numbers, few)
        is_named = purpose in session().aim.purposes
        st.button(
            "It must survive", key="usefulness-add", icon=":material/add:", on_click=guard.action(_add),
            args=(purpose,), disabled=purpose is None or is_named,
            help="It is named already." if is_named else why_not or "Named with the project, and guides every search.",
        )  # fmt: skip
        if why_not:
            st.caption(why_not)


def _asked_purpose(
    kind: str, columns: Sequence[str], numbers: Sequence[str], few: Sequence[str]
) -> tuple[Purpose | None, str]:
    """What the selectors name, or why they name nothing."""
    if kind == MeanByGroup.called:
        if not numbers:
            return None, "No column holds numbers, so there is no mean."
        one, other = page.beside(1, 1)
        value = _select("usefulness-value", "Mean of", numbers, one)
        group = _select(keep.per("usefulness-group", value), "In each group of", _others(columns, value), other)
        return MeanByGroup(value, group), ""
    if kind == Model.called:
        if not few:
            return None, f"No column has 2 to {_MOST_VALUES} values, so there is nothing to predict."
        one, other = page.beside(1, 2)
        target = _select("usefulness-target", "What to predict", few[::-1], one)
        predictors = keep.several(
            keep.per("usefulness-predictors", target), "From which columns", _others(columns, target), place=other,
            format_func=titled, placeholder="Choose columns",
        )  # fmt: skip
        return (Model(target, tuple(predictors)), "") if predictors else (None, "Choose columns to predict it from.")
    one, other = page.beside(1, 1)
    first = _select("usefulness-first", "This column", columns, one)
    second = _select(keep.per("usefulness-second", first), "Together with", _others(columns, first), other)
    return Together(first, second), ""


def _select(name: str, label: str, offered: Sequence[str], place: object) -> str:
    return keep.select(name, label, offered, place=place, format_func=titled)


def _others(columns: Sequence[str], name: str) -> list[str]:
    return [other for other in columns if other != name]


def _offered(data: Dataset) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Columns that say something of a person, of few enough values; those of numbers, and those with 2 to 20 values."""
    apart = {*data.identifiers, data.person_id, data.weight}
    columns = tuple(name for name in data.columns if name not in apart and data.held.lists_values(name))
    values = {name: data.held.values(name) for name in columns}
    few = tuple(name for name, held in values.items() if 2 <= len(held) <= _MOST_VALUES)
    return columns, tuple(name for name, held in values.items() if _holds_numbers(held)), few


def _holds_numbers(values: np.ndarray) -> bool:
    """Whether most values are numbers, and no codes."""
    texts = list(map(str, values))
    return len(texts) > 1 and not is_code(texts) and bool(np.isnan(to_numbers(texts)).mean() < 0.5)


def _show_named(purposes: Sequence[Purpose]) -> None:
    for place, purpose in enumerate(purposes):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                "Take out", key=f"usefulness-remove-{place}", icon=":material/close:",
                on_click=guard.action(_remove), args=(purpose,), help="It is named no longer. You can undo it.",
            )  # fmt: skip
            st.markdown(f"**{plain(purpose.title)}**")


def _add(purpose: Purpose) -> None:
    session().aim = replace(session().aim, purposes=(*session().aim.purposes, purpose))


def _remove(purpose: Purpose) -> None:
    left = tuple(other for other in session().aim.purposes if other != purpose)
    session().aim = replace(session().aim, purposes=left)


# ---- measured ----


def _releases(made: Offers | None, data: Dataset) -> list[tuple[str, Recipe, float]]:
    """By name, the recipe as it is where it has steps and each proposal in it, with the loss where it is known."""
    now = view.now().recipe
    offered = () if made is None else made.offers
    found = [(offer.title, question.recipe_with(offer.proposal, data), offer.proposal.loss) for offer in offered]
    if now.enabled and all(recipe.digest != now.digest for _, recipe, _ in found):
        found.append((_RECIPE, now, float("nan")))
    return found


def _ranked(
    releases: Sequence[tuple[str, Recipe, float]], purposes: tuple[Purpose, ...], data: Dataset, tell: Progress
) -> tuple[Ranked, ...]:
    measured = []
    for i, (name, recipe, loss) in enumerate(releases):
        part = share_of(tell, i / len(releases), (i + 1) / len(releases))
        measured.append(Ranked(name, loss, cache.remember(_kept, data, recipe, progress=part, purposes=purposes)))
    return ranked(measured)


def _kept(data: Dataset, recipe: Recipe, *, purposes: tuple[Purpose, ...], progress: Progress) -> tuple[Kept, ...]:
    applied = view.apply(recipe, data)
    return kept(purposes, applied.original, applied.released, progress=progress)


# ---- shown ----


def _show_ranking(order: Sequence[Ranked], purposes: Sequence[Purpose]) -> None:
    st.subheader("Most of it survives first", anchor=False)
    titles = [printable(purpose.title) for purpose in purposes]
    table = pd.DataFrame(
        {
            "Release": [each.name for each in order],
            "Kept on average": [each.mean for each in order],
            figures.DETAIL_LOST.name: [each.loss for each in order],
            **{title: [each.kept[i].share for each in order] for i, title in enumerate(titles)},
        }
    )
    shares = [name for name in table.columns if name != "Release"]
    page.table(table, "Proposals, by how much survives of what is named", percent=shares)
    page.counts(
        "100% is as in the original, 0% is nothing. Kept on average counts what cannot be measured as 0. Columns that "
        "are named weigh 3 in the detail lost, and in every search, unless they were given a weight of their own."
    )
    page.download("Table as CSV", partial(table_csv, table), "what-survives.csv", "usefulness-csv", holds=Holds.FIGURES)


def _show_pictures(order: Sequence[Ranked]) -> None:
    by_name = {each.name: each for each in order}
    name = keep.select("usefulness-release", "Original against", list(by_name), width=360)
    for place, found in zip(page.beside(*[1] * 2) * len(by_name[name].kept), by_name[name].kept, strict=False):
        with place:
            _show_picture(found)


def _show_picture(found: Kept) -> None:
    share = "Not measured" if found.share is None else f"{words.percent(found.share)} kept"
    st.markdown(f"**{plain(found.purpose.title)}**: {share}  \n:small[:gray[{plain(found.sentence)}]]")
    match found.detail:
        case GroupMeans() as means:
            page.figure(partial(plots.group_means, means), "Two dots a group, original and release.", None)
        case SharedTables() as tables:
            page.figure(
                partial(plots.together, tables),
                "Two squares of cells, original and release: how the second column is spread in each row of the first.",
                None,
            )
        case Learnt() as learnt:
            page.figure(
                partial(plots.learnt, learnt),
                f"Dots of the area under the curve: original {learnt.before:.3f}, release {learnt.after:.3f}.",
                None,
            )

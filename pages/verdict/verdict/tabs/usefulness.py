"""How well each proposal keeps what must survive, original against release: shown beside, and never what picks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.utility.purposes import GroupMeans, Kept, Learnt, Purpose, SharedTables, kept, mean_share
from anonlib.basics import figures, words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.dataset import Dataset
from anonlib.plots import purposes as plots
from anonlib.release.export import table_csv
from anonlib.release.recipe import Recipe
from anonlib.verdict.proposals import Ranked, ranked
from anonlib.verdict.proposals.offers import Offers
from pages.verdict.verdict import offers, question
from ui.kit import levels, page
from ui.kit.release_gate import Holds
from ui.session import cache, keep, long_work, view
from ui.session.state import session
from ui.text import plain, printable

_RECIPE = "Recipe now"
_WORDING = long_work.WorkInWords(
    "Measuring what survives", "What survives is not measured: you stopped it.", "Stop measuring", "Measure it"
)


def show(data: Dataset) -> None:
    """How well the proposals do."""
    purposes = session().aim.purposes
    if not purposes:
        st.info(
            "Say above what the data are needed for: how well it does in each release is measured here.",
            icon=":material/info:",
        )
        return
    try:
        shown_offers = offers.made(data)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        shown_offers = None
    releases = _releases(shown_offers, data)
    if not releases:
        st.caption("There is no proposal to measure yet, and no step in the recipe.")
        return
    was_measured = all(survives(recipe, data) is not None for _, recipe, _ in releases)
    names = cache.digest(purposes, *(recipe for _, recipe, _ in releases))
    ranking, name = partial(_ranked, releases, purposes, data), f"survives-{data.key}-{names}"
    order = ranking(nobody) if was_measured else long_work.stoppable(name, ranking, _WORDING, first=False)
    if order is not None and not was_measured:
        st.rerun()  # so that the proposals above say it too
    if order is not None:
        _show_ranking(order, purposes)
        _show_pictures(order)


def survives(recipe: Recipe, data: Dataset) -> float | None:
    """The mean share that a release keeps of what must survive, in [0, 1]; None where it is not measured."""
    purposes = session().aim.purposes
    measured = _kept.held(data, recipe, purposes=purposes) if purposes else None
    return None if measured is None else mean_share(measured)


# ---- measured ----


def _releases(shown_offers: Offers | None, data: Dataset) -> list[tuple[str, Recipe, float]]:
    """By name, the recipe where it has steps and each proposal in it, with the detail lost where it is known."""
    now = view.now().recipe
    offered = () if shown_offers is None else shown_offers.offers
    releases = [(offer.title, question.recipe_with(offer.proposal, data)) for offer in offered]
    if now.enabled and all(recipe.digest != now.digest for _, recipe in releases):
        releases.append((_RECIPE, now))
    return [(name, recipe, _lost(recipe, data)) for name, recipe in releases]


def _lost(recipe: Recipe, data: Dataset) -> float:
    """The share of the detail that is lost, in [0, 1]; NaN where it cannot be counted."""
    lost = levels.lost(data, recipe)
    return float("nan") if lost is None else lost.share


def _ranked(
    releases: Sequence[tuple[str, Recipe, float]], purposes: tuple[Purpose, ...], data: Dataset, progress: Progress
) -> tuple[Ranked, ...]:
    measured = []
    for i, (name, recipe, loss) in enumerate(releases):
        part = share_of(progress, i / len(releases), (i + 1) / len(releases))
        measured.append(Ranked(name, loss, _kept(data, recipe, progress=part, purposes=purposes)))
    return ranked(measured)


@cache.remembered
def _kept(data: Dataset, recipe: Recipe, *, purposes: tuple[Purpose, ...], progress: Progress) -> tuple[Kept, ...]:
    applied = view.apply(recipe, data)
    return kept(purposes, applied.original, applied.released, progress=progress)


# ---- shown ----


def _show_ranking(order: Sequence[Ranked], purposes: Sequence[Purpose]) -> None:
    st.subheader("Most of it survives first", anchor=False)
    titles = [printable(purpose.title) for purpose in purposes]
    table = pd.DataFrame(
        {
            "Release": [release.name for release in order],
            "Kept on average": [release.mean for release in order],
            figures.DETAIL_LOST.name: [release.loss for release in order],
            **{title: [release.kept[i].share for release in order] for i, title in enumerate(titles)},
        }
    )
    shares = [name for name in table.columns if name != "Release"]
    page.table(table, "Proposals, by how much survives of what is named", percent=shares)
    page.counts(
        "100% is as in the original, 0% is nothing. Kept on average counts what cannot be measured as 0. Columns that "
        "are named weigh 3 in every search, unless they were given a weight of their own; what is measured here picks "
        "no proposal."
    )
    page.download("Table as CSV", partial(table_csv, table), "what-survives.csv", "usefulness-csv", holds=Holds.FIGURES)


def _show_pictures(order: Sequence[Ranked]) -> None:
    by_name = {release.name: release for release in order}
    name = keep.select("usefulness-release", "Original against", list(by_name), width=360)
    for place, of_purpose in zip(page.beside(*[1] * 2) * len(by_name[name].kept), by_name[name].kept, strict=False):
        with place:
            _show_picture(of_purpose)


def _show_picture(of_purpose: Kept) -> None:
    share = "Not measured" if of_purpose.share is None else f"{words.percent(of_purpose.share)} kept"
    st.markdown(f"**{plain(of_purpose.purpose.title)}**: {share}  \n:small[:gray[{plain(of_purpose.sentence)}]]")
    match of_purpose.detail:
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

"""The tab that makes one numeric column coarser, to protect the sensitive one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from anonlib.analyses.individuals import GeneralizationScan, Partition
from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.plots import individuals as plots
from anonlib.release.export import table_csv
from anonlib.release.steps import Recode
from pages.measure.individuals import column_results, picture
from pages.measure.individuals.question import IndividualsQuestion, is_numeric
from ui.kit import covering, page
from ui.kit.release_gate import Holds
from ui.session import decide, guard, keep, view
from ui.session.names import titled
from ui.session.state import session
from ui.text import printable


def show_scan(data: Dataset, question: IndividualsQuestion, sensitive: str) -> None:
    """The generalization scan of one numeric column, and its best partition on the way to the recipe."""
    numeric = [name for name in question.variables if name != sensitive and is_numeric(data, name)]
    if not numeric:
        st.markdown(
            "No other column here is numeric, so there is nothing to cut into intervals. A column that the recipe cuts "
            "already can be looked at in the original."
        )
        return
    choose, widest, _ = st.columns([1.5, 2, 2], vertical_alignment="bottom", gap="medium")
    attribute = keep.select(
        picture.SCAN_COLUMN, "Column to make coarser", numeric,
        _gives_most_away(data, question, sensitive, numeric), place=choose, format_func=titled,
        help="At first the one that gives most away to the attacker set above.",
    )  # fmt: skip
    grid = column_results.grid_of(data, question, attribute)
    most = grid.n * grid.step
    width = keep.slider(
        keep.per("individuals-scan-width", attribute, grid.step, most), "Widest category you accept", grid.step, most,
        column_results.begin_width(grid), grid.step, "%g", place=widest,
        help="In the column’s own unit. Without a limit the best would be one category of everything.",
    )  # fmt: skip
    if question.measure != "ppp":
        st.caption("The scan is of who can be certain (PPP). For another measure, try the recoding in the recipe.")
    if isinstance(question.attacker, int) and question.attacker < len(question.variables) - 1:
        st.caption(f"This protects against any knowledge, even more than the {question.attacker} columns set above.")
    if question.within:
        st.caption("Numbers that are near do not count as equal in the scan.")
    if data is view.now().released:
        covering.say_by_labels(data, question.variables)
    scan = column_results.scan(data, question, sensitive, attribute, width)
    if scan is None:
        return
    drawn, side = st.columns([1.7, 1], gap="large")
    event = None
    with drawn:
        if len(scan.best) > 1:
            event = page.figure(
                partial(plots.scan, scan, unit=data.unit),
                f"Share of {data.unit} protected by the number of categories of {printable(attribute)}: "
                f"{words.percent(scan.baseline / max(1, scan.n_records))} as it is, at most "
                f"{words.percent(scan.protected.max() / max(1, scan.n_records))} with one of these partitions.",
                f"individuals-scan-{attribute}", selectable="points",
            )  # fmt: skip
            says = (
                "Each point is a partition into equal widths; blue the best of its number of categories, the diamond "
                "the best cuts of any width up to the limit."
            )
        else:
            st.markdown(_one_in_words(scan, data.unit))
            says = "Every partition into equal widths was looked at."
        page.counts(
            f"{says} Protected: more than {words.percent(scan.p)} of the peers have another value (PPP), whatever is "
            "known. Kroes et al. 2021, Figure 4."
        )
        page.download(
            "Table as CSV",
            lambda: table_csv(scan.to_frame()),
            "generalization-scan.csv",
            "download-scan",
            holds=Holds.FIGURES,
        )
    with side, st.container(border=True, height="stretch"):
        _scan_in_words(scan, chosen_partition(scan, event.selection.points if event else []), data.unit)
        if max(scan.protected.max(), scan.optimum.protected if scan.optimum else 0) <= scan.baseline:
            _no_gain(data, replace(question, measure="ppp", threshold=scan.p, within=()), scan)


def _one_in_words(scan: GeneralizationScan, unit: str) -> str:
    """What a picture of a single number of categories would show."""
    best = scan.partition(int(scan.best[0]))
    wider = " Accept wider categories to see more." if best.widest < scan.grid.n * scan.grid.step else ""
    return (
        f"With no category wider than {best.widest:g} there are **{words.count(best.categories, 'categories')}** of "
        f"{page.listed([scan.attribute])} and no other number: **{words.share(best.protected, scan.n_records, unit)}** "
        f"are protected, against **{words.share(scan.baseline, scan.n_records)}** as it is. That is one point, and no "
        f"picture.{wider}"
    )


def _gives_most_away(data: Dataset, question: IndividualsQuestion, sensitive: str, numeric: list[str]) -> str:
    """The numeric column that would free most were it unknown."""
    table = column_results.given_away(data, question, sensitive)[0].to_frame(question.threshold)
    return next(name for name in table["variable"] if name in numeric)


def chosen_partition(scan: GeneralizationScan, points: list) -> Partition | None:
    """The partition of the point that was clicked."""
    data = points[0].get("customdata") if points else None
    if data is None:
        return scan.optimum if points else None
    return scan.partition(int(data[0] if isinstance(data, list | tuple) else data["0"]))


def _scan_in_words(scan: GeneralizationScan, clicked: Partition | None, unit: str) -> None:
    n = scan.n_records
    best = scan.partition(int(np.lexsort((scan.widths, -scan.categories, -scan.protected))[0]))
    st.subheader("In words", anchor=False)
    st.markdown(
        f"As it is, **{words.share(scan.baseline, n, unit)}** are protected; without {page.listed([scan.attribute])} "
        f"it would be **{words.share(scan.ceiling, n)}**: no partition can do better."
    )
    choices = {"Clicked": clicked, "Best of equal widths": best, "Best cuts": scan.optimum}
    for i, (title, partition) in enumerate(choices.items()):
        if partition is None:
            continue
        st.markdown(
            f"**{title}**: {words.count(partition.categories, 'categories')}, the widest {partition.widest:g}: "
            f"**{words.share(partition.protected, n)}** protected."
        )
        if partition.protected > scan.baseline:
            st.button(
                "Add to recipe", key=f"individuals-scan-add-{i}", icon=":material/add:",
                on_click=guard.action(add_recoding), args=(scan.attribute, partition.recoding, scan.sensitive),
            )  # fmt: skip
    if clicked is None:
        st.caption("Click a point to read its partition.")


def _no_gain(data: Dataset, question: IndividualsQuestion, scan: GeneralizationScan) -> None:
    """What to do where no partition protects anyone more."""
    if scan.baseline == scan.n_records:
        st.markdown("Everybody is protected already: nothing is gained by making it coarser.")
        return
    st.markdown(
        f"**No partition protects more {data.unit}** than {page.listed([scan.attribute])} as it is. "
        + ("Accept wider categories, or drop it." if scan.ceiling > scan.baseline else "Nor would dropping it.")
    )
    adds = column_results.adds(data, question, scan.sensitive, False)[0].to_frame(scan.p)
    most = adds[(adds["variable"] != scan.attribute) & (adds["freed"] > 0)].head(1)
    for name, freed in zip(most["variable"], most["freed"], strict=True):
        st.markdown(
            f"Of the other columns {page.listed([name])} gives most away: were it unknown, **{freed:,}** more "
            f"{data.unit} would be safe from someone who knows all the rest."
        )
    if most.empty:
        sets = column_results.smallest_sets(data, replace(question, attacker="all"), scan.sensitive)[0].minimal
        top = sets.sets[0] if sets.sets else ()
        st.markdown(
            "No other column does it alone either: several must be coarser together."
            + (
                f" {page.listed(list(top))} {'are' if len(top) > 1 else 'is'} enough to know for most: "
                f"**{int(sets.counts[0]):,}**."
                if top
                else ""
            )
        )
    st.page_link(page.GENERALIZE, label="Find the least generalization", icon=":material/account_tree:")


def add_recoding(attribute: str, recoding, sensitive: str) -> None:
    """A recoding of a column into the recipe; one that is there for the same column gives way to it."""
    step = Recode(attribute, recoding, f"protects {sensitive}")
    decide.set_recipe(session().recipe.take([step], view.now().data, replacing=step.columns))
    session().notice = f"In the recipe: {step.describe()}. Look at the release to see what it does."

"""Individuals: whose sensitive value can be inferred, and from how much knowledge."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.individuals.heatmap import heatmap_columns
from pages.measure.individuals import picture, results, story, tabs
from pages.measure.individuals.results import Answer
from pages.measure.individuals.settings import Settings, choose, is_numeric
from ui import explain, guard, outcome, page, state
from ui.text import plain, printable

DOES = "This page shows whose sensitive value can be inferred by someone who knows other columns, and which ones."


# ---- in words -----------------------------------------------------------------------------------------------------


def show_metrics(
    answers: list[Answer], focus: str, data: Dataset, settings: Settings, released: Dataset | None
) -> None:
    """The figures that matter, original → now; ``data`` is the original."""
    n, column = answers[-1].people.n_records, plain(printable(focus), 40)
    sensitive = [name for name in data.sensitive if name in settings.variables]
    without = "one value" if released is not None and focus in released.columns else "dropped"
    exposed = [words.percent(float(a.share[a.place(focus)])) if focus in a.variables else without for a in answers]
    anywhere = [_anywhere(a, sensitive or a.variables) for a in answers]
    shares = [words.percent(float(a.people.share(some))) for a, some in zip(answers, anywhere, strict=True)]
    figures = [
        (
            f"Exposed in {plain(printable(focus), 24)}",
            words.change(exposed[0], exposed[-1]),
            f"{data.unit.capitalize()} for whom {picture.meaning(settings)}, of {words.count(n, data.unit)}."
            + picture.of_missing(answers[-1], focus, data.unit, settings),
        ),
        (
            "Exposed in any sensitive column" if sensitive else "Exposed in any column",
            words.change(shares[0], shares[-1]),
            f"{words.share(int(answers[-1].people.number(anywhere[-1])), n, data.unit)} now.",
        ),
    ]
    if settings.attacker == "chance":
        mean = [1 - float(a.people.share(a.values)[a.place(focus)]) if focus in a.variables else 0.0 for a in answers]
        expected = [round(x * a.people.n_records) for x, a in zip(mean, answers, strict=True)]
        figures += [
            (
                "Average probability",
                words.change(words.percent(mean[0]), words.percent(mean[-1])),
                f"That {column} is inferred, for one drawn at random.",
            ),
            (
                f"{data.unit.capitalize()} expected",
                words.change(f"{expected[0]:,}", f"{expected[-1]:,}"),
                f"So many have their {column} inferred on average, if each is attacked once.",
            ),
        ]
    elif all(a.profile is not None and focus in a.variables for a in answers) and settings.attacker != "all":
        alone, half = zip(*(_depth(a, focus, settings) for a in answers), strict=True)
        figures += [
            (
                "By one known column",
                words.change(words.percent(alone[0]), words.percent(alone[-1])),
                f"Exposed in {column} to someone who knows a single other column.",
            ),
            (
                "Known columns it takes",
                words.change(half[0], half[-1]),
                "So many are enough for half of those who are exposed.",
            ),
        ]
    page.metrics(*figures)


def _anywhere(found: Answer, columns: Sequence[str]) -> np.ndarray:
    """bool, per row: exposed in one of the columns that are still there."""
    return np.any(found.exposed[:, [found.place(name) for name in columns if name in found.variables]], axis=1)


def _depth(found: Answer, focus: str, settings: Settings) -> tuple[float, str]:
    assert found.profile is not None
    depth = found.profile.breach_depth(settings.threshold)[:, found.profile.sensitive.index(focus)]
    half = results.median_depth(depth, found.people.counts)
    return float(found.people.share((depth >= 0) & (depth <= 1))), "none" if half is None else str(half)


def in_words(data: Dataset, settings: Settings, found: Answer, focus: str, shown: tuple[int, int, bool]) -> None:
    people, n = found.people, found.people.n_records
    exposed = words.share(int(people.number(found.exposed[:, found.place(focus)])), n, data.unit)
    column = page.listed([focus])
    if settings.attacker == "chance":
        st.markdown(
            f"For **{exposed}** {column} is inferred with a probability above "
            f"{words.percent(state.session().threshold)}, by someone who knows each other column with a probability of "
            f"{words.percent(settings.chance)}."
        )
    else:
        st.markdown(f"**{exposed}** can be exposed: {settings.to_whom}, {settings.exposes(column)}.")
    missing = picture.of_missing(found, focus, data.unit, settings)
    if missing:
        st.markdown(missing)
    if people.is_sampled:
        st.markdown(
            f"Looked at: {people.n_sampled:,} of them at random, each against all {data.unit}; see the interval below."
        )
    if shown[:2] != (1, people.n_sampled):
        _range_in_words(data, found, focus, shown)
    _gives_most_away(data, settings, focus)


def _gives_most_away(data: Dataset, settings: Settings, focus: str) -> None:
    """The column that exposes most to the attacker in force, and the way to make it coarser.

    Who knows each column with a probability is spoken of as one who knows all.
    """
    attacker = replace(settings, attacker="all") if settings.attacker == "chance" else settings
    found, known = results.adds(data, attacker, focus, isinstance(attacker.attacker, int))
    if isinstance(attacker.attacker, int):
        attacker = replace(attacker, attacker=known)
    gain = found.to_frame(settings.threshold).iloc[0]
    if gain["freed"]:
        n = len(found.auxiliary) - 1
        left = f"{n} columns that are left"
        st.markdown(
            f"{page.listed([gain['variable']])} gives most away: were it unknown, **{gain['freed']:,}** more "
            f"{data.unit} would be safe from {attacker.someone_who_knows(n, f'the {left}', f'all {left}')}."
        )
        numeric = is_numeric(data, gain["variable"])
        st.button(
            f"Make {plain(printable(gain['variable']), 24)} coarser" if numeric else "See what each column adds",
            on_click=guard.action(picture.open_tab), icon=":material/tune:",
            args=("Make a column coarser", gain["variable"]) if numeric else ("What each column adds",),
        )  # fmt: skip


def _range_in_words(data: Dataset, found: Answer, focus: str, shown: tuple[int, int, bool]) -> None:
    first, last, clickable = shown
    part = heatmap_columns(
        found.exposed.astype(float), found.exposed, found.people.counts, found.order, first - 1, last, columns=1
    )
    count = round(float(part.mean[found.place(focus), 0]) * (last - first + 1))
    st.markdown(
        f"**Shown: {first:,} to {last:,}**, of whom {count:,} are exposed in {page.listed([focus])}. "
        + ("Click a cell to read that record’s story." if clickable else "Draw a range to look closer.")
    )
    st.button(
        "Show all",
        on_click=guard.action(picture.show_all),
        args=(found.people.n_sampled,),
        icon=":material/zoom_out_map:",
    )


# ---- the page -----------------------------------------------------------------------------------------------------


def show_page() -> None:
    page.header("Individuals", "Whose sensitive value can be inferred, and from how much knowledge?")
    original = page.require_quasi_identifiers(DOES)
    recipe = state.session().recipe
    metrics = st.container()
    asked, looked = choose(original, bool(recipe.enabled), partial(results.affordable_in, original))
    if len(asked.variables) < 2:
        st.info("Choose at least two columns under **More**: one to infer, and one to know.")
        st.stop()
    applied = outcome.applied()
    released = applied.released if applied is not None and recipe.enabled else None
    versions = [(original, asked.on(original))]
    left = None if released is None or not released.n_records else asked.on(released)
    if released is not None and left is not None and len(left.variables) > 1 and results.inferred(released, left):
        versions.append((released, left))
    data, settings = versions[-1] if looked == "Release" else versions[0]
    if looked == "Release" and len(versions) == 1:
        st.info(
            "The release has fewer than two of these columns, one value in each of them, or no record: nothing is left "
            "to infer."
        )
        st.stop()
    if not results.classes_of(data, settings).n_records:
        st.info("Nobody is left to look at: every record lacks one of these values, or stands for nobody.")
        st.stop()
    if not results.inferred(data, settings):
        st.info("Each of these columns has one value, the same for everybody: there is nothing to infer.")
        st.stop()
    found = results.answer(data, settings)
    if found is None:
        st.stop()
    answers = results.compared(versions, data, found)
    if found.known is not None:
        settings = replace(settings, attacker=found.known)  # what is shown, while longer work has not been done

    drawn, side = page.beside(2, 1)
    with side, st.container(border=True, height="stretch"):
        ranked = list(found.variables)
        name = f"individuals-focus-{hash(tuple(sorted(ranked)))}"
        focus = st.selectbox(
            "Sensitive column", ranked, ranked.index(state.setting(name, results.most_exposed(data, found))),
            format_func=printable, key=state.kept(name),
            help="The column whose values are to be protected, in the words here and in the views below.",
        )  # fmt: skip
        words_place = st.container()
    with drawn:
        shown = picture.show(data, settings, found)
    with words_place:
        in_words(data, settings, found, focus, shown)
    with metrics:
        show_metrics(answers, focus, original, asked, released)

    page.tabs(
        picture.TABS,
        {
            "Columns": partial(tabs.show_variables, data, settings, found),
            "What each column adds": partial(tabs.show_additions, data, settings, focus),
            "Make a column coarser": partial(tabs.show_scan, data, settings, focus),
            picture.STORY: partial(story.show, data, settings, focus, found),
            "Smallest sets": partial(tabs.show_sets, data, settings, focus),
            "How it works": partial(explain.show, "individuals"),
        },
    )


show_page()

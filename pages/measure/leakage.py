"""Leakage: which columns, and which combinations, give people away, on average and for the worst person."""

from functools import partial

import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.leakage import LeakageTable
from anonlib.plots import leakage as plots
from ui import explain, outcome, page, state
from ui.leakage import results, tabs
from ui.leakage.results import Version
from ui.leakage.settings import choose
from ui.text import plain, printable

DOES = "This page shows which columns, alone and combined, narrow a person down most, on average and at worst."


# ---- in words -----------------------------------------------------------------------------------------------------


def leakiest(table: LeakageTable) -> str:
    return table.sets[next(i for i in table.ranked() if len(table.sets[i]) == 1)][0]


def show_metrics(original: Version, released: Version | None, data: Dataset, shown: Version) -> None:
    """The figures that matter, original → now; ``data`` is what is released, or the original without a recipe.

    They begin with the column that gives away most in the version ``shown``.
    """
    name = leakiest(shown.table)
    before = original if released is None else results.alike(original, released)[0]
    after = original if released is None else results.alike(original, released)[1]
    i = original.table.place([name])
    there = name in after.table.attributes
    j = after.table.place([name]) if there else -1
    average = [words.percent(float(original.table.normalized[i])), "dropped"]
    worst = [words.percent(float(original.table.worst_normalized[i])), "dropped"]
    if there:
        average[1] = words.percent(float(after.table.normalized[j]))
        worst[1] = words.percent(float(after.table.worst_normalized[j]))
    most = leakiest(original.table), leakiest(after.table)
    alerts = [len(one.alerts.alerts) for one in (before, after)]
    all_known = [results.together(one) for one in (original.data, data)]
    shares = ["none left" if one is None else words.percent(float(one.normalized[0])) for one in all_known]
    page.metrics(
        (
            f"Leakiest: {plain(printable(name), 24)}",
            words.change(*average),
            f"Who knows this column has on average so much of what it takes to name someone "
            f"({original.table.loss[i]:.3g} of {original.table.entropy:.3g} bits in the original)."
            + "".join(
                f" The leakiest {when} is {plain(printable(other), 40)}."
                for when, other in zip(("in the original", "now"), most, strict=True)
                if other != name
            ),
        ),
        (
            "Worst person’s loss of it",
            words.change(*worst),
            "What the person in its smallest group loses. 100%: someone is alone with their value.",
        ),
        (
            "Alerts",
            words.change(f"{alerts[0]:,}", f"{alerts[1]:,}"),
            f"Smallest sets of up to {words.count(after.settings.max_size, 'columns')} past a limit: "
            f"{tabs.limits(after.settings)}.",
        ),
        (
            "All quasi-identifiers",
            words.change(*shares),
            "Average loss of whoever knows all quasi-identifiers together. 100%: everybody is alone.",
        ),
    )


def in_words(version: Version, name: str) -> None:
    """What one column gives away, with the next step."""
    table, unit, n = version.table, version.data.unit, version.table.n_records
    i = table.place([name])
    if table.loss[i] == 0:
        st.markdown(
            f"{page.listed([name])} says nothing: "
            + ("there is one to find." if n == 1 else "all have the same value.")
            + " Nobody is found by it, and nothing can be learnt from it."
        )
    else:
        left = 2 ** (table.entropy - table.loss[i])
        st.markdown(
            f"**On average** {page.listed([name])} gives away **{words.percent(float(table.normalized[i]))}** of what "
            f"it takes to name someone: it narrows {words.count(n, unit)} down to about "
            f"{f'{left:.2g}' if left < 10 else f'{left:,.0f}'}."
        )
        size = int(table.smallest[i])
        group = "is alone with their value" if size == 1 else f"shares their value with {size - 1:,} other"
        st.markdown(
            f"**The worst person** {group}{'' if size < 3 else 's'} and loses "
            f"**{words.percent(float(table.worst_normalized[i]))}**. "
            + (
                f"**{words.share(int(table.below_k[i]), n)}** are in groups below {table.k}."
                if table.below_k[i]
                else f"Nobody is in a group below {table.k}."
            )
        )
        _with_another(table, name)
    if table.n_records > 1:
        st.page_link(page.GENERALIZE, label="Find how coarse it must be", icon=":material/account_tree:")


def _with_another(table: LeakageTable, name: str) -> None:
    pairs = [i for i in table.ranked() if len(table.sets[i]) == 2 and name in table.sets[i]]
    if pairs:
        other = next(one for one in table.sets[pairs[0]] if one != name)
        st.markdown(
            f"Together with {page.listed([other])} it gives away most: "
            f"**{words.percent(float(table.normalized[pairs[0]]))}**."
        )


# ---- the picture --------------------------------------------------------------------------------------------------


def select(chart_key: str, focus_key: str, table: LeakageTable) -> None:
    """The column whose bar was clicked is the one in words."""
    points = st.session_state[chart_key].selection.get("points") or []
    place = clicked_place(points)
    if place is not None:
        st.session_state[focus_key] = table.sets[place][0]


def clicked_place(points: list[dict]) -> int | None:
    """The position in the table's sets that the clicked point carries."""
    place = points[0].get("customdata") if points else None
    return None if place is None else int(place[0] if isinstance(place, list | tuple) else place)


def show_picture(version: Version, focus_key: str) -> None:
    table, settings, data = version.table, version.settings, version.data
    top = leakiest(table)
    i = table.place([top])
    key = "leakage-losses"
    page.figure(
        plots.losses(
            table, average=settings.average, worst=settings.worst, unit=data.unit,
            bold=[name for name in table.attributes if name in data.sensitive], dark=page.dark(),
        ),
        f"Bars of what each of {words.count(len(table.attributes), 'columns')} gives away on average, with a mark for "
        f"the worst person, and how many {data.unit} are in groups below {table.k}. Most gives {printable(top)}: "
        f"{words.percent(float(table.normalized[i]))} on average, {words.percent(float(table.worst_normalized[i]))} at "
        "worst.",
        key, "points", partial(select, key, focus_key, table),
    )  # fmt: skip
    page.counts(
        "Bar: what a column gives away on average, as a share of the bits that name someone; mark: what the worst "
        "person loses. Red, the bar striped and the mark a diamond, is past a limit. The average hides the worst "
        "person, and filling rare groups raises it: read both. "
        f"{'Bold: sensitive. ' if data.sensitive else ''}Arca and Hewett 2021, Proposition 2."
    )


# ---- the page -----------------------------------------------------------------------------------------------------


def show_page() -> None:
    page.header(
        "Leakage", "Which columns, and which combinations, give people away, on average and for the worst person?"
    )
    loaded = page.require_quasi_identifiers(DOES)
    has_recipe = bool(state.session().recipe.enabled)
    metrics = st.container()
    settings, looked = choose(loaded, has_recipe, partial(results.seconds_in, loaded))
    if not settings.columns:
        st.info("Choose at least one column under **More**.")
        st.stop()
    if not results.classes_of(loaded, settings.columns).n_records:
        st.info("Nobody is left to look at: every record lacks one of these values, or stands for nobody.")
        st.stop()
    applied = outcome.applied()
    released_data = applied.released if applied is not None and has_recipe else None
    left = settings if released_data is None else settings.on(released_data)
    usable = released_data is not None and left.columns and results.classes_of(released_data, left.columns).n_records
    if looked == "Release" and not usable:
        st.info("The release has none of these columns, or no record: nothing is left to leak.")
        st.stop()
    original = results.version(loaded, settings, ask=looked != "Release")
    released = None
    if usable and released_data is not None:
        released = results.version(released_data, left, ask=looked == "Release")
    shown = released if looked == "Release" and released is not None else original

    picture, side = page.beside(2, 1)
    with side, st.container(border=True, height="stretch"):
        ranked = [shown.table.sets[i][0] for i in shown.table.ranked() if len(shown.table.sets[i]) == 1]
        name = f"leakage-focus-{hash((ranked[0], *sorted(ranked)))}"  # what a recipe wiped out is not the one in words
        focus_key = state.kept(name)
        focus = st.selectbox(
            "Column in words", ranked, ranked.index(state.setting(name, ranked[0])), format_func=printable,
            key=focus_key, help="Or click a bar. The columns are in the order of the picture.",
        )  # fmt: skip
        in_words(shown, focus)
    with picture:
        show_picture(shown, focus_key)
    with metrics:
        show_metrics(original, released, loaded if released_data is None else released_data, shown)

    page.tabs(
        "leakage-tabs",
        {
            "Alerts": partial(tabs.show_alerts, shown),
            "Pairs": partial(tabs.show_pairs, shown),
            "Combinations": partial(tabs.show_combinations, shown),
            "Original and release": partial(tabs.show_release, original, released, has_recipe),
            "How it works": partial(explain.show, "leakage"),
        },
    )


show_page()

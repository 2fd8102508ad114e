"""The Leakage page's figures and picture, and one column in words, with the next step."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.analyses.leakage import AlertComparison, LeakageTable
from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.plots import leakage as plots
from pages.measure.leakage import results, tabs
from pages.measure.leakage.results import Version, leakiest
from ui.kit import glossary, page
from ui.session import keep
from ui.text import plain, printable


def show_metrics(
    original: Version, released: Version | None, data: Dataset, shown: Version, became: AlertComparison | None
) -> None:
    """The figures that matter, original → now; ``data`` is what is released, or the original without a recipe.

    They begin with the column that gives away most in the version ``shown``. ``became`` are the alerts of both, where
    there is a recipe.
    """
    name = leakiest(shown.table)
    after = original if released is None else results.alike(original, released)[1]
    i = original.table.place([name])
    average = [words.percent(float(original.table.normalized[i])), "dropped"]
    worst = [words.percent(float(original.table.worst_normalized[i])), "dropped"]
    if name in after.table.attributes:
        j = after.table.place([name])
        average[1] = words.percent(float(after.table.normalized[j]))
        worst[1] = words.percent(float(after.table.worst_normalized[j]))
    most = leakiest(original.table), leakiest(after.table)
    all_known = [results.together(dataset) for dataset in (original.data, data)]
    shares = ["none left" if known is None else words.percent(float(known.normalized[0])) for known in all_known]
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
            glossary.linked(
                "What the person in its smallest class loses. 100%: someone is alone with their value.",
                "leakage",
                "alone",
            ),
        ),
        *_alerts(after, became),
        (
            "All quasi-identifiers",
            words.change(*shares),
            glossary.linked(
                "Average loss of somebody who knows all quasi-identifiers together. 100%: everybody is alone.",
                "quasi-identifier",
                "alone",
            ),
        ),
    )


def _alerts(version: Version, became: AlertComparison | None) -> tuple[tuple[str, str, str], ...]:
    """How many alerts there are; of a release how many remain, and how many others appear: their numbers alone say
    nothing of it."""
    meaning = (
        f"Smallest sets of up to {words.count(version.question.max_size, 'columns')} past a limit: "
        f"{tabs.limits(version.question)}."
    )
    if became is None:
        return (("Alerts", f"{len(version.alerts.alerts):,}", glossary.linked(meaning, "alert")),)
    remain = f"{became.remaining:,} of {len(became.fates):,}"
    return (
        ("Alerts that remain", remain, glossary.linked(f"{meaning} {became.in_words()}", "alert")),
        (
            "Other alerts",
            f"{became.others:,}",
            glossary.linked(f"Sets that are no alert in the original. {became.in_words()}", "alert"),
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
        group = (
            "is alone with their value" if size == 1 else f"shares their value with {words.count(size - 1, 'others')}"
        )
        st.markdown(
            f"**The worst person** {group} and loses "
            f"**{words.percent(float(table.worst_normalized[i]))}**. "
            + (
                f"**{words.share(int(table.below_k[i]), n)}** are in classes below {table.k}."
                if table.below_k[i]
                else f"Nobody is in a class below {table.k}."
            )
        )
        _with_another(table, name)
    if table.n_records > 1:
        st.page_link(page.GENERALIZE, label="Find how coarse it must be", icon=":material/account_tree:")


def _with_another(table: LeakageTable, name: str) -> None:
    pairs = [i for i in table.ranked() if len(table.sets[i]) == 2 and name in table.sets[i]]
    if pairs:
        other = next(known for known in table.sets[pairs[0]] if known != name)
        st.markdown(
            f"Together with {page.listed([other])} it gives away most: "
            f"**{words.percent(float(table.normalized[pairs[0]]))}**."
        )


# ---- the picture ----


def _select(chart_key: str, focus: str, table: LeakageTable) -> None:
    """The column whose bar was clicked is the one in words."""
    points = st.session_state[chart_key].selection.get("points") or []
    place = clicked_place(points)
    if place is not None:
        keep.put(focus, table.sets[place][0])


def clicked_place(points: list[dict]) -> int | None:
    """The position in the table's sets that the clicked point carries."""
    place = points[0].get("customdata") if points else None
    return None if place is None else int(place[0] if isinstance(place, list | tuple) else place)


def show_picture(version: Version, focus: str) -> None:
    table, question, data = version.table, version.question, version.data
    top = leakiest(table)
    i = table.place([top])
    key = "leakage-losses"
    page.figure(
        partial(
            plots.losses, table, average=question.average, worst=question.worst, unit=data.unit,
            bold=[name for name in table.attributes if name in data.sensitive],
        ),
        f"Bars of what each of {words.count(len(table.attributes), 'columns')} gives away on average, with a mark for "
        f"the worst person, and how many {data.unit} are in classes below {table.k}. Most gives {printable(top)}: "
        f"{words.percent(float(table.normalized[i]))} on average, {words.percent(float(table.worst_normalized[i]))} at "
        "worst.",
        key, "points", partial(_select, key, focus, table),
    )  # fmt: skip
    page.counts(
        "Bar: what a column gives away on average, as a share of the bits that name someone; mark: what the worst "
        "person loses. Red, the bar striped and the mark a diamond, is past a limit. The average hides the worst "
        "person, and filling rare classes raises it: read both. "
        f"{'Bold: sensitive. ' if data.sensitive else ''}Arca and Hewett 2021, Proposition 2."
    )

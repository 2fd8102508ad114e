"""The Leakage page's figures, and one column in words, with the next step."""

from __future__ import annotations

import streamlit as st

from anonlib.analyses.leakage import AlertComparison, LeakageTable
from anonlib.basics import words
from anonlib.dataset import Dataset
from pages.measure.leakage import results, tabs
from pages.measure.leakage.results import Version, leakiest
from ui.kit import glossary, page
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
    all_known = [results.together(each) for each in (original.data, data)]
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

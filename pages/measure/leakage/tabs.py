"""The views under the bars: alerts, pairs, combinations, original and release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.leakage import Alert, AlertComparison, AlertFate, AlertOrigin, LeakageComparison
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.plots import leakage as plots
from anonlib.release.export import table_csv
from pages.measure.leakage import results
from pages.measure.leakage.results import LeakageQuestion, SecondRelease, Version
from ui.kit import another_file, glossary, page
from ui.kit.release_gate import Holds
from ui.session import keep, releases
from ui.text import named, plain, printable

MOST_ROWS, MOST_BARS = 500, 12
_ALIKE = 1e-9  # shares that differ by less are equal
_FATES: dict[AlertFate, str] = {
    "remains": "remains", "by fewer columns": "past a limit by fewer columns", "gone": "gone",
}  # fmt: skip
_ORIGINS: dict[AlertOrigin, str] = {
    "remains": "an alert too", "uncovered": "past a limit too", "by fewer columns": "past no limit",
    "new": "past no limit",
}  # fmt: skip


def limits(question: LeakageQuestion) -> str:
    """The limits that are on, in words."""
    limits = [
        f"an average above {question.average:.0%}" if question.average < 1 else "",
        f"a worst person above {question.worst:.0%}" if question.worst < 1 else "",
        f"a class below {question.smallest}" if question.smallest > 1 else "",
    ]
    return " or ".join(filter(None, limits)) or "none, as all three are switched off"


def reason(alert: Alert, smallest: int) -> str:
    """Why a set is an alert, in words; text as it is."""
    reasons = []
    if "average" in alert.reasons:
        reasons.append(f"{words.percent(alert.normalized)} on average")
    if alert.smallest == 1 and set(alert.reasons) & {"worst", "smallest"}:
        reasons.append("someone is alone")
    else:
        if "worst" in alert.reasons:
            reasons.append(f"worst {words.percent(alert.worst_normalized)}")
        if "smallest" in alert.reasons:
            reasons.append(f"a class of {alert.smallest:,}")
    if "smallest" in alert.reasons:
        reasons.append(f"{alert.below_k:,} in classes below {smallest}")
    text = ", ".join(reasons)
    return text[:1].upper() + text[1:]


# ---- alerts --------------------------------------------------------------------------------------------------------


def show_alerts(version: Version, became: AlertComparison | None, of_original: bool) -> None:
    """Every minimal set with its reason, what to begin with, and the columns that say nothing any more.

    ``became`` are the alerts of original and release, where there is a recipe; ``of_original`` whether those of the
    original are looked at.
    """
    alerts, question, unit = version.alerts, version.question, version.data.unit
    size = words.count(alerts.max_size, "columns")
    of_both = "" if became is None else became.in_words()
    if not alerts.alerts:
        st.markdown(f"**No combination of up to {size} is past a limit**: {limits(question)}. {of_both}")
        if alerts.max_size < len(version.table.attributes):
            st.caption("Larger combinations may still be; all quasi-identifiers together are measured at the top.")
    else:
        number = len(alerts.alerts)
        sets = "combination of columns is" if number == 1 else "combinations of columns are"
        st.markdown(f"**{number:,} {sets} past a limit**: {limits(question)}. {_begin_with(alerts.alerts)}")
        if of_both:
            st.markdown(of_both)
        _alert_table(alerts.alerts, question, unit, _beside(alerts.alerts, became, of_original))
    _utility_gone(alerts.utility_gone, unit)
    with st.container(horizontal=True):
        st.page_link(page.GENERALIZE, label="Find the least generalization", icon=":material/account_tree:")
        st.page_link(page.RELEASE, label="Recode or drop a column", icon=":material/shield:")
        st.page_link(page.RISK, label="See who is singled out", icon=":material/monitoring:")
        st.page_link(page.DATA, label="Change what columns are", icon=":material/table_chart:")


def _begin_with(alerts: Sequence[Alert]) -> str:
    alone = [alert.attributes[0] for alert in alerts if len(alert.attributes) == 1]
    combined = [alert for alert in alerts if len(alert.attributes) > 1]
    advice = ""
    if alone:
        by_itself = "does so by itself" if len(alone) == 1 else "do so by themselves"
        advice = f"{page.listed(alone, 6)} {by_itself}: make {'it' if len(alone) == 1 else 'them'} coarser first. "
    if len(combined) > 1:
        name, times = Counter(name for alert in combined for name in alert.attributes).most_common(1)[0]
        advice += f"{page.listed([name])} is in {times:,} of the {len(combined):,} combinations."
    return advice


def _beside(alerts: Sequence[Alert], became: AlertComparison | None, of_original: bool) -> pd.DataFrame | None:
    """What these alerts are in the other version, in one column; None without a recipe.

    Larger combinations than were looked at in the other version are not compared.
    """
    if became is None:
        return None
    if of_original:
        heading, compared, meanings = "In the release", became.before.alerts, map(_FATES.__getitem__, became.fates)
    else:
        heading, compared, meanings = "In the original", became.after.alerts, map(_ORIGINS.__getitem__, became.origins)
    by_set = dict(zip((alert.attributes for alert in compared), meanings, strict=True))
    return pd.DataFrame({heading: [by_set.get(alert.attributes, "not looked at") for alert in alerts]})


def _alert_table(alerts: Sequence[Alert], question: LeakageQuestion, unit: str, beside: pd.DataFrame | None) -> None:
    below = f"Below {question.smallest}"
    shown = pd.DataFrame(
        {
            "Columns known": [named(alert.attributes) for alert in alerts],
            "Why it is an alert": [reason(alert, question.smallest) for alert in alerts],
            "Average, %": [round(100 * alert.normalized, 1) for alert in alerts],
            "Worst, %": [round(100 * alert.worst_normalized, 1) for alert in alerts],
            "Smallest class": [alert.smallest for alert in alerts],
            below: [alert.below_k for alert in alerts],
        }
    )
    if beside is not None:
        shown = pd.concat([shown, beside], axis=1)
    page.table(
        shown.head(MOST_ROWS), "The smallest sets of columns past a limit, with the reason",
        height=page.table_height(min(len(shown), MOST_ROWS), 400),
        help={
            below: glossary.linked(f"{unit.capitalize()} in classes below {question.smallest}.", "class"),
            "In the original": glossary.linked(
                "An alert too; past a limit too, where a smaller combination stood for it; or past no limit.",
                "alert",
            ),
            "In the release": glossary.linked(
                "Remains an alert; past a limit by fewer of these columns; or gone.",
                "alert",
            ),
        },
    )  # fmt: skip
    numbers = pd.concat([_alert_numbers(alerts, question), *([] if beside is None else [beside])], axis=1)
    page.download(
        "Table as CSV",
        partial(table_csv, numbers),
        "leakage-alerts.csv",
        "download-leakage-alerts",
        holds=Holds.FIGURES,
    )
    page.counts(
        "Only smallest sets: whatever contains one is past the limit too. Fewer columns first, then by average loss"
        + (f"; the first {MOST_ROWS} of {len(shown):,} are shown." if len(shown) > MOST_ROWS else ".")
    )


def _alert_numbers(alerts: Sequence[Alert], question: LeakageQuestion) -> pd.DataFrame:
    """The alerts as they are downloaded: which limits each is past, and its measures as shares from 0 to 1."""
    frame = pd.DataFrame({"columns": [named(alert.attributes) for alert in alerts]})
    for limit in ("average", "worst", "smallest"):
        frame[f"past {limit}"] = [limit in alert.reasons for alert in alerts]
    frame["average"] = [alert.normalized for alert in alerts]
    frame["worst"] = [alert.worst_normalized for alert in alerts]
    frame["smallest class"] = [alert.smallest for alert in alerts]
    frame[f"below {question.smallest}"] = [alert.below_k for alert in alerts]
    return frame


def _utility_gone(names: Sequence[str], unit: str) -> None:
    if names:
        has, them = ("has one value", "it") if len(names) == 1 else ("have one value each", "them")
        st.info(
            f"Utility gone: {page.listed(names)} {has} for all {unit}. Nobody is found by {them}, and nothing can be "
            f"learnt from {them} either: a loss, not a success.",
            icon=":material/do_not_disturb_on:",
        )


# ---- pairs and combinations ----------------------------------------------------------------------------------------


def show_pairs(version: Version) -> None:
    table = version.table
    if table.max_size is None or table.max_size < 2:
        st.markdown(
            "Choose at least two columns under **More** to see pairs."
            if len(table.attributes) < 2
            else "Set **Combined** to 2 or more to see pairs."
        )
        return
    pair = next(names for names in (table.sets[i] for i in table.ranked()) if len(names) == 2)
    share = table.normalized[table.place(pair)]
    page.figure(
        partial(plots.pairs, table.at_most(2)),
        f"Heatmap of the average loss of each pair of {len(table.attributes)} columns; {named(pair)} lose most, "
        f"{words.percent(float(share))}.",
        "leakage-pairs",
    )
    page.counts(
        "Each cell is what both columns together give away on average, in percent of what it takes to name someone; on "
        "the diagonal one column alone. A pair far above both of its columns is a combination to watch."
    )


def show_combinations(version: Version) -> None:
    """Every combination that was measured, those that lose most first."""
    table, unit = version.table, version.data.unit
    shown = _measures(version)
    top = table.sets[table.ranked()[0]]
    st.markdown(
        f"**{words.count(len(shown), 'combinations')}** of up to {words.count(table.max_size or 1, 'columns')}. "
        f"{page.listed(top)} {'gives' if len(top) == 1 else 'together give'} away most: "
        f"**{words.percent(float(table.normalized.max(initial=0)))}** on average."
    )
    page.table(
        shown.head(MOST_ROWS), "Combinations of columns by their average loss",
        height=page.table_height(min(len(shown), MOST_ROWS), 460),
        help={
            "Classes": glossary.linked("How many different values the combination has.", "class"),
            "Average, bits": f"Of {table.entropy:.3g} bits that name someone.",
            "Worst, bits": "Loss of the person who loses most.",
            f"Below {table.k}": glossary.linked(f"{unit.capitalize()} in classes below {table.k}.", "class"),
        },
    )  # fmt: skip
    page.download("Table as CSV", partial(table_csv, shown), "leakage.csv", "download-leakage", holds=Holds.FIGURES)
    page.counts(
        "Average: mean over all of log2(n / class), as a share of log2(n). Worst: the same for the smallest class. "
        + (f"The first {MOST_ROWS} are shown, all are in the CSV. " if len(shown) > MOST_ROWS else "")
        + "Click a heading to sort. Arca and Hewett 2021, Proposition 2."
    )


def _measures(version: Version) -> pd.DataFrame:
    table = version.table
    frame = table.to_frame().iloc[table.ranked()]
    return pd.DataFrame(
        {
            "Columns known": [named(names) for names in frame["variables"]],
            "How many": frame["size"].to_numpy(),
            "Average, %": (100 * frame["normalized"]).round(1).to_numpy(),
            "Worst, %": (100 * frame["worst_normalized"]).round(1).to_numpy(),
            "Smallest class": frame["smallest"].to_numpy(),
            f"Below {table.k}": frame["below_k"].to_numpy(),
            "Classes": frame["partitions"].to_numpy(),
            "Average, bits": frame["loss"].round(3).to_numpy(),
            "Worst, bits": frame["worst"].round(3).to_numpy(),
        }
    )


# ---- original and releases -----------------------------------------------------------------------------------------


def show_release(original: Version, released: Version | None, data: Dataset, became: AlertComparison | None) -> None:
    """Before and after, and in a second release, per column or per combination (Table 8 of the paper), or by alert.

    ``data`` is the original; ``became`` are the alerts of original and release, None without a recipe.
    """
    left, middle, right = page.beside(4, 5, 2, gap="small", align="bottom")
    kinds = ["Columns", "Combinations", *(["Alerts"] if became is not None else [])]
    what = keep.segments(
        keep.per("leakage-compare", len(kinds)), "Compare", kinds, place=left,
        help=glossary.linked(
            "Each column alone, the combinations of several that leaked most in the original, or the alerts of both.",
            "alert", "alone",
        ),
    )  # fmt: skip
    other = _ask_second(data, middle)
    with right, st.popover("Another file", width="stretch"):
        another_file.ask("leakage")
    if released is None:
        st.markdown(
            "The release has none of these columns, or no record: nothing is left to leak, or to learn from."
            if became is not None
            else "There is no recipe yet. Once there is, each column is shown here before and after."
        )
        st.page_link(page.RELEASE, label="Make a recipe", icon=":material/shield:")
    if what == "Alerts" and became is not None:
        _alerts_of_both(became)
        return
    second = None if other is None else results.second_release(data, original.question, other)
    if isinstance(second, InputError):
        st.info(plain(str(second)), icon=":material/info:")
        second = None
    if released is not None or second is not None:
        _show_compared(original, released, second, what)


def _ask_second(data: Dataset, place: Any) -> releases.OtherRelease | None:
    """The release that is held beside the present one; None for none."""
    offered = {release.key: release for release in releases.others(data)}
    chosen = keep.select(
        keep.per("leakage-second", list(offered)), "Beside it a second release", ["", *offered], "", place=place,
        format_func=lambda key: printable(offered[key].title) if key else "none",
        help=glossary.linked(
            "A version kept on the Verdict page, a proposal that was made there, an earlier release, what Safe Harbor "
            "makes of the file, or another file: open one beside this.",
            "proposal", "earlier releases",
        ),
    )  # fmt: skip
    return offered.get(chosen)


def _show_compared(original: Version, released: Version | None, second: SecondRelease | None, what: str) -> None:
    """The picture and the table of the original beside one release or two."""
    after, other = results.compared(original, released, second)
    first = after or other
    assert first is not None
    ranked = np.argsort(-first.normalized_before, kind="stable").tolist()
    places = [i for i in ranked if (len(first.sets[i]) == 1) == (what != "Combinations")]
    if not places:
        st.markdown("Set **Combined** to 2 or more to see combinations.")
        return
    drawn = places if what != "Combinations" else places[:MOST_BARS]
    title = "" if second is None else second.title
    versions = [("the release", after), (f"“{title}”", other)]
    lower = []
    for name, compared in versions:
        if compared is not None:
            n_lower = int((compared.normalized_after[places] < compared.normalized_before[places]).sum())
            lower.append(f"in {name} {n_lower} of {len(places)} are lower")
    if after is not None and other is not None:
        st.markdown(_more_or_less(after, other, places, title, what))
    page.figure(
        partial(
            plots.before_after, first, drawn, average=original.question.average, worst=original.question.worst,
            name="release" if after is not None else title,
            second=(title, other) if after is not None and other is not None else None,
        ),
        f"Bars of the average loss of {len(drawn)} {what.lower()} in the original and in what is released: "
        f"{words.listed(lower)}.",
        f"leakage-before-after-{what}",
    )  # fmt: skip
    if second is not None and second.says:
        st.caption(f"**{plain(title)}**. {plain(second.says)}")
    page.counts(
        "Each bar is a share of what it takes to name someone in that file, the mark the worst person's; red, the bar "
        "striped and the mark a diamond, is past a limit there. A person's class are all records whose labels cover "
        "the person's values, so that releases of different coarseness are measured alike. Utility gone: the loss fell "
        "to 0, so that nothing can be learnt either. Of a combination with a dropped column, what is left of it "
        "counts. Arca and Hewett 2021, Table 8."
    )
    shown = _beside_each_other(after, other, places, original.question.smallest)
    if second is not None and second.n_original is not None:
        shown["Fit no record, second"] = _fit_no_record(second, first, places)
    hidden = [name for name in shown.columns if name.startswith("Smallest")]
    if other is not None:
        hidden += [name for name in shown.columns if name.startswith("Outcome") and not shown[name].any()]
    page.table(
        shown.drop(columns=hidden).head(MOST_ROWS), f"Loss of {what.lower()} in the original and in what is released",
        height=page.table_height(min(len(shown), MOST_ROWS), 380),
        help={"Fit no record, second": "Of the original, whose values no record of it fits: they are left aside."},
    )  # fmt: skip
    page.download(
        "Table as CSV",
        partial(table_csv, shown),
        "leakage-before-after.csv",
        "download-leakage-compared",
        holds=Holds.FIGURES,
    )


def _more_or_less(after: LeakageComparison, other: LeakageComparison, places: list[int], title: str, what: str) -> str:
    """By how many columns or combinations a second release gives away more than the first, and by how many less."""
    gap = other.normalized_after[places] - after.normalized_after[places]
    more, less = int((gap > _ALIKE).sum()), int((gap < -_ALIKE).sum())
    return (
        f"On average **{plain(title)}** gives away more than the release by {more:,} of {len(places):,} "
        f"{what.lower()}, and less by {less:,}."
    )


def _fit_no_record(second: SecondRelease, comparison: LeakageComparison, places: list[int]) -> list[int | None]:
    """Of each set how many persons of the original have values that no record of an unlinked file fits."""
    assert second.n_original is not None and second.table.persons_fitted is not None
    left = [[name for name in comparison.sets[i] if name in second.table.attributes] for i in places]
    return [
        second.n_original - int(second.table.persons_fitted[second.table.place(names)]) if names else None
        for names in left
    ]


def _alerts_of_both(became: AlertComparison) -> None:
    """Every set that is an alert in the original or in the release, and what it is in the other."""
    table = became.to_frame()
    st.markdown(became.in_words() or "Neither has an alert.")
    if table.empty:
        return
    shown = pd.DataFrame(
        {
            "Columns known": [named(names) for names in table["variables"]],
            "In the original": ["an alert" if fate else _ORIGINS[origin] for fate, origin in _pairs(table)],
            "In the release": [_FATES[fate] if fate else "an alert" for fate, _ in _pairs(table)],
        }
    )
    page.table(
        shown.head(MOST_ROWS), "Alerts of the original and of the release",
        height=page.table_height(min(len(shown), MOST_ROWS), 380),
    )  # fmt: skip
    page.download(
        "Table as CSV", partial(table_csv, shown), "leakage-alerts-compared.csv", "download-leakage-alerts-compared",
        holds=Holds.FIGURES,
    )  # fmt: skip
    page.counts(
        "An alert is a smallest combination past a limit and stands for all that contain it. Once it is past none, the "
        "smallest of those that it stood for are named in its place: there can be more of them than there were alerts."
    )


def _pairs(table: pd.DataFrame) -> list[tuple[Any, Any]]:
    return list(zip(table["fate"], table["origin"], strict=True))


def _beside_each_other(
    after: LeakageComparison | None, other: LeakageComparison | None, places: list[int], k: int
) -> pd.DataFrame:
    """The original, the release (``after``) and a second one, measure by measure; what became of each set at the end.

    Without a second release the outcome comes first.
    """
    first = after or other
    assert first is not None
    versions = [(when, compared) for when, compared in (("after", after), ("second", other)) if compared is not None]
    columns: dict[str, Any] = {"Columns known": [named(first.sets[i]) for i in places]}
    outcomes = {
        f"Outcome {'now' if when == 'after' else 'in second'}": [compared.fates[i] for i in places]
        for when, compared in versions
    }
    if other is None:
        columns |= outcomes
    for what, unit, before_name, after_name, factor in (
        ("Average", ", %", "normalized_before", "normalized_after", 100),
        ("Worst", ", %", "worst_before", "worst_after", 100),
        (f"Below {k}", "", "below_before", "below_after", 1),
        ("Smallest class", "", "smallest_before", "smallest_after", 1),
    ):
        small = what if what.startswith("Smallest") else what[:1].lower() + what[1:]
        columns[f"{what} before{unit}"] = (factor * getattr(first, before_name)[places]).round(1)
        for when, compared in versions:
            columns[f"{small} {when}{unit}"] = (factor * getattr(compared, after_name)[places]).round(1)
    return pd.DataFrame(columns | outcomes)

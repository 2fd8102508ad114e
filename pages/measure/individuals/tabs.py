"""The views under the heatmap: the figures behind it, what each column adds, coarser columns, the smallest sets."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.individuals import GeneralizationScan, Partition
from anonlib.individuals.heatmap import exposure_order, heatmap_columns
from anonlib.plots import individuals as plots
from anonlib.release.export import table_csv
from anonlib.release.steps import Recode
from pages.measure.individuals import picture, results
from pages.measure.individuals.results import Answer
from pages.measure.individuals.settings import Settings, is_numeric
from ui import guard, page, state
from ui.text import named, plain, printable

MOST_SETS = 300


def show_variables(data: Dataset, settings: Settings, found: Answer) -> None:
    """One row a variable: how many are exposed, with the interval of a sample; and every individual's values as CSV."""
    low, high = found.people.interval(found.share)
    n = found.people.n_records
    shown = pd.DataFrame(
        {
            "Column": [printable(name) for name in found.variables],
            "Role": [data.roles[name].label for name in found.variables],
            "Exposed": np.rint(found.share * n).astype(np.int64),
            "Share": [np.nan if np.isnan(c).all() else s for c, s in zip(found.values.T, found.share, strict=True)],
        }
    )
    if found.people.is_sampled:
        shown["95% from"], shown["to"] = low, high
    shown[f"Mean {found.name}"] = np.round(found.people.mean_of(found.values), 3)
    missing = found.people.number(found.missing)
    if missing.any():
        shown["Certainly missing"] = missing
    if found.profile is not None:
        place = [found.profile.sensitive.index(name) for name in found.variables]
        shown["Values"] = [found.profile.n_values[i] for i in place]
        if settings.measure == "poac":
            shown["q"] = [found.profile.q[i] for i in place]
        depth = found.profile.breach_depth(settings.threshold)
        for known in found.profile.known[:4] if found.known else ():
            cumulative = found.people.number((depth >= 0) & (depth <= known))
            shown[f"by {known} known" if known == 1 else f"by up to {known}"] = cumulative[place]
    shares = [name for name in ("Share", "95% from", "to") if name in shown]
    counted = "counted" if settings.missing_is_harm else "not counted"
    page.table(
        shown, f"How many {data.unit} are exposed in each column", percent=shares,
        help={"Certainly missing": f"Who has no value there, and for certain: {counted} as exposed."},
    )  # fmt: skip
    by_known = (
        "“By up to 2” counts those for whom some set of one or two known columns is enough. "
        if any(name.startswith("by ") for name in shown.columns)
        else ""
    )
    source = "" if settings.attacker == "chance" else "Kroes et al. 2021, Definition 3, and Definition 4 for PoAC."
    page.counts(f"Exposed: {picture.meaning(settings)}. {by_known}{source}")
    with st.container(horizontal=True):
        numbers = shown.drop(columns=["95% interval"], errors="ignore")
        numbers["Share"] = np.where(np.isnan(found.values).all(axis=0), np.nan, found.share)
        if found.people.is_sampled:
            numbers["95% from"], numbers["95% to"] = low, high
        page.download("Table as CSV", partial(table_csv, numbers), "exposed-by-column.csv", "download-variables")
        page.download(
            "Every threshold as CSV", partial(_thresholds_csv, settings, found), "exposed-by-threshold.csv",
            "download-thresholds", help="How many are at or below each threshold, for every column.",
        )  # fmt: skip
        page.download(
            f"Every record’s {found.name} as CSV", partial(_records_csv, found), "privacy-by-record.csv",
            "download-records", help="One row a record of the file, in its order; no cell of the file itself.",
        )  # fmt: skip


def _thresholds_csv(settings: Settings, found: Answer) -> bytes:
    """One row a column and threshold: the number and the share at or below it."""
    of_measure = settings.measure == "npp" and found.name == settings.name
    thresholds = list(range(51)) if of_measure else [x / 100 for x in range(0, 100, 5)]
    rows = []
    for name, values in zip(found.variables, found.values.T, strict=True):
        for threshold in thresholds:
            below = values <= threshold
            number, share = int(found.people.number(below)), float(found.people.share(below))
            rows.append({"column": name, f"{found.name} at or below": threshold, "individuals": number, "share": share})
    return table_csv(pd.DataFrame(rows))


def _records_csv(found: Answer) -> bytes:
    values = found.people.by_record(found.values)
    frame = pd.DataFrame(values, columns=[f"{found.name} {name}" for name in found.variables])
    frame.insert(0, "record", np.arange(1, len(frame) + 1))
    return table_csv(frame)


def show_additions(data: Dataset, settings: Settings, sensitive: str) -> None:
    """Leave-one-out: the sensitive column's privacy when each other column is unknown."""
    minimum = (
        st.segmented_control(
            "Of the columns that remain, the attacker knows", ["all", "any set"], required=True,
            default=state.setting("individuals-add-minimum", "all"), key=state.kept("individuals-add-minimum"),
            help="All: the value at maximum information. Any: the least over all sets.",
        )
        == "any set"
    )  # fmt: skip
    found, known = results.adds(data, settings, sensitive, minimum)
    table = found.to_frame(settings.threshold)
    names = ["(nothing unknown)", *table["variable"]]
    place = [found.auxiliary.index(name) for name in table["variable"]]
    values = np.column_stack([found.baseline, found.values[:, place]])
    exposed = values <= settings.threshold
    order = exposure_order(values, exposed)
    columns = heatmap_columns(values, exposed, found.people.counts, order)
    highest = 1.0 if settings.measure != "npp" else float(max(20, 2 * settings.threshold))
    drawn, listing = st.columns([1.5, 1], gap="large")
    limited = isinstance(settings.attacker, int) and settings.attacker < len(found.auxiliary)
    more = f", more than the attacker above knows ({settings.attacker} at most)" if limited else ""
    with drawn:
        most = table.iloc[0]
        page.figure(
            plots.heatmap(
                columns, names, settings.name, highest=highest, unit=data.unit, selectable=False, dark=page.dark()
            ),
            f"Heatmap of the privacy of {printable(sensitive)} when each other column is unknown; hiding "
            f"{printable(most['variable'])} frees most.",
            "individuals-additions",
        )
        page.counts(
            f"Each row hides one column from the attacker; red: still {settings.limit}. The paler or redder a row "
            "stays, the less that column matters. "
            + (f"Of the others, every set of up to {known}. " if minimum else f"All others are known{more}. ")
            + "Kroes et al. 2021, Figure 3."
        )
    with listing:
        shown = pd.DataFrame(
            {
                "Column unknown": [printable(name) for name in table["variable"]],
                "Freed": table["freed"],
                "Still exposed": table["exposed"],
                f"Mean {settings.name} gained": table["gain"].round(3),
            }
        )
        page.table(
            shown, "What hiding each column frees",
            help={"Freed": f"Exposed now in {plain(printable(sensitive), 40)}, and no longer without this column."},
        )  # fmt: skip
        page.download("Table as CSV", partial(table_csv, shown), "leave-one-out.csv", "download-additions")


def show_scan(data: Dataset, settings: Settings, sensitive: str) -> None:
    """The generalization scan of one numeric column, and its best partition on the way to the recipe."""
    numeric = [name for name in settings.variables if name != sensitive and is_numeric(data, name)]
    if not numeric:
        st.markdown(
            "No other column here is numeric, so there is nothing to cut into intervals. A column that the recipe cuts "
            "already can be looked at in the original."
        )
        return
    choose, widest, _ = st.columns([1.5, 2, 2], vertical_alignment="bottom", gap="medium")
    last = st.session_state.get(picture.scan_key())
    attribute = choose.selectbox(
        "Column to make coarser", numeric, numeric.index(last) if last in numeric else 0, format_func=printable,
        key=f"individuals-scan-column-{hash(tuple(numeric))}-{last}",
    )  # fmt: skip
    st.session_state[picture.scan_key()] = attribute
    grid = results.grid_of(data, settings, attribute)
    most = grid.n * grid.step
    name = f"individuals-scan-width-{attribute}-{grid.step:g}-{most:g}"
    width = widest.slider(
        "Widest category you accept", grid.step, most, state.setting(name, results.begin_width(grid)), grid.step,
        "%g", key=state.kept(name),
        help="In the column’s own unit. Without a limit the best would be one category of everything.",
    )  # fmt: skip
    if settings.measure != "ppp":
        st.caption("The scan is of PPP: who can be certain. For another measure, try the recoding in the recipe.")
    if isinstance(settings.attacker, int) and settings.attacker < len(settings.variables) - 1:
        st.caption(
            f"The scan protects whatever is known, also to one who knows more than the attacker above "
            f"({settings.attacker} at most)."
        )
    if settings.within:
        st.caption("Numbers that are near do not count as equal in the scan.")
    found = results.scan(data, settings, sensitive, attribute, width)
    if found is None:
        return
    drawn, side = st.columns([1.7, 1], gap="large")
    with drawn:
        event = page.figure(
            plots.scan(found, unit=data.unit, dark=page.dark()),
            f"Share of {data.unit} protected by the number of categories of {printable(attribute)}: "
            f"{words.percent(found.baseline / max(1, found.n_records))} as it is, at most "
            f"{words.percent(found.protected.max() / max(1, found.n_records))} with one of these partitions.",
            f"individuals-scan-{attribute}", selectable="points",
        )  # fmt: skip
        page.counts(
            f"Each point is a partition into equal widths; blue the best of its number of categories, the diamond the "
            f"best cuts of any width up to the limit. Protected: PPP above {words.percent(found.p)} "
            "whatever is known. Kroes et al. 2021, Figure 4."
        )
        page.download("Table as CSV", lambda: table_csv(found.to_frame()), "generalization-scan.csv", "download-scan")
    with side, st.container(border=True, height="stretch"):
        _scan_in_words(found, chosen_partition(found, event.selection.points if event else []), data.unit)
        if max(found.protected.max(), found.optimum.protected if found.optimum else 0) <= found.baseline:
            _no_gain(data, replace(settings, measure="ppp", threshold=found.p, within=()), found)


def chosen_partition(found: GeneralizationScan, points: list) -> Partition | None:
    """The partition of the point that was clicked."""
    data = points[0].get("customdata") if points else None
    if data is None:
        return found.optimum if points else None
    return found.partition(int(data[0] if isinstance(data, list | tuple) else data["0"]))


def _scan_in_words(found: GeneralizationScan, clicked: Partition | None, unit: str) -> None:
    n = found.n_records
    best = found.partition(int(np.lexsort((found.widths, -found.categories, -found.protected))[0]))
    st.subheader("In words", anchor=False)
    st.markdown(
        f"As it is, **{words.share(found.baseline, n, unit)}** are protected; without {page.listed([found.attribute])} "
        f"it would be **{words.share(found.ceiling, n)}**: no partition can do better."
    )
    choices = {"Clicked": clicked, "Best of equal widths": best, "Best cuts": found.optimum}
    for i, (title, partition) in enumerate(choices.items()):
        if partition is None:
            continue
        st.markdown(
            f"**{title}**: {words.count(partition.categories, 'categories')}, the widest {partition.widest:g}: "
            f"**{words.share(partition.protected, n)}** protected."
        )
        if partition.protected > found.baseline:
            st.button(
                "Add to recipe", key=f"individuals-scan-add-{i}", icon=":material/add:",
                on_click=guard.action(add_recoding), args=(found.attribute, partition.recoding, found.sensitive),
            )  # fmt: skip
    if clicked is None:
        st.caption("Click a point to read its partition.")


def _no_gain(data: Dataset, settings: Settings, found: GeneralizationScan) -> None:
    """What to do where no partition protects anyone more."""
    if found.baseline == found.n_records:
        st.markdown("Everybody is protected already: nothing is gained by making it coarser.")
        return
    st.markdown(
        f"**No partition protects more {data.unit}** than {page.listed([found.attribute])} as it is. "
        + ("Accept wider categories, or drop it." if found.ceiling > found.baseline else "Nor would dropping it.")
    )
    adds = results.adds(data, settings, found.sensitive, False)[0].to_frame(found.p)
    most = adds[(adds["variable"] != found.attribute) & (adds["freed"] > 0)].head(1)
    for name, freed in zip(most["variable"], most["freed"], strict=True):
        st.markdown(
            f"Of the other columns {page.listed([name])} exposes most: were it unknown, **{freed:,}** more {data.unit} "
            "would be safe from someone who knows all the rest."
        )
    if most.empty:
        sets = results.smallest_sets(data, replace(settings, attacker="all"), found.sensitive)[0].minimal
        top = sets.sets[0] if sets.sets else ()
        st.markdown(
            "No other column does it alone either: several must be coarser together."
            + (
                f" {page.listed(list(top))} {'are' if len(top) > 1 else 'is'} enough to know for most: "
                f"**{int(sets.exposed[0]):,}**."
                if top
                else ""
            )
        )
    st.page_link(page.GENERALIZE, label="Find the least generalization", icon=":material/account_tree:")


def add_recoding(attribute: str, recoding, sensitive: str) -> None:
    """A recoding of a column into the recipe; one that is there for the same column gives way to it."""
    step = Recode(attribute, recoding, f"protects {sensitive}")
    state.set_recipe(state.session().recipe.take([step], state.dataset(), replacing=step.columns))
    state.session().notice = f"In the recipe: {step.describe()}. Look at the release to see what it does."


def show_sets(data: Dataset, settings: Settings, sensitive: str) -> None:
    """The smallest sets of known columns that expose the sensitive one, ranked."""
    breaching, known = results.smallest_sets(data, settings, sensitive)
    found = breaching.minimal
    if not found.sets:
        st.markdown(f"No set of up to {known} known columns exposes {page.listed([sensitive])} for anyone.")
        return
    table = found.to_frame()
    shown = pd.DataFrame(
        {
            data.unit.capitalize(): table["records"],
            "Share": table["share"],
            "Columns": table["size"],
            "Known columns": [named(names) or "(nothing)" for names in table["variables"]],
        }
    )
    top = found.sets[0]
    share = words.share(found.n_exposed, found.people.n_records, data.unit)
    st.markdown(
        f"**{share}** are exposed in {page.listed([sensitive])} by some set of up to {known} columns. "
        f"{page.listed(list(top)) if top else 'Knowing nothing'} "
        f"{'are' if len(top) > 1 else 'is'} enough for most: **{int(found.exposed[0]):,}**."
    )
    drawn, listing = st.columns([1, 1.25], gap="medium")
    with drawn:
        page.figure(
            plots.minimal_sets(found, f"give {printable(sensitive)[:24]} away", unit=data.unit, dark=page.dark()),
            f"Bars of the {data.unit} that each set of columns exposes, {named(top)} most.",
            "individuals-sets",
        )
    with listing:
        page.table(
            shown.head(MOST_SETS), f"The smallest sets of columns that expose {printable(sensitive)}", height=480,
            percent=["Share"],
        )  # fmt: skip
        page.download("Table as CSV", partial(table_csv, shown), "smallest-sets.csv", "download-sets")
    page.counts(
        f"A set counts for those whose {plain(printable(sensitive), 40)} it brings to {settings.limit}, and no part of "
        f"it does; one person can have several. {words.count(len(shown), 'sets')} in all"
        + (f", the first {MOST_SETS} shown." if len(shown) > MOST_SETS else ".")
    )

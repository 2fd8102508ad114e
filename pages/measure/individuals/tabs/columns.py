"""The views under the heatmap: the figures behind it, what each column adds, the smallest sets."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.individuals import BELOW_ONE
from anonlib.analyses.individuals.heatmap import certainty_order, heatmap_columns
from anonlib.basics import figures, words
from anonlib.dataset import Dataset
from anonlib.plots import individuals as plots
from anonlib.release.export import table_csv
from pages.measure.individuals import column_results, picture
from pages.measure.individuals.question import IN_WORDS, MEANS, IndividualsQuestion
from pages.measure.individuals.results import IndividualsAnswer
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import keep
from ui.text import named, plain, printable

MOST_SETS = 300


def show_variables(data: Dataset, question: IndividualsQuestion, answer: IndividualsAnswer) -> None:
    """One row a variable: for how many it is certain, with a sample's interval; every individual's values as CSV."""
    low, high = answer.people.interval(answer.share)
    n = answer.people.n_records
    shown = pd.DataFrame(
        {
            "Column": [printable(name) for name in answer.variables],
            "Role": [data.roles[name].label for name in answer.variables],
            "Certain": np.rint(answer.share * n).astype(np.int64),
            "Share": [np.nan if np.isnan(c).all() else s for c, s in zip(answer.values.T, answer.share, strict=True)],
        }
    )
    if answer.people.is_sampled:
        shown["95% from"], shown["to"] = low, high
    quasi = column_results.certain_from_two(data)
    if quasi.by_column:
        certain = [quasi.by_column.get(name) for name in answer.variables]
        shown[quasi.name] = pd.array(
            [None if certainty is None else certainty.certain for certainty in certain], dtype="Int64"
        )
    mean = f"{answer.in_words.capitalize()}, mean"
    shown[mean] = np.round(answer.people.mean_of(answer.values), 3)
    missing = answer.people.number(answer.missing)
    if missing.any():
        shown["Certainly missing"] = missing
    if answer.profile is not None:
        place = [answer.profile.sensitive.index(name) for name in answer.variables]
        shown[figures.VALUES.name] = [data.held.profile(name).distinct for name in answer.variables]
        if question.measure == "poac":
            shown["Possible above (q)"] = [answer.profile.q[i] for i in place]
        depth = answer.profile.breach_depth(question.threshold)
        for known in answer.profile.known[:4] if answer.known else ():
            cumulative = answer.people.number((depth >= 0) & (depth <= known))
            shown[f"from {known} other column" if known == 1 else f"from up to {known} others"] = cumulative[place]
    shares = [name for name in ("Share", "95% from", "to", mean if answer.highest == 1 else "") if name in shown]
    counted = "counted" if question.missing_is_harm else "not counted"
    page.table(
        shown, f"For how many {data.unit} each column is certain", percent=shares,
        help={
            mean: glossary.linked(picture.term_in_words(question, answer), "PPP"),
            "Certainly missing": glossary.linked(
                f"Those who are certain to have no value there: {counted} under “Certain”.",
                "certain",
            ),
            quasi.name: glossary.linked(
                f"{figures.CERTAIN_FROM_TWO.meaning(data.unit)} As in the sidebar and in reports.",
                figures.CERTAIN_FROM_TWO.word, "quasi-identifier", "sensitive",
            ),
        },
    )  # fmt: skip
    by_known = (
        "“From up to 2 others” counts those for whom some set of one or two of the other columns is enough, sensitive "
        "ones among them. "
        if any(name.startswith("from ") for name in shown.columns)
        else ""
    )
    source = "" if question.attacker == "chance" else "Kroes et al. 2021, Definition 3, and Definition 4 for PoAC."
    page.counts(f"Certain: {picture.meaning(question)}. {by_known}{source}")
    with st.container(horizontal=True):
        numbers = shown.copy()
        numbers["Share"] = np.where(np.isnan(answer.values).all(axis=0), np.nan, answer.share)
        if answer.people.is_sampled:
            numbers["95% from"], numbers["95% to"] = low, high
        page.download(
            "Table as CSV",
            partial(table_csv, numbers),
            "certain-by-column.csv",
            "download-variables",
            holds=Holds.FIGURES,
        )
        page.download(
            "Every threshold as CSV", partial(_thresholds_csv, question, answer), "certain-by-threshold.csv",
            "download-thresholds",
            holds=Holds.FIGURES, help="How many are at or below each threshold, for every column.",
        )  # fmt: skip
        term = picture.term_in_words(question, answer)
        if data.frame is None:
            page.download(
                "Every class’s values as CSV", partial(_classes_csv, answer, data.unit), "privacy-by-class.csv",
                "download-records", holds=Holds.INSIDE,
                help=f"{term} One row a class of equal records; no cell of the table itself.",
            )  # fmt: skip
        else:
            page.download(
                "Every record’s values as CSV", partial(_records_csv, answer), "privacy-by-record.csv",
                "download-records", holds=Holds.INSIDE,
                help=f"{term} One row a record of the file, in its order; no cell of the file itself.",
            )  # fmt: skip


def _thresholds_csv(question: IndividualsQuestion, answer: IndividualsAnswer) -> bytes:
    """One row a column and threshold: the number and the share at or below it."""
    of_measure = question.measure == "npp" and answer.name == question.name
    thresholds: list[float] = list(range(51)) if of_measure else [x / 100 for x in range(0, 100, 5)]
    if question.measure == "poac" and answer.name == question.name:
        thresholds.append(BELOW_ONE)  # Definition 4
    rows = []
    for name, values in zip(answer.variables, answer.values.T, strict=True):
        for threshold in thresholds:
            below = values <= threshold
            number, share = int(answer.people.number(below)), float(answer.people.share(below))
            rows.append(
                {"column": name, f"{answer.name} at or below": threshold, "individuals": number, "share": share}
            )
    return table_csv(pd.DataFrame(rows))


def _records_csv(answer: IndividualsAnswer) -> bytes:
    frame = _values(answer, answer.people.by_record(answer.values))
    frame.insert(0, "record", np.arange(1, len(frame) + 1))
    return table_csv(frame)


def _classes_csv(answer: IndividualsAnswer, unit: str) -> bytes:
    frame = _values(answer, answer.values)
    frame.insert(0, "class", answer.people.rows + 1)
    frame.insert(1, unit, answer.people.counts)
    return table_csv(frame)


def _values(answer: IndividualsAnswer, values: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(values, columns=[f"{answer.name} {name}" for name in answer.variables])


def show_additions(data: Dataset, question: IndividualsQuestion, sensitive: str) -> None:
    """Leave-one-out: the sensitive column's privacy when each other column is unknown."""
    known_of_rest = keep.segments(
        "individuals-add-minimum", "Of the columns that remain, the attacker knows", ["all", "any set"],
        help="All: the value at maximum information. Any: the least over all sets.",
    )  # fmt: skip
    minimum = known_of_rest == "any set"
    additions, known = column_results.adds(data, question, sensitive, minimum)
    table = additions.to_frame(question.threshold)
    names = ["(nothing unknown)", *table["variable"]]
    place = [additions.auxiliary.index(name) for name in table["variable"]]
    values = np.column_stack([additions.baseline, additions.values[:, place]])
    certain = values <= question.threshold
    order = certainty_order(values, certain)
    columns = heatmap_columns(values, certain, additions.people.counts, order)
    highest = 1.0 if question.measure != "npp" else float(max(20, 2 * question.threshold))
    drawn, listing = st.columns([1.5, 1], gap="large")
    limited = isinstance(question.attacker, int) and question.attacker < len(additions.auxiliary)
    in_words = IN_WORDS[question.name]
    more = f", more than the attacker above knows ({question.attacker} at most)" if limited else ""
    with drawn:
        most = table.iloc[0]
        page.figure(
            partial(plots.heatmap, columns, names, in_words, highest=highest, unit=data.unit, selectable=False),
            f"Heatmap of the privacy of {printable(sensitive)} when each other column is unknown; hiding "
            f"{printable(most['variable'])} frees most.",
            "individuals-additions",
        )
        page.counts(
            f"Each row hides one column from the attacker; red: still {question.certain}. The paler or redder a row "
            "stays, the less that column matters. "
            + (f"Of the others, every set of up to {known}. " if minimum else f"All others are known{more}. ")
            + "Kroes et al. 2021, Figure 3."
        )
    with listing:
        gained = f"{in_words.capitalize()}, mean gained"
        shown = pd.DataFrame(
            {
                "Column unknown": [printable(name) for name in table["variable"]],
                "Freed": table["freed"],
                "Still certain": table["certain"],
                gained: table["gain"].round(3),
            }
        )
        page.table(
            shown, "What hiding each column frees",
            help={
                "Freed": glossary.linked(
                    f"For whom {plain(printable(sensitive), 40)} is certain, and not without this column.",
                    "certain",
                ),
                gained: glossary.linked(f"{question.name}: {MEANS[question.measure]}", "PPP"),
            },
            percent=[] if question.measure == "npp" else [gained],
        )  # fmt: skip
        page.download(
            "Table as CSV", partial(table_csv, shown), "leave-one-out.csv", "download-additions", holds=Holds.FIGURES
        )


def show_sets(data: Dataset, question: IndividualsQuestion, sensitive: str) -> None:
    """The smallest sets of known columns that make the sensitive value certain, ranked."""
    breaching, known = column_results.smallest_sets(data, question, sensitive)
    minimal = breaching.minimal
    if not minimal.sets:
        st.markdown(f"No set of up to {known} known columns makes {page.listed([sensitive])} certain for anyone.")
        return
    table = minimal.to_frame()
    shown = pd.DataFrame(
        {
            data.unit.capitalize(): table["records"],
            "Share": table["share"],
            "Columns": table["size"],
            "Known columns": [named(names) or "(nothing)" for names in table["variables"]],
        }
    )
    top = minimal.sets[0]
    share = words.share(minimal.n_with_sets, minimal.people.n_records, data.unit)
    st.markdown(
        f"For **{share}** some set of up to {known} columns makes {page.listed([sensitive])} certain. "
        f"{page.listed(list(top)) if top else 'Knowing nothing'} "
        f"{'are' if len(top) > 1 else 'is'} enough for most: **{int(minimal.counts[0]):,}**."
    )
    drawn, listing = st.columns([1, 1.25], gap="medium")
    with drawn:
        page.figure(
            partial(plots.minimal_sets, minimal, f"give {printable(sensitive)[:24]} away", unit=data.unit),
            f"Bars of how many {data.unit} each set of columns is enough for: {named(top)} for most.",
            "individuals-sets",
        )
    with listing:
        page.table(
            shown.head(MOST_SETS), f"The smallest sets of columns that make {printable(sensitive)} certain", height=480,
            percent=["Share"],
        )  # fmt: skip
        page.download(
            "Table as CSV", partial(table_csv, shown), "smallest-sets.csv", "download-sets", holds=Holds.FIGURES
        )
    page.counts(
        f"A set counts for those whose {plain(printable(sensitive), 40)} it makes {question.certain}, and no part of "
        f"it does; one person can have several. {words.count(len(shown), 'sets')} in all"
        + (f", the first {MOST_SETS} shown." if len(shown) > MOST_SETS else ".")
    )

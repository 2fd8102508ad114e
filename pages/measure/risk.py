"""Risk: how identifiable is this file, to whom, and which columns make it so."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib import words
from anonlib.classes import AnonymityVector
from anonlib.classes.coding import unused_name
from anonlib.dataset import Dataset
from anonlib.plots import risk as plots
from anonlib.release.comparison import Comparison
from anonlib.release.export import table_csv
from anonlib.risk import AttackerRisk, as_row, attribute_contributions, sensitive_risk
from anonlib.roles import Role
from anonlib.thresholds import PRESETS
from ui import cache, distribution, explain, guard, outcome, page, persons, population, singling_out, state
from ui.text import plain, printable

DOES = "This page shows how many share their values with too few others, who could use that, and which columns do it."
KNOWS = {
    "prosecutor": "knows that the target is in this file",
    "journalist": "knows only that the target is in the population",
    "marketer": "wants as many people as possible, whoever they are",
}
SHOWN_RECORDS = 500
CUSTOM = "own choice"


# ---- controls -----------------------------------------------------------------------------------------------------


def apply_preset(key: str, current: str, made: int) -> None:
    """Take over the chosen preset, and with it new sliders. What widgets of before still say is no choice."""
    session = state.session()
    preset = next((p for p in PRESETS if made == session.taken and p.title == st.session_state[key]), None)
    if preset is not None and preset.title != current:
        session.k, session.own_threshold = preset.k, None
        session.taken += 1


def apply_k(made: int) -> None:
    session = state.session()
    if made == session.taken:
        session.k = st.session_state[f"risk-k-{made}"]


def apply_threshold(made: int) -> None:
    session = state.session()
    if made == session.taken and session.own_threshold is not None:
        session.own_threshold = round(st.session_state[f"risk-threshold-{made}"] / 100, 4)


def set_apart(key: str) -> None:
    """Set the threshold apart from k, or tie it to k again."""
    session = state.session()
    session.own_threshold = session.threshold if st.session_state[key] else None
    session.taken += 1


def show_controls(has_recipe: bool) -> str:
    """The controls in one row; returns which data set the page looks at."""
    session = state.session()
    apart = session.own_threshold is not None
    matching = next((p for p in PRESETS if p.k == session.k and not apart), None)
    offered = [p.title for p in PRESETS] + ([] if matching else [CUSTOM])
    current = matching.title if matching else CUSTOM
    # A selectbox for each preset that holds, and sliders for each preset chosen: while something is dragged, the
    # browser goes on saying what the widgets of before said, which must not be taken for a choice.
    made = session.taken
    key = f"risk-preset-{made}-{current}"
    preset, k, threshold, look, more = page.beside(3, 3, 3, 3, 2, gap="small", align="bottom")
    preset.selectbox(
        "Threshold", offered, offered.index(current), key=key, on_change=guard.action(apply_preset),
        args=(key, current, made),
        help="\n".join(f"- **{p.title}**: {p.source} {p.note}" for p in PRESETS),
    )  # fmt: skip
    k.slider(
        "k: smallest class you accept", 2, 50, session.k, key=f"risk-k-{made}",
        on_change=guard.action(apply_k), args=(made,),
        help="Every record should share all its quasi-identifiers with at least k − 1 others.",
    )  # fmt: skip
    if apart:
        threshold.slider(
            "Risk threshold, in %", 0.5, 50.0, round(100 * session.threshold, 2), 0.01, "%.3g%%",
            key=f"risk-threshold-{made}", on_change=guard.action(apply_threshold), args=(made,),
            help="A record is at risk when its probability of being re-identified is above this.",
        )  # fmt: skip
    else:
        threshold.markdown(
            f"Risk threshold: 1 / k = **{words.percent(session.threshold)}**",
            help="The same in other words: a record in a class below k is at risk, and no other. It can be set apart "
            "from k under More.",
        )
    with look:
        looked = st.segmented_control(
            "Look at", ["Original", "Release"], default="Release" if has_recipe else "Original", required=True,
            disabled=not has_recipe, key=f"risk-look-{has_recipe}",
            help="The original file, or what the recipe makes of it." if has_recipe
            else "There is no recipe yet: add steps on the Release page.",
        )  # fmt: skip
    with more, st.popover("More"):
        key = f"risk-apart-{made}"
        st.toggle(
            "Set the risk threshold apart from k", apart, key=key, on_change=guard.action(set_apart), args=(key,),
            help="To read a printed threshold strictly: 9% is missed by classes of 11, whose risk is 9.09%.",
        )  # fmt: skip
        population.show()
    return looked or "Original"


# ---- figures ------------------------------------------------------------------------------------------------------


def show_metrics(comparison: Comparison, unit: str) -> None:
    before, after = comparison.before, comparison.after
    average = [words.percent(risk.prosecutor.average) for risk in (before, after)]
    unique = [words.percent(risk.unique / max(1, risk.n_records)) for risk in (before, after)]
    page.metrics(
        *page.risk_figures(comparison, unit),
        (
            "Average risk",
            words.change(*average),
            f"Prosecutor's: classes / {unit}, the share that an attacker on everyone in the file gets right.",
        ),
        (
            "Unique",
            words.change(*unique),
            f"Alone with their values: {words.share(after.unique, after.n_records, unit)} now.",
        ),
    )


def in_words(data: Dataset, vector: AnonymityVector, k: int, selected: tuple[int, int] | None) -> None:
    """What is selected, or the whole, in words, with the next step."""
    unit, n = data.unit, vector.n_records
    if selected is None:
        below = vector.people_below(k)
        st.subheader("In words", anchor=False)
        if below:
            st.markdown(
                f"**{words.share(below, n, unit)}** share {page.listed(data.quasi_identifiers)} with fewer than "
                f"{k - 1} others. **{vector.people_below(2):,}** are alone: who knows these values knows the record."
            )
            most = contributions_of(data).iloc[0]
            if most["adds_below_k"]:
                st.markdown(
                    f"{page.listed([most['attribute']])} adds most: without it {most['below_k_without']:,} would be "
                    f"below {k}, and {most['unique_without']:,} alone."
                )
        else:
            st.markdown(
                f"Every record shares {page.listed(data.quasi_identifiers)} with at least **{vector.k - 1:,}** others."
            )
        st.caption("Click a bar to read what is in it.")
    else:
        low, high = selected
        inside = (vector.sizes >= low) & (vector.sizes <= high)
        records, classes = int((vector.sizes * vector.classes)[inside].sum()), int(vector.classes[inside].sum())
        what = words.count(low, unit) if low == high else f"{low:,} to {high:,} {unit}"
        st.subheader(f"Classes of {what}", anchor=False)
        st.markdown(
            f"**{words.share(records, n, unit)}** are in {classes:,} classes of this size. Someone who knows one of "
            f"them by these values picks the right record with probability "
            f"**{words.percent(1 / high)}**{'' if low == high else f' to **{words.percent(1 / low)}**'}."
        )
        st.markdown(f"That is {'**below**' if high < k else 'at or above'} the k = {k} asked for.")
    holds = not vector.people_below(k)
    label = "Take the release home" if holds else "Protect: recode or suppress"
    st.page_link(page.RELEASE, label=label, icon=":material/outbox:" if holds else ":material/shield:")


def show_distribution(data: Dataset, vector: AnonymityVector, original: AnonymityVector, looked: str) -> None:
    k = state.session().k
    picture, side = page.beside(2, 1)
    with picture:
        before = original if looked == "Release" else None
        scale = distribution.ask_scale()
        chart = plots.class_sizes(vector, k, before=before, unit=data.unit, scale=scale, dark=page.dark())
        below = words.share(vector.people_below(k), vector.n_records, data.unit)
        event = page.figure(
            chart, f"Bar chart of {data.unit} by the size of their class. {below} are in classes below {k}, drawn red.",
            "risk-sizes", selectable="points",
        )  # fmt: skip
        page.counts(
            f"Each bar counts {data.unit} by how many share all of their quasi-identifiers; red and hatched is below "
            f"k = {k}. {distribution.axis_in_words(vector, k, before, scale)}"
            "Equivalence classes as in Sweeney 2002; anonymity vector as in Caballero et al. 2017, Definition 2."
        )
    points = event.selection.points if event else []
    bins = plots.size_bins(vector, k, int(max(original.sizes[-1], vector.sizes[-1])))
    selected = None
    if points and points[0]["point_index"] < len(bins.lows):
        i = points[0]["point_index"]
        selected = (int(bins.lows[i]), int(bins.highs[i]))
    with side, st.container(border=True, height="stretch"):
        in_words(data, vector, k, selected)


# ---- tabs ---------------------------------------------------------------------------------------------------------


def show_attackers(comparison: Comparison, unit: str) -> None:
    for column, name in zip(st.columns(3), KNOWS, strict=True):
        before, after = getattr(comparison.before, name), getattr(comparison.after, name)
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"**{name.capitalize()}** {KNOWS[name]}")
            if after is None or before is None:
                st.markdown(
                    "Needs a population table that has some of the quasi-identifiers: load one under **More** above."
                )
            else:
                show_attacker(name, before, after, unit)
    page.counts(
        "At risk: above the threshold. Highest is what counts for a public release, average for a controlled one "
        "(ISO/IEC 27559, 7.3.2). Prosecutor, journalist and marketer as in El Emam 2013."
    )


def show_attacker(name: str, before: AttackerRisk, after: AttackerRisk, unit: str) -> None:
    average = words.change(words.percent(before.average), words.percent(after.average))
    if name == "marketer":
        expected = [round(risk.average * risk.n_records) for risk in (before, after)]
        number, meaning = words.change(f"{expected[0]:,}", f"{expected[1]:,}"), f"{unit} expected to be re-identified"
        line = f"average **{average}** of all"
    else:
        number, meaning = words.change(f"{before.at_risk:,}", f"{after.at_risk:,}"), f"{unit} at risk"
        highest = words.change(words.percent(before.highest), words.percent(after.highest))
        line = f"highest **{highest}**, average **{average}**"
    st.subheader(f":{'red' if after.at_risk else 'primary'}[{plain(number)}]", anchor=False)
    st.markdown(f"{meaning}  \n{line}")
    if after.in_population:
        st.caption(f"By what the population table has: {page.listed(after.attributes)}.")
    elif name == "marketer":
        st.caption("Matched with the file alone: a population table makes it the people that look alike there.")
    if after.unmatched and name == "journalist":
        st.caption(
            f"{words.count(after.unmatched, unit)} have nobody like them in the population table: they count at the "
            "size of their class in the file."
        )


def contributions_of(data: Dataset) -> pd.DataFrame:
    session = state.session()
    return cache.remember(_contributions, data, k=session.k, threshold=session.threshold)


def _contributions(data: Dataset, *, k: int, threshold: float) -> pd.DataFrame:
    return attribute_contributions(cache.remember(Dataset.classes, data), k=k, threshold=threshold)


def _vector(data: Dataset) -> AnonymityVector:
    return cache.remember(Dataset.classes, data).anonymity_vector


def show_contributions(data: Dataset) -> None:
    session, table = state.session(), contributions_of(data)
    whole = _vector(data)
    picture, listing = st.columns([1, 1], gap="large")
    with picture:
        top = printable(table["attribute"].iloc[0])
        page.figure(
            plots.contributions(table, whole.people_below(session.k), session.k, unit=data.unit, dark=page.dark()),
            f"Bars of the {data.unit} each quasi-identifier adds below k = {session.k}; the largest is {top}.",
            "risk-contributions",
        )
    with listing:
        shown = pd.DataFrame(
            {
                "Quasi-identifier": [printable(name) for name in table["attribute"]],
                "Values": table["values"],
                "Below k without": table["below_k_without"],
                "At risk without": table["at_risk_without"],
                "Unique without": table["unique_without"],
                "k without": table["k_without"],
            }
        )
        page.table(shown, "What each quasi-identifier adds to the risk, as a table")
        page.download("Table as CSV", partial(table_csv, shown), "quasi-identifiers.csv", "download-contributions")
    page.counts(
        f"With all quasi-identifiers {words.share(whole.people_below(session.k), whole.n_records, data.unit)} "
        f"are in classes below {session.k}; “without” counts again for an attacker who does not know that column."
    )


def _below_k(data: Dataset, *, k: int) -> np.ndarray:
    """Positions of the records in classes below k, the smallest classes first."""
    sizes = cache.remember(Dataset.classes, data).size_of_record
    positions = np.flatnonzero((sizes > 0) & (sizes < k))
    return positions[np.argsort(sizes[positions], kind="stable")]


def show_records(data: Dataset) -> None:
    assert data.frame is not None
    k = state.session().k
    positions = cache.remember(_below_k, data, k=k)
    if not len(positions):
        st.markdown(f"No record is in a class below {k}.")
        return
    reveal = st.toggle(
        "Show sensitive values", key="risk-reveal", help="Identifiers and person ids stay masked in any case."
    )
    masked = set(data.columns_with(Role.IDENTIFIER, Role.PERSON_ID) + ([] if reveal else data.sensitive))
    ordered = data.quasi_identifiers + [c for c in data.columns if c not in data.quasi_identifiers]
    some = data.frame.iloc[positions[:SHOWN_RECORDS]]
    sizes = cache.remember(Dataset.classes, data).size_of_record[positions[:SHOWN_RECORDS]]
    shown = pd.DataFrame({"class of": sizes}, index=pd.Index(positions[:SHOWN_RECORDS] + 1, name="record"))
    values, rows_differ = persons.counted(cache.remember(Dataset.classes, data), positions[:SHOWN_RECORDS])
    if any(rows_differ):
        shown[persons.DIFFERING] = rows_differ
    values.index = some.index
    for column in ordered:
        shown[unused_name(printable(column), shown.columns)] = (
            "•••" if column in masked else (values if column in values else some)[column].astype(object).to_numpy()
        )
    page.table(shown, f"Records in classes below {k}; identifiers are masked.", height=320, hide_index=False)
    page.counts(
        f"{words.share(len(positions), len(data.frame), 'records')} are in classes below {k}"
        + (f"; the first {SHOWN_RECORDS} are shown, smallest classes first" if len(positions) > SHOWN_RECORDS else "")
        + ". “class of” is how many share the quasi-identifiers; “record” is the row in the file."
        + (f" {persons.WHY}" if any(rows_differ) else "")
    )


def _sensitive(data: Dataset) -> pd.DataFrame:
    classes = data.classes([*data.quasi_identifiers, *data.sensitive])
    return pd.DataFrame([as_row(sensitive_risk(classes, data.quasi_identifiers, column)) for column in data.sensitive])


def show_sensitive(data: Dataset) -> None:
    if not data.sensitive:
        st.markdown("No column is marked as sensitive: give one the role on the Data page.")
        return
    table = cache.remember(_sensitive, data)
    whole = int(table["n_records"].max())
    shown = pd.DataFrame(
        {
            "Sensitive column": [printable(name) for name in table["column"]],
            f"{data.unit.capitalize()} disclosed": table["records_disclosed"],
            "Share disclosed": table["records_disclosed"] / table["n_records"].clip(lower=1),
            "Certainly missing": table["records_missing"],
            "Distinct l": table["distinct_l"],
            "Entropy l": table["entropy_l"].round(2),
            "t, equal distance": table["t_equal"].round(3),
            "t, ordered": table["t_ordered"].round(3),
        }
    )
    page.table(
        shown,
        "l-diversity and t-closeness of each sensitive column",
        percent=["Share disclosed"],
        help={
            "Certainly missing": "In a class where everyone lacks the value: being sure of that discloses nothing.",
            "Distinct l": "Distinct values in the poorest class (Machanavajjhala et al. 2007).",
            "Entropy l": "exp of the smallest entropy of a class (same paper).",
            "t, equal distance": "Largest distance of a class from the whole file, 0 to 1 (Li et al. 2007).",
            "t, ordered": "The same, with the values in their order.",
        },
    )
    page.counts(
        f"Disclosed: in a class where everyone has the same sensitive value, so that finding the class is enough, "
        f"whatever its size; of {words.count(whole, data.unit)}. A value that all of a class lack is not disclosed. l "
        "and t are of the worst class, and count what is missing as a value of its own."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        page.download("Table as CSV", partial(table_csv, shown), "sensitive-columns.csv", "download-sensitive")
        st.page_link(
            page.INDIVIDUALS, label="Whose value can be inferred, and from what", icon=":material/person_search:"
        )


def show_vector(vector: AnonymityVector, unit: str) -> None:
    table = vector.to_frame()
    cumulative = table["records"].cumsum()
    table["risk"] = 1 / table["size"]
    table["share up to here"] = cumulative / vector.n_records
    table.columns = ["Class size", "Classes", unit.capitalize(), "Risk", f"Share of {unit} up to here"]
    page.table(table, "Number of classes of each size", height=320, percent=table.columns[-2:])
    page.counts("The anonymity vector: how many classes there are of each size (Caballero et al. 2017, Definition 2).")
    page.download("Table as CSV", partial(table_csv, table), "class-sizes.csv", "download-vector")


# ---- the page -----------------------------------------------------------------------------------------------------


def show_page() -> None:
    page.header("Risk", "How identifiable is this file, to whom, and which columns make it so?")
    original = page.require_quasi_identifiers(DOES)
    metrics = st.container()
    looked = show_controls(bool(state.session().recipe.enabled))
    comparison = outcome.comparison()
    assert comparison is not None
    applied = outcome.applied()
    data = applied.released if looked == "Release" and applied is not None else original
    with metrics:
        show_metrics(comparison, original.unit)
    vector = (comparison.after if looked == "Release" else comparison.before).vector
    if not data.quasi_identifiers or not vector.n_records:
        st.info("No quasi-identifier or no record is left to count: nothing is left to single out.")
        st.stop()
    show_distribution(data, vector, comparison.before.vector, looked)

    page.tabs(
        "risk-tabs",
        {
            "Attackers": partial(show_attackers, comparison, original.unit),
            "Quasi-identifiers": partial(show_contributions, data),
            singling_out.TAB: partial(singling_out.show, data),
            "Records below k": partial(show_records, data),
            "Sensitive values": partial(show_sensitive, data),
            "Class sizes": partial(show_vector, vector, data.unit),
            "How it works": partial(explain.show, "risk"),
        },
    )


show_page()

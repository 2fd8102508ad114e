"""The Risk page's tab "Singling out": which few columns together are enough to tell someone apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.individuals import SinglingOut, correct_match, intrusion, singling_out
from anonlib.analyses.individuals.measures import MOST_SETS
from anonlib.analyses.leakage import information_loss
from anonlib.basics import words
from anonlib.basics.progress import Progress
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.covering import CoveredTable
from anonlib.counting.classes.subsets import n_subsets
from anonlib.dataset import Dataset
from anonlib.plots import individuals as plots
from anonlib.reading.records.names import unused_name
from anonlib.release.export import table_csv
from pages.measure.risk.tabs import population
from ui.kit import covering, criterion_pages, glossary, page, persons
from ui.kit.release_gate import Holds
from ui.session import cache, keep, long_work, view
from ui.text import named, printable

TAB = "Singling out"
UNIQUE, BELOW = "Alone (unique)", "Below k"
LARGEST, USUAL = 4, 3  # columns in a combination
AT_ONCE = 1.0  # seconds; what takes longer waits for a button
SHOWN_RECORDS = 100
SHOWN_COMBINATIONS = 12
MATCH = "match is right"
_MEANINGS = {
    "combinations": glossary.linked("How many minimal combinations single this record out.", "singled out"),
    "score": glossary.linked(
        "Sum over these combinations; the smaller a combination, the more it adds.", "singled out"
    ),
    MATCH: glossary.linked(
        "Probability that someone of the population who matches this record alone is the right person.", "alone"
    ),
}


def show(data: Dataset) -> None:
    """The tab, for the original or a release."""
    classes = classes_of(data)
    covering.say_how_counted(data, tuple(data.quasi_identifiers))
    chosen = _controls(classes)
    k = view.now().k if chosen["below"] else 2
    size = int(chosen["size"])
    seconds, counted = estimated_seconds(classes, size), _Counted(data.key, classes)
    singled_out: SinglingOut | None
    if seconds <= AT_ONCE:
        singled_out = _found(counted, max_size=size, k=k)
    else:
        what = f"Looking at every combination of up to {words.count(size, 'columns')}"
        stage = (what, _found.work(counted, max_size=size, k=k))
        singled_out = long_work.best_so_far(f"singling out {data.key} {size} {k}", [stage], seconds)
    if singled_out is None:
        return
    in_words(singled_out, data.unit, _by_all(data, k=k))
    if singled_out.minimal.people.is_sampled:
        _sampled(singled_out, data.unit)
    if singled_out.minimal.sets:
        _combinations(singled_out, data.unit)
        _records(data, singled_out)


def classes_of(data: Dataset) -> ClassTable:
    """By all quasi-identifiers; of the release by what its labels cover."""
    return view.covered(data, tuple(data.quasi_identifiers)).classes


@cache.remembered
def _by_all(data: Dataset, *, k: int) -> int:
    """How many all quasi-identifiers together leave among fewer than k."""
    return int(information_loss(classes_of(data), [data.quasi_identifiers], k=k).below_k[0])


def estimated_seconds(classes: ClassTable, size: int) -> float:
    """About how long every combination of at most ``size`` columns takes on one core."""
    covering_it = classes.seconds_a_set if isinstance(classes, CoveredTable) else 0.0
    return n_subsets(len(classes.attributes), size) * (25e-6 + classes.n_classes * 18e-9 + covering_it)


def _controls(classes: ClassTable) -> dict[str, int | bool]:
    """What is asked for: ``size`` of combinations and whether ``below`` k counts instead of alone."""
    n = len(classes.attributes)
    sizes = [size for size in range(1, min(n, LARGEST) + 1) if n_subsets(n, size) <= MOST_SETS]
    quick = [size for size in sizes if size <= USUAL and estimated_seconds(classes, size) <= AT_ONCE]
    usual = criterion_pages.size(criterion_pages.SINGLING_SIZE, sizes, max(quick, default=1))
    left, right = st.columns([1, 2], gap="large")
    size = keep.segments(
        keep.per(criterion_pages.SINGLING_SIZES, sizes, usual), "Combinations of up to … columns", sizes, usual,
        place=left, help=glossary.linked(
            "How many quasi-identifiers the attacker combines at most.",
            "quasi-identifier",
        ),
    )  # fmt: skip
    who = keep.segments(
        "risk-singling-who", "Counts as singled out", [UNIQUE, BELOW], place=right,
        help=glossary.linked(
            "Alone: nobody else has these values. Below k: fewer than the k chosen above have them.",
            "singled out", "k",
        ),
    )  # fmt: skip
    return {"size": size, "below": who == BELOW}


@dataclass(frozen=True, eq=False)
class _Counted:
    """Who shares which quasi-identifiers; ``key`` names the data."""

    key: str
    classes: ClassTable

    @property
    def n_records(self) -> int:
        return self.classes.n_records


@cache.waited_for("Looking at every combination", away_from=cache.MANY)
def _found(of: _Counted, *, max_size: int, k: int, progress: Progress = long_work.let_go) -> SinglingOut:
    return singling_out(of.classes, max_size=max_size, k=k, progress=progress)


def in_words(singled_out: SinglingOut, unit: str, by_all: int) -> None:
    """Who is singled out, and by what most of all; ``by_all`` are those whom all columns together single out."""
    minimal, n, n_columns = (
        singled_out.minimal,
        singled_out.minimal.people.n_records,
        len(singled_out.minimal.attributes),
    )
    if not minimal.sets:
        others = "someone else" if singled_out.k == 2 else f"at least {singled_out.k - 1} others"
        columns = words.count(singled_out.max_size, "quasi-identifiers")
        st.markdown(f"**Nobody is singled out**: everyone shares any {columns} with {others}.")
        if by_all and singled_out.max_size < n_columns:
            together = words.count(n_columns, "quasi-identifiers")
            st.markdown(
                f"More columns together do it: all {together} leave **{words.share(by_all, n, unit)}** "
                f"{_alone(singled_out)}."
            )
        return
    alone, most = _alone(singled_out), minimal.sets[0]
    known = (
        page.listed(minimal.attributes)
        if n_columns == 1
        else f"at most **{singled_out.max_size} of {n_columns}** quasi-identifiers"
    )
    by_one = int(minimal.people.number(minimal.smallest == 1)) if n_columns > 1 else 0
    st.markdown(
        f"By {known}, **{words.share(minimal.n_with_sets, n, unit)}** are {alone}"
        + (f", {by_one:,} of them by a single one. " if by_one else ". ")
        + (
            f"{page.listed(most)} singles out most: **{int(minimal.counts[0]):,}** are {alone} in it."
            if len(most) == 1
            else f"{page.listed(most)} single out most: **{int(minimal.counts[0]):,}** are {alone} in these together "
            "and in no part of them."
        )
    )


def _sampled(singled_out: SinglingOut, unit: str) -> None:
    people = singled_out.minimal.people
    low, high = people.interval(people.share(singled_out.minimal.smallest >= 0))
    st.caption(
        f"Estimated from {people.n_sampled:,} {unit} drawn at random, each counted against all: with 95% confidence "
        f"{words.percent(float(low))} to {words.percent(float(high))} are {_alone(singled_out)}."
    )


def _alone(singled_out: SinglingOut) -> str:
    return "alone" if singled_out.k == 2 else f"in classes below {singled_out.k}"


def _combinations(singled_out: SinglingOut, unit: str) -> None:
    minimal = singled_out.minimal
    table, longest = minimal.to_frame(), named(minimal.sets[0])
    shown = pd.DataFrame(
        {
            unit.capitalize(): table["records"],
            "Share": table["share"],
            "Columns": table["size"],
            "Combination": [named(names) for names in minimal.sets],  # last, since it may be wider than the table
        }
    )
    picture, listing = st.columns([1, 1.25], gap="medium")
    with picture:
        page.figure(
            partial(plots.minimal_sets, minimal, "single out", most=SHOWN_COMBINATIONS, unit=unit),
            f"Bars of the {unit} that each combination of columns singles out; the longest is {longest}.",
            "risk-singling-out",
        )
    with listing:
        page.table(
            shown, "Combinations of columns by how many they single out", height=page.table_height(len(shown), 480),
            percent=["Share"],
        )  # fmt: skip
        page.download(
            "Table as CSV", partial(table_csv, shown), "singling-out.csv", "download-singling-out", holds=Holds.FIGURES
        )
    page.counts(
        f"Each bar counts the {unit} that are {_alone(singled_out)} in these columns together and in no part of them; "
        "who has several such combinations counts in each. Minimal sample uniques, and their score below, as in "
        "Elliot, Manning and Ford 2002 (SUDA)."
    )


def _records(data: Dataset, singled_out: SinglingOut) -> None:
    st.subheader("Who stands out most", anchor=False)
    people = population.people_of(classes_of(data).n_records) if singled_out.k == 2 else None
    held = _Found(f"{singled_out.max_size} {singled_out.k}", singled_out)
    if data.frame is None:
        _classes(data, singled_out, _top_classes(data, held, people=people), people)
        return
    top = _top_records(data, held, people=people)
    values, rows_differ = persons.counted(classes_of(data), top["record"].to_numpy() - 1)
    shown = top.drop(columns="record").set_axis(top["record"].rename("record"))
    if any(rows_differ):
        shown[persons.DIFFERING] = rows_differ
    for name in data.quasi_identifiers:
        shown[unused_name(printable(name), shown.columns)] = values[name].to_numpy()
    page.table(
        shown,
        "The records with the highest score, with their quasi-identifiers",
        height=page.table_height(len(shown), 360),
        hide_index=False,
        help=_MEANINGS,
        percent=[MATCH] if people is not None else [],
    )
    rows = int(np.count_nonzero(singled_out.records()["n_sets"] > 0))
    page.counts(
        f"{words.count(len(shown), 'records')} of {rows:,} with a score, the highest first. “record” is the row in the "
        "file; “smallest” a combination of the fewest columns that is enough. The score "
        "ranks records of one file for one size of combination; it is no probability. "
        + _of_match(classes_of(data), people, singled_out.k)
        + (f" {persons.WHY}" if any(rows_differ) else "")
    )
    page.download(
        "Scores of all records as CSV",
        partial(_scores_csv, singled_out, classes_of(data), people),
        "singling-out-records.csv",
        "download-singling-out-records",
        holds=Holds.INSIDE,
        help="One row a record: its number, how few columns are enough, how many combinations, the score, and how "
        "likely a match is right where the population's size is known.",
    )


def _classes(data: Dataset, singled_out: SinglingOut, top: pd.DataFrame, people: int | None) -> None:
    """The classes of the highest score, where the rows stay in a database."""
    classes = classes_of(data)
    rows_differ = [persons.in_words(classes, row) for row in top.index.tolist()]
    shown = top.rename(columns={"records": data.unit})
    if any(rows_differ):
        shown[persons.DIFFERING] = rows_differ
    for name in data.quasi_identifiers:
        shown[unused_name(printable(name), shown.columns)] = classes.column(name)[top.index]
    page.table(
        shown, "The classes of records with the highest score, with their quasi-identifiers",
        height=page.table_height(len(shown), 360), help=_MEANINGS, percent=[MATCH] if people is not None else [],
    )  # fmt: skip
    n_classes = int(np.count_nonzero(singled_out.minimal.n_sets))
    page.counts(
        f"{len(shown):,} of {words.count(n_classes, 'classes')} with a score, the highest first. The rows stay in the "
        "database, so each line is one combination of quasi-identifiers. “smallest” is a combination of the fewest "
        "columns that is enough. The score ranks records of one file for one size of combination; it is no "
        f"probability. {_of_match(classes, people, singled_out.k)}" + (f" {persons.WHY}" if any(rows_differ) else "")
    )


def _of_match(classes: ClassTable, people: int | None, k: int) -> str:
    """What the probability of a match says, or where to give what it needs."""
    if k != 2:
        return ""
    if people is None:
        return f"With the population's size, given on the tab “{population.TAB}”, each has a probability too."
    of_file = correct_match(classes.anonymity_vector, people)
    return (
        f"Who finds somebody of the {words.count(people, 'people')} by a record that is alone is right with "
        f"probability {words.percent(of_file)} on the whole (DIS, Skinner and Elliot 2002), and more often the higher "
        "the score (DIS-SUDA, Elliot and Manning 2003)."
    )


@dataclass(frozen=True)
class _Found:
    key: str
    result: SinglingOut


@cache.remembered
def _top_records(data: Dataset, held: _Found, *, people: int | None) -> pd.DataFrame:
    return top_records(classes_of(data), held.result, SHOWN_RECORDS, people)


@cache.remembered
def _top_classes(data: Dataset, held: _Found, *, people: int | None) -> pd.DataFrame:
    return top_classes(classes_of(data), held.result, SHOWN_RECORDS, people)


def top_classes(classes: ClassTable, singled_out: SinglingOut, most: int, people: int | None = None) -> pd.DataFrame:
    """The classes of the highest score, by their position in the class table.

    Columns: ``records`` (looked at), ``smallest``, ``combinations``, ``score``; and with the population's size,
    ``match is right``.
    """
    rows = np.argsort(-singled_out.score, kind="stable")[:most]
    rows = rows[singled_out.minimal.n_sets[rows] > 0]
    top = pd.DataFrame(
        {"records": singled_out.minimal.people.counts[rows], **_scored(singled_out, rows)},
        index=singled_out.minimal.people.rows[rows],
    )
    return top if people is None else top.assign(**{MATCH: intrusion(classes, singled_out, people).of_row[rows]})


def _scored(singled_out: SinglingOut, rows: np.ndarray) -> dict[str, object]:
    """What is shown of individuals looked at: ``smallest``, ``combinations`` and ``score``."""
    return {
        "smallest": [named(singled_out.minimal.smallest_set(row)) for row in rows],
        "combinations": singled_out.minimal.n_sets[rows],
        "score": singled_out.score[rows],
    }


def top_records(classes: ClassTable, singled_out: SinglingOut, most: int, people: int | None = None) -> pd.DataFrame:
    """The records of the highest score.

    Columns: ``record`` (from 1), ``smallest`` (a combination, as text), ``combinations`` (how many), ``score``; and
    with the population's size, ``match is right``.
    """
    table = singled_out.records()
    score = table["score"].to_numpy()
    positions = np.argsort(-np.nan_to_num(score), kind="stable")[:most]
    positions = positions[table["n_sets"].to_numpy()[positions] > 0]
    assert classes.class_of_record is not None
    rows = np.searchsorted(singled_out.minimal.people.rows, classes.class_of_record[positions])
    top = pd.DataFrame({"record": positions + 1, **_scored(singled_out, rows)})
    return top if people is None else top.assign(**{MATCH: intrusion(classes, singled_out, people).of_row[rows]})


def _scores_csv(singled_out: SinglingOut, classes: ClassTable | None = None, people: int | None = None) -> bytes:
    table = singled_out.records()
    frame = pd.DataFrame(
        {
            "record": np.arange(1, len(table) + 1),
            "smallest": table["smallest"].where(table["smallest"] > 0).astype("Int64"),
            "combinations": table["n_sets"].astype("Int64"),
            "score": table["score"],
        }
    )
    if classes is not None and people is not None:
        frame[MATCH.replace(" ", "_")] = intrusion(classes, singled_out, people).records()
    return table_csv(frame)

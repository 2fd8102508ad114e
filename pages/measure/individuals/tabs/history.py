"""The tab "History": what the first, the second, the third known visit of a person gives away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.individuals.history import (
    MOST_CHOICES,
    History,
    MostTellingVisits,
    SureOf,
    VisitTimes,
    in_time_order,
    rows_of_person,
    time_columns,
    visit_times,
)
from anonlib.analyses.individuals.history import (
    history as history_of,
)
from anonlib.analyses.individuals.made_up import LEAST, MadeUp, made_up
from anonlib.basics import words
from anonlib.counting.classes import PersonTable
from anonlib.dataset import Dataset
from anonlib.plots import history as plots
from anonlib.reading.records.names import unused_name
from anonlib.release.export import table_csv
from anonlib.values.cells import MISSING_LABEL
from pages.measure.individuals import results
from pages.measure.individuals.picture import RECORD
from pages.measure.individuals.question import IndividualsQuestion
from pages.measure.individuals.results import IndividualsAnswer
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import cache, guard, keep, view
from ui.session.names import titled
from ui.text import plain, printable

_time_columns = cache.remembered(time_columns)
_visit_times = cache.remembered(visit_times)

HIDDEN = "•••"


@dataclass(frozen=True, eq=False)
class _Person:
    """The person looked at: their history, the rows in it, and when these are.

    Attributes
    ----------
    data : the records that are counted.
    rows : their rows in ``data``, in the order of time.
    numbers : the numbers that these rows have on the page, from 1.
    times : None where they stand in the order of the file.
    invented : what is shown in the place of their values; None where these are.
    """

    data: Dataset
    history: History
    rows: np.ndarray
    numbers: np.ndarray
    times: VisitTimes | None
    invented: MadeUp | None

    @property
    def time_of(self) -> list[float | None] | None:
        """When each visit is, as it is shown; None where that is not known, or may not be shown."""
        if self.times is None or (self.invented is not None and not self.invented.day_of):
            return None
        own = self.times.of_record[self.rows].tolist()
        shown = own if self.invented is None else [self.invented.day_of.get(time, np.nan) for time in own]
        return None if all(np.isnan(time) for time in shown) else [None if np.isnan(time) else time for time in shown]

    def shown(self, column: str) -> list[str]:
        """The column's values as they are shown."""
        values = [None if pd.isna(cell) else str(cell) for cell in self.data.records[column].iloc[self.rows]]
        if self.invented is not None:
            if column not in self.invented.shown:
                return [HIDDEN] * len(values)
            values = [self.invented.shown[column][value] for value in values]
        return [MISSING_LABEL if value is None else printable(value) for value in values]


def columns_of_time(data: Dataset) -> tuple[str, ...]:
    """The columns that may say when a visit is."""
    return _time_columns(data)


@cache.remembered
def _table(data: Dataset, *, columns: tuple[str, ...]) -> PersonTable:
    return data.persons(list(columns))


@cache.remembered
def _history(
    data: Dataset, *, rows: tuple[int, ...], known: tuple[str, ...], sensitive: tuple[str, ...], p: float
) -> History:
    table = _table(data, columns=(*known, *sensitive))
    return history_of(table, rows, known, sensitive, p)


def person_of(
    data: Dataset, question: IndividualsQuestion, record: int, known: tuple[str, ...], column: str | None, invent: bool
) -> _Person | None:
    """The person of a row (from 0), of whom made-up values are shown or their own; None where the row is left out."""
    counted = data.with_counted().with_missing("category")
    numbers = data.rows_of(counted)
    place = int(np.searchsorted(numbers, record))
    if place == len(numbers) or numbers[place] != record:
        return None
    times = None if column is None else _visit_times(counted, column=column)
    rows = in_time_order(rows_of_person(counted, place), times)
    sensitive = tuple(name for name in data.sensitive if name in question.variables and name not in known)
    history = _history(
        counted, rows=tuple(rows.tolist()), known=known, sensitive=sensitive, p=share_of_others(question)
    )
    invented = None
    if invent:
        columns = [*dict.fromkeys((*known, *sensitive, *(() if column is None else (column,))))]
        invented = made_up(counted, rows, columns, times, np.random.default_rng(record), least_shown())
    return _Person(counted, history, rows, numbers[rows] + 1, times, invented)


def share_of_others(question: IndividualsQuestion) -> float:
    """The share of peers that may have another value: the threshold, where it is one of PPP."""
    return question.threshold if question.measure == "ppp" else 0.0


def least_shown() -> int:
    """How many persons have each made-up value."""
    return max(LEAST, view.now().k)


def begin_with(data: Dataset, question: IndividualsQuestion, answer: IndividualsAnswer) -> int:
    """The record of the page's first individual, or the first of a person of several rows where they have one."""
    first = results.record_at(results.classes_of(data, question), answer, 0)
    if len(rows_of_person(data, first)) > 1:
        return first + 1
    return next_of_several(data, -1) + 1


def next_of_several(data: Dataset, after: int) -> int:
    """The next row after one that is the first of a person of several rows, from the top again behind the last."""
    assert data.person_id is not None
    persons = data.records[data.person_id].cat.codes.to_numpy()
    codes, first, times = np.unique(persons, return_index=True, return_counts=True)
    begins = np.sort(first[(times > 1) & (codes >= 0)])
    later = begins[begins > after]
    return int(later[0] if len(later) else begins[0])


TAB = "History"
FILE_ORDER = "the order of the file"
_LONGEST = 400  # pixels of the table


def show(data: Dataset, question: IndividualsQuestion, answer: IndividualsAnswer) -> None:
    """The tab, for the original or a release."""
    if data.frame is None:
        st.markdown(
            "The rows stay in the database, and a history needs those of one person: load an extract as a file."
        )
        return
    first, second = page.beside(2, 4, 3, gap="small", align="bottom"), page.beside(2, 4, 3, gap="small")
    record = int(
        keep.number(
            RECORD, "Record", 1, data.n_records, begin_with(data, question, answer), place=first[0],
            help=glossary.linked(
                "A row of the person. All rows that have the same person id are their visits.",
                "person id",
            ),
        )
    )  # fmt: skip
    offered = list(question.variables)
    known = keep.several(
        keep.per("individuals-history-known", offered), "Known of a visit", offered,
        [name for name in offered if name in data.quasi_identifiers], place=first[1], format_func=titled,
        help="Somebody who knows a visit knows all of these of it. The page’s columns are offered: change them "
        "under **More**.",
    )  # fmt: skip
    by_time = columns_of_time(data)
    column = keep.select(
        keep.per("individuals-history-time", by_time), "Visits in the order of", [*by_time, FILE_ORDER],
        place=first[2], format_func=lambda name: name if name == FILE_ORDER else titled(name),
    )  # fmt: skip
    if not by_time:
        st.caption("No column that has a role says when a visit is, so the visits stand in the order of the file.")
    second[0].button(
        "Next with several", on_click=guard.action(_next), args=(data, record), icon=":material/skip_next:",
        help="The next person of the file who has several visits.",
    )  # fmt: skip
    reveal = second[1].toggle("Show sensitive values", key="individuals-history-reveal")
    invent = keep.toggle(
        "individuals-history-made-up", "Show made-up values", place=second[2],
        help="For a screen that others see: values of the same columns that "
        f"{least_shown()} persons or more have stand in the place of the person’s own. The counts stay as they are.",
    )  # fmt: skip
    person = person_of(data, question, record - 1, tuple(known), None if column == FILE_ORDER else column, invent)
    if person is None:
        st.markdown("This record is left out: a value is missing, and the Data page says to leave such records out.")
        return
    _show_person(data, question, person, reveal)


def _show_person(data: Dataset, question: IndividualsQuestion, person: _Person, reveal: bool) -> None:
    k, history, is_made_up = view.now().k, person.history, person.invented is not None
    st.markdown(f"#### {left_by_visits(history, k)}")
    drawn, side = page.beside(2, 1)
    with drawn:
        times = person.time_of
        named = [] if times is None or person.times is None else person.shown(person.times.column)
        page.figure(
            partial(
                plots.timeline, history, k, times=times, named=named, made_up=is_made_up,
                axis="" if person.times is None else person.times.column,
                are_days=person.times is not None and person.times.are_days,
            ),
            timeline(history, k, is_made_up), "individuals-history-timeline",
        )  # fmt: skip
        page.counts(
            "Each mark is a visit; its number is how many persons have one like it in what is known, this one "
            f"included. Red diamonds: fewer than k = {k}.{undated(times)}{about_made_up(person)}"
        )
        page.figure(partial(plots.steps, history, k), steps(history), "individuals-history-steps")
        page.counts(
            "Blue: persons who have rows like the first visit, the first two, and so on, each another row of theirs. "
            "Dotted: the fewest that any so many visits leave. At the end those who have just these rows, and no "
            "other. Counted by persons, with rows as in “What is counted”."
        )
    with side, st.container(border=True, height="stretch"):
        show_in_words(question, person, reveal, k)
    _show_table(question, person, reveal)
    if not data.is_linked:
        page.counts(
            "No person id leaves, so nothing but what they share links a person’s rows: what is counted of two visits "
            "or more holds for somebody who can link them all the same."
        )


def _next(data: Dataset, record: int) -> None:
    keep.put(RECORD, next_of_several(data, record - 1) + 1)


def _show_table(question: IndividualsQuestion, person: _Person, reveal: bool) -> None:
    history, data = person.history, person.data
    shown = pd.DataFrame({"Visit": range(1, len(history.visits) + 1)})
    if person.invented is None:
        shown["Record"] = person.numbers
    sensitive = [name for name in data.sensitive if name in question.variables and name not in history.known]
    time = [] if person.times is None else [person.times.column]

    def add(names: Iterable[str]) -> None:
        for name in names:
            hidden = name in data.sensitive and not reveal
            shown[unused_name(printable(name), shown.columns)] = [HIDDEN] * len(shown) if hidden else person.shown(name)

    add(time)
    share, left, fewest, which = "Share it", "Left so far", "Fewest by so many", "Revealing most"
    sure = "Certain so far"
    telling = [history.most_telling(number) for number in range(1, len(history.visits) + 1)]
    shown[share] = [visit.sharing for visit in history.visits]
    shown[left] = [visit.left for visit in history.visits]
    shown[fewest] = pd.array(
        [None if most_telling is None else most_telling.persons for most_telling in telling], dtype="Int64"
    )
    shown[which] = ["not counted" if t is None else ", ".join(str(place + 1) for place in t.visits) for t in telling]
    shown[sure] = [", ".join(printable(sure_of.column) for sure_of in visit.certain) for visit in history.visits]
    add(name for name in dict.fromkeys((*history.known, *sensitive)) if name not in time)
    page.table(
        shown, "The visits of this person, and how many share what is known of them",
        height=page.table_height(len(shown), _LONGEST),
        help={
            share: "Persons who have a row like this visit, this person included.",
            left: "Persons who have rows like this visit and all before it.",
            fewest: "The fewest persons that any so many visits leave: as many as the number of this line.",
            which: "The visits that leave them; where fewer are enough, the others may be any.",
            sure: glossary.linked(
                "Columns of which a value is certain to somebody who knows this visit and all before it.",
                "certain",
            ),
        },
    )  # fmt: skip
    p = share_of_others(question)
    page.counts(
        f"{'All' if not p else f'All but at most {words.percent(p)}'} who share what is known have a **certain** value "
        f"in one of their rows. Of so many visits every choice is looked at, up to {MOST_CHOICES:,}; “not counted” "
        "where there are more. Anonscope; peers as in Kroes et al. 2021, by rows."
    )
    page.download(
        "Counts of this history as CSV", partial(_csv, person), "history.csv", "download-history", holds=Holds.INSIDE,
        help="One row a visit: the row of the file and how many share it; no cell of the file itself.",
    )  # fmt: skip


def _csv(person: _Person) -> bytes:
    table = person.history.to_frame()
    table["record"] = person.numbers
    return table_csv(table)


# ---- in words ----


_IN_WORDS = 4  # visits that the first sentence goes through


def _number(persons: int, k: int, noun: str = "") -> str:
    text = f"**{words.count(persons, noun)}**"
    return f":red[{text}]" if persons < k else text


def left_by_visits(history: History, k: int) -> str:
    """``Somebody who knows the first visit finds 312 persons; with the second 14; with the third 1.``"""
    left = [visit.left for visit in history.visits]
    parts = [f"Somebody who knows the first visit finds {_number(left[0], k, 'persons')}"]
    n_needed = left.index(left[-1]) + 1  # further ones tell no more
    parts += [f"with the {_in_order(i)} {_number(left[i], k)}" for i in range(1, min(n_needed, _IN_WORDS))]
    if n_needed > _IN_WORDS:
        parts.append(f"with the first {n_needed:,} {_number(left[-1], k)}")
    no_fewer = ", and further ones leave no fewer" if n_needed < len(left) else ""
    return "; ".join(parts) + f"{no_fewer}."


def _in_order(place: int) -> str:
    return ("first", "second", "third", "fourth")[place] if place < 4 else words.ordinal(place + 1)


def show_in_words(question: IndividualsQuestion, person: _Person, reveal: bool, k: int) -> None:
    history = person.history
    n_visits = len(history.visits)
    st.subheader(f"One of {words.count(history.n_persons, 'persons')}, {words.count(n_visits, 'visits')}", anchor=False)
    if n_visits == 1:
        st.markdown("This person has one visit: there is no history to know.")
    else:
        st.markdown(_most_telling_in_words(history, k))
    all_of_them = (
        "it and that it is the only one" if n_visits == 1 else f"all {n_visits:,} and that there are no others"
    )
    st.markdown(f"Somebody who knows {all_of_them} finds {_number(history.all_rows, k, 'persons')}.")
    _certain_in_words(question, person, reveal)


def _most_telling_in_words(history: History, k: int) -> str:
    sizes = {visit.sharing for visit in history.visits}
    if len(sizes) == 1:
        lines = [f"- Each visit by itself: {_number(sizes.pop(), k, 'persons')} with one like it."]
    else:
        lines = [_line(history.telling[0], "visit", k)]
    for number, what in ((2, "two"), (3, "three")):
        telling = history.most_telling(number) if number < len(history.visits) else None
        if telling is not None and telling.number == number:
            lines.append(_line(telling, what, k))
    return "\n".join(lines)


def _line(telling: MostTellingVisits, what: str, k: int) -> str:
    """Of so many visits those that tell most, as a line of a list."""
    which = words.listed([words.ordinal(place + 1) for place in telling.visits], most=3)
    has, reveal = "has" if telling.persons == 1 else "have", "reveals" if telling.number == 1 else "reveal"
    them = "a row like it" if telling.number == 1 else "rows like them"
    return f"- The {what} that {reveal} most: the {which}. {_number(telling.persons or 0, k, 'persons')} {has} {them}."


def _certain_in_words(question: IndividualsQuestion, person: _Person, reveal: bool) -> None:
    history = person.history
    columns = [sure.column for sure in history.certain]
    if not columns:
        of = [name for name in person.data.sensitive if name in question.variables and name not in history.known]
        if of:
            st.markdown(f"No value of {page.listed(of)} becomes certain, with all visits known.")
        return
    for column in columns:
        since = next((i for i, visit in enumerate(history.visits) if _of(visit.certain, column)), None)
        sure = _of(history.certain if since is None else history.visits[since].certain, column)
        by_one = _alone_in_words(
            [i for i, visit in enumerate(history.visits) if _of(visit.certain_alone, column)], history
        )
        values = _values_in_words(person, sure) if reveal else ""
        st.markdown(f"{page.listed([column])} is **certain** {_since_in_words(since)}{values}.{by_one}")


def _alone_in_words(visits: Sequence[int], history: History) -> str:
    """Which visits are enough by themselves."""
    if not visits or len(history.visits) == 1:
        return ""
    if len(visits) == len(history.visits):
        return " Each visit by itself is enough."
    if len(visits) > 3:
        return f" {len(visits):,} of the visits are enough by themselves."
    listed = words.listed([words.ordinal(place + 1) for place in visits])
    return (
        f" By itself {'the' if len(visits) == 1 else 'each of the'} {listed} {'visit ' * (len(visits) == 1)}is enough."
    )


def _since_in_words(visit: int | None) -> str:
    """From when on a value is certain: from a visit, or from all rows with their number."""
    if visit is None:
        return "once the number of rows is known too"
    return "with the first visit known" if visit == 0 else f"once the {_in_order(visit)} visit is known too"


def _of(certain: Sequence[SureOf], column: str) -> SureOf | None:
    return next((sure for sure in certain if sure.column == column), None)


def _values_in_words(person: _Person, sure: SureOf | None) -> str:
    if sure is None:
        return ""
    values: list[str | None] = list(sure.values)
    if person.invented is not None:
        if sure.column not in person.invented.shown:
            return ""
        values = [person.invented.shown[sure.column][value] for value in values]
    return f": {words.listed([plain(printable(MISSING_LABEL if v is None else v), 60) for v in values])}"


def undated(times: Sequence[float | None] | None) -> str:
    missing = 0 if times is None else sum(time is None for time in times)
    return f" {words.count(missing, 'visits')} without a time come last and are not drawn." if missing else ""


def about_made_up(person: _Person) -> str:
    if person.invented is None:
        return ""
    return (
        f" **Made up**: times and values are drawn from what {least_shown()} persons or more have in the column, "
        "without regard to the person’s own; equal ones stay equal, and so does their order. The counts are the file’s."
    )


def timeline(history: History, k: int, is_made_up: bool) -> str:
    below = sum(visit.sharing < k for visit in history.visits)
    return (
        f"Time line of {words.count(len(history.visits), 'visits')} of one person"
        f"{', with made-up values' if is_made_up else ''}; {below:,} of them shared by fewer than {k}, drawn red."
    )


def steps(history: History) -> str:
    left = [f"{visit.left:,} with {i} known" for i, visit in enumerate(history.visits[:5], start=1)]
    more = "" if len(history.visits) <= 5 else f", {history.visits[-1].left:,} with all {len(history.visits):,}"
    return (
        f"Steps that descend from {words.count(history.n_persons, 'persons')}: left are {', '.join(left)}{more}; "
        f"{history.all_rows:,} when the number of rows is known too."
    )

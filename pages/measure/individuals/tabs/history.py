"""The tab "History": what the first, the second, the third known visit of a person gives away."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.individuals.history import MOST_CHOICES
from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.plots import history as plots
from anonlib.reading.records.names import unused_name
from anonlib.release.export import table_csv
from pages.measure.individuals.picture import RECORD
from pages.measure.individuals.question import Question
from pages.measure.individuals.results import Answer
from pages.measure.individuals.tabs import history_words as in_words
from pages.measure.individuals.tabs.history_person import (
    HIDDEN,
    Person,
    begin_with,
    columns_of_time,
    least_shown,
    next_of_several,
    person_of,
    share_of_others,
)
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import guard, keep, view
from ui.session.names import titled
from ui.text import printable

TAB = "History"
FILE_ORDER = "the order of the file"
_LONGEST = 400  # pixels of the table


def show(data: Dataset, question: Question, found: Answer) -> None:
    """The tab, for the original or a release."""
    if data.frame is None:
        st.markdown(
            "The rows stay in the database, and a history needs those of one person: load an extract as a file."
        )
        return
    first, second = page.beside(2, 4, 3, gap="small", align="bottom"), page.beside(2, 4, 3, gap="small")
    record = int(
        keep.number(
            RECORD, "Record", 1, data.n_records, begin_with(data, question, found), place=first[0],
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


def _show_person(data: Dataset, question: Question, person: Person, reveal: bool) -> None:
    k, found, is_made_up = view.now().k, person.found, person.invented is not None
    st.markdown(f"#### {in_words.left(found, k)}")
    drawn, side = page.beside(2, 1)
    with drawn:
        times = person.time_of
        named = [] if times is None or person.times is None else person.shown(person.times.column)
        page.figure(
            partial(
                plots.timeline, found, k, times=times, named=named, made_up=is_made_up,
                axis="" if person.times is None else person.times.column,
                are_days=person.times is not None and person.times.are_days,
            ),
            in_words.timeline(found, k, is_made_up), "individuals-history-timeline",
        )  # fmt: skip
        page.counts(
            "Each mark is a visit; its number is how many persons have one like it in what is known, this one "
            f"included. Red diamonds: fewer than k = {k}.{in_words.undated(times)}{in_words.about_made_up(person)}"
        )
        page.figure(partial(plots.steps, found, k), in_words.steps(found), "individuals-history-steps")
        page.counts(
            "Blue: persons who have rows like the first visit, the first two, and so on, each another row of theirs. "
            "Dotted: the fewest that any so many visits leave. At the end those who have just these rows, and no "
            "other. Counted by persons, with rows as in “What is counted”."
        )
    with side, st.container(border=True, height="stretch"):
        in_words.show(question, person, reveal, k)
    _show_table(question, person, reveal)
    if not data.is_linked:
        page.counts(
            "No person id leaves, so nothing but what they share links a person’s rows: what is counted of two visits "
            "or more holds for somebody who can link them all the same."
        )


def _next(data: Dataset, record: int) -> None:
    keep.put(RECORD, next_of_several(data, record - 1) + 1)


def _show_table(question: Question, person: Person, reveal: bool) -> None:
    found, data = person.found, person.data
    shown = pd.DataFrame({"Visit": range(1, len(found.visits) + 1)})
    if person.invented is None:
        shown["Record"] = person.numbers
    sensitive = [name for name in data.sensitive if name in question.variables and name not in found.known]
    time = [] if person.times is None else [person.times.column]

    def add(names: Iterable[str]) -> None:
        for name in names:
            hidden = name in data.sensitive and not reveal
            shown[unused_name(printable(name), shown.columns)] = [HIDDEN] * len(shown) if hidden else person.shown(name)

    add(time)
    share, left, fewest, which = "Share it", "Left so far", "Fewest by so many", "Revealing most"
    sure = "Certain so far"
    telling = [found.most_telling(number) for number in range(1, len(found.visits) + 1)]
    shown[share] = [visit.sharing for visit in found.visits]
    shown[left] = [visit.left for visit in found.visits]
    shown[fewest] = pd.array([None if each is None else each.persons for each in telling], dtype="Int64")
    shown[which] = ["not counted" if t is None else ", ".join(str(place + 1) for place in t.visits) for t in telling]
    shown[sure] = [", ".join(printable(each.column) for each in visit.certain) for visit in found.visits]
    add(name for name in dict.fromkeys((*found.known, *sensitive)) if name not in time)
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


def _csv(person: Person) -> bytes:
    table = person.found.to_frame()
    table["record"] = person.numbers
    return table_csv(table)

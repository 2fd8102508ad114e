"""The views of a file made elsewhere under the heatmap: the figures behind it, and one person looked up."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.individuals import Individual
from anonlib.basics import words
from anonlib.columns.roles import Role
from anonlib.release.export import table_csv
from anonlib.values.cells import MISSING_LABEL
from pages.measure.individuals import picture, results
from pages.measure.individuals.picture import RECORD
from pages.measure.individuals.question import IN_WORDS, MEANS
from pages.measure.individuals.results import AnswerElsewhere
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import keep
from ui.text import named, printable

_MOST_COLUMNS = 16  # of which every set of one person is looked at


def show_columns(of_file: AnswerElsewhere) -> None:
    """One row a column: for how many it is certain in the other file, and what is so anyway."""
    answer, people, unit = of_file.answer, of_file.answer.people, of_file.data.unit
    table = of_file.lookup.to_frame(of_file.question.threshold).set_index("variable").loc[list(answer.variables)]
    shown = pd.DataFrame(
        {
            "Column": [printable(name) for name in answer.variables],
            "Role": [of_file.data.roles[name].label for name in answer.variables],
            "Certain": table["individuals"].to_numpy(),
            "Share": table["share"].to_numpy(),
            "Of these from others": table["anyway"].to_numpy(),
            "Nobody like them": table["without_peers"].to_numpy(),
            "All known: right": table["right"].to_numpy(),
            "wrong": table["wrong"].to_numpy(),
            "Commonest value": table["commonest"].to_numpy(),
        }
    )
    if of_file.own is not None:
        places = [of_file.own.place(name) if name in of_file.own.variables else -1 for name in answer.variables]
        numbers = [of_file.own.people.number(of_file.own.certain[:, i]) if i >= 0 else None for i in places]
        shown.insert(4, "In the original", pd.Series([None if n is None else int(n) for n in numbers], dtype="Int64"))
    page.table(
        shown, f"For how many {unit} of the original each column is certain from the other file",
        percent=["Share", "Commonest value"],
        help={
            "Certain": glossary.linked(
                f"{picture.meaning(of_file.question).capitalize()}, in the other file.", "certain"
            ),
            "Of these from others": glossary.linked(
                "Who are certain also from the other people of the original, without their own record: what holds of "
                "everybody alike.",
                "certain",
            ),
            "Nobody like them": "By no set that may be known: nothing is inferred of them.",
            "All known: right": "All other columns known, all records like them in the other file have their value.",
            "wrong": "All records like them have one value, and it is another than theirs.",
            "Commonest value": "Of how many the commonest value of the other file is right, without a look at them.",
        },
    )  # fmt: skip
    page.counts(
        f"Certain: {picture.meaning(of_file.question)}, peers being records of the other file. Kroes et al. 2021, "
        "Definition 3, looked up as in Kroes et al. 2023."
    )
    with st.container(horizontal=True):
        page.download(
            "Table as CSV", partial(table_csv, shown), "certain-elsewhere.csv", "download-elsewhere",
            holds=Holds.FIGURES,
        )  # fmt: skip
        page.download(
            "Every record’s values as CSV" if people.class_of_record is not None else "Every class’s values as CSV",
            partial(_values_csv, of_file), "certain-elsewhere-by-record.csv", "download-elsewhere-records",
            holds=Holds.INSIDE,
            help=f"{of_file.question.name}: {MEANS[of_file.question.measure]} In the other file, and from the other "
            "people of the original. No cell of either file.",
        )  # fmt: skip


def _values_csv(of_file: AnswerElsewhere) -> bytes:
    """One row a record of the original, in its order."""
    people, name = of_file.answer.people, of_file.question.name
    profile, others = of_file.lookup.profile, of_file.lookup.from_others
    columns = {}
    for i, column in enumerate(profile.sensitive):
        columns[f"{column}: {name} in the other file"] = profile.values[:, i]
        columns[f"{column}: nobody like them"] = profile.without_peers[:, i].astype(float)
        columns[f"{column}: {name} from others"] = others.values[:, i]
    values = np.column_stack(list(columns.values()))
    if people.class_of_record is None:
        frame = pd.DataFrame(values, columns=list(columns))
        frame.insert(0, "class", people.rows + 1)
        frame.insert(1, of_file.data.unit, people.counts)
        return table_csv(frame)
    frame = pd.DataFrame(people.by_record(values), columns=list(columns))
    frame.insert(0, "record", np.arange(1, len(frame) + 1))
    return table_csv(frame)


def show_person(of_file: AnswerElsewhere) -> None:
    """One person of the original: what the file gives away of each column, and what is enough to know for it."""
    people = of_file.looked_up.beside.people
    by_class = people.class_of_record is None
    what = "Class" if by_class else "Record"
    begin = results.record_at(people, of_file.answer, 0) + 1
    choose, reveal_place, _ = st.columns([1, 1.4, 3], vertical_alignment="bottom", gap="medium")
    row_of = np.arange(people.n_classes) if people.class_of_record is None else people.class_of_record
    record = keep.number(
        RECORD, what, 1, len(row_of), begin, place=choose,
        help=glossary.linked(
            "The row of the original, the first being 1. Or show few enough in the picture above and click one.",
            "class" if by_class else "record",
        ),
    )  # fmt: skip
    reveal = reveal_place.toggle("Show sensitive values", key="individuals-reveal")
    row = int(row_of[int(record) - 1])
    if row < 0:
        st.markdown("This record is left out: a value is missing, or it stands for nobody.")
        return
    if len(people.attributes) > _MOST_COLUMNS:
        st.markdown(f"Every set of up to {_MOST_COLUMNS} columns can be looked at: choose fewer under **More**.")
        return
    rows = [_of_column(of_file, name, row, reveal) for name in of_file.answer.variables]
    least = IN_WORDS[of_file.question.name].capitalize()
    page.table(
        pd.DataFrame(rows), "Each column of this record, and the smallest sets that give it away in the other file",
        help={
            "Peers": glossary.linked("Records of the other file that are like this one in all other columns.", "peers"),
            "with the value": "Of these, how many have its value.",
            least: glossary.linked(
                f"{of_file.question.name}: {MEANS[of_file.question.measure]} The least over what may be known, in the "
                "other file.",
                "PPP",
            ),
            "From others": "The same among the other people of the original, without this record.",
            "Smallest set that is enough": f"The fewest columns by which it is {of_file.question.certain}.",
        },
    )  # fmt: skip
    page.counts(
        "Who holds the file does not know whether what it says of this person is true: it says so of all who are like "
        "them. Identifiers are not shown. Kroes et al. 2021, Definition 3, with peers from the other file."
    )


def _of_column(of_file: AnswerElsewhere, name: str, row: int, reveal: bool) -> dict[str, object]:
    beside, question = of_file.looked_up.beside, of_file.question
    j = beside.people.attributes.index(name)
    value = beside.people.categories[j][beside.people.codes[row, j]]
    hidden = of_file.data.roles.get(name) == Role.SENSITIVE and not reveal
    text = "•••" if hidden else MISSING_LABEL if value is None else printable(value)
    about = beside.about(j)
    attacker = results.attacker_of(
        about, question, question.max_known or ("all" if question.attacker == "all" else "any")
    )
    individual = Individual.of(about, row, attacker)
    everything = len(individual.peers) - 1
    peers, same = int(individual.peers[everything ^ 1 << j]), int(individual.peers[everything])
    is_asked = value is not None or question.missing_is_harm
    sets = individual.smallest_breaching_sets(name, question.threshold) if is_asked else ()
    least = individual.least(name) if is_asked else float("nan")
    place = np.flatnonzero(of_file.answer.people.rows == row)
    anyway = float("nan")
    if len(place):
        anyway = float(of_file.lookup.from_others.values[place[0], of_file.place(name)])
    smallest = named(sets[0]) or "nothing" if sets else ""
    return {
        "Column": printable(name),
        "Value": text,
        "Peers": peers,
        "with the value": same,
        IN_WORDS[question.name].capitalize(): _written(of_file, least, is_asked),
        "From others": _written(of_file, anyway, is_asked),
        "Smallest set that is enough": smallest + (f" (1 of {len(sets)})" if len(sets) > 1 else ""),
    }


def _written(of_file: AnswerElsewhere, value: float, is_asked: bool) -> str:
    if math.isnan(value):
        return "nobody alike" if is_asked else "n/a"
    return f"{value:.3g}" if of_file.question.measure == "npp" else words.percent(value)

"""Identifiers in cells of any column that leaves: what is searched, what is said, and what can be accepted."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from anonlib.dataset import Dataset
from anonlib.release.steps import DropColumns
from anonlib.verdict.criteria import Accepted, NoIdentifiers, State, judge
from anonlib.verdict.criteria import cells as cells_module
from tests.helpers.engines import Engine
from tests.helpers.small_release import OTHER, QI
from tests.helpers.verdicts import case_with


def data_of(**columns) -> Dataset:
    frame = pd.DataFrame({"age": ["31", "32", "33", "34"] * 3, **columns}).astype(object)
    return Dataset.from_frame(frame, roles=dict.fromkeys(frame.columns, OTHER) | {"age": QI})


JOBS = ["teacher (Miss Jane Holloway)", "driver, 07700 900123", *["nurse", "teacher"] * 5]


def test_a_name_and_a_number_inside_categories_are_found_and_the_sentence_says_what_was_not_searched():
    found = NoIdentifiers().check(case_with(data_of(job=JOBS, ward=["A", "B"] * 6)))
    assert (found.state, found.now, found.columns) == (State.NOT_MET, 2, ("job",))
    assert found.says == (
        "2 cells in job look like or hold direct identifiers. Recode these cells of job, drop the column, or accept "
        "this with the reason why they are no identifiers: that counts for these columns alone. Not searched, since "
        "they hold figures alone: age."
    )
    assert not any(name in found.says for name in ("Jane", "07700"))


def test_names_in_texts_of_other_letters_cannot_be_looked_for(engine: Engine):
    notes = [f"Пациент поступил в отделение с жалобами на боль, день {i} наблюдения." for i in range(12)]
    here = data_of(note=notes)
    there = Dataset.from_ibis(engine.table({"age": ["31", "32"] * 6, "note": notes}), roles=here.roles)
    for data in (here, there):
        found = NoIdentifiers().check(case_with(data))
        assert (found.state, found.columns) == (State.UNKNOWN, ("note",))
    short = NoIdentifiers().check(case_with(data_of(sex=["мужской", "женский"] * 6)))
    assert short.is_met and "Not searched for names, since most letters are none of Latin: sex." in short.says


def test_it_is_accepted_of_its_columns_and_of_no_other():
    case = case_with(data_of(job=JOBS))
    accepted = Accepted.of(NoIdentifiers().check(case), "The teacher is a character of a book.")
    assert accepted.columns == ("job",)
    assert judge(case, [NoIdentifiers()], recipient="Own criteria", accepted=[accepted]).may_leave
    other = case_with(data_of(job=JOBS, ward=["A (Mrs Smith)", "B", "C"] * 4))
    assert not judge(other, [NoIdentifiers()], recipient="Own criteria", accepted=[accepted]).may_leave
    assert judge(other, [NoIdentifiers()], recipient="Own criteria",
                 accepted=[Accepted(NoIdentifiers(), "As saved before.")]).may_leave  # fmt: skip
    assert NoIdentifiers().check(case_with(data_of(job=JOBS), DropColumns(("job",)))).is_met


def test_labels_of_a_dictionary_are_no_cells():
    labels = {"1": "Dr. Meier's practice", "2": "Mrs Smith Home", "3": "12 Abbey Road"}
    shown = data_of(place=list(labels.values()) * 4)
    with_labels = replace(shown, codes={"place": {label: code for code, label in labels.items()}})
    found = NoIdentifiers().check(case_with(with_labels))
    assert found.is_met and "Not searched, since they hold labels of a dictionary: place." in found.says
    assert NoIdentifiers().check(case_with(shown)).now == 12
    stray = data_of(place=[*list(labels.values()) * 3, "Mrs Jones", "1", "1"])
    found = NoIdentifiers().check(case_with(replace(stray, codes=with_labels.codes)))
    assert (found.now, found.columns) == (1, ("place",)), "a cell without a label is one of the file"


def test_of_too_many_values_some_are_searched_and_the_finding_names_how_many(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cells_module, "MOST_VALUES", 5)
    found = NoIdentifiers().check(case_with(data_of(word=[f"word {letter}" for letter in "abcdefghijkl"])))
    assert found.is_met and found.says.endswith("Only 5 of 12 values in word were searched.")


def test_the_same_in_an_engine(engine: Engine):
    columns = {"age": ["31", "32", "33", "34"] * 3, "job": JOBS}
    roles = {"age": QI, "job": OTHER}
    there = Dataset.from_ibis(engine.table(columns), roles=roles)
    assert NoIdentifiers().check(case_with(there)).says == NoIdentifiers().check(case_with(data_of(job=JOBS))).says

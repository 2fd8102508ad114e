"""Spellings that a person reads as one value: every count is the stricter of that by spellings and that by values."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
import tests.reference.persons as slow_persons
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.person_table import PersonTable
from anonlib.counting.guarantees import (
    ONE,
    VALUES,
    AttributeDisclosure,
    CodedPersons,
    CodedRows,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
    left_after,
    rows_left,
    violating,
    violation,
    violations,
    worst,
)
from anonlib.reading.records import FrameRecords
from tests.helpers.examples import settings

# How the reference's values are spelled here, in the same order, and what they are read as.
SPELLINGS = st.sampled_from(
    [
        ({"g0": "1", "g1": "1.0", "g2": "2", "g3": "2,0"}, {"1.0": "1", "2,0": "2"}),
        ({"g0": "G", "g1": "g", "g2": "g ", "g3": "h"}, {"g": "G", "g ": "G"}),
    ]
)
Row = dict


def spelled(rows: list[Row], names: dict[str, str]) -> list[Row]:
    return [{column: names.get(value, value) for column, value in row.items()} for row in rows]


def with_names(guarantee: PrivacyModel, names: dict[str, str]) -> PrivacyModel:
    if not isinstance(guarantee, AttributeDisclosure):
        return guarantee
    return replace(guarantee, harmless=tuple(names[value] for value in guarantee.harmless))


def readings(rows: list[list[Row]], guarantee: PrivacyModel, read: dict[str, str]):
    """Known and sensitive values, each as spelled and as read: persons by their rows, and what is asked of them."""
    sensitive = getattr(guarantee, "sensitive", None)
    for known_read, sensitive_read in product((False, True), repeat=2):
        chosen = {*(guarantee.columns if known_read else ()), *((sensitive,) if sensitive_read else ())}
        changed = [
            [{column: read.get(v, v) if column in chosen else v for column, v in row.items()} for row in person]
            for person in rows
        ]
        asked = guarantee
        if isinstance(guarantee, AttributeDisclosure) and sensitive_read:
            # A value is harmless where each of its spellings that occur is.
            occurring = {row[sensitive] for person in rows for row in person} - {None}
            harmful = {read.get(v, v) for v in occurring - {*guarantee.harmless}}
            asked = replace(guarantee, harmless=tuple({read.get(v, v) for v in guarantee.harmless} - harmful))
        yield changed, asked


@settings(max_examples=300)
@given(st.data(), SPELLINGS)
def test_records_by_every_reading(data, spellings):
    names, read = spellings
    rows = spelled(data.draw(slow.rows()), names)
    weights = data.draw(slow.weights(len(rows)))
    guarantee = with_names(data.draw(slow.ROW_BY_ROW), names)
    expected = set[int]()
    for changed, asked in readings([[row] for row in rows], guarantee, read):
        expected |= slow.violating([row for (row,) in changed], weights, asked)
    table = slow.table_of(rows, weights)
    coded = CodedRows.of(table)
    mask = violating(coded, guarantee)
    found = {i for i, place in enumerate(table.class_of_record.tolist()) if mask[place]}
    if guarantee.share:
        assert found == expected
    else:  # for everybody it is enough to know whether anybody does
        assert bool(found) == bool(expected) and found <= expected
    assert violation(coded, guarantee).records == slow.total(weights, found)


@settings(max_examples=400)
@given(slow_persons.people(), slow_persons.ROW_BY_ROW, SPELLINGS)
def test_persons_by_every_reading(persons, guarantee, spellings):
    names, read = spellings
    persons = [spelled(person, names) for person in persons]
    guarantee = with_names(guarantee, names)
    expected = set[int]()
    for changed, asked in readings(persons, guarantee, read):
        expected |= slow_persons.violating(changed, asked)
    assert violating_persons(persons, guarantee) == expected


@settings(max_examples=150)
@given(slow_persons.people(), slow_persons.not_certain(), SPELLINGS)
def test_rows_that_cannot_be_linked_by_every_reading(persons, guarantee, spellings):
    assume(guarantee.rows == ONE)
    names, read = spellings
    persons = [spelled(person, names) for person in persons]
    guarantee = with_names(guarantee, names)
    expected = set[int]()
    for changed, asked in readings(persons, guarantee, read):
        expected |= slow_persons.violating_unlinked(changed, asked)
    assert violating_persons(persons, guarantee, linked=False) == expected


def coded_persons(persons: list[list[Row]], linked: bool = True) -> tuple[CodedPersons, list[int]]:
    frame = FrameRecords.of(slow_persons.frame_of(persons)).frame
    table = PersonTable.from_frame(frame, list(slow_persons.NAMES), "id")
    first = np.cumsum([0, *map(len, persons)])[:-1]
    return CodedPersons.of(table, linked), table.profile_of_record[first].tolist()


def violating_persons(persons: list[list[Row]], guarantee: PrivacyModel, linked: bool = True) -> set[int]:
    coded, profiles = coded_persons(persons, linked)
    mask = violating(coded, guarantee)
    (together,) = violations(coded, [guarantee])
    assert together.records == int(coded.counts[mask].sum())
    return {i for i, profile in enumerate(profiles) if mask[profile]}


@settings(max_examples=200)
@given(slow.rows(), st.lists(slow.ROW_BY_ROW, min_size=1, max_size=2), SPELLINGS)
def test_of_those_left_everything_holds_by_every_reading(rows, guarantees, spellings):
    names, read = spellings
    rows = spelled(rows, names)
    guarantees = [with_names(each, names) for each in guarantees]
    table = slow.table_of(rows)
    left = left_after(CodedRows.of(table), guarantees, divisible=False)
    kept = [row for row, place in zip(rows, table.class_of_record.tolist(), strict=True) if left[place]]
    for guarantee in guarantees:
        for changed, asked in readings([[row] for row in kept], guarantee, read):
            assert slow.holds([row for (row,) in changed], [1] * len(kept), asked)


@settings(max_examples=150)
@given(slow_persons.people(), st.lists(slow_persons.ROW_BY_ROW, min_size=1, max_size=2), SPELLINGS)
def test_of_rows_left_everything_holds_by_every_reading(persons, guarantees, spellings):
    names, read = spellings
    persons = [spelled(person, names) for person in persons]
    guarantees = [with_names(each, names) for each in guarantees]
    coded, _ = coded_persons(persons)
    left, _, _ = coded.with_times(rows_left(coded, guarantees))
    kept = [
        [
            {name: coded.rows.labels[name][coded.rows.codes[name][row]] for name in slow_persons.NAMES}
            for row, times in zip(left.row[low:high].tolist(), left.times[low:high].tolist(), strict=True)
            for _ in range(times)
        ]
        for low, high, n in zip(left.start[:-1], left.start[1:], left.counts.tolist(), strict=True)
        for _ in range(n)
    ]
    for guarantee in guarantees:
        for changed, asked in readings(kept, guarantee, read):
            assert slow_persons.holds(changed, asked)


@settings(max_examples=200)
@given(slow.rows(), SPELLINGS, slow.COLUMNS)
def test_the_worst_figure_is_that_of_the_worst_reading(rows, spellings, columns):
    names, read = spellings
    rows = spelled(rows, names)
    asked = LDiversity(columns=columns, sensitive="s", l=1)
    tables = [slow.table_of([row for (row,) in changed]) for changed, _ in readings([[r] for r in rows], asked, read)]
    coded = CodedRows.of(slow.table_of(rows))
    for measure, of_all in (("distinct", min), ("entropy", min), ("equal", max), ("ordered", max)):
        found = worst(coded, columns, "s", measure, VALUES)
        assert found == pytest.approx(of_all(figure(table, columns, measure) for table in tables))


def figure(table: ClassTable, columns: tuple[str, ...], measure: str) -> float:
    """By labels alone: none of them is read as another."""
    renamed = {
        "s": np.array(
            [None if value is None else f"{i}x" for i, value in enumerate(table.categories[-2])], dtype=object
        )
    }
    return worst(CodedRows.of(table.recode(renamed)), columns, "s", measure, VALUES)


# --- the examples that show why -------------------------------------------------------------------------------------


def rows_of(*pairs: tuple[str, str]) -> CodedRows:
    return CodedRows.of(ClassTable.from_frame(pd.DataFrame(pairs, columns=["a", "s"], dtype=object)))


@pytest.mark.parametrize("one, other", [("HIV", "hiv"), ("1", "1.0"), ("gout", "gout ")])
def test_who_has_two_spellings_of_one_value_among_their_peers_is_certain(one, other):
    rows = rows_of(("x", one), ("x", other), ("y", one), ("y", "flu"))
    certain = violation(rows, AttributeDisclosure(columns=("a",), sensitive="s"))
    assert certain.records == 2
    assert violation(rows, LDiversity(columns=("a",), sensitive="s", l=2)).records == 2
    assert worst(rows, ["a"], "s", "distinct", VALUES) == 1
    assert worst(rows, ["a"], "s", "entropy", VALUES) == pytest.approx(1)


def test_known_values_are_distinguished_as_they_are_spelled():
    rows = rows_of(("x", "flu"), ("X", "gout"))
    assert violation(rows, KAnonymity(columns=("a",), least=2)).records == 2
    assert violation(rows, AttributeDisclosure(columns=("a",), sensitive="s")).records == 2


def test_two_spellings_are_no_closer_than_one():
    """By spellings the class of x has half of the file's spellings of one value; as one value it is as all are."""
    rows = rows_of(("x", "HIV"), ("y", "hiv"))
    assert worst(rows, ["a"], "s", "equal", VALUES) == pytest.approx(0.5)


def test_in_order_one_value_can_be_further():
    """Of three spellings two are one: from one end to the other is one step, not two."""
    rows = rows_of(("x", "1"), ("x", "1.0"), ("y", "2"), ("y", "2"))
    assert worst(rows, ["a"], "s", "ordered", VALUES) == pytest.approx(0.5)
    by_spelling = (0.25 + 0.5) / 2
    assert by_spelling < 0.5


def test_more_may_be_nearly_sure_where_known_values_are_read_as_one():
    """By spellings 2 of 3 of X have it, and both of x; of all five who are read as x 4 do, more than 3 in 4."""
    rows = rows_of(("X", "HIV"), ("X", "HIV"), ("X", "flu"), ("x", "HIV"), ("x", "HIV"))
    likely = AttributeDisclosure(columns=("a",), sensitive="s", p=0.25, share=0.5)
    assert dict(violation(rows, likely).by_set)[("a",)] == 4


def test_a_spelling_that_is_not_named_as_harmless_harms():
    rows = rows_of(("x", "none"), ("x", "none"), ("y", "None"), ("y", "flu"))
    asked = AttributeDisclosure(columns=("a",), sensitive="s", harmless=("none",))
    assert violation(rows, asked).records == 2, "as of coarser values, all spellings have to be harmless"
    assert violation(rows, replace(asked, harmless=("none", "None"))).records == 0


def test_who_holds_both_spellings_holds_one_value():
    persons = [[{"a": "x", "b": None, "s": s, "t": None} for s in held] for held in (["HIV", "flu"], ["hiv", "gout"])]
    for rows in (ONE, VALUES, 2, "all"):
        asked = AttributeDisclosure(columns=("a",), sensitive="s", rows=rows)
        assert violating_persons(persons, asked) == {0, 1}
        assert violating_persons(persons, LDiversity(columns=("a",), sensitive="s", l=2, rows=rows)) == {0, 1}
    assert violating_persons(persons, TCloseness(columns=("a",), sensitive="s", t=0.0)) == set()

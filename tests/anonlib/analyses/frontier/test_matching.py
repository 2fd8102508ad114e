"""The records against a population table: counted one by one."""

from __future__ import annotations

from collections import Counter

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.frontier.evaluation import evaluate
from anonlib.analyses.frontier.matching import match, matched_only, one_value_a_person, with_records
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.counting.classes import ClassTable
from anonlib.values.cells import text_categorical
from tests.helpers.errors import refused
from tests.reference.frontier import table

VALUES = st.sampled_from(["1", "2", "3", "10", None])
ROWS = st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=12)
PEOPLE = st.lists(st.tuples(VALUES, VALUES), max_size=12)
NAMES = ("a", "people")  # “people” is the name of the counts inside


def rows_of(classes: ClassTable) -> Counter:
    columns = [classes.column(name) for name in classes.attributes]
    return Counter(dict(zip(zip(*columns, strict=True), classes.counts.tolist(), strict=True)))


@given(ROWS, PEOPLE)
def test_the_report_counts_records(rows: list[tuple], people: list[tuple]) -> None:
    found = match(table(rows, NAMES), table(people, NAMES))
    there, records = Counter(people), Counter(rows)
    assert (found.attributes, found.n_records) == (NAMES, len(rows))
    assert found.unmatched == sum(row not in there for row in rows)
    assert found.exceeding == sum(records[row] > there[row] for row in rows)
    for j, name in enumerate(NAMES):
        values = {person[j] for person in people}
        assert found.unknown[name] == sum(row[j] not in values for row in rows)
        named, counted = found.unknown_values[name], Counter(row[j] for row in rows)
        assert sorted(named, key=repr) == sorted(counted.keys() - values, key=repr)
        assert [counted[value] for value in named] == sorted((counted[value] for value in named), reverse=True)
    known_each = sum(
        row not in there and all(row[j] in {person[j] for person in people} for j in range(2)) for row in rows
    )
    assert 0 <= found.by_combination <= known_each


def test_unknown_values_are_reported_the_commonest_first() -> None:
    rows = [("2", "x")] * 2 + [("10", "x"), ("3", "x"), (None, "y"), (None, "x"), (None, "x")]
    found = match(table(rows, NAMES), table([("3", "x")], NAMES))
    assert found.unknown_values == {"a": (None, "2", "10"), "people": ("y",)}
    assert found.unknown == {"a": 6, "people": 1}


@given(ROWS, PEOPLE)
def test_the_two_ways_out_make_a_space(rows: list[tuple], people: list[tuple]) -> None:
    classes, population = table(rows, NAMES), table(people, NAMES)
    joined = with_records(population, classes)
    assert rows_of(joined) == Counter(people) | Counter(rows)  # the larger of the two counts
    assert match(classes, joined).exceeding == 0
    space = PolicySpace(classes, joined)
    assert evaluate(space, space.bottom)[0] == [1.0]
    left = matched_only(classes, population)
    assert rows_of(left) == Counter(row for row in rows if row in set(people))
    if left.n_records:
        assert match(left, population).unmatched == 0
        assert PolicySpace(left, population).n_records == left.n_records


def test_a_population_that_holds_the_records_stays_as_it_is() -> None:
    people = [("1", "x", "u"), ("1", "x", "v"), ("2", None, "u")]
    joined = with_records(table(people, ("a", "b", "c")), table([("1", "x"), ("2", None)], ("a", "b")))
    assert rows_of(joined) == {("1", "x"): 2, ("2", None): 1}
    assert joined.attributes == ("a", "b")


def test_a_population_without_a_column_is_refused() -> None:
    with refused("population-lacks-columns"):
        match(table([("1", "2")], NAMES), table([("1",)], ("a",)))


def test_persons_whose_rows_differ_are_left_out() -> None:
    frame = pd.DataFrame({
        "id": ["p", "p", "q", "q", "r", "s", "s"],
        "a": text_categorical(["1", "2", "1", "1", "3", None, "2"]),
        "b": text_categorical(["x", "x", "x", "y", "z", "x", "x"]),
    })  # fmt: skip
    classes = ClassTable.from_frame(frame, ["a", "b"], person="id")
    with refused("persons-have-several-values", "a"):
        PolicySpace(classes)
    single = one_value_a_person(classes)
    assert rows_of(single) == {("3", "z"): 1, ("2", "x"): 1}
    assert PolicySpace(single).n_records == 2
    plain = table([("1", "x"), ("1", "x")], ("a", "b"))
    assert rows_of(one_value_a_person(plain)) == rows_of(plain)

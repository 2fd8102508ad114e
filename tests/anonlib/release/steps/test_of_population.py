"""A population table through the same cells as the data, against plain counting."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import intervals
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.comparison import compare
from anonlib.release.recipe import Recipe
from anonlib.release.steps import BlankCells, GeneralizeLocally, Step
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.small_release import QI, rows_of

AGES = st.sampled_from([None, "20", "21", "24", "25", "29", "30", "38"])
PERSONS = st.tuples(AGES, st.sampled_from("mf"))
BY = KAnonymity(columns=("age", "sex"), least=2)
PARTS = GeneralizeLocally((("age", intervals([5, 10]).with_top()),), (BY,), 0.3)
BLANK = BlankCells(("age", "sex"), (BY,), 0.3)
Row = tuple[str | None, ...]


def table(rows: list[Row]) -> Dataset:
    frame = pd.DataFrame(rows, columns=["age", "sex"], dtype=object)
    return Dataset.from_frame(frame, roles={"age": QI, "sex": QI})


def covers(label: str | None, value: str | None, is_blank: bool) -> bool:
    """Whether a label says nothing that is wrong of a value; none is a cell that was blanked, or is missing."""
    if label == value or label == "*" or (label is None and is_blank):
        return True
    if label is None:
        return False
    return value is not None and "-" in label and int(label.split("-")[0]) <= int(value) <= int(label.split("-")[1])


def width(label: str | None) -> int:
    """How far a label reaches; of no label as far as any."""
    if label is None or label == "*":
        return 100
    return int(label.split("-")[1]) - int(label.split("-")[0]) if "-" in label else 0


def expected(person: Row, released: dict[Row, set[Row]]) -> Row | None:
    """By plain rules the class of a person of the population; None where nobody can say."""
    if person in released and len(released[person]) == 1:
        return next(iter(released[person]))
    if person in released and not released[person]:
        return None
    classes = {labels for several in released.values() for labels in several}
    blanked = {
        (labels, j) for row, several in released.items() for labels in several for j in range(2) if row[j] is not None
    }
    covering = [
        labels for labels in classes if all(covers(labels[j], person[j], (labels, j) in blanked) for j in range(2))
    ]
    for row in covering:
        if all(width(mine) <= width(its) for other in covering for mine, its in zip(row, other, strict=True)):
            return row
    return None


@pytest.mark.parametrize("step", [PARTS, BLANK], ids=["part by part", "blank cells"])
@settings(max_examples=80)
@given(st.lists(PERSONS, min_size=2, max_size=9), st.lists(PERSONS, max_size=9))
def test_each_person_is_in_the_class_that_plain_rules_say(step: Step, rows, others):
    """Who is like a record goes with it; others go where they fit in, into the finest part, or nowhere."""
    data, people = table(rows), table([*rows, *others])
    try:
        after = step.apply(data)
    except InputError:
        return
    released: dict[Row, set[Row]] = {tuple(row): set() for row in rows}
    for number, labels in zip(data.rows_of(after), rows_of(after), strict=True):
        released[tuple(rows[number])].add(labels)
    classes = set(rows_of(after))
    alike = rows_of(step.apply_to_population(people, data))
    assert len(alike) == len(rows) + len(others)
    for person, labels in zip([*rows, *others], alike, strict=True):
        wanted = expected(tuple(person), released)
        assert labels == wanted if wanted is not None else labels not in classes


@settings(max_examples=40)
@given(st.lists(PERSONS, min_size=3, max_size=9), st.lists(PERSONS, max_size=9))
def test_a_journalist_counts_the_people_of_the_same_labels(rows, others):
    data, people = table(rows), table([*rows, *others])
    recipe = Recipe.of([PARTS])
    applied = recipe.apply(data)
    if applied.why_not or not applied.released.n_records:
        return
    among = Counter(rows_of(PARTS.apply_to_population(people, data)))
    risks = [1 / among[labels] for labels in rows_of(applied.released) if among[labels]]
    found = compare(applied, recipe, k=2, population=people).after.journalist
    assert found is not None and found.unmatched == 0 and len(risks) == applied.released.n_records
    assert (found.highest, found.average) == (pytest.approx(max(risks)), pytest.approx(sum(risks) / len(risks)))


def test_without_the_data_and_without_a_column_of_theirs_it_says_why():
    for step in (PARTS, BLANK):
        with refused("population-not-recodable"):
            step.apply_to_population(table([("20", "m")]))
        elsewhere = Dataset.from_frame(pd.DataFrame({"town": ["A"]}))
        with refused("population-lacks-columns"):
            step.apply_to_population(elsewhere, table([("20", "m")] * 3))

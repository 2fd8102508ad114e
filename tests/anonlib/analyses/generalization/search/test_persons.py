"""What an adviser searches of persons with several rows, against every state tried person by person."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

import tests.reference.persons as slow
from anonlib.analyses.generalization.search import LeastChange, NothingFound, PersonProblem, least_change
from anonlib.counting.classes.person_table import PersonTable
from anonlib.counting.privacy_models import AverageRiskLimit, PrivacyModel
from anonlib.reading.records import FrameRecords
from tests.helpers.adviser import SAME
from tests.helpers.examples import settings
from tests.reference.generalization import Ladder, hierarchy_of, ladders

LADDERS = st.tuples(ladders(slow.VALUES, 2), ladders(slow.VALUES, 1)).map(lambda ways: {"a": ways[0], "b": ways[1]})
Asked = list[PrivacyModel]


def problem_of(persons: list[slow.Person], of_column: dict[str, Ladder], asked: Asked, **most) -> PersonProblem:
    table = PersonTable.from_frame(FrameRecords.of(slow.frame_of(persons)).frame, list(slow.NAMES), "id")
    return PersonProblem(table, {name: hierarchy_of(ladder) for name, ladder in of_column.items()}, asked, **most)


def states(of_column: dict[str, Ladder]) -> Iterator[tuple[int, ...]]:
    return product(*(range(len(ladder)) for ladder in of_column.values()))


def at(persons: list[slow.Person], of_column: dict[str, Ladder], state: tuple[int, ...]) -> list[slow.Person]:
    """The persons with their rows at a state."""
    levels = dict(zip(of_column, state, strict=True))
    return [
        [{n: of_column[n][levels[n]][value] if n in levels else value for n, value in row.items()} for row in person]
        for person in persons
    ]


def loss(persons: list[slow.Person], of_column: dict[str, Ladder], state: tuple[int, ...]) -> Fraction:
    """The mean over the cells of all rows: of the other values of the column, those that have become equal."""
    rows = [row for person in persons for row in person]
    lost = Fraction(0)
    for name, level in zip(of_column, state, strict=True):
        values, label = {row[name] for row in rows}, of_column[name][level]
        for row in rows:
            together = sum(label[other] == label[row[name]] for other in values)
            lost += Fraction(together - 1, max(1, len(values) - 1))
    return lost / (len(rows) * len(slow.NAMES))


def what_does(persons: list[slow.Person], of_column: dict[str, Ladder], asked: Asked) -> list[tuple]:
    """What the states at which all holds lose, and these."""
    return [
        (loss(persons, of_column, state), state)
        for state in states(of_column)
        if all(slow.holds(at(persons, of_column, state), guarantee) for guarantee in asked)
    ]


@settings(max_examples=120)
@given(slow.people(), LADDERS, st.lists(slow.ROW_BY_ROW, min_size=1, max_size=3))
def test_who_violates_at_every_state(persons, of_column, asked):
    problem = problem_of(persons, of_column, asked)
    first = [sum(map(len, persons[:i])) for i in range(len(persons))]
    profile = problem.table.profile_of_record[first]
    for state in states(of_column):
        rows = at(persons, of_column, state)
        for guarantee in asked:
            expected = slow.violating(rows, guarantee)
            assert set(problem.violating(guarantee, state)[profile].nonzero()[0].tolist()) == expected


@settings(max_examples=120)
@given(slow.people(most=5), LADDERS, st.lists(slow.ROW_BY_ROW | slow.AVERAGE, min_size=1, max_size=2))
def test_where_nothing_may_be_left_out_the_least_change_is_proven(persons, of_column, asked):
    does = what_does(persons, of_column, asked)
    found = least_change(problem_of(persons, of_column, asked))
    if isinstance(found, NothingFound):
        assert not does and found.proven
        return
    assert found.proven and not found.best.rows_out and not found.best.left_out
    assert found.best.node in [state for _, state in does]
    assert abs(found.best.information_loss - min(does)[0]) <= SAME


@settings(max_examples=120)
@given(
    slow.people(most=5), LADDERS, st.lists(slow.ROW_BY_ROW | slow.AVERAGE, min_size=1, max_size=2), st.integers(1, 6),
    st.integers(0, 3),
)  # fmt: skip
def test_what_may_be_left_out_binds_rows_and_persons(persons, of_column, asked, most, most_persons):
    """Nothing is called impossible that a state with nothing left out does, and no answer is worse than its best."""
    does = what_does(persons, of_column, asked)
    found = least_change(problem_of(persons, of_column, asked, suppression_limit=most, most_persons=most_persons))
    if isinstance(found, NothingFound):
        assert not (found.proven and does)
        return
    assert isinstance(found, LeastChange) and not found.proven
    assert found.best.rows_out <= most and found.best.left_out <= most_persons
    assert found.best.left_out <= found.best.rows_out


@settings(max_examples=150)
@given(slow.people(most=5), st.lists(slow.ROW_BY_ROW | slow.AVERAGE, min_size=1, max_size=2), st.integers(0, 2))
def test_what_is_proven_impossible_is(persons, asked, most):
    """No choice of rows to leave out does, tried one by one, where nothing can be coarsened."""
    table = PersonTable.from_frame(FrameRecords.of(slow.frame_of(persons)).frame, list(slow.NAMES), "id")
    found = least_change(PersonProblem(table, {}, asked, suppression_limit=most, most_persons=len(persons)))
    if not isinstance(found, NothingFound) or not found.proven:
        return
    for left in left_out_at_most(persons, most):
        assert not all(slow.holds(left, guarantee) for guarantee in asked)


def left_out_at_most(persons: list[slow.Person], most: int) -> Iterator[list[slow.Person]]:
    """The persons with at most so many rows left out, in every way."""
    yield persons
    if not most:
        return
    for i, person in enumerate(persons):
        for j in range(len(person)):
            fewer = [*person[:j], *person[j + 1 :]]
            yield from left_out_at_most([*persons[:i], *([fewer] if fewer else []), *persons[i + 1 :]], most - 1)


def test_an_average_is_of_persons():
    """Two of three persons with like rows: 2/3, whatever the rows are."""
    persons = [[dict.fromkeys(slow.NAMES, "g0")] * n for n in (3, 3, 1)]
    average = AverageRiskLimit(columns=("a",), limit=0.6, rows="all")
    problem = problem_of(persons, {}, [average])
    assert isinstance(least_change(problem), NothingFound)
    assert problem.in_small_classes(average, ()) == 1


@settings(max_examples=120)
@given(
    slow.people(most=5), LADDERS, st.lists(slow.ROW_BY_ROW | slow.AVERAGE, min_size=1, max_size=2), st.integers(0, 4),
    st.integers(0, 3),
)  # fmt: skip
def test_where_values_refuse_nobody_loses_a_row_for_a_value(persons, of_column, asked, most, most_persons):
    problem = problem_of(persons, of_column, asked, suppression_limit=most, most_persons=most_persons)
    refused = problem.changed(values_refuse=True)
    sizes = problem.changed(guarantees=[each for each in asked if not refused.looks_at_values(each)])
    best = None
    for state in states(of_column):
        settled, by_sizes = refused.settle(state), sizes.settle(state)
        if settled is not None:
            assert by_sizes is not None
            assert (settled.left_out, settled.rows_out) == (by_sizes.left_out, by_sizes.rows_out)
            best = settled if best is None or settled.rank < best.rank else best
    outcome = least_change(refused)
    if isinstance(outcome, NothingFound):
        assert best is None or not outcome.proven
    elif outcome.proven:
        assert abs(outcome.best.information_loss - best.information_loss) <= SAME

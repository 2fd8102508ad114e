"""Persons alone and below k by how many of their rows are known, against counting person by person."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.individuals import rows_known as module
from anonlib.analyses.individuals.rows_known import by_rows, n_choices
from anonlib.counting.classes import PersonTable
from anonlib.counting.privacy_models import ALL, CodedPersons
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.reference import persons as slow


def coded(persons: list[slow.Person]) -> CodedPersons:
    return CodedPersons.of(PersonTable.from_frame(slow.frame_of(persons), slow.NAMES, "id"))


@given(slow.people(), st.lists(st.sampled_from(["a", "b", "t"]), unique=True, min_size=1), st.integers(1, 4))
@settings(200)
def test_every_number_is_that_of_the_definitions(persons, columns, k):
    for found in by_rows(coded(persons), columns, k):
        sizes = slow.sizes(persons, columns, found.rows)
        assert (found.alone, found.below_k) == (sum(n < 2 for n in sizes), sum(n < k for n in sizes))
        assert (found.smallest, found.n_persons) == (min(sizes), len(persons)) and found.is_counted


def test_too_many_choices_are_not_counted(monkeypatch):
    persons = [[{"a": x, "b": None, "s": None, "t": None} for x in "uvwxyz"]] * 2
    assert [n_choices(coded(persons), n) for n in (1, 2, 3)] == [6, 30, 120], "equal persons once"
    monkeypatch.setattr(module, "MOST_CHOICES", 100)
    found = {each.rows: each for each in by_rows(coded(persons), ["a"], 3)}
    assert found[2].below_k == 2 and found[ALL].below_k == 2
    assert not found[3].is_counted and found[3].alone is found[3].below_k is found[3].smallest is None


def test_columns_that_cannot_be_asked():
    persons = coded([[{"a": "x", "b": None, "s": None, "t": None}]])
    with refused("no-column-known"):
        by_rows(persons, [], 3)
    with refused("column-unknown", "z"):
        by_rows(persons, ["z"], 3)

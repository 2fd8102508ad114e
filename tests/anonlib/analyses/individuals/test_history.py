"""One person's history, against counting person by person from the definitions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.individuals import history as module
from anonlib.analyses.individuals.history import MostTellingVisits, SureOf, history
from anonlib.basics.errors import InputError
from anonlib.counting.classes import PersonTable
from anonlib.counting.privacy_models import ALL, ONE, CodedPersons
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.reference import persons as slow

KNOWN = st.lists(st.sampled_from(["a", "b", "t"]), unique=True, max_size=3)


def found_of(persons: list[slow.Person], who: int, order: list[int], known, sensitive=("s",), p: float = 0.0):
    """The history of one of some persons, whose rows are in this order of time."""
    frame = slow.frame_of(persons)
    begin = sum(len(person) for person in persons[:who])
    table = PersonTable.from_frame(frame, slow.NAMES, "id")
    return history(table, [begin + place for place in order], known, sensitive, p)


def fits(person: slow.Person, chosen: list[slow.Row], known) -> bool:
    """The person has rows like these, each as often."""
    held = slow.all_rows(person, known)
    return all(held[value] >= times for value, times in slow.all_rows(chosen, known).items())


def certain(peers: list[slow.Person], person: slow.Person, p: float) -> set[str]:
    return {
        value
        for value in slow.values(person, "s")
        if sum(value not in slow.values(peer, "s") for peer in peers) / len(peers) <= p
    }


def values_of(sure: tuple[SureOf, ...]) -> set[str]:
    assert all(each.column == "s" and each.values for each in sure) and len(sure) <= 1
    return {value for each in sure for value in each.values}


@st.composite
def asked(draw: st.DrawFn):
    persons = draw(slow.people(most=7, most_rows=5))
    who = draw(st.integers(0, len(persons) - 1))
    return persons, who, draw(st.permutations(range(len(persons[who])))), draw(KNOWN)


@given(asked(), st.sampled_from([0.0, 0.0, 0.25, 0.5]))
@settings(400)
def test_every_number_is_that_of_the_definitions(question, p):
    persons, who, order, known = question
    found = found_of(persons, who, order, known, p=p)
    person = [persons[who][place] for place in order]
    assert found.n_persons == len(persons) and len(found.visits) == len(person)
    for place, visit in enumerate(found.visits):
        one = [peer for peer in persons if fits(peer, [person[place]], known)]
        so_far = [peer for peer in persons if fits(peer, person[: place + 1], known)]
        assert (visit.sharing, visit.left) == (len(one), len(so_far))
        assert values_of(visit.certain_alone) == certain(one, person, p)
        assert values_of(visit.certain) == certain(so_far, person, p)
    equal = [peer for peer in persons if slow.all_rows(peer, known) == slow.all_rows(person, known)]
    assert found.all_rows == len(equal) and values_of(found.certain) == certain(equal, person, p)
    assert found.all_visits == found.visits[-1].left
    for number in range(1, len(person) + 1):
        choices = [[person[i] for i in chosen] for chosen in combinations(range(len(person)), number)]
        least = min(sum(fits(peer, chosen, known) for peer in persons) for chosen in choices)
        telling = found.most_telling(number)
        assert telling is not None and telling.persons == least
        assert len(telling.visits) == telling.number <= number
        named = [person[i] for i in telling.visits]
        assert sum(fits(peer, named, known) for peer in persons) == least
        assert slow.sizes(persons, known, number)[who] == least, "as of a verdict by so many rows"


@given(asked())
@settings(60)
def test_the_order_of_persons_and_columns_changes_nothing(question):
    persons, who, order, known = question
    one = found_of(persons, who, order, known)
    other = found_of(persons[::-1], len(persons) - 1 - who, order, known[::-1])
    assert [(v.sharing, v.left, v.certain) for v in one.visits] == [
        (v.sharing, v.left, v.certain) for v in other.visits
    ]
    assert [(t.number, t.persons, t.visits) for t in one.telling] == [
        (t.number, t.persons, t.visits) for t in other.telling
    ]


# ---- by hand ---------------------------------------------------------------------------------------------------------


def of(text: str) -> PersonTable:
    """Persons by their rows: ``ab c`` is one with the rows a and b, and one with c."""
    rows = [(f"p{i}", letter) for i, letters in enumerate(text.split()) for letter in letters]
    return PersonTable.from_frame(pd.DataFrame(rows, columns=["id", "x"]), ["x"], "id")


def test_three_pairs_of_which_each_row_is_shared_by_two():
    assert history(of("ab ac bc"), [0, 1], ["x"]).telling == (
        MostTellingVisits(1, 2, (0,)),
        MostTellingVisits(2, 1, (0, 1)),
    )


@pytest.mark.parametrize(
    ("persons", "known", "sharing_and_left", "all_visits", "all_rows"),
    [
        pytest.param("ab ac bc", ["x"], [(2, 2), (2, 1)], 1, 1, id="each row is shared by two"),
        pytest.param("aa a ab aab", ["x"], [(4, 4), (4, 2)], 2, 1, id="a row there twice must be there twice"),
        pytest.param("ab a bc abc", [], [(4, 4), (4, 3)], 3, 2, id="without a known column rows are counted"),
    ],
)
def test_persons_with_rows_like_these(persons, known, sharing_and_left, all_visits, all_rows):
    found = history(of(persons), [0, 1], known)
    assert [(visit.sharing, visit.left) for visit in found.visits] == sharing_and_left
    assert (found.all_visits, found.all_rows) == (all_visits, all_rows)


def test_the_pair_that_tells_most_need_not_hold_the_visit_that_does():
    """c is rarest by itself, but a and b together are one person's."""
    found = history(of("abc ac bc ac bc a b a b"), [0, 1, 2], ["x"])
    assert found.telling[0] == MostTellingVisits(1, 5, (0,)), "a, b and c are shared by five each: the first is named"
    assert found.telling[1] == MostTellingVisits(2, 1, (0, 1))
    assert len(found.telling) == 2, "a third visit tells no more"
    assert found.most_telling(3) == MostTellingVisits(2, 1, (0, 1))


def test_certain_is_what_all_peers_have_among_theirs():
    """B20 is certain for each of six with another second diagnosis, which none of their sets of values shows."""
    rows = [(f"p{i}", "f", "B20") for i in range(6)] + [(f"p{i}", "f", f"second {i}") for i in range(6)]
    table = PersonTable.from_frame(pd.DataFrame(rows, columns=["id", "sex", "ill"]), ["sex", "ill"], "id")
    found = history(table, [0, 6], ["sex"], ["ill"])
    assert found.visits[0].certain_alone == (SureOf("ill", ("B20",)),) and found.visits[0].sharing == 6
    assert found.certain == (SureOf("ill", ("B20",)),)


def test_a_missing_value_is_nothing_to_be_certain_of():
    frame = pd.DataFrame({"id": ["p", "q"], "x": ["a", "a"], "ill": [None, None]}, dtype=object)
    found = history(PersonTable.from_frame(frame, ["x", "ill"], "id"), [0], ["x"], ["ill"])
    assert found.visits[0].certain == () and found.certain == ()


# ---- many rows -------------------------------------------------------------------------------------------------------


def many(n: int, others: int = 300, seed: int = 4) -> PersonTable:
    """A person of n different rows, each of the others lacking one of them."""
    rng = np.random.default_rng(seed)
    rows = [("u", f"x{i:03}") for i in range(n)]
    for other in range(others):
        lacks = set(rng.choice(n, size=1 + other % 3, replace=False).tolist()) if other >= n else {other}
        rows += [(f"o{other}", f"x{i:03}") for i in range(n) if i not in lacks]
    return PersonTable.from_frame(pd.DataFrame(rows, columns=["id", "x"]), ["x"], "id")


def test_of_too_many_choices_the_number_is_not_counted(monkeypatch):
    """Each visit rules out one other at least, so that it takes all to be alone."""
    table = many(12, others=12)
    monkeypatch.setattr(module, "MOST_CHOICES", 300)
    found = history(table, list(range(12)), ["x"])
    assert [visit.left for visit in found.visits] == list(range(12, 0, -1))
    counted = {number for number in range(1, 13) if found.most_telling(number) is not None}
    assert counted == {1, 2, 3, 9, 10, 11, 12}, "as 12 over 4 is 495, and 12 over 3 is 220"
    assert all(found.most_telling(number).persons == 13 - number for number in counted)


def test_equal_rows_make_no_choices():
    found = history(
        of("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa " + " ".join("a" * i for i in range(1, 40))), range(40), ["x"]
    )
    assert [found.most_telling(number).persons for number in (1, 2, 20, 40)] == [40, 39, 21, 1]


def test_more_visits_than_are_looked_at_are_not_counted_but_for_all():
    n = module.MOST_NUMBERS + 5
    found = history(of("a" * n + " " + " ".join("a" * i for i in range(1, n))), range(n), ["x"])
    assert found.most_telling(module.MOST_NUMBERS).persons == 6
    assert found.most_telling(module.MOST_NUMBERS + 1) is None
    assert found.most_telling(n) == MostTellingVisits(n, 1, tuple(range(n)))


def test_a_look_at_part_of_the_choices_at_a_time_finds_the_same(monkeypatch):
    table = many(9)
    whole = history(table, list(range(9)), ["x"]).telling
    monkeypatch.setattr(module, "_A_LOOK", 7)
    assert history(table, list(range(9)), ["x"]).telling == whole


# ---- as a table, and what cannot be asked ----------------------------------------------------------------------------


def test_the_table_has_a_line_a_visit_and_no_value():
    found = history(of("ab ac bc"), [1, 0], ["x"])
    table = found.to_frame()
    assert table["visit"].tolist() == [1, 2] and table["record"].tolist() == [2, 1]
    assert table["share_it"].tolist() == [2, 2] and table["share_all_so_far"].tolist() == [2, 1]
    assert table["fewest_by_so_many"].tolist() == [2, 1] and table["most_telling_visits"].tolist() == ["1", "1 2"]


@pytest.mark.parametrize("records", [[0], [0, 1, 2], [0, 0], [], [0, 9], [-1, 0]])
def test_rows_that_are_not_all_of_one_person_are_refused(records):
    with refused("row-unknown"):
        history(of("ab ac bc"), records, ["x"])


def test_what_cannot_be_asked_is_refused_in_a_sentence():
    table = of("ab ac bc")
    with refused("column-unknown", "y"):
        history(table, [0, 1], ["y"])
    with refused("column-in-two-roles"):
        history(table, [0, 1], ["x"], ["x"])
    with pytest.raises(InputError, match="less than 1"):
        history(table, [0, 1], ["x"], p=1.0)
    with pytest.raises(InputError, match="2 visits"):
        history(table, [0, 1], ["x"]).most_telling(3)


def test_the_rows_of_a_database_are_elsewhere():
    with refused("records-in-a-database"):
        history(replace(of("ab"), profile_of_record=None), [0, 1], ["x"])


def test_it_is_the_count_of_the_verdict():
    """The least by one row and by all rows of everybody is what the guarantees count."""
    rng = np.random.default_rng(2)
    rows = pd.DataFrame({"id": rng.integers(0, 60, 200).astype(str), "x": rng.integers(0, 6, 200).astype(str)})
    table = PersonTable.from_frame(rows, ["x"], "id")
    coded = CodedPersons.of(table)
    by = {each: coded.peers(["x"], each).least_sizes()[table.profile_of_record] for each in (ONE, 2, ALL)}
    for person, places in Counter(rows["id"]).items():
        records = np.flatnonzero(rows["id"] == person)
        found = history(table, records, ["x"])
        assert found.telling[0].persons == by[ONE][records[0]] and found.all_rows == by[ALL][records[0]]
        assert found.most_telling(min(2, places)).persons == by[2][records[0]]

"""Part by part of persons with several rows: what is asked holds of the labels of their rows, counted plainly."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tests.reference.persons as slow
from anonlib.analyses.generalization.search import PersonProblem
from anonlib.analyses.generalization.search.coins import Coin
from anonlib.analyses.generalization.search.local_recoding import LocalRecodingOfPersons, parts_of_persons
from anonlib.counting.classes.person_table import PersonTable
from anonlib.counting.privacy_models import AttributeDisclosure, AverageRiskLimit, KAnonymity, PrivacyModel
from anonlib.reading.records import FrameRecords
from tests.helpers.adviser import PAIRS, SAME, topped
from tests.helpers.examples import settings
from tests.reference.generalization import Ladder, hierarchy_of, ladders

LADDERS = st.tuples(ladders(slow.VALUES, 2), ladders(slow.VALUES, 2)).map(lambda ways: {"a": ways[0], "b": ways[1]})
ASKED = st.lists(slow.ROW_BY_ROW | slow.AVERAGE, min_size=1, max_size=3)
ONE_ROW = st.lists(
    (slow.shared() | slow.not_certain(p=(0.0,))).map(lambda each: of_rows(each, 1)), min_size=1, max_size=2
)
MOST = st.tuples(st.sampled_from([0, 1, 3, 8]), st.sampled_from([0, 1, 4]))


def of_rows(guarantee: PrivacyModel, rows: int) -> PrivacyModel:
    return type(guarantee)(**{**vars(guarantee), "rows": rows})


def problem_of(persons: list[slow.Person], of_column: Mapping[str, Ladder], asked, **fields) -> PersonProblem:
    table = PersonTable.from_frame(FrameRecords.of(slow.frame_of(persons)).frame, list(slow.NAMES), "id")
    return PersonProblem(table, {name: hierarchy_of(way) for name, way in of_column.items()}, asked, **fields)


def released(
    problem: PersonProblem, of_column: Mapping[str, Ladder], parts: LocalRecodingOfPersons
) -> list[slow.Person]:
    """The persons as they leave, also those of whom nothing does, who have no rows."""
    table, single, persons = problem.table, 0, []
    for i, number in enumerate(table.persons.tolist()):
        rows = []
        for j in range(table.start[i], table.start[i + 1]):
            row = cells_of(problem, table.row[j])
            for _ in range(table.times[j]):
                if parts.kept[single]:
                    levels = dict(zip(problem.columns, parts.cell_levels[single].tolist(), strict=True))
                    rows.append({n: of_column[n][levels[n]][v] if n in levels else v for n, v in row.items()})
                single += 1
        persons += [rows] * number
    return persons


def cells_of(problem: PersonProblem, row: int) -> slow.Row:
    classes = problem.classes
    return {name: classes.categories[j][classes.codes[row, j]] for j, name in enumerate(classes.attributes)}


def loss(problem: PersonProblem, of_column: Mapping[str, Ladder], parts: LocalRecodingOfPersons) -> Fraction:
    """The mean over the cells of all rows of what they lose; a row that is left out loses everything."""
    table, lost, single = problem.table, Fraction(0), 0
    values = {name: {cells_of(problem, row)[name] for row in range(problem.classes.n_classes)} for name in of_column}
    for i, number in enumerate(table.persons.tolist()):
        for j in range(table.start[i], table.start[i + 1]):
            row = cells_of(problem, table.row[j])
            for _ in range(table.times[j]):
                levels = dict(zip(problem.columns, parts.cell_levels[single].tolist(), strict=True))
                for name in slow.NAMES:
                    if not parts.kept[single]:
                        lost += number
                    elif name in of_column:
                        label = of_column[name][levels[name]]
                        together = sum(label[other] == label[row[name]] for other in values[name])
                        lost += Fraction(number * (together - 1), max(1, len(values[name]) - 1))
                single += 1
    return lost / (problem.n_rows * len(slow.NAMES))


@settings(max_examples=500)
@given(slow.people(most=10), LADDERS, ASKED | ONE_ROW, MOST, st.booleans(), st.integers(1, 2))
def test_what_is_asked_holds_of_the_labels(persons, of_column, asked, most, linked, rounds):
    """Also where rows are put into parts one by one, for one may be known."""
    problem = problem_of(persons, of_column, asked, suppression_limit=most[0], most_persons=most[1], linked=linked)
    parts = parts_of_persons(problem, rounds=rounds)
    if parts is None:
        return
    everybody = released(problem, of_column, parts)
    leaving = [person for person in everybody if person]
    assert parts.left_out == len(everybody) - len(leaving) <= most[1]
    assert parts.rows_out == sum(map(len, persons)) - sum(map(len, leaving)) <= most[0]
    for guarantee in asked:
        if not linked and isinstance(guarantee, AttributeDisclosure) and guarantee.rows == 1:
            assert not slow.violating_unlinked(leaving, guarantee)
        elif isinstance(guarantee, AverageRiskLimit):
            assert slow.holds(leaving, guarantee)
        else:
            assert not slow.violating(leaving, guarantee), "for everybody, whatever share may violate it"
    assert parts.loss == pytest.approx(float(loss(problem, of_column, parts)), abs=SAME)


@settings(max_examples=60)
@given(slow.people(most=10), LADDERS, ASKED, MOST, st.randoms(use_true_random=False))
def test_the_same_persons_have_the_same_parts_in_any_order(persons, of_column, asked, most, random):
    shuffled = [random.sample(person, len(person)) for person in random.sample(persons, len(persons))]
    found = []
    for each in (persons, shuffled):
        problem = problem_of(each, of_column, asked, suppression_limit=most[0], most_persons=most[1])
        parts = parts_of_persons(problem)
        rows = [] if parts is None else released(problem, of_column, parts)
        found.append(sorted(sorted(map(repr, person)) for person in rows))
    assert found[0] == found[1]


def persons_of(*words: str) -> list[slow.Person]:
    """A person a text, a row a word of it, with a letter a column: a, b, s, t."""
    return [[dict(zip(slow.NAMES, row, strict=True)) for row in word.split()] for word in words]


ALL_ROWS = KAnonymity(columns=("a", "b"), least=2, rows="all")


OF_COLUMN = {"a": topped("xyz"), "b": topped("pq")}


def test_a_row_is_coarser_only_where_its_part_needs_it():
    """Two of two rows agree in one of these and not in the other: the other is coarser; those of one row stay."""
    persons = persons_of("xp-- yp--", "xp-- zp--", "xq--", "xq--")
    problem = problem_of(persons, OF_COLUMN, [ALL_ROWS])
    parts = parts_of_persons(problem)
    labels = sorted(sorted(row["a"] + row["b"] for row in person) for person in released(problem, OF_COLUMN, parts))
    assert labels == [["*p", "xp"], ["*p", "xp"], ["xq"], ["xq"]]


def test_who_has_more_rows_than_others_loses_some_where_their_number_may_be_known():
    persons = persons_of("xp-- xp-- xp--", "xp--", "xp--", "xp--")
    parts = parts_of_persons(problem_of(persons, OF_COLUMN, [ALL_ROWS], suppression_limit=2, most_persons=2))
    assert (parts.rows_out, parts.left_out, parts.loss) == (2, 0, pytest.approx(2 / 6))
    assert parts_of_persons(problem_of(persons, OF_COLUMN, [ALL_ROWS], suppression_limit=1, most_persons=1)) is None
    once = KAnonymity(columns=("a", "b"), least=2, rows=1)
    several = persons_of("xp-- yp-- zp--", "xp-- yp-- zp--", "xp--")
    assert parts_of_persons(problem_of(several, OF_COLUMN, [once])).loss == 0


def test_what_never_changes_for_a_person_is_coarser_in_all_rows_or_none():
    rng = np.random.default_rng(3)
    persons = [
        [{"a": f"g{a}", "b": f"g{rng.integers(3)}", "s": None, "t": None} for _ in range(2)]
        for a in rng.integers(0, 3, 40).tolist()
    ]
    of_column = dict.fromkeys("ab", PAIRS)
    problem = problem_of(persons, of_column, [KAnonymity(columns=("a", "b"), least=5, rows="all")])
    for person in released(problem, of_column, parts_of_persons(problem)):
        assert len({row["a"] for row in person}) == 1


def test_values_of_several_rows_are_looked_at_together():
    """All have B in some row: it is certain, unless the parts are of others."""
    asked = [AttributeDisclosure(columns=("a", "b"), sensitive="s", rows="all")]
    alike = persons_of("xpB- xpC-", "xpB- xpD-", "ypE- ypF-", "ypG- ypF-")
    found = parts_of_persons(problem_of(alike, OF_COLUMN, asked))
    assert found is not None and found.loss == pytest.approx(8 / 32), "x and y together in column a"
    assert parts_of_persons(problem_of(alike[:2], OF_COLUMN, asked)) is None


# ---- with coins ----

COINS = st.builds(
    Coin, q=st.sampled_from([0.05, 0.3, 0.7]), budget=st.integers(1, 4), secret=st.sampled_from(["0" * 32, "5a" * 16])
)
NOT_CERTAIN = AttributeDisclosure(columns=("a", "b"), sensitive="s", rows="all")


def of_values(asked) -> bool:
    """Whether values are looked at, and none of what is known is sensitive in another guarantee."""
    sensitive = {getattr(each, "sensitive", None) for each in asked} - {None}
    return bool(sensitive) and not any(sensitive & set(each.columns) for each in asked)


def known_rows(persons: list[slow.Person], asked) -> Counter:
    """What is known of each person, row by row."""
    known = sorted({name for each in asked for name in each.columns})
    return Counter(tuple(sorted(repr([row[name] for name in known]) for row in person)) for person in persons)


@settings(max_examples=500)
@given(slow.people(most=10), LADDERS, ASKED | ONE_ROW, MOST, st.booleans(), COINS)
def test_with_coins_what_is_asked_holds_of_the_labels(persons, of_column, asked, most, linked, coin):
    problem = problem_of(persons, of_column, asked, suppression_limit=most[0], most_persons=most[1], linked=linked)
    parts = parts_of_persons(problem, coin=coin, rounds=2)
    if parts is None:
        return
    everybody = released(problem, of_column, parts)
    leaving = [person for person in everybody if person]
    assert parts.left_out == len(everybody) - len(leaving) <= most[1]
    assert parts.rows_out == sum(map(len, persons)) - sum(map(len, leaving)) <= most[0]
    for guarantee in asked:
        if not linked and isinstance(guarantee, AttributeDisclosure) and guarantee.rows == 1:
            assert not slow.violating_unlinked(leaving, guarantee)
        elif isinstance(guarantee, AverageRiskLimit):
            assert slow.holds(leaving, guarantee)
        else:
            assert not slow.violating(leaving, guarantee)
    if parts.part is None:
        return
    assert ((parts.part >= 0) == parts.kept).all()
    for number in range(parts.part.max(initial=-1) + 1):
        levels = [tuple(row) for row in parts.cell_levels[parts.part == number].tolist()]
        assert levels, "each part has rows"


@settings(max_examples=300)
@given(slow.people(most=10), LADDERS, ASKED | ONE_ROW, MOST, st.booleans(), COINS, st.randoms(use_true_random=False))
def test_nobody_is_left_out_nor_loses_a_row_for_a_value(persons, of_column, asked, most, linked, coin, drawn):
    assume(of_values(asked))
    fields = {"suppression_limit": most[0], "most_persons": most[1], "linked": linked}
    values = [row["s"] for person in persons for row in person]
    kept = []
    for turn in range(3):
        cells = iter(drawn.sample(values, len(values)) if turn else values)
        others = [[{**row, "s": next(cells)} for row in person] for person in persons]
        problem = problem_of(others, of_column, asked, **fields)
        parts = parts_of_persons(problem, coin=coin, rounds=2)
        if parts is not None:
            bottom = replace(parts, cell_levels=np.zeros_like(parts.cell_levels))
            kept.append(known_rows(released(problem, of_column, bottom), asked))
    assert all(each == kept[0] for each in kept)


@settings(max_examples=100)
@given(slow.people(most=10), LADDERS, ASKED | ONE_ROW, MOST, COINS, st.randoms(use_true_random=False))
def test_with_coins_the_same_persons_have_the_same_parts_in_any_order(persons, of_column, asked, most, coin, random):
    shuffled = [random.sample(person, len(person)) for person in random.sample(persons, len(persons))]
    outcomes = []
    for each in (persons, shuffled):
        problem = problem_of(each, of_column, asked, suppression_limit=most[0], most_persons=most[1], linked=False)
        parts = parts_of_persons(problem, coin=coin)
        rows = [] if parts is None else released(problem, of_column, parts)
        outcomes.append(sorted(sorted(map(repr, person)) for person in rows))
    assert outcomes[0] == outcomes[1]


def coarse(values: str, coin: Coin) -> tuple[str, ...]:
    """What leaves of six persons of two rows each, with a value each."""
    known = ["xp yp", "xp zp", "xq yq", "xq yq", "yp yp", "zp yp"]
    persons = [
        [dict(zip(slow.NAMES, (*row, value, "-"), strict=True)) for row in rows.split()]
        for rows, value in zip(known, values, strict=True)
    ]
    problem = problem_of(persons, OF_COLUMN, [ALL_ROWS, NOT_CERTAIN])
    parts = parts_of_persons(problem, coin=coin)
    if parts is None:
        return ()
    return tuple(sorted("".join(sorted(row["a"] + row["b"] + row["s"] for row in person))
                        for person in released(problem, OF_COLUMN, parts)))  # fmt: skip


def test_another_secret_or_another_value_draws_other_coins():
    secrets = [f"{number:032x}" for number in range(30)]
    same = [coarse("gggHHH", Coin(q=0.5, budget=3, secret=secret)) for secret in secrets]
    other = [coarse("gHgHHH", Coin(q=0.5, budget=3, secret=secret)) for secret in secrets]
    assert len(set(same)) > 1, "coins of a secret"

    def known(rows: tuple[str, ...]) -> list[str]:
        return sorted(row.replace("g", "").replace("H", "") for row in rows)

    assert [known(rows) for rows in same] != [known(rows) for rows in other]
    assert coarse("gggggg", Coin()) == (), "values refuse the whole: no answer, and nobody left out"


def test_nobody_is_certain_for_who_knows_the_method():
    """Every way to give six persons two values, with coins of many secrets: each release has other ways to come about,
    in which each person whose class shows both values has the other one."""
    ways: dict[tuple[str, ...], set[str]] = {}
    drawn = random.Random(1)
    for values in map("".join, product("gH", repeat=6)):
        for _ in range(12):
            ways.setdefault(coarse(values, Coin(0.5, 3, f"{drawn.getrandbits(128):032x}")), set()).add(values)
    several = 0
    for rows, possible in ways.items():
        shown: dict[str, set[str]] = {}
        for row in rows:
            shown.setdefault(row.replace("g", "").replace("H", ""), set()).update(set(row) & {"g", "H"})
        if rows and all(len(held) == 2 for held in shown.values()):
            several += 1
            assert all({values[i] for values in possible} == {"g", "H"} for i in range(6))
    assert several

"""Spellings of a sensitive value that a person reads as one: a measure is the lower by one value and by several."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.individuals as slow
from anonlib.analyses.individuals import (
    Attacker,
    Individual,
    breaching_sets,
    generalization_scan,
    privacy_profile,
    protective_peers,
)
from anonlib.counting.classes import ClassTable
from tests.helpers.examples import settings

READ = {"X": "x", "1.0": "1"}
VALUES = st.sampled_from([None, "x", "X", "y", "1", "1.0"])
TABLES = slow.tables(columns=(2, 3), kinds=(VALUES, slow.FEW))
MEASURES = st.sampled_from(["ppp", "npp", "poac"])
ATTACKERS = st.builds(
    Attacker, measure=MEASURES, q=st.sampled_from([0.0, 0.3]), knows=st.sampled_from(["any", 1, "all"])
)


def measure(rows: list[slow.Row], person: int, s: int, known: tuple[int, ...], asked: Attacker) -> slow.Value:
    """By spellings and by values of the sensitive variable; known ones are as they are spelled."""
    read = [tuple(READ.get(v, v) if j == s else v for j, v in enumerate(row)) for row in rows]
    return slow.least([slow.measure(of, of[person], s, known, asked.measure, asked.q) for of in (rows, read)])


def sets(n: int, s: int, asked: Attacker) -> list[tuple[int, ...]]:
    if asked.knows == "all":
        return [tuple(slow.others(n, s))]
    return list(slow.sets(slow.others(n, s), None if asked.knows == "any" else asked.knows))


@settings(max_examples=200)
@given(TABLES, ATTACKERS)
def test_the_least_of_everybody(table, asked):
    names, rows = table
    classes = ClassTable.from_frame(pd.DataFrame(rows, columns=names, dtype=object))
    found = privacy_profile(classes, asked).records()
    for s, name in enumerate(names):
        for i in range(len(rows)):
            least = slow.least([measure(rows, i, s, known, asked) for known in sets(len(names), s, asked)])
            assert slow.same_float(found[name][i], least)


@settings(max_examples=100)
@given(TABLES, MEASURES, st.data())
def test_of_one_individual_and_of_the_smallest_sets(table, kind, data):
    names, rows = table
    asked = Attacker(measure=kind, q=0.3)
    classes = ClassTable.from_frame(pd.DataFrame(rows, columns=names, dtype=object))
    i, s = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, len(names) - 1))
    of_row = int(classes.class_of_record[i])
    individual, known = Individual.of(classes, of_row, asked), tuple(slow.others(len(names), s))
    expected = measure(rows, i, s, known, asked)
    at = individual.measure(names[s])[sum(1 << j for j in known)]
    assert slow.same_float(at, expected)
    peers = protective_peers(classes, names[s], [names[j] for j in known], asked).values[of_row]
    assert rows[i][s] is None or slow.same_float(peers, expected)
    minimal = slow.minimal(
        sets(len(names), s, asked),
        lambda known: (value := measure(rows, i, s, known, asked)) is not None and value <= Fraction(1, 4),
    )
    by_name = {tuple(names[j] for j in known) for known in minimal}
    assert {*individual.smallest_breaching_sets(names[s], 0.25)} == by_name
    found = breaching_sets(classes, names[s], asked, p=0.25).minimal.records()
    assert found["n_sets"][i] == len(minimal)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(20, 26).map(str), st.sampled_from("ab"), VALUES), min_size=2, max_size=9))
def test_a_coarser_variable_protects_from_values_as_they_are_read(rows):
    if len({age for age, _, _ in rows}) < 2:
        return
    frames = [
        pd.DataFrame([(age, sex, READ.get(ill, ill) if read else ill) for age, sex, ill in rows], dtype=object)
        for read in (False, True)
    ]
    scans = [
        generalization_scan(ClassTable.from_frame(frame.set_axis(["age", "sex", "ill"], axis=1)), "ill", "age", p=p)
        for frame in frames
        for p in (0.0, 0.3)
    ]
    for spelled, read in zip(scans[:2], scans[2:], strict=True):
        assert (spelled.baseline, spelled.ceiling) == (read.baseline, read.ceiling)
        assert np.array_equal(spelled.protected, read.protected)


@pytest.mark.parametrize("one, other", [("HIV", "hiv"), ("1", "1.0"), ("gout", "gout ")])
def test_of_two_who_have_one_value_in_two_spellings_it_is_certain(one, other):
    people = pd.DataFrame({"sex": ["f", "f", "m"], "ill": [one, other, "flu"]})
    found = privacy_profile(ClassTable.from_frame(people), sensitive="ill")
    assert found.records()["ill"].tolist() == [0, 0, 0] and found.n_values == (2,)

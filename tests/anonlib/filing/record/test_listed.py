"""A value is listed where enough persons share it, not rows."""

from __future__ import annotations

import random

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.columns.roles import Role
from anonlib.filing.record.listed import listed_columns
from anonlib.verdict.criteria import Aim, SmallestClass
from tests.anonlib.filing.record.made import evidence_of, released_rows, shares
from tests.helpers.evidence import opened
from tests.helpers.examples import settings


def listed(project) -> dict[str, tuple[str, ...]]:
    return {column.name: column.texts for column in listed_columns(project, evidence_of(project))}


def test_rows_of_few_persons_are_not_enough() -> None:
    rows = [("ann", "rare")] * 40 + [(f"p{i % 20}", "often") for i in range(60)] + [(f"p{i}", "twice") for i in (1, 2)]
    frame = pd.DataFrame(rows, columns=["person", "finding"])
    project = opened(frame, roles={"person": Role.PERSON_ID, "finding": Role.OTHER})
    assert listed(project) == {"person": (), "finding": ("often",)}


@settings(60)
@given(st.integers(0, 999), st.sampled_from([1, 3]))
def test_they_are_those_that_plain_counting_finds(seed: int, rows_each: int) -> None:
    lot = random.Random(seed)
    rows = [(f"p{i // rows_each}", lot.choice("aabbccdefg"), lot.choice(["", "x", "y"])) for i in range(60)]
    frame = pd.DataFrame(rows, columns=["person", "finding", "mark"])
    roles = {"person": Role.PERSON_ID, "finding": Role.OTHER, "mark": Role.QUASI_IDENTIFIER}
    project = opened(frame, roles=roles)
    evidence, written = evidence_of(project), released_rows(project)
    for column in listed_columns(project, evidence):
        if column.kind == "values":
            counted = shares(written, column.name, "person")
            enough = sorted(value for value, number in counted.items() if value and number >= evidence.k)
            assert sorted(column.texts) == enough
            assert column.has_others == (len(enough) < len([value for value in counted if value]))


def test_a_weight_counts_persons_but_of_its_own_column() -> None:
    frame = pd.DataFrame({"sex": ["f", "m", "x"], "n": ["30", "7", "2"]})
    project = opened(frame, roles={"sex": Role.QUASI_IDENTIFIER, "n": Role.WEIGHT})
    assert listed(project) == {"sex": ("f", "m"), "n": ()}


def test_at_least_two_share_a_value_whatever_is_asked_for() -> None:
    frame = pd.DataFrame({"sex": ["f", "f", "m"]})
    project = opened(frame, roles={"sex": Role.OTHER}, aim=Aim("own", (SmallestClass(1),)))
    assert evidence_of(project).k == 1
    assert listed(project) == {"sex": ("f",)}


def test_texts_and_undecided_columns_list_nothing() -> None:
    note = "She has no pain and was seen by the nurse today."
    frame = pd.DataFrame({"note": [note] * 30, "group": ["a"] * 30, "x": ["b"] * 30})
    project = opened(frame, roles={"note": Role.OTHER, "group": Role.OTHER})
    kinds = {column.name: (column.kind, column.texts) for column in listed_columns(project, evidence_of(project))}
    assert kinds == {"note": ("text", ()), "group": ("values", ("a",)), "x": ("undecided", ())}


@pytest.mark.parametrize(("values", "expected"), [(["=x", "'=x", "b"], ("b",)), (["=x", "b"], ("'=x", "b"))])
def test_a_value_that_the_csv_writes_like_another_is_not_listed(values: list[str], expected: tuple[str, ...]) -> None:
    frame = pd.DataFrame({"mark": values * 20})
    project = opened(frame, roles={"mark": Role.OTHER})
    assert sorted(listed(project)["mark"]) == sorted(expected)

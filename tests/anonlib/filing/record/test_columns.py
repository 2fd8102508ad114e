"""A value is listed where enough persons share it, not rows; columns are recognised as ages in years and as codes."""

from __future__ import annotations

import random

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.filing.record.columns import (
    ListedColumn,
    code_systems,
    code_values,
    contents,
    listed_columns,
    typical_ages,
)
from anonlib.release.steps import Recode, Step
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


def columns_of(columns: dict[str, list[str]], *steps: Step) -> tuple[ListedColumn, ...]:
    """The columns that leave of a file in which every value occurs five times for each time it is listed."""
    frame = pd.DataFrame(columns)
    frame = pd.concat([frame] * 5, ignore_index=True)
    project = opened(frame, *steps, roles=dict.fromkeys(frame.columns, Role.OTHER))
    return listed_columns(project, evidence_of(project))


@pytest.mark.parametrize(
    ("name", "labels", "expected"),
    [
        ("age", ["20-39", "40-59"], (20, 59)),
        ("age", ["[20, 40)", "[40, 60)"], (20, 59)),
        ("age", ["(20, 40]", "(40, 60]"], (21, 60)),
        ("age", ["20", "41"], (20, 41)),
        ("age", ["20-39", "90+"], (20, None)),
        ("age", ["<20", "20-39"], (None, 39)),
        ("age", ["20-39", "40-59", "*"], (20, 59)),
        ("age", ["child", "adult"], (None, None)),
        ("age", ["20-39", "4000-4009"], (None, None)),
        ("Alter", ["20-39", "40-59"], (20, 59)),
        ("age_months", ["20-39", "40-59"], (None, None)),
        ("ridagemn", ["20", "41"], (None, None)),
        ("weight", ["20-39", "40-59"], (None, None)),
    ],
)
def test_ages_are_in_whole_years(name: str, labels: list[str], expected: tuple[int | None, int | None]) -> None:
    assert typical_ages(columns_of({name: labels})) == expected


def test_two_columns_of_ages_are_none() -> None:
    assert typical_ages(columns_of({"age": ["20", "30"], "age_group": ["20-29", "30-39"]})) == (None, None)


@settings(40)
@given(st.lists(st.integers(0, 99), min_size=1, max_size=20), st.sampled_from([1, 5, 10, 20]))
def test_ages_lie_in_the_range_and_its_ends_are_those_of_labels(ages: list[int], width: int) -> None:
    steps = [] if width == 1 else [Recode("age", Intervals(width))]
    low, high = typical_ages(columns_of({"age": [*map(str, ages)]}, *steps))
    assert (low, high) == (min(ages) // width * width, max(ages) // width * width + width - 1)


def test_an_age_that_few_have_is_no_end() -> None:
    frame = pd.DataFrame({"age": ["44"] * 30 + ["45"] * 30 + ["103"] * 4 + ["2"] * 4})
    project = opened(frame, roles={"age": Role.QUASI_IDENTIFIER})
    assert typical_ages(listed_columns(project, evidence_of(project))) == (44, 45)


def test_code_systems_are_those_of_the_list() -> None:
    found = columns_of(
        {
            "diagnosis_code": ["I10", "I50.1", "E11.9", "J45.0"],
            "atc": ["C09AA02", "C09AA03", "A10BA02", "N02BE01"],
            "country": ["AT", "DE", "FR", "IT"],
            "cpt_code": ["99213", "99214", "71045", "80053"],
        }
    )
    assert code_systems(found) == ("ICD-10", "ATC")
    assert code_values(found) == ("ICD-10: E11.9, I10, I50.1, J45.0", "ATC: A10BA02, C09AA02, C09AA03, N02BE01")
    assert "diagnoses" in contents(found)

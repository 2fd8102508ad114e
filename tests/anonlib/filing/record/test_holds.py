"""What columns are recognised as: ages in years, and codes of systems that the list of the platform has."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.filing.record.holds import code_systems, code_values, contents, typical_ages
from anonlib.filing.record.listed import ListedColumn, listed_columns
from anonlib.release.steps import Recode, Step
from tests.anonlib.filing.record.made import evidence_of
from tests.helpers.evidence import opened
from tests.helpers.examples import settings


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

"""The mock-up has no row of the release, and tells of nobody in it what they have not."""

from __future__ import annotations

import random
from collections import Counter

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from anonlib.columns.roles import Role
from anonlib.filing.record.listed import listed_columns
from anonlib.filing.record.sample import ROWS, TEXT, as_csv, mock_up
from anonlib.release.steps import LeaveOut
from tests.anonlib.filing.record.made import evidence_of, released_rows, rows_of
from tests.helpers.evidence import opened
from tests.helpers.examples import settings

KNOWN, HIDDEN = ("age", "sex"), ("illness", "drug")
ROLES = dict.fromkeys(KNOWN, Role.QUASI_IDENTIFIER) | dict.fromkeys(HIDDEN, Role.SENSITIVE) | {"ward": Role.OTHER}


def made(project) -> list[dict[str, str]]:
    columns = listed_columns(project, evidence_of(project))
    return rows_of(as_csv(columns, mock_up(project, columns)))


@settings(80)
@given(st.integers(0, 9_999), st.sampled_from([40, 90]), st.integers(1, 3))
def test_no_row_says_that_a_sensitive_value_is_not_that_of_a_group(seed: int, n: int, most: int) -> None:
    lot = random.Random(seed)
    cells = {name: [lot.choice("abcd"[: most + 1]) for _ in range(n)] for name in (*KNOWN, *HIDDEN)}
    frame = pd.DataFrame(cells | {"ward": [lot.choice("uvwxyz") for _ in range(n)]})
    project = opened(frame, LeaveOut(3), roles=ROLES)
    if evidence_of(project).released is None:
        return
    released = released_rows(project)
    rows = made(project)
    assert len(rows) == len({tuple(row.values()) for row in rows}) <= ROWS
    for row in rows:
        assert row not in released
        group = [each for each in released if all(each[name] == row[name] for name in KNOWN)]
        for name in HIDDEN:
            assert not group or any(each[name] == row[name] for each in group)


def test_each_cell_is_drawn_of_all_values_that_enough_share() -> None:
    lot = random.Random(1)
    frame = pd.DataFrame({f"c{i}": [lot.choice("aaaaaaaaab") for _ in range(400)] for i in range(30)})
    project = opened(frame, roles=dict.fromkeys(frame.columns, Role.OTHER))
    rows = made(project)
    counted = Counter(value for row in rows for value in row.values())
    assert len(rows) == ROWS and 0.4 < counted["b"] / counted.total() < 0.6, "however often the data have it"


def test_there_are_fewer_rows_where_the_data_have_all_others() -> None:
    everything = pd.DataFrame([(a, b) for a in "ab" for b in "xy"] * 25, columns=["a", "b"])
    but_one = everything[everything.agg("".join, axis=1) != "by"]
    for frame, rows in ((everything, []), (but_one, [{"a": "b", "b": "y"}])):
        assert made(opened(frame, roles={"a": Role.OTHER, "b": Role.OTHER})) == rows


def test_texts_and_columns_without_values_say_nothing() -> None:
    frame = pd.DataFrame(
        {
            "note": [f"She has no pain and was seen by nurse {i} today." for i in range(40)],
            "group": ["a", "b"] * 20,
            "number": [str(i) for i in range(40)],
        }
    )
    project = opened(frame, roles=dict.fromkeys(frame.columns, Role.OTHER))
    rows = made(project)
    assert {tuple(row.values()) for row in rows} == {(TEXT, "a", ""), (TEXT, "b", "")}

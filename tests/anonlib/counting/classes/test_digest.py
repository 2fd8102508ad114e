"""A digest of what records hold: the same wherever they are, another for other cells."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.counting.classes import content_digest
from anonlib.dataset import Dataset
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.records import both, columns_of_cells, in_memory, rows_of


@settings(20, deadline=None)
@given(columns_of_cells(6), columns_of_cells(6), st.randoms())
def test_it_is_of_the_cells_alone(engine, columns, others, random):
    here, there = both(engine, columns)
    names = ["x", "id", "w"]
    digest = content_digest(here, names)
    assert digest == content_digest(there, names) and len(digest) == 64
    order = list(range(here.n_records))
    random.shuffle(order)
    mixed = in_memory({name: [columns[name][i] for i in order] for name in reversed(columns)})
    assert content_digest(mixed, names[::-1]) == digest
    other = in_memory(others)
    rest = ["Size of it"]
    assert (content_digest(other, names) == digest) == (rows_of(other.drop(rest)) == rows_of(here.drop(rest)))


@pytest.mark.everyday
def test_of_a_data_set_the_columns_with_a_role_count(engine):
    cells: dict[str, list[str | None]]
    cells, roles = {"age": ["30", "41", "41"], "note": ["a", "b", "c"]}, {"age": "quasi_identifier"}
    here = Dataset.from_frame(pd.DataFrame(cells), roles=roles)
    assert here.content_digest == Dataset.from_ibis(engine.table(cells), roles=roles).content_digest
    assert here.content_digest != here.with_roles({"note": "sensitive"}).content_digest
    unread = here.with_roles({})
    assert unread.content_digest != unread.with_records([True, True, False], "").content_digest


def test_a_column_of_too_many_values_is_in_it_by_its_name(engine, monkeypatch):
    monkeypatch.setattr("anonlib.reading.records.table.MOST_VALUES", 2)
    monkeypatch.setattr("anonlib.counting.classes.digest.MOST_VALUES", 2)
    here, there = both(engine, {"x": ["a", "b", "c"], "y": ["1", "1", None]})
    assert content_digest(here, ["x", "y"]) == content_digest(there, ["x", "y"]) != content_digest(here, ["y"])
    with refused("column-unknown", "z"):
        content_digest(here, ["z"])

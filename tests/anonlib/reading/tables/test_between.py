"""The best key between two tables that an officer hangs below each other."""

from __future__ import annotations

import pandas as pd

from anonlib.reading.tables import key_between
from tests.helpers.errors import refused
from tests.helpers.three_tables import tables_of


def test_most_cells_inside_wins_and_the_name_decides_between_two_alike():
    visits, values = tables_of(
        {
            "visits": pd.DataFrame({"nr": ["1", "2", "3"], "case": ["a", "b", "c"], "ward": ["x", "x", "y"]}),
            "values": pd.DataFrame({"case": ["a", "a", "z"], "of": ["1", "2", "2"], "nr": ["3", "3", "1"]}),
        }
    )
    key = key_between(values, visits)
    assert (key.column, key.parent_column, key.inside, key.rows_a_parent) == ("nr", "nr", 1.0, 1.5)


def test_without_a_value_inside_the_sentence_names_both_tables():
    visits, values = tables_of({"visits": pd.DataFrame({"nr": ["1", "1"]}), "values": pd.DataFrame({"nr": ["1"]})})
    with refused("key-not-found"):
        key_between(values, visits)

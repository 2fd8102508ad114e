"""Persons of several rows that differ, on Risk and Individuals: known by all of them, not by one."""

from __future__ import annotations

import pandas as pd

from anonlib.columns.roles import Role
from tests.helpers.app import RISK
from tests.helpers.individuals import QI, SENSITIVE, STORY, TABS, opened


def moved() -> tuple[pd.DataFrame, dict[str, Role]]:
    """Forty who are alike, in town or country, and one of two rows: alone as a person, like many by each row."""
    rows = [(f"p{i}", "town" if i % 2 else "country", "f", "flu" if i % 3 else "cold") for i in range(40)]
    rows += [("p99", "town", "f", "flu"), ("p99", "country", "f", "flu")]
    roles = {"id": Role.PERSON_ID, "place": QI, "sex": QI, "illness": SENSITIVE}
    return pd.DataFrame(rows, columns=list(roles)), roles


def test_a_person_alone_by_rows_that_differ_is_shown_with_the_set_and_the_reason():
    app = opened(*moved(), RISK, ("risk-tabs", "Records below k"))
    table = app.table("class of")
    assert table.index.tolist() == [41, 42] and table["class of"].tolist() == [1, 1]
    assert table["place"].tolist() == ["country | town"] * 2 and table["rows differ in"].tolist() == ["place"] * 2
    assert "several rows with differing values" in app.text
    app.tab("risk-tabs", "Singling out")
    table = app.table("score")
    assert table["place"].tolist() == ["country | town"] * 2 and table["rows differ in"].tolist() == ["place"] * 2
    assert "does not know that set" in app.text


def test_the_story_of_such_a_person_does_not_say_that_one_row_gives_them_away():
    app = opened(*moved(), tab=(TABS, STORY)).choose("number_input", "Record", 42)
    assert "the person has 2 rows with differing values of **place**" in app.text
    assert "who knows one visit does not know this person by it" in app.text
    assert "nobody else has these values" not in app.text
    assert "To know them is to know the values of all the person’s rows." in app.text
    table = app.table("Takes").set_index("Column")
    assert table.loc["place", "Value"] == "country | town" and table.loc["place", "Rows"] == "differ"
    other = app.choose("number_input", "Record", 1)
    assert "differing values" not in other.text and "Rows" not in other.table("Takes").columns

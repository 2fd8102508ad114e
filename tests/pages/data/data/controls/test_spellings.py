"""Spellings that a person reads as one value on the Data page: said, offered to be merged, and counted."""

from __future__ import annotations

from anonlib.columns.roles import Role
from tests.helpers.app import DATA, RISK, App, seeded

MERGE = "Columns in which to merge spellings of one value"
FILE = ("age,dose,illness\n" + "".join(f"{30 + i % 2},{('1', '1.0')[i % 2]},{('HIV', 'hiv')[i // 2 % 2]}\n"
                                       for i in range(40))).encode()  # fmt: skip


def test_columns_are_named_and_merged_when_that_is_chosen():
    app = App(DATA, FILE)
    assert "In “dose” and “illness”, 4 spellings are read as 2 values." in app.text
    assert app.widget("multiselect", MERGE).options == ["dose", "illness"]
    app.choose("multiselect", MERGE, ["dose"])
    assert not app.errors and "In “illness”, 2 spellings are read as 1 value." in app.text
    loaded = app.session.loaded
    records = loaded.dataset(loaded.records(), "category").records
    assert set(records["dose"]) == {"1"} and set(records["illness"]) == {"HIV", "hiv"}
    app.choose("multiselect", MERGE, ["dose", "illness"])
    assert "spellings are read as" not in app.text
    app.press("undo")
    assert "In “illness”, 2 spellings" in app.text


def test_a_file_of_one_spelling_each_says_nothing():
    app = App(DATA, FILE.replace(b"hiv", b"flu").replace(b"1.0", b"2"))
    assert "spellings are read as" not in app.text


def test_risk_counts_two_spellings_of_a_class_as_one_value():
    """By spellings each class has two values, and nobody would be certain of any."""
    roles = {"age": Role.QUASI_IDENTIFIER, "dose": Role.OTHER, "illness": Role.SENSITIVE}
    app = seeded(FILE, page=RISK, roles=roles, tab=("risk-tabs", "Sensitive values"))
    (row,) = app.table("Distinct l").to_dict("records")
    assert (row["Distinct l"], row["Entropy l"], row["Share"]) == (1, 1, "100%")

"""Codes in the hierarchy editor: the system that is recognised, another one, its levels, and what is no code."""

from __future__ import annotations

import pytest

from anonlib.coarsening.hierarchies import codes
from anonlib.columns.codes import SYSTEMS
from tests.helpers.app import GENERALIZE, App, seeded
from tests.helpers.codes import as_csv, hospital

ROLES = dict.fromkeys(("sex", "diag_1", "main", "concept"), "quasi_identifier")


@pytest.fixture(scope="module")
def file() -> bytes:
    rows = hospital()
    rows.loc[:4, "diag_1"] = ["not known", "not known", "<b>none</b>", "250.83", "8"]
    return as_csv(rows)


def editor(file: bytes, column: str) -> App:
    return seeded(file, page=GENERALIZE, roles=ROLES).choose("selectbox", "Column", column)


def ways(app: App) -> list[str]:
    return [str(option) for option in app.widget("button_group", "Levels made by").options]


def test_the_recognised_system_its_levels_and_what_is_no_code(file):
    app = editor(file, "diag_1")
    assert "Codes" in ways(app)
    assert app.widget("selectbox", "Codes of").value == "icd-9-cm"
    assert app.widget("button_group", "Groups").value == ["categories", "blocks", "chapters"]
    assert "2 of 84 values (3 records) are no ICD-9-CM diagnosis codes and stay as they are." in app.text
    strangers = next(t.value for t in app.at.dataframe if list(t.value.columns) == ["Value", "Records"])
    assert strangers.values.tolist() == [["<b>none</b>", 1], ["not known", 2]]
    app.choose("button_group", "Groups", ["chapters"])
    assert app.session.hierarchies["diag_1"] == codes(SYSTEMS["icd-9-cm"], ["chapters"]) and not app.errors
    app.choose("button_group", "Groups", [])
    assert "Choose at least one of categories, blocks or chapters." in app.errors[0].replace("\\", "")
    assert app.session.hierarchies["diag_1"] == codes(SYSTEMS["icd-9-cm"], ["chapters"])


def test_another_system_of_the_same_column(file):
    """What is written like ICD-10 fits ICD-10 alone; a column of SNOMED CT has no groups, and so no such way."""
    app = editor(file, "main")
    assert app.widget("selectbox", "Codes of").value == "icd-10" and "values are ICD-10 diagnosis codes." in app.text
    app.choose("selectbox", "Column", "concept")
    assert "Codes" not in ways(app)


def test_numbers_that_the_name_says_nothing_of_can_be_taken_for_codes(file):
    rows = hospital().rename(columns={"diag_1": "v17"})
    rows = rows[rows["v17"].str[0].str.isdigit()]
    app = seeded(as_csv(rows), page=GENERALIZE, roles={"v17": "quasi_identifier"})
    assert "Codes" in ways(app) and app.widget("button_group", "Levels made by").value != "codes"
    app.choose("button_group", "Levels made by", "codes")
    assert app.session.hierarchies["v17"] == codes(SYSTEMS["icd-9-cm"]) and not app.errors

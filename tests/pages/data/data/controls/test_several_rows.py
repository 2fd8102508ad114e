"""Several rows a person, explained on one of them on the Data page."""

from __future__ import annotations

import pytest

from tests.helpers.app import DATA, App, seeded

ROLES = {"patient_id": "person_id", "name": "identifier", "sex": "quasi_identifier", "year": "quasi_identifier",
         "illness": "sensitive", "notes": "other"}  # fmt: skip
LINES = [
    "patient_id,name,sex,year,illness,notes",
    *(f"P{i},Once {i},M,2021,flu,quokka" for i in range(6)),
    "P77,Long Stay,F,2020,cold,quokka", "P77,Long Stay,F,2021,cold,quokka", "P77,Long Stay,F,2021,cold,quokka",
    "P55,Two Rows,F,2022,grief,quokka", "P55,Two Rows,,2023,cancer,quokka",
]  # fmt: skip
FILE = ("\n".join(LINES) + "\n").encode()


def example(app: App) -> list[list[str]]:
    return app.table("Counts as").to_numpy().tolist()


@pytest.mark.parametrize("accepted", [True, False])
def test_a_person_of_several_rows_is_shown_with_what_counts_and_without_what_is_secret(accepted: bool) -> None:
    roles = ROLES if accepted else {name: role for name, role in ROLES.items() if name != "patient_id"}
    app = seeded(FILE, roles=roles)
    assert list(app.table("Counts as").columns) == ["In the file", "record 10", "record 11", "Counts as"]
    assert example(app) == [
        ["patient_id", "one person", "one person", "says whose rows these are"],
        ["year", "2022", "2023", "the set of 2 values"],
        ["illness", "differs", "differs", "the set of 2 values"],
        ["sex", "F", "", "this one value"],
    ]
    assert "says which rows are of one person: 25% (2 of 8 persons) have several rows" in app.text
    assert "**year** has 2 different values and counts as the set of them" in app.text
    assert ("is suggested as the person id" in app.text) is not accepted
    assert "shown here as suggested" not in app.text
    app.give_roles(year="Sensitive")
    assert ["year", "differs", "differs", "the set of 2 values"] in example(app)


def test_a_person_of_many_rows_is_shown_in_part() -> None:
    rows = [f"P1,F,{2010 + i}" for i in range(7)]
    app = seeded(("id,sex,year\n" + "\n".join([*rows, "P2,M,2010"])).encode(),
                 roles={"id": "person_id", "sex": "quasi_identifier", "year": "quasi_identifier"})  # fmt: skip
    assert example(app)[1] == ["year", "2010", "2011", "2012", "2013", "the set of 7 values"]
    assert "Shown are the first 4 of the person’s 7 rows" in app.text and "1 of 2 persons) has several" in app.text


@pytest.mark.parametrize("roles", [ROLES, {**ROLES, "patient_id": "identifier"}])
def test_where_everybody_has_one_row_or_rows_are_counted_nothing_is_stated(roles: dict[str, str]) -> None:
    lines = LINES[:8] if roles is ROLES else LINES
    app = App(DATA, session=seeded(("\n".join(lines) + "\n").encode(), roles=roles).session)
    assert not any("Counts as" in table.value.columns for table in app.at.dataframe)
    assert "which rows are of one person" not in app.text

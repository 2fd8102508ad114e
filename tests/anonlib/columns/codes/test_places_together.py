"""What a column is taken for where all systems of places, work and time are known, in either order of trying them."""

from __future__ import annotations

import pytest

from anonlib.columns.codes.coordinates import COORDINATES
from anonlib.columns.codes.countries import COUNTRIES
from anonlib.columns.codes.nuts import NUTS
from anonlib.columns.codes.postcodes import POSTCODES
from anonlib.columns.codes.states import STATE_SYSTEMS
from anonlib.columns.codes.times import TIMES
from anonlib.columns.codes.work import WORK
from tests.helpers.nested_codes import known_as

ALL = (*POSTCODES, *COUNTRIES, *STATE_SYSTEMS, *NUTS, *WORK, *TIMES, *COORDINATES)


def test_each_has_a_key_and_a_label_of_its_own():
    assert len({system.key for system in ALL}) == len({system.label for system in ALL}) == len(ALL)
    assert all(len({*system.levels}) == len(system.levels) for system in ALL)


@pytest.mark.parametrize(
    ("name", "values", "key"),
    [
        ("zip", ["02138", "37934", "90210"], "us-zip"),
        ("county_fips", ["25017", "37021"], "us-geoid"),
        ("zip_code_tabulation_area", ["02138", "37934"], "us-zip"),
        ("state", ["CA", "DE", "IN"], "us-state"),
        ("country", ["CA", "DE", "IN"], "country"),
        ("country_of_birth", ["Germany", "Canada"], "country"),
        ("plz", ["10115", "01067"], "de-postcode"),
        ("postcode", ["1012", "3511"], "postcode-4"),
        ("postal_code", ["M5V", "L4B", "S4P", "N2L"], "ca-postcode"),
        ("postcode", ["SW1A", "EC1A", "M5"], "uk-postcode"),
        ("postcode", ["DE21", "M1", "SW1A"], "uk-postcode"),
        ("nuts", ["DE21", "FR10", "UKI3"], "nuts"),
        ("x", ["DE21", "FR10", "UKI3", "M54"], None),
        ("hour", ["0", "7", "23"], "hour-of-day"),
        ("occupation_isco08", ["2211", "5321"], "isco-08"),
        ("admission_time", ["0930", "1435"], "time-of-day"),
        # What none of them may take.
        ("patient_id", ["10115", "02138", "75001", "90210"], None),
        ("pin", ["8001", "3000", "1012"], None),
        ("icd10", ["E11", "I10", "J45", "C50", "N18", "F32", "M54", "S72"], None),
        ("icd10", ["E11.9", "I10.0", "M54.5"], None),
        ("drg", ["470", "871", "291"], None),
        ("smoker", ["YES", "NO"], None),
        ("sex", ["M", "F"], None),
        ("sex", ["MA", "FE"], None),
        ("blood", ["A", "B", "AB", "O"], None),
        ("language", ["EN", "DE", "FR", "ES", "IT", "NL"], None),
        ("language", ["German", "French", "Dutch", "Italian", "Spanish"], None),
        ("initials", ["AL", "MA", "IN", "DE", "ME", "PA"], None),
        ("ratio", ["1:10", "1:20", "1:40"], None),
        ("blood_pressure", ["120/80", "135/85"], None),
        ("age", ["34", "71", "86"], None),
        ("visit", ["2024-02-28", "2024-03-01"], None),
        ("visit", ["2024-02-28 09:30", "2024-03-01 14:00"], None),
        ("x", [], None),
    ],
)
def test_recognised(name: str, values: list[str], key: str | None):
    assert known_as(ALL, values, name) == known_as(ALL[::-1], values, name) == key

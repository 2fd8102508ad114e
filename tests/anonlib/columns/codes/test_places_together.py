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
        # Beside one another.
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
        # Postcodes.
        ("zip", ["02138", "37934"], "us-zip"),
        ("ZIP3", ["021", "379"], "us-zip"),
        ("PatientZipCode", ["02138-1234", "37934"], "us-zip"),
        ("x", ["02138", "37934", "90210", "10115", "75001"], None),  # five digits alone are any number
        ("record", [f"{i:05d}" for i in range(1000, 1100)], None),
        ("plz", ["8001", "3000"], "postcode-4"),
        ("postcode", ["8001", "3000"], "postcode-4"),
        ("postcode", ["10115", "01067"], None),  # of which country?
        ("code_postal", ["75001", "69003"], "fr-postcode"),
        ("code_postal", ["K1A 0B1", "H2X 1Y4"], "ca-postcode"),
        ("x", ["K1A 0B1", "H2X 1Y4", "L4B2N2"], "ca-postcode"),
        ("fsa", ["K1A", "H2X"], "ca-postcode"),
        ("x", ["K1A", "H2X", "L4B", "M5V", "V6B"], None),
        ("x", ["SW1A 1AA", "M1 1AE", "EC1A1BB"], "uk-postcode"),
        ("postcode", ["SW1A", "M1", "B33"], "uk-postcode"),
        ("x", ["1012 AB", "3511LX"], "nl-postcode"),
        ("postal", ["Y", "N"], None),
        ("diagnosis", ["E11", "B20", "M54", "S72", "N18"], None),
        ("blood_group", ["A", "B", "AB", "0"], None),
        ("phone_code", ["1012", "3511"], None),
        ("cp", ["1", "2", "3", "4"], None),
        ("cp", ["10", "20", "75"], None),
        # Countries and regions of Europe.
        ("x", ["CA", "DE", "IN", "US", "FR", "IT"], None),
        ("state", ["CA", "DE", "IN", "AL", "CO", "GA"], "us-state"),
        ("country", ["CA", "DE", "IN", "AL", "CO", "GA"], "country"),
        ("code", ["CA", "DE", "IN", "AL", "CO", "GA"], None),
        ("country_code", ["840", "276"], "country"),
        ("country", ["1", "2", "3"], None),
        ("x", ["USA", "DEU", "FRA", "GBR", "JPN"], "country"),
        ("x", ["DEU", "FRA", "ITA", "TUR", "POL"], None),  # languages too
        ("x", ["deu", "fra", "ita", "tur", "usa"], None),
        ("x", ["Germany", "France", "Italy", "Spain", "Peru"], "country"),
        ("x", ["Chad", "Jordan", "Anna", "Maria", "Israel", "John"], None),
        ("consent", ["YES", "NO"], None),
        ("consent", ["YE", "NO"], None),
        ("nuts3", ["DE212", "DE213"], "nuts"),
        ("x", ["DE212", "DE213", "FR101", "UKI31"], None),
        ("x", [f"{country}{i}11" for country in ("DE", "FR", "IT") for i in range(1, 5)], "nuts"),
        ("x", [f"{country}{i}" for country in ("DE", "FR", "IT") for i in range(98, 104)], None),
        ("allergy_nuts", ["YES", "NONE", "UNKNOWN"], None),
        ("icd", ["E11", "I10", "M54.5"], None),
        # States and areas of the United States.
        ("x", ["CA", "DE", "IN", "AL", "OR", "ME", "OK", "HI"], None),  # words, countries or states
        ("x", ["Texas", "Ohio", "Iowa", "Utah", "Maine"], "us-state"),
        ("x", ["Ontario", "Quebec"], None),
        ("province", ["ON", "QC"], "us-state"),
        ("fips_state", ["25", "36"], "us-state-fips"),
        ("state", ["1", "2"], None),
        ("fips", ["25017", "36061"], "us-geoid"),
        ("county_fips", ["1001", "36061"], "us-geoid"),
        ("geoid", ["25017353101"], "us-geoid"),
        ("x", ["25017", "36061"], None),
        ("marital_state", ["Married", "Single"], None),
        # Occupations and industries.
        ("isco08", ["2211", "2212"], "isco-08"),
        ("ISCO_code", ["2211", "2212"], "isco-08"),
        ("occupation", ["2211", "2212"], None),  # of which system?
        ("soc", ["29-1141", "11-1011"], "us-soc"),
        ("soc", ["10007541", "10029205"], None),  # a system organ class of MedDRA
        ("nace", ["86.10", "Q86"], "nace-2"),
        ("icd", ["Q86", "Q87", "C50"], None),
        ("naics_2017", ["622110", "332"], "naics"),
        ("x", ["622110", "29-1141", "2211"], None),
        # Times and coordinates.
        ("x", ["14:35", "09:05", "23:10"], "time-of-day"),
        ("x", ["9:05 AM", "2:35 PM", "11:10 am"], "time-of-day"),
        ("admission_time", ["1435", "0905"], "time-of-day"),
        ("survival_time", ["1435", "905", "2210", "1190"], None),
        ("time_in_hospital", ["1", "2", "14"], None),
        ("x", ["1435", "0905", "2310"], None),
        ("titer", ["1:10", "1:20", "1:40"], None),
        ("titer", ["1:10", "1:20", "1:40", "1:80", "1:160"], None),
        ("admission_hour", ["00", "07", "23"], "hour-of-day"),
        ("hours", ["1", "7", "23"], None),
        ("hour", ["0", "7", "230", "300"], None),
        ("x", ["0", "7", "23"], None),
        ("x", ["52.5200, 13.4050", "48.1372, 11.5755"], "coordinate-pairs"),
        ("x", ["52, 13", "48, 11"], None),
        ("gps", ["52.5, 13.4", "48.1, 11.6"], "coordinate-pairs"),
        ("x", ["1.5, 2.5", "2.5, 3.5"], None),
        ("date", ["2024-02-28 09:30", "2024-03-01 10:15"], None),
    ],
)
def test_recognised(name: str, values: list[str], key: str | None):
    assert known_as(ALL, values, name) == known_as(ALL[::-1], values, name) == key

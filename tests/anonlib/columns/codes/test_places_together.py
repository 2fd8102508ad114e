"""Systems of places, work and time: their groups by hand, and what a column is taken for where all are known."""

from __future__ import annotations

from collections import Counter

import pytest

from anonlib.columns.codes.coordinates import COORDINATES
from anonlib.columns.codes.countries import COUNTRIES
from anonlib.columns.codes.nuts import NUTS
from anonlib.columns.codes.postcodes import POSTCODES
from anonlib.columns.codes.states import STATE_SYSTEMS, STATES
from anonlib.columns.codes.times import TIMES
from anonlib.columns.codes.work import WORK
from tests.helpers.nested_codes import known_as

ALL = (*POSTCODES, *COUNTRIES, *STATE_SYSTEMS, *NUTS, *WORK, *TIMES, *COORDINATES)
BY_KEY = {system.key: system for system in ALL}


def test_each_has_a_key_and_a_label_of_its_own():
    assert len({system.key for system in ALL}) == len({system.label for system in ALL}) == len(ALL)
    assert all(len({*system.levels}) == len(system.levels) for system in ALL)


_MASSACHUSETTS = ("MA", "New England", "Northeast")


@pytest.mark.parametrize(
    ("key", "codes", "groups"),
    [
        ("us-zip", ["02138", "02138-1234", "021381234"], ("02138", "0213*", "021**", *_MASSACHUSETTS)),
        ("us-zip", ["372"], ("372**", "372**", "372**", "TN", "East South Central", "South")),
        # In New York: a beginning has the state of most of its codes.
        ("us-zip", ["06390"], ("06390", "0639*", "063**", "CT", "New England", "Northeast")),
        ("us-zip", ["2138", "00012"], None),  # a lost zero, or no ZIP code
        ("ca-postcode", ["K1A 0B1"], ("K1A", "K", "ON")),
        ("ca-postcode", ["h2x-1y4"], ("H2X", "H", "QC")),
        ("ca-postcode", ["X0A 0H0"], ("X0A", "X", "NT/NU")),
        ("ca-postcode", ["D1A 0B1", "K1A 0"], None),
        ("uk-postcode", ["SW1A 1AA"], ("SW1A 1", "SW1A", "SW")),
        ("uk-postcode", ["EC1A1BB"], ("EC1A 1", "EC1A", "EC")),
        ("uk-postcode", ["M11AE"], ("M1 1", "M1", "M")),
        ("uk-postcode", ["m11 2ae"], ("M11 2", "M11", "M")),
        ("uk-postcode", ["W1A 1AA"], ("W1A 1", "W1A", "W")),
        # Letters behind the number are in London alone, C is in no unit.
        ("uk-postcode", ["XX1 1AA", "M5V 1AA", "SW1A 1CA"], None),
        ("nl-postcode", ["1012 AB"], ("1012", "10**", "1***")),
        ("fr-postcode", ["75116"], ("75***", "Île-de-France")),
        ("fr-postcode", ["97110"], ("971**", "Guadeloupe")),
        ("fr-postcode", ["20000"], ("20***", "Corse")),
        ("de-postcode", ["10115"], ("101**", "10***", "1****")),
        ("postcode-4", ["8001"], ("80**", "8***")),
        ("nl-postcode", ["0123 AB"], None),
        ("fr-postcode", ["99000"], None),
        ("de-postcode", ["00115"], None),
        ("postcode-4", ["80011"], None),
        ("us-state", ["MA", "Massachusetts"], _MASSACHUSETTS),
        ("us-state", ["West  virginia"], ("WV", "South Atlantic", "South")),
        ("us-state", ["Québec"], ("QC", "Quebec", "Canada")),
        ("us-state", ["Washington, D.C."], ("DC", "South Atlantic", "South")),
        ("us-state", ["Washington"], ("WA", "Pacific", "West")),
        ("us-state", ["Bavaria"], None),
        ("us-state-fips", ["1"], ("AL", "East South Central", "South")),
        ("us-state-fips", ["25"], _MASSACHUSETTS),
        ("us-state-fips", ["03"], None),  # never given
        ("us-geoid", ["25017353101", "250173531011"], ("25017353101", "25017", *_MASSACHUSETTS)),
        ("us-geoid", ["1001"], ("01001", "01001", "AL", "East South Central", "South")),  # a zero was lost
        ("us-geoid", ["03001", "250171"], None),
        ("nuts", ["DE212"], ("DE21", "DE2", "DE")),
        ("nuts", ["FRY1"], ("FRY1", "FRY", "FR")),
        ("nuts", ["D", "US123", "DE2123"], None),
        ("isco-08", ["2211"], ("221", "22", "2")),  # general practitioners
        ("isco-08", ["0110"], ("011", "01", "0")),
        ("isco-08", ["22"], ("22", "22", "2")),
        ("isco-08", ["110", "2711", "22111"], None),  # 0110 without its zero, or no code
        ("us-soc", ["29-1141", "291141", "29-1141.01"], ("29-114*", "29-1***", "29-****")),  # nurses, also as O*NET has
        ("us-soc", ["28-1141", "57-1141", "29-1*"], None),
        ("nace-2", ["86.10", "8610", "q.86.10", "86.10Z"], ("86.1", "86", "Q")),  # hospitals, also as NAF writes
        ("nace-2", ["Q86"], ("86", "86", "Q")),
        ("nace-2", ["01.11"], ("01.1", "01", "A")),
        ("nace-2", ["P86", "04.10"], None),  # is in Q, and no such division
        ("naics", ["622110"], ("62211", "6221", "622", "62")),  # general hospitals
        ("naics", ["332"], ("332", "332", "332", "31-33")),
        ("naics", ["44-45"], ("44-45", "44-45", "44-45", "44-45")),
        ("naics", ["999999"], None),
        ("coordinate-pairs", ["52.5200, 13.4050", "(52.5200,13.4050)"], ("52.52, 13.41", "52.5, 13.4", "53, 13")),
        ("coordinate-pairs", ["-33.86 151.21"], ("-33.86, 151.21", "-33.9, 151.2", "-34, 151")),
        ("coordinate-pairs", ["-0.001;0.004"], ("0.00, 0.00", "0.0, 0.0", "0, 0")),
        ("coordinate-pairs", ["91.5, 13.4", "52.52, 181.5", "52,5200, 13,4050", "52.52"], None),
        (
            "time-of-day",
            ["14:35", "14:35:12", "2:35 PM", "2 p.m.", "14h35", "1435"],
            ("14:00-14:59", "12:00-17:59", "12:00-23:59"),
        ),
        ("time-of-day", ["12:00 AM", "0:00"], ("00:00-00:59", "00:00-05:59", "00:00-11:59")),
        ("time-of-day", ["12:00 PM"], ("12:00-12:59", "12:00-17:59", "12:00-23:59")),
        ("time-of-day", ["23:59:59.9"], ("23:00-23:59", "18:00-23:59", "12:00-23:59")),
        (
            "time-of-day",
            ["24:00", "12:60", "13:00 PM", "0:30 am", "14", "935", "1:10:99", "13:00-15:59", ""],
            None,
        ),
    ],
)
def test_the_groups_of_codes(key: str, codes: list[str], groups: tuple[str, ...] | None):
    assert [BY_KEY[key].groups_of(code) for code in codes] == [groups] * len(codes)


def test_how_many_states_each_division_has():
    """As the Census Bureau counts them, the District of Columbia in the South Atlantic."""
    system = BY_KEY["us-state"]
    divisions = Counter(system.labels(sorted(STATES), "divisions").tolist())
    assert [divisions[name] for name in (
        "New England", "Middle Atlantic", "East North Central", "West North Central", "South Atlantic",
        "East South Central", "West South Central", "Mountain", "Pacific",
    )] == [6, 3, 5, 7, 9, 4, 4, 8, 5]  # fmt: skip
    regions = Counter(system.labels(sorted(STATES), "regions").tolist())
    assert [regions[name] for name in ("Northeast", "Midwest", "South", "West", "Canada")] == [9, 12, 17, 13, 13]


def test_how_many_groups_of_work_there_are():
    """ISCO-08 has 10 major and 43 sub-major groups, NACE rev. 2 21 sections and 88 divisions, NAICS 20 sectors, the
    SOC 23 major groups."""
    two = [f"{number:02d}" for number in range(100)]
    isco, nace, naics = (BY_KEY[key] for key in ("isco-08", "nace-2", "naics"))
    known = [code for code in two if isco.groups_of(code)]
    assert (len(known), len({*isco.labels(known, "major groups")})) == (43, 10)
    known = [code for code in two if nace.groups_of(code)]
    assert (len(known), len({*nace.labels(known, "sections")})) == (88, 21)
    known = [code for code in two if naics.groups_of(code)]
    assert len({*naics.labels(known, "sectors")}) == 20
    assert sum(BY_KEY["us-soc"].groups_of(f"{code}-1011") is not None for code in two) == 23


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

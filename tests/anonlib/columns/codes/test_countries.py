"""Countries, and the regions of Europe."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.columns.codes import CodeSystem
from anonlib.columns.codes.countries import COUNTRIES, _countries, _plain
from anonlib.columns.codes.nuts import NUTS
from anonlib.columns.codes.states import STATE_SYSTEMS
from tests.helpers.examples import settings
from tests.helpers.nested_codes import columns_of, known_as, levels_on

SYSTEMS = (*COUNTRIES, *NUTS)
BY_KEY = {system.key: system for system in SYSTEMS}
EXAMPLES = {
    "country": ["DE", "DEU", "276", "Germany", "Deutschland", "United-States", "USA", "India", "IR", "Scotland", "AQ"],
    "nuts": ["DE212", "DE21", "DE2", "FRY10", "UKI31", "EL303", "NO0B1"],
}


@pytest.mark.parametrize(
    ("code", "groups"),
    [
        ("IN", ("India", "Southern Asia", "Asia")),
        ("usa", ("United States", "Northern America", "Americas")),
        ("840", ("United States", "Northern America", "Americas")),
        ("Vereinigte Staaten von Amerika", ("United States", "Northern America", "Americas")),
        ("U.S.A.", ("United States", "Northern America", "Americas")),
        ("ÖSTERREICH", ("Austria", "Western Europe", "Europe")),
        ("The Gambia", ("Gambia", "Western Africa", "Africa")),
        ("Côte d’Ivoire", ("Côte d'Ivoire", "Western Africa", "Africa")),
        ("Czechoslovakia", ("Czechia", "Eastern Europe", "Europe")),
        ("Southern Asia", ("Southern Asia", "Southern Asia", "Asia")),
        ("AQ", ("Antarctica", "Antarctica", "Antarctica")),
        ("40", None),  # a number has three digits
        ("", None),
        ("EN", None),
        ("---", None),
    ],
)
def test_countries(code: str, groups: tuple[str, ...] | None):
    assert BY_KEY["country"].groups_of(code) == groups


def test_the_countries_of_the_adult_file():
    """All 41 of its values but two that name no country: “South”, and islands of two parts of the world."""
    names = (
        "Cambodia Canada China Columbia Cuba Dominican-Republic Ecuador El-Salvador England France Germany Greece "
        "Guatemala Haiti Holand-Netherlands Honduras Hong Hungary India Iran Ireland Italy Jamaica Japan Laos Mexico "
        "Nicaragua Outlying-US(Guam-USVI-etc) Peru Philippines Poland Portugal Puerto-Rico Scotland South Taiwan "
        "Thailand Trinadad&Tobago United-States Vietnam Yugoslavia"
    ).split()
    system = BY_KEY["country"]
    assert len(names) == 41
    fits = system.fits(names).tolist()
    assert [name for name, known in zip(names, fits, strict=True) if not known] == [
        "Outlying-US(Guam-USVI-etc)", "South",
    ]  # fmt: skip
    assert known_as(SYSTEMS, names, "native_country") == known_as(SYSTEMS, names) == "country"
    assert Counter(system.labels(names, "regions").tolist()) == {
        "Americas": 16, "Asia": 11, "Europe": 12, "Outlying-US(Guam-USVI-etc)": 1, "South": 1,
    }  # fmt: skip


def test_the_table():
    """249 entries of ISO 3166-1 (2024), with Kosovo and Yugoslavia; each code and name is of one country."""
    rows = list(_countries())
    assert len(rows) == 249 + 2
    codes = [code for codes, _, _ in rows for code in codes]
    names = [_plain(name) for _, names, _ in rows for name in dict.fromkeys(map(_plain, names))]
    assert not [text for text, often in Counter([*codes, *names]).items() if often > 1]
    assert all(names) and not {_plain(code) for code in codes if code.isalpha()} & set(names)
    # As M49 counts them, with Taiwan in Eastern Asia, and Kosovo and Yugoslavia in Southern Europe.
    assert Counter(groups[1:] for *_, groups in rows) == {
        ("Northern Africa", "Africa"): 7, ("Eastern Africa", "Africa"): 22, ("Middle Africa", "Africa"): 9,
        ("Southern Africa", "Africa"): 5, ("Western Africa", "Africa"): 17,
        ("Caribbean", "Americas"): 28, ("Central America", "Americas"): 8, ("South America", "Americas"): 16,
        ("Northern America", "Americas"): 5, ("Antarctica", "Antarctica"): 1,
        ("Central Asia", "Asia"): 5, ("Eastern Asia", "Asia"): 7 + 1, ("South-eastern Asia", "Asia"): 11,
        ("Southern Asia", "Asia"): 9, ("Western Asia", "Asia"): 18,
        ("Eastern Europe", "Europe"): 10, ("Northern Europe", "Europe"): 16, ("Southern Europe", "Europe"): 16 + 2,
        ("Western Europe", "Europe"): 9,
        ("Australia and New Zealand", "Oceania"): 6, ("Melanesia", "Oceania"): 5, ("Micronesia", "Oceania"): 8,
        ("Polynesia", "Oceania"): 10,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "values", "key"),
    [
        ("country", ["CA", "DE", "IN"], "country"),
        ("state", ["CA", "DE", "IN"], None),
        ("x", ["CA", "DE", "IN", "US", "FR", "IT"], None),
        ("country_code", ["840", "276"], "country"),
        ("country", ["1", "2", "3"], None),
        ("x", ["USA", "DEU", "FRA", "GBR", "JPN"], "country"),
        ("x", ["DEU", "FRA", "ITA", "TUR", "POL"], None),  # languages too
        ("x", ["deu", "fra", "ita", "tur", "usa"], None),
        ("x", ["Germany", "France", "Italy", "Spain", "Peru"], "country"),
        ("x", ["Chad", "Jordan", "Anna", "Maria", "Israel", "John"], None),
        ("consent", ["YES", "NO"], None),
        ("consent", ["YE", "NO"], None),
        ("language", ["EN", "DE", "FR", "ES", "IT", "NL"], None),
        ("sex", ["M", "F"], None),
        ("blood_group", ["A", "B", "AB", "0"], None),
        ("nuts3", ["DE212", "DE213"], "nuts"),
        ("x", ["DE212", "DE213", "FR101", "UKI31"], None),
        ("x", [f"{country}{i}11" for country in ("DE", "FR", "IT") for i in range(1, 5)], "nuts"),
        ("x", [f"{country}{i}" for country in ("DE", "FR", "IT") for i in range(98, 104)], None),
        ("allergy_nuts", ["YES", "NONE", "UNKNOWN"], None),
        ("icd", ["E11", "I10", "M54.5"], None),
    ],
)
def test_recognised(name: str, values: list[str], key: str | None):
    assert known_as(SYSTEMS, values, name) == key


def test_states_and_countries_of_the_same_letters():
    values = ["CA", "DE", "IN", "AL", "CO", "GA"]
    both = (*SYSTEMS, *STATE_SYSTEMS)
    assert known_as(both, values, "state") == known_as(both[::-1], values, "state") == "us-state"
    assert known_as(both, values, "country") == known_as(both[::-1], values, "country") == "country"
    assert known_as(both, values, "code") is None


def test_nuts_by_characters():
    system = BY_KEY["nuts"]
    assert system.groups_of("DE212") == ("DE21", "DE2", "DE")
    assert system.groups_of("FRY1") == ("FRY1", "FRY", "FR")
    assert system.groups_of("D") is system.groups_of("US123") is system.groups_of("DE2123") is None


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.key)
@given(data=st.data())
@settings(100)
def test_levels_are_nested_whatever_stands_there(system: CodeSystem, data: st.DataObject):
    levels_on(system, data.draw(columns_of(system, st.sampled_from(EXAMPLES[system.key]))))

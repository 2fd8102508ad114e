"""Countries, and the regions of Europe."""

from __future__ import annotations

from collections import Counter

import pytest

from anonlib.columns.codes.countries import COUNTRIES, _countries, _plain
from anonlib.columns.codes.nuts import NUTS
from tests.helpers.nested_codes import known_as

SYSTEMS = (*COUNTRIES, *NUTS)
BY_KEY = {system.key: system for system in SYSTEMS}


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

"""Postcodes: how many groups there are, and their levels."""

from __future__ import annotations

from anonlib.coarsening.hierarchies import codes
from anonlib.coarsening.recoding import Mask
from anonlib.columns.codes.postcodes import POSTCODES, STATE_OF

BY_KEY = {system.key: system for system in POSTCODES}


def test_three_digits_are_written_as_a_mask_writes_them():
    zips = ["02138", "37934-0001", "99950"]
    assert BY_KEY["us-zip"].labels(zips, "three digits").tolist() == Mask(3).labels(zips).tolist()


def test_every_state_has_zip_codes():
    """50 states, the District of Columbia, Puerto Rico, the Virgin Islands, Guam, and three of the armed forces."""
    assert len(set(STATE_OF.values())) == 50 + 1 + 3 + 3
    # One ZIP code of each capital.
    capitals = {
        "36104": "AL", "99801": "AK", "85007": "AZ", "72201": "AR", "95814": "CA", "80202": "CO", "06103": "CT",
        "19901": "DE", "32301": "FL", "30303": "GA", "96813": "HI", "83702": "ID", "62701": "IL", "46225": "IN",
        "50309": "IA", "66603": "KS", "40601": "KY", "70802": "LA", "04330": "ME", "21401": "MD", "02201": "MA",
        "48933": "MI", "55102": "MN", "39205": "MS", "65101": "MO", "59623": "MT", "68502": "NE", "89701": "NV",
        "03301": "NH", "08608": "NJ", "87501": "NM", "12207": "NY", "27601": "NC", "58501": "ND", "43215": "OH",
        "73102": "OK", "97301": "OR", "17101": "PA", "02903": "RI", "29217": "SC", "57501": "SD", "37219": "TN",
        "78701": "TX", "84111": "UT", "05602": "VT", "23219": "VA", "98507": "WA", "25301": "WV", "53703": "WI",
        "82001": "WY", "20500": "DC",
    }  # fmt: skip
    assert {code: STATE_OF[code[:3]] for code in capitals} == capitals


def test_how_many_groups_there_are():
    """124 postcode areas with the Channel Islands and the Isle of Man; 18 postal districts of Canada; in France 96
    departments, two of them with one beginning, in 13 regions."""
    letters = [chr(i) for i in range(ord("A"), ord("Z") + 1)]
    areas = [*letters, *(first + second for first in letters for second in letters)]
    assert sum(BY_KEY["uk-postcode"].groups_of(f"{area}1 1AA") is not None for area in areas) == 124
    assert sum(BY_KEY["ca-postcode"].groups_of(letter) is not None for letter in letters) == 18
    france = [f"{number:02d}000" for number in range(1, 96)]
    assert all(BY_KEY["fr-postcode"].fits(france))
    assert len({*BY_KEY["fr-postcode"].labels(france, "regions")}) == 13


def test_levels_of_a_column():
    levels = codes(BY_KEY["us-zip"]).on(["02138", "02138-1234", "02139", "unknown", "021**", "MA"])
    assert levels.label(1).tolist() == ["02138", "02138", "02139", "unknown", "021**", "MA"]
    assert levels.label(2).tolist() == ["0213*", "0213*", "0213*", "unknown", "021**", "MA"]
    assert levels.label(3).tolist() == ["021**", "021**", "021**", "unknown", "021**", "MA"]
    assert levels.label(4).tolist() == ["MA", "MA", "MA", "unknown", "MA", "MA"]

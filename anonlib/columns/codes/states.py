"""States of the USA and provinces of Canada, by name, postal code or FIPS number, and what lies in them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from anonlib.columns.codes.system import CodeSystem, Groups
from anonlib.values.missing_words import means_missing
from anonlib.values.naming import fold, words

# Census Bureau divisions and regions; a state is its postal code, its FIPS number and its name.
_DIVISIONS = """
Northeast; New England; CT 09 Connecticut, ME 23 Maine, MA 25 Massachusetts, NH 33 New Hampshire, RI 44 Rhode Island,
    VT 50 Vermont
Northeast; Middle Atlantic; NJ 34 New Jersey, NY 36 New York, PA 42 Pennsylvania
Midwest; East North Central; IL 17 Illinois, IN 18 Indiana, MI 26 Michigan, OH 39 Ohio, WI 55 Wisconsin
Midwest; West North Central; IA 19 Iowa, KS 20 Kansas, MN 27 Minnesota, MO 29 Missouri, NE 31 Nebraska,
    ND 38 North Dakota, SD 46 South Dakota
South; South Atlantic; DE 10 Delaware, DC 11 District of Columbia, FL 12 Florida, GA 13 Georgia, MD 24 Maryland,
    NC 37 North Carolina, SC 45 South Carolina, VA 51 Virginia, WV 54 West Virginia
South; East South Central; AL 01 Alabama, KY 21 Kentucky, MS 28 Mississippi, TN 47 Tennessee
South; West South Central; AR 05 Arkansas, LA 22 Louisiana, OK 40 Oklahoma, TX 48 Texas
West; Mountain; AZ 04 Arizona, CO 08 Colorado, ID 16 Idaho, MT 30 Montana, NV 32 Nevada, NM 35 New Mexico, UT 49 Utah,
    WY 56 Wyoming
West; Pacific; AK 02 Alaska, CA 06 California, HI 15 Hawaii, OR 41 Oregon, WA 53 Washington
Island Areas; Island Areas; AS 60 American Samoa, GU 66 Guam, MP 69 Northern Mariana Islands, PR 72 Puerto Rico,
    VI 78 Virgin Islands
Armed Forces; Armed Forces; AA -- Armed Forces Americas, AE -- Armed Forces Europe, AP -- Armed Forces Pacific
Canada; Atlantic Canada; NB -- New Brunswick, NL -- Newfoundland and Labrador, NS -- Nova Scotia,
    PE -- Prince Edward Island
Canada; Quebec; QC -- Quebec
Canada; Ontario; ON -- Ontario
Canada; Prairies; AB -- Alberta, MB -- Manitoba, SK -- Saskatchewan
Canada; British Columbia; BC -- British Columbia
Canada; Territories; NT -- Northwest Territories, NU -- Nunavut, YT -- Yukon
"""
_ALSO = {
    "washington dc": "DC", "washington d c": "DC", "us virgin islands": "VI", "u s virgin islands": "VI",
    "newfoundland": "NL", "pei": "PE", "yukon territory": "YT",
}  # fmt: skip
_FEWEST = 5  # names that tell by themselves
_PARTS = re.compile(r"([A-Z]{2}) (\d\d|--) (.+)")


def _read() -> tuple[dict[str, Groups], dict[str, str], dict[str, str]]:
    """Groups by postal code; postal codes by plain name, of states and of divisions that are one; those by number."""
    groups: dict[str, Groups] = {}
    by_name: dict[str, str] = {}
    by_number: dict[str, str] = {}
    for line in re.sub(r"\n\s+", " ", _DIVISIONS.strip()).splitlines():
        region, division, states = line.split("; ")
        for state in states.split(","):
            match = _PARTS.fullmatch(state.strip())
            assert match is not None
            code, number, name = match.groups()
            groups[code] = (code, division, region)
            by_name[_plain(name)] = code
            if number != "--":
                by_number[number] = code
    return groups, by_name | _ALSO, by_number


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^A-Za-z]+", " ", fold(text)).lower().split())


_GROUPS, _BY_NAME, _BY_NUMBER = _read()
_LARGER = {region: (region, region, region) for *_, region in _GROUPS.values()} | {
    division: (division, division, region) for _, division, region in _GROUPS.values()
}
STATES = frozenset(_GROUPS)
"""Postal codes of states, territories and provinces."""
US_STATES = frozenset(code for code, (*_, region) in _GROUPS.items() if region not in ("Canada", "Armed Forces"))
"""Those that United States law calls a State: with the District of Columbia and the territories, 45 CFR 160.103."""


def groups_of_label(label: str) -> Groups | None:
    """State, division and region of a postal code, or of a division or region, which is its own on each level before.

    So that a label among the values of a column stays where it is.
    """
    return _GROUPS.get(label) or _LARGER.get(label)


def _state(text: str) -> Groups | None:
    text = text.strip()
    return groups_of_label(_BY_NAME.get(_plain(text), text.upper())) or _LARGER.get(text)


_ENOUGH_STATES = 0.8  # of the records, so that a column of regions is one of states
_SEVERAL = re.compile(r"\s*[,;/|+&]\s*|\s+(?:or|and)\s+")
_ELSEWHERE = words(
    "other others foreign abroad overseas international military multiple several mixed various nonus non-us "
    "territory territories elsewhere"
)


def strangers_among_states(values: Sequence[str], records: np.ndarray) -> np.ndarray:
    """Which values of a column of American States are none, nor larger, nor words for elsewhere: towns, ZIP codes.

    Parameters
    ----------
    values : Sequence[str]
        Distinct values of a column of regions.
    records : ndarray of int
        How many records have each.

    Returns
    -------
    ndarray of bool, an item a value
        None where fewer than four of five records have a State.

    Examples
    --------
    >>> import numpy as np
    >>> names, records = ["MA", "Maine", "25", "Ontario", "other", "Boston, MA"], np.array([30, 20, 20, 1, 1, 1])
    >>> strangers_among_states(names, records).tolist()
    [False, False, False, False, False, True]
    >>> strangers_among_states(["Bayern", "Berlin"], np.ones(2)).tolist()
    [False, False]
    """
    known = [_state_number(value) for value in values]
    are_states = np.array([groups is not None and groups[0] in US_STATES for groups in known], bool)
    if not len(values) or records[are_states].sum() < _ENOUGH_STATES * records.sum():
        return np.zeros(len(values), bool)
    return np.array([groups is None and not _names_states(value) for groups, value in zip(known, values, strict=True)])


def _names_states(value: str) -> bool:
    """Whether a value names several states, or says that it is elsewhere."""
    if value.strip().casefold() in _ELSEWHERE:
        return True
    return all(_state_number(part) is not None or means_missing(part) for part in _SEVERAL.split(value.strip()))


def _state_number(text: str) -> Groups | None:
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= 2:
        return _GROUPS.get(_BY_NUMBER.get(text.zfill(2), ""))
    return _state(text)


_LENGTHS = {4: 5, 5: 5, 10: 11, 11: 11, 12: 12, 15: 15}
"""Digits of a county, tract, block group or block, also of a county or tract that lost a zero in front."""


def _area(text: str) -> Groups | None:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) in _LENGTHS):
        state = _state(text)
        return None if state is None else (state[0], state[0], *state)
    digits = text.zfill(_LENGTHS[len(text)])
    state = _GROUPS.get(_BY_NUMBER.get(digits[:2], ""))
    return None if state is None else (digits[:11], digits[:5], *state)


def _are_names(values: Sequence[str]) -> bool:
    """Whether values are states in full: two letters may be countries or anything else."""
    return len(values) >= _FEWEST and all(_plain(value) in _BY_NAME for value in values)


STATE_SYSTEMS = (
    CodeSystem(
        "us-state", "names and codes of states", ("states", "divisions", "regions"), _state,
        ("state", "us state", "state code", "province", "prov", "state province", "provincia", "jurisdiction"),
        _are_names, kind="region", named=("states", "divisions", "regions"), of="states",
    ),
    CodeSystem(
        "us-state-fips", "FIPS numbers of states", ("states", "divisions", "regions"), _state_number,
        ("fips", "fips code", "statefp", "state fp", "st fips", "fipsst"), kind="region",
        named=("states", "divisions", "regions"), of="states",
    ),
    CodeSystem(
        "us-geoid", "FIPS numbers of counties and tracts", ("tracts", "counties", "states", "divisions", "regions"),
        _area, ("fips", "fipscode", "geoid", "geoid 10", "geo id", "countyfp", "county code", "census tract", "tract",
        "block group", "census block"), kind="area", named=("states", "divisions", "regions"),
    ),
)  # fmt: skip

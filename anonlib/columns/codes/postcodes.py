"""Postcodes, by the areas that their first characters name.

A label of a group is a code of its system too, of the same group on every coarser level, so that levels stay nested
whatever stands in a column. First comes the state of each three-digit beginning of a ZIP code; then come the postcodes
of each country.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from anonlib.columns.codes.states import groups_of_label
from anonlib.columns.codes.system import CodeSystem, Groups

# A beginning lies in the state of most of its ZIP codes, and one that is not in use in that of its neighbours.
_STATES = """
005 NY, 006-007 PR, 008 VI, 009 PR, 010-027 MA, 028-029 RI, 030-038 NH, 039-049 ME, 050-054 VT, 055 MA, 056-059 VT,
060-069 CT, 070-089 NJ, 090-099 AE, 100-149 NY, 150-196 PA, 197-199 DE, 200 DC, 201 VA, 202-205 DC, 206-219 MD,
220-246 VA, 247-268 WV, 270-289 NC, 290-299 SC, 300-319 GA, 320-339 FL, 340 AA, 341-349 FL, 350-369 AL, 370-385 TN,
386-397 MS, 398-399 GA, 400-427 KY, 430-459 OH, 460-479 IN, 480-499 MI, 500-528 IA, 530-549 WI, 550-567 MN, 569 DC,
570-577 SD, 580-588 ND, 590-599 MT, 600-629 IL, 630-658 MO, 660-679 KS, 680-693 NE, 700-714 LA, 716-729 AR,
730-732 OK, 733 TX, 734-749 OK, 750-799 TX, 800-816 CO, 820-831 WY, 832-838 ID, 840-847 UT, 850-865 AZ, 870-884 NM,
885 TX, 889-898 NV, 900-961 CA, 962-966 AP, 967-968 HI, 969 GU, 970-979 OR, 980-994 WA, 995-999 AK
"""


def _read() -> dict[str, str]:
    states: dict[str, str] = {}
    for entry in _STATES.replace("\n", " ").split(","):
        span, state = entry.split()
        first, _, last = span.partition("-")
        states |= {f"{number:03d}": state for number in range(int(first), int(last or first) + 1)}
    return states


STATE_OF = _read()
"""Postal code of the state by the first three digits."""


# ---- United States ----

_ZIP = re.compile(r"(\d{5})(?:-?\d{4})?|(\d{4})\*|(\d{3})(?:\*\*)?")
_ZERO_LOST = re.compile(r"(\d{3,4})-(\d{4})")


def zip_with_zeros(text: str) -> str:
    """A ZIP code of nine digits with the zeros in front that a spreadsheet took off; any other text as it is.

    The dash says how many are missing. Of five or nine digits without one nobody knows.

    Parameters
    ----------
    text : str
        A cell.

    Examples
    --------
    >>> zip_with_zeros("2138-1234"), zip_with_zeros("601-1234"), zip_with_zeros("2138")
    ('02138-1234', '00601-1234', '2138')
    """
    match = _ZERO_LOST.fullmatch(text.strip())
    return text if match is None else f"{match[1].zfill(5)}-{match[2]}"


def _us_zip(text: str) -> Groups | None:
    match = _ZIP.fullmatch(zip_with_zeros(text.strip()))
    if match is None:
        coarser = groups_of_label(text.strip())
        return None if coarser is None else (coarser[0], coarser[0], coarser[0], *coarser)
    known = match[1] or match[2] or match[3]
    state = groups_of_label(STATE_OF.get(known[:3], ""))
    return None if state is None else tuple(known[:n_digits].ljust(5, "*") for n_digits in (5, 4, 3)) + state


# ---- Canada ----

_LETTERS = "ABCEGHJ-NPRSTV-Z"
_CANADIAN = re.compile(
    rf"([ABCEGHJ-NPRSTVXY])(?:(\d[{_LETTERS}])(?:[ -]?(\d[{_LETTERS}]\d))?)?", re.ASCII | re.IGNORECASE
)
_PROVINCES = {
    "A": "NL", "B": "NS", "C": "PE", "E": "NB", **dict.fromkeys("GHJ", "QC"), **dict.fromkeys("KLMNP", "ON"), "R": "MB",
    "S": "SK", "T": "AB", "V": "BC", "X": "NT/NU", "Y": "YT",
}  # fmt: skip


def _canadian(text: str) -> Groups | None:
    text = text.strip()
    if text in _PROVINCES.values():
        return text, text, text
    match = _CANADIAN.fullmatch(text)
    if match is None:
        return None
    letter = match[1].upper()
    return letter + (match[2] or "").upper(), letter, _PROVINCES[letter]


def _has_whole_canadian(value: str) -> bool:
    match = _CANADIAN.fullmatch(value.strip())
    return match is not None and match[3] is not None


# ---- United Kingdom ----

_AREAS = frozenset(
    "AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX FK FY G "
    "GL GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG NN NP NR NW "
    "OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW UB W WA WC "
    "WD WF WN WR WS WV YO ZE".split()
)
_WITH_LETTERS = frozenset("E1 N1 W1 NW1 SE1 SW1 EC1 EC2 EC3 EC4 WC1 WC2".split())
"""Where districts have a letter behind their number, all in London: M5V is no district, but Canadian."""
_BRITISH = re.compile(
    r"(?P<area>[A-Z]{1,2})(?P<rest>\d[A-Z\d]?)(?: ?(?P<sector>\d)(?P<unit>[ABD-HJLNP-UW-Z]{2})| (?P<only>\d))?",
    re.ASCII | re.IGNORECASE,
)


def _british(text: str) -> Groups | None:
    text = text.strip()
    if text in _AREAS:
        return text, text, text
    match = _BRITISH.fullmatch(text)
    if match is None or match["area"].upper() not in _AREAS:
        return None
    area = match["area"].upper()
    district, sector = area + match["rest"].upper(), match["sector"] or match["only"]
    if district[-1].isalpha() and district[:-1] not in _WITH_LETTERS:
        return None
    return f"{district} {sector}" if sector else district, district, area


def _has_whole_british(value: str) -> bool:
    match = _BRITISH.fullmatch(value.strip())
    return match is not None and match["unit"] is not None


# ---- France ----

_FRENCH_REGIONS = """
Auvergne-Rhône-Alpes: 01 03 07 15 26 38 42 43 63 69 73 74
Bourgogne-Franche-Comté: 21 25 39 58 70 71 89 90
Bretagne: 22 29 35 56
Centre-Val de Loire: 18 28 36 37 41 45
Corse: 20
Grand Est: 08 10 51 52 54 55 57 67 68 88
Hauts-de-France: 02 59 60 62 80
Île-de-France: 75 77 78 91 92 93 94 95
Normandie: 14 27 50 61 76
Nouvelle-Aquitaine: 16 17 19 23 24 33 40 47 64 79 86 87
Occitanie: 09 11 12 30 31 32 34 46 48 65 66 81 82
Pays de la Loire: 44 49 53 72 85
Provence-Alpes-Côte d’Azur: 04 05 06 13 83 84
Guadeloupe: 971
Martinique: 972
Guyane: 973
La Réunion: 974
Mayotte: 976
Outre-mer: 975 977 978 986 987 988
"""
_FRENCH_REGION_OF = {
    department: region
    for region, _, departments in (line.partition(": ") for line in _FRENCH_REGIONS.strip().splitlines())
    for department in departments.split()
}
_FRENCH = re.compile(r"(\d{2})(\d)\d\d|(\d{2})\*{3}|(\d{3})\*\*")


def _french(text: str) -> Groups | None:
    text = text.strip()
    if text in _FRENCH_REGION_OF.values():
        return text, text
    match = _FRENCH.fullmatch(text)
    if match is None:
        return None
    overseas = match[1] + match[2] if match[1] in ("97", "98") else None
    department = overseas or match[1] or match[3] or match[4]
    region = _FRENCH_REGION_OF.get(department)
    return None if region is None else (department.ljust(5, "*"), region)


# ---- Codes of digits, of which each digit names a smaller area ----


def _digits(text: str, length: int, kept: tuple[int, ...]) -> Groups | None:
    """The first digits of a code of so many, as a mask writes them."""
    text = text.strip()
    shown = text.rstrip("*")
    whole = shown == text
    if not (shown.isascii() and shown.isdigit() and len(text) == length and (whole or len(shown) in kept)):
        return None
    return tuple(shown[:keep].ljust(length, "*") for keep in kept)


def _german(text: str) -> Groups | None:
    """No code begins with 00."""
    return None if text.strip().startswith("00") else _digits(text, 5, (3, 2, 1))


_DUTCH = re.compile(r"([1-9]\d{3}) ?([A-Z]{2})?", re.ASCII | re.IGNORECASE)


def _dutch(text: str) -> Groups | None:
    match = _DUTCH.fullmatch(text.strip())
    digits = _digits(text if match is None else match[1], 4, (2, 1))
    return None if digits is None else (digits[0] if match is None else match[1], *digits)


def _has_whole_dutch(value: str) -> bool:
    match = _DUTCH.fullmatch(value.strip())
    return match is not None and match[2] is not None


# ---- The systems ----


def _mostly(whole: Callable[[str], bool], values: Sequence[str]) -> bool:
    """Whether nearly all values are whole codes, which look like nothing else, and not the beginnings of some."""
    return len(values) > 1 and sum(map(whole, values)) >= 0.9 * len(values)


def _some_with_digits(values: Sequence[str]) -> bool:
    """Whether some values are finer than the labels of states, provinces and areas, which other columns hold too."""
    return any(char.isdigit() for value in values for char in value)


_OF_ANY = ("postcode", "post code", "postal code")

POSTCODES = (
    CodeSystem(
        "us-zip", "ZIP codes", ("five digits", "four digits", "three digits", "states", "divisions", "regions"),
        _us_zip, ("zip", "zip code", "zipcode", "zcta"), kind="postcode", by_name=_some_with_digits,
        named=("states", "divisions", "regions"),
    ),
    CodeSystem(
        "ca-postcode", "Canadian postal codes", ("forward sortation areas", "postal districts", "provinces"), _canadian,
        (*_OF_ANY, "code postal", "fsa", "forward sortation area"), partial(_mostly, _has_whole_canadian),
        kind="postcode", named=("provinces",), by_name=_some_with_digits,
    ),
    CodeSystem(
        "uk-postcode", "UK postcodes", ("sectors", "districts", "areas"), _british, _OF_ANY,
        partial(_mostly, _has_whole_british), kind="postcode", by_name=_some_with_digits,
    ),
    CodeSystem(
        "nl-postcode", "Dutch postcodes", ("four digits", "two digits", "one digit"), _dutch, ("postcode cijfers",),
        partial(_mostly, _has_whole_dutch), kind="postcode",
    ),
    CodeSystem(
        "fr-postcode", "French postcodes", ("departments", "regions"), _french, ("code postal", "cp"), kind="postcode",
        named=("regions",),
    ),
    CodeSystem(
        "de-postcode", "German postcodes", ("three digits", "two digits", "one digit"), _german,
        ("plz", "postleitzahl"), kind="postcode",
    ),
    CodeSystem(
        "postcode-4", "postcodes of four digits", ("two digits", "one digit"), partial(_digits, length=4, kept=(2, 1)),
        (*_OF_ANY, "plz", "postleitzahl", "code postal", "npa", "postnummer", "postnr"),
        kind="postcode",
    ),
)  # fmt: skip

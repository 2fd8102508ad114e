"""Occupations and industries: ISCO-08, the US SOC, NACE and NAICS, by the digits of their codes.

A label of a group is a code of its system too, of the same group on every coarser level, so that levels stay nested
whatever stands in a column.
"""

from __future__ import annotations

import re

from anonlib.columns.codes.system import CodeSystem, Groups

# ---- Occupations ----

_ISCO_SUB_MAJOR = frozenset(
    "01 02 03 11 12 13 14 21 22 23 24 25 26 31 32 33 34 35 41 42 43 44 51 52 53 54 61 62 63 71 72 73 74 75 81 82 83 "
    "91 92 93 94 95 96".split()
)
_ISCO = re.compile(r"\d(?:\d(?:[1-9]\d?)?)?", re.ASCII)


def _isco(text: str) -> Groups | None:
    """No minor group ends with 0, so that 110, which may have lost a zero in front, is no code."""
    code = text.strip()
    if not _ISCO.fullmatch(code) or (len(code) > 1 and code[:2] not in _ISCO_SUB_MAJOR):
        return None
    return code[:3], code[:2], code[:1]


_SOC = re.compile(r"(\d\d)-?(\d{4})(?:\.\d\d)?|(\d\d)-(\d{0,3})\*+", re.ASCII)


def _soc(text: str) -> Groups | None:
    """Major groups are the odd numbers from 11 to 55."""
    match = _SOC.fullmatch(text.strip())
    if match is None:
        return None
    major, rest = match[1] or match[3], match[2] or match[4] or ""
    if major not in _SOC_MAJOR or (not match[1] and len(text.strip()) != len("29-1***")):
        return None
    return tuple(f"{major}-{rest[:n_digits]:*<4}" for n_digits in (3, 1, 0))


_SOC_MAJOR = frozenset(str(number) for number in range(11, 56, 2))

# ---- Industries ----

_NACE_SECTIONS = {
    "A": (1, 3), "B": (5, 9), "C": (10, 33), "D": (35, 35), "E": (36, 39), "F": (41, 43), "G": (45, 47), "H": (49, 53),
    "I": (55, 56), "J": (58, 63), "K": (64, 66), "L": (68, 68), "M": (69, 75), "N": (77, 82), "O": (84, 84),
    "P": (85, 85), "Q": (86, 88), "R": (90, 93), "S": (94, 96), "T": (97, 98), "U": (99, 99),
}  # fmt: skip
_SECTION_OF = {
    f"{division:02d}": letter for letter, (first, last) in _NACE_SECTIONS.items() for division in range(first, last + 1)
}
_NACE = re.compile(r"([A-U])?[. ]?(\d\d)(?:\.?(\d)(?:\.?\d[A-Z]?)?)?", re.ASCII)


def _nace(text: str) -> Groups | None:
    code = text.strip().upper()
    if code in _NACE_SECTIONS:
        return code, code, code
    match = _NACE.fullmatch(code)
    section = None if match is None else _SECTION_OF.get(match[2])
    if match is None or section is None or match[1] not in (None, section):
        return None
    division = match[2]
    return division if match[3] is None else f"{division}.{match[3]}", division, section


_NAICS_SECTORS = {
    **{code: code for code in "11 21 22 23 42 51 52 53 54 55 56 61 62 71 72 81 92".split()},
    **dict.fromkeys(("31", "32", "33"), "31-33"), **dict.fromkeys(("44", "45"), "44-45"),
    **dict.fromkeys(("48", "49"), "48-49"),
}  # fmt: skip
_NAICS = re.compile(r"\d{2,6}", re.ASCII)


def _naics(text: str) -> Groups | None:
    code = text.strip()
    if code in _NAICS_SECTORS.values():
        return code, code, code, code
    sector = _NAICS_SECTORS.get(code[:2])
    if sector is None or not _NAICS.fullmatch(code):
        return None
    return code[:5], code[:4], code[:3], sector


WORK = (
    CodeSystem(
        "isco-08", "ISCO-08 occupations", ("minor groups", "sub-major groups", "major groups"), _isco, ("isco",),
        kind="occupation",
    ),
    CodeSystem(
        "us-soc", "SOC occupations", ("broad occupations", "minor groups", "major groups"), _soc, ("soc",),
        kind="occupation",
    ),
    CodeSystem(
        "nace-2", "NACE industries", ("groups", "divisions", "sections"), _nace,
        ("nace", "wz 2008", "wz 08", "code naf", "ateco"), kind="workclass",
    ),
    CodeSystem(
        "naics", "NAICS industries", ("industries", "industry groups", "subsectors", "sectors"), _naics, ("naics",),
        kind="workclass",
    ),
)  # fmt: skip

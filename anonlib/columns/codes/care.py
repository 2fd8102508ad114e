"""What was done, and why somebody came: CPT and HCPCS, ICD-10-PCS, OPS, and ICPC-2 of general practice.

Of CPT, which is the American Medical Association's, only ranges of numbers are here, and no word of it. They are
rounded, so that the codes of every year's edition are in one of them.
"""

from __future__ import annotations

import re
from bisect import bisect

from anonlib.columns.codes.system import CodeSystem, Groups
from anonlib.columns.codes.tables import mostly, prefixes

# --- CPT and HCPCS -------------------------------------------------------------------------------------------------

_SURGERY = "10000-69999"
_OF_SURGERY = {
    "10000-19999": "skin and breast",
    "20000-29999": "muscles and bones",
    "30000-32999": "respiratory system",
    "33000-37999": "heart and vessels",
    "38000-38999": "blood and lymphatic system",
    "39000-39999": "chest cavity and diaphragm",
    "40000-49999": "digestive system",
    "50000-53999": "urinary system",
    "54000-55899": "male genital organs",
    "55900-55999": "other genital surgery",
    "56000-58999": "female genital organs",
    "59000-59999": "pregnancy and birth",
    "60000-60999": "endocrine system",
    "61000-64999": "nervous system",
    "65000-68999": "eye",
    "69000-69999": "ear",
}
_MEDICINE = "90000-99199 or 99500-99999"
_SECTIONS = {
    "00100-01999": "anesthesia",
    _SURGERY: "surgery",
    "70000-79999": "radiology",
    "80000-89999": "laboratory and pathology",
    _MEDICINE: "other medical services",
    "99200-99499": "visits and their management",
}
_SUFFIXES = {
    "0001A-9999A": "vaccinations",
    "0001F-9999F": "measures of quality",
    "0001M-9999M": "laboratory analyses",
    "0001T-9999T": "new technology",
    "0001U-9999U": "laboratory analyses",
}
_RANGES: list[tuple[int, int, Groups]] = sorted(
    (int(first), int(last), (label, _SURGERY if label in _OF_SURGERY else section))
    for section in _SECTIONS
    for label in (_OF_SURGERY if section == _SURGERY else (section,))
    for first, last in re.findall(r"(\d+)-(\d+)", label)
)
_BEGINS = [first for first, _, _ in _RANGES]
_OF_SUFFIX = {label[-1]: (label, label) for label in _SUFFIXES}
_CPT_LABELS = {
    **{groups[0]: groups for _, _, groups in _RANGES},
    **{label: (label, label) for label in (*_SECTIONS, *_SUFFIXES)},
    **{letter: (letter, letter) for letter in "ABCDEGHJKLMPQRSTUV"},
}
_CPT = re.compile(r"(?:(\d{5})|\d{4}([AFMTU])|([A-V])\d{4})(?:-[\dA-Z]{2})?", re.ASCII)


def _of_cpt(text: str) -> Groups | None:
    """``99213``, with a modifier ``99213-25``, ``0042T``, ``J1885``."""
    code = text.strip()
    match = _CPT.fullmatch(code.upper())
    if match is None:
        return _CPT_LABELS.get(code)
    number, suffix, letter = match.groups()
    if suffix is not None:
        return _OF_SUFFIX[suffix]
    if letter is not None:
        return _CPT_LABELS.get(letter)
    _, last, groups = _RANGES[max(0, bisect(_BEGINS, int(number)) - 1)]
    return groups if _BEGINS[0] <= int(number) <= last else None


CPT = CodeSystem(
    key="cpt",
    label="CPT and HCPCS codes",
    levels=("ranges", "sections"),
    groups_of=_of_cpt,
    names=("cpt", "hcpcs", "procedure code", "proc code", "proc cd", "hcpcscode", "cptcode"),
    by_name=mostly(r"(?:\d{5}|\d{4}[A-Z]|[A-Z]\d{4}).*"),
    kind="treatment",
    titles=_SECTIONS | _OF_SURGERY | _SUFFIXES,
)

# --- ICD-10-PCS and OPS --------------------------------------------------------------------------------------------

_PCS_CODE = re.compile(r"[0-9BCDFGHX](?:[0-9A-HJ-NP-Z]{1,2}|[0-9A-HJ-NP-Z]{6})?", re.ASCII)
_PCS_TITLES = {
    "0": "medical and surgical",
    "1": "obstetrics",
    "2": "placement",
    "3": "administration",
    "4": "measurement and monitoring",
    "5": "support of organs from outside",
    "6": "other therapies from outside",
    "7": "osteopathic",
    "8": "other procedures",
    "9": "chiropractic",
    "B": "imaging",
    "C": "nuclear medicine",
    "D": "radiation therapy",
    "F": "rehabilitation and hearing",
    "G": "mental health",
    "H": "treatment of addiction",
    "X": "new technology",
}
_OPS_CODE = re.compile(r"[135689](?:-\d[0-9A-Z](?:[0-9A-Z](?:\.[0-9A-Z]{1,2})?)?)?", re.ASCII)
_OPS_TITLES = {
    "1": "diagnostic procedures",
    "3": "imaging",
    "5": "operations",
    "6": "drugs",
    "8": "other therapies",
    "9": "other procedures",
}


_most_end_in_z = mostly(r"[0-9BCDFGHX][0-9A-HJ-NP-Z]{5}Z")


def _of_pcs(text: str) -> Groups | None:
    code = text.strip().upper()
    return prefixes(code, (3, 2, 1)) if _PCS_CODE.fullmatch(code) else None


def _of_ops(text: str) -> Groups | None:
    """``5-470.11``; a last letter is written small."""
    code = text.strip()
    return prefixes(code.lower(), (5, 4, 1)) if _OPS_CODE.fullmatch(code.upper()) else None


PCS = CodeSystem(
    key="icd-10-pcs",
    label="ICD-10-PCS codes",
    levels=("operations", "body systems", "sections"),
    groups_of=_of_pcs,
    names=("pcs", "proc", "procs", "procedure", "procedures", "px", "prcdr", "icd 10 procedure"),
    by_content=_most_end_in_z,
    by_name=_most_end_in_z,
    kind="treatment",
    titles=_PCS_TITLES,
)
OPS = CodeSystem(
    key="ops",
    label="OPS codes",
    levels=("categories", "groups", "chapters"),
    groups_of=_of_ops,
    names=("ops", "opscode", "prozedur", "prozeduren", "eingriff", "operation"),
    by_content=mostly(r"[135689]-\d[0-9A-Z]{2}\.[0-9A-Z]{1,2}"),
    by_name=mostly(r"\d-.*"),
    kind="treatment",
    titles=_OPS_TITLES,
)

# --- ICPC-2 --------------------------------------------------------------------------------------------------------

_CHAPTERS = {
    "A": "general",
    "B": "blood and immune system",
    "D": "digestive system",
    "F": "eye",
    "H": "ear",
    "K": "heart and circulation",
    "L": "muscles and bones",
    "N": "nerves",
    "P": "mental health",
    "R": "breathing",
    "S": "skin",
    "T": "hormones, metabolism and nutrition",
    "U": "urinary system",
    "W": "pregnancy and family planning",
    "X": "female genital organs",
    "Y": "male genital organs",
    "Z": "social problems",
}
_COMPONENTS = {
    "01-29": "symptoms and complaints",
    "30-49": "examination and prevention",
    "50-59": "treatment",
    "60-61": "results",
    "62": "administration",
    "63-69": "referral and other reasons",
    "70-99": "diagnoses",
}
_ICPC: dict[str, Groups] = {letter: (letter, letter) for letter in _CHAPTERS}
_ICPC_TITLES = dict(_CHAPTERS)
for _letter, _about in _CHAPTERS.items():
    for _span, _what in _COMPONENTS.items():
        _first, _, _last = _span.partition("-")
        _label = f"{_letter}{_first}-{_letter}{_last}" if _last else f"{_letter}{_first}"
        _ICPC_TITLES[_label] = f"{_about}, {_what}"
        _ICPC[_label] = (_label, _letter)
        _ICPC |= {f"{_letter}{n:02d}": (_label, _letter) for n in range(int(_first), int(_last or _first) + 1)}
_ICPC_CODE = re.compile(r"([A-Z]\d\d)(?:\.\d{1,4})?", re.ASCII)


def _of_icpc(text: str) -> Groups | None:
    """``K86``; some countries write more digits behind a point."""
    code = text.strip().upper()
    match = _ICPC_CODE.fullmatch(code)
    return _ICPC.get(code if match is None else match[1])


ICPC = CodeSystem(
    key="icpc-2",
    label="ICPC-2 codes",
    levels=("components", "chapters"),
    groups_of=_of_icpc,
    names=("icpc", "reason encounter", "rfe", "icpccode"),
    kind="diagnosis",
    titles=_ICPC_TITLES,
)

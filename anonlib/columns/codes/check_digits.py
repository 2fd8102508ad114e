"""Codes that are recognised by their check digit, and whose digits do not show what they belong to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anonlib.columns.codes.system import CodeSystem, Groups

_FEWEST = 5  # codes: every tenth number has the right check digit by chance
_LOINC = re.compile(r"(\d{1,7})-(\d)", re.ASCII)
_SNOMED = re.compile(r"[1-9]\d{2,14}[01][012]\d", re.ASCII)  # behind the item: partition of two digits, check digit


def _product(a: int, b: int) -> int:
    """In the dihedral group of ten elements, the symmetries of a pentagon: 0 to 4 are turns, 5 to 9 reflections."""
    turn = (a + b) % 5 if a < 5 else (a - b) % 5
    return turn + 5 * ((a < 5) != (b < 5))


_SWAP = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)
_PERMUTED = [list(range(10))]
"""By the place of a digit, counted from the last one: what stands for each digit there (Verhoeff 1969)."""
for _ in range(7):
    _PERMUTED.append([_SWAP[digit] for digit in _PERMUTED[-1]])
_PRODUCT = [[_product(a, b) for b in range(10)] for a in range(10)]


def _of_loinc(text: str) -> Groups | None:
    """LOINC numbers end in a check digit by modulus 10, every other digit doubled from the last one on."""
    match = _LOINC.fullmatch(text.strip())
    if match is None:
        return None
    digits = [int(digit) for digit in reversed(match[1])]
    total = sum(sum(divmod(2 * digit, 10)) if i % 2 == 0 else digit for i, digit in enumerate(digits))
    return () if -total % 10 == int(match[2]) else None


def _of_snomed(text: str) -> Groups | None:
    """SNOMED CT identifiers end in a check digit by Verhoeff's code."""
    code = text.strip()
    if _SNOMED.fullmatch(code) is None:
        return None
    check = 0
    for i, digit in enumerate(reversed(code)):
        check = _PRODUCT[check][_PERMUTED[i % 8][int(digit)]]
    return () if check == 0 else None


def _several(codes: Sequence[str]) -> bool:
    return len(codes) >= _FEWEST


LOINC = CodeSystem(
    key="loinc",
    label="LOINC codes",
    levels=(),
    groups_of=_of_loinc,
    names=("loinc",),
    by_content=_several,
    kind="result",
)
SNOMED_CT = CodeSystem(
    key="snomed-ct",
    label="SNOMED CT codes",
    levels=(),
    groups_of=_of_snomed,
    names=("snomed", "sctid"),
    by_content=_several,
    kind="diagnosis",
)

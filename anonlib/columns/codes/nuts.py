"""NUTS, the regions of the European Union and its neighbours, by the characters of their codes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anonlib.columns.codes.system import CodeSystem, Groups

_COUNTRIES = (
    "AL AT BE BG CH CY CZ DE DK EE EL ES FI FR HR HU IE IS IT LI LT LU LV ME MK MT NL NO PL PT RO RS SE SI SK TR UK"
)
_NUTS = re.compile(rf"(?:{'|'.join(_COUNTRIES.split())})[0-9A-Z]{{0,3}}", re.ASCII)
_FEWEST, _FEWEST_COUNTRIES = 10, 3  # regions, and countries, that tell by themselves


def _nuts(text: str) -> Groups | None:
    code = text.strip().upper()
    return (code[:4], code[:3], code[:2]) if _NUTS.fullmatch(code) else None


def _tell_by_themselves(values: Sequence[str]) -> bool:
    """Whether codes are all of one level, and of several countries: flights and articles may look like some."""
    enough = len(values) >= _FEWEST and len({value.strip()[:2] for value in values}) >= _FEWEST_COUNTRIES
    lengths = {len(value.strip()) for value in values}
    return enough and len(lengths) == 1 and min(lengths) > 2


NUTS = (
    CodeSystem(
        "nuts",
        "NUTS regions",
        ("NUTS 2 regions", "NUTS 1 regions", "countries"),
        _nuts,
        ("nuts",),
        _tell_by_themselves,
        lambda values: any(len(value.strip()) > 2 for value in values),  # two letters are countries, states or words
        kind="area",
    ),
)

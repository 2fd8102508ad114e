"""Countries by code or by name, and the parts of the world that they lie in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from anonlib.columns.codes.system import CodeSystem, Groups
from anonlib.values.naming import fold

_TABLE = Path(__file__).with_name("tables") / "countries.txt"
_FEWEST = 5  # countries that tell by themselves
_NO_LANGUAGES = frozenset("AUS AUT BRA CAN CHE CHN ESP GBR IND MEX USA".split())
"""Of the commonest codes those that are no code of a common language too, as DEU and FRA are."""


def _plain(text: str) -> str:
    """A name without accents, marks and capitals: ``Trinadad&Tobago`` -> ``trinadad tobago``."""
    words = re.sub(r"[^a-z]+", " ", fold(text).lower()).split()
    return " ".join(word for word in words if word not in ("and", "the"))


def _countries() -> Iterator[tuple[list[str], list[str], Groups]]:
    """Of each country its codes, its names, and its groups."""
    region = sub_region = ""
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            region, _, sub_region = line.strip("[]").partition("; ")
        elif not line.startswith("#"):
            *codes, named = line.split(" ", 3)
            name, _, others = named.partition(": ")
            yield (
                [code for code in codes if code != "---"],
                [name, *filter(None, others.split(", "))],
                (name, sub_region, region),
            )


def _read() -> tuple[dict[str, Groups], dict[str, Groups]]:
    by_code: dict[str, Groups] = {}
    by_name: dict[str, Groups] = {}
    for codes, names, groups in _countries():
        by_code |= dict.fromkeys(codes, groups)
        by_name |= dict.fromkeys(map(_plain, names), groups)
    # A region is its own group before, and so is a sub-region: a label among the values stays where it is.
    regions = {sub_region: region for _, sub_region, region in by_name.values()}
    for sub_region, region in regions.items():
        by_name.setdefault(_plain(sub_region), (sub_region, sub_region, region))
        by_name.setdefault(_plain(region), (region, region, region))
    return by_code, by_name


_BY_CODE, _BY_NAME = _read()


def _country(text: str) -> Groups | None:
    text = text.strip()
    return _BY_CODE.get(text.upper()) or _BY_NAME.get(_plain(text))


def _tell_by_themselves(values: Sequence[str]) -> bool:
    """Whether values are countries in full, or codes of three letters that are not those of languages."""
    if len(values) < _FEWEST:
        return False
    codes = [value for value in values if value.upper() in _BY_CODE]
    if not codes:
        return True
    return all(len(code) == 3 and code.isalpha() and code.isupper() for code in codes) and (
        len(codes) < len(values) or not _NO_LANGUAGES.isdisjoint(codes)
    )


COUNTRIES = (
    CodeSystem(
        "country", "names and codes of countries", ("countries", "sub-regions", "regions"), _country,
        ("country", "nationality", "citizenship", "iso 2", "iso 3", "=land", "herkunftsland", "geburtsland",
         "staatsangehorigkeit", "staatsangehoerigkeit", "nationalitat", "nationalite", "=pays", "pays naissance",
         "=pais", "pais nacimiento", "nacionalidad", "nationaliteit", "geboorteland"),
        _tell_by_themselves, kind="nationality", named=("countries", "sub-regions", "regions"), of="countries",
    ),
)  # fmt: skip

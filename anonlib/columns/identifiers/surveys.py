"""What columns hold whose names are codes of a survey, register, data model or laboratory.

A code is believed where a file has several of one survey, or where no other file would have it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from anonlib.columns.identifiers.kinds import KINDS, Kind
from anonlib.columns.identifiers.names import kind_of_name
from anonlib.columns.identifiers.survey_names import SURVEYS

_SEVERAL = 3  # names of one survey in a file, for all of its names to be believed
_LONG = 5  # letters and digits of a name that no other file would have by chance
_LONG_BEGINNING = 3  # of these, that the list gives where any ending may follow


@cache
def _surveys() -> tuple[tuple[dict[str, Kind], tuple[tuple[str, Kind], ...]], ...]:
    """By survey, its whole names in lower case, and its beginnings of names, the longest first."""
    surveys: list[tuple[dict[str, Kind], list[tuple[str, Kind]]]] = []
    for line in re.sub(r"\n {8}", " ", "\n".join(text.strip() for text in SURVEYS)).split("\n"):
        if not line.startswith(" "):
            surveys.append(({}, []))
            continue
        key, _, names = line.strip().partition(":")
        for name in names.split(","):
            written = name.strip().casefold()
            if written.endswith("*"):
                surveys[-1][1].append((written[:-1], KINDS[key]))
            else:
                surveys[-1][0].setdefault(written, KINDS[key])
    return tuple((names, tuple(sorted(begins, key=lambda pair: -len(pair[0])))) for names, begins in surveys)


def kinds_of_survey(columns: Iterable[str]) -> dict[str, Kind]:
    """By column of a file whose name is a code of a survey, register or data model, the kind that it is.

    Parameters
    ----------
    columns : Iterable[str]
        All names of the file: a short code is believed where the file has several codes of one survey that are no
        usual names, as ``STATE`` and ``SEX`` are.

    Returns
    -------
    dict of Kind by column
    """
    kinds: dict[str, Kind] = {}
    names = {column: column.strip().casefold() for column in columns}
    counted = []
    for whole, begins in _surveys():
        of_survey = {column: kind for column, name in names.items() if (kind := _kind(name, whole, begins))}
        codes = [column for column in of_survey if names[column] in whole and kind_of_name(column) is None]
        odd = {column for column in of_survey if _is_code(names[column], whole, begins)}
        counted.append((len(codes), of_survey, odd))
    for several, of_survey, odd in sorted(counted, key=lambda survey: -survey[0]):
        for column, kind in of_survey.items():
            if several >= _SEVERAL or column in odd:
                kinds.setdefault(column, kind)
    return kinds


def _kind(name: str, whole: dict[str, Kind], begins: tuple[tuple[str, Kind], ...]) -> Kind | None:
    return whole.get(name) or next((kind for begin, kind in begins if name.startswith(begin)), None)


def _is_code(name: str, whole: dict[str, Kind], begins: tuple[tuple[str, Kind], ...]) -> bool:
    """Whether a name is so long and odd a code that one of them says from where it is."""
    known = name if name in whole else next((begin for begin, _ in begins if name.startswith(begin)), "")
    is_odd = any(char.isdigit() for char in name) and any(char.isalpha() for char in name[:3])
    return len(name) >= _LONG and len(known) >= _LONG_BEGINNING and is_odd

"""What the columns of a release are recognised as: ages, codes of a system, and what a catalogue is searched by."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from anonlib.columns.identifiers import name_tokens
from anonlib.filing.record.listed import ListedColumn
from anonlib.values.cells import to_ranges

MOST_CODES = 100
"""Codes of one system that are named."""
SYSTEMS = {
    "icd-10": "ICD-10",
    "icd-9-cm": "ICD-9-CM",
    "icd-9-cm-procedures": "ICD-9-CM",
    "atc": "ATC",
    "loinc": "LOINC",
    "snomed-ct": "SNOMED-CT",
    "icpc-2": "ICPC-2",
    "ops": "OPS",
}
"""By the key of a code system that is recognised, its name in the list of the HealthData@EU platform."""
_SEARCHED = ("demographic", "stay", "sensitive", "date", "place")  # groups of kinds that a catalogue is searched by
_YEARS = frozenset("year years yr yrs y a jahr jahre jahren ans annees anos anni jaar jaren".split())
_NO_YEARS = frozenset(
    "month months mo mn mos week weeks wk day days hour hours minute minutes monat monate monaten woche wochen tag "
    "tage tagen stunde stunden mois semaine semaines jour jours mes meses semana semanas dia dias maand maanden "
    "weken dagen ridagemn".split()
)
_OLDEST = 130  # years
_MOSTLY = 0.5  # of the labels must be ages; others are such as “*”


def typical_ages(columns: Sequence[ListedColumn]) -> tuple[int | None, int | None]:
    """The lowest and the highest age in whole years, by the listed values of the one column of ages.

    Parameters
    ----------
    columns : Sequence[ListedColumn]
        Those that leave.

    Returns
    -------
    tuple of int or None
        None where no column, or more than one, is recognised as ages in years, or where the end is open, as ``90+``.
    """
    ages = [column for column in columns if column.kind == "values" and _is_in_years(column)]
    if len(ages) != 1 or not ages[0].labels:
        return None, None
    found = to_ranges(ages[0].labels)
    fits = found.fits
    if found.of != "numbers" or fits.mean() < _MOSTLY:
        return None, None
    first = np.where(found.holds_low, np.floor(found.low), np.floor(found.low) + 1)[fits]
    last = np.where(found.holds_high, np.floor(found.high), np.ceil(found.high) - 1)[fits]
    low, high = float(first.min()), float(last.max())
    if low > high or not all(0 <= end <= _OLDEST for end in (low, high) if math.isfinite(end)):
        return None, None
    return (int(low) if math.isfinite(low) else None), (int(high) if math.isfinite(high) else None)


def _is_in_years(column: ListedColumn) -> bool:
    named = column.looks.named
    if named is None or named.key != "age":
        return False
    words = {*name_tokens(column.name), *name_tokens(column.described.title)}
    unit = {*name_tokens(column.described.unit)}
    return not words & _NO_YEARS and (not unit or bool(unit & _YEARS))


def code_systems(columns: Sequence[ListedColumn]) -> tuple[str, ...]:
    """The names of the systems whose codes leave, each once; of those alone that the platform's list has."""
    keys = [column.system.key for column in columns if column.system is not None]
    return tuple(dict.fromkeys(SYSTEMS[key] for key in keys if key in SYSTEMS))


def code_values(columns: Sequence[ListedColumn]) -> tuple[str, ...]:
    """The codes that are listed, system by system, such as ``ICD-10: I10, I50``; the first of many."""
    by_system: dict[str, list[str]] = {}
    for column in columns:
        if column.system is not None and column.system.key in SYSTEMS and column.labels:
            fits = column.system.fits(column.labels)
            codes = [text for text, fit in zip(column.texts, fits, strict=True) if fit]
            by_system.setdefault(SYSTEMS[column.system.key], []).extend(codes)
    some = {system: list(dict.fromkeys(codes))[:MOST_CODES] for system, codes in by_system.items() if codes}
    return tuple(f"{system}: {', '.join(codes)}" for system, codes in some.items())


def contents(columns: Sequence[ListedColumn]) -> tuple[str, ...]:
    """What the columns are by their names, such as ``ages`` and ``diagnoses``, each once."""
    kinds = [column.looks.named for column in columns if column.kind == "values"]
    return tuple(dict.fromkeys(kind.label for kind in kinds if kind is not None and kind.group in _SEARCHED))

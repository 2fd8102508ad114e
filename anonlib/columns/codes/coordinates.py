"""Coordinates in one cell, latitude and longitude in degrees, to fewer decimals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_FLOOR, Decimal

from anonlib.columns.codes.system import CodeSystem, Groups

_NUMBER = r"[+-]?\d{1,3}(?:\.\d{1,15})?"
_PAIR = re.compile(rf"\(?\s*({_NUMBER})(?:\s*[,;]\s*|\s+)({_NUMBER})\s*\)?", re.ASCII)
_STEPS = (Decimal("0.01"), Decimal("0.1"), Decimal(1))
_FEWEST = 3  # decimals of both numbers in most pairs that tell by themselves


def _pair(text: str) -> Groups | None:
    match = _PAIR.fullmatch(text.strip())
    if match is None:
        return None
    latitude, longitude = Decimal(match[1]), Decimal(match[2])
    if abs(latitude) > 90 or abs(longitude) > 180:
        return None
    labels = []
    for step in _STEPS:  # each from the one before, so that levels are nested
        latitude, longitude = _rounded(latitude, step), _rounded(longitude, step)
        labels.append(f"{latitude}, {longitude}")
    return tuple(labels)


def _rounded(number: Decimal, step: Decimal) -> Decimal:
    """To multiples of a step, halves up, as :class:`anonlib.coarsening.recoding.Rounding` does; never -0."""
    return (number + step / 2).quantize(step, ROUND_FLOOR) + 0


def _tell_by_themselves(values: Sequence[str]) -> bool:
    """Whether both numbers of most values have decimals as only places have."""
    fine = [value for value in values if all(len(part) >= _FEWEST for part in re.findall(r"\.(\d+)", value))]
    return 2 * sum(value.count(".") == 2 for value in fine) > len(values)


COORDINATES = (
    CodeSystem(
        "coordinate-pairs", "coordinates", ("hundredths of a degree", "tenths of a degree", "whole degrees"), _pair,
        ("coordinates", "coordinate", "coords", "geo location", "geolocation", "gps", "lat lon", "lat long", "latlon",
         "latlng", "koordinaten", "coordonnees", "coordenadas"),
        _tell_by_themselves, kind="coordinates",
    ),
)  # fmt: skip

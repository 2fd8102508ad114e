"""What each reader of outlines gives, and the words and the text of cells that they share."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.basics.words import count, singular

FORMATS = "GeoPackage, GeoJSON or zipped Shapefile, or as a table with coordinates"
"""What to export areas as, for sentences."""


@dataclass(frozen=True, eq=False)
class Layer:
    """One layer: a row of text an area, its geometry (None in a table) and what was assumed."""

    table: pd.DataFrame
    geometry: gpd.GeoSeries | None
    notes: tuple[str, ...] = ()


def text_column(values: Iterable[Any]) -> np.ndarray:
    """Cells as text: whole numbers without a point, blank and missing ones None."""
    return np.array([*map(_text, values), None], dtype=object)[:-1]  # the None keeps it one-dimensional


def _text(value: Any) -> str | None:
    if isinstance(value, str):
        written = value if value.isascii() else value.encode("utf-8", "replace").decode()  # lone surrogates
        return written if written.strip() else None
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if number != number:
            return None
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    return None if isinstance(value, bytes) else str(value)


def only_one(layers: list[str], what: str) -> str:
    """The one layer there is. Raises InputError, naming them, when there are several, or none."""
    if not layers:
        raise InputError(
            f"The file holds no areas: every {singular(what)} of it is empty. Export it again.",
            code="file-without-records",
        )
    if len(layers) > 1:
        shown = ", ".join(f"“{name[:60]}”" for name in layers[:8]) + (", …" if len(layers) > 8 else "")
        raise InputError(
            f"The file holds {count(len(layers), what)}: {shown}. Export the one with the areas alone.",
            code="file-of-several-layers",
        )
    return layers[0]

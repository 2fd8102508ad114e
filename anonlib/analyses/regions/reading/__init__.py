"""From a file to areas: opening it, saying which column is which, and points in metres."""

from anonlib.analyses.regions.reading.opening import AreaFile, open_areas
from anonlib.analyses.regions.reading.places import (
    AreaColumns,
    areas_from_geodataframe,
    areas_of,
    suggest_area_column,
    suggest_columns,
)

__all__ = [
    "AreaColumns",
    "AreaFile",
    "areas_from_geodataframe",
    "areas_of",
    "open_areas",
    "suggest_area_column",
    "suggest_columns",
]

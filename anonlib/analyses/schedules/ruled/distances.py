"""How far people are from slots: on the globe from latitude and longitude, in the plane from projected coordinates."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.basics.words import quoted, singular

Metric = Literal["sphere", "plane"]
EARTH_KM = 6371.0088  # mean radius (IUGG)


def checked_points(points: np.ndarray | pd.DataFrame, n: int, noun: str, metric: str) -> np.ndarray:
    """(n, 2) coordinates: degrees of latitude and longitude ("sphere"), or metres ("plane").

    Raises
    ------
    InputError
        Naming the position of the first that is missing or cannot be on the globe.
    """
    if metric not in get_args(Metric):
        raise InputError(f"The metric must be {quoted(get_args(Metric), 'or')}.", code="choice-unknown")
    single = singular(noun)
    try:
        array = pd.DataFrame(points).to_numpy(dtype=float, na_value=np.nan)
    except (TypeError, ValueError):
        raise InputError(f"The coordinates must be two numbers for each {single}.", code="coordinates-wrong") from None
    if array.shape != (n, 2):
        raise InputError(
            f"There must be two coordinates for each {single}, of which there are {n:,}.", code="list-of-other-length"
        )
    _refuse(~np.isfinite(array).all(axis=1), single, "are missing. Give it some, or leave it out.")
    if metric == "sphere":
        latitude, longitude = np.abs(array).T
        swapped = bool((latitude > 90).any() and (longitude <= 90).all() and (latitude <= 180).all())
        _refuse(
            latitude > 90, single, "have a latitude beyond 90 degrees. Latitude comes first"
            + ("; it seems that longitude does." if swapped else ", then longitude. Those in metres are of a plane."),
        )  # fmt: skip
        _refuse(longitude > 180, single, "have a longitude beyond 180 degrees. Use -180 to 180, latitude first.")
    return array


def _refuse(wrong: np.ndarray, noun: str, sentence: str) -> None:
    if wrong.any():
        raise InputError(
            f"The coordinates of {noun} {int(np.flatnonzero(wrong)[0]) + 1} {sentence}", code="coordinates-wrong"
        )


def kilometres(people: np.ndarray, slots: np.ndarray, metric: str) -> np.ndarray:
    """(G, R) the distance of each group from each slot: along a great circle (haversine), or straight."""
    if metric == "plane":
        return np.hypot(*(np.subtract.outer(people[:, i], slots[:, i]) for i in (0, 1))) / 1000
    (latitude, longitude), (slot_latitude, slot_longitude) = np.radians(people).T, np.radians(slots).T
    halved = np.sin(np.subtract.outer(latitude, slot_latitude) / 2) ** 2
    halved += np.outer(np.cos(latitude), np.cos(slot_latitude)) * (
        np.sin(np.subtract.outer(longitude, slot_longitude) / 2) ** 2
    )
    return 2 * EARTH_KM * np.arcsin(np.sqrt(np.clip(halved, 0, 1)))

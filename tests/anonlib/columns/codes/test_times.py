"""Times of day, and coordinates in one cell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.hierarchies.builders import coordinate_levels
from anonlib.coarsening.recoding import Rounding
from anonlib.columns.codes.coordinates import COORDINATES
from anonlib.columns.codes.times import TIMES
from anonlib.values.cells import to_numbers
from tests.helpers.examples import settings

SYSTEMS = (*TIMES, *COORDINATES)
BY_KEY = {system.key: system for system in SYSTEMS}
DEGREES = st.decimals(-90, 90, places=4) | st.decimals(-90, 90, places=2) | st.integers(-90, 90)


@given(st.times())
def test_the_parts_of_a_day_hold_the_time(time):
    for label in BY_KEY["time-of-day"].groups_of(time.isoformat()) or ("",):
        first, last = label.split("-")
        assert first <= time.strftime("%H:%M") <= last


def test_hours():
    labels = BY_KEY["hour-of-day"].labels(["0", "5", "06", "17", "18", "24"], "parts of six hours").tolist()
    assert labels == ["00:00-05:59", "00:00-05:59", "06:00-11:59", "12:00-17:59", "18:00-23:59", "24"]


@given(DEGREES, DEGREES)
def test_pairs_are_rounded_as_numbers_are(latitude, longitude):
    groups = BY_KEY["coordinate-pairs"].groups_of(f"{latitude}, {longitude}")
    assert groups is not None
    for step, (to, first) in enumerate([(0.01, ()), (0.1, (0.01,)), (1, (0.01, 0.1))]):
        expected = to_numbers(Rounding(to, first).labels([str(latitude), str(longitude)]))
        np.testing.assert_array_equal([float(part) for part in groups[step].split(", ")], expected)


# ---- Columns of one coordinate ----


@pytest.mark.parametrize(
    ("texts", "steps"),
    [
        (["52.5200", "48.1372"], [0.01, 0.1, 1]),
        (["52.52", "48.14"], [0.1, 1]),
        (["52.5", "48.1", "n/a"], [1]),
        (["52", "48"], []),
        (["5821934.1", "392011.5"], []),  # metres
        (["n/a"], []),
    ],
)
def test_levels_of_a_coordinate(texts: list[str], steps: list[float]):
    levels = coordinate_levels(to_numbers(texts))
    assert [level.to for level in levels if isinstance(level, Rounding)] == steps


@given(st.lists(DEGREES.map(str), unique=True, min_size=1, max_size=20))
@settings(60)
def test_levels_of_a_coordinate_are_nested(texts: list[str]):
    Hierarchy(coordinate_levels(to_numbers(texts))).on(texts)

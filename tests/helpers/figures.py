"""What every figure is held to, and how it is looked into."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import pytest

from anonlib.plots.theme import DARK, LIGHT

THEMES = pytest.mark.parametrize(("dark", "colours"), [(False, LIGHT), (True, DARK)], ids=["light", "dark"])
FETCHING = {"choropleth", "scattergeo", "scattermap", "scattermapbox", "choroplethmap", "choroplethmapbox", "image"}
MOST = 500_000  # bytes of a figure on its way to the browser
HOSTILE = '<img src="http://example.com/a.png"><b>x</b><a href="http://example.com">y</a>&lt;'


def decoded(value: Any) -> Any:
    """A figure's JSON with its packed arrays as lists."""
    if isinstance(value, dict) and "bdata" in value:
        numbers = np.frombuffer(base64.b64decode(value["bdata"]), np.dtype(value["dtype"]))
        shape = [int(size) for size in str(value["shape"]).split(",")] if "shape" in value else [-1]
        return numbers.reshape(shape).tolist()
    if isinstance(value, dict):
        return {key: decoded(item) for key, item in value.items()}
    return [decoded(item) for item in value] if isinstance(value, list) else value


def sent(chart: Any) -> dict:
    """What the browser gets."""
    return decoded(json.loads(chart.to_json()))


def texts_of(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts_of(item)]
    if isinstance(value, list):
        return [text for item in value for text in texts_of(item)]
    return [value] if isinstance(value, str) else []

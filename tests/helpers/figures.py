"""What every figure is held to, and how it is looked into."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
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


MARKUP = re.compile(r"</?(?:b|i|br|extra)>|<span style='[\w:.#;-]+'>|</span>")
"""What our figures mark up themselves; a name that is not escaped has more than this."""


def check_names_are_text(*charts: Any, shown: str = "img") -> None:
    """A name such as :data:`HOSTILE` is shown, and as text: Plotly makes markup of tags in labels and hover texts."""
    for chart in charts:
        texts = texts_of(sent(chart))
        assert any(shown in text.lower() for text in texts), "the name is shown"
        assert not (more := [text for text in texts if {"<", ">"} & set(MARKUP.sub("", text))]), more
        assert not FETCHING & {trace.type for trace in chart.data}


def check_is_small_and_asks_nobody(*charts: Any) -> None:
    """A figure of plain names is sent at once, and names no other host."""
    for chart in charts:
        text = chart.to_json()
        assert len(text) < MOST and "//" not in text
        assert not FETCHING & {trace.type for trace in chart.data}
        assert not {"images", "mapbox", "map", "geo"} & set(json.loads(text)["layout"])


def contrast(*two: str | Sequence[float]) -> float:
    """How far two colours are apart, by WCAG 2.1; each as ``#rrggbb`` or its three channels."""

    def luminance(colour: str | Sequence[float]) -> float:
        channels = [int(colour[i : i + 2], 16) for i in (1, 3, 5)] if isinstance(colour, str) else colour
        linear = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in channels)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dim, light = sorted(map(luminance, two))
    return (light + 0.05) / (dim + 0.05)

"""The cells of a still picture: Plotly's heatmap, with the scale of its colours."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any

import numpy as np

from anonlib.plots.still import axes
from anonlib.plots.still.axes import Axis, Span
from anonlib.plots.still.paint import drawn, each, number, on_scale, painted, read, width
from anonlib.plots.theme import LIGHT, rgb

MOST_DRAWN = 400  # cells that are drawn one by one; more are an image inside the picture
_OVER = 0.4  # pixels by which cells without a gap reach over one another, so that no ground shines through
_BAR, _GAP = 10, 12  # pixels: how wide the scale is, and how far from the cells


def edges(trace: dict[str, Any], x: Axis, y: Axis) -> tuple[np.ndarray, np.ndarray]:
    """The sides of the columns and of the rows, in the units of the axes: one more than there are of each."""
    rows, columns = np.shape(trace["z"])
    return _edges(trace, "x", columns, x), _edges(trace, "y", rows, y)


def _edges(trace: dict[str, Any], name: str, n: int, axis: Axis) -> np.ndarray:
    given = trace.get(name)
    if given is None:
        step, first = float(trace.get(f"d{name}") or 1), float(trace.get(f"{name}0") or 0)
        return first + step * (np.arange(n + 1) - 0.5)
    middles = axis.own(given)
    if len(middles) == 1:
        return np.array([middles[0] - 0.5, middles[0] + 0.5])
    between = (middles[1:] + middles[:-1]) / 2
    return np.concatenate([[2 * middles[0] - between[0]], between, [2 * middles[-1] - between[-1]]])


def spans(trace: dict[str, Any], x: Axis, y: Axis) -> tuple[Span, Span]:
    """What it needs of its axes."""
    across, up = edges(trace, x, y)
    return (across.min(), across.max(), 0.0), (up.min(), up.max(), 0.0)


def svg(trace: dict[str, Any], x: Axis, y: Axis, size: float) -> tuple[str, str]:
    """The cells, and what is written in them."""
    z = np.asarray(trace["z"], dtype=float)
    across, up = edges(trace, x, y)
    left, top = x.pixel(across), y.pixel(up)
    low, high = _ends(trace, z)
    known = np.isfinite(z)
    part = np.where(known, (z - low) / (high - low or 1), 0)
    # 64 shades are more than an eye tells apart, and keep the picture small.
    shades = on_scale(trace["colorscale"], np.arange(65) / 64)
    shade = np.rint(64 * np.clip(part, 0, 1)).astype(int)
    gaps = float(trace.get("xgap") or 0), float(trace.get("ygap") or 0)
    if known.sum() > MOST_DRAWN:
        cells = _image(shade, known, shades, left, top, gaps[1])
    else:
        cells = "".join(
            _cell(left, top, int(row), int(column), gaps, shades[shade[row, column]])
            for row, column in zip(*np.nonzero(known), strict=True)
        )
    return cells, _numbers(trace, z, left, top, size)


def _ends(trace: dict[str, Any], z: np.ndarray) -> tuple[float, float]:
    low, high = trace.get("zmin"), trace.get("zmax")
    some = z[np.isfinite(z)]
    return (
        float(low if low is not None else some.min() if len(some) else 0),
        float(high if high is not None else some.max() if len(some) else 1),
    )


def _cell(left: np.ndarray, top: np.ndarray, row: int, column: int, gaps: tuple[float, float], colour: str) -> str:
    x0, x1 = sorted((left[column], left[column + 1]))
    y0, y1 = sorted((top[row], top[row + 1]))
    wide, high = (max(0.5, end - start - (gap or -_OVER)) for start, end, gap in ((x0, x1, gaps[0]), (y0, y1, gaps[1])))
    return (
        f'<rect x="{number(x0 + gaps[0] / 2)}" y="{number(y0 + gaps[1] / 2)}" width="{number(wide)}" '
        f'height="{number(high)}" {painted(colour, "fill")}/>'
    )


def _image(
    shade: np.ndarray, known: np.ndarray, shades: list[str], left: np.ndarray, top: np.ndarray, gap: float
) -> str:
    """Cells of equal size as an image, and the gaps between its rows."""
    pixels = np.where(known, shade, len(shades)).astype(np.uint8)
    pixels = pixels[:, :: 1 if left[0] < left[-1] else -1][:: 1 if top[0] < top[-1] else -1]
    x, y, wide, high = min(left[0], left[-1]), min(top[0], top[-1]), abs(left[-1] - left[0]), abs(top[-1] - top[0])
    packed = base64.b64encode(_png(pixels, shades)).decode("ascii")
    image = (
        f'<image x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}" '
        f'preserveAspectRatio="none" image-rendering="optimizeSpeed" style="image-rendering:pixelated" '
        f'href="data:image/png;base64,{packed}"/>'
    )
    lines = "".join(f"M{number(x)} {number(at)}h{number(wide)}" for at in top) if gap else ""
    return image + (
        f'<path d="{lines}" {painted(LIGHT.ground, "stroke")} stroke-width="{number(gap)}"/>' if gap else ""
    )


def _png(pixels: np.ndarray, colours: list[str]) -> bytes:
    """An image of numbers of colours, rows x columns, as a PNG file; the number behind the last is nothing at all."""
    rows, columns = pixels.shape
    lines = b"".join(b"\0" + line.tobytes() for line in pixels)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    parts = {
        b"IHDR": struct.pack(">IIBBBBB", columns, rows, 8, 3, 0, 0, 0),
        b"PLTE": bytes(part for colour in [*colours, colours[0]] for part in rgb(colour)),
        b"tRNS": bytes([255] * len(colours) + [0]),
        b"IDAT": zlib.compress(lines, 9),
        b"IEND": b"",
    }
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in parts.items())


def _numbers(trace: dict[str, Any], z: np.ndarray, left: np.ndarray, top: np.ndarray, size: float) -> str:
    template = trace.get("texttemplate")
    if not template:
        return ""
    if template != "%{text}":
        raise ValueError(f"no still picture has the cells' text {template}")
    font, texts = trace.get("textfont") or {}, trace["text"]
    big = size * each(font.get("size"), 1, 12)[0] / 12
    return "".join(
        drawn(
            read(texts[row][column]), (left[column] + left[column + 1]) / 2, (top[row] + top[row + 1]) / 2,
            size=big, colour=font.get("color") or "#000000", anchor="middle",
        )
        for row, column in zip(*np.nonzero(np.isfinite(z)), strict=True)
    )  # fmt: skip


# ---- the scale of the colours --------------------------------------------------------------------------------------


def has_scale(trace: dict[str, Any]) -> bool:
    """Whether a scale of colours stands beside a trace."""
    return trace.get("type") == "heatmap" and trace.get("showscale", True) is not False


def scale_room(trace: dict[str, Any], size: float) -> float:
    """Pixels that the scale takes beside the cells."""
    texts = [text for _, text in _scale_ticks(trace)]
    return _GAP + _BAR + 6 + max((width(read(text), size) for text in texts), default=0) + 1.6 * size


def _scale_ticks(trace: dict[str, Any]) -> list[tuple[float, str]]:
    low, high = _ends(trace, np.asarray(trace["z"], dtype=float))
    bar = trace.get("colorbar") or {}
    places, step = axes.even_ticks(low, high, 5)
    return [(float(place), axes.formatted(float(place), bar.get("tickformat"), step)) for place in places]


def scale(trace: dict[str, Any], left: float, top: float, bottom: float, colour: str, size: float) -> str:
    """The scale to the right of the cells: its colours, numbers and title."""
    low, high = _ends(trace, np.asarray(trace["z"], dtype=float))
    parts = 24
    shades = on_scale(trace["colorscale"], (np.arange(parts) + 0.5) / parts)
    tall = (bottom - top) / parts
    x = left + _GAP
    drawn_parts = [
        f'<rect x="{number(x)}" y="{number(bottom - (i + 1) * tall)}" width="{_BAR}" height="{number(tall + 0.4)}" '
        f"{painted(shade, 'fill')}/>"
        for i, shade in enumerate(shades)
    ]
    wide = 0.0
    for place, text in _scale_ticks(trace):
        label = read(text)
        wide = max(wide, width(label, size))
        y = bottom - (place - low) / (high - low or 1) * (bottom - top)
        drawn_parts.append(drawn(label, x + _BAR + 5, y, size=size, colour=colour))
    title = ((trace.get("colorbar") or {}).get("title") or {}).get("text")
    drawn_parts.append(
        drawn(
            read(title), x + _BAR + 9 + wide + size / 2, (top + bottom) / 2, size=size, colour=colour, anchor="middle",
            angle=90,
        )
    )  # fmt: skip
    return "".join(drawn_parts)

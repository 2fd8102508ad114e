"""Numbers on an axis: the formats of d3 that the figures use, and places of ticks that are easy to read."""

from __future__ import annotations

import math
import re

import numpy as np

_FORMAT = re.compile(r"(?P<sign>\+)?(?P<comma>,)?(?:\.(?P<digits>\d+))?(?P<trim>~)?(?P<kind>[dfgrp%])?")


def formatted(value: float, pattern: str | None, step: float | None = None) -> str:
    """A number as the label of a tick.

    Parameters
    ----------
    value : float
        The number.
    pattern : str | None
        A format of d3: a plus sign for numbers above 0, a comma for thousands, digits, ``~`` to drop zeros at the
        end, and the kind d, f, g, r, p or %.
        Without one, as many digits as the steps between ticks need.
    step : float, optional
        The step between ticks, for numbers without a format.

    Raises
    ------
    ValueError
        If the format is another.

    Examples
    --------
    >>> formatted(1234, ",d"), formatted(0.25, ".0%"), formatted(0.012345, ".3~p"), formatted(0.5, None, 0.25)
    ('1,234', '25%', '1.23%', '0.50')
    """
    if pattern is None:
        digits = max(0, -math.floor(math.log10(step) + 1e-9)) if step and step < 1 else 0
        digits += bool(step and step < 1 and abs(round(step, digits) - step) > 1e-9 * step)
        return _signed(f"{value:,.{digits}f}" if abs(value) >= 10_000 else f"{value:.{digits}f}")
    format_parts = _FORMAT.fullmatch(pattern)
    if not format_parts:
        raise ValueError(f"no still picture has the number format {pattern}")
    if format_parts["sign"]:
        return "+" * (value > 0) + formatted(value, pattern[1:], step)
    comma, trim, kind = format_parts["comma"] or "", format_parts["trim"], format_parts["kind"]
    places = 6 if format_parts["digits"] is None else int(format_parts["digits"])
    match kind:
        case "d":
            return _signed(f"{round(value):{comma}d}")
        case "%" | "p":
            part = 100 * value
            text = f"{part:{comma}.{places}f}" if kind == "%" else _significant(part, places, comma)
            return f"{_signed(_trimmed(text) if trim else text)}%"
        case "f":
            text = f"{value:{comma}.{places}f}"
        case "r":
            text = _significant(value, places, comma)
        case _:
            text = f"{value:{comma}.{places}g}"
    return _signed(_trimmed(text) if trim else text)


def _significant(value: float, digits: int, comma: str) -> str:
    """With so many significant digits, and never as a power."""
    if value == 0:
        return f"{0:.{digits - 1}f}"
    places = digits - 1 - math.floor(math.log10(abs(value)) + 1e-12)
    return f"{round(value, places):{comma}.{max(0, places)}f}"


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(text: str) -> str:
    text = text.removeprefix("-") if re.fullmatch(r"-0(\.0*)?", text) else text
    return text.replace("-", "\N{MINUS SIGN}")


def even_ticks(low: float, high: float, most: int) -> tuple[np.ndarray, float]:
    """Multiples of 1, 2 or 5 times a power of ten between two numbers, and their step.

    Parameters
    ----------
    low, high : float
        The ends of the axis.
    most : int
        About how many there may be.

    Returns
    -------
    float array, float
    """
    span = high - low
    if not span > 0:
        return np.array([low]), 1.0
    rough = span / max(1, most)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((power * factor for factor in (1, 2, 5) if power * factor >= 0.999 * rough), 10 * power)
    return stepped_ticks(low, high, 0.0, step), step


def stepped_ticks(low: float, high: float, first: float, step: float) -> np.ndarray:
    """All of ``first + n * step`` between two numbers."""
    n = np.arange(math.ceil((low - first) / step - 1e-9), math.floor((high - first) / step + 1e-9) + 1)
    return first + n * step


def log_ticks(low: float, high: float, room: int) -> np.ndarray:
    """1, 2 and 5 times each power of ten, where there is room; ``low``, ``high`` and the ticks are logarithms."""
    for factors in ((1, 2, 5), (1, 3), (1,)):
        exponents = np.array(
            [power + math.log10(factor) for power in range(math.floor(low), math.ceil(high) + 1) for factor in factors]
        )
        inside = exponents[(exponents >= low - 1e-9) & (exponents <= high + 1e-9)]
        if len(inside) <= room:
            return inside
    return inside[:: math.ceil(len(inside) / max(1, room))]

"""Checks of parameters that come from outside: a form, a recipe file, a caller."""

from __future__ import annotations

import math
from numbers import Integral, Real

from anonlib.errors import InputError


def text(value: object, what: str) -> str:
    """The value if it is text that can be written to a file; ``what`` names the parameter in the sentence."""
    if not isinstance(value, str):
        raise InputError(f"{what} must be text.")
    try:
        value.encode()
    except UnicodeEncodeError:  # a lone surrogate
        raise InputError(f"{what} holds characters that cannot be written.") from None
    return value


def number(value: object, what: str) -> float:
    """The value as a finite float."""
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            found = float(value)
        except OverflowError:
            found = math.inf
        if math.isfinite(found):
            return found
    raise InputError(f"{what} must be a number.")


def whole(value: object, what: str, least: int) -> int:
    """The value as an int that is at least ``least``."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise InputError(f"{what} must be a whole number, {least} or more.")
    return int(value)

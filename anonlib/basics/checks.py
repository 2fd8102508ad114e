"""Checks of parameters that come from outside: a form, a recipe file, a caller."""

from __future__ import annotations

import math
from numbers import Integral, Real

from anonlib.basics.errors import InputError


def text(value: object, what: str) -> str:
    """Check that a parameter is text that can be written to a file.

    Parameters
    ----------
    value : object
        The parameter.
    what : str
        Its name, as the subject of the sentence.

    Returns
    -------
    str
        The value.

    Raises
    ------
    InputError
        If it is no such text.
    """
    if not isinstance(value, str):
        raise InputError(f"{what} must be text.", code="not-a-text")
    try:
        value.encode()
    except UnicodeEncodeError:  # a lone surrogate
        raise InputError(f"{what} holds characters that cannot be written.", code="characters-not-writable") from None
    return value


def number(value: object, what: str) -> float:
    """Check that a parameter is a finite number.

    Parameters
    ----------
    value : object
        The parameter.
    what : str
        Its name, as the subject of the sentence.

    Returns
    -------
    float
        The value.

    Raises
    ------
    InputError
        If it is no finite number.
    """
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            as_float = float(value)
        except OverflowError:
            as_float = math.inf
        if math.isfinite(as_float):
            return as_float
    raise InputError(f"{what} must be a number.", code="not-a-number")


def whole(value: object, what: str, least: int) -> int:
    """Check that a parameter is a whole number that is large enough.

    Parameters
    ----------
    value : object
        The parameter.
    what : str
        Its name, as the subject of the sentence.
    least : int
        The smallest number allowed.

    Returns
    -------
    int
        The value.

    Raises
    ------
    InputError
        If it is no whole number, or below ``least``.
    """
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise InputError(f"{what} must be a whole number, {least} or more.", code="number-out-of-range")
    return int(value)

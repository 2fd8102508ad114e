"""How a date may be written: in which order its parts stand, and what stands around them."""

from __future__ import annotations

import re

_ZONE = r"(?:\s?(?:[Zz]|UTC|GMT|[+-]\d\d(?::?\d\d)?)(?:\[[\w/+-]+\])?)"
_NAMED_ZONE = r"(?:\s(?:[A-Z]{2,5}(?:[+-]\d{1,2})?|[A-Z][a-z]+(?:/[A-Z]\w+){1,2}))"
_CLOCK = r"(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,:]\d+)?)?(?:\s?[AaPp]\.?[Mm]\.?|\s?Uhr)?"
_DIGITS_OF_TIME = r"(?:[01]\d|2[0-4])[0-5]\d(?:[0-5]\d)?"
TIME = rf"(?P<time>(?:[Tt:]|,?\s+(?:at\s)?){_CLOCK}(?:{_ZONE}|{_NAMED_ZONE})?|{_ZONE})?"
_WEEKDAY = r"(?P<weekday>[^\W\d_]{2,10}[.,]*\s+)??"
_NAME = r"(?P<name>[^\W\d_]{3,10})"
_DAY = r"(?P<d>\d{1,2})"
_YEAR = r"(?P<y>\d{4})"
_OF = r"(?:\s(?:de|del|of|di)(?=\s)|\sd['’])?"

YEAR_FIRST = re.compile(rf"{_YEAR}(?P<mark>[-/.])(?P<m>\d{{1,2}})(?P=mark){_DAY}{TIME}")
IN_FIGURES = re.compile(rf"(?P<a>\d{{1,2}})(?P<mark>[-/.])\s?(?P<b>\d{{1,2}})(?P=mark)\s?(?P<y>\d{{4}}|\d\d){TIME}")
IN_DIGITS = re.compile(
    rf"(?P<digits>\d{{8}})(?P<time>[T ]?{_DIGITS_OF_TIME}(?:\.\d+)?{_ZONE}?|[T ]{_CLOCK}{_ZONE}?|\.0+)?"
)
_ORDINAL = r"(?P<ordinal>st|nd|rd|th|er)?"
DAY_AND_NAME = re.compile(
    rf"{_WEEKDAY}{_DAY}{_ORDINAL}[.º°]?{_OF}[\s/-]?{_NAME}\.?,?(?:\s(?:de|del|of|di)(?=\s))?[\s/-]?(?P<y>\d{{4}}|\d\d){TIME}"
)
NAME_AND_DAY = re.compile(rf"{_WEEKDAY}{_NAME}\.?[\s/-]?{_DAY}{_ORDINAL}(?:,\s?|[\s/-]){_YEAR}{TIME}")
YEAR_AND_NAME = re.compile(rf"{_YEAR}[\s/-]?{_NAME}\.?[\s/-]?{_DAY}{TIME}")

MIDNIGHT = re.compile(rf"[\sT:,]*(?:at\s)?(?:00?(?::?00){{1,2}}(?:[.,:]0+)?(?!\d)|12:00(?::00)?\s?[Aa]|{_ZONE}?$)")
"""How the time behind a date begins where it says nothing: midnight, or no more than a zone."""
_LONGEST = 60  # characters; a date with its time, zone and weekday has fewer
_DIGITS = re.compile(r"\d*")
_LEADING: dict[int, tuple[re.Pattern[str], ...]] = {
    0: (NAME_AND_DAY, DAY_AND_NAME),
    1: (IN_FIGURES, DAY_AND_NAME),
    2: (IN_FIGURES, DAY_AND_NAME),
    4: (YEAR_FIRST, YEAR_AND_NAME),
    8: (IN_DIGITS,),
    12: (IN_DIGITS,),
    14: (IN_DIGITS,),
}
"""The patterns that a text can have, by how many digits it begins with: a text is held against two at most."""


_DOTTED_CLOCK = re.compile(r"(?<=\s)(\d{1,2})\.(\d\d)\.(\d\d)(\.\d+)?(?=\s?[AaPp]\.?[Mm]\.?$|\s[+-]\d\d:\d\d$|$)")
TIME_ALONE = re.compile(rf"{TIME}|{_DIGITS_OF_TIME}")


def with_colons(text: str) -> str:
    """A moment as Oracle writes it, ``18-SEP-20 09.09.56.201477 AM``, with colons in its time; others as they are."""
    if " " not in text or "." not in text:
        return text
    return _DOTTED_CLOCK.sub(lambda clock: f"{clock[1]}:{clock[2]}:{clock[3]}{clock[4] or ''}", text)


def parted(text: str) -> tuple[str, str]:
    """The day of a moment and what stands behind it, which may be a time (:data:`TIME_ALONE`) or not; "" for none."""
    colon = text.find(":")
    if colon < 0:
        return (text[:8], text[8:]) if len(text) in (12, 14) and text.isdigit() else (text, "")
    starts = max(text.rfind(" ", 0, colon), text.rfind("T", 0, colon), text.rfind("t", 0, colon), 0)
    starts = starts if colon - starts <= 3 and starts else colon
    return text[:starts].removesuffix(" at").removesuffix(","), text[starts:]


def match_of(text: str) -> re.Match[str] | None:
    """The parts of a text that is written like a date, whether there is such a day or not; None for any other.

    Parameters
    ----------
    text : str
        Without blanks around it.
    """
    if not 6 <= len(text) <= _LONGEST or not text.isprintable():
        return None
    leading = _DIGITS.match(text)
    assert leading is not None
    for pattern in _LEADING.get(leading.end(), ()):
        if match := pattern.fullmatch(text):
            return match
    return None

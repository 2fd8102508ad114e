"""Times of day to hours and to parts of the day.

A label is a time of its system too, of the same part on every coarser level, so that levels stay nested whatever
stands in a column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from anonlib.columns.codes.system import CodeSystem, Groups

_TIME = re.compile(
    r"(?P<hour>\d{1,2})[:h](?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?\s*(?P<half>[ap]\.?m\.?)?"
    r"|(?P<alone>\d{1,2})\s*(?P<of>[ap]\.?m\.?)|(?P<plain>\d\d)(?P<plain_minute>\d\d)",
    re.ASCII | re.IGNORECASE,
)
_SPAN = re.compile(r"(\d\d):00-(\d\d):59", re.ASCII)
_FEWEST = 3  # times that tell by themselves
_HOURS = (1, 6, 12)  # of a span on each level


def _span(hour: int, length: int) -> str:
    """The part of the day of so many hours that an hour is in: ``12:00-17:59``."""
    first = hour - hour % length
    return f"{first:02d}:00-{first + length - 1:02d}:59"


def _spans(hour: int, last: int, lengths: tuple[int, ...]) -> Groups | None:
    """The part of each length that a time or a span of whole hours is in; a span that is longer is its own."""
    if not hour <= last < 24 or _span(hour, last - hour + 1) != f"{hour:02d}:00-{last:02d}:59":
        return None
    shortest = last - hour + 1
    return tuple(_span(hour, max(length, shortest)) for length in lengths) if shortest in _HOURS else None


_OF_HOUR = tuple(tuple(_span(hour, length) for length in _HOURS) for hour in range(24))


def _hour(match: re.Match[str]) -> int | None:
    """The hour of a time, 0 to 23; None where there is no such time."""
    hour = int(match["hour"] or match["alone"] or match["plain"])
    minute, second = int(match["minute"] or match["plain_minute"] or 0), int(match["second"] or 0)
    if minute > 59 or second > 59:
        return None
    half = (match["half"] or match["of"] or "").lower()
    if not half:
        return hour if hour < 24 else None
    return hour % 12 + (12 if half[0] == "p" else 0) if 1 <= hour <= 12 else None


def _time(text: str) -> Groups | None:
    text = text.strip()
    if span := _SPAN.fullmatch(text):
        return _spans(int(span[1]), int(span[2]), _HOURS)
    match = _TIME.fullmatch(text)
    hour = None if match is None else _hour(match)
    return None if hour is None else _OF_HOUR[hour]


def _hour_of_day(text: str) -> Groups | None:
    text = text.strip()
    if span := _SPAN.fullmatch(text):
        return _spans(int(span[1]), int(span[2]), _HOURS[1:])
    is_hour = text.isascii() and text.isdigit() and len(text) <= 2
    return _spans(int(text), int(text), _HOURS[1:]) if is_hour else None


def _tell_by_themselves(values: Sequence[str]) -> bool:
    """Whether values have a colon, and half of them two digits before it: 1:10 may be a share."""
    texts = [value.strip() for value in values]
    sure = [text for text in texts if text[2:3] == ":" or text[-1:].lower() in ("m", ".")]
    return len(texts) >= _FEWEST and all(":" in text for text in texts) and 2 * len(sure) >= len(texts)


_PARTS = ("parts of six hours", "halves of the day")
_OF_EVENTS = (
    "=hour", "hour day", "arrival hour", "admission hour", "admit hour", "discharge hour", "visit hour", "hour arrival",
    "hour admission", "hour discharge", "=uhrzeit", "=stunde", "aufnahmestunde", "entlassstunde", "=heure",
    "heure entree", "heure sortie", "heure arrivee", "=hora", "hora ingreso", "hora alta", "=uur",
)  # fmt: skip

TIMES = (
    CodeSystem(
        "time-of-day", "times of day", ("hours", *_PARTS), _time,
        ("time", "uhrzeit", "aufnahmezeit", "entlassungszeit", "heure", "hora", "tijd", "tijdstip", "opnametijd",
         "ontslagtijd", *_OF_EVENTS),
        _tell_by_themselves, kind="event_time",
    ),
    CodeSystem("hour-of-day", "hours of the day", _PARTS, _hour_of_day, _OF_EVENTS, kind="event_time"),
)  # fmt: skip

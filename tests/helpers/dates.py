"""Dates as files have them, each form written by plain code that reads nothing of ours."""

from __future__ import annotations

import calendar
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime

ENGLISH = "January February March April May June July August September October November December".split()
GERMAN = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
FRENCH = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()
FRENCH_PLAIN = "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre".split()
SPANISH = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
ITALIAN = "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split()
DUTCH = "januari februari maart april mei juni juli augustus september oktober november december".split()
GERMAN_SHORT = "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez".split()
FRENCH_SHORT = "janv févr mars avr mai juin juil août sept oct nov déc".split()
ITALIAN_SHORT = "gen feb mar apr mag giu lug ago set ott nov dic".split()


@dataclass(frozen=True)
class Form:
    """How a day is written; whether years stand in two digits, and whether its numbers alone say little."""

    name: str
    write: Callable[[date], str]
    two_digits: bool = False
    is_number: bool = False


def _sheet(day: date) -> str:
    return str((day - date(1899, 12, 30)).days)


def _unix(day: date) -> str:
    return str(calendar.timegm((day.year, day.month, day.day, 9, 30, 0)))


FORMS = (
    Form("iso", lambda d: d.isoformat()),
    Form("iso with a time", lambda d: f"{d.isoformat()} 08:30:15"),
    Form("iso with a zone", lambda d: f"{d.isoformat()}T08:30:15.250+02:00"),
    Form("iso in UTC", lambda d: datetime(d.year, d.month, d.day, 8, 30, tzinfo=UTC).isoformat()),
    Form("iso with a named zone", lambda d: f"{d.isoformat()} 08:30:15 Europe/Berlin"),
    Form("year first, with slashes", lambda d: f"{d.year}/{d.month:02}/{d.day:02}"),
    Form("German", lambda d: f"{d.day:02}.{d.month:02}.{d.year}"),
    Form("German without zeros", lambda d: f"{d.day}.{d.month}.{d.year}"),
    Form("German of two digits", lambda d: f"{d.day:02}.{d.month:02}.{d.year % 100:02}", two_digits=True),
    Form("US", lambda d: f"{d.month}/{d.day}/{d.year}"),
    Form("US of two digits", lambda d: f"{d.month:02}/{d.day:02}/{d.year % 100:02}", two_digits=True),
    Form("US with a time", lambda d: f"{d.month}/{d.day}/{d.year} 8:30 AM"),
    Form("British", lambda d: f"{d.day:02}/{d.month:02}/{d.year}"),
    Form("12-Mar-2021", lambda d: f"{d.day:02}-{ENGLISH[d.month - 1][:3]}-{d.year}"),
    Form("12-Mar-21", lambda d: f"{d.day:02}-{ENGLISH[d.month - 1][:3]}-{d.year % 100:02}", two_digits=True),
    Form("12MAR2021", lambda d: f"{d.day:02}{ENGLISH[d.month - 1][:3].upper()}{d.year}"),
    Form("12MAR2021:10:15:00", lambda d: f"{d.day:02}{ENGLISH[d.month - 1][:3].upper()}{d.year}:10:15:00"),
    Form("Mar 14, 2005", lambda d: f"{ENGLISH[d.month - 1][:3]} {d.day}, {d.year}"),
    Form("March 12, 2021", lambda d: f"{ENGLISH[d.month - 1]} {d.day}, {d.year}"),
    Form("12 March 2021", lambda d: f"{d.day} {ENGLISH[d.month - 1]} {d.year}"),
    Form("2021-Mar-12", lambda d: f"{d.year}-{ENGLISH[d.month - 1][:3]}-{d.day:02}"),
    Form("20210312", lambda d: f"{d.year}{d.month:02}{d.day:02}"),
    Form("20210312101500", lambda d: f"{d.year}{d.month:02}{d.day:02}101500"),
    Form("20210312.0", lambda d: f"{d.year}{d.month:02}{d.day:02}.0"),
    Form("12032021", lambda d: f"{d.day:02}{d.month:02}{d.year}"),
    Form("German in words", lambda d: f"{d.day}. {GERMAN[d.month - 1]} {d.year}"),
    Form("German, short", lambda d: f"{d.day:02}-{GERMAN_SHORT[d.month - 1]}-{d.year}"),
    Form("French in words", lambda d: f"{d.day} {FRENCH[d.month - 1]} {d.year}"),
    Form("French without accents", lambda d: f"{d.day} {FRENCH_PLAIN[d.month - 1]} {d.year}"),
    Form("French, short", lambda d: f"{d.day} {FRENCH_SHORT[d.month - 1]}. {d.year}"),
    Form("Spanish in words", lambda d: f"{d.day} de {SPANISH[d.month - 1]} de {d.year}"),
    Form("Italian in words", lambda d: f"{d.day} {ITALIAN[d.month - 1]} {d.year}"),
    Form("Italian, short", lambda d: f"{d.day:02}-{ITALIAN_SHORT[d.month - 1]}-{d.year}"),
    Form("Dutch in words", lambda d: f"{d.day} {DUTCH[d.month - 1]} {d.year}"),
    Form("day numbers of a spreadsheet", _sheet, is_number=True),
    Form("seconds since 1970", _unix, is_number=True),
)

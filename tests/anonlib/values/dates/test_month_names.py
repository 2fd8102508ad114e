"""Names of months are those of CLDR, in full and in short, and other ways to write them short."""

from __future__ import annotations

import pytest
from babel.dates import get_month_names

from anonlib.values.dates.month_names import month_of, months_in

LOCALES = {"English": "en", "German": "de", "French": "fr", "Spanish": "es", "Italian": "it", "Dutch": "nl"}


@pytest.mark.parametrize("context", ["format", "stand-alone"])
@pytest.mark.parametrize("language", LOCALES)
def test_names_are_those_of_cldr(language: str, context: str) -> None:
    in_full = get_month_names("wide", context, LOCALES[language])
    in_short = get_month_names("abbreviated", context, LOCALES[language])
    for month, names in enumerate(months_in(language), start=1):
        assert names[0] == in_full[month] and in_short[month].rstrip(".") in names
        assert {month_of(name) for name in names} == {month}


@pytest.mark.parametrize("locale", ["en_GB", "de_AT"])
def test_names_of_a_country_are_read(locale: str) -> None:
    for width in ("wide", "abbreviated"):
        for month, name in get_month_names(width, "format", locale).items():
            assert month_of(name.rstrip(".")) == month or name == "Jän."

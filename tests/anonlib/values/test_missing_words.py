"""Words, signs and dates that stand for "no value"."""

from __future__ import annotations

import pytest

from anonlib.values.missing_words import is_far_date, is_missing_word, means_missing


@pytest.mark.parametrize("cell", [
    "#NV", "#WERT!", "#BEZUG!", "inconnu", "Non renseigné", "sin dato", "NS/NC", "brak danych", "okänd", "onbekend",
    "(n/a)", "não informado", "sconosciuto", "#SAKNAS!", "k. A.",
])  # fmt: skip
def test_words_in_nine_languages_and_errors_of_formulas(cell):
    assert is_missing_word(cell) and means_missing(cell)


def test_a_sign_of_no_list_says_nothing_of_an_age_and_may_be_a_result():
    assert means_missing("++") and not is_missing_word("++")
    assert not is_missing_word("positive") and not means_missing("95")


@pytest.mark.parametrize("cell", [
    "9999-12-31", "31.12.9999", "12/31/9999", "9999-12-31 00:00:00", "9999-12-31T23:59:59.999999", "01.01.1900",
    "1900-01-01 00:00", "31.12.2999", "0001-01-01", "99991231", "2099-12-31",
])  # fmt: skip
def test_far_dates(cell):
    assert is_far_date(cell)


@pytest.mark.parametrize("cell", ["01.01.1901", "2021-12-31", "73211009", "1900-01-01 10:15", "31.12.99", "9999", ""])
def test_dates_and_numbers_that_are_meant(cell):
    assert not is_far_date(cell)

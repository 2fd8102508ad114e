"""Amounts of money: the currency that a column writes beside its numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_SIGNS = r"(?:US|CA|A|NZ|HK|S|R)?\$|€|£|¥|₹|₽|₩|₺|₪|₫|₴|₦|zł|kr\.?|Kč|Ft|S?Fr\.|Rs\.?"
# Of ISO 4217 the commonest. INR, TRY and CAD are left out: a laboratory value, an attempt, a disease of the heart.
_CODES = (
    "AED AUD BGN BRL CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS ISK JPY KRW MXN MYR NOK NZD PHP PLN RON RUB SAR SEK SGD "
    "THB TWD UAH USD VND ZAR"
)
_MARK = rf"{_SIGNS}|{'|'.join(_CODES.split())}"
_NUMBER = r"\d[\d.,'’\s]*|\.\d+"
_AMOUNT = re.compile(
    rf"(?P<sign>[+-]?)\s*(?P<before>{_MARK})\s*(?P<first>[+-]?(?:{_NUMBER}))|"
    rf"(?P<last>[+-]?(?:{_NUMBER}))(?P<after>{_MARK})"
)
_A_LOOK = 64  # texts, which show columns that are plainly something else
_MOSTLY = 0.9  # share of the texts that must be amounts of one currency


def currency_of(texts: Sequence[str]) -> str | None:
    """The currency that nearly all texts name beside a number, as they write it; None where there is none, or several.

    Parameters
    ----------
    texts : Sequence[str]
        Without blanks around them.

    Examples
    --------
    >>> currency_of(["$1,234.50", "$80"]), currency_of(["1.234,50 €", "n/a"]), currency_of(["$5", "5 €"])
    ('$', None, None)
    """
    some = texts[:: max(1, len(texts) // _A_LOOK)]
    if sum(_AMOUNT.fullmatch(text) is not None for text in some) < len(some) / 2:
        return None
    marks = Counter(mark for text in texts if (mark := _mark(text)))
    return next(iter(marks)) if len(marks) == 1 and marks.total() >= _MOSTLY * len(texts) else None


def without_currency(texts: Sequence[str]) -> Sequence[str]:
    """The texts without the currency, where nearly all have one and the same; else as they are.

    Parameters
    ----------
    texts : Sequence[str]
        Without blanks around them.
    """
    return texts if currency_of(texts) is None else [_number(text) for text in texts]


def _mark(text: str) -> str | None:
    match = _AMOUNT.fullmatch(text)
    return None if match is None else (match["before"] or match["after"]).rstrip(".")


def _number(text: str) -> str:
    match = _AMOUNT.fullmatch(text)
    if match is None:
        return text
    return (match["last"] or f"{match['sign']}{match['first']}").strip()

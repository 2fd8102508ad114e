"""Cell values as text, and the numeric, range and order views derived from them.

Every cell is read and kept as text, so that a ZIP code ``02138`` or an id of 17 digits stays what it is.
Each view below works on the distinct values of a column (its categories), never on its rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from anonlib.values.currency import without_currency
from anonlib.values.dates import to_dates
from anonlib.values.ranges import Ranges, ranges_of_months, ranges_of_numbers
from anonlib.values.scales import LONGEST, places_on_a_scale
from anonlib.values.text_order import arrow_texts, text_order

MISSING_LABEL = "(missing)"
"""How a missing value is written on screen. A cell that holds this very text is a value of its own."""

Values = Sequence[str] | np.ndarray | pd.Index
"""Distinct values of a column, as text."""

_POINT = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d{1,3}(['’]\d{3})+|\d+)(\.\d*)?([eE][+-]?\d+)?|[+-]?\.\d+([eE][+-]?\d+)?")
_COMMA = re.compile(r"[+-]?(\d{1,3}([.\s'’]\d{3})+|\d+)(,\d+)?")
_ISO_BEGINS = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:$|[T ])"
MOSTLY = 0.9
"""Share of a column's distinct values that must be of a kind for the column to be taken for one of it."""
_A_LOOK = 64  # values, which show columns that are plainly something else


def to_numbers(values: Values) -> np.ndarray:
    """The numeric view of a column's distinct values.

    Parameters
    ----------
    values : Values
        Distinct values. Thousands separators and the decimal mark (point or comma) are taken from whichever reading
        fits more of them; on a tie the point is the decimal mark. Where nearly all name one currency beside a number
        (``$1,234.50``, ``80 EUR``), they are its amounts.

    Returns
    -------
    float64 array
        NaN for a value that is not a finite number.

    Examples
    --------
    >>> to_numbers(["1,5", "2,25", "n/a"]).tolist()
    [1.5, 2.25, nan]
    """
    texts = [*map(str, values)]
    plain = _plain_numbers(texts)
    if plain is not None:
        return plain
    texts = [*without_currency([text.strip() for text in texts])]
    as_point = [_POINT.fullmatch(text) is not None for text in texts]
    as_comma = [_COMMA.fullmatch(text) is not None for text in texts]
    numbers = np.full(len(texts), np.nan)
    if sum(as_comma) > sum(as_point):
        for i in np.flatnonzero(as_comma):
            numbers[i] = float(re.sub(r"[.\s'’]", "", texts[i]).replace(",", "."))
    else:
        for i in np.flatnonzero(as_point):
            numbers[i] = float(re.sub("[,'’]", "", texts[i]))
    return np.where(np.isfinite(numbers), numbers, np.nan)


def _plain_numbers(texts: list[str]) -> np.ndarray | None:
    """The numbers, when every text is one without separators, blanks around it apart; None otherwise."""
    try:
        numbers = np.fromiter(map(float, texts), np.float64, len(texts))
    except ValueError:
        return None
    # Python also reads "nan", "inf" and "1_000" as numbers; those go the long way.
    return numbers if np.isfinite(numbers).all() and "_" not in "".join(texts) else None


def to_ranges(values: Values, numbers: np.ndarray | None = None) -> Ranges:
    """The view of a column's distinct values as ranges, of numbers or of months, whichever fits more of them.

    Parameters
    ----------
    values : Values
        Distinct values, such as ``[70-80)``, ``70-79``, ``70 to 79 years``, ``<5``, ``90 and over``; or ``2019-Q3``,
        ``2019-05``, ``Jan-Mar 2020``. Numbers among them are ranges of one number.
    numbers : np.ndarray, optional
        What :func:`to_numbers` gives of them, where it is at hand.

    Returns
    -------
    Ranges
        NaN for a value that is none, and for what may be a code: ``3-1``, ``123-456``, ``37203-1234``, ``2019-05-03``.

    Examples
    --------
    >>> found = to_ranges(["<5", "5-9", "10+", "n/a"])
    >>> found.low.tolist(), found.high.tolist()
    ([-inf, 5.0, 10.0, nan], [5.0, 9.0, inf, nan])
    """
    texts = [str(value).strip() for value in values]
    of_numbers = ranges_of_numbers(texts, to_numbers(texts) if numbers is None else numbers)
    others = [text for text, fits in zip(texts, of_numbers.fits, strict=True) if not fits]
    if not ranges_of_months(others).fits.any():
        return of_numbers
    of_months = ranges_of_months(texts)
    return of_months if of_months.fits.sum() > of_numbers.fits.sum() else of_numbers


def are_ranges(ranges: Ranges) -> bool:
    """Whether a column is one of ranges: nearly all values are ranges or numbers, and one at least is no number."""
    return bool(ranges.is_range.any() and ranges.fits.mean() >= MOSTLY)


def ranges_or_none(values: Values) -> Ranges | None:
    """The ranges of a column that is one of ranges, None of any other: a look at some values spares the rest of many.

    Parameters
    ----------
    values : Values
        Distinct values.
    """
    some = values[:: max(1, len(values) // _A_LOOK)]
    if not _may_be_ranges([str(value) for value in some]):
        return None
    ranges = to_ranges(values)
    return ranges if are_ranges(ranges) else None


def is_code(values: Values) -> bool:
    """Whether values are digits of one length above 3, some with a zero in front or all of five: codes, not amounts.

    Parameters
    ----------
    values : Values
        Distinct values.

    Examples
    --------
    >>> is_code(["02138", "90210"]), is_code(["1200", "3400"])
    (True, False)
    """
    if (
        not len(values)
        or not all(value.isascii() and value.isdigit() for value in values)
        or len({len(value) for value in values}) > 1
    ):
        return False
    length = len(values[0])
    return length > 3 and (length == 5 or any(value.startswith("0") for value in values))


def natural_order(values: Values) -> np.ndarray:
    """The order of a column's distinct values: by number if every value is one, by date, by a usual scale or as text.

    Ranges stand by their lower, then their upper end, and what few texts are among them behind them.

    Parameters
    ----------
    values : Values
        Distinct values.

    Returns
    -------
    intp array
        Positions that sort them; values of equal number, date or range are in the order of their text.

    Examples
    --------
    >>> natural_order(["10", "9", "100"]).tolist()
    [1, 0, 2]
    >>> natural_order(["10-14", "5-9", "90+", "<5"]).tolist()
    [3, 1, 0, 2]
    >>> natural_order(["severe", "mild", "moderate"]).tolist()
    [1, 2, 0]
    """
    texts = [str(value) for value in values]
    arrow = arrow_texts(texts)
    return _natural_order(texts) if arrow is None else arrow_order(arrow)


def arrow_order(texts: pa.Array) -> np.ndarray:
    """As :func:`natural_order`, of large strings of Arrow, which is quick with plain numbers, ISO dates and text."""
    # A look at the first few spares the long views of columns that are plainly text.
    first = texts[:_A_LOOK].to_pylist()
    if np.isnan(to_numbers(first)).any():
        if np.isnat(to_dates(first)).any():
            if _may_be_ranges(first):
                return _range_order(texts.to_pylist())
            return _word_order(first) if len(texts) <= LONGEST else text_order(texts)
        # Whether such texts are dates or not: their order is that of the texts.
        if pc.all(pc.match_substring_regex(texts, _ISO_BEGINS)).as_py():
            return text_order(texts)
    elif (numbers := _arrow_numbers(texts)) is not None:
        return _order_with_ties(numbers, texts)
    return _natural_order(texts.to_pylist())


def _natural_order(texts: list[str]) -> np.ndarray:
    if not texts:
        return np.zeros(0, dtype=np.intp)
    first = texts[:_A_LOOK]
    if not np.isnan(to_numbers(first)).any():
        numbers = to_numbers(texts)
        if not np.isnan(numbers).any():
            return _order_with_ties(numbers, texts)
        return _range_order(texts)
    elif not np.isnat(to_dates(first)).any():
        dates = to_dates(texts)
        if not np.isnat(dates).any():
            return _order_with_ties(dates, texts)
    elif _may_be_ranges(first):
        return _range_order(texts)
    return _word_order(texts) if len(texts) <= LONGEST else text_order(texts)


def _word_order(texts: list[str]) -> np.ndarray:
    """The order of a scale of words, where a few texts are on one; that of texts elsewhere."""
    by_text = text_order(texts)
    places = places_on_a_scale(texts)
    return by_text if places is None else by_text[np.argsort(places[by_text], kind="stable")]


def _may_be_ranges(first: list[str]) -> bool:
    """Whether half of some texts are ranges or numbers: then it is worth while to look at all."""
    ranges = to_ranges(first)
    return bool(2 * ranges.fits.sum() >= len(first))


def _range_order(texts: list[str]) -> np.ndarray:
    """The order of ranges; that of texts where too few of them are any."""
    by_text = text_order(texts)
    ranges = to_ranges(np.array(texts, dtype=object)[by_text])
    return by_text[ranges.order()] if are_ranges(ranges) else by_text


def _arrow_numbers(texts: pa.Array) -> np.ndarray | None:
    """The numbers, when Arrow reads every text as one: what it reads and is finite, Python reads alike."""
    try:
        numbers = texts.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowException:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _order_with_ties(keys: np.ndarray, texts: Sequence[str] | pa.Array) -> np.ndarray:
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    if (ordered[1:] != ordered[:-1]).all():
        return order
    rank = np.empty(len(keys), dtype=np.intp)
    rank[text_order(texts)] = np.arange(len(keys))
    return np.lexsort((rank, keys))


def text_categorical(values: pd.Series | pd.Categorical | Sequence[Any]) -> pd.Categorical:
    """A column as a categorical of text in natural order, which every column of a data set is.

    Parameters
    ----------
    values : pd.Series | pd.Categorical | Sequence
        One item a record. Values that are not text are written as Python writes them (``2.0`` stays ``2.0``).

    Returns
    -------
    Categorical
        Missing values have code -1; categories that no row has are dropped.
    """
    if isinstance(values, pd.Series) and isinstance(values.dtype, pd.CategoricalDtype):
        values = values.array
    codes: np.ndarray
    labels: np.ndarray | pd.Index
    if isinstance(values, pd.Categorical):
        codes, labels = np.asarray(values.codes), values.categories.to_numpy(dtype=object)
    else:
        codes, labels = pd.factorize(pd.Series(values, dtype=object).to_numpy())
    if set(map(type, labels)) <= {str}:
        return coded_categorical(codes, labels)
    # Labels of several types may have one text (1 and "1"): one category each text.
    index: dict[str, int] = {}
    place = np.fromiter((index.setdefault(str(label), len(index)) for label in labels), np.intp, len(labels))
    return coded_categorical(np.append(place, -1)[codes], np.array([*index, None], dtype=object)[:-1])


def coded_categorical(codes: np.ndarray, texts: pa.Array | np.ndarray) -> pd.Categorical:
    """A categorical of text in natural order, from codes into texts.

    Parameters
    ----------
    codes : np.ndarray
        One integer a record: the place of its text, -1 where it is missing.
    texts : pa.Array | np.ndarray
        Distinct texts (large strings of Arrow, or objects); those that no record has are dropped.

    Returns
    -------
    Categorical
        As of :func:`text_categorical`.
    """
    used = np.bincount(codes[codes >= 0] if codes.size and codes.min() < 0 else codes, minlength=len(texts)) > 0
    occurring = np.flatnonzero(used)  # the order is theirs alone: one text among numbers would change it
    if len(occurring) < len(texts):
        texts = texts.take(occurring)
    arrow = texts if isinstance(texts, pa.Array) else arrow_texts(texts)
    order = _natural_order(list(texts)) if arrow is None else arrow_order(arrow)
    rank = np.full(len(used) + 1, -1, dtype=np.int32)
    rank[occurring[order]] = np.arange(len(order), dtype=np.int32)
    ordered = texts.take(order)
    labels = ordered.to_numpy(zero_copy_only=False) if isinstance(ordered, pa.Array) else ordered
    return pd.Categorical.from_codes(rank[codes], dtype=_text_dtype(labels), validate=False)


def _text_dtype(labels: np.ndarray) -> pd.CategoricalDtype:
    """The dtype of categories that are known to be distinct: finding it out again takes seconds of millions."""
    index = pd.Index(labels, dtype="object")
    known = getattr(pd.CategoricalDtype, "_from_fastpath", None)
    return pd.CategoricalDtype(index, ordered=False) if known is None else known(index, ordered=False)


def order_of(texts: np.ndarray, stated: Sequence[str] | np.ndarray) -> np.ndarray:
    """The places of different texts in their order: those of a stated one as it has them, then others as is natural."""
    place = {text: i for i, text in enumerate(stated)}
    natural = natural_order(texts)
    return natural[np.argsort([place.get(text, len(place)) for text in texts[natural]], kind="stable")]

"""What the distinct values of a column look like together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.columns.free_text import FreeText, hold_identifiers, holds_sentences, look_inside
from anonlib.columns.identifiers.kinds import KINDS, Kind
from anonlib.columns.identifiers.names import kind_of_name
from anonlib.columns.identifiers.shapes import DIRECT, count_shapes, is_plausible, kind_of_shape
from anonlib.columns.identifiers.word_lists import YES_NO, kind_of_words
from anonlib.values.ages import ages_of
from anonlib.values.cells import are_ranges, to_numbers, to_ranges
from anonlib.values.dates import ENOUGH, Dates, NumberedDays, hold_parts, numbered_days, read_dates
from anonlib.values.naming import fold, words
from anonlib.values.person_numbers import kind_of_numbers, person_number_spans
from anonlib.values.ranges import Ranges, ranges_of_months

_ENOUGH = 0.8  # share of the values that must have one shape for the column to be of that kind
_ENOUGH_DIRECT = 0.5  # the same for shapes of direct identifiers, all taken together
_LONGEST = 500  # characters of a value that are looked at

_ROUND, _MOSTLY_ROUND = 50, 0.5  # multiples, and their share from which numbers are amounts

_FEWEST_AGES, _YOUNG, _GROWN_UP, _OLDEST = 4, 45, 60, 120  # ranges, and years: what ranges of ages reach over

_DIGITS_OF_AGES = frozenset("0123456789pP~≈")  # how an age with a unit begins

_EMBEDDED = re.compile(r"[^@\s]+@[^@\s]+\.\w{2,}|\b\d{3}-\d{2}-\d{4}\b|https?://|\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b")
_BY_SHAPE = DIRECT - {"titled"}  # what is called by a title, such as "Sr. Manager", is looked at by words
_CALLED_AFTER_PERSONS = frozenset(("city", "area", "region", "facility", "department", "education"))
_PHONE_IN_FIGURES = re.compile(r"0[1-9]\d{8,9}")
_FEWEST_OF_PHONES = 10  # digits
_MOST_STRAY = 0.5  # share of the values from which telephone numbers are codes
_NUMBER_OF_A_PERSON = re.compile(r"[\d-]{11,16}|[\d.]{7,15}")  # before shapes are looked at, which takes longer
_IN_FIGURES = words("ssn ip phone")

_PLAIN_NUMBER = frozenset("0123456789.,-")
_SIGNATURE = str.maketrans({**dict.fromkeys("0123456789", "0"), **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "A")})


@dataclass(frozen=True)
class Evidence:
    """What the distinct values of a column look like.

    Attributes
    ----------
    looked_at : int
        Distinct values looked at.
    kind : Kind, optional
        The kind of content they show, or None.
    share : float, default 0.0
        Share of the values looked at that show it, 0 to 1.
    direct_kind : Kind, optional
        The kind of direct identifier that most values have the shape of; None if none do.
    direct_share : float, default 0.0
        Share of the values with the shape of any direct identifier, 0 to 1.
    numbers : np.ndarray, optional
        The numeric view of the values looked at, ascending; None unless all are numbers.
    ranges : Ranges, optional
        The values looked at as ranges of numbers, such as ``[70-80)`` or ``90+``; None if none is.
    id_like : bool, default False
        One pattern of digits and letters throughout, or whole numbers without gaps.
    area_like : bool, default False
        One pattern of so many digits as codes of small areas have, and amounts hardly ever.
    yes_no : bool, default False
        Only values such as yes, no, 0, 1.
    inside : FreeText, optional
        What the texts hold, where the values are sentences rather than terms; else None.
    dates : Dates, optional
        The values looked at as dates, where the column is one of dates; else None.
    numbered : NumberedDays, optional
        Numbers as the dates that they may be by their range alone; else None.
    """

    looked_at: int
    kind: Kind | None = None
    share: float = 0.0
    direct_kind: Kind | None = None
    direct_share: float = 0.0
    numbers: np.ndarray | None = None
    ranges: Ranges | None = None
    id_like: bool = False
    area_like: bool = False
    yes_no: bool = False
    inside: FreeText | None = None
    dates: Dates | None = None
    numbered: NumberedDays | None = None

    @property
    def long_text(self) -> bool:
        """Whether the values are sentences rather than terms."""
        return self.inside is not None

    @property
    def direct(self) -> bool:
        """Whether the values point to persons by their shape alone; ``kind`` is then ``direct_kind``."""
        return self.direct_share >= _ENOUGH_DIRECT

    @property
    def whole(self) -> bool:
        """Whether all values are whole numbers."""
        return self.numbers is not None and bool((self.numbers == np.round(self.numbers)).all())


def evidence_of_values(values: Sequence[str], n_distinct: int | None = None) -> Evidence:
    """What the values of a column look like.

    Parameters
    ----------
    values : Sequence[str]
        Distinct values, or an even sample of them, in natural order.
    n_distinct : int, optional
        How many distinct values the column has, if ``values`` is a sample of them.

    Returns
    -------
    Evidence
    """
    whole = [str(value).strip() for value in values]
    texts = [text[:_LONGEST] for text in whole]
    if not texts:
        return Evidence(0)
    parsed = to_numbers(texts)
    numbers = None if np.isnan(parsed).any() else np.sort(parsed)
    shapes = count_shapes(texts, plain_numbers=numbers is not None and set("".join(texts)) <= _PLAIN_NUMBER)
    direct = Counter({shape: count for shape, count in shapes.items() if shape in DIRECT})
    direct_kind = kind_of_shape(max(direct, key=lambda shape: direct[shape])) if direct else None
    direct_share = direct.total() / len(texts)
    if (numbered_persons := kind_of_numbers(texts)) is not None:
        direct_kind, direct_share = KINDS[numbered_persons[0]], max(direct_share, numbered_persons[1])
    # A contact column holds e-mail addresses and phone numbers: together they identify.
    found = (direct_kind, direct_share) if direct_share >= _ENOUGH_DIRECT else None
    seen = None if found or numbers is not None else to_ranges(texts)
    ranges = seen if seen is not None and seen.of == "numbers" and seen.is_range.any() else None
    dates = None if found else read_dates(texts)
    kind, share = (
        found or _kind_of_dates(dates, seen, texts) or _kind_of_ranges(seen) or _kind_of_ages(texts, numbers)
        or _kind_of_shapes(shapes, texts)
        or _kind_of_words(texts) or (None, 0.0)
    )  # fmt: skip
    numbered = None if kind is not None else numbered_days(texts)
    is_text = numbers is None and found is None and holds_sentences(texts)
    return Evidence(
        looked_at=len(texts),
        kind=kind,
        share=share,
        direct_kind=direct_kind,
        direct_share=direct_share,
        numbers=numbers,
        ranges=ranges,
        id_like=not (ranges and are_ranges(ranges)) and _is_id_like(texts, numbers, n_distinct or len(texts)),
        area_like=_is_area_like(texts),
        yes_no=len(texts) <= 4 and all(fold(text).lower() in YES_NO for text in texts),
        inside=look_inside(whole, n_texts=n_distinct) if is_text else None,
        dates=dates if kind is not None and kind.group == "date" else None,
        numbered=numbered if numbered is not None and numbered.may_be_dates else None,
    )


def points_to_someone(values: Sequence[str], column: str = "") -> np.ndarray:
    """Which values have the shape of a direct identifier, or hold one among other words.

    Parameters
    ----------
    values : Sequence[str]
        Distinct values of a column.
    column : str, default ""
        Its name: towns and hospitals are called by names of persons.

    Returns
    -------
    ndarray of bool, an item a value
    """
    texts = [str(value).strip()[:_LONGEST] for value in values]
    if are_plain_numbers(texts):
        return _in_figures(texts)
    named = kind_of_name(column)
    found = hold_identifiers(texts, of_places=named is not None and named.key in _CALLED_AFTER_PERSONS)
    for i in np.flatnonzero(~found).tolist():
        shapes = count_shapes([texts[i]], plain_numbers=False)
        found[i] = not _BY_SHAPE.isdisjoint(shapes) or _EMBEDDED.search(texts[i]) is not None
    return found


def are_plain_numbers(values: Sequence[str]) -> bool:
    """Whether the values are made of figures, dots and dashes alone, in which little is looked for.

    Parameters
    ----------
    values : Sequence[str]
        Distinct values.

    Returns
    -------
    bool
    """
    return set("".join(values)) <= _PLAIN_NUMBER


def _in_figures(texts: list[str]) -> np.ndarray:
    """Of cells of figures, dots and dashes, those that have the shape of a number of a person, and stray telephones."""
    found = np.array([_NUMBER_OF_A_PERSON.fullmatch(text) is not None for text in texts], dtype=bool)
    for i in np.flatnonzero(found).tolist():
        found[i] = not _IN_FIGURES.isdisjoint(count_shapes([texts[i]], plain_numbers=False))
    if kind_of_numbers(texts) is not None:
        return np.ones(len(texts), dtype=bool)
    return found | _are_stray(texts)


def _are_stray(texts: list[str]) -> np.ndarray:
    """Telephone numbers in figures alone, with the zero in front, and numbers of persons, among shorter numbers."""
    found = np.array([_is_of_a_person(text) for text in texts], dtype=bool)
    others = [text for text, is_of_a_person in zip(texts, found.tolist(), strict=True) if not is_of_a_person]
    is_stray = bool(others) and found.mean() <= _MOST_STRAY and all(len(text) < _FEWEST_OF_PHONES for text in others)
    return found if is_stray else np.zeros(len(texts), dtype=bool)


def _is_of_a_person(text: str) -> bool:
    return _PHONE_IN_FIGURES.fullmatch(text) is not None or next(person_number_spans(text), None) is not None


def _kind_of_shapes(shapes: Counter[str], texts: list[str]) -> tuple[Kind, float] | None:
    """The kind that enough values show by their shape, and their share."""
    if shapes["zip"] and shapes["zip"] + shapes["postcode"] >= _ENOUGH * len(texts):
        shapes = Counter({"zip": shapes["zip"] + shapes["postcode"]})
    shape, count = max(shapes.items(), key=lambda item: item[1], default=("", 0))
    if count < _ENOUGH * len(texts) or not is_plausible(shape, texts):
        return None
    return kind_of_shape(shape), count / len(texts)


def _kind_of_dates(dates: Dates | None, ranges: Ranges | None, texts: list[str]) -> tuple[Kind, float] | None:
    """Dates, where enough values are days; months, quarters, weeks, and years beside days are dates as well."""
    if dates is None:
        return None
    known = ~np.isnat(dates.days)
    if known.any() and not dates.are_dates and ranges is not None:
        known |= ranges_of_months(texts).fits
    if known.mean() < ENOUGH:
        known |= hold_parts(texts)
    return (KINDS["event_date"], float(known.mean())) if known.mean() >= ENOUGH else None


def _kind_of_ranges(ranges: Ranges | None) -> tuple[Kind, float] | None:
    """Dates, of months; ages, where several ranges of whole numbers lie side by side, from 45 or below to 60 to 120."""
    if ranges is None or not are_ranges(ranges):
        return None
    if ranges.of == "months":
        return KINDS["event_date"], float(ranges.fits.mean())
    if ranges.overlap or ranges.is_range.sum() < _FEWEST_AGES:
        return None
    ends = np.concatenate([ranges.low[ranges.fits], ranges.high[ranges.fits]])
    ends = ends[np.isfinite(ends)]
    whole = bool((ends == np.floor(ends)).all())
    if not whole or ends.min() < 0 or not _GROWN_UP < ends.max() <= _OLDEST or np.sort(ends)[1] > _YOUNG:
        return None
    return KINDS["age"], float(ranges.fits.mean())


def _kind_of_ages(texts: list[str], numbers: np.ndarray | None) -> tuple[Kind, float] | None:
    """Ages with their units, as ``95 years`` and ``018M``, where they reach over 60 years: stays and courses do not."""
    if numbers is not None or not any(text[0] in _DIGITS_OF_AGES for text in texts):
        return None
    ages = ages_of(texts)
    with_unit = ages.is_read & ~ages.is_plain
    if with_unit.mean() < _ENOUGH or not (ages.low[ages.is_read] > _GROWN_UP).any():
        return None
    return KINDS["age"], float(with_unit.mean())


def _kind_of_words(texts: list[str]) -> tuple[Kind, float] | None:
    kind = kind_of_words(texts)
    return None if kind is None else (kind, 1.0)


def _is_id_like(texts: list[str], numbers: np.ndarray | None, n_distinct: int) -> bool:
    if numbers is not None:
        if not (numbers == np.round(numbers)).all() or len(numbers) < 2:
            return False
        if n_distinct >= 20 and numbers[-1] - numbers[0] + 1 <= 1.1 * n_distinct:
            return True
        if (numbers % _ROUND == 0).mean() > _MOSTLY_ROUND:
            return False  # amounts of money are rounded, and ids are not
    signature, count = _commonest_signature(texts)
    # Amounts of up to five digits are common; six and more, or three beside letters, are rarely amounts.
    enough_digits = signature.count("0") >= (6 if signature.strip("0") == "" else 3)
    return enough_digits and " " not in signature and "." not in signature and count >= 0.85 * len(texts)


def _is_area_like(texts: list[str]) -> bool:
    """Of census blocks and tracts, dissemination areas, output areas: eight digits, or six after a letter or a zero.

    Where zeros in front were lost the codes of some states are a digit shorter.
    """
    signature, count = _commonest_signature(texts)
    if signature.strip("0"):
        return re.fullmatch("A{1,2}0{6,}", signature) is not None and count >= 0.85 * len(texts)
    alike = [text for text in texts if text.isdigit() and abs(len(text) - len(signature)) <= 1]
    least = 6 if count == len(texts) and any(text.startswith("0") for text in texts) else 8
    return len(signature) >= least and len(alike) == len(texts) and count >= 0.5 * len(texts)


def _commonest_signature(texts: list[str]) -> tuple[str, int]:
    """The commonest pattern, 0 for a digit and A for a letter, and how many of the texts have it."""
    return Counter(text.lower().translate(_SIGNATURE) for text in texts).most_common(1)[0]

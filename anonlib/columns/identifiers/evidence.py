"""What the distinct values of a column look like, each by itself and together.

First comes the shape of a single value: e-mail address, telephone number, postcode and so on, but not dates. Then comes
what the values look like together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.columns.free_text import FreeText, hold_identifiers, holds_sentences, look_inside
from anonlib.columns.identifiers.kinds import KINDS, Kind
from anonlib.columns.identifiers.names import kind_of_name
from anonlib.columns.identifiers.word_lists import YES_NO, kind_of_words
from anonlib.values.ages import ages_of
from anonlib.values.cells import are_ranges, to_numbers, to_ranges
from anonlib.values.dates import ENOUGH, Dates, NumberedDays, hold_parts, numbered_days, read_dates
from anonlib.values.naming import fold, words
from anonlib.values.person_numbers import kind_of_numbers, person_number_spans
from anonlib.values.ranges import Ranges, ranges_of_months

_FIVE_DIGITS = r"\d{5}"
_TITLES = r"(?:(?:Dr|Prof|Drs|Mr|Mrs|Ms|Hr|Fr|Herr|Frau|Dra|Sra|Sr|Mme|Dott|Dhr|Mevr|lek|med|habil)\.? )+"
_SYSTOLIC, _DIASTOLIC = (60, 270), (25, 170)  # blood pressure, in mmHg
# Tried in this order; each a list of alternatives.
_SHAPES: dict[str, tuple[str, ...]] = {
    "email": (r"[^@\s,;]+@[^@\s,;]+\.[^@\s.,;]{2,}",),
    "url": (r"(?:https?|ftp)://\S+", r"www\.[^\s.]+\.\S+"),
    "mac": (r"(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}",),
    "ip": (
        r"(?!0\.)(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:[:/]\d{1,5})?",
        r"(?=.*::|(?:[^:]*:){7})[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:/\d{1,3})?",
    ),
    "uuid": (
        r"\{?[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\}?",
        r"(?=.*[a-fA-F])(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})",
    ),
    "ssn": (
        r"\d{3}-\d{2}-\d{4}",  # United States
        r"\d{3}-\d{3}-\d{3}",  # Canada
        r"\d{8}-?[A-Z]",  # Spain
        r"[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]",  # United Kingdom
    ),
    "phone": (
        r"\+\d[\d ()./-]{6,18}\d",
        r"(?:1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?: ?(?:x|ext\.?) ?\d{1,6})?",  # North America
        r"\d{3}-\d{4}",
        r"0\d(?:[ .-]\d{2}){4}",  # France
        r"(?:\(\d{2}\) ?|\d{2} )9\d{4}-\d{4}",  # Brazil
        r"3[2-9]\d[-/ ]\d{6,7}",  # Italy
        r"(?=(?:\D*\d){9})\(?0\d{1,5}\)?[ /-]\d{3,8}(?:[ -]\d{2,6}){0,3}",  # elsewhere: a leading zero, nine digits
    ),
    "card": (r"\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{4}",),
    "pressure": (r"\d{2,3} ?/ ?\d{2,3}(?: ?mm ?Hg)?",),
    "titled": (rf"{_TITLES}(?:[A-ZÀ-Þ]\. )?[A-ZÀ-Þ][\w'’-]+(?:[- ][A-ZÀ-Þ][\w'’-]+)?",),
    "coordinates": (
        r"\(?[+-]?\d{1,2}\.\d{2,}[,;] ?[+-]?\d{1,3}\.\d{2,}\)?",
        r"\d{1,3}(?:\.\d+)? ?°.{0,20}[NSEWO]",
    ),
    "vin": (r"(?=.*\d)(?=.*[A-Z])[A-HJ-NPR-Z0-9]{8}[0-9XZ][A-HJ-NPR-Z0-9]{8}",),
    "postcode": (
        r"\d{5}-\d{4}",  # United States, ZIP+4
        r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}",  # United Kingdom
        r"[ABCEGHJ-NPR-TVXY]\d[A-Z] ?\d[A-Z]\d",  # Canada
        r"[1-9]\d{3} ?[A-Z]{2}",  # Netherlands
    ),
    "time": (r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?: ?[AaPp]\.?[Mm]\.?)?",),
    "icd": (r"[A-TV-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?",),
    "zip": (_FIVE_DIGITS,),
    "address": (
        r"(?i:\d+\w? \S.* (?:street|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|ct|way|terrace|place|pl"
        r"|st)\b.*)",
        r"(?i:.*(?:stra(?:ss|ß)e|str\.|gasse|weg|platz|straat|laan|plein) ?\d+.*)",
        r"(?i:\d+,? ?(?:bis |ter )?(?:rue|avenue|all[ée]e|chemin) .*)",
        r"(?i:(?:calle|avenida|plaza|c/) .*\d.*)",
    ),
    "name": (
        r"(?:(?:Dr|Mr|Mrs|Ms)\.? )?[A-ZÀ-Þ][\w'’-]+(?:,? [A-ZÀ-Þ]\.?)?"
        r"(?:,? (?:van |de |der |von |da )*[A-ZÀ-Þ][\w'’-]+){1,3}",
    ),
}
_SHAPE = re.compile("|".join(f"(?P<{key}>{'|'.join(patterns)})" for key, patterns in _SHAPES.items()))
_SHAPE_IN_DIGITS = re.compile(rf"(?P<zip>{_FIVE_DIGITS})")  # all that numbers can have
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_KIND_OF_SHAPE = {
    "mac": "device",
    "uuid": "identifier",
    "card": "account",
    "iban": "account",
    "vin": "vehicle",
    "zip": "postcode",
    "icd": "diagnosis",
    "time": "event_time",
    "pressure": "result",
    "titled": "name",
}

DIRECT = words("email url mac ip uuid ssn phone card iban vin address titled")
"""The shapes that point to one person whatever the column's name says."""


def count_shapes(texts: Sequence[str], plain_numbers: bool) -> Counter[str]:
    """How many of the texts have each shape; ``plain_numbers`` says that all are numbers, which goes faster."""
    pattern = _SHAPE_IN_DIGITS if plain_numbers else _SHAPE
    counts: Counter[str] = Counter()
    for text in texts:
        match = pattern.fullmatch(text)
        shape = match.lastgroup if match else None
        if shape in (None, "vin") and text[:2].isalpha() and _is_iban(text):
            shape = "iban"
        if shape:
            counts[shape] += 1
    return counts


def kind_of_shape(shape: str) -> Kind:
    """The kind of content that a shape belongs to."""
    return KINDS[_KIND_OF_SHAPE.get(shape, shape)]


def is_plausible(shape: str, texts: Sequence[str]) -> bool:
    """Whether a shape that other things have as well is to be believed of these distinct values."""
    if shape == "zip":  # numbers of five digits are postcodes when some begin with a zero: no amount does
        return any(text.startswith("0") for text in texts)
    if shape == "icd":  # and room numbers are no ICD codes: those have a decimal part somewhere
        return sum("." in text for text in texts) >= 0.1 * len(texts)
    if shape == "pressure":
        pairs = [tuple(map(int, re.findall(r"\d+", text)[:2])) for text in texts if "/" in text]
        return all(
            _SYSTOLIC[0] <= high <= _SYSTOLIC[1] and _DIASTOLIC[0] <= low <= _DIASTOLIC[1] and low < high
            for high, low in pairs
        )
    if shape == "name":
        return len(texts) >= 20
    return True


def _is_iban(text: str) -> bool:
    """Whether a text is an International Bank Account Number: ISO 13616, check digits by ISO 7064 MOD 97-10."""
    plain = text.replace(" ", "")
    if not _IBAN.fullmatch(plain):
        return False
    return int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1


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
class ContentEvidence:
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


def evidence_of_values(values: Sequence[str], n_distinct: int | None = None) -> ContentEvidence:
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
        return ContentEvidence(0)
    parsed = to_numbers(texts)
    numbers = None if np.isnan(parsed).any() else np.sort(parsed)
    shapes = count_shapes(texts, plain_numbers=numbers is not None and set("".join(texts)) <= _PLAIN_NUMBER)
    direct = Counter({shape: count for shape, count in shapes.items() if shape in DIRECT})
    direct_kind = kind_of_shape(max(direct, key=lambda shape: direct[shape])) if direct else None
    direct_share = direct.total() / len(texts)
    if (numbered_persons := kind_of_numbers(texts)) is not None:
        direct_kind, direct_share = KINDS[numbered_persons[0]], max(direct_share, numbered_persons[1])
    # A contact column holds e-mail addresses and phone numbers: together they identify.
    identifying = (direct_kind, direct_share) if direct_share >= _ENOUGH_DIRECT else None
    seen = None if identifying or numbers is not None else to_ranges(texts)
    ranges = seen if seen is not None and seen.of == "numbers" and seen.is_range.any() else None
    dates = None if identifying else read_dates(texts)
    kind, share = (
        identifying or _kind_of_dates(dates, seen, texts) or _kind_of_ranges(seen) or _kind_of_ages(texts, numbers)
        or _kind_of_shapes(shapes, texts)
        or _kind_of_words(texts) or (None, 0.0)
    )  # fmt: skip
    numbered = None if kind is not None else numbered_days(texts)
    is_text = numbers is None and identifying is None and holds_sentences(texts)
    return ContentEvidence(
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
    pointing = hold_identifiers(texts, of_places=named is not None and named.key in _CALLED_AFTER_PERSONS)
    for i in np.flatnonzero(~pointing).tolist():
        shapes = count_shapes([texts[i]], plain_numbers=False)
        pointing[i] = not _BY_SHAPE.isdisjoint(shapes) or _EMBEDDED.search(texts[i]) is not None
    return pointing


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
    of_persons = np.array([_NUMBER_OF_A_PERSON.fullmatch(text) is not None for text in texts], dtype=bool)
    for i in np.flatnonzero(of_persons).tolist():
        of_persons[i] = not _IN_FIGURES.isdisjoint(count_shapes([texts[i]], plain_numbers=False))
    if kind_of_numbers(texts) is not None:
        return np.ones(len(texts), dtype=bool)
    return of_persons | _are_stray(texts)


def _are_stray(texts: list[str]) -> np.ndarray:
    """Telephone numbers in figures alone, with the zero in front, and numbers of persons, among shorter numbers."""
    of_persons = np.array([_is_of_a_person(text) for text in texts], dtype=bool)
    others = [text for text, is_of_a_person in zip(texts, of_persons.tolist(), strict=True) if not is_of_a_person]
    is_stray = (
        bool(others) and of_persons.mean() <= _MOST_STRAY and all(len(text) < _FEWEST_OF_PHONES for text in others)
    )
    return of_persons if is_stray else np.zeros(len(texts), dtype=bool)


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

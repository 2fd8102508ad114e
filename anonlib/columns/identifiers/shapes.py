"""The shape of a single value: e-mail address, telephone number, postcode and so on, but dates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from anonlib.columns.identifiers.kinds import KINDS, Kind
from anonlib.values.naming import words

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

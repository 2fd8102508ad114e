"""Numbers of persons that are known by their check digits, or by a form that no other number has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

_FEWEST = 5  # values: every tenth number has the right check digit by chance
_ENOUGH = 0.8  # share of the values of a column that must be numbers of one kind
_LOOKED_AT_FIRST = 20
_MOST_BARE = 0.7  # share of values without marks between their figures

_CENTURY_OF_PESEL = {80: 1800, 0: 1900, 20: 2000, 40: 2100, 60: 2200}
_LETTERS_OF_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"
_LETTERS_OF_HETU = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_ODD_OF_CODICE = dict(zip("0123456789", (1, 0, 5, 7, 9, 13, 15, 17, 19, 21), strict=True)) | dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
        strict=True,
    )
)
_VALUES_OF_VIN = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", (*range(1, 9), *range(1, 6), 7, 9, *range(2, 10)), strict=True))
_WEIGHTS_OF_VIN = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_LENGTH_OF_IBAN = {
    "AT": 20, "BE": 16, "BG": 22, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "EE": 20, "ES": 24, "FI": 18,
    "FR": 27, "GB": 22, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IS": 26, "IT": 27, "LI": 21, "LT": 20, "LU": 20,
    "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25, "RO": 24, "SE": 24, "SI": 19, "SK": 24,
    "SM": 27, "TR": 26,
}  # fmt: skip


def _digits(text: str) -> list[int]:
    return [int(c) for c in text if c.isdigit()]


def _weighted(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=False))


def _luhn(digits: Sequence[int]) -> bool:
    """Modulus 10 with every other digit doubled, the check digit last: ISO/IEC 7812-1."""
    return sum(d if i % 2 == 0 else sum(divmod(2 * d, 10)) for i, d in enumerate(reversed(digits))) % 10 == 0


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _is_birth(year: int, month: int, day: int) -> bool:
    """Whether it is a day of either century; the year in two digits."""
    return any(_is_day(century + year, month, day) for century in (1900, 2000))


def _is_nhs(text: str) -> bool:
    digits = _digits(text)
    return -_weighted(digits, range(10, 1, -1)) % 11 == digits[9]


def _is_bsn(text: str) -> bool:
    digits = _digits(text)
    return any(digits) and (_weighted(digits, range(9, 1, -1)) - digits[8]) % 11 == 0


def _is_kvnr(text: str) -> bool:
    """The letter counts as its place in the alphabet, in two digits; products are summed by their digits."""
    digits = [int(c) for c in f"{ord(text[0]) - 64:02d}"] + _digits(text)
    doubled = (digit * (1 + i % 2) for i, digit in enumerate(digits[:-1]))
    return sum(sum(divmod(product, 10)) for product in doubled) % 10 == digits[-1]


def _is_nir(text: str) -> bool:
    plain = text.replace("2A", "19").replace("2B", "18")
    number = "".join(c for c in plain if c.isdigit())
    return len(number) == 15 and 97 - int(number[:13]) % 97 == int(number[13:])


def _is_pesel(text: str) -> bool:
    d = _digits(text)
    month = 10 * d[2] + d[3]
    century = _CENTURY_OF_PESEL[month // 20 * 20]
    return (
        _is_day(century + 10 * d[0] + d[1], month % 20, 10 * d[4] + d[5])
        and -_weighted(d, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10 == d[10]
    )


def _is_cpf(text: str) -> bool:
    d = _digits(text)
    first, second = (-_weighted(d, range(n, 1, -1)) % 11 for n in (10, 11))
    return len(set(d)) > 1 and first % 10 == d[9] and second % 10 == d[10]


def _is_codice_fiscale(text: str) -> bool:
    plain = text.replace(" ", "")
    odd = sum(_ODD_OF_CODICE[c] for c in plain[:15:2])
    even = sum(int(c) if c.isdigit() else ord(c) - 65 for c in plain[1:15:2])
    return (odd + even) % 26 == ord(plain[15]) - 65


def _is_dni(text: str) -> bool:
    plain = "".join(c for c in text if c.isalnum())
    number = plain[:-1].replace("X", "0").replace("Y", "1").replace("Z", "2")
    return _LETTERS_OF_DNI[int(number) % 23] == plain[-1]


def _is_ahv(text: str) -> bool:
    digits = _digits(text)
    return -_weighted(digits, (1, 3) * 6) % 10 == digits[12]


def _is_personnummer(text: str) -> bool:
    """Sweden: a day of birth, and four digits of which the last is the check digit."""
    d = _digits(text)[-10:]
    return _is_birth(10 * d[0] + d[1], 10 * d[2] + d[3], 10 * d[4] + d[5]) and _luhn(d)


def _is_hetu(text: str) -> bool:
    d = _digits(text[:10])
    is_birth = _is_birth(10 * d[4] + d[5], 10 * d[2] + d[3], 10 * d[0] + d[1])
    return is_birth and _LETTERS_OF_HETU[int("".join(map(str, d))) % 31] == text[-1]


def _is_rijksregister(text: str) -> bool:
    number = "".join(c for c in text if c.isdigit())
    return any(97 - int(century + number[:9]) % 97 == int(number[9:]) for century in ("", "2"))


def _is_fodselsnummer(text: str) -> bool:
    d = _digits(text)
    first = -_weighted(d, (3, 7, 6, 1, 8, 9, 4, 5, 2)) % 11
    second = -_weighted(d, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return _is_birth(10 * d[4] + d[5], 10 * d[2] + d[3], 10 * d[0] + d[1]) and (first, second) == (d[9], d[10])


def _is_austrian(text: str) -> bool:
    d = _digits(text)
    check = _weighted([*d[:3], *d[4:]], (3, 7, 9, 5, 8, 4, 2, 1, 6)) % 11
    return check == d[3] and _is_birth(10 * d[8] + d[9], 10 * d[6] + d[7], 10 * d[4] + d[5])


def _is_iban(text: str) -> bool:
    """ISO 13616, check digits by ISO 7064 MOD 97-10; behind it other words may stand."""
    plain = text.replace(" ", "")
    plain = plain[: _LENGTH_OF_IBAN.get(plain[:2], 0)]
    if len(plain) < 15 or len(plain) < _LENGTH_OF_IBAN[plain[:2]]:
        return False
    return int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1


def _is_vin(text: str) -> bool:
    total = _weighted([int(c) if c.isdigit() else _VALUES_OF_VIN[c] for c in text], _WEIGHTS_OF_VIN)
    return text[8] == "0123456789X"[total % 11] and any(map(str.isdigit, text)) and any(map(str.isalpha, text))


def _is_ssn(text: str) -> bool:
    number = "".join(c for c in text if c.isdigit())
    return not (number[:3] in ("000", "666") or number[3:5] == "00" or number[5:9] == "0000")


def _by_form(text: str) -> bool:
    return True


@dataclass(frozen=True)
class _Scheme:
    """How numbers of one kind are made.

    Attributes
    ----------
    kind : str
        The key of the kind of content.
    pattern : re.Pattern[str]
        Their form, in capital letters.
    check : Callable[[str], bool]
        Whether a text of that form is one.
    alone : bool, default True
        Whether one is known by itself; else only a column of them.
    """

    kind: str
    pattern: re.Pattern[str]
    check: Callable[[str], bool]
    alone: bool = True


_A = "[AC-HJKMNP-RT-Y]"  # letters of a Medicare Beneficiary Identifier
_FORMS: tuple[tuple[str, str, Callable[[str], bool], bool], ...] = (
    ("mrn", r"\d{3}([ -]?)\d{3}\1\d{4}", _is_nhs, False),  # England, NHS
    ("ssn", r"\d{9}|\d{4}\.\d\d\.\d{3}|\d{3} \d{3} \d{3}", _is_bsn, False),  # Netherlands
    ("ssn", r"(?!9)\d{3}([ -]?)\d\d\1\d{4}", _is_ssn, False),  # United States
    ("health_plan", r"(?!9)\d{3}-\d\d-\d{4}-?[A-Z]\d?", _is_ssn, True),  # Medicare until 2019
    ("health_plan", rf"[1-9]{_A}[\dAC-HJKMNP-RT-Y]\d(-?){_A}[\dAC-HJKMNP-RT-Y]\d\1{_A}{{2}}\d\d", _by_form, True),
    ("health_plan", r"[A-Z]([ -]?)\d{3}\1\d{3}\1\d{3}|[A-Z]\d{3}([ -])\d{3}\2\d{3}", _is_kvnr, True),  # Germany
    (
        "ssn",
        r"[12] ?\d\d ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d",
        _is_nir,
        True,
    ),  # France
    ("ssn", r"\d{11}", _is_pesel, True),  # Poland
    ("ssn", r"\d{11}|\d{3}\.\d{3}\.\d{3}-\d\d", _is_cpf, True),  # Brazil
    ("ssn", r"[A-Z]{3} ?[A-Z]{3} ?\d\d[A-EHLMPRST]\d\d ?[A-Z]\d{3}[A-Z]", _is_codice_fiscale, True),  # Italy
    ("ssn", r"\d{8}[ -]?[A-Z]|[XYZ]-?\d{7}-?[A-Z]", _is_dni, True),  # Spain
    ("ssn", r"756\.?\d{4}\.?\d{4}\.?\d\d", _is_ahv, True),  # Switzerland
    ("ssn", r"(?:19|20)?\d{6}[-+]\d{4}", _is_personnummer, True),  # Sweden
    ("ssn", r"\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]", _is_hetu, True),  # Finland
    ("ssn", r"\d\d\.\d\d\.\d\d[ -]\d{3}[.-]\d\d", _is_rijksregister, True),  # Belgium
    ("ssn", r"\d{6} ?\d{5}", _is_fodselsnummer, True),  # Norway
    ("ssn", r"\d{4} ?\d{6}", _is_austrian, True),
    ("ssn", r"[A-CEGHJ-PR-TW-Z]{2}( ?)\d\d\1\d\d\1\d\d\1[A-D]", _by_form, True),  # United Kingdom
    ("ssn", r"\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-[1-8]\d{6}", _by_form, True),  # Korea
    ("account", r"[A-Z]{2}\d\d(?: ?[A-Z0-9]){11,30}", _is_iban, True),
    ("account", r"[3-6]\d{3}([ -]?)\d{4}\1\d{4}\1\d{4}", lambda text: _luhn(_digits(text)), True),  # cards
    ("vehicle", r"[A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{8}", _is_vin, True),
)
_BEGINS, _ENDS = r"(?<![\w.,/+-])", r"(?![\w/]|[.,-]\w)"
_SCHEMES = tuple(
    _Scheme(kind, re.compile(f"{_BEGINS}(?:{form}){_ENDS}", re.ASCII), check, alone)
    for kind, form, check, alone in _FORMS
)
_LOOSE = (re.sub(r"\\[12]", "[ -]?", form) for _, form, _, alone in _FORMS if alone)
_MAY_BE = re.compile(rf"{_BEGINS}(?=(?:[^0-9]*[0-9]){{5}})(?:{'|'.join(_LOOSE)}){_ENDS}", re.ASCII)
"""All forms in one, which spares most texts a longer look."""


def person_number_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where numbers of persons stand that are known by themselves: by check digits, or by a form of their own.

    Parameters
    ----------
    text : str
        A cell.

    Yields
    ------
    tuple of int and int
        Begin and end; spans of several kinds may overlap.

    Examples
    --------
    >>> list(person_number_spans("refund DE89 3704 0044 0532 0130 00")), list(person_number_spans("lot 44051401358"))
    ([(7, 34)], [])
    """
    plain = text.upper()
    if len(plain) != len(text):
        plain = text
    if _MAY_BE.search(plain) is None:
        return
    for scheme in _SCHEMES:
        if scheme.alone:
            yield from (match.span() for match in scheme.pattern.finditer(plain) if scheme.check(match.group()))


def kind_of_numbers(texts: Sequence[str]) -> tuple[str, float] | None:
    """The key of the kind of numbers of persons that a column holds, and the share of its values that are such.

    Parameters
    ----------
    texts : Sequence[str]
        Distinct values.

    Returns
    -------
    tuple of str and float, or None
        None unless five values and four in five are numbers of one kind.
    """
    if len(texts) < _FEWEST:
        return None
    plain = [text.strip().upper() for text in texts]
    first = plain[:: max(1, len(plain) // _LOOKED_AT_FIRST)]
    for scheme in _SCHEMES:
        if scheme.check is _is_ssn and sum(map(str.isdigit, plain)) > _MOST_BARE * len(plain):
            continue  # nine figures alone may be anything
        if _share(scheme, first) >= _ENOUGH / 2 and (share := _share(scheme, plain)) >= _ENOUGH:
            return scheme.kind, share
    return None


def _share(scheme: _Scheme, texts: Sequence[str]) -> float:
    return sum(scheme.pattern.fullmatch(text) is not None and scheme.check(text) for text in texts) / len(texts)

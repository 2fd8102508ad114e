"""Numbers and lists as an officer reads them: three significant digits, a percentage with the count behind it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from decimal import ROUND_FLOOR, Decimal

_SINGULARS = {
    "people": "person", "criteria": "criterion", "analyses": "analysis", "hypotheses": "hypothesis", "bases": "basis",
    "indices": "index", "vertices": "vertex", "matrices": "matrix", "series": "series",
}  # fmt: skip
_ENDINGS = {"ies": "y", "sses": "ss", "xes": "x", "shes": "sh", "ches": "ch", "ss": "ss", "us": "us", "s": ""}
"""How a plural ends, and the singular instead; the first that fits holds."""
_OF = re.compile(r"( (?:of|for) )")
_LAST_WORD = re.compile(r"\w+(?= and |$)")  # both of "names and codes"


def escaped(text: str) -> str:
    r"""Text for a terminal or a log: control and direction marks, line ends and what is no character are spelled out.

    Parameters
    ----------
    text : str
        Any, such as the name of a file.

    Returns
    -------
    str
        On one line, of characters that are shown and obeyed by nothing.

    Examples
    --------
    >>> print(escaped("a\x1b[31m\u202e.csv"))
    a\x1b[31m\u202e.csv
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or unicodedata.category(char) == "Zs" else char.encode("unicode_escape").decode()
        for char in text
    )


def count(number: int, noun: str = "") -> str:
    """A whole number with commas, and its noun in the singular or the plural.

    Parameters
    ----------
    number : int
        0 or more.
    noun : str, default ""
        In the plural; left out, the number stands alone.

    Examples
    --------
    >>> count(5000), count(1, "records"), count(2, "classes"), count(1, "classes"), count(1, "people")
    ('5,000', '1 record', '2 classes', '1 class', '1 person')
    """
    return f"{number:,} {of_number(number, noun)}" if noun else f"{number:,}"


def of_number(number: int, noun: str) -> str:
    """A noun, given in the plural, as it stands behind a number or before that many names.

    Examples
    --------
    >>> of_number(1, "rows"), of_number(2, "rows")
    ('row', 'rows')
    """
    return singular(noun) if number == 1 else noun


def ordinal(number: int) -> str:
    """The place in an order, as ``1st``.

    Examples
    --------
    >>> ordinal(1), ordinal(2), ordinal(3), ordinal(11), ordinal(1022)
    ('1st', '2nd', '3rd', '11th', '1,022nd')
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def singular(noun: str) -> str:
    """The singular of a noun in the plural: of its last word, before what it is of or for.

    Examples
    --------
    >>> singular("fake records"), singular("combinations of levels"), singular("boxes"), singular("analyses")
    ('fake record', 'combination of levels', 'box', 'analysis')
    """
    head, *of = _OF.split(noun, maxsplit=1)
    return "".join([_LAST_WORD.sub(lambda word: _singular(word[0]), head), *of])


def _singular(word: str) -> str:
    if word in _SINGULARS:
        return _SINGULARS[word]
    for ending, single in _ENDINGS.items():
        if word.endswith(ending):
            return word.removesuffix(ending) + single
    return word


def percent(share: float) -> str:
    """A share in [0, 1] with three significant digits; never 0% or 100% when it is not quite.

    Examples
    --------
    >>> percent(0.12345), percent(1), percent(0.99999), percent(1e-7)
    ('12.3%', '100%', '>99.9%', '<0.001%')
    """
    value = 100 * share
    if 0 < value < 0.001:
        return "<0.001%"
    if 99.95 <= value < 100:
        return ">99.9%"
    text = f"{value:.3g}" if value < 100 else "100"
    return f"{text}%"


def percent_at_most(share: float) -> str:
    """A share in [0, 1] as a percentage that is not below it: rounded up, and 100% where it is 1 alone.

    Parameters
    ----------
    share : float
        In [0, 1].

    Examples
    --------
    >>> percent_at_most(0.45), percent_at_most(0.9523), percent_at_most(0.99987), percent_at_most(1)
    ('45%', '95.3%', '99.99%', '100%')
    """
    rest = 100 * (1 - Decimal(repr(float(share))))
    digits = max(1, -rest.adjusted())
    return f"{(100 - rest.quantize(Decimal(1).scaleb(-digits), ROUND_FLOOR)).normalize():f}%"


def share(part: int, whole: int, noun: str = "") -> str:
    """A part of a whole as a percentage with both counts; 0% of nothing.

    Examples
    --------
    >>> share(620, 5000, "records")
    '12.4% (620 of 5,000 records)'
    """
    return f"{percent(part / whole if whole else 0.0)} ({part:,} of {count(whole, noun)})"


def one_in(probability: float) -> str:
    """A probability in [0, 1] as odds.

    Examples
    --------
    >>> one_in(0.2), one_in(0.3), one_in(0)
    ('1 in 5', '1 in 3.33', 'none')
    """
    if probability <= 0:
        return "none"
    people = 1 / probability
    return f"1 in {people:,.0f}" if people >= 100 or abs(people - round(people)) < 1e-9 else f"1 in {people:.3g}"


def size(n_bytes: int) -> str:
    """A number of bytes in the unit that suits it.

    Examples
    --------
    >>> size(999), size(3_500_000)
    ('999 bytes', '3.5 MB')
    """
    value, unit = float(n_bytes), "bytes"
    for larger in ("kB", "MB", "GB"):
        if value < 999.5:
            break
        value, unit = value / 1000, larger
    return f"{value:,.0f} {unit}" if unit == "bytes" or value >= 100 else f"{value:.3g} {unit}"


def change(before: str, after: str, arrow: str = "→") -> str:
    """What something was and is, or just what it is if nothing changed.

    Examples
    --------
    >>> change("1", "5"), change("5", "5")
    ('1 → 5', '5')
    """
    return after if before == after else f"{before} {arrow} {after}"


def listed(items: Collection[object], most: int = 5, last: str = "and") -> str:
    """A list in words: numbers with commas, all else as its text.

    Parameters
    ----------
    items : Collection[object]
        What is listed, in this order; nothing gives an empty text.
    most : int, default 5
        How many are named; of the others only the number is.
    last : str, default "and"
        The word before the last item.

    Examples
    --------
    >>> listed(["age"]), listed([1, 2, 3000]), listed("abcdefg", most=3), listed(["yes", "no"], last="or")
    ('age', '1, 2 and 3,000', 'a, b, c and 4 more', 'yes or no')
    """
    shown = [f"{item:,}" if isinstance(item, int) else str(item) for item in items]
    if len(shown) > most:
        shown = [*shown[:most], f"{len(shown) - most:,} more"]
    return f"{', '.join(shown[:-1])} {last} {shown[-1]}" if len(shown) > 1 else "".join(shown)


def quoted(names: Collection[str], last: str = "and") -> str:
    """All names, each in quotation marks, as a list in words.

    Examples
    --------
    >>> quoted(["age", "sex", "ZIP"])
    '“age”, “sex” and “ZIP”'
    """
    return listed([f"“{name}”" for name in names], most=len(names), last=last)

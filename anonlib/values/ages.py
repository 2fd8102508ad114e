"""Ages as people write them: numbers, ranges, units, durations, words. What cannot be read is counted as such."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import numpy as np

from anonlib.values.cells import Values, to_numbers
from anonlib.values.missing_words import means_missing
from anonlib.values.naming import fold, name_tokens, words
from anonlib.values.ranges import range_of_text

OLDEST = 130.0
"""Years: what is more is no age."""

# In English, German, French, Spanish, Italian, Dutch, Portuguese, Polish and Swedish; without accents, lower case.
_YEARS = (
    r"years?|yrs?|yr\.|y/?o|y\.o\.|y|jahren?|jahre?|jhr?|j|ans?|annees?|anos?|a|anni|anno|aa|jaar|jaren|jr|"
    r"jahrige?[rs]?|lat[a]?|l|rok[ui]?|r|ar"
)
_MONTHS = (
    r"months?|mos?|mths?|mon|mn|m|monate?n?|mt|mois|mes(?:es)?|mese|mesi|maand(?:en)?|mnd|mnden|miesia?[ac][ea]?|"
    r"miesiecy|mies|manad(?:er)?|man"
)
_WEEKS = (
    r"weeks?|wks?|w|wochen?|woche|wo|semaines?|sem|semanas?|settiman[ae]|sett|weken|tygodni[ae]?|tydzien|tyg|"
    r"veck(?:a|or)|v"
)
_DAYS = r"days?|d|tage?n?|tag|t|jours?|jrs|dias?|giorn[oi]|gg|g|dag(?:en|ar)?|dgn|dni|dzien"
_HOURS = r"hours?|hrs?|h|stunden?|std|heures?|horas?|ore|ora|uur|uren|godzin[ay]?|godz|timm(?:e|ar)|tim"
_MINUTES = r"minutes?|minuten?|mins?|minuti|minutos?|minut[ay]?|minuter"
_IN_YEARS = {
    "years": 1.0, "months": 1 / 12, "weeks": 7 / 365.25, "days": 1 / 365.25, "hours": 1 / 8766, "minutes": 1 / 525_960
}  # fmt: skip
_UNITS = {
    "years": _YEARS, "months": _MONTHS, "weeks": _WEEKS, "days": _DAYS, "hours": _HOURS, "minutes": _MINUTES
}  # fmt: skip
_OLD = (
    r"(?:old|of age|alt|d'?age|de edad|de idade|di eta|oud|gammal|gamla|wieku|zycia|completed|revolus|compiuti|"
    r"cumplidos)"
)
_UNIT = "|".join(f"(?P<{unit}>{forms})" for unit, forms in _UNITS.items())
_ONE_UNIT = re.compile(rf"(?:{_UNIT})\.?(?:\s*\(?s\)?)?(?:[\s-]*{_OLD})?")
_NUMBER = r"\d+(?:[.,]\d+)?"
_PART = re.compile(
    rf"({_NUMBER})[\s-]*([a-z/'.]+?(?:[\s-]*{_OLD})?)\.?(?:\s+(?:and|und|et|y|e|en|i|och)\s+|[\s,;&+-]+|(?=\d)|$)"
)
_IN_DOUBT = words("m mn man g t v")  # a letter that may mean something else: 95 m may be a man of 95
_NO_YEARS = 90
_DICOM = re.compile(r"\d{3}[dwmy]")
_ISO = re.compile(
    r"p(?:(\d+(?:[.,]\d+)?)y)?(?:(\d+)m)?(?:(\d+)w)?(?:(\d+)d)?(?:t(?:(\d+)h)?(?:\d+m)?(?:\d+(?:[.,]\d+)?s)?)?"
)
_DECADE = re.compile(r"(?:(?:early|mid|middle|late|in (?:his|her|their))[\s-]+(?:the )?)?([1-9]0)(?:'?s|er)")
_UNIT_INSIDE = re.compile(r"(?<=[\d)\]+])\s*(?!y (?:mas|menos)\b)([a-z][a-z/'.]*)(?![a-z/'.])(?!\s*\d)")
_ABOUT = re.compile(
    r"^(?:[~≈≃±?]+|(?:ca|circa|c|approx|approximately|about|around|roughly|some|est|estimated|apparent|etwa|ungefahr|"
    r"rund|zirka|geschatzt|env|environ|vers|aprox|aproximadamente|alrededor de|unos|cerca de|aproximadament|"
    r"intorno a|ongeveer|plm|okolo|ok|omkring|cirka|ungefar)\b\.?)\s*"
)
_ABOUT_BEHIND = re.compile(
    r"\s*(?:\(?\s*(?:\?+|approx\.?|approximately|est\.?|estimated|ca\.?|circa|geschatzt|aprox\.?|environ|about)\s*\)?)$"
)
_AGE_BEFORE = re.compile(
    r"^(?:aged?|ages|alter(?! als)|edad|eta|leeftijd|idade|wiek|alder)\b\s*(?:of|von|de|di)?\s*[:=]?\s*"
)
_BETWEEN = re.compile(r"^(?:de|von|from|da|van|od|fran|between|entre|zwischen|tra|mellan)\s+(?=\d+\D+\d)")
_BRACKETED = re.compile(r"^[(\"'\[]\s*(.*?)\s*[)\"'\]]$")

_GROUPS = words(
    "child children adult adults infant infants newborn newborns neonate neonates toddler baby teen teenager "
    "adolescent adolescents youth minor minors elderly senior seniors old older young younger pediatric "
    "paediatric juvenile geriatric kind kinder erwachsen erwachsene erwachsener erwachsenen saugling sauglinge "
    "neugeborenes neugeborene jugendlich jugendliche jugendlicher senioren kleinkind schulkind minderjahrig "
    "volljahrig alt jung enfant enfants adulte adultes nourrisson adolescente mineur majeur senior age agee jeune "
    "nino nina ninos adulto adulta adultos lactante adolescentes anciano anciana mayor menor joven bambino "
    "bambina bambini adulti neonato neonata lattante anziano anziana anziani minore maggiorenne giovane "
    "volwassene volwassenen zuigeling pasgeborene puber oudere ouderen jongere kinderen minderjarig crianca "
    "criancas adultos lactente idoso idosa idosos jovem neonatal dziecko dzieci dorosly dorosla dorosli noworodek "
    "niemowle nastolatek starszy mlody barn vuxen vuxna spadbarn nyfodd nyfodda tonaring aldre ung"
)
_GROUP_PHRASES = frozenset(
    "young adult|young adults|middle aged|middle-aged|middle age|older adult|older adults|under age|underage|"
    "new born|new-born|junger erwachsener|junge erwachsene|alterer erwachsener|nouveau-ne|nouveau ne|"
    "jeune adulte|personne agee|recien nacido|adulto joven|adulto mayor|giovane adulto|recem-nascido|recem nascido|"
    "jovem adulto|"
    "jongvolwassene|ung vuxen".split("|")
)
_OVER_89 = words(
    "nonagenarian nonagenarians centenarian centenarians supercentenarian hundertjahrig hundertjahrige hundertjahriger "
    "neunziger centenaire nonagenaire centenario centenaria nonagenario nonagenaria ultracentenario honderdjarige"
)
_UNIT_OF_NAME = {
    **dict.fromkeys(words("month months mo mos mth mths monat monate monaten mois mes meses mesi maand maanden manader "
                          "miesiace miesiecy mnd etami agemo agemonths agemos"), "months"),
    **dict.fromkeys(words("week weeks wk wks wochen woche semaines semanas settimane weken tygodnie veckor"), "weeks"),
    **dict.fromkeys(words("day days tage tagen tag jours jour dias giorni dagen dagar dni agedays"), "days"),
    **dict.fromkeys(words("hour hours stunden heures horas ore uren godziny timmar"), "hours"),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Ages:
    """What the values of a column are as ages, one item a value.

    Attributes
    ----------
    low, high : float64 array
        Years: the least and the greatest age that a value can stand for; the same for one age, ``high`` is infinite for
        "90+". NaN where none was read.
    holds_high : bool array
        Whether ``high`` itself can be the age.
    says_nothing : bool array
        Words that tell no age over 89: that it is not known, "adult", "child".
    is_plain : bool array
        A number of years, or a range of such, without a word or a unit.
    """

    low: np.ndarray
    high: np.ndarray
    holds_high: np.ndarray
    says_nothing: np.ndarray
    is_plain: np.ndarray

    @property
    def is_read(self) -> np.ndarray:
        """bool per value: it is an age or a range of ages."""
        return ~np.isnan(self.low)

    @property
    def unread(self) -> np.ndarray:
        """bool per value: neither an age nor a word that tells none."""
        return ~self.is_read & ~self.says_nothing

    def reaching(self, top: float) -> np.ndarray:
        """Which values can stand for an age of ``top`` years or more.

        Parameters
        ----------
        top : float
            Years, as 90 for ages over 89.

        Returns
        -------
        bool array, one item a value
        """
        return self.is_read & ((self.high > top) | ((self.high == top) & self.holds_high))

    def in_one_group(self, top: float) -> bool:
        """Whether all values that reach ``top`` are one group that holds every age from there on: ``90+``, ``>89``.

        Parameters
        ----------
        top : float
            Years, as 90 for ages over 89.

        Returns
        -------
        bool
            Also where none reaches it.
        """
        over = self.reaching(top)
        groups = {*zip(self.low[over].tolist(), self.high[over].tolist(), strict=True)}
        return not groups or (len(groups) == 1 and all(np.isinf(high) and low <= top for low, high in groups))


def unit_of_name(name: str) -> str:
    """The unit of the numbers in a column of ages, by its name: years where that says no other.

    Parameters
    ----------
    name : str
        The column's name.

    Returns
    -------
    str
        "years", "months", "weeks", "days" or "hours".

    Examples
    --------
    >>> unit_of_name("age_in_months"), unit_of_name("Alter in Tagen"), unit_of_name("age")
    ('months', 'days', 'years')
    """
    return next((_UNIT_OF_NAME[token] for token in name_tokens(name) if token in _UNIT_OF_NAME), "years")


def ages_of(values: Values, unit: str = "years") -> Ages:
    """What the distinct values of a column are as ages.

    Parameters
    ----------
    values : Values
        Distinct values.
    unit : str, default "years"
        Of numbers without one (:func:`unit_of_name`).

    Examples
    --------
    >>> ages = ages_of(["95 years", "P2Y6M", "018M", "~40", "unbekannt", "90+", "Xk3"])
    >>> ages.low.tolist()
    [95.0, 2.5, 1.5, 40.0, nan, 90.0, nan]
    >>> ages.says_nothing.tolist(), ages.unread.tolist()[-1]
    ([False, False, False, False, True, False, False], True)
    """
    texts = [str(value) for value in values]
    numbers = to_numbers(texts) if texts else np.array([])
    read = [_age(text, number, unit) for text, number in zip(texts, numbers.tolist(), strict=True)]
    ends = {age.high for age in read if not age.holds_high}
    return Ages(
        np.array([age.low + (age.is_above and age.low not in ends) for age in read], np.float64),
        np.array([age.high for age in read], np.float64),
        np.array([age.holds_high for age in read], bool),
        np.array([age.says_nothing for age in read], bool),
        np.array([age.is_plain for age in read], bool),
    )


@dataclass(frozen=True)
class _Age:
    low: float = np.nan
    high: float = np.nan
    holds_high: bool = True
    says_nothing: bool = False
    is_plain: bool = False
    is_above: bool = False  # from the next whole year on, unless another range ends where it begins


_UNREAD, _NOTHING = _Age(), _Age(says_nothing=True)


def _age(text: str, number: float, unit: str) -> _Age:
    in_years = _IN_YEARS[unit]
    if number == number:  # a number of the column, its decimal mark settled by the others
        years = number * in_years
        return _Age(years, years, is_plain=unit == "years") if years <= OLDEST else _UNREAD
    if means_missing(text):
        return _NOTHING
    plain = _AGE_BEFORE.sub("", _plain(text))
    if (bracketed := _BRACKETED.match(plain)) is not None and not _is_interval(plain):
        plain = bracketed[1]
    if plain in _GROUPS or plain in _GROUP_PHRASES or _unit_of(plain) is not None:
        return _NOTHING
    if plain in _OVER_89:
        return _Age(90.0, OLDEST)
    is_about = _ABOUT.match(plain) is not None or _ABOUT_BEHIND.search(plain) is not None
    plain = _ABOUT_BEHIND.sub("", _ABOUT.sub("", plain)).strip()
    if means_missing(plain):
        return _NOTHING
    if (duration := _duration(plain, in_years)) is not None:
        return _Age(duration, duration)
    if (decade := _DECADE.fullmatch(plain)) is not None:
        return _Age(float(decade[1]), float(decade[1]) + 10, holds_high=False)
    return _range(plain, in_years, unit == "years" and not is_about)


def _plain(text: str) -> str:
    folded = fold(unicodedata.normalize("NFKC", text)).casefold()
    return " ".join(folded.split()).replace("’", "'")


def _is_interval(plain: str) -> bool:
    return re.match(r"[\[(]\s*[\d.]+\s*[,;-]", plain) is not None


def unit_of_word(word: str) -> str | None:
    """The unit that a word or letter is, as ``MONTHS``, ``wk`` or ``a``; None where it is none.

    Examples
    --------
    >>> unit_of_word("MONTHS"), unit_of_word("wk"), unit_of_word("kg")
    ('months', 'weeks', None)
    """
    return _unit_of(_plain(word))


def _unit_of(word: str) -> str | None:
    match = _ONE_UNIT.fullmatch(word.strip(" ."))
    return None if match is None else next(name for name, form in match.groupdict().items() if form)


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _duration(plain: str, in_years: float) -> float | None:
    """The years of ``95``, ``95 years``, ``2y4m``, ``3 Jahre und 2 Monate``, ``p2y4m``, ``093y``; None for others."""
    if re.fullmatch(_NUMBER, plain):
        return _number(plain) * in_years
    if len(plain) > 2 and (iso := _ISO.fullmatch(plain)) is not None and any(iso.groups()):
        amounts = [_number(amount) if amount else 0.0 for amount in iso.groups()]
        units = ("years", "months", "weeks", "days", "hours")
        return sum(amount * _IN_YEARS[unit] for amount, unit in zip(amounts, units, strict=True))
    years, end, last = 0.0, 0, np.inf
    for part in _PART.finditer(plain):
        unit = _unit_of(part[2])
        in_doubt = part[2].strip(" .") in _IN_DOUBT and _number(part[1]) >= _NO_YEARS and not _DICOM.fullmatch(plain)
        if part.start() != end or unit is None or in_doubt or _IN_YEARS[unit] >= last:
            return None  # "6 months - 2 years" is a range
        years, end, last = years + _number(part[1]) * _IN_YEARS[unit], part.end(), _IN_YEARS[unit]
    return years if end and end == len(plain) else None


def _range(plain: str, in_years: float, may_be_plain: bool) -> _Age:
    """An age range, whose unit may stand behind each end or behind both."""
    units = [(match, _unit_of(match[1])) for match in _UNIT_INSIDE.finditer(plain)]
    named = [(match, unit) for match, unit in units if unit is not None]
    bare = plain
    for match, _ in reversed(named):
        bare = bare[: match.start()] + bare[match.end() :]
    bare = re.sub(rf"(?<=\d)\s*{_OLD}\b", "", bare).strip()
    bare = _BETWEEN.sub("", bare)
    ends = range_of_text(bare) or range_of_text(re.sub(r"(?<=\d),(?=\d)", ".", bare))
    different = {unit for _, unit in named}
    if ends is None or len(different) > 2 or (len(different) == 2 and len(named) != 2):
        return _UNREAD
    low, high, holds_low, holds_high = ends
    is_edge = re.match(r"[(\]]", bare) is not None  # (80, 90] goes on at 90, as [80, 90) does
    of_low = _IN_YEARS[named[0][1]] if named else in_years
    of_high = _IN_YEARS[named[-1][1]] if named else in_years
    return _Age(
        0.0 if np.isinf(low) else low * of_low,
        high * of_high if np.isfinite(high) else np.inf,
        holds_high and not is_edge,
        is_plain=may_be_plain and not named,
        is_above=not holds_low and not is_edge and bool(np.isfinite(low)) and low == np.floor(low),
    )

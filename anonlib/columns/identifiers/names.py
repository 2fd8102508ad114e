"""What the name of a column says: its words, and the kind of content that they name."""

from __future__ import annotations

import re
from functools import cache

from anonlib.columns.identifiers.kinds import KINDS, Kind
from anonlib.columns.identifiers.word_lists import is_medicine
from anonlib.values.naming import name_tokens, words

# Whose: dropped before asking whether a name holds nothing else ("patient_state" is a state).
_OWNERS = words(
    "patient patients pat pt bene beneficiary res person subject participant member client customer resident "
    "respondent user employee child baby mother mothers father fathers parent spouse partner guardian relative home "
    "current primary mailing paciente persona"
)
# A name with one of these tells about the thing (how many, how long, whether), not the thing itself.
_HOW_MUCH = words(
    "size count counts rate ratio percent pct mean avg average median total sum length duration since time days hours "
    "minutes score index type format anzahl dauer nombre density km"
)
_WHETHER = words("has is was flag changed change valid verified consent available missing")
_WHETHER_BEHIND = words("known missing available imputed flag yn")  # of a date: whether there is one
_SHARES_AND_SCORES = words(
    "percent percentage pct prozent prozentsatz anteil pourcentage porcentaje percentuale percentagem procent score "
    "scores punkte percentile perzentile quantile rating"
)
_HOW_MANY = words("num number n no nb nr anzahl nombre numero aantal")
_LISTED = words(
    "id ids code codes type typ kind category categories cat class group grp band level status state source reason "
    "mode method grade stage version gruppe klasse kategorie stufe art tipo categoria categorie clase classe groupe "
    "grupo groep soort niveau index key flag indicator yn"
)  # words of names of lists, whose numbers stand for entries: of an income group, of a type of visit
_NUMBER_OF = _HOW_MANY - words("no")  # what is counted stands behind: a room number is none, a number of rooms is
_QUANTITIES = words(
    "age ages alter edad leeftijd size count counts cnt duration length total sum mean avg average rate ratio dauer "
    "anzahl height weight bmi gewicht groesse grosse poids taille peso dose dosis kg lb lbs cm mm mg ml mmol percent "
    "pct year years yrs months weeks days hours hrs minutes jahr jahre monate tage stunden annee annees ano anno mois "
    "jours heures children kids siblings pregnancies births parity gravida partners persons people members visits "
    "admissions stays rooms bedrooms cigarettes drinks capacity places kinder geschwister schwangerschaften personen "
    "besuche zimmer enfants grossesses personnes pieces visites hijos embarazos personas visitas kinderen figli "
    "gravidanze income salary wage wages cost costs charge charges einkommen kosten"
)
# A count of children or of rooms, an age or a stay in days is still that; how often a health fact occurred is a health
# fact.
_COUNTED = words("age relationship length_stay housing workclass income body veteran")
_COUNTED_GROUPS = words("sensitive count weight code text fieldwork")
_DATE_OF_CDISC = re.compile(r"([A-Z]{2,5})DTC")  # BRTHDTC, RFSTDTC, AESTDTC
_LONGEST_PHRASE = 4  # words
_MOST_WORDS = 12  # of a title that are looked at: what a column is stands at its beginning


def _phrases() -> dict[tuple[str, ...], tuple[int, str, Kind]]:
    """Phrase -> rank of its kind, its mark where it must be the whole name ("=") or name but not title ("~"), kind."""
    phrases: dict[tuple[str, ...], tuple[int, str, Kind]] = {}
    for rank, kind in enumerate(KINDS.values()):
        for name in kind.names:
            phrase, meant = name_tokens(name), (rank, name[:1] if name[:1] in "=~" else "", kind)
            phrases.setdefault(phrase, meant)
            joined = "".join(phrase)  # "zipcode" is "zip code"; very short ones could be anything
            if joined.isalpha() and len(joined) > 4:
                phrases.setdefault((joined,), meant)
    return phrases


_PHRASES = _phrases()
# Shorter ones end too many other words ("bandage"); an id ends many names.
_PARTS = frozenset({word for phrase in _PHRASES for word in phrase if len(word) > 3} | {"id"})
_WHOLE = words("alternative centroid keystroke")


@cache
def _parted(word: str) -> tuple[str, ...]:
    """The fewest known words that a word is written together of (``admitsource``); itself where it is not of them."""
    best: list[tuple[str, ...] | None] = [(), *[None] * len(word)]
    for end in range(1, len(word) + 1):
        for start in range(end):
            before = best[start]
            if before is not None and word[start:end] in _PARTS:
                joined = (*before, word[start:end])
                shortest = best[end]
                best[end] = joined if shortest is None or len(joined) < len(shortest) else shortest
    return (word,) if best[-1] is None or word in _WHOLE else best[-1]


def kind_of_name(name: str) -> Kind | None:
    """The kind that a column's name says.

    Parameters
    ----------
    name : str
        A column's name. Only whole words count, the longest phrase first, and not if the name tells about the thing
        instead (``phone_type``, ``number_of_phones``, ``has_fax``).

    Returns
    -------
    Kind or None

    Examples
    --------
    >>> kind_of_name("email_address").key, kind_of_name("page"), kind_of_name("has_fax")
    ('email', None, None)
    >>> kind_of_name("hospitaladmitsource").key
    'visit_type'
    """
    tokens = name_tokens(name)
    kind = _kind_of_tokens(tokens)
    if kind is None:
        parts = tuple(part for token in tokens for part in (_parted(token) if len(token) > 5 else (token,)))
        kind = _kind_of_tokens(parts) if parts != tokens else None
    if kind is None and (cdisc := _DATE_OF_CDISC.fullmatch(name)) is not None:
        return KINDS["birth_date" if cdisc[1] == "BRTH" else "event_date"]
    return KINDS["medication"] if kind is None and any(map(is_medicine, tokens)) else kind


def names_share_or_score(name: str) -> bool:
    """Whether a column's name says that its numbers are shares or scores, which reach from 0 to 100 as ages do.

    Parameters
    ----------
    name : str
        A column's name.

    Returns
    -------
    bool
    """
    return not _SHARES_AND_SCORES.isdisjoint(name_tokens(name))


def names_quantity(name: str) -> bool:
    """Whether a column's name says that its numbers count or measure something.

    Parameters
    ----------
    name : str
        A column's name.

    Returns
    -------
    bool
        False where it says nothing of that, and where it says that they stand for the entries of a list.

    Examples
    --------
    >>> [names_quantity(name) for name in ("n_children", "dose_mg", "age_group", "ward_no", "answer")]
    [True, True, False, False, False]
    """
    tokens = tuple(token for token in name_tokens(name) if not token.isdigit())
    if not _LISTED.isdisjoint(tokens):
        return False
    how_many = not _NUMBER_OF.isdisjoint(tokens[:-1])
    return how_many or not _QUANTITIES.isdisjoint(tokens) or names_share_or_score(name)


def kind_of_title(title: str) -> Kind | None:
    """The kind that a column is by what it is called in words: of equally long phrases the first one says it.

    Parameters
    ----------
    title : str
        What the column is called, as a dictionary of the file has it. Its first twelve words are looked at.

    Returns
    -------
    Kind or None

    Examples
    --------
    >>> kind_of_title("Age at last birthday").key, kind_of_title("Municipality of residence").key
    ('age', 'city')
    """
    tokens = name_tokens(title)[:_MOST_WORDS]
    kind = _kind_of_tokens(tokens, first=True) if tokens else None
    return KINDS["medication"] if kind is None and any(map(is_medicine, tokens)) else kind


def _kind_of_tokens(tokens: tuple[str, ...], *, first: bool = False) -> Kind | None:
    bare = tuple(t for t in tokens if t not in _OWNERS and not t.isdigit()) or tokens
    candidates: list[tuple[bool, int, int, int, Kind]] = []
    for length in range(1, _LONGEST_PHRASE + 1):
        for start in range(len(tokens) - length + 1):
            phrase = tokens[start : start + length]
            if phrase not in _PHRASES:
                continue
            rank, whole, kind = _PHRASES[phrase]
            must_be_whole = whole == "=" or (whole == "~" and not first)
            if must_be_whole and phrase not in (tokens, bare):
                continue
            if kind.key == "identifier" and length == 1 and start + 1 != len(tokens):
                continue  # "id", "number", "key" say what a column is when they end its name
            if not _is_about(kind, tokens[:start], tokens[start + length :]):
                # "wave 2: smoking" is about smoking: how data were collected counts only where nothing else is named
                candidates.append((kind.group == "fieldwork", -length, start if first else 0, rank, kind))
    return min(candidates, key=lambda item: item[:4])[4] if candidates else None


def _is_about(kind: Kind, before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Whether the words around a phrase make the name tell about the thing, not the thing itself."""
    if kind.group in _COUNTED_GROUPS or kind.key in _COUNTED:
        return False
    if before and before[0] in _HOW_MANY:
        return True
    if kind.group == "date" and after and after[-1] in _WHETHER_BEHIND:
        return True
    around = {*before, *after}
    return bool(around & _HOW_MUCH) or (kind.group not in ("demographic", "date") and bool(around & _WHETHER))

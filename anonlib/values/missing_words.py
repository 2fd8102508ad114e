"""Words and signs that stand for "no value", in the languages that names of columns are known in."""

from __future__ import annotations

import re

from anonlib.values.naming import fold

SIGNS = frozenset("? - -- --- – — . .. ... * ** *** # ## ###".split())
"""Signs alone."""

MISSING_WORDS = (
    SIGNS
    | frozenset(
        "na n/a n.a. n.a #n/a #na <na> nan null (null) \\n none nil missing (missing) "
        "x xx xxx unknown unk unk. undefined undetermined suppressed (suppressed) redacted masked withheld hidden "
        "blank empty refused declined nk n.k. tbd tba nat #null! #value! #ref! #div/0! #name? #num!".split()
    )
    | frozenset(
        (
            "no data",
            "not applicable",
            "not available",
            "not known",
            "not recorded",
            "not reported",
            "not stated",
            "prefer not to say",
            "not answered",
            "not assessed",
            "not done",
            "not measured",
            "not tested",
            "no response",
            "declined to answer",
            "declined to state",
        )
    )
)
"""In English, with the signs and with what spreadsheets write where a formula fails."""

_IN_LANGUAGES = """
not specified, unspecified, not given, don't know, does not know, no answer, not asked, unrecorded, uncertain, unclear
unbekannt, nicht bekannt, keine angabe, k.a., k. a., ka, o.a., ohne angabe, keine angaben, nicht angegeben, fehlend,
fehlt, unbek., nicht gemessen, nicht bestimmt, nicht durchgeführt, nicht erhoben, nicht erfasst,
nicht dokumentiert, weiß nicht, unklar, ungeklärt, entfällt,
#nv, #wert!, #bezug!, #zahl!, #leer!
inconnu, inconnue, inconnu(e), non connu, non fait, non réalisé, non mesuré, non renseigné, non renseignée, nr, nc,
non communiqué, non précisé, manquant,
non disponible, non applicable, sans objet, ne sait pas, pas de réponse, indéterminé, #valeur!, #nom?, #nombre!, #nul!
desconocido, desconocida, se desconoce, s/d, s.d., no realizado, no medido, sin dato, sin datos, sin información,
ns/nc, ns, no consta, no disponible,
no aplica, no sabe, no contesta, no sabe/no contesta, ignorado, ignorada, #¡valor!, #¡ref!, #¡num!, #¿nombre?
sconosciuto, sconosciuta, non eseguito, non misurato, non noto, non nota, ignoto, n.d., nd, non disponibile,
non rilevato, non rilevata, mancante,
non applicabile, non indicato, non sa, non risponde, #valore!, #rif!, #num!, #nome?
onbekend, niet bekend, niet bepaald, niet gedaan, geen opgave, geen gegevens, n.v.t., nvt, niet van toepassing,
niet ingevuld, ontbreekt,
weet niet, #waarde!, #verw!, #getal!, #naam?, #n/b
desconhecido, desconhecida, não informado, não informada, sem informação, sem dados, n/d, não disponível, não sabe,
não se aplica, não consta, em branco, #valor!, #núm!, #nome?, #n/d
nieznany, nieznana, nieznane, nie wiadomo, brak danych, brak, bd, b.d., nie dotyczy, nieokreślony, nie podano, nie wiem,
#arg!, #adr!, #liczba!, #nazwa?, #n/d!
okänd, okänt, uppgift saknas, saknas, ej angivet, ej angiven, ej känt, ej aktuellt, vet ej, vet inte, #saknas!,
#värdefel!, #referens!, #ogiltigt!, #namn?
"""


def _plain(text: str) -> str:
    return " ".join(fold(text).casefold().split())


_WORDS = frozenset(map(_plain, MISSING_WORDS)) | frozenset(
    _plain(word) for line in _IN_LANGUAGES.strip().split("\n") for word in line.split(",") if word.strip()
)


_DATE = re.compile(
    r"(?:(?P<y>\d{4})[-/.](?P<m>\d\d)[-/.](?P<d>\d\d)|(?P<glued>9999(?:1231|0101|9999)|19000101)|(?P<a>\d\d?)(?P<sep>[-/.])(?P<b>\d\d?)(?P=sep)(?P<year>\d{4}))"
    r"(?:[T ](?:00:00|23:59)(?::(?:00|59)(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
)
_FAR = frozenset({(2099, 12, 31), (1900, 1, 1), (1899, 12, 30), (1899, 12, 31), (1800, 1, 1), (1753, 1, 1), (1, 1, 1)})
_LAST_YEAR = 2200  # of a date that can be meant


def is_far_date(text: str) -> bool:
    """Whether a cell is a date that systems write where there is none, or its first or last minute.

    Examples
    --------
    >>> is_far_date("31.12.9999"), is_far_date("9999-12-31 00:00:00"), is_far_date("2021-01-01")
    (True, True, False)
    """
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return False
    if match["glued"] or not any(figure in "123456789" for figure in match.group()):
        return True  # no year, month and day at all
    if match["y"]:
        year, month, day = int(match["y"]), int(match["m"]), int(match["d"])
    else:
        year, month, day = int(match["year"]), *sorted((int(match["a"]), int(match["b"])))
    return (year, month, day) in _FAR or (year >= _LAST_YEAR and 1 <= month <= 12 and 1 <= day <= 31)


def is_missing_word(text: str) -> bool:
    """Whether a cell is one of the words or signs that stand for "no value"; another cell without letters is none.

    Parameters
    ----------
    text : str
        A cell; case, accents, brackets around it and blanks do not matter.
    """
    plain = _plain(text)
    return plain in _WORDS or plain.strip("()[]<>'\" ") in _WORDS


def means_missing(text: str) -> bool:
    """Whether a cell says in some language that there is no value.

    Parameters
    ----------
    text : str
        A cell; case, accents, brackets around it and blanks do not matter.

    Examples
    --------
    >>> means_missing("Unbekannt"), means_missing("(n/a)"), means_missing("sin datos"), means_missing("95")
    (True, True, True, False)
    """
    return is_missing_word(text) or not any(map(str.isalnum, text)) or is_far_date(text)

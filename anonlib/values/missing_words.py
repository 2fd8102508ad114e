"""Words and signs that stand for "no value", in the languages that names of columns are known in."""

from __future__ import annotations

from anonlib.values.naming import fold

SIGNS = frozenset("? - -- --- – — . .. ... * ** *** # ## ###".split())
"""Signs alone."""

MISSING_WORDS = (
    SIGNS
    | frozenset(
        "na n/a n.a. n.a #n/a #na <na> nan null (null) \\n none nil missing (missing) "
        "x xx xxx unknown unk unk. undefined undetermined suppressed (suppressed) redacted masked withheld hidden "
        "blank empty refused declined #null! #value! #ref! #div/0! #name? #num! "
        "9999-12-31 1900-01-01 31/12/9999 01/01/1900".split()
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
        )
    )
)
"""In English, with the signs and with what spreadsheets write where a formula fails."""

_IN_LANGUAGES = """
not specified, unspecified, not given, don't know, does not know, no answer, not asked, unrecorded, uncertain, unclear
unbekannt, nicht bekannt, keine angabe, k.a., k. a., ka, o.a., ohne angabe, keine angaben, nicht angegeben, fehlend,
fehlt, nicht erhoben, nicht erfasst, nicht dokumentiert, weiß nicht, unklar, ungeklärt, entfällt,
#nv, #wert!, #bezug!, #zahl!, #leer!
inconnu, inconnue, inconnu(e), non connu, non renseigné, non renseignée, nr, nc, non communiqué, non précisé, manquant,
non disponible, non applicable, sans objet, ne sait pas, pas de réponse, indéterminé, #valeur!, #nom?, #nombre!, #nul!
desconocido, desconocida, se desconoce, sin dato, sin datos, sin información, ns/nc, ns, no consta, no disponible,
no aplica, no sabe, no contesta, no sabe/no contesta, ignorado, ignorada, #¡valor!, #¡ref!, #¡num!, #¿nombre?
sconosciuto, sconosciuta, non noto, non nota, ignoto, n.d., nd, non disponibile, non rilevato, non rilevata, mancante,
non applicabile, non indicato, non sa, non risponde, #valore!, #rif!, #num!, #nome?
onbekend, niet bekend, geen opgave, geen gegevens, n.v.t., nvt, niet van toepassing, niet ingevuld, ontbreekt,
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


def means_missing(text: str) -> bool:
    """Whether a cell says in some language that there is no value.

    Parameters
    ----------
    text : str
        A cell; case, accents, brackets around it and blanks do not matter.

    Returns
    -------
    bool

    Examples
    --------
    >>> means_missing("Unbekannt"), means_missing("(n/a)"), means_missing("sin datos"), means_missing("95")
    (True, True, True, False)
    """
    plain = _plain(text)
    return plain in _WORDS or plain.strip("()[]<>'\" ") in _WORDS or not any(map(str.isalnum, plain))

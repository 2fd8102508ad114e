"""Postal, e-mail and web addresses inside texts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anonlib.columns.free_text.figures import ip_spans
from anonlib.columns.free_text.names import UPPER

_CAP = rf"[{UPPER}][^\W\d_]+(?:[-'’.][^\W\d_]+)*"
_TOWN = rf"{_CAP}(?:[ -]{_CAP}){{0,2}}"
_TAIL = (
    rf"(?:,?\s(?:Apt|Apartment|Suite|Ste|Unit|Flat|#)\.?\s?\w{{1,5}})?"
    rf"(?:,\s(?:[A-Z]{{1,2}}-)?(?:\d{{4,5}}\s(?:[A-Z]{{2}}\s)?)?{_TOWN}(?:,?\s[A-Z]{{2}}(?!\w))?(?:,?\s\d{{5}}(?:-\d{{4}})?)?)?"
)
_HOUSE = r"\d{1,5}\s?(?:[a-zA-Z](?!\w))?"
_OF = r"(?:(?:de la|de los|de las|de l['’]|del|della|dei|des|de|du|da|do|dos|das|la|le|les|l['’]|d['’]|van|den|der)\s?)"

_NUMBER_FIRST = re.compile(
    rf"[0-9](?<![\w.,/:-].)\d{{0,4}}[A-Za-z]?,?\s(?:"
    rf"(?:[NSEW]\.?\s|North\s|South\s|East\s|West\s)?(?:(?:{_CAP}|\d{{1,3}}(?:st|nd|rd|th))\s){{1,3}}"
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Way|Terrace|Place|Pl|Close|Crescent|Square"
    r"|Highway|Hwy|Parkway|Pkwy|Circle|Gardens|Grove|Trail)\b\.?"
    rf"|(?:bis\s|ter\s)?(?:rue|avenue|av\.|bd|boulevard|allée|chemin|place|impasse|quai|cours|route|passage)\s{_OF}{{0,2}}"
    rf"{_CAP}(?:\s{_OF}{{0,2}}{_CAP}){{0,2}})(?:{_TAIL})"
)
_NUMBER_LAST = re.compile(
    rf"[0-9](?<=[^\W\d_] .|\. .)\d{{0,4}}\s?(?:[a-z](?!\w))?(?!\w)(?!\s?(?:mg|mm|cm|ml|kg|%))(?:{_TAIL})"
)
_ENDS = (
    "straße", "strasse", "str.", "gasse", "weg", "platz", "allee", "ring", "damm", "ufer", "straat", "laan", "gracht",
    "plein", "singel", "dijk", "kade", "steeg", "gatan", "vägen", "vej", "gade", "veien", "katu",
)  # fmt: skip
_STREET_ENDS = (*_ENDS, *(end.title() for end in _ENDS))
_STREETS = re.compile(rf"(?<!\w)(?:{_CAP}[ -])?{_CAP}\.?$")
_WORD_FIRST = re.compile(
    r"[ACPRTVu](?<!\w.)(?:(?:(?<=C)(?:alle|amino|arrer|orso|/)|(?<=A)v(?:enida|da\.?|\.)|(?<=P)(?:laza|aseo|iazza|raça)"
    r"|(?<=R)(?:onda|ua)|(?<=V)(?:iale|ia|icolo)|(?<=T)ravessa|(?<=u)l\.)"
    rf"\s?{_OF}{{0,2}}{_CAP}(?:\s{_OF}{{0,2}}{_CAP}){{0,2}},?\s(?:n[.º°]?\s?)?{_HOUSE}(?:{_TAIL})"
    r"|(?<=P)(?:\.?\s?O\.?\s?Box|ostfach|ostbus)\s\d{1,6})"
)
_OF_TOWNS = re.compile(
    r"(?<!\w)(?:Am|An der|An den|Auf dem|Auf der|Im|In der|In den|Unter den|Zum|Zur|Hinter der|Bei der|Vor dem)\s"
    rf"(?:[{UPPER}][^\W\d_]*?)?(?:[Mm]arkt|[Kk]irche|[Ll]inden|[Bb]ach|[Bb]erg|[Ww]ald|[Pp]ark|[Bb]ahnhof|[Hh]of|[Aa]nger"
    r"|[Gg]raben|[Tt]eich|[Tt]or|[Mm]ühle|[Hh]ang|[Ff]eld|[Gg]arten|[Ss]chloss|[Rr]athaus|[Ff]riedhof|[Gg]rund|[Dd]orf|[Ww]iese)"
    r"n?\s\d{1,3}\s?[a-z]?(?=\s*(?:$|[,;()]|\d{5}))"
    rf"|(?<!\w)(?:al|os)\.\s[{UPPER}][^\W\d_]*(?:skie|skiego|ska|iej|ego|ki|icza|ów)\s\d{{1,4}}\w?(?!\w)"  # Poland
)
"""Streets that no ending shows as such."""
_STATES = (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA "
    "RI SC SD TN TX UT VT VA WA WV WI WY DC PR"
).split()
_UK_OR_US = re.compile(
    r"[A-Z](?<!\w.)(?:[A-Z]?\d[A-Z\d]?\s\d[A-Z]{2}(?!\w)"
    rf"|[A-Z](?<={'|'.join(_STATES)}),?\s\d{{5}}(?:-\d{{4}})?(?!\w))"
)
_DUTCH = re.compile(rf"[1-9](?<!\w.)\d{{3}}\s[A-Z]{{2}}\s{_CAP}")
_EMAIL = re.compile(r"[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_EMAIL_IN_WORDS = re.compile(
    r"[\w.+-]{1,64}\s?[(\[]\s?(?:at|@)\s?[)\]]\s?[\w-]{1,63}(?:\s?(?:\.|[(\[]\s?(?:dot|punkt|point|punto)\s?[)\]])\s?[\w-]{2,63})+",
    re.IGNORECASE,
)
_EMAIL_SPOKEN = re.compile(r"[\w.+-]{2,64}\sat\s[\w-]{2,63}(?:\sdot\s[a-z]{2,10})+(?!\w)", re.IGNORECASE)
_OF_SOMEBODY = re.compile(
    r"(?:facebook|instagram|linkedin|twitter|tiktok|xing|youtube|vk|threads)\.com/\S{3,}|(?<![\w.@])@(?=[\w.]*[\d_])[^\W\d_][\w.]{4,}",
    re.IGNORECASE,
)
_IN_BRACKETS = frozenset("([")
_MARKS_OF_MAC = 5
_MAC = re.compile(r"(?<![\w:-])(?:[0-9A-F]{2}([:-]))(?:[0-9A-F]{2}\1){4}[0-9A-F]{2}(?![\w:-])", re.IGNORECASE)
_OF_A_VERSION = re.compile(r"\b(?:version|v|ver\.?|release|build|firmware|ec|oid|section|rev\.?)\s?$", re.IGNORECASE)
_WEB = re.compile(
    r"(?:https?|ftp)://[^\s<>\"')\]]*[^\s<>\"')\].,;:!?]|www\.[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?:/[^\s<>\"')\].,;]*)?"
)
_DOMAIN = re.compile(r"(?<![\w.-])[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.(?:com|org|net|edu|gov)\b(?:/[^\s<>\"')\].,;]*)?")
_DOMAIN_ENDS = (".com", ".org", ".net", ".edu", ".gov")


def address_spans(text: str, *, postcodes: bool = True) -> Iterator[tuple[int, int]]:
    """Streets with a number, with town and postcode where these follow; post-office boxes and some postcodes."""
    for pattern in (_NUMBER_FIRST, _WORD_FIRST, _OF_TOWNS, *((_UK_OR_US, _DUTCH) if postcodes else ())):
        for found in pattern.finditer(text):
            yield found.span()
    for found in _NUMBER_LAST.finditer(text):
        end = found.start() - 1
        if text.endswith(_STREET_ENDS, 0, end):
            street = _STREETS.search(text, max(0, end - 60), end)
            if street is not None:
                yield street.start(), found.end()


def email_spans(text: str) -> Iterator[tuple[int, int]]:
    """E-mail addresses, those with ``(at)`` too."""
    if "@" in text:
        for found in _EMAIL.finditer(text):
            yield found.span()
    if not _IN_BRACKETS.isdisjoint(text):
        for spelled_out in _EMAIL_IN_WORDS.finditer(text):
            yield spelled_out.span()
    if " dot " in text:
        for spoken in _EMAIL_SPOKEN.finditer(text):
            yield spoken.span()


def account_spans(text: str) -> Iterator[tuple[int, int]]:
    """Names of accounts on the web, and the numbers of network cards."""
    if "@" in text or ".com/" in text:
        for account in _OF_SOMEBODY.finditer(text):
            yield account.span()
    if max(text.count(":"), text.count("-")) >= _MARKS_OF_MAC:
        for card in _MAC.finditer(text):
            yield card.span()


def holds_an_address_of_the_web(text: str) -> bool:
    """Whether a short cell holds an e-mail address, the name of an account, or the address of a computer."""
    if next(email_spans(text), None) or next(account_spans(text), None):
        return True
    return any(
        not text.startswith("0", start) and max(map(len, text[start:end].split("."))) > 1
        for start, end in ip_spans(text)
        if not _OF_A_VERSION.search(text, 0, start)
    )


def web_spans(text: str) -> Iterator[tuple[int, int]]:
    """Web addresses; a name of a host alone by the commonest endings."""
    if "//" in text or "www." in text:
        for found in _WEB.finditer(text):
            yield found.span()
    if any(end in text for end in _DOMAIN_ENDS):
        for found in _DOMAIN.finditer(text):
            yield found.span()

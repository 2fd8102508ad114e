"""Dates, telephone numbers, other numbers of a person, ages over 89 and addresses inside texts.

First come dates, telephone numbers, other numbers of a person and ages over 89; then come postal, e-mail and web
addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from anonlib.columns.free_text.names import UPPER, folded
from anonlib.values.dates import MONTH_WORDS

_WORD = r"(?P<{}>[^\W\d_]{{3,10}})"
_BEGINS = r"(?<![\w][0-9])(?<![.,/:-][0-9])"  # behind the first digit: the number does not begin further left
_ENDS = r"(?![\w])(?![.,/:-]\d)"
_YEAR = r"(?:19|20)\d\d"

_IN_FIGURES = re.compile(
    rf"[0-9]{_BEGINS}(?:"
    rf"(?P<ymd>(?<=[12])\d{{3}}(?P<s1>[-/.])(?P<m1>\d\d?)(?P=s1)(?P<d1>\d\d?)(?=T\d|(?!\w)))"
    rf"|(?P<dmy>\d?(?P<s2>[-/.])\s?(?P<m2>\d\d?)(?P=s2)\s?(?:{_YEAR}|\d\d)(?!\w)(?![./-]\d))"
    rf"|(?P<my>(?:\d?/|\d[.-]){_YEAR}(?!\w)(?![./-]\d))"
    rf"|(?P<day>\d?(?:st|nd|rd|th|er|\.|º)?(?:\s(?:of|de)\s|\s|-){_WORD.format('month')}\b"
    rf"(?:(?:\.?,?\s(?:de\s|del\s)?|-){_YEAR}\b|-\d\d\b)?)"
    rf"|(?P<glued>\d?{_WORD.format('glued_month')}{_YEAR}(?!\w))"  # 12MAR2021, as SAS has it
    rf")"
)
_BEHIND_A_WORD = re.compile(
    rf"[0-9](?<=[^\W\d_][ -].|[.,e][ -].)(?:(?<=[12])(?:9|0)\d\d\b"
    rf"|(?<=[0-3])\d?(?:st|nd|rd|th)?(?!\w)(?![./:-]\d)(?:,?\s{_YEAR}\b)?|(?:st|nd|rd|th)?(?!\w)(?![./:-]\d)(?:,?\s{_YEAR}\b)?)"
)
_WORD_BEFORE = re.compile(r"(?<![\w])(?P<month>[^\W\d_]{3,10})(?:[. ,-]|\. |, |\., | de | del )$")
_DAY_AND_MONTH = re.compile(r"[0-9](?<=\s.)\d?(?:/\d\d?|\.\d\d?\.)(?![\w/])(?!\s?(?:tabl|tab\b|of\b|mg|pain))")
_WHEN = re.compile(
    r"\b(?:on|since|appointment|appt|dated|due|seen|admitted|discharged|scheduled|moved to|visit|until|as of|DOB|DOA"
    r"|am|vom|seit|bis|ab|le|el|op|il)\s(?:the\s)?$",
    re.IGNORECASE,
)

_IP = re.compile(r"[0-9](?<![\w.][0-9])\d{0,2}(?:\.\d{1,3}){3}(?![\w.]\d)(?!\w)")
_PHONE = re.compile(
    rf"[0-9+(](?<!\w.)(?<![.,/:-].)(?:"
    r"(?<=\+)\(?\d[\d ()./-]{6,18}\d"
    r"|(?:(?<=\()\d{3}\)\s?|(?<=[0-9])\d{2}\)?[-. ]|(?<=1)[-. ]\(?\d{3}\)?[-. ])\d{3}[-. ]\d{4}"
    r"(?:\s?(?:x|ext\.?)\s?\d{1,6})?"
    r"|(?<=0)\d(?:[ .-]\d{2}){4}"
    r"|(?<=[0(])\d{1,5}\)?[ /-]{1,3}\d{2,9}(?:[ /-]\d{1,8}){0,4}"
    r"|(?<=[69])\d{2}(?:[ .-]\d{3}){2}|(?<=[69])\d{2}(?:[ .-]\d{2}){3}"
    r"|(?<=[2-9])\d{2}-\d{4}"
    r"|(?:(?<=\()\d{2}\)\s?|(?<=[1-9])\d\s)9\d{4}-\d{4}"  # Brazil
    r"|(?<=3)[2-9]\d[-/ ]\d{6,7}"  # Italy
    rf"){_ENDS}"
)
_FEWEST_PHONE_DIGITS = 7
_NO_PHONE = re.compile(
    r"\d{3}-\d{2}-\d{4}$|\d\d?([-/.])\d\d?\1(?:19|20)?\d\d(?!\d)"
)  # a social security number, a date
_CALLED_DIGITS = 5  # behind a word for a telephone
_PHONE_CALLED = re.compile(
    r"\b(?:tel|tél|tlf|telefon|telephone|phone|ph|fon|fax|cell|mobile|mobil|handy)[\s:.#]{1,4}$", re.I
)
_SHORT_PHONE_CALLED = re.compile(
    r"\b(?:tel|tél|tlf|telefon|telephone|phone|ph|fon|fax|cell|mobile|mobil|handy)[\s:.#]{1,4}\d{7,15}(?!\w)",
    re.IGNORECASE,
)
_LEADING_ZERO_DIGITS = 9  # 0176 5551234: with a zero in front and separators, so many at least

_UNIT = re.compile(
    r"\s?(?:/|[µμu]l\b|copies|cop\b|I\.?[EU]\b|UI\b|U\b|units?\b|cells|cfu\b|Zellen|m?m?ol|mm|mg|mcg|µg|g\b|ml\b|mL\b|x\s?10|per\b|%|°"
    r"|pg|ng|Einheiten|unités|unidades)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\b(?:platelets?|plts?|wbc|rbc|leu[ck]o\w*|throm\w*|tromb\w*|plaquett\w*|plaquet\w*|load|bnp|ferritin\w*|count|dose"
    r"|penicillin|heparin\w*|vitamin d3?|hcg|ck)\W{1,3}(?:(?:of|at|is|was|bei|auf|von|à|de|a)\s)?$",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    rf"[0-9]{_BEGINS}(?:"
    r"\d{2}-\d{2}-\d{4}"  # United States, social security
    r"|\d{2}[- ]\d{3}[- ]\d{3,4}"
    r"|\d{3}(?:[ -]\d{4}){2,3}(?:[ -]\d{1,4})?"
    r"|(?<=[12])\s?\d\d\s?\d\d\s?(?:\d\d|2[AB])\s?\d{3}\s?\d{3}(?:\s?\d\d)?"
    r"|\d{5,}(?:-?[A-Z])?"
    rf"){_ENDS}"
)
_WITH_LETTERS = re.compile(
    r"[A-Z](?<!\w.)(?:(?<![\w-].)[A-Z]?\d{2}(?:\s?[A-Z0-9]{4}){3,7}(?:\s?[A-Z0-9]{1,4})?"
    r"|[A-Z]{0,3}[- ]?\d{6,}[A-Z]?)(?!\w)"
)
_WITH_A_NAME = re.compile(r"[A-Z0-9](?<!\w.)(?<![.,].)(?=[A-Z-]{0,9}\d{3})[A-Z-]{0,9}[0-9][0-9A-Z/-]{0,30}(?<!-)(?!\w)")
_CALLED = re.compile(
    r"\b(?:MRN|NHS|NHC|SSN|IPP|BSN|DNI|NIE|NIF|CPF|PESEL|KVNR|NSS|HCN|ID|Pat\.?-?(?:ID|Nr\.?)"
    r"|HICN|MBI|AHV|RRN|Vers\.?-?Nr\.?"
    r"|(?:case|record|account|acct|policy|member|chart|file|patient|hosp|hospital|insurance|claim|licen[cs]e|passport|dossier|expediente"
    r"|historia|póliza|akte)\s?(?:no\.?|number|id|n[r°º]\.?|#|número|numéro|clínica)"
    r"|(?:fall|akten|patienten|versicherten|versicherungs|kranken|ausweis)-?(?:nummer|nr\.?)|n° (?:de )?dossier)"
    r"[\s:#.=-]{0,3}$",
    re.IGNORECASE,
)
_CALLED_ENDS = tuple(
    "mrn nhs nhc ssn ipp bsn dni nie nif cpf pesel kvnr nss hcn id no number nr nº n° # número numéro clínica nummer "
    "dossier case record account acct hicn mbi ahv rrn".split()
)
_CALLED_A_DOCUMENT = re.compile(
    r"\b(?:VIN|S/N|SN|DL|CNS|Medicare|passport|pasaporte|passeport|Reisepass|policy|claim|serial|Akte)[\s:#.=-]{0,3}$",
    re.I,
)
_DOCUMENT_ENDS = tuple(
    "vin s/n sn dl cns medicare passport pasaporte passeport reisepass policy claim serial akte".split()
)
_FEWEST_OF_DOCUMENT = 5  # digits: a claim of 2021 has none
_PLATE = re.compile(
    r"\b(?:licen[cs]e(?: plate)?|(?:number|registration)[ -]plate|Kfz|Kennzeichen|plaque|immatriculation|matr[íi]cula"
    r"|kenteken)\W{1,3}(?=[A-ZÄÖÜ0-9 -]*\d)(?:[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} ?\d{1,4}|[A-Z]{2}-\d{3}-[A-Z]{2}"
    r"|[A-Z]{2,3}[- ]\d{3,4}|\d{4} ?[A-Z]{3}|[A-Z]{2}\d{2} ?[A-Z]{3}|[A-Z\d]{1,3}-[A-Z\d]{2,3}-[A-Z\d]{1,2})(?!\w)",
)
_CALLS_A_PLATE = "licen plate kfz kennzeichen plaque immatric tricula trícula kenteken".split()
_AGED = re.compile(
    r"\b(?:age[d:]?(?:\s(?:of|is|was))?|alter(?:\s(?:von|ist))?:?|âgée?\sde|edad(?:\sde)?:?|leeftijd:?)\s$",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"[-\s]{0,2}(?:years?\b|yrs?\b|y/?o\b|y\.\s?o\.|jährig|Jahren?\b|ans\b|años\b|jaar\b|jarige|anni\b|anos\b|lat\b"
    r"|år\b|yaşında)",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"(?:\b(?:for|over|past|last|pack|of|seit|vor|depuis|desde|hace|pendant|nach|after|in)\s)$", re.IGNORECASE
)
_OF_AGE = re.compile(r"(?<![\d.,/:-])(?:9\d|1[01]\d)(?![\d%/:]|[.,]\d)(?<![A-Za-z]\d\d)(?<![A-Za-z]\d\d\d)")


def date_spans(text: str) -> Iterator[tuple[int, int]]:
    """Dates with a day or a month; a year alone is none, as 45 CFR 164.514(b)(2)(i)(C) lets it be."""
    for match in _IN_FIGURES.finditer(text):
        if match["ymd"]:
            ok = _are_month_and_day(match["m1"], match["d1"])
        elif match["dmy"]:
            first = match.group()[0] + (match["dmy"][0] if match["dmy"][0].isdigit() else "")
            ok = _are_month_and_day(first, match["m2"]) and not _UNIT.match(text, match.end())
        elif match["my"]:
            ok = 1 <= int(re.split("[-./]", match.group())[0]) <= 12
        else:
            day = re.split(r"\D", match.group(), maxsplit=1)[0]
            month = match["month"] or match["glued_month"]
            ok = 1 <= int(day) <= 31 and folded(month) in MONTH_WORDS and (month != "may" or bool(match["glued"]))
        if ok:
            yield match.span()
    for match in _BEHIND_A_WORD.finditer(text):
        before = _WORD_BEFORE.search(text, max(0, match.start() - 16), match.start())
        year_only = len(match.group()) == 4
        apart = before is not None and "," in before.group() and not year_only  # "March, 2020", and not "March, 3"
        if before is not None and not apart and _is_month(before["month"], year_only):
            yield before.start(), match.end()
    for match in _DAY_AND_MONTH.finditer(text):
        first, second, *_ = re.split("[/.]", match.group())
        if _are_month_and_day(first, second) and _WHEN.search(text, max(0, match.start() - 20), match.start()):
            yield match.span()


def _is_month(word: str, year_only: bool) -> bool:
    """Whether a word before a day or a year is a month; in lower case before a year alone, and no other word."""
    plain = folded(word)
    return plain in MONTH_WORDS and (word[0].isupper() or (year_only and plain not in ("may", "mar")))


def _are_month_and_day(one: str, other: str) -> bool:
    low, high = sorted((int(one), int(other)))
    return 1 <= low <= 12 and high <= 31


def phone_spans(text: str) -> Iterator[tuple[int, int]]:
    """Telephone and fax numbers."""
    for match in _PHONE.finditer(text):
        digits = sum(c.isdigit() for c in match.group())
        zero = match.group().lstrip("(").startswith("0")
        called = _PHONE_CALLED.search(text, max(0, match.start() - 12), match.start()) is not None
        least = _CALLED_DIGITS if called else _LEADING_ZERO_DIGITS if zero else _FEWEST_PHONE_DIGITS
        if digits < least or _NO_PHONE.match(match.group()):
            continue
        if not _is_amount(text, *match.span()):
            yield match.span()


def number_spans(text: str) -> Iterator[tuple[int, int]]:
    """Numbers of records, accounts, insurances and offices: six digits and more, or fewer that are called so."""
    for pattern in (_NUMBER, _WITH_LETTERS):
        for match in pattern.finditer(text):
            if sum(c.isdigit() for c in match.group()) >= 6 and not _is_amount(text, *match.span()):
                yield match.span()
    yield from called_number_spans(text)


def called_number_spans(text: str) -> Iterator[tuple[int, int]]:
    """Numbers of a person, with digits, behind a word that calls them so."""
    for match in _WITH_A_NAME.finditer(text):
        before = text[max(0, match.start() - 28) : match.start()]
        last = before.rstrip(" \t:#.=-").lower()
        is_called = last.endswith(_CALLED_ENDS) and _CALLED.search(before)
        if is_called or (last.endswith(_DOCUMENT_ENDS) and _is_of_a_document(match.group(), before)):
            yield match.span()


def _is_of_a_document(number: str, before: str) -> bool:
    enough = sum(map(str.isdigit, number)) >= _FEWEST_OF_DOCUMENT
    return enough and _CALLED_A_DOCUMENT.search(before) is not None


def plate_spans(text: str) -> Iterator[tuple[int, int]]:
    """License plates of vehicles behind a word that calls them so, that word included."""
    lower = text.lower()
    if any(word in lower for word in _CALLS_A_PLATE):
        for plate in _PLATE.finditer(text):
            yield plate.span()


def holds_called_phone(text: str) -> bool:
    """Whether a telephone number stands behind a word for a telephone."""
    return any(_PHONE_CALLED.search(text, max(0, start - 12), start) for start, _ in phone_spans(text)) or (
        _SHORT_PHONE_CALLED.search(text) is not None
    )


def _is_amount(text: str, start: int, end: int) -> bool:
    """Whether a number is a quantity: a unit behind it, or what is counted before it."""
    return _UNIT.match(text, end) is not None or _AMOUNT.search(text, max(0, start - 30), start) is not None


def ip_spans(text: str) -> Iterator[tuple[int, int]]:
    """Addresses of computers."""
    if text.count(".") < 3:
        return
    for match in _IP.finditer(text):
        if all(int(part) <= 255 for part in match.group().split(".")):
            yield match.span()


def age_spans(text: str) -> Iterator[tuple[int, int]]:
    """Ages of 90 to 119 years: the number alone."""
    for match in _OF_AGE.finditer(text):
        start, end = match.span()
        old = _OLD.match(text, end) and not _DURATION.search(text, max(0, start - 10), start)
        if old or _AGED.search(text, max(0, start - 16), start):
            yield match.span()


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
_ENDS_OF_ADDRESSES = (
    "straße", "strasse", "str.", "gasse", "weg", "platz", "allee", "ring", "damm", "ufer", "straat", "laan", "gracht",
    "plein", "singel", "dijk", "kade", "steeg", "gatan", "vägen", "vej", "gade", "veien", "katu",
)  # fmt: skip
_STREET_ENDS = (*_ENDS_OF_ADDRESSES, *(end.title() for end in _ENDS_OF_ADDRESSES))
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
        for match in pattern.finditer(text):
            yield match.span()
    for match in _NUMBER_LAST.finditer(text):
        end = match.start() - 1
        if text.endswith(_STREET_ENDS, 0, end):
            street = _STREETS.search(text, max(0, end - 60), end)
            if street is not None:
                yield street.start(), match.end()


def email_spans(text: str) -> Iterator[tuple[int, int]]:
    """E-mail addresses, those with ``(at)`` too."""
    if "@" in text:
        for match in _EMAIL.finditer(text):
            yield match.span()
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
        for match in _WEB.finditer(text):
            yield match.span()
    if any(end in text for end in _DOMAIN_ENDS):
        for match in _DOMAIN.finditer(text):
            yield match.span()

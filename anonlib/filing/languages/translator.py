"""A text in another language: its message, what stands at its places, its sentences, lists, numbers and days."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date

from babel.dates import format_date
from babel.numbers import get_decimal_symbol, get_group_symbol

from anonlib.filing.languages.hidden import NAMED, Hidden
from anonlib.filing.languages.messages import Messages, messages_of
from anonlib.filing.languages.sentence import Found, Sentence

_NUMBER = re.compile(r"(?<![\w.,])([<>≥≤≈+−–-]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(e[+-]?\d+)?(%?)(?![\w]|[.,]\d)")
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_LIST = ", "


@dataclass
class Translator:
    """Texts of one report in another language.

    Attributes
    ----------
    language : str
        Its code, such as "de".
    names : Collection[str], default ()
        What is never translated: names of columns and files, labels, and what an officer typed.
    missing : list[str], optional
        The texts that stay English in part, in their order.
    parts : dict[tuple[str, str], tuple[Found, int]], optional
        By text and context, what parts of texts were translated to, and how deep in a text.
    """

    language: str
    names: Collection[str] = ()
    missing: list[str] = field(default_factory=list)
    parts: dict[tuple[str, str], tuple[Found, int]] = field(default_factory=dict)
    _done: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names = frozenset(name.strip() for name in self.names if name.strip())
        self.messages: Messages = messages_of(self.language)
        self.hidden = Hidden(self.names, self.messages.words, self.messages.phrases)
        self._group = get_group_symbol(self.language)
        self._point = get_decimal_symbol(self.language)
        self._quotes = self.messages.exact.get(("", "“ ”"), "“ ”").split(" ")

    def text(self, english: str) -> str:
        """A text in the language; what has no message stays English and is noted as missing."""
        if not english.strip() or english.strip() in self.names:
            return english
        if english not in self._done:
            translation, n_missing = Sentence(self).translated(self.hidden.put_away(english))
            if n_missing:
                self.missing.append(english)
            self._done[english] = self.hidden.put_back(translation, self._quoted)
        return self._done[english]

    def _quoted(self, quotation: str) -> str:
        """A quotation in the language's marks: a name as it is, a title translated where messages have all of it."""
        inside = self.hidden.put_back(quotation, str)
        if inside.strip() not in self.names and inside == quotation:
            translation, n_missing = Sentence(self).translated(self.hidden.put_away(quotation))
            inside = quotation if n_missing else self.hidden.put_back(translation, self._quoted)
        return f"{self._quotes[0]}{inside}{self._quotes[-1]}"

    # ---- what has no words ----

    def without_words(self, text: str) -> str:
        """Names as they are, other numbers and days as the language writes them."""
        pieces = text.split(_LIST)
        return _LIST.join(self.name(piece) if piece.strip() in self.names else self.numbers(piece) for piece in pieces)

    @staticmethod
    def name(name: str) -> str:
        """A name with a sign that it is one."""
        return NAMED + name

    def numbers(self, text: str) -> str:
        """Numbers, shares and days as the language writes them; nothing else changes."""
        return _NUMBER.sub(self._number, _DAY.sub(self._day, text))

    def _number(self, match: re.Match[str]) -> str:
        sign, whole, fraction, power, per_cent = match.groups()
        decimals = "" if fraction is None else self._point + fraction[1:]
        unit = self.messages.exact.get(("", "%"), "%") if per_cent else ""
        return f"{sign}{whole.replace(',', self._group)}{decimals}{power or ''}{unit}"

    def _day(self, match: re.Match[str]) -> str:
        try:
            return format_date(date.fromisoformat(match[0]), "medium", self.language)
        except ValueError:
            return match[0]

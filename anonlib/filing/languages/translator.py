"""A text in another language: its message, what stands at its places, its sentences, lists, numbers and days."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import date

from babel.dates import format_date
from babel.numbers import get_decimal_symbol, get_group_symbol

from anonlib.filing.languages.messages import HIDDEN, Message, Messages, messages_of

_NUMBER = re.compile(r"(?<![\w.,])([<>≥≤≈+−–-]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(e[+-]?\d+)?(%?)(?![\w]|[.,]\d)")
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_QUOTED = re.compile("“([^”]*)”")
_SOURCE = re.compile(r"(?:[A-Z][\w’-]+(?: and [A-Z][\w’-]+)?(?: et al\.)?,? \d{4}(?:, )?)+")
_SENTENCE = re.compile("(?<=[.!?:])\\s+(?=[A-Z0-9(\ue000])")
_IN_BRACKETS = re.compile(r"(.+?) \((.+)\)(\.?)", re.DOTALL)
_JOINTS = ("; ", ": ", ", ", " and ", " or ", " → ", " + ", " · ", " to ")
_WORD = re.compile(r"\w+")
_DEEPEST = 7  # places within places
_MOST_TRIED = 5  # messages that a text could be, of which the one that leaves least in English is taken
_MOST_LOOKED_UP = 300  # parts of one text, so that what has no message does not take long
_NAMED = "\ue002"  # before a name that is hidden without quotation marks
Found = tuple[str, int]
"""A text in the language, and how many of its letters stay English."""


@dataclass
class Translator:
    """Texts of one report in another language.

    Attributes
    ----------
    language : its code, such as "de".
    names : what is never translated: names of columns and files, labels, and what an officer typed.
    missing : the texts that no message was found for, in their order.
    """

    language: str
    names: Collection[str] = ()
    missing: list[str] = field(default_factory=list)
    _done: dict[str, str] = field(default_factory=dict)
    parts: dict[tuple[str, str], tuple[Found, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._names = frozenset(name.strip() for name in self.names if name.strip())
        several = (name for name in self._names if not _WORD.fullmatch(name))
        self._several_words = sorted(several, key=len, reverse=True)
        self._messages: Messages = messages_of(self.language)
        self._group = get_group_symbol(self.language)
        self._point = get_decimal_symbol(self.language)
        self._quotes = self._messages.exact.get(("", "“ ”"), "“ ”").split(" ")

    def text(self, english: str) -> str:
        """A text in the language; what has no message stays English and is noted as missing."""
        if not english.strip() or english.strip() in self._names:
            return english
        if english not in self._done:
            sentence = _Sentence(self._names, self._messages, self)
            found, n_missing = sentence.translated(self._hidden(english, sentence.hidden))
            if n_missing:
                self.missing.append(english)
            self._done[english] = HIDDEN.sub(lambda place: self._shown(sentence.hidden[int(place[1])]), found)
        return self._done[english]

    def _hidden(self, english: str, hidden: list[str]) -> str:
        """The text with quotations, and names of several words, put out of the way."""

        def hide(name: str) -> str:
            hidden.append(name)
            return f"\ue000{len(hidden) - 1}\ue001"

        plain = _QUOTED.sub(lambda quoted: hide(quoted[1]), english)
        for name in self._several_words:
            if name in plain:
                plain = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda found: hide(_NAMED + found[0]), plain)
        return plain

    def _shown(self, name: str) -> str:
        """What was hidden: a name as it is, or a quotation in the language's quotation marks."""
        if name.startswith(_NAMED):
            return name[1:]
        inside = name
        if name not in self._names:
            inside = self._messages.exact.get(("", name)) or self._quoted(name)
        return f"{self._quotes[0]}{inside}{self._quotes[-1]}"

    def _quoted(self, name: str) -> str:
        """A title that is quoted, where a message has all of it; else as it is."""
        found, n_missing = _Sentence(self._names, self._messages, self).translated(name)
        return name if n_missing else found

    # ---- numbers and days ----

    def numbers(self, text: str) -> str:
        """Numbers, shares and days as the language writes them; nothing else changes."""
        return _NUMBER.sub(self._number, _DAY.sub(self._day, text))

    def _number(self, found: re.Match[str]) -> str:
        sign, whole, fraction, power, per_cent = found.groups()
        decimals = "" if fraction is None else self._point + fraction[1:]
        unit = self._messages.exact.get(("", "%"), "%") if per_cent else ""
        return f"{sign}{whole.replace(',', self._group)}{decimals}{power or ''}{unit}"

    def _day(self, found: re.Match[str]) -> str:
        try:
            return format_date(date.fromisoformat(found[0]), "medium", self.language)
        except ValueError:
            return found[0]


class _Sentence:
    """One text and all that is part of it."""

    def __init__(self, names: frozenset[str], messages: Messages, translator: Translator) -> None:
        self.hidden: list[str] = []
        self._names, self._messages, self._translator = names, messages, translator
        self._done: dict[tuple[str, str], tuple[Found, int]] = {}
        self._left = _MOST_LOOKED_UP

    def translated(self, text: str, context: str = "", depth: int = 0) -> Found:
        """The text in the language, and how many of its letters stay English."""
        stripped = text.strip()
        if stripped in self._names or not _letters(stripped) or _SOURCE.fullmatch(stripped):
            return self._as_it_is(text), 0
        key, done = (stripped, context), self._done if HIDDEN.search(stripped) else self._translator.parts
        if key not in done or (done[key][0][1] and done[key][1] > depth):  # there its parts may not have been looked at
            as_it_is = self._as_it_is(stripped), _letters(stripped)
            if not self._left:
                return as_it_is
            self._left -= 1
            done[key] = as_it_is, 0  # in a circle it is no way
            looked_up = self._looked_up(stripped, context, depth), depth
            if not self._left and looked_up[0][1]:
                del done[key]
                return looked_up[0]
            done[key] = looked_up
        (found, n_missing), _ = done[key]
        return text.replace(stripped, found, 1), n_missing

    def _as_it_is(self, text: str) -> str:
        if text.strip() in self._names:
            return text
        if _SOURCE.fullmatch(text.strip()):
            word = self._messages.exact.get(("", "and"), "and")
            return text.replace(" and ", f" {word} ")
        return self._translator.numbers(text)

    def _looked_up(self, text: str, context: str, depth: int) -> Found:
        exact = self._messages.exact
        for each in (text, _with_other_capital(text)):
            for key in ((context, each), ("", each)):
                if key in exact:
                    return _capital_as(text, exact[key]), 0
        best: Found = (self._translator.numbers(text), _letters(text))
        if depth >= _DEEPEST:
            return best
        for found in self._ways(text, context, depth):
            if found[1] < best[1]:
                best = found
            if not best[1]:
                break
        return best

    def _ways(self, text: str, context: str, depth: int) -> Iterator[Found]:
        """Each way to read a text, likeliest first."""
        if len(sentences := _SENTENCE.split(text)) > 1:
            yield self._sentences(sentences, context, depth)
        for each in (text, _with_other_capital(text)):
            for tried, (message, ways) in enumerate(self._messages.candidates(each, context, self.hidden)):
                for values in ways:
                    found, n_missing = self._filled(message, values, depth)
                    if message.is_certain or not n_missing:
                        yield _capital_as(text, found), n_missing
                if tried == _MOST_TRIED:
                    break
        yield from self._joined(text, context, depth)
        if text.startswith("(") and text.endswith(")"):
            inside, n_missing = self.translated(text[1:-1], context, depth + 1)
            yield f"({inside})", n_missing
        if parts := _IN_BRACKETS.fullmatch(text):
            before, n_before = self.translated(parts[1], context, depth + 1)
            inside, n_inside = self.translated(parts[2], context, depth + 1)
            yield f"{before} ({inside}){parts[3]}", n_before + n_inside
        if text[-1] in ".,;:?" and len(text) > 1:
            inside, n_missing = self.translated(text[:-1], context, depth + 1)
            yield inside + text[-1], n_missing

    def _filled(self, message: Message, values: dict[str, str], depth: int) -> Found:
        n_missing = 0

        def put(place: str, context: str) -> str:
            nonlocal n_missing
            found, missing = self.translated(values[place], context, depth + 1)
            n_missing += missing
            return found

        text = message.filled(put)
        return re.sub(" {2,}", " ", text).strip(), n_missing

    def _sentences(self, sentences: list[str], context: str, depth: int) -> Found:
        """Sentence by sentence, as many at once as one message has."""
        found: list[str] = []
        n_missing = i = 0
        while i < len(sentences):
            for n in range(min(len(sentences) - i, 3), 0, -1):
                if n == len(sentences):
                    continue
                other, missing = self.translated(" ".join(sentences[i : i + n]), context, depth + 1)
                if not missing or n == 1:
                    break
            found.append(other)
            n_missing += missing
            i += n
        return " ".join(found), n_missing

    def _joined(self, text: str, context: str, depth: int) -> Iterator[Found]:
        """A list, or a name with what it is."""
        for joint in _JOINTS:
            if joint not in text:
                continue
            pieces = text.split(joint)
            word = joint.strip()
            if word == "to" and any(map(_letters, pieces)):
                continue  # between numbers alone
            parts = [self.translated(piece, context, depth + 1) for piece in pieces]
            joined = joint.replace(word, self._messages.exact.get(("", word), word)) if word.isalpha() else joint
            yield joined.join(part for part, _ in parts), sum(missing for _, missing in parts)


def _letters(text: str) -> int:
    return sum(map(str.isalpha, HIDDEN.sub("", text)))


def _with_other_capital(text: str) -> str:
    """The text with its first letter small where it is large, and the other way around."""
    return text[:1].swapcase() + text[1:]


def _capital_as(text: str, found: str) -> str:
    """What was found, with a capital where the text has one; a noun of a language that writes them large keeps its."""
    return found[:1].upper() + found[1:] if text[:1].isupper() else found

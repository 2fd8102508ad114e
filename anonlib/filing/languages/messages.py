"""The messages of a language, by the English ones, and which of them a text is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice, product

from babel.messages.pofile import read_po

from anonlib.filing.languages import FOLDER
from anonlib.filing.languages.hidden import Hidden

_PLACE = re.compile(r"\{(\d+)(?::(\w+))?\}")
_AT_THE_END = re.compile(r"((?: ?\{\d+(?::\w+)?\})+)\.?$")
_AT_A_BEGINNING = re.compile(r"(?:^|[.!?:])((?: ?\{\d+(?::\w+)?\})+)")
_COUNT = re.compile(r"\{0\} [a-z]+")
_NO_NUMBER = re.compile(r"[A-Z]\D*")
_HAS_AN_END = re.compile("(?<! al)(?<!Art)(?:[.!?](?:$|\\s+[\\w(\ue000])|[:;](?:$| ))")
_QUOTED = re.compile("“([^”]*)”")
_QUOTED_PLACE = re.compile(r"[“„](\{\d+(?::\w+)?\})[”“]")
_CUTS = re.compile(r"^|$|(?=[ ,;.(])")  # where one place may end and the next begin
_WORD = re.compile(r"\w+")
_WHOLE_WORD = re.compile("(?<![\\w\ue000])\\w+(?![\\w\ue000])")
_MOST_CUTS = 30  # ways to part what stands at places side by side
_CERTAIN = 3  # letters, of which fewer are no sign by themselves


@dataclass(frozen=True)
class Message:
    """A message with places for what changes.

    Attributes
    ----------
    english, other : str
        In both languages, with ``{0}`` and so on; ``{0:dative}`` takes what stands there in that context.
    context : str, default ""
        In which it holds, such as "dative"; "" everywhere.
    is_apart : bool, default False
        Whether another message is the same but for the size of its first letter.
    """

    english: str
    other: str
    context: str = ""
    is_apart: bool = False

    @cached_property
    def quotations(self) -> tuple[str, ...]:
        """What it quotes itself, in order."""
        return tuple(quotation for quotation in _QUOTED.findall(self.english) if not _PLACE.fullmatch(quotation))

    @cached_property
    def _pieces(self) -> list[str]:
        """Text and numbers of places in turn; a run of places side by side is one, as in ``0 1``."""
        english = _QUOTED.sub(lambda quoted: quoted[1] if _PLACE.fullmatch(quoted[1]) else "\ue000", self.english)
        text, *more = _PLACE.split(english)
        pieces = [text]
        for number, between in zip(more[::3], more[2::3], strict=True):
            if len(pieces) > 1 and pieces[-1] in ("", " "):
                joint = pieces.pop()
                pieces[-1] += f"{'_' if joint else '+'}{number}"
            else:
                pieces.append(number)
            pieces.append(between)
        return pieces

    @cached_property
    def weight(self) -> int:
        """How many letters recognise it."""
        return sum(sum(map(str.isalpha, text)) for text in self._pieces[::2])

    @property
    def is_certain(self) -> bool:
        """Whether its letters are sign enough."""
        return self.weight >= _CERTAIN

    @cached_property
    def longest(self) -> str:
        """The longest text between two places, without which nothing can be this message."""
        return max(re.split("\ue000", "\ue000".join(self._pieces[::2])), key=len).strip()

    @cached_property
    def words(self) -> frozenset[str]:
        """The whole words that it always has."""
        text = "\ue000".join(self._pieces[::2])
        return frozenset(_WHOLE_WORD.findall(text))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What it looks like, with its first letter large or small; a blank may be missing where a place is empty."""
        parts = []
        for i, piece in enumerate(self._pieces):
            if i % 2:
                parts.append("(.*?)")
                continue
            text = re.escape(piece.strip(" ")).replace("\ue000", "\ue000(?:\\d+)\ue001")
            if not i and piece[:1].isalpha() and not self.is_apart:
                text = f"[{piece[0].swapcase()}{piece[0]}]{text[1:]}"
            before = r"(?: |(?<!\w))" if piece.startswith(" ") and i else ""
            after = r"(?: |(?!\w))" if piece.endswith(" ") and piece.strip(" ") and i < len(self._pieces) - 1 else ""
            parts.append(f"{before}{text}{after}")
        return re.compile("".join(parts), re.DOTALL)

    def values(self, text: str, hidden: Hidden) -> Iterator[dict[str, str]]:
        """What can stand at its places, by their numbers; nothing where the text is another."""
        if self.longest[1:] not in text:
            return
        match = self.pattern.fullmatch(text)
        if match is None or (self.quotations and not set(self.quotations) <= set(hidden.of(text))):
            return
        runs = [list(_parted(run, group)) for run, group in zip(self._pieces[1::2], match.groups(), strict=True)]
        for parts in islice(product(*runs), _MOST_CUTS):
            values = {number: value for values in parts for number, value in values}
            if self._is_count and _NO_NUMBER.fullmatch(values["0"]):
                continue
            if all(number in self._for_sentences or not _HAS_AN_END.search(value) for number, value in values.items()):
                yield values

    @cached_property
    def _is_count(self) -> bool:
        """Whether it is a number and what is counted, such as ``{0} rows``."""
        return bool(_COUNT.fullmatch(self.english))

    @cached_property
    def _for_sentences(self) -> frozenset[str]:
        """The places at which sentences can stand: in both languages at the end, or where a sentence begins."""
        at_the_end, at_a_beginning = (
            frozenset.intersection(*(frozenset(_numbers(pattern, text)) for text in (self.english, self.other)))
            for pattern in (_AT_THE_END, _AT_A_BEGINNING)
        )
        return at_the_end | at_a_beginning

    def filled(self, put: Callable[[str, str], str]) -> str:
        """Its other text, at each place what ``put`` makes of the place's number and the context asked for."""
        return _PLACE.sub(lambda place: put(place[1], place[2] or ""), _QUOTED_PLACE.sub(r"\1", self.other))


def _numbers(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    """The numbers of the places in what a pattern finds in a message."""
    for piece in pattern.findall(text):
        yield from (place[1] for place in _PLACE.finditer(piece))


def _parted(run: str, text: str) -> Iterator[list[tuple[str, str]]]:
    """The ways to part a text among places side by side, such as ``0_1+2``: with a blank between, or with nothing."""
    number, *more = re.split(r"[_+]", run, maxsplit=1)
    if not more:
        yield [(number, text)]
        return
    blank = run[len(number)] == "_"
    for cut in _CUTS.finditer(text):
        end = cut.start()
        if blank and text[end : end + 1] not in (" ", ""):
            continue
        rest = text[end + 1 :] if blank else text[end:]
        for parts in _parted(more[0], rest):
            yield [(number, text[:end]), *parts]


@dataclass(frozen=True)
class Messages:
    """All messages of a language.

    Attributes
    ----------
    exact : dict[tuple[str, str], str]
        By context and English text, those without places.
    with_places : tuple[Message, ...]
        The others, those recognised by most letters first.
    """

    exact: dict[tuple[str, str], str]
    with_places: tuple[Message, ...]

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        """The places of messages in :attr:`with_places` by their rarest word; "" of those that have none."""
        how_often = Counter(word for message in self.with_places for word in message.words)
        by_word: dict[str, list[int]] = {}
        for i, message in enumerate(self.with_places):
            word = min(message.words, key=lambda word: (how_often[word], word), default="")
            by_word.setdefault(word, []).append(i)
        return by_word

    @cached_property
    def phrases(self) -> dict[str, str]:
        """The messages of the context "phrase": they stand in lists, and have commas of their own."""
        return {english: other for (context, english), other in self.exact.items() if context == "phrase"}

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of messages, which a name may be as well."""
        english = (text for _, text in self.exact), (message.english for message in self.with_places)
        return frozenset(word for texts in english for text in texts for word in _WORD.findall(text))

    def candidates(self, text: str, context: str) -> Iterator[Message]:
        """The messages that a text can be, those with most letters first."""
        words = {"", *_WORD.findall(text)}
        if first := _WORD.match(text):
            words.add(with_other_capital(first[0]))
        for i in sorted(i for word in words for i in self._by_word.get(word, ())):
            if self.with_places[i].context in ("", context):
                yield self.with_places[i]


@cache
def messages_of(language: str) -> Messages:
    """The messages of a language's file; those not translated yet are left out, and those with other places."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        catalog = read_po(file, locale=language, ignore_obsolete=True)
    exact: dict[tuple[str, str], str] = {}
    with_places: list[Message] = []
    for entry in catalog:
        if not isinstance(entry.id, str) or not isinstance(entry.string, str) or entry.fuzzy:
            continue
        if not entry.id or not entry.string or has_other_places(entry.id, entry.string):
            continue
        for english, other in _with_fragments(entry.id, entry.string):
            if _PLACE.search(english) or _QUOTED.search(english):
                with_places.append(Message(english, other, entry.context or ""))
            if not _PLACE.search(english):
                exact.setdefault((entry.context or "", english), other)
    english_ones = {message.english for message in with_places}
    with_places = [
        replace(message, is_apart=with_other_capital(message.english) in english_ones)
        for message in with_places
        if message.weight
    ]
    with_places.sort(key=lambda message: (-message.weight, -len(message.english), not message.context))
    return Messages(exact, tuple(with_places))


def _with_fragments(english: str, other: str) -> Iterator[tuple[str, str]]:
    """A message, and a fragment without the mark that it begins with, at which a list is parted."""
    yield english, other
    for mark in ("; ", ", "):
        if english.startswith(mark) and other.startswith(mark):
            yield english[2:], other[2:]


def has_other_places(english: str, other: str) -> bool:
    """Whether a translation lacks a place of its message, or has one more."""
    return {place[1] for place in _PLACE.finditer(english)} != {place[1] for place in _PLACE.finditer(other)}


def with_other_capital(text: str) -> str:
    """The text with its first letter small where it is large, and the other way around."""
    return text[:1].swapcase() + text[1:]

"""A text in another language: its message, what stands at its places, its sentences, lists, numbers and days.

First come names and quotations, put out of the way by marks while the sentence around them is looked for. Next are the
messages of a language, by the English ones, and which of them a text is. At the end is one text and all that is part of
it, each looked for among the messages of a language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache, cached_property
from itertools import islice, product
from typing import Protocol

from babel.dates import format_date
from babel.messages.pofile import read_po
from babel.numbers import get_decimal_symbol, get_group_symbol

from anonlib.filing.languages import FOLDER

MARK = re.compile("\ue000(\\d+)\ue001")
"""What stands for a name or a quotation: its number among those that are hidden."""
NAMED = "\ue002"
"""Before a name that is shown as it is, so that no capital is put in its first letter; taken out in the end."""
_OURS = re.compile("[\ue000-\ue002]+")
_QUOTED = re.compile("“([^”]*)”")
_WORD = re.compile(r"\w+")
_LETTER = re.compile(r"[^\W\d_]")


class HiddenNames:
    """What is hidden in the texts of one report.

    Parameters
    ----------
    names : Collection[str]
        What is never translated. One that is a single word of some sentence, such as “age”, or a number, is hidden in
        quotation marks alone: elsewhere the word may be the sentence's.
    words : Collection[str]
        All words of sentences.
    phrases : Mapping[str, str]
        What has a comma or an “and” of its own in a list, with what it is in the language.
    """

    def __init__(self, names: Collection[str], words: Collection[str], phrases: Mapping[str, str]) -> None:
        self._phrases = phrases
        self._shown: list[str] = []
        self._numbers: dict[tuple[str, bool], int] = {}
        self._quoting: list[str] = []
        self._by_word: dict[str, list[str]] = {}
        for name in sorted(names, key=len, reverse=True):
            match = _WORD.search(name)
            if "“" in name or "”" in name:
                self._quoting.append(name)
            elif match and _LETTER.search(name) and (match[0] != name or name not in words):
                self._by_word.setdefault(match[0], []).append(name)

    def put_away(self, text: str) -> str:
        """The text with a mark for each name and each quotation."""
        text = _OURS.sub(lambda match: self._mark(match[0], False), text)
        for name in self._quoting:
            if name in text:
                text = text.replace(f"“{name}”", self._mark(name, True))
                if _WORD.search(name):
                    text = text.replace(name, self._mark(name, False))
        text = _QUOTED.sub(lambda match: self._mark(match[1], True), text)
        for phrase, other in self._phrases.items():
            if phrase in text:
                text = text.replace(phrase, self._mark(other, False))
        present = [name for word in set(_WORD.findall(text)) for name in self._by_word.get(word, ()) if name in text]
        if not present:
            return text
        longest_first = "|".join(map(re.escape, sorted(present, key=len, reverse=True)))
        return re.sub(rf"(?<!\w)(?:{longest_first})(?!\w)", lambda match: self._mark(match[0], False), text)

    def _mark(self, shown: str, is_quoted: bool) -> str:
        number = self._numbers.setdefault((shown, is_quoted), len(self._shown))
        if number == len(self._shown):
            self._shown.append(shown)
        return f"\ue000{number}\ue001"

    def of(self, text: str) -> list[str]:
        """What is hidden in a text with marks, in order."""
        return [self._shown[int(number)] for number in MARK.findall(text)]

    def put_back(self, text: str, quote: Callable[[str], str]) -> str:
        """The text with what its marks stand for; of a quotation what ``quote`` makes of it."""

        def shown(mark: re.Match[str]) -> str:
            hidden = self._shown[int(mark[1])]
            if self._numbers.get((hidden, True)) != int(mark[1]):
                return hidden
            return quote(hidden)

        return MARK.sub(shown, text.replace(NAMED, ""))


_PLACE = re.compile(r"\{(\d+)(?::(\w+))?\}")
_AT_THE_END = re.compile(r"((?: ?\{\d+(?::\w+)?\})+)\.?$")
_AT_A_BEGINNING = re.compile(r"(?:^|[.!?:])((?: ?\{\d+(?::\w+)?\})+)")
_COUNT = re.compile(r"\{0\} [a-z]+")
_NO_NUMBER = re.compile(r"[A-Z]\D*")
_HAS_AN_END = re.compile("(?<! al)(?<!Art)(?:[.!?](?:$|\\s+[\\w(\ue000])|[:;](?:$| ))")
_QUOTED_PLACE = re.compile(r"[“„](\{\d+(?::\w+)?\})[”“]")
_CUTS = re.compile(r"^|$|(?=[ ,;.(])")  # where one place may end and the next begin
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

    def values(self, text: str, hidden: HiddenNames) -> Iterator[dict[str, str]]:
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


_SOURCE = re.compile(r"(?:[A-Z][\w’-]+(?: and [A-Z][\w’-]+)?(?: et al\.)?,? \d{4}(?:, )?)+")
_SENTENCE = re.compile("(?<=[.!?])(?<! al\\.)(?<!Art\\.)\\s+(?=[\\w(\ue000])")
_TITLE = re.compile("([^.!?:;]+:) (.+)", re.DOTALL)
_BEGINNING = re.compile("[A-Z0-9(\ue000]")
_ENDS = re.compile("(?<! al)(?<!Art)[.!?]\\s+[\\w({\ue000]")
_SEMICOLON = re.compile("; |: {")
_IN_BRACKETS = re.compile(r"(.+?) \((.+)\)(\.?)", re.DOTALL)
_AMOUNT = r"[^\s\w]*\d[\d,.]*%?"
_A_NUMBER_ALONE = re.compile(_AMOUNT)
_FIRST = re.compile(f"({_AMOUNT}|\ue000\\d+\ue001|\\w+) (.+)", re.DOTALL)
_LAST = re.compile(f"(.+) ({_AMOUNT})", re.DOTALL)
_WITH_SHARE = re.compile(r"(.+) ([^\s\w]*\d[\d.,]*%)")
_TITLES = re.compile(r"(, (?=[A-Z])| and (?=[A-Z]|\d[\d,]* more))")
_A_LIST = re.compile(r"(?:[^,;]+, )+[^,;]+ and [^,;]+")
_FIRST_JOINTS = ("; ", ": ")
_JOINTS = (", ", " and ", " or ", " → ", " + ", " · ", " to ")
_MARKS = tuple(".,;:?")
_A_WORD = re.compile("[a-z]{2}")
_A_DIGEST = re.compile("[0-9a-f]{16,}")
_A_NAME = "name"
"""The context of a place at which something stands that is called so, and is never translated."""
_A_NUMBER = "number"
"""The context of a place at which a number stands, and nothing else."""
_NO_NAME = re.compile(r"[:;,] |\(|\.$")  # after which another part of the sentence begins
_EVEN_A_NAME = "message"
"""The context of a place at which a message stands and never a name, though a name may be the same."""
_DEEPEST = 9  # places within places
_MOST_TRIED = 5  # messages that a text could be, of which the one that leaves least in English is taken
_MOST_LOOKED_UP = 300  # parts of one sentence, so that what has no message does not take long
_LEAST_LOOKED_UP = 60  # of one in a list
Found = tuple[str, int]
"""A text in the language, and how many of its letters stay English."""


class Speaker(Protocol):
    """What a sentence needs of the report that it is of: its messages and names, and what was looked up already."""

    names: Collection[str]
    messages: Messages
    hidden: HiddenNames
    parts: dict[tuple[str, str], tuple[Found, int]]

    @staticmethod
    def name(name: str) -> str:
        """A name with a sign that it is one."""

    def without_words(self, text: str) -> str:
        """Names as they are, other numbers and days as the language writes them."""


class Sentence:
    """One text of a report, and how many of its parts may still be looked up."""

    def __init__(self, translator: Speaker) -> None:
        self._translator = translator
        self._names, self._messages = translator.names, translator.messages
        self._done = translator.parts
        self._left = _MOST_LOOKED_UP

    def translated(self, text: str, context: str = "", depth: int = 0) -> Found:
        """The text in the language, and how many of its letters stay English."""
        stripped = text.strip()
        if context == _EVEN_A_NAME:
            plain = "", self._translator.hidden.put_back(stripped, str)
            if plain in self._messages.exact:
                return self._messages.exact[plain], 0
            context = ""
        if stripped in self._names:
            return self._translator.name(text), 0
        if context == _A_NAME:
            return self._translator.name(text), n_letters(stripped) if _NO_NAME.search(stripped) else 0
        if context == _A_NUMBER:
            return self._translator.without_words(text), 0 if _A_NUMBER_ALONE.fullmatch(stripped) else 1
        if _SOURCE.fullmatch(stripped) and ("", stripped.split(" ")[0]) not in self._messages.exact:  # or a month
            return text.replace(" and ", f" {self._word('and')} "), 0
        key = stripped, context
        if key not in self._done or (self._done[key][0][1] and self._done[key][1] > depth):
            as_it_is = self._translator.without_words(stripped), n_letters(stripped)
            if not self._left:
                return as_it_is
            self._left -= 1
            self._done[key] = as_it_is, 0  # in a circle it is no way
            reading = self._looked_up(stripped, context, depth, as_it_is)
            if not self._left and reading[1]:
                del self._done[key]  # there is more to be found
                return reading
            self._done[key] = reading, depth
        (found_text, n_missing), _ = self._done[key]
        return text.replace(stripped, found_text, 1), n_missing

    def _word(self, english: str) -> str:
        return self._messages.exact.get(("", english), english)

    def _looked_up(self, text: str, context: str, depth: int, best: Found) -> Found:
        exact = self._messages.exact
        for variant in (text, with_other_capital(text)):
            for key in ((context, variant), ("", variant)):
                if key in exact:
                    return _capital_as(text, exact[key]), 0
        if text[-1:] in _MARKS and ("", text[:-1]) in exact and text[:-1] not in self._names:
            return exact["", text[:-1]] + text[-1], 0
        if not best[1] or depth >= _DEEPEST:
            return best
        for reading in self._ways(text, context, depth):
            if reading[1] < best[1]:
                best = reading
            if not best[1]:
                break
        return best

    # ---- the ways to read a text ----

    def _ways(self, text: str, context: str, depth: int) -> Iterator[Found]:
        """Each way to read a text, likeliest first."""
        if text[-1] in ",;:" and len(text) > 1:
            yield self._before_a_mark(text, context, depth)
        if (shared := _WITH_SHARE.fullmatch(text)) and (named := self._as_one(shared[1], context, depth)):
            yield f"{named} {self._translator.without_words(shared[2])}", 0
        yield from self._with_message(text, context, depth, _is_most_of(text))
        titled = _TITLE.fullmatch(text)
        if titled:
            yield from self._with_message(text, context, depth, lambda message: message.english.startswith(titled[1]))
            if _BEGINNING.match(titled[2]):
                yield self._one_by_one(titled.groups(), " ", context, depth)
        if len(sentences := _SENTENCE.split(text)) > 1:
            yield self._sentences(sentences, context, depth)
        if len(titles := _TITLES.split(text)) > 1:
            yield self._in_turn(titles, context, depth)
        yield from self._joined(_FIRST_JOINTS, text, context, depth)
        if (parts := _IN_BRACKETS.fullmatch(text)) and self._is_apart(*parts.groups()):
            yield self._bracketed(parts, context, depth)
        if _A_LIST.fullmatch(text):
            yield from self._joined(_JOINTS[:1], text, context, depth)
        if titled:
            yield from self._with_message(text, context, depth, lambda message: ": {" in message.english)
        yield from self._with_message(text, context, depth, _is_parted_as(text))
        if not _ENDS.search(text):
            yield from self._joined(_JOINTS, text, context, depth)
            yield from self._apart(text, context, depth)

    def _with_message(self, text: str, context: str, depth: int, can_be: Callable[[Message], bool]) -> Iterator[Found]:
        """By each message that it can be."""
        tried = 0
        for message in self._messages.candidates(text, context):
            if not can_be(message):
                continue
            for values in message.values(text, self._translator.hidden):
                filled, n_missing = self._filled(message, values, depth)
                if message.is_certain or not n_missing:
                    yield _capital_as(text, filled), n_missing
                tried += 1
            if tried >= _MOST_TRIED:
                break

    def _filled(self, message: Message, values: dict[str, str], depth: int) -> Found:
        n_missing = 0

        def put(place: str, context: str) -> str:
            nonlocal n_missing
            translation, missing = self.translated(values[place], context, depth + 1)
            n_missing += missing
            return translation

        text = message.filled(put)
        return re.sub(" {2,}", " ", text).strip(), n_missing

    def _sentences(self, sentences: list[str], context: str, depth: int) -> Found:
        """Sentence by sentence, as many at once as one message has."""
        translations: list[str] = []
        n_missing = i = 0
        while i < len(sentences):
            for n in (3, 2):
                if len(sentences) > n <= len(sentences) - i and (
                    other := self._as_one(" ".join(sentences[i : i + n]), context, depth)
                ):
                    break
            else:
                n = 1
                self._left = _MOST_LOOKED_UP
                other, missing = self.translated(sentences[i], context, depth + 1)
                n_missing += missing
            translations.append(other)
            i += n
        return " ".join(translations), n_missing

    def _as_one(self, text: str, context: str, depth: int) -> str | None:
        """Several sentences by one message that has most of their letters."""
        if text in self._names:
            return None
        if ("", text) in self._messages.exact:
            return self._messages.exact["", text]
        ways = self._with_message(text, context, depth + 1, _is_most_of(text))
        return next((translation for translation, n_missing in ways if not n_missing), None)

    def _joined(self, joints: Iterable[str], text: str, context: str, depth: int) -> Iterator[Found]:
        """A list, or a name with what it is."""
        for joint in joints:
            if joint not in text:
                continue
            pieces = text.split(joint)
            word = joint.strip()
            if word == "to" and any(map(n_letters, pieces)):
                continue  # between numbers alone
            joined = joint.replace(word, self._word(word)) if word.isalpha() else joint
            yield self._one_by_one(pieces, joined, context, depth)

    def _in_turn(self, pieces: list[str], context: str, depth: int) -> Found:
        """Titles with what stands between them."""
        translations: list[str] = []
        n_missing = 0
        for i, piece in enumerate(pieces):
            other, missing = (
                (piece.replace("and", self._word("and")), 0) if i % 2 else self.translated(piece, context, depth + 1)
            )
            translations.append(other)
            n_missing += missing
        return "".join(translations), n_missing

    def _one_by_one(self, pieces: Iterable[str], joint: str, context: str, depth: int) -> Found:
        readings = []
        for piece in pieces:
            self._left = max(self._left, _LEAST_LOOKED_UP)
            readings.append(self.translated(piece, context, depth + 1))
        return joint.join(text for text, _ in readings), sum(n_missing for _, n_missing in readings)

    def _apart(self, text: str, context: str, depth: int) -> Iterator[Found]:
        """What stands in brackets, before a mark, or beside a number or a name."""
        if text.startswith("(") and text.endswith(")"):
            inside, n_missing = self.translated(text[1:-1], context, depth + 1)
            yield f"({inside})", n_missing
        if parts := _IN_BRACKETS.fullmatch(text):
            yield self._bracketed(parts, context, depth)
        if text[-1] in ".?" and len(text) > 1:
            yield self._before_a_mark(text, context, depth)
        for apart in (_FIRST.fullmatch(text), _LAST.fullmatch(text)):
            if apart is not None and not all(map(self._has_words, apart.groups())):
                yield self._one_by_one(apart.groups(), " ", context, depth)

    def _is_apart(self, before: str, inside: str, _: str) -> bool:
        """Whether what stands in brackets is no part of a sentence: a name alone, or behind a whole message."""
        is_name = bool(MARK.fullmatch(inside)) or (inside in self._names and n_letters(inside) > 0)
        return is_name or ("", before) in self._messages.exact

    def _before_a_mark(self, text: str, context: str, depth: int) -> Found:
        translation, n_missing = self.translated(text[:-1], context, depth + 1)
        return translation + text[-1], n_missing

    def _bracketed(self, parts: re.Match[str], context: str, depth: int) -> Found:
        (before, n_before), (inside, n_inside) = (self.translated(parts[i], context, depth + 1) for i in (1, 2))
        return f"{before} ({inside}){parts[3]}", n_before + n_inside

    def _has_words(self, text: str) -> bool:
        return bool(n_letters(text)) and text not in self._names


def _is_most_of(text: str) -> Callable[[Message], bool]:
    """Whether a message has at least half of the letters of a text."""
    n_letters_needed = n_letters(text) / 2
    return lambda message: message.weight >= n_letters_needed


def _is_parted_as(text: str) -> Callable[[Message], bool]:
    """Whether a message has several sentences, or a list, where a text has them: else a place would swallow some."""
    mark = _ENDS if _ENDS.search(text) else _SEMICOLON if _SEMICOLON.search(text) else None
    return lambda message: mark is None or bool(mark.search(message.english))


def n_letters(text: str) -> int:
    """How many letters its words have; a letter alone, such as k, a unit such as kB, or a digest is no word."""
    words = _WORD.findall(MARK.sub("", text))
    return sum(len(word) for word in words if _A_WORD.search(word) and not _A_DIGEST.fullmatch(word))


def _capital_as(text: str, translation: str) -> str:
    """What was found, with a capital where the text has one; a noun of a language that writes them large keeps its."""
    return translation[:1].upper() + translation[1:] if text[:1].isupper() else translation


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
        self.hidden = HiddenNames(self.names, self.messages.words, self.messages.phrases)
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

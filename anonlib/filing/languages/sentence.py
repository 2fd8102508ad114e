"""One text and all that is part of it, each looked for among the messages of a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Protocol

from anonlib.filing.languages.hidden import MARK, Hidden
from anonlib.filing.languages.messages import Message, Messages, with_other_capital

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
_WORD = re.compile(r"\w+")
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
    hidden: Hidden
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

"""Names and quotations, put out of the way by marks while the sentence around them is looked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

MARK = re.compile("\ue000(\\d+)\ue001")
"""What stands for a name or a quotation: its number among those that are hidden."""
NAMED = "\ue002"
"""Before a name that is shown as it is, so that no capital is put in its first letter; taken out in the end."""
_OURS = re.compile("[\ue000-\ue002]+")
_QUOTED = re.compile("“([^”]*)”")
_WORD = re.compile(r"\w+")
_LETTER = re.compile(r"[^\W\d_]")


class Hidden:
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

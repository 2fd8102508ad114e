"""How many steps patterns take: a matcher that tries what Python's does, in the same order, and counts.

It knows what the patterns under test are made of, and no more. Python's own takes some short cuts, so that it takes
fewer steps; how they grow with the text is the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from re import _parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

import pytest

_MANY = 4294967295  # what Python's parser writes for “any number of times”
Instruction = tuple[str, Any]


class Counted:
    """A pattern that counts the steps of each search, and answers as the pattern does."""

    def __init__(self, pattern: re.Pattern[str], steps: list[int]) -> None:
        self._pattern = pattern
        self._steps = steps
        self._ignores_case = bool(pattern.flags & re.IGNORECASE)
        self._program = [*self._of(_parser.parse(pattern.pattern, pattern.flags)), ("end", None)]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pattern, name)

    def match(self, text: str) -> re.Match[str] | None:
        self._end(self._program, text, 0)
        return self._pattern.match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        self._end(self._program, text, 0, whole=True)
        return self._pattern.fullmatch(text)

    def search(self, text: str) -> re.Match[str] | None:
        next(self._ends(text), None)
        return self._pattern.search(text)

    def findall(self, text: str) -> list[Any]:
        list(self._ends(text))
        return self._pattern.findall(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        list(self._ends(text))
        return self._pattern.finditer(text)

    def sub(self, new: Any, text: str) -> str:
        list(self._ends(text))
        return self._pattern.sub(new, text)

    def _ends(self, text: str) -> Iterator[int]:
        place = 0
        while place <= len(text):
            end = self._end(self._program, text, place)
            if end is not None:
                yield end
            place = place + 1 if end is None or end == place else end

    def _end(self, program: list[Instruction], text: str, place: int, whole: bool = False) -> int | None:
        """Where a match that begins at a place ends; None where there is none."""
        waiting = [(0, place)]
        while waiting:
            at, place = waiting.pop()
            while True:
                self._steps[0] += 1
                do, what = program[at]
                if do == "end":
                    if whole and place < len(text):
                        break
                    return place
                if do == "either":
                    waiting.append((at + what[1], place))
                    at += what[0]
                elif do == "go":
                    at += what
                elif do == "character":
                    if place == len(text) or not what(text[place]):
                        break
                    at, place = at + 1, place + 1
                else:
                    fits = what(text, place) if do == "place" else self._end(what, text, place) is not None
                    if not fits:
                        break
                    at += 1
        return None

    def _of(self, parsed: Any) -> list[Instruction]:
        return [instruction for kind, what in parsed for instruction in self._of_part(str(kind), what)]

    def _of_part(self, kind: str, what: Any) -> list[Instruction]:
        if kind == "SUBPATTERN":
            return self._of(what[3])
        if kind == "BRANCH":
            return self._of_ways([self._of(way) for way in what[1]])
        if kind in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, part = what
            inner, greedy = self._of(part), kind == "MAX_REPEAT"
            on, out = (1, len(inner) + 2), (len(inner) + 2, 1)
            if int(most) == _MANY:
                return [*inner * least, ("either", on if greedy else out), *inner, ("go", -len(inner) - 1)]
            others: list[Instruction] = []
            for _ in range(most - least):
                skipped = len(inner) + len(others) + 1
                others = [("either", (1, skipped) if greedy else (skipped, 1)), *inner, *others]
            return [*inner * least, *others]
        if kind == "AT":
            return [("place", _PLACES[str(what)])]
        if kind == "ASSERT":
            return [("ahead", [*self._of(what[1]), ("end", None)])]
        return [("character", self._character(kind, what))]

    def _of_ways(self, ways: list[list[Instruction]]) -> list[Instruction]:
        *others, last = ways
        program = last
        for way in reversed(others):
            program = [("either", (1, len(way) + 2)), *way, ("go", len(program) + 1), *program]
        return program

    def _character(self, kind: str, what: Any) -> Callable[[str], bool]:
        if kind == "ANY":
            return lambda letter: letter != "\n" or bool(self._pattern.flags & re.DOTALL)
        if kind == "IN":
            is_other = str(what[0][0]) == "NEGATE"
            tests = [self._character(str(each), of) for each, of in what[is_other:]]
            return lambda letter: any(test(letter) for test in tests) != is_other
        if kind == "CATEGORY":
            return _CATEGORIES[str(what)]
        if kind == "RANGE":
            return lambda letter: what[0] <= ord(letter) <= what[1]
        same = (lambda letter: letter.lower()) if self._ignores_case else (lambda letter: letter)
        expected = same(chr(what))
        return lambda letter: (same(letter) == expected) == (kind == "LITERAL")


def _is_boundary(text: str, place: int) -> bool:
    return bool(re.match(r"\w", text[place - 1 : place])) != bool(re.match(r"\w", text[place : place + 1]))


_PLACES: dict[str, Callable[[str, int], bool]] = {
    "AT_BEGINNING": lambda text, place: place == 0 or text[place - 1] == "\n",
    "AT_END": lambda text, place: place == len(text) or text[place] == "\n",
    "AT_END_STRING": lambda text, place: place == len(text),
    "AT_BOUNDARY": _is_boundary,
}
_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_NOT_SPACE": lambda letter: not letter.isspace(),
    "CATEGORY_DIGIT": str.isdecimal,
    "CATEGORY_WORD": lambda letter: letter.isalnum() or letter == "_",
}


@contextmanager
def counted_in(*modules: ModuleType) -> Iterator[list[int]]:
    """A list whose only number grows by each step that the patterns of modules take meanwhile."""
    steps = [0]
    with pytest.MonkeyPatch.context() as patch:
        for module in modules:
            for name, pattern in vars(module).copy().items():
                if isinstance(pattern, re.Pattern):
                    patch.setattr(module, name, Counted(pattern, steps))
        yield steps

"""Plain words: what is banned in prose and in names, and what to write instead.

Prose is the documents, and the comments, docstrings and sentences of the code: texts of several words. In tests other
strings are data, and only comments and docstrings are prose. Names are those of functions, classes, parameters,
variables and modules, and texts of one word such as the key of a mapping. What stands between backticks is code.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

IN_PROSE = {
    r"told": "distinguish, recognise, know, report, call",
    r"said(?! to be neither)": "show, state, claim, name",
    r"anew": "again",
    r"whoever": "somebody who, those who, the recipient",
    r"of before(?! and after)": "the previous one",
    r"expos(?:ed?|es|ing|ures?)": "certain, of a value; violates, of a guarantee; at risk, of a person; gives away",
    r"inferable": "certain",
}
IN_NAMES = {
    "told": "a name for what it holds",
    "untold": "a name for what it holds",
    "said": "a name for what it holds",
    "anew": "again",
    "whoever": "a name for who it is",
    "exposed": "certain, or violating",
    "exposes": "a name for what it finds",
    "exposure": "certainty, or violation",
    "exposures": "violations",
    "inferable": "certain",
}
_BANNED = re.compile("|".join(rf"(\b(?:{pattern})\b)" for pattern in IN_PROSE), re.IGNORECASE)
_INSTEAD = tuple(IN_PROSE.values())
_BANNED_IN_NAMES = re.compile("|".join(IN_NAMES), re.IGNORECASE)

DOCUMENTS = ("*.md", "docs/**/*.md", "data/**/*.md", "Makefile", "requirements*.txt", "pyproject.toml", "NOTICE")
CODE = ("anonlib/**/*.py", "ui/**/*.py", "pages/**/*.py", "app.py", "tools/*.py", "benchmarks/*.py", "tests/**/*.py")

# Where the words still stand, or have to, as kinds that saved files hold. A place that is clean leaves the list.
PROSE_LATER = ("tests/",)
NAMES_LATER = (
    "anonlib/filing/project/upgrades.py",
    "anonlib/release/steps/earlier.py",
    "tests/anonlib/release/steps/test_earlier.py",
)


def banned_in(text: str, line: int = 1) -> Iterator[tuple[int, str]]:
    """Line and complaint of each banned word; ``line`` is that of the first one of the text."""
    for match in _BANNED.finditer(_without_code(text)):
        yield line + text.count("\n", 0, match.start()), f"“{match.group()}”: {_INSTEAD[(match.lastindex or 1) - 1]}"


def _without_code(text: str) -> str:
    """The text with blanks in the place of what stands between backticks, and of the target of a link."""
    return re.sub(r"```.*?```|``.+?``|`[^`]+`|\]\([^)]*\)", _blanks, text, flags=re.DOTALL)


def _blanks(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def prose_of(source: str, only_documentation: bool = False) -> Iterator[tuple[int, str]]:
    """First line and text of each comment and each string of several words; names within an f-string left out.

    With ``only_documentation``, of the strings only those that are statements, such as docstrings.
    """
    statements = {node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr)}
    middle = getattr(tokenize, "FSTRING_MIDDLE", None)  # of Python 3.12 and newer
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_statement = token.start[0] in statements and token.line.lstrip().startswith(token.string[:1])
        if only_documentation and token.type in (tokenize.STRING, middle) and not is_statement:
            continue
        text = token.string
        if token.type == tokenize.STRING and "f" in text[: text.index(text[-1])].lower():
            text = re.sub(r"\{[^{}]*\}", _blanks, text)
        if token.type in (tokenize.COMMENT, middle) or (token.type == tokenize.STRING and re.search(r"\s", text)):
            yield token.start[0], _without_names_of_parameters(text)


def _without_names_of_parameters(text: str) -> str:
    """A docstring without the lines that name a parameter, of which the name itself is looked at."""
    return re.sub(r"^ *\w+(?:, \w+)*(?= :|$)", _blanks, text, flags=re.MULTILINE)


def names_of(source: str) -> Iterator[tuple[int, str]]:
    """Line and name of everything that the code names, and of each string that is a word by itself."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr
        elif isinstance(node, ast.alias | ast.ExceptHandler) and (name := getattr(node, "asname", None) or node.name):
            yield getattr(node, "lineno", 1), name
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            yield node.lineno, node.value


def words_in(name: str) -> list[str]:
    """The words of a name, in lower case: of ``told_of``, ``ToldOf`` and ``TOLD_OF`` the same."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return [word for word in re.split(r"[_.]", parted.lower()) if word]


@cache
def files(patterns: tuple[str, ...]) -> list[str]:
    """Paths from the root, but for this file, which names the words."""
    paths = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    return sorted(path.relative_to(ROOT).as_posix() for path in paths - {Path(__file__).resolve()})


def prose_complaints(path: str) -> list[str]:
    text = (ROOT / path).read_text(encoding="utf-8")
    if not _BANNED.search(text):
        return []
    parts = prose_of(text, path.startswith("tests/")) if path.endswith(".py") else [(1, text)]
    return [f"{path}:{line}: {complaint}" for first, part in parts for line, complaint in banned_in(part, first)]


def name_complaints(path: str) -> list[str]:
    module, source = [(1, Path(path).stem)], (ROOT / path).read_text(encoding="utf-8")
    return [
        f"{path}:{line}: the name {name}: {IN_NAMES[word]}"
        for line, name in [*module, *(names_of(source) if _BANNED_IN_NAMES.search(source) else ())]
        for word in words_in(name)
        if word in IN_NAMES
    ]


def test_documents_and_code_say_it_in_plain_words() -> None:
    paths = [path for path in files(DOCUMENTS + CODE) if not path.startswith(PROSE_LATER)]
    assert len(paths) > 100
    complaints = [complaint for path in paths for complaint in prose_complaints(path)]
    assert not complaints, "\n" + "\n".join(complaints)


def test_names_are_plain_words() -> None:
    complaints = [c for path in files(CODE) if not path.startswith(NAMES_LATER) for c in name_complaints(path)]
    assert not complaints, "\n" + "\n".join(complaints)


def test_places_that_are_clean_leave_the_lists() -> None:
    for later, complaints_of in ((PROSE_LATER, prose_complaints), (NAMES_LATER, name_complaints)):
        for place in later:
            paths = [path for path in files(CODE) if path.startswith(place)]
            assert any(complaints_of(path) for path in paths), f"{place} is clean: take it off the list"


@pytest.mark.parametrize(
    "source, lines",
    [
        ('"""What is said."""\n', [1]),
        ("x = 1\n# made anew\n", [2]),
        ('"""One.\n\nWhoever asks.\n"""\n', [3]),
        ('page = f"It was told {told}."\n', [1]),
        ('page = f"It was {told}."\n', []),
        ("# who is exposed\n# an exposure that exposes\nx = 1  # exposition\n", [1, 2, 2]),
        ('"""The page of before, the smaller of before and after."""\n', [1]),
        ('"""Given ``told`` and :attr:`said`."""\n', []),
        ('"""Sum.\n\n    Parameters\n    ----------\n    said\n        What is shown.\n    """\n', []),
        ('key = "said"\npattern = r"(said|told)"\n', []),
    ],
)
def test_prose_is_found(source: str, lines: list[int]) -> None:
    assert [line for first, text in prose_of(source) for line, _ in banned_in(text, first)] == lines


def test_in_tests_only_comments_and_docstrings_are_prose() -> None:
    source = 'def f():\n    """It is said."""\n    # and told\n    return "he said no"\n'
    lines = [line for first, text in prose_of(source, only_documentation=True) for line, _ in banned_in(text, first)]
    assert lines == [2, 3]


@pytest.mark.parametrize(
    "source, names",
    [
        ("def told_of(said, *, kept): pass", ["told_of", "said"]),
        ("class ToldApart:\n    untold: int = 0", ["ToldApart", "untold"]),
        (
            "from a import b as said\nfor told in x: told.end = 1\nself.said = row['anew']",
            ["said", "told", "said", "anew"],
        ),
        ("def most_exposed(is_inferable): class_exposure = 1", ["most_exposed", "is_inferable", "class_exposure"]),
        ("told(said)\nmanifold = retold = 1", []),
    ],
)
def test_names_are_found(source: str, names: list[str]) -> None:
    banned = [name for _, name in names_of(source) if any(word in IN_NAMES for word in words_in(name))]
    assert sorted(banned) == sorted(names)

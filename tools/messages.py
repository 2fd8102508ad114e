"""Bring the files of languages up to date with the library's sentences: ``python -m tools.messages`` writes them.

A sentence with values in it is an f-string in the code. Babel's own reader passes over these, so that ours is given to
it: what an f-string puts in becomes ``{0}``, ``{1}`` and so on, in their order.
"""

from __future__ import annotations

import ast
import calendar
import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from anonlib.basics.words import of_number
from anonlib.columns.codes import SYSTEMS
from anonlib.columns.identifiers import KINDS
from anonlib.filing.languages import FOLDER
from anonlib.filing.languages.translator import has_other_places
from anonlib.filing.report.blocks import FURNITURE

ROOT = Path(__file__).resolve().parents[1]
PLACES = (
    "anonlib/filing/evidence/report", "anonlib/filing/case.py", "anonlib/filing/evidence/evidence.py",
    "anonlib/filing/evidence/gather.py", "anonlib/filing/evidence/measures.py", "anonlib/filing/evidence/utility.py",
    "anonlib/basics/figures.py", "anonlib/basics/words.py", "anonlib/verdict/criteria", "anonlib/verdict/attacks",
    "anonlib/verdict/method/findings.py", "anonlib/analyses/generalization/search/coins.py",
    "anonlib/counting/privacy_models", "anonlib/reading/tables/households.py", "anonlib/release/steps",
    "anonlib/release/readings.py", "anonlib/release/applied.py", "anonlib/release/analysing.py",
    "anonlib/release/meanings.py", "anonlib/release/levels.py", "anonlib/release/codebook.py",
    "anonlib/release/uniqueness_of_release.py", "anonlib/release/covering.py", "anonlib/release/left.py",
    "anonlib/release/detail.py", "anonlib/coarsening/recoding", "anonlib/coarsening/hierarchies",
    "anonlib/columns/roles", "anonlib/columns/identifiers/kinds.py", "anonlib/columns/free_text/column.py",
    "anonlib/columns/person_ids/wording.py", "anonlib/analyses/utility", "anonlib/analyses/population_uniqueness",
    "anonlib/plots/risk.py", "anonlib/plots/levels.py", "anonlib/plots/attacks.py", "anonlib/plots/utility.py",
)  # fmt: skip
"""Where the sentences of reports and codebooks are."""
JOINTS = ("and", "or", "to", "%", "“ ”")
"""What stands between and around others, of which no sentence is made."""
WORDS = (
    "records", "persons", "people", "rows", "values", "columns", "names", "dates", "measurements", "regions", "few",
    "gain", "gains", "somebody", "nobody", "public", "certain", "trees", "these", "original", "release", "distance",
    "dropped", "withheld", "missing", "blank", "empty", "coarser", "column", "title", "unit", "type", "level",
    "meaning", "it", "them", "above", "value", "two", "three", "four", "five", "six", "seven", "eight", "highest",
    "average", "identifier", "quasi-identifier", "place", "sensitive", "weight", "neither", "other", "number", "text",
    "date", "none", "texts", "removed", "filed",
)  # fmt: skip
"""Words that stand alone at a place or in a cell, and are no key there."""
_PLACE = re.compile(r"\{\d+\}")
_A_NAME = re.compile(r"[a-z0-9_./:-]*")  # a key, a path, a format


def main() -> None:
    """Update every language's file, keeping what is translated and what was added by hand."""
    found = template()
    for path in sorted(FOLDER.glob("*.po")):
        with path.open("rb") as file:
            catalog = read_po(file, locale=path.stem)
        by_hand = [
            each for each in catalog if each.id and not each.locations and found.get(each.id, each.context) is None
        ]
        catalog.update(found, no_fuzzy_matching=True, update_creation_date=False)
        for each in by_hand:
            catalog.add(each.id, each.string, context=each.context, user_comments=each.user_comments)
        with path.open("wb") as file:
            write_po(file, catalog, width=0, ignore_obsolete=True, sort_output=True, include_lineno=False)
        open_ones = sum(1 for message in catalog if message.id and not message.string)
        print(f"{path.name}: {len(catalog):,} messages, {open_ones:,} not translated")
        for message in wrong_ones(catalog):
            print(f"{path.name}: passed over, as its places are not those of the English: {message}")


def wrong_ones(catalog: Catalog) -> list[str]:
    """The messages whose translations lack a place, or have one more."""
    return [
        str(message.id)
        for message in catalog
        if message.id and message.string and has_other_places(str(message.id), str(message.string))
    ]


def template() -> Catalog:
    """All messages, each with the first place where it stands."""
    catalog = Catalog(project="Anonscope", charset="utf-8", fuzzy=False)
    kinds = (kind.label for kind in KINDS.values())
    for word in (*JOINTS, *FURNITURE.values(), *WORDS, *kinds, *_of_codes()):
        catalog.add(word)
    for path in _files():
        for line, message in messages(path.read_text(encoding="utf-8")):
            if catalog.get(message) is None:
                catalog.add(message, locations=[(str(path.relative_to(ROOT)), line)])
    return catalog


def _of_codes() -> Iterator[str]:
    """What systems of codes, their levels and some groups of theirs are called, and months."""
    for system in SYSTEMS.values():
        yield system.label
        if system.levels:
            yield f"{system.label} {{0}} to {{1}}"
        yield from (system.describe(level) for level in system.levels)
        yield from system.titles.values()
    for month in calendar.month_name[1:]:
        yield from (month, f"{month} {{0}}", f"{{0}} {month} {{1}}", f"{{0}} to {month} {{1}}")


def _files() -> Iterator[Path]:
    for place in PLACES:
        path = ROOT / place
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path] if path.exists() else []


def messages(source: str) -> Iterator[tuple[int, str]]:
    """The sentences of a module, with their lines: no docstrings, keys or sentences of errors."""
    tree = ast.parse(source)
    passed_over = {id(part) for node in ast.walk(tree) for part in _no_messages(node)}
    for node in ast.walk(tree):
        if id(node) in passed_over:
            continue
        if isinstance(node, ast.Call):
            yield from _counted(node)
        elif isinstance(node, ast.JoinedStr):
            yield from _worth(node.lineno, _with_places(node))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _worth(node.lineno, node.value)


def _no_messages(node: ast.AST) -> Iterator[ast.AST]:
    """The parts below a node that hold no messages."""
    if isinstance(node, ast.Raise) or (isinstance(node, ast.FunctionDef) and node.name == "__repr__"):
        yield from ast.walk(node)
    elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
        yield from (each.value for each in node.body if isinstance(each, ast.Expr))
    elif isinstance(node, ast.FormattedValue) and node.format_spec is not None:
        yield from ast.walk(node.format_spec)
    elif isinstance(node, ast.JoinedStr):
        yield from (value for value in node.values if isinstance(value, ast.Constant))
    elif isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == "__all__" for to in node.targets):
        yield from ast.walk(node)
    elif isinstance(node, ast.Subscript):
        yield node.slice
    elif _is_of_glossary(node) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "compile"
    ):
        yield from ast.walk(node)


def _is_of_glossary(node: ast.AST) -> bool:
    """Whether it says what the glossary calls something, which is shown in English alone."""
    if isinstance(node, ast.keyword):
        return node.arg == "word"
    return isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == "word"


def _with_places(node: ast.JoinedStr) -> str:
    text, n_places = "", 0
    for value in node.values:
        if isinstance(value, ast.Constant):
            text += str(value.value)
        else:
            text += f"{{{n_places}}}"
            n_places += 1
    return text


def _counted(node: ast.Call) -> Iterator[tuple[int, str]]:
    """What is counted, as in ``count(n, "rows")``: with a number, and as one."""
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name in ("count", "of_number") and len(node.args) == 2 and isinstance(node.args[1], ast.Constant):
        noun = str(node.args[1].value)
        if noun:
            yield node.lineno, f"{{0}} {noun}"
            yield node.lineno, f"1 {of_number(1, noun)}"


def _worth(line: int, text: str) -> Iterator[tuple[int, str]]:
    """A text that is a message: it has a word, and is no key."""
    letters = _PLACE.sub("", text)
    if re.search(r"[A-Za-z]{2}", letters) and ("{0}" in text or not _A_NAME.fullmatch(text)):
        yield line, text.strip()


if __name__ == "__main__":
    main()

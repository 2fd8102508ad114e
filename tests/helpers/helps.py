"""The help texts of pages and kit as the source has them, each with what bears it and the glossary words it links.

A text is followed to where it stands: a constant, also of another module, a local name, a figure. What only data can
say (names of columns, numbers) is left out.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeGuard

from anonlib.basics.figures import NamedFigure
from ui.kit import glossary

ROOT = Path(__file__).resolve().parents[2]
ACTIONS = ("button", "download", "download_button", "page_link", "popover", "add_argument")
"""What is pressed, or typed at a start: its help says what it does, and it bears no word."""
ANY = "*"
"""In place of a linked word which only data can say."""
_LINK = re.compile(r"\[([^\]]+)\]\(glossary#[^)]*\) \([^)]*\)")


@dataclass(frozen=True)
class Help:
    """A help text, its links apart, with its file and line, and the label of what bears it."""

    place: str
    label: str
    text: str
    links: frozenset[str] = field(default_factory=frozenset)


def helps() -> Iterator[Help]:
    """Each help text of a figure, a column of a table or a control."""
    for source in _sources():
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Call):
                yield from _of_call(source, node)
            elif _may_be_figure(node) and source.shows_figures:
                help = source.help(node, node.elts[0], node.elts[2])
                if " " in help.text:
                    yield help


@dataclass
class _Source:
    """A module with its syntax tree; names in it are looked up in it."""

    path: Path
    tree: ast.Module
    module: ModuleType

    @property
    def shows_figures(self) -> bool:
        """Whether tuples in it are figures: label, value and meaning."""
        return any(
            isinstance(node, ast.Attribute) and node.attr in ("metrics", "metric") for node in ast.walk(self.tree)
        )

    def help(self, at: ast.expr, label: ast.AST | None, text: ast.AST) -> Help:
        read, links = self.read(text)
        place = f"{self.path.relative_to(ROOT).as_posix()}:{at.lineno}"
        return Help(place, self.read(label)[0] if label else "", read, frozenset(links))

    def value(self, node: ast.AST) -> Any:
        """The object that a name, or one with dots, stands for in the module; None where it is local."""
        if isinstance(node, ast.Name):
            return getattr(self.module, node.id, None)
        if isinstance(node, ast.Attribute):
            return getattr(self.value(node.value), node.attr, None)
        return node.value if isinstance(node, ast.Constant) else None

    def read(self, node: ast.AST, followed: frozenset[str] = frozenset()) -> tuple[str, set[str]]:
        """What an expression says, and which words it links; local names that were ``followed`` are not again."""
        value = self.value(node)
        if isinstance(value, str):
            return _LINK.sub("", value), set(_LINK.findall(value))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of = self.value(node.func.value)
            if of is glossary:
                return self._linked(node, node.func.attr, followed)
            if isinstance(of, NamedFigure):
                return of.name if node.func.attr == "named" else of.definition, set()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in followed:
            parts = [*node.args, *_given_back(self.tree, node.func.id)]
            followed |= {node.func.id}
        elif isinstance(node, ast.Name) and value is None:
            parts = [] if node.id in followed else _assigned(self.tree, node)
            followed |= {node.id}
        else:
            parts = [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.comprehension)]
            parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else parts
        read = [self.read(part, followed) for part in parts]
        return " ".join(filter(None, (text for text, _ in read))), set().union(*(links for _, links in read))

    def _linked(self, node: ast.Call, function: str, followed: frozenset[str]) -> tuple[str, set[str]]:
        if function == "meaning":
            figure = self.value(node.args[0])
            return self.read(node.args[0])[0], {getattr(figure, "word", ANY)}
        text = self.read(node.args[0], followed)[0] if function == "linked" else ""
        words = [self.value(each) for each in node.args[function == "linked" :]]
        return text, {glossary.entry_of(word).words[0] if isinstance(word, str) and word else ANY for word in words}


def _of_call(source: _Source, node: ast.Call) -> Iterator[Help]:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    at = _places_of_help().get(called)
    texts = [each.value for each in node.keywords if each.arg == "help"]
    texts += [node.args[at]] if at is not None and len(node.args) > at and not texts else []
    if not texts or called in ACTIONS:
        return
    (text,) = texts
    module = getattr(getattr(node.func, "value", None), "id", "")
    table = source.value(text) if called == "table" else None
    if isinstance(table, dict):
        for label, help in table.items():
            place = f"{source.path.relative_to(ROOT).as_posix()}:{node.lineno}"
            yield Help(place, label, _LINK.sub("", help), frozenset(_LINK.findall(help)))
    elif isinstance(text, ast.Dict):
        for label, value in zip(text.keys, text.values, strict=True):
            yield source.help(value, label, value)
    else:
        begin = 1 if module == "keep" else 0  # a control that is kept has its key first
        labels = node.args[begin:][:1] if at is None else []
        yield source.help(node, labels[0] if labels else None, text)


@cache
def _places_of_help() -> dict[str, int]:
    """Of functions that take a help by its place: which one it is."""
    functions = (node for each in _sources() for node in ast.walk(each.tree) if isinstance(node, ast.FunctionDef))
    names = {each.name: [arg.arg for arg in each.args.args] for each in functions}
    return {name: arguments.index("help") for name, arguments in names.items() if "help" in arguments}


def _may_be_figure(node: ast.AST) -> TypeGuard[ast.Tuple]:
    values = node.elts if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load) else []
    return len(values) == 3 and not isinstance(values[0], ast.Tuple | ast.Name)


def _given_back(tree: ast.Module, name: str) -> list[ast.AST]:
    """What a function of the module returns."""
    of_name = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == name]
    returns = [each for function in of_name for each in ast.walk(function) if isinstance(each, ast.Return)]
    return [each.value for each in returns if each.value is not None]


def _assigned(tree: ast.Module, name: ast.Name) -> list[ast.AST]:
    """What is assigned to a local name in the function around it."""
    around = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and name in ast.walk(each)]
    if not around:
        return []
    inside = [each for each in ast.walk(around[-1]) if isinstance(each, ast.Assign)]
    return [each.value for each in inside if any(getattr(to, "id", "") == name.id for to in each.targets)]


@cache
def _sources() -> tuple[_Source, ...]:
    paths = [path for folder in ("pages", "ui") for path in sorted((ROOT / folder).rglob("*.py"))]
    return tuple(_source(path) for path in paths)


def _source(path: Path) -> _Source:
    parts = path.relative_to(ROOT).with_suffix("").parts
    runs = parts[0] == "pages" and parts[-1] == "page"  # when it is imported
    module = ModuleType("page") if runs else importlib.import_module(".".join(parts))
    return _Source(path, ast.parse(path.read_text(encoding="utf-8")), module)

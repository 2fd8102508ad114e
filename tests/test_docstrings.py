"""What a package offers is documented in one form, numpydoc's: each parameter, each field, and what is returned.

A package offers what its ``__all__`` names, and of the classes among these every method and property. Of what else is
called from outside its module a sentence is enough; it has sections where they say more. No docstring has one text at
two entries: what is of both is one entry, ``a, b : type``.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from numpydoc.docscrape import NumpyDocString, get_doc_object
from numpydoc.validate import validate

import anonlib

LIBRARY = Path(anonlib.__file__).parent
ROOT = LIBRARY.parent
# No docstring; a parameter left out, unknown, misplaced, without type or meaning; nothing said of what it returns.
FAULTS = {"GL08", "PR01", "PR02", "PR03", "PR04", "PR07", "PR10", "RT01", "YD01"}

SECTIONS = ("Parameters", "Other Parameters", "Attributes", "Returns", "Yields")


def public() -> Iterator[tuple[str, object]]:
    """Every class and function that a package offers, once, with where it is defined."""
    for path in sorted(LIBRARY.rglob("__init__.py")):
        package = importlib.import_module(".".join(["anonlib", *path.parent.relative_to(LIBRARY).parts]))
        for name in getattr(package, "__all__", ()):
            target = getattr(package, name)
            if inspect.isclass(target) or inspect.isfunction(target):
                yield f"{target.__module__}.{target.__qualname__}", target


PUBLIC = dict(public())
OFTEN_USED = {id(getattr(anonlib, name)) for name in anonlib.__all__}


def faults_of(path: str, target: object) -> Iterator[str]:
    if inspect.isfunction(target):
        yield from _of_function(path, target)
    if not inspect.isclass(target):
        return
    if not (target.__doc__ or "").strip():
        yield f"{path} has no docstring"
    if dataclasses.is_dataclass(target):
        yield from _of_fields(path, target)
    for name, member in vars(target).items():
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if name.startswith("_"):
            continue
        if isinstance(function, property) or inspect.isfunction(function):
            if not inspect.getdoc(getattr(target, name)):
                yield f"{path}.{name} has no docstring"
            elif id(target) in OFTEN_USED and inspect.isfunction(function) and function.__doc__:
                yield from _of_function(f"{path}.{name}", function)


def _of_function(path: str, function: object) -> Iterator[str]:
    parameters = [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]
    for code, message in validate(path)["errors"]:
        # What a function without parameters returns, its first sentence says.
        if code in FAULTS and not (code in ("RT01", "YD01") and not parameters):
            yield f"{path}: {message}"


def _of_fields(path: str, target: type) -> Iterator[str]:
    documentation = get_doc_object(target)
    described = {
        name.strip(): entry.type
        for section in ("Parameters", "Attributes")
        for entry in documentation[section]
        for name in entry.name.split(",")
    }
    for field in dataclasses.fields(target):
        if field.name in vars(target).get("__annotations__", {}) and field.init and not field.name.startswith("_"):
            if field.name not in described:
                yield f"{path}: the field {field.name} is not documented"
            elif not described[field.name]:
                yield f"{path}: the field {field.name} has no type"


@pytest.mark.parametrize("package", sorted({path.split(".")[1] for path in PUBLIC}))
def test_public_names_are_documented(package: str) -> None:
    faults = [
        fault
        for path, target in sorted(PUBLIC.items())
        if path.split(".")[1] == package
        for fault in faults_of(path, target)
    ]
    assert not faults, "\n".join([f"{len(faults)}:", *faults])


@cache
def written() -> tuple[tuple[str, bool, ast.FunctionDef | ast.ClassDef], ...]:
    """Every class, function and method, with where it is defined and whether that is a module."""

    def within(path: str, holder: ast.AST) -> Iterator[tuple[str, bool, ast.FunctionDef | ast.ClassDef]]:
        for node in ast.iter_child_nodes(holder):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                yield f"{path}.{node.name}", isinstance(holder, ast.Module), node
                yield from within(f"{path}.{node.name}", node)

    paths = sorted(path for folder in ("anonlib", "ui", "pages", "tools") for path in (ROOT / folder).rglob("*.py"))
    return tuple(
        found
        for path in paths
        for found in within(
            ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"),
            ast.parse(path.read_text(encoding="utf-8")),
        )
    )


def entries(documentation: str) -> Iterator[tuple[str, str]]:
    """The entries of a docstring that have a text: name and type, and the text."""
    # Where there are no sections there is nothing to read.
    found = NumpyDocString(documentation) if "\n---" in documentation else {}
    for section in SECTIONS:
        for entry in found[section] if found else ():
            if text := " ".join(" ".join(entry.desc).split()):
                yield f"{entry.name} : {entry.type}", text


def words_of(text: str) -> set[str]:
    """Its words but for articles; ``ClassTable`` are two."""
    return set(re.findall(r"[a-z0-9]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower())) - {"a", "an", "the"}


def texts_of_several(documentation: str) -> list[str]:
    """The texts that stand at several entries of a docstring."""
    times = Counter(text for _, text in entries(documentation))
    return [text for text, n in times.items() if n > 1]


def idle_entries(documentation: str) -> list[str]:
    """The entries whose text has no word that is not in their name and type."""
    return [head for head, text in entries(documentation) if words_of(text) <= words_of(head)]


def test_what_is_called_from_outside_has_a_sentence() -> None:
    lacking = [
        path
        for path, is_of_module, node in written()
        if is_of_module
        and not path.startswith("pages.")
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert not lacking, "\n".join([f"{len(lacking)} without a docstring:", *lacking])


def test_no_text_stands_at_two_entries() -> None:
    faults = [
        f"{path}: {text}" for path, _, node in written() for text in texts_of_several(ast.get_docstring(node) or "")
    ]
    assert not faults, "\n".join([f"{len(faults)}, write what each is, or one entry, `a, b : type`:", *faults])


def test_no_entry_of_what_a_package_offers_repeats_its_name() -> None:
    faults = [
        f"{path}: {head}"
        for path, _, node in written()
        if path in PUBLIC or path.rpartition(".")[0] in PUBLIC
        for head in idle_entries(ast.get_docstring(node) or "")
    ]
    assert not faults, "\n".join([f"{len(faults)}, say what it holds:", *faults])


def test_the_rules_find_what_breaks_them() -> None:
    documentation = """As an example.

    Parameters
    ----------
    classes : ClassTable
        The class table.
    before : Dataset
        Before and after.
    after : Dataset
        Before and after.
    low, high : float
        In [0, 1].

    Returns
    -------
    float
        Bits.
    """
    assert texts_of_several(inspect.cleandoc(documentation)) == ["Before and after."]
    assert idle_entries(inspect.cleandoc(documentation)) == ["classes : ClassTable"]


_TYPE = re.compile(r"[\w.\[\], |\"]+")
_CLASS = re.compile(r"\b[A-Z][a-z]\w*\b")


def _annotations(node: ast.ClassDef | ast.FunctionDef) -> dict[str, str]:
    """By parameter or field, its annotation."""
    if isinstance(node, ast.ClassDef):
        fields = (each for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name))
        return {each.target.id: ast.unparse(each.annotation) for each in fields}
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    return {each.arg: ast.unparse(each.annotation) for each in arguments if each.annotation is not None}


def _other_types(node: ast.ClassDef | ast.FunctionDef) -> Iterator[str]:
    """Entries that name a class which the annotation does not name."""
    annotations = _annotations(node)
    for entry in re.finditer(r"^(\w+) : (.*)$", ast.get_docstring(node) or "", re.MULTILINE):
        name, of_entry = entry[1], re.sub(r", (optional|default .*)$", "", entry[2])
        if name not in annotations or not _TYPE.fullmatch(of_entry) or " " in re.sub(r" \| |, ", "", of_entry):
            continue
        if other := {*_CLASS.findall(of_entry)} - {*_CLASS.findall(annotations[name]), "None", "Literal"}:
            yield f"{name}: {', '.join(sorted(other))}, where the annotation is {annotations[name]}"


def test_an_entry_names_the_type_of_its_annotation() -> None:
    complaints = [
        f"{path.relative_to(ROOT).as_posix()}: {node.name}: {complaint}"
        for room in ("anonlib", "ui", "pages")
        for path in sorted((ROOT / room).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
        for complaint in _other_types(node)
    ]
    assert not complaints, "\n".join(complaints)


def test_another_type_is_noticed() -> None:
    source = (
        'def f(a: int, b: New): """Sum.\n\n    Parameters\n    ----------\n    a : int\n    b : Old, optional\n    """'
    )
    (node,) = ast.parse(source).body
    assert isinstance(node, ast.FunctionDef) and list(_other_types(node)) == ["b: Old, where the annotation is New"]

"""Public names are documented in one form, numpydoc's: what each parameter and each field is, and what is returned.

Public is what the ``__all__`` of a package names, and of the classes among these every method and property.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import validate

import anonlib

LIBRARY = Path(anonlib.__file__).parent
# No docstring; a parameter left out, unknown, misplaced, without type or meaning; nothing said of what it returns.
FAULTS = {"GL08", "PR01", "PR02", "PR03", "PR04", "PR07", "PR10", "RT01", "YD01"}


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

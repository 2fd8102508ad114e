"""The examples in the library's docstrings, many of them published ones, print what they say."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import anonlib

LIBRARY = Path(anonlib.__file__).parent
WITH_EXAMPLES = [
    ".".join(["anonlib", *path.relative_to(LIBRARY).with_suffix("").parts])
    for path in sorted(LIBRARY.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_print_what_they_say(module: str) -> None:
    found = doctest.testmod(importlib.import_module(module))
    assert found.attempted and not found.failed

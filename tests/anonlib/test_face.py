"""What `import anonlib` offers."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys

import pytest

import anonlib


def test_every_name_is_offered_to_type_checkers_too() -> None:
    (block,) = [node for node in ast.parse(inspect.getsource(anonlib)).body if isinstance(node, ast.If)]
    checked = {(node.module, name.name) for node in block.body for name in node.names}
    assert checked == {(module, name) for module, names in anonlib._NAMES_OF.items() for name in names}


def test_every_name_is_there_and_named_in_the_documentation() -> None:
    assert set(anonlib.__all__) <= set(dir(anonlib))
    assert set(re.findall(r":\w+:`(\w+)`", anonlib.__doc__ or "")) == set(anonlib.__all__)
    for name in anonlib.__all__:
        assert getattr(anonlib, name).__doc__


def test_another_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        anonlib.nothing  # noqa: B018
    with pytest.raises(ImportError):
        exec("from anonlib import nothing")


def test_importing_it_loads_nothing() -> None:
    code = "import sys, anonlib; print([name for name in sys.modules if name.startswith(('anonlib.', 'numpy'))])"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert finished.stdout == "[]\n"

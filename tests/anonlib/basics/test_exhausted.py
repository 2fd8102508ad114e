"""What the machine has no more of is a sentence, whoever meets it, and no file is called damaged for it."""

from __future__ import annotations

import ast
import errno
from pathlib import Path

import numpy as np
import pyarrow
import pytest

from anonlib.basics import exhausted

LIBRARY = Path(exhausted.__file__).parents[1]


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (MemoryError("cell 7"), "not enough memory"),
        (np._core._exceptions._ArrayMemoryError((9,), np.dtype("int8")), "not enough memory"),
        (pyarrow.ArrowMemoryError("cell 7"), "not enough memory"),
        (OSError(errno.ENOMEM, "cell 7"), "not enough memory"),
        (ImportError("/lib/x.so: failed to map segment from shared object"), "not enough memory"),
        (caused(RuntimeError("cell 7"), MemoryError()), "not enough memory"),
        (OSError(errno.ENOSPC, "cell 7"), "no room left on the disk"),
        (OSError(errno.EDQUOT, "cell 7"), "no room left on the disk"),
        (OSError(errno.EFBIG, "cell 7"), "ulimit -f"),
        (OSError(errno.EMFILE, "cell 7"), "files are open"),
    ],
)
def test_what_is_exhausted_is_a_sentence_without_the_errors_words(error: Exception, says: str) -> None:
    sentence = exhausted.sentence(error)
    assert says in sentence and "cell 7" not in sentence


@pytest.mark.parametrize("error", [ValueError("x"), OSError(errno.EACCES, "x"), ImportError("no module x"), KeyError()])
def test_all_else_is_no_such_reason(error: Exception) -> None:
    assert exhausted.sentence(error) == ""


def test_no_input_is_called_damaged_where_memory_was_short() -> None:
    """Who catches all errors and says that the input is at fault lets those of memory pass first."""
    careless = []
    for path in LIBRARY.rglob("*.py"):
        for handlers in (node.handlers for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Try)):
            caught = [ast.unparse(each.type) if each.type else "BaseException" for each in handlers]
            for i, handler in enumerate(handlers):
                is_broad = caught[i] in ("Exception", "BaseException")
                if is_broad and "raise InputError(" in ast.unparse(handler) and "MemoryError" not in caught[:i]:
                    careless.append(f"{path.relative_to(LIBRARY)}:{handler.lineno}")
    assert careless == []

"""From arguments to an exit status: one place where input that cannot be used becomes a sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec

from anonlib.basics import exhausted
from anonlib.basics.errors import InputError
from anonlib.basics.words import escaped
from anonlib.command.arguments import EXHAUSTED, UNUSABLE, parser

_MODULES = {
    "inspect": "inspecting",
    "assess": "assessing",
    "advise": "advising",
    "release": "releasing",
    "report": "releasing",
    "verify": "verifying",
    "attack": "attacking",
    "serve": "serving",
    "audit": "department",
    "register": "department",
    "keys": "department",
}
"""By command, the module of its function; each is imported when it is asked for, so that help is there at once."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what a command line asks.

    Parameters
    ----------
    arguments : Sequence[str], optional
        Without the program's name; those it was started with when left out.

    Returns
    -------
    int
        0: all criteria are met; 3: one is not; 2: the input cannot be used, and 5: the machine has no more
        memory, disk or room for a file; why is on standard error. Of
        ``verify``: 0: it is what was released; 3: it is not; 4: its cells were not compared. Of ``attack``: 0: no
        attack gains more than is accepted; 3: one does. Of ``audit``: 0: the chain holds; 1: it is broken.
    """
    asked = parser().parse_args(arguments)
    try:
        if _MODULES[asked.command] == "department":
            _check_department()
        command = getattr(import_module(f"anonlib.command.{_MODULES[asked.command]}"), asked.command)
        status = command(asked)
        sys.stdout.flush()
        return status
    except InputError as error:
        return _refused(str(error), EXHAUSTED if error.code == exhausted.CODE else UNUSABLE)
    except KeyboardInterrupt:
        return _refused("stopped.")
    except BrokenPipeError:
        sys.stderr.close()
    except Exception as error:
        why = exhausted.sentence(error)
        if not why:
            raise
        _drop_what_is_not_printed()
        return _refused(why, EXHAUSTED)
    return UNUSABLE


def _check_department() -> None:
    if find_spec("sqlalchemy") is None:
        raise InputError(
            'What a department needs is not installed: pip install "anonscope[team]" brings it.',
            code="app-not-installed",
        )


def _refused(why: str, status: int = UNUSABLE) -> int:
    with suppress(OSError):  # standard error may be a file on a full disk as well
        print(f"anonscope: {escaped(why)}", file=sys.stderr)
    return status


def _drop_what_is_not_printed() -> None:
    """Where standard output is on a full disk, let its rest go nowhere: Python would fail to write it at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

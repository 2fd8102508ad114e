"""From arguments to an exit status: one place where input that cannot be used becomes a sentence."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from anonlib.basics.errors import InputError
from anonlib.basics.words import escaped
from anonlib.command.arguments import UNUSABLE, parser

_MODULES = {
    "inspect": "inspecting",
    "assess": "assessing",
    "advise": "advising",
    "release": "releasing",
    "report": "releasing",
    "verify": "verifying",
    "attack": "attacking",
    "serve": "serving",
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
        0: all criteria are met; 3: one is not; 2: the input cannot be used, and why is on standard error. Of
        ``verify``: 0: it is what was released; 3: it is not; 4: its cells were not compared. Of ``attack``: 0: no
        attack gains more than is accepted; 3: one does.
    """
    asked = parser().parse_args(arguments)
    try:
        command = getattr(import_module(f"anonlib.command.{_MODULES[asked.command]}"), asked.command)
        return command(asked)
    except InputError as error:
        print(f"anonscope: {escaped(str(error))}", file=sys.stderr)
    except KeyboardInterrupt:
        print("anonscope: stopped.", file=sys.stderr)
    except BrokenPipeError:
        sys.stderr.close()
    return UNUSABLE

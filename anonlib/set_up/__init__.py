"""``python -m anonlib.set_up``: compile the loops and keep their machine code for the app."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from threading import Thread

from anonlib.basics.machine_code import keep, kept, mark_kept, set_up_alone

KINDS = (
    "privacy_models",
    "reading",
    "node_weights",
    "local_recoding",
    "local_recoding_with_coins",
    "cell_suppression",
    "walk",
    "attacks",
    "local_recoding_of_few_facts",
    "frontier",
    "exchange",
    "schedules",
    "forecast",
)
"""In the order in which an officer comes to what needs them: the app may be used meanwhile."""
WITH_CALLER = "--with-caller"
"""Says that set-up ends where its input does, which is where the process ends that started it with a pipe."""
_PROCESSES = 2  # to split records into parts takes as long as half of the others


def compile_all() -> None:
    """Compile everything, two kinds of search at a time, and keep it: about half a minute on two idle cores.

    Where another process does so already, it is waited for.

    Raises
    ------
    OSError
        Where it cannot be kept.
    """
    with set_up_alone():
        try:
            _compile_side_by_side()
        except (BrokenExecutor, OSError):  # no further processes here, or no memory for them; or it cannot be kept
            with kept():
                for kind in KINDS:
                    compile_kind(kind)
        mark_kept()


def compile_kind(kind: str) -> None:
    """Compile one of :data:`KINDS`; the libraries that it needs are imported here, where it is compiled."""
    getattr(importlib.import_module("anonlib.set_up.loops"), f"compile_{kind}")()


def _compile_side_by_side() -> None:
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(_PROCESSES, mp_context=fresh, initializer=_begin) as processes:
        list(processes.map(compile_kind, KINDS))


def _begin() -> None:
    keep()
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Leave nothing running where the process that asked for it is gone."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def _end_with_caller() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os._exit(1)


def main(arguments: Sequence[str] = ()) -> int:
    """Compile everything; status 1, and a sentence, where it cannot be kept."""
    if WITH_CALLER in arguments:
        Thread(target=_end_with_caller, daemon=True).start()
    try:
        compile_all()
    except OSError:
        why = "It cannot be kept where Anonscope is installed: the first search of each kind takes some seconds more."
        print(why, file=sys.stderr, flush=True)
        return 1
    return 0

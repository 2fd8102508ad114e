"""The cores that this process may use."""

from __future__ import annotations

import os

_left = 0


def n_cores() -> int:
    """As many as there are for all processes of Anonscope."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def leave_one() -> None:
    """From now on this process leaves one core to others, where there are several."""
    global _left
    _left = 1


def n_threads() -> int:
    """As many threads as can work side by side, at what holds no lock of the interpreter."""
    return max(1, n_cores() - _left)

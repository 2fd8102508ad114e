"""The cores that this process may use."""

from __future__ import annotations

import os


def n_threads() -> int:
    """As many threads as can work side by side, at what holds no lock of the interpreter."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

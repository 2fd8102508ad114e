"""Work in processes of its own."""

from __future__ import annotations

from ui.server.workers.jobs import Function, Job


def begin(session: str, function: Function, first: bool) -> Job | None:
    """Begin a job of a session; None where there are no processes for it."""
    return None

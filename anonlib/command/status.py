"""The exit status of a verdict."""

from __future__ import annotations

from collections.abc import Iterable

from anonlib.command.arguments import MET, NOT_CHECKED, NOT_MET
from anonlib.filing.evidence import Evidence
from anonlib.verdict.criteria import State


def status_of(may_leave: bool, states: Iterable[str]) -> int:
    """The exit status of a verdict.

    Parameters
    ----------
    may_leave : bool
        Whether nothing stands against it.
    states : Iterable[str]
        Of each criterion that nobody accepted: met, not met, or cannot be checked.
    """
    if may_leave:
        return MET
    return NOT_CHECKED if set(states) - {State.MET} == {State.UNKNOWN} else NOT_MET


def status_of_evidence(evidence: Evidence) -> int:
    """The exit status of the verdict that evidence has."""
    return status_of(evidence.may_leave, [criterion.state for criterion in evidence.criteria if not criterion.accepted])

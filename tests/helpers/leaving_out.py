"""The step that leaves out what earlier versions' requirements and rules take."""

from __future__ import annotations

from collections.abc import Sequence

from anonlib.release.steps import LeaveOut
from anonlib.release.steps.of_cells import Requirement, Rule, guarantees_of


def for_requirements(requirements: Sequence[Requirement], rules: Sequence[Rule] = (), reason: str = "") -> LeaveOut:
    return LeaveOut(guarantees=guarantees_of(requirements, rules), reason=reason)

"""Kinds of steps that earlier versions wrote, each read as what it is today."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from anonlib.counting.privacy_models import LDiversity, TCloseness
from anonlib.release.steps.of_cells import demands_from_dict, guarantees_of, requirements_of, rule_of
from anonlib.release.steps.record_suppression import LeaveOut
from anonlib.release.steps.step import STEP_KINDS, Step


def Suppress(k: int, reason: str = "") -> LeaveOut:
    """The step that leaves out classes below k, by the name that it had in version 0.1.0.

    Parameters
    ----------
    k : int
        The smallest size of a group that is enough.
    reason : str, default ""
        Why, as it is filed.

    Returns
    -------
    LeaveOut
    """
    return LeaveOut(k, reason=reason)


def _suppress(values: Mapping[str, Any]) -> LeaveOut:
    return Suppress(values["k"], values.get("reason", ""))


def _suppress_violating(values: Mapping[str, Any]) -> LeaveOut:
    requirements, rules = demands_from_dict(values)
    guarantees = guarantees_of(requirements, rules)
    # As version 0.1.0 wrote the step, up to its reason: the order of released rows was drawn by these words.
    of_first = guarantees_of(requirements[:1], rules)[1:]
    named = tuple(rule_of(guarantee) for guarantee in of_first if isinstance(guarantee, LDiversity | TCloseness))
    words = f"SuppressViolating(requirements={requirements_of(guarantees)[0]!r}, rules={named!r}"
    return LeaveOut(guarantees=guarantees, reason=values.get("reason", ""), drawn_as=words)


_EARLIER: Mapping[str, Callable[[Mapping[str, Any]], Step]] = {
    "suppress": _suppress,
    "suppress_violating": _suppress_violating,
    "leave_out_exposed": LeaveOut.from_dict,
}


def reader_of(kind: object) -> Callable[[Mapping[str, Any]], Step] | None:
    """What reads a saved step of a kind of today or of an earlier version; None where there is no such kind.

    Parameters
    ----------
    kind : object
        The name of the kind, as it was saved.

    Returns
    -------
    Callable[[Mapping[str, Any]], Step] | None
    """
    if not isinstance(kind, str):
        return None
    return STEP_KINDS[kind].from_dict if kind in STEP_KINDS else _EARLIER.get(kind)


def counted_otherwise(steps: Iterable[object]) -> list[str]:
    """What saved steps (as plain values) leave out today that they did not when they were saved, in sentences.

    Parameters
    ----------
    steps : Iterable[object]
        The steps as plain values.

    Returns
    -------
    list[str]
    """
    for step in steps:
        rules = step.get("rules") if isinstance(step, Mapping) and step.get("kind") == "suppress_violating" else None
        if isinstance(rules, list) and any(_is_of_diversity(rule) for rule in rules):
            return [
                "A step leaves out records where a class has too few sensitive values. Where persons have several "
                "rows, more are left out than when it was saved: a value that all persons of a class have in some row "
                "is one that somebody can be sure of, whatever else is in their rows."
            ]
    return []


def _is_of_diversity(rule: object) -> bool:
    return isinstance(rule, Mapping) and rule.get("kind") == "l-diversity"

"""What steps demand of groups, requirements and rules: the columns in them, in words, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from anonlib.analyses.generalization import LDiversity, Requirement, TCloseness
from anonlib.basics.errors import InputError
from anonlib.counting.guarantees import Close, Diverse, Guarantee, Shared

Rule = LDiversity | TCloseness
_RULES: dict[str, type[LDiversity] | type[TCloseness]] = {"l-diversity": LDiversity, "t-closeness": TCloseness}


def columns_of(requirements: tuple[Requirement, ...], rules: tuple[Rule, ...] = ()) -> tuple[str, ...]:
    """The columns that requirements and rules name, each once."""
    named = [name for requirement in requirements for name in requirement.attributes]
    return tuple(dict.fromkeys([*named, *(rule.attribute for rule in rules)]))


def by_kind(rules: tuple[Rule, ...]) -> dict[str, Any]:
    """The rules as keyword arguments of :class:`anonlib.analyses.generalization.Problem`."""
    return {
        "l_diversity": tuple(rule for rule in rules if isinstance(rule, LDiversity)),
        "t_closeness": tuple(rule for rule in rules if isinstance(rule, TCloseness)),
    }


def guarantees_of(requirements: Iterable[Requirement], rules: Iterable[Rule] = ()) -> tuple[Guarantee, ...]:
    """What requirements and rules ask, as guarantees: rules hold in each class of each requirement's columns.

    Groups of at least k records that share all columns are :class:`Shared`, l-diversity is :class:`Diverse` and
    t-closeness :class:`Close`, each for everybody. Missing values are values in both.
    """
    asked: list[Guarantee] = []
    rules = tuple(rules)
    for requirement in requirements:
        columns = requirement.attributes
        asked.append(Shared(columns=columns, least=requirement.k))
        for rule in rules:
            if isinstance(rule, LDiversity):
                asked.append(Diverse(columns=columns, sensitive=rule.attribute, l=rule.l, by=rule.kind))
            else:
                asked.append(Close(columns=columns, sensitive=rule.attribute, t=rule.t, distance=rule.distance))
    return tuple(asked)


def in_words(requirements: tuple[Requirement, ...], rules: tuple[Rule, ...]) -> str:
    """What is demanded, as ``k = 5 on age, zip and 2 distinct values of illness``."""
    demands = [f"k = {requirement.k} on {', '.join(requirement.attributes)}" for requirement in requirements]
    demands += [
        f"{rule.l:g} {'distinct ' if rule.kind == 'distinct' else ''}values of {rule.attribute}"
        + ("" if rule.kind == "distinct" else " by entropy")
        if isinstance(rule, LDiversity)
        else f"{rule.attribute} within t = {rule.t:g}"
        for rule in rules
    ]
    return " and ".join(demands)


def demands_to_dict(requirements: tuple[Requirement, ...], rules: tuple[Rule, ...]) -> dict[str, Any]:
    """Requirements and rules as plain values for JSON."""
    names = {way: name for name, way in _RULES.items()}
    return {
        "requirements": [{"attributes": list(r.attributes), "k": r.k} for r in requirements],
        "rules": [{"kind": names[type(rule)], "rule": asdict(rule)} for rule in rules],
    }


def listed(given: Any, what: str) -> list:
    """The value if it is a list; ``what`` names it in the sentence that refuses another."""
    if not isinstance(given, list):
        raise InputError(f"The {what} must be a list.")
    return given


def demands_from_dict(values: Mapping[str, Any]) -> tuple[tuple[Requirement, ...], tuple[Rule, ...]]:
    """Requirements, one at least, and rules of such values; what is raised is as in :meth:`Step.from_dict`."""
    requirements = tuple(
        Requirement(tuple(listed(given["attributes"], "columns of a requirement")), given["k"])
        for given in listed(values["requirements"], "requirements")
    )
    if not requirements:
        raise InputError("State at least one requirement: which columns, and how many records must share them.")
    return requirements, tuple(
        _RULES[given["kind"]](**given["rule"]) for given in listed(values.get("rules", []), "rules")
    )

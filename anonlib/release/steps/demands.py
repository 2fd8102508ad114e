"""What a step that recodes part by part asks of groups: in words, and as earlier versions wrote it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.words import count, percent
from anonlib.counting.privacy_models import (
    VALUES,
    AverageRiskLimit,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
    in_short,
)


@dataclass(frozen=True)
class Requirement:
    """How many records must share some columns, as earlier versions wrote it."""

    attributes: tuple[str, ...]
    k: int


@dataclass(frozen=True)
class EarlierLDiversity:
    """The l-diversity of a column in every group of each requirement, as earlier versions wrote it."""

    attribute: str
    l: float  # noqa: E741 - the measure's own name
    kind: Any = "distinct"

    def __repr__(self) -> str:
        """By the name that earlier versions had for it: the order in which rows leave is drawn by it."""
        return "LDiversity(" + ", ".join(f"{name}={value!r}" for name, value in vars(self).items()) + ")"


@dataclass(frozen=True)
class EarlierTCloseness:
    """The t-closeness of a column in every group of each requirement, as earlier versions wrote it."""

    attribute: str
    t: float
    distance: Any = "equal"

    def __repr__(self) -> str:
        """By the name that earlier versions had for it: the order in which rows leave is drawn by it."""
        return "TCloseness(" + ", ".join(f"{name}={value!r}" for name, value in vars(self).items()) + ")"


Rule = EarlierLDiversity | EarlierTCloseness
_RULES: dict[str, type[EarlierLDiversity] | type[EarlierTCloseness]] = {
    "l-diversity": EarlierLDiversity,
    "t-closeness": EarlierTCloseness,
}


def guarantees_of(requirements: Iterable[Requirement], rules: Iterable[Rule] = ()) -> tuple[PrivacyModel, ...]:
    """What requirements and rules ask, as guarantees: rules hold in each class of each requirement's columns.

    Groups of at least k records that share all columns are :class:`KAnonymity`, l-diversity is :class:`LDiversity` and
    t-closeness :class:`TCloseness`, each for everybody. Missing values are values in both.
    """
    asked: list[PrivacyModel] = []
    rules = tuple(rules)
    for requirement in requirements:
        columns = requirement.attributes
        if not columns:
            raise InputError(
                "A criterion needs at least one column. Name the columns that someone may know.",
                code="guarantee-without-columns",
            )
        asked.append(KAnonymity(columns=columns, least=requirement.k))
        for rule in rules:
            if isinstance(rule, EarlierLDiversity):
                least = checks.whole(rule.l, "l", 1) if rule.kind == "distinct" else rule.l
                asked.append(LDiversity(columns=columns, sensitive=rule.attribute, l=least, by=rule.kind))
            else:
                asked.append(TCloseness(columns=columns, sensitive=rule.attribute, t=rule.t, distance=rule.distance))
    return tuple(asked)


def requirements_of(guarantees: Iterable[PrivacyModel]) -> tuple[tuple[Requirement, ...], tuple[Rule, ...]]:
    """The requirements and rules of which :func:`guarantees_of` makes these guarantees."""
    guarantees = tuple(guarantees)
    requirements = (Requirement(each.columns, each.least) for each in guarantees if isinstance(each, KAnonymity))
    of_values = (replace(each, columns=()) for each in guarantees if isinstance(each, LDiversity | TCloseness))
    return tuple(requirements), tuple(map(rule_of, dict.fromkeys(of_values)))


def rule_of(asked: LDiversity | TCloseness) -> Rule:
    """What a guarantee asks of a sensitive column, without the columns of its classes."""
    if isinstance(asked, LDiversity):
        return EarlierLDiversity(asked.sensitive, asked.l, asked.by)
    return EarlierTCloseness(asked.sensitive, asked.t, asked.distance)


def in_words(guarantees: Iterable[PrivacyModel]) -> str:
    """What is asked, as ``k = 5 on age, zip and 2 distinct values of illness``."""
    requirements, rules = requirements_of(guarantees)
    demands = [f"k = {requirement.k} on {', '.join(requirement.attributes)}" for requirement in requirements]
    demands += [
        f"{rule.l:g} {'distinct ' if rule.kind == 'distinct' else ''}values of {rule.attribute}"
        + ("" if rule.kind == "distinct" else " by entropy")
        if isinstance(rule, EarlierLDiversity)
        else f"{rule.attribute} within t = {rule.t:g}"
        for rule in rules
    ]
    return " and ".join(demands)


def guarantee_in_words(guarantee: PrivacyModel) -> str:
    """A guarantee in a few words, such as ``k = 5 on age, zip``."""
    known = getattr(guarantee, "known", None)
    on = ", ".join(guarantee.columns) or "nothing"
    on = on if known is None else f"any {count(known, 'columns')} of {on}"
    on += "" if guarantee.rows == VALUES else f" ({in_short(guarantee.rows)})"
    but = f" for all but {percent(guarantee.share)}" if guarantee.share else ""
    if isinstance(guarantee, KAnonymity):
        return f"{guarantee.least} share {on}{but}"
    if isinstance(guarantee, AverageRiskLimit):
        return f"average risk {percent(guarantee.limit)} on {on}"
    if isinstance(guarantee, LDiversity):
        by = "" if guarantee.by == "distinct" else " by entropy"
        return f"{guarantee.l:g} values of {guarantee.sensitive}{by} in each class of {on}"
    if isinstance(guarantee, TCloseness):
        return f"{guarantee.sensitive} within t = {guarantee.t:g} on {on}"
    sure = "certain" if guarantee.p == 0 else f"{percent(1 - guarantee.p)} certain"
    return f"{guarantee.sensitive} not {sure} from {on}{but}"


def listed(given: Any, what: str) -> list[Any]:
    """The value if it is a list; ``what`` names it in the sentence that refuses another."""
    if not isinstance(given, list):
        raise InputError(f"The {what} must be a list.", code="not-a-list")
    return given


def demands_from_dict(values: Mapping[str, Any]) -> tuple[tuple[Requirement, ...], tuple[Rule, ...]]:
    """Requirements, one at least, and rules of such values; what is raised is as in :meth:`Step.from_dict`."""
    requirements = tuple(
        Requirement(tuple(listed(given["attributes"], "columns of a criterion")), given["k"])
        for given in listed(values["requirements"], "requirements")
    )
    if not requirements:
        raise InputError(
            "State at least one criterion: which columns, and how many records must share them.",
            code="guarantee-missing",
        )
    rules = tuple(_RULES[given["kind"]](**given["rule"]) for given in listed(values.get("rules", []), "rules"))
    guarantees_of(requirements, rules)  # which refuses what cannot be
    return requirements, rules

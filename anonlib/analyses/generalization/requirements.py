"""What a generalized table must satisfy: k-anonymity of chosen attributes, l-diversity, t-closeness."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from anonlib.basics import checks
from anonlib.basics.errors import InputError

MOST_WEIGHT = 3.0
"""The weight of an attribute that matters most."""


@dataclass(frozen=True)
class Requirement:
    """At least k records share every combination of the attributes: <S, k> of Arca and Hewett 2021, Section 3.2.

    ``attributes`` are the paper's shield S, in the order given, each once; ``k`` is a whole number, 1 or more.
    """

    attributes: tuple[str, ...]
    k: int

    def __post_init__(self) -> None:
        given = (self.attributes,) if isinstance(self.attributes, str) else tuple(self.attributes)
        names = tuple(checks.text(name, "The name of a column") for name in given)
        if not names:
            raise InputError("A requirement needs at least one column. Name the columns that someone may know.")
        if len(set(names)) < len(names):
            raise InputError("A column is named twice in a requirement. Name each column once.")
        object.__setattr__(self, "attributes", names)
        object.__setattr__(self, "k", checks.whole(self.k, "k", 1))


@dataclass(frozen=True)
class LDiversity:
    """Every group has at least l sensitive values: as many distinct ones, or entropy at least log l.

    Machanavajjhala et al. 2007. ``l`` is 1 or more, a whole number for distinct values.
    """

    attribute: str
    l: float  # noqa: E741 - the measure's own name
    kind: Literal["distinct", "entropy"] = "distinct"

    def __post_init__(self) -> None:
        checks.text(self.attribute, "The name of the sensitive column")
        if self.kind not in ("distinct", "entropy"):
            raise InputError("l-diversity counts “distinct” values or their “entropy”.")
        if self.kind == "distinct":
            object.__setattr__(self, "l", checks.whole(self.l, "l", 1))
        elif checks.number(self.l, "l") < 1:
            raise InputError("l must be 1 or more.")


@dataclass(frozen=True)
class TCloseness:
    """No group's sensitive values are further than t from those of all records that leave: t in [0, 1].

    Li et al. 2007: the earth mover's distance, all values equally far apart ("equal") or in their order ("ordered").
    """

    attribute: str
    t: float
    distance: Literal["equal", "ordered"] = "equal"

    def __post_init__(self) -> None:
        checks.text(self.attribute, "The name of the sensitive column")
        if self.distance not in ("equal", "ordered"):
            raise InputError("t-closeness takes values as “equal” in distance or as “ordered”.")
        if not 0 <= checks.number(self.t, "t") <= 1:
            raise InputError("t must lie between 0 and 1.")


def as_tuple(given: object) -> tuple:
    """None, one or several of something, as a tuple."""
    if given is None:
        return ()
    return tuple(given) if isinstance(given, Iterable) else (given,)


def checked_weights(weights: Mapping[str, float]) -> Mapping[str, float]:
    """How much attributes matter, from 0 (may be lost without regret) to ``MOST_WEIGHT``, as they are given."""
    for name, weight in weights.items():
        if not 0 <= checks.number(weight, f"The weight of “{name}”") <= MOST_WEIGHT:
            raise InputError(f"The weight of “{name}” must lie between 0 and {MOST_WEIGHT:g}.")
    return weights


def most_suppressed(limit: float, n_records: int) -> int:
    """The records that may be left out: the limit's share of all, exact as the limit is written."""
    if not 0 <= checks.number(limit, "The suppression limit") <= 1:
        raise InputError("The suppression limit is a share of the records: choose one between 0 and 1.")
    return int(Fraction(repr(float(limit))) * n_records)

"""What the Frontier page computes: searches that go on for as much work as the officer lets them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import partial

import numpy as np

from anonlib.analyses.frontier import (
    Frontier,
    Plane,
    bisection,
    enumeration,
    interval_programs,
    random_chains,
    sublattices,
)
from anonlib.basics.budget import A_SECOND
from pages.protect.frontier.question import Question
from ui.session import cache, long_work

FIRST = 0.5 * A_SECOND  # work that a search does at once
MOST_ENUMERATED = 12  # bits; all policies of so few are looked at
METHODS = {
    "interval_programs": "Interval programs",
    "sublattices": "Sublattices",
    "random_chains": "Random chains",
    "bisection": "Bisection",
    "enumeration": "All policies",
}
METHODS_HELP = (
    "**Interval programs**: the best cuts of one column while the others stay, again and again; by far the best "
    "frontier. **Sublattices** (SHS) and **random chains** (RCS): the searches of Xia et al. 2013. **Bisection** "
    "(Benitez et al. 2010): only policies that risk no more than Safe Harbor. **All policies**, where there are few."
)


def methods(question: Question) -> list[str]:
    """The searches that fit, the best first; why another does not, see :func:`why_not`."""
    return [method for method in METHODS if not why_not(question, method)]


def why_not(question: Question, method: str) -> str:
    """Why a search is not offered; empty if it is."""
    plane = question.plane
    few = plane.space.n_bits <= MOST_ENUMERATED
    match method:
        case "enumeration":
            return "" if few else "There are too many policies to look at all of them."
        case _ if few:
            return "All policies can be looked at."
        case "interval_programs" if not plane.additive:
            measure = plane.loss if plane.risk.additive else plane.risk
            return f"“{measure.name}” is no sum over classes."
        case "bisection" if question.safe_harbor is None:
            return "There is no Safe Harbor to compare with."
        case _:
            return ""


def search(question: Question, method: str, work: float, beside: str) -> long_work.Search[Frontier]:
    """The frontier so far, with the button that lets the search go on; ``beside`` names work that may run instead."""
    return long_work.search(
        _name(question, method), partial(_begin, question, method), work, "Search", FIRST, (beside,)
    )


def others(question: Question, method: str) -> list[Frontier]:
    """What the other searches have found on the same plane."""
    results = [long_work.result(_name(question, other)) for other in methods(question) if other != method]
    return [found for found in results if found is not None]


def _name(question: Question, method: str) -> str:
    name = f"frontier-{question.plane.key}-{method}"
    if method == "bisection" and question.safe_harbor is not None:
        name += f"-{hashlib.sha256(question.safe_harbor.tobytes()).hexdigest()}"
    return name


def _begin(question: Question, method: str) -> Iterator[Frontier]:
    """The search as it is for everybody: its draws do not depend on the session."""
    plane = question.plane
    match method:
        case "enumeration":
            return enumeration(plane)
        case "random_chains":
            return random_chains(plane, budget=None)
        case "sublattices":
            return sublattices(plane, budget=None)
        case "bisection":
            assert question.safe_harbor is not None
            return bisection(plane, question.safe_harbor, budget=None)
        case _:
            return interval_programs(plane, work=None)


def point(question: Question, policy: np.ndarray) -> tuple[float, float]:
    """Risk and loss of a policy."""
    return _point(question.plane, policy=policy.tobytes())


def point_of_safe_harbor(question: Question) -> tuple[float, float] | None:
    """Risk and loss of Safe Harbor, where it can be compared with."""
    return None if question.safe_harbor is None else point(question, question.safe_harbor)


@cache.remembered
def _point(plane: Plane, *, policy: bytes) -> tuple[float, float]:
    risk, loss = plane.finish(*plane.sums(np.frombuffer(policy, dtype=bool)))
    return float(risk), float(loss)

"""What the officer asks on the Frontier page, what is counted for it, and what the library answers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from anonlib.analyses.frontier import (
    Frontier,
    Match,
    Plane,
    PolicySpace,
    bisection,
    enumeration,
    interval_programs,
    match,
    matched_only,
    one_value_a_person,
    random_chains,
    sublattices,
    with_records,
)
from anonlib.basics.budget import A_SECOND
from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from ui.session import cache, long_work

MOST_BITS = 5_000  # boundaries between values, of all columns
COUNT, LEAVE = "count", "leave"  # those who match nobody in the population table


@dataclass(frozen=True)
class CountedPolicies:
    """The policies' space, and who is not in it.

    Attributes
    ----------
    space : the policies, and the records and people that they are measured on.
    several : persons whose rows differ in a column, who are not counted.
    incomplete : records that lack a value where the Data page leaves these out.
    matched : how the records fit the population table, where there is one.
    """

    space: PolicySpace
    several: int
    incomplete: int
    matched: Match | None


@dataclass(frozen=True)
class FrontierQuestion:
    """One question: whose policies, on which plane, and against which Safe Harbor.

    Attributes
    ----------
    plane : the policies and the two measures.
    counted : who is counted, and who is not.
    unit : what is counted, "records" or "persons".
    unmatched : what becomes of those who match nobody, COUNT or LEAVE.
    safe_harbor : Safe Harbor's policy, or None with the reason why there is none.
    """

    plane: Plane
    counted: CountedPolicies
    unit: str
    unmatched: str
    safe_harbor: np.ndarray | None
    no_safe_harbor: str = ""

    @property
    def space(self) -> PolicySpace:
        """The policies."""
        return self.plane.space

    @property
    def matched(self) -> Match | None:
        """How the records fit the population table, where there is one."""
        return self.counted.matched


def count(
    data: Dataset, people: Dataset | None, *, names: tuple[str, ...], orders: tuple, observed: bool, unmatched: str
) -> CountedPolicies:
    """Who is counted for policies on these columns.

    Parameters
    ----------
    data, people : the file, and the population table where it is the population.
    names : the columns that policies recode.
    orders : per column whose order is not the natural one, its name and its values in their order.
    observed : whether intervals are cut only between values that records have.
    unmatched : what becomes of those who match nobody, COUNT or LEAVE.

    Raises
    ------
    InputError
        Where nobody can be counted, or the columns have too many values.
    """
    everyone = data.with_missing("category").classes([]).n_records
    data = data.with_counted()
    classes = data.classes(list(names))
    incomplete = everyone - classes.n_records
    whole = one_value_a_person(_never_parted(data, names).classes(list(names)))
    several = classes.n_records - whole.n_records
    if not whole.n_records:
        raise InputError("Nobody has one value in each of these columns. Choose other columns.", code="no-records")
    matched, population = None, None
    if people is not None:
        population = people.with_missing(data.missing).classes(list(names))
        matched = match(whole, population)
        whole, population = _reconciled(whole, population, matched, unmatched)
    space = PolicySpace(whole, population, dict(orders), observed, {name: _values(data, name) for name in names})
    if space.n_bits > MOST_BITS:
        longest = max(space.domains, key=len)
        raise InputError(
            f"These columns have {space.n_bits:,} boundaries between values, {longest.n_bits:,} of them in "
            f"“{longest.attribute}”: more than {MOST_BITS:,}. Recode it first, or leave it out.",
            code="too-many-policies",
        )
    return CountedPolicies(space, several, incomplete, matched)


def plane_of(space: PolicySpace, *, risk: str, loss: str, k: int) -> Plane:
    """The plane of a risk and a loss, by their keys."""
    return Plane(space, risk, loss, k)


def _values(data: Dataset, name: str) -> list[str | None]:
    """What a column holds, also where a record is not counted: it is released all the same."""
    counts = data.held.counts_of(name)
    return [*([None] if counts.missing else []), *counts.values[counts.records > 0].tolist()]


def _never_parted(data: Dataset, names: tuple[str, ...]) -> Dataset:
    """Without the persons who have a value in some rows and none in others: a policy may part the two."""
    return data if data.missing == "drop" else data.without_partly_missing(names)


def _reconciled(
    classes: ClassTable, population: ClassTable, matched: Match, unmatched: str
) -> tuple[ClassTable, ClassTable]:
    """Records and people so that everybody matches somebody. Raises InputError where nobody does."""
    if matched.unmatched == matched.n_records:
        raise InputError(
            "No record matches anybody in the population table: its values are written differently, or it is of other "
            "people. Load another (Population, below), or take the file itself as population (More).",
            code="records-not-in-population",
        )
    if unmatched == COUNT:
        return classes, with_records(population, classes) if matched.exceeding else population
    return matched_only(classes, population), population


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


def methods(question: FrontierQuestion) -> list[str]:
    """The searches that fit, the best first; why another does not, see :func:`why_not`."""
    return [method for method in METHODS if not why_not(question, method)]


def why_not(question: FrontierQuestion, method: str) -> str:
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


def search(question: FrontierQuestion, method: str, work: float, beside: str) -> long_work.EndlessSearch[Frontier]:
    """The frontier so far, with the button that lets the search go on; ``beside`` names work that may run instead."""
    return long_work.search(
        _name(question, method), partial(_begin, question, method), work, "Search", FIRST, (beside,)
    )


def others(question: FrontierQuestion, method: str) -> list[Frontier]:
    """What the other searches have found on the same plane."""
    results = [long_work.result(_name(question, other)) for other in methods(question) if other != method]
    return [frontier for frontier in results if frontier is not None]


def _name(question: FrontierQuestion, method: str) -> str:
    name = f"frontier-{question.plane.key}-{method}"
    if method == "bisection" and question.safe_harbor is not None:
        name += f"-{hashlib.sha256(question.safe_harbor.tobytes()).hexdigest()}"
    return name


def _begin(question: FrontierQuestion, method: str) -> Iterator[Frontier]:
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


def point(question: FrontierQuestion, policy: np.ndarray) -> tuple[float, float]:
    """Risk and loss of a policy."""
    return _point(question.plane, policy=policy.tobytes())


def point_of_safe_harbor(question: FrontierQuestion) -> tuple[float, float] | None:
    """Risk and loss of Safe Harbor, where it can be compared with."""
    return None if question.safe_harbor is None else point(question, question.safe_harbor)


@cache.remembered
def _point(plane: Plane, *, policy: bytes) -> tuple[float, float]:
    risk, loss = plane.finish(*plane.sums(np.frombuffer(policy, dtype=bool)))
    return float(risk), float(loss)

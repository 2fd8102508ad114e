"""Three estimates of the people who are alone in the population, and which of them is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from anonlib.analyses.population_uniqueness import estimators
from anonlib.analyses.population_uniqueness.measured import Measured, measured_near
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.words import count, percent
from anonlib.counting.classes import AnonymityVector

Method = Literal["Pitman", "Zayatz", "SNB"]
METHODS: tuple[Method, ...] = ("Pitman", "Zayatz", "SNB")
SOURCES: dict[str, str] = {
    "Pitman": "Pitman (Hoshino 2001)", "Zayatz": "Zayatz (1991)", "SNB": "SNB (Chen and McNulty 1998)",
}  # fmt: skip
"""By the name of an estimator, what it is called with its source."""
SMALL_FRACTION = 0.1
_AS_COUNTED = "nothing needs to be estimated"


@dataclass(frozen=True)
class Estimate:
    """What one estimator says; where its equations have no solution, ``uniques`` and ``share`` are None.

    Attributes
    ----------
    method : Method
        "Pitman", "Zayatz" or "SNB".
    uniques : float | None
        People expected to be alone in the population, whether or not they are in the file; 0 to the file's records that
        are alone divided by the sampling fraction.
    share : float | None
        Of the records that are alone in the file, those expected to be alone in the population; 0 to 1.
    why_none : str, default ""
        Why there is no solution; empty where there is one.
    """

    method: Method
    uniques: float | None
    share: float | None
    why_none: str = ""

    @property
    def source(self) -> str:
        """The estimator's name with its source."""
        return SOURCES.get(self.method, self.method)

    @property
    def solved(self) -> bool:
        """Whether the estimator has an answer for this file."""
        return self.uniques is not None


@dataclass(frozen=True)
class PopulationUniqueness:
    """How many of those who are alone in a file are alone in the population.

    Attributes
    ----------
    n_records : int
        Records (persons) of the file.
    people : int
        People of the population.
    alone : int
        Records that are alone in the file.
    estimates : tuple[Estimate, ...]
        Of Pitman, Zayatz and SNB, in this order.
    used : Estimate
        The estimate that Dankar's rule chooses; any of them where nothing needs to be estimated. All of them are shown,
        the highest first: the rule's can be far too low (:mod:`anonlib.analyses.population_uniqueness.measured`).
    why : str
        Why the rule chooses this one, as the end of a sentence.
    """

    n_records: int
    people: int
    alone: int
    estimates: tuple[Estimate, ...]
    used: Estimate
    why: str

    @property
    def fraction(self) -> float:
        """Share of the people who are in the file, 0 to 1."""
        return self.n_records / self.people if self.people else 0.0

    @property
    def exact(self) -> bool:
        """Whether it is known without an estimate: nobody is alone in the file, or everybody is in it."""
        return not self.alone or self.n_records == self.people

    @property
    def ranked(self) -> tuple[Estimate, ...]:
        """The estimates, the highest and so most cautious one first; those without a solution last."""
        solved = (estimate for estimate in self.estimates if estimate.solved)
        return (
            *sorted(solved, key=lambda estimate: -(estimate.share or 0.0)),
            *(estimate for estimate in self.estimates if not estimate.solved),
        )

    @property
    def highest(self) -> Estimate:
        """The most cautious of the estimates: Zayatz's has a solution for every file."""
        return self.ranked[0]

    @property
    def lowest(self) -> Estimate:
        """The least cautious of the estimates that have a solution."""
        return [estimate for estimate in self.ranked if estimate.solved][-1]

    def expected(self, estimate: Estimate) -> float:
        """Of the records alone in the file, how many an estimate expects to be alone in the population."""
        assert estimate.share is not None
        return estimate.share * self.alone

    @property
    def measured(self) -> Measured | None:
        """How far the estimates have been from a known truth at such a fraction; None where nothing is estimated."""
        return None if self.exact else measured_near(self.fraction)

    @property
    def says_how_wrong(self) -> str:
        """How far the estimates have been from a known truth at such a fraction, in sentences; "" without any."""
        return "" if self.measured is None else self.measured.in_words()

    def says(self, unit: str = "records") -> str:
        """The range of the estimates in sentences, the cautious end first.

        Parameters
        ----------
        unit : str, default "records"
            What is counted, in the plural.

        Returns
        -------
        str
        """
        if not self.alone:
            return "Nobody is alone in the file, so nobody in it is alone in the population."
        who = count(self.alone, unit)
        if self.exact:
            return f"Everybody is in the file: the {who} alone in it are alone in the population."
        rule = f"The rule of Dankar et al. 2012 would take {self.used.method}’s, because {self.why}."
        among = f"are expected to be alone among all {count(self.people, 'people')}"
        if self.highest == self.lowest:
            return f"Of the {who} alone in the file, {self.in_words(self.highest)} {among}, the one estimate. {rule}"
        return (
            f"Of the {who} alone in the file, {self.in_words(self.highest)}, the highest estimate, to "
            f"{self.in_words(self.lowest)}, the lowest, {among}. {rule}"
        )

    def in_words(self, estimate: Estimate) -> str:
        """What an estimate that has a solution expects, and whose it is."""
        return f"about {_about(self.expected(estimate))} ({percent(estimate.share or 0.0)}) by {estimate.source}"

    def to_frame(self) -> pd.DataFrame:
        """One row an estimator, the highest estimate first.

        Columns ``method``, ``source``, ``uniques``, ``share`` and ``expected`` (NaN: no solution), ``times`` (how
        far it has been from a known truth at such a fraction, as text; "" where it was not measured), ``used`` by the
        rule.
        """
        by_method = {} if self.measured is None else self.measured.by_method
        ranked = self.ranked
        return pd.DataFrame(
            {
                "method": [estimate.method for estimate in ranked],
                "source": [estimate.source for estimate in ranked],
                "uniques": pd.Series([estimate.uniques for estimate in ranked], dtype=float),
                "share": pd.Series([estimate.share for estimate in ranked], dtype=float),
                "expected": pd.Series([estimate.share for estimate in ranked], dtype=float) * self.alone,
                "times": [
                    by_method[estimate.method].in_words if estimate.method in by_method else "" for estimate in ranked
                ],
                "used": [estimate is self.used for estimate in ranked],
            }
        )


def population_uniqueness(vector: AnonymityVector, people: int) -> PopulationUniqueness:
    """Estimate how many of those alone in a file are alone in the population it was drawn from.

    Parameters
    ----------
    vector : AnonymityVector
        The file's class sizes.
    people : int
        People of the population, the file's included: a whole number, at least the records of the file.

    Returns
    -------
    PopulationUniqueness
        Where nobody is alone all is 0, and where everybody is in the file it is what the file has; else each estimator
        has its own answer and the one used is chosen so: up to a tenth of the people in the file Pitman, or Zayatz
        where Pitman has no solution; above, the smaller of SNB and Zayatz.

    Raises
    ------
    InputError
        If there are fewer people than records.

    References
    ----------
    Zayatz 1991; Hoshino 2001 (Pitman); Chen and McNulty 1998 (SNB); the rule: Dankar, El Emam, Neisa and Roffey 2012.

    Examples
    --------
    Of 15 people 6 are asked, and four of them are alone with their answers:

    >>> from anonlib.counting.classes.vector import anonymity_vector
    >>> found = population_uniqueness(anonymity_vector([1, 1, 1, 1, 2]), 15)
    >>> found.alone, found.used.method, round(found.used.share, 3), round(found.used.uniques, 2)
    (4, 'SNB', 0.605, 6.05)
    """
    people, n = checks.whole(people, "The number of people", 0), vector.n_records
    if people < n:
        raise InputError(
            f"The population has {count(people, 'people')}, but {count(n)} of them are in the file. "
            "Give the size of the whole population that the file was drawn from.",
            code="population-too-small",
        )
    alone = vector.people_below(2)
    if not alone or n == people:
        estimates = tuple(Estimate(method, float(alone), float(bool(alone))) for method in METHODS)
        return PopulationUniqueness(n, people, alone, estimates, estimates[0], _AS_COUNTED)
    estimates = (_pitman(vector, people), _zayatz(vector, people), _snb(vector, people))
    used, why = _chosen(*estimates, small=n <= SMALL_FRACTION * people)
    return PopulationUniqueness(n, people, alone, estimates, used, why)


def _chosen(of_pitman: Estimate, of_zayatz: Estimate, of_snb: Estimate, *, small: bool) -> tuple[Estimate, str]:
    """The rule of Dankar et al. 2012, and why it chooses so."""
    if small:
        few = f"the file has at most {percent(SMALL_FRACTION)} of the people"
        if of_pitman.solved:
            return of_pitman, few
        return of_zayatz, f"{few} and Pitman's has no solution"
    many = f"the file has more than {percent(SMALL_FRACTION)} of the people"
    if of_snb.uniques is None or of_zayatz.uniques is None:
        return of_zayatz, f"{many} and SNB has no solution"
    if of_snb.uniques < of_zayatz.uniques:
        return of_snb, f"{many} and it is below that of Zayatz"
    return of_zayatz, f"{many} and it is not above that of SNB"


def _pitman(vector: AnonymityVector, people: int) -> Estimate:
    parameters = estimators.fit_pitman(vector)
    if parameters is None:
        return Estimate("Pitman", None, None, "Everybody in the file is alone, which fits any number of people alone.")
    return _bounded("Pitman", estimators.expected_alone_by_pitman(*parameters, people), vector, people)


def _zayatz(vector: AnonymityVector, people: int) -> Estimate:
    alone, f = vector.people_below(2), vector.n_records / people
    return _bounded("Zayatz", alone * estimators.share_alone(vector, people) / f, vector, people)


def _snb(vector: AnonymityVector, people: int) -> Estimate:
    parameters = estimators.fit_negative_binomial(vector, people)
    if parameters is None:
        return Estimate("SNB", None, None, "No such law gives as many classes of one record and of two.")
    return _bounded("SNB", estimators.expected_alone_by_negative_binomial(*parameters), vector, people)


def _bounded(method: Method, uniques: float, vector: AnonymityVector, people: int) -> Estimate:
    """No more than would put everybody who is alone in the file among those alone in the population."""
    alone, f = vector.people_below(2), vector.n_records / people
    uniques = min(max(uniques, 0.0), alone / f)
    return Estimate(method, uniques, min(uniques * f / alone, 1.0))


def _about(number: float) -> str:
    return f"{number:.2g}" if number < 10 else f"{number:,.0f}"

"""Three estimates of the people who are alone in the population, and which of them is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from anonlib import checks
from anonlib.classes import AnonymityVector
from anonlib.errors import InputError
from anonlib.population_uniqueness import negative_binomial, pitman, zayatz
from anonlib.words import count, percent

Method = Literal["Pitman", "Zayatz", "SNB"]
METHODS: tuple[Method, ...] = ("Pitman", "Zayatz", "SNB")
SMALL_FRACTION = 0.1
_AS_COUNTED = "nothing needs to be estimated"


@dataclass(frozen=True)
class Estimate:
    """What one estimator says; where its equations have no solution, ``uniques`` and ``share`` are None.

    Attributes
    ----------
    method : "Pitman", "Zayatz" or "SNB".
    uniques : people expected to be alone in the population, whether or not they are in the file; 0 to the file's
        records that are alone divided by the sampling fraction.
    share : of the records that are alone in the file, those expected to be alone in the population; 0 to 1.
    why_none : why there is no solution; empty where there is one.
    """

    method: Method
    uniques: float | None
    share: float | None
    why_none: str = ""

    @property
    def solved(self) -> bool:
        """Whether the estimator has an answer for this file."""
        return self.uniques is not None


@dataclass(frozen=True)
class PopulationUniqueness:
    """How many of those who are alone in a file are alone in the population.

    Attributes
    ----------
    n_records : records (persons) of the file.
    people : people of the population.
    alone : records that are alone in the file.
    estimates : of Pitman, Zayatz and SNB, in this order.
    used : the estimate that Dankar's rule chooses; any of them where nothing needs to be estimated.
    why : why this one, as the end of a sentence.
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
    def expected(self) -> float:
        """Of the records alone in the file, how many are expected to be alone in the population."""
        assert self.used.share is not None
        return self.used.share * self.alone

    def says(self, unit: str = "records") -> str:
        """The estimate that is used, in a sentence.

        Parameters
        ----------
        unit
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
        assert self.used.share is not None
        return (
            f"Of the {who} alone in the file, about {_about(self.expected)} ({percent(self.used.share)}) are expected "
            f"to be alone among all {count(self.people, 'people')}. This is {self.used.method}'s estimate, used "
            f"because {self.why}."
        )

    def to_frame(self) -> pd.DataFrame:
        """One row an estimator: ``method``, ``uniques``, ``share`` and ``expected`` (NaN: no solution), ``used``."""
        return pd.DataFrame(
            {
                "method": [each.method for each in self.estimates],
                "uniques": pd.Series([each.uniques for each in self.estimates], dtype=float),
                "share": pd.Series([each.share for each in self.estimates], dtype=float),
                "expected": pd.Series([each.share for each in self.estimates], dtype=float) * self.alone,
                "used": [each is self.used for each in self.estimates],
            }
        )


def population_uniqueness(vector: AnonymityVector, people: int) -> PopulationUniqueness:
    """Estimate how many of those alone in a file are alone in the population it was drawn from.

    Parameters
    ----------
    vector
        The file's class sizes.
    people
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

    >>> from anonlib.classes.vector import anonymity_vector
    >>> found = population_uniqueness(anonymity_vector([1, 1, 1, 1, 2]), 15)
    >>> found.alone, found.used.method, round(found.used.share, 3), round(found.used.uniques, 2)
    (4, 'SNB', 0.605, 6.05)
    """
    people, n = checks.whole(people, "The number of people", 0), vector.n_records
    if people < n:
        raise InputError(
            f"The population has {count(people, 'people')}, but {count(n)} of them are in the file. "
            "Give the size of the whole population that the file was drawn from."
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
    found = pitman.fit(vector)
    if found is None:
        return Estimate("Pitman", None, None, "Everybody in the file is alone, which fits any number of people alone.")
    return _bounded("Pitman", pitman.expected_alone(*found, people), vector, people)


def _zayatz(vector: AnonymityVector, people: int) -> Estimate:
    alone, f = vector.people_below(2), vector.n_records / people
    return _bounded("Zayatz", alone * zayatz.share_alone(vector, people) / f, vector, people)


def _snb(vector: AnonymityVector, people: int) -> Estimate:
    found = negative_binomial.fit(vector, people)
    if found is None:
        return Estimate("SNB", None, None, "No such law gives as many classes of one record and of two.")
    return _bounded("SNB", negative_binomial.expected_alone(*found), vector, people)


def _bounded(method: Method, uniques: float, vector: AnonymityVector, people: int) -> Estimate:
    """No more than would put everybody who is alone in the file among those alone in the population."""
    alone, f = vector.people_below(2), vector.n_records / people
    uniques = min(max(uniques, 0.0), alone / f)
    return Estimate(method, uniques, min(uniques * f / alone, 1.0))


def _about(number: float) -> str:
    return f"{number:.2g}" if number < 10 else f"{number:,.0f}"

"""How far the estimates have been from the truth, on populations of which it is known.

Of each population and fraction samples were drawn, and the people estimated to be alone among all were divided by those
who are: means over the samples, least and most of the populations. ``benchmarks/bench_population.py`` measures it, and
docs/benchmarks.md has the table, and the populations one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log

from anonlib.basics import words

TWICE = 2.0
"""Half to twice the truth on every population is what is called sound."""


@dataclass(frozen=True)
class Times:
    """Estimates as multiples of the truth.

    Attributes
    ----------
    least, most : float
        Of the populations where the estimator has a solution, 0 or more; 1 is the truth.
    solved : int
        How many these are.
    """

    least: float
    most: float
    solved: int

    @property
    def in_words(self) -> str:
        """The range, such as ``0.66 to 7.8``."""
        return f"{plain(self.least)} to {plain(self.most)}"


@dataclass(frozen=True)
class Measured:
    """What was found at one fraction.

    Attributes
    ----------
    fraction : float
        Share of the people who are in the sample, above 0 and at most 1.
    populations : int
        How many were tried.
    by_method : Mapping[str, Times]
        By the name of an estimator, how far it was from the truth.
    highest : Times
        The same of the highest estimate of each sample.
    """

    fraction: float
    populations: int
    by_method: Mapping[str, Times]
    highest: Times

    @property
    def sound(self) -> tuple[str, ...]:
        """The estimators that were within half and twice the truth on every population."""
        return tuple(
            method for method, times in self.by_method.items()
            if times.solved == self.populations and times.least >= 1 / TWICE and times.most <= TWICE
        )  # fmt: skip

    def in_words(self) -> str:
        """How far each estimator was from the truth, and what that says of it, in sentences."""
        of_methods = [f"{method}’s was {self._of(times)}" for method, times in self.by_method.items()]
        text = (
            f"Where the truth is known ({self.populations} populations, means over samples of "
            f"{words.percent(self.fraction)} of the people), {words.listed(of_methods)}. The highest of them was "
        )
        text += f"{'as low as' if self.highest.least < 1 else 'at least'} {plain(self.highest.least)} times the truth. "
        if not self.sound:
            return (
                f"{text}None of them is sound at such a fraction: each was off by more than a factor of two on some "
                "population, or had no solution."
            )
        return f"{text}Sound, that is within half and twice the truth on every one: {words.listed(self.sound)}."

    def _of(self, times: Times) -> str:
        some = "" if times.solved == self.populations else f" (a solution on {times.solved})"
        return f"{times.in_words} times the truth{some}"


_POPULATIONS = 12
_TABLE = (  # fraction; of Pitman, Zayatz, SNB and the highest: least, most, populations with a solution
    (0.001, (0.67, 59, 11), (1.9, 960, 12), (2.7, 14, 2), (2.6, 960, 12)),
    (0.002, (0.48, 42, 12), (1.3, 840, 12), (1.7, 11, 2), (1.7, 840, 12)),
    (0.005, (0.37, 12, 12), (1, 510, 12), (1.3, 22, 3), (1.3, 510, 12)),
    (0.01, (0.35, 11, 12), (1, 250, 12), (1.2, 17, 4), (1.2, 250, 12)),
    (0.02, (0.32, 9.6, 12), (1.1, 77, 12), (1.2, 24, 12), (1.2, 77, 12)),
    (0.05, (0.26, 7.8, 12), (0.67, 9.5, 12), (0.25, 6, 12), (0.67, 9.5, 12)),
    (0.1, (0.23, 6.7, 12), (0.27, 5, 12), (0.62, 4.8, 12), (0.62, 6.7, 12)),
    (0.2, (0.23, 5.8, 12), (0.54, 3.6, 12), (1.1, 3.1, 11), (0.54, 5.8, 12)),
    (0.5, (0.62, 3, 12), (1, 1.6, 12), (1, 1.1, 12), (1.1, 3, 12)),
)  # fmt: skip
MEASURED = tuple(
    Measured(
        fraction,
        _POPULATIONS,
        {"Pitman": Times(*of_pitman), "Zayatz": Times(*of_zayatz), "SNB": Times(*of_snb)},
        Times(*of_highest),
    )
    for fraction, of_pitman, of_zayatz, of_snb, of_highest in _TABLE
)
"""By fraction, as the benchmark found it."""


def measured_near(fraction: float) -> Measured:
    """What was found at the fraction nearest to one, as quotients are near.

    Parameters
    ----------
    fraction : float
        Above 0 and at most 1.
    """
    return min(MEASURED, key=lambda measured: abs(log(measured.fraction / fraction)))


def plain(times: float) -> str:
    """A multiple with two digits that count, such as ``0.66`` or ``960``."""
    return f"{float(f'{times:.2g}'):,.10g}"

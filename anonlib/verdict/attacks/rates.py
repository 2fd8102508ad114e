"""Rates of success with intervals, and what is left of them over a control."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

Z = 1.959963984540054
"""Of a 95% interval of the normal distribution."""


@dataclass(frozen=True)
class Rate:
    """So many tries succeeded.

    Attributes
    ----------
    successes : float
        Tries that succeeded; after a correction for sizes it may be no whole number.
    tries : int
        All of them.
    """

    successes: float
    tries: int

    @property
    def share(self) -> float:
        """Of all tries, in [0, 1]; 0 without any."""
        return self.successes / self.tries if self.tries else 0.0

    @property
    def centre(self) -> float:
        """Centre of the 95% interval (Wilson 1927): (k + z^2 / 2) / (n + z^2)."""
        return (self.successes + Z * Z / 2) / (self.tries + Z * Z)

    @property
    def error(self) -> float:
        """Half of the interval's length."""
        inside = self.successes * (self.tries - self.successes) / self.tries if self.tries else 0.0
        return Z / (self.tries + Z * Z) * sqrt(max(0.0, inside) + Z * Z / 4)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true rate lies, with 95% confidence (Wilson 1927); 0 to 1 without tries."""
        return max(0.0, self.centre - self.error), min(1.0, self.centre + self.error)


@dataclass(frozen=True)
class Excess:
    """What of a rate is the release's doing.

    Attributes
    ----------
    value : float
        (rate - control) / (1 - control) of the centres, its sign kept; of membership rate - control.
    error : float
        Propagated of both, as half of a 95% interval.
    """

    value: float
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        """Cut to [-1, 1]."""
        return max(-1.0, self.value - self.error), min(1.0, self.value + self.error)


def excess(rate: Rate, control: Rate) -> Excess | None:
    """What is left of a rate over a control (Giomi et al. 2023, section 3).

    None where neither can be known: without tries, or where the control always succeeds, so that nothing is left to
    gain by the release.
    """
    if not rate.tries or not control.tries or control.successes >= control.tries:
        return None
    left = 1.0 - control.centre
    value = (rate.centre - control.centre) / left
    error = sqrt((rate.error / left) ** 2 + (control.error * (rate.centre - 1.0) / left**2) ** 2)
    return Excess(value, error)


def advantage(rate: Rate, control: Rate) -> Excess | None:
    """How much more often members are taken for members than others are; None without tries."""
    if not rate.tries or not control.tries:
        return None
    return Excess(rate.centre - control.centre, sqrt(rate.error**2 + control.error**2))

"""Who may infer a sensitive value: what they know, and what counts as inferring it (Kroes et al. 2021)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, get_args

from anonlib.basics import checks
from anonlib.basics.errors import InputError

Measure = Literal["ppp", "npp", "poac"]
MEASURES: Mapping[Measure, str] = MappingProxyType({"ppp": "PPP", "poac": "PoAC", "npp": "NPP"})
"""What the measures are called."""
Shares = Mapping[str, float] | tuple[tuple[str, float], ...]
"""A number for each of some variables; kept as pairs, so that an attacker cannot be changed and has a hash."""
BELOW_ONE = math.nextafter(1.0, 0.0)
"""The threshold of PoAC that asks for Definition 4: it is at or below that exactly where it is below 1."""
NOT_NEAR = "PoAC compares exact values. Take PPP or NPP, or leave nearness out."


def checked_share(value: float, what: str) -> float:
    """The value if it is in [0, 1); ``what`` names it in the sentence of the InputError."""
    if not 0 <= value < 1:
        raise InputError(f"{what} is a share: choose 0 or more and less than 1.", code="number-out-of-range")
    return float(value)


@dataclass(frozen=True)
class Attacker:
    """What is known of an individual, and how the privacy that is left is measured. Checked when it is made.

    Parameters
    ----------
    measure : Measure, default "ppp"
        "ppp", the share of peers with another value, and "poac", the share of other values that come into question, are
        in [0, 1]; "npp", the number of peers with another value, is in individuals.
    q : float | Shares, default 0.0
        In [0, 1), the share of the peers that must have a value for it to come into question (PoAC alone); one number,
        or one a variable, 0 for those not named.
    knows : int | Literal["any", "all"], default "any"
        "any" of the other variables, however many; at most so many of them (a number); or "all" of them at once. All
        but "all" stand for every set of variables that may be known.
    include_empty : bool, default False
        Also the attacker who knows nothing. Definition 3 read literally; the authors leave it out.
    within : Shares, default ()
        Variable -> distance, 0 or more, in its own unit, within which its numbers count as equal (not with PoAC).
    missing_is_harm : bool, default False
        That a value is missing is a fact like any other, of which somebody can be certain. Without it nothing is
        certain of those who lack the sensitive value; as peers they have another one than those who have it.

    Raises
    ------
    InputError
        For another measure, a number out of its range, or PoAC with numbers that count as equal.

    References
    ----------
    Kroes et al. 2021, “Privacy measures” (PPP, NPP), Definition 3 (what may be known) and Definition 4 (PoAC, q).

    Examples
    --------
    >>> Attacker(measure="poac", q=0.1, knows=2)
    Attacker(measure='poac', q=0.1, knows=2, include_empty=False, within=(), missing_is_harm=False)
    """

    measure: Measure = "ppp"
    q: float | Shares = 0.0
    knows: int | Literal["any", "all"] = "any"
    include_empty: bool = False
    within: Shares = ()
    missing_is_harm: bool = False

    def __post_init__(self) -> None:
        if self.measure not in get_args(Measure):
            raise InputError("The measure is one of ppp, npp and poac.", code="choice-unknown")
        if self.knows not in ("any", "all"):
            least = 0 if self.include_empty else 1
            if isinstance(self.knows, str) or self.knows is None:
                raise InputError(
                    "Knowledge is “any” of the other variables, at most a number of them, or “all”.",
                    code="knowledge-unclear",
                )
            if self.knows < least:
                raise InputError(
                    "An attacker knows at least one variable here. Raise the number of known variables.",
                    code="number-out-of-range",
                )
            object.__setattr__(self, "knows", checks.whole(self.knows, "The number of known variables", least))
        if isinstance(self.q, Mapping | tuple):
            object.__setattr__(self, "q", tuple((name, checked_share(q, "q")) for name, q in dict(self.q).items()))
        else:
            object.__setattr__(self, "q", checked_share(self.q, "q"))
        object.__setattr__(self, "within", tuple(dict(self.within).items()))
        for name, distance in dict(self.within).items():
            if not 0 <= distance < math.inf:
                raise InputError(
                    f"The distance within which “{name}” counts as equal must be a number, 0 or more.",
                    code="number-out-of-range",
                    column=name,
                )
        if self.is_near and self.measure == "poac":
            raise InputError(NOT_NEAR, code="knowledge-unclear")

    @property
    def is_near(self) -> bool:
        """Whether numbers that differ may count as equal."""
        return any(distance > 0 for distance in dict(self.within).values())

    @property
    def q_by_variable(self) -> dict[str, float]:
        """The thresholds of PoAC that are of one variable each; none where one is for all."""
        return dict(self.q) if isinstance(self.q, Mapping | tuple) else {}

    def q_of(self, variable: str) -> float:
        """The threshold of PoAC for one sensitive variable."""
        return self.q_by_variable.get(variable, 0.0) if isinstance(self.q, Mapping | tuple) else self.q


KNOWS_ANY = Attacker()
"""PPP over every set of other variables."""
KNOWS_ALL = Attacker(knows="all")
"""PPP when all other variables are known."""


@lru_cache(maxsize=4_096)
def default_q(p: float, n_values: int) -> float:
    """The share that each other value needs so that together they exceed ``p``: q = p / (\\|dom(s)\\| - 1).

    Divided as the decimal number it is written as, so that ties hold.

    Parameters
    ----------
    p : float
        In [0, 1), the threshold of PPP.
    n_values : int
        How many values the sensitive variable has.

    Returns
    -------
    In [0, 1).

    References
    ----------
    Kroes et al. 2021, “Quantifying downward privacy”.

    Examples
    --------
    >>> default_q(0.3, 4)
    0.1
    """
    return float(Fraction(repr(float(p))) / max(1, n_values - 1))

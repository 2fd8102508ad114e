"""What the officer asks on the Individuals page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from anonlib.analyses.individuals import BELOW_ONE, Measure
from anonlib.analyses.individuals.attacker import MEASURES
from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.values.cells import is_code, to_numbers
from ui.session import cache

NAMES = MEASURES
"""The field's terms, beside the plain words."""
PLAIN: dict[Measure, str] = {"ppp": "Certain", "poac": "Ruled out", "npp": "Peers"}
"""What a measure is about, on its control."""
MEANS: dict[Measure, str] = {
    "ppp": "share of the peers with another value. 0% means that the value is certain.",
    "poac": "share of the other values that still come into question. Below 100% some can be ruled out.",
    "npp": "number of peers with another value. 0 means that the value is certain.",
}
IN_WORDS = {
    NAMES["ppp"]: "peers with another value",
    NAMES["poac"]: "other values that are possible",
    NAMES["npp"]: "peers with another value",
}
"""By the term of a measure, what its values are."""
Knowledge = int | Literal["all", "chance"]
"""At most so many of the other variables, all of them, or each with a probability."""


@dataclass(frozen=True)
class IndividualsQuestion:
    """One question about individuals.

    Attributes
    ----------
    variables : looked at; each is sensitive in turn, the others may be known.
    measure, threshold : a value is certain where the measure is at or below the threshold.
    q_share : p of q = p / (values - 1) for PoAC.
    attacker, chance : what is known; the probability for the attacker who knows each with a probability.
    within : variable and distance within which its numbers count as equal.
    include_empty : an attacker may know nothing.
    missing_is_harm : that a value is missing is a fact too, of which somebody can be certain.
    """

    variables: tuple[str, ...]
    measure: Measure
    threshold: float
    q_share: float
    attacker: Knowledge
    chance: float
    within: tuple[tuple[str, float], ...]
    include_empty: bool
    missing_is_harm: bool = False

    def on(self, data: Dataset) -> IndividualsQuestion:
        """The same question of another version of the data, which may lack a column or its numbers."""
        variables = tuple(name for name in self.variables if name in data.columns)
        within = tuple((name, d) for name, d in self.within if name in variables and is_numeric(data, name))
        attacker = min(self.attacker, max(1, len(variables) - 1)) if isinstance(self.attacker, int) else self.attacker
        return replace(self, variables=variables, within=within, attacker=attacker)

    @property
    def name(self) -> str:
        """The field's term for the measure."""
        return NAMES[self.measure]

    @property
    def max_known(self) -> int | None:
        return self.attacker if isinstance(self.attacker, int) else None

    @property
    def limit(self) -> str:
        """The threshold in words: ``PPP at or below 30%``, ``PPP 0``, ``PoAC below 100%``."""
        if self.is_definition_4:
            return f"{self.name} below 100%"
        value = f"{self.threshold:g}" if self.measure == "npp" or not self.threshold else f"{100 * self.threshold:g}%"
        return f"{self.name} {value}" if not self.threshold else f"{self.name} at or below {value}"

    @property
    def certain(self) -> str:
        """What somebody is at or below the threshold, with the term: ``certain (PPP 0)``."""
        return f"{'not private' if self.is_definition_4 else 'certain'} ({self.limit})"

    @property
    def is_definition_4(self) -> bool:
        """Whether q-downward privacy is asked for: no other value may be ruled out."""
        return self.measure == "poac" and self.threshold == BELOW_ONE

    def certain_where(self) -> str:
        """In words what it means to be at or below the threshold."""
        if self.is_definition_4:
            return "some other value does not come into question"
        most = f"at most {100 * self.threshold:g}%"
        if self.measure == "poac":
            return f"{most if self.threshold else 'none'} of the other values come into question"
        if not self.threshold:
            return "no peer has another value"
        if self.measure == "npp":
            number = int(self.threshold)
            return f"at most {words.count(number, 'peers')} {'has' if number == 1 else 'have'} another value"
        return f"{most} of the peers have another value"

    @property
    def to_whom(self) -> str:
        """The attacker in words."""
        n = len(self.variables) - 1
        return f"to {self.someone_who_knows(n, f'the other {n} columns', f'all {n} other columns')}"

    def someone_who_knows(self, n: int, columns: str, all_columns: str) -> str:
        """The attacker in words, who may know some of ``n`` columns that are called so, or all of them."""
        if n == 1:
            return "someone who knows the other column"
        if self.attacker == "all":
            return f"someone who knows {all_columns}"
        if isinstance(self.attacker, int) and self.attacker < n:
            known = "one" if self.attacker == 1 else f"{self.attacker}"
            return f"someone who knows the right {known} of {columns}"
        return f"someone who knows the right ones of {columns}"


def is_numeric(data: Dataset, name: str) -> bool:
    """Most values that are counted are numbers, and more than two; a person's set of ages is none, nor a postcode."""
    return _is_numeric(data, name=name)


@cache.remembered
def _is_numeric(data: Dataset, *, name: str) -> bool:
    values = data.classes([name]).categories[0]
    if is_code([value for value in values if value is not None]):
        return False  # a postcode's digits measure nothing
    return len(values) > 2 and float(np.mean(~np.isnan(to_numbers(["" if v is None else v for v in values])))) >= 0.5

"""What came of an attack: rates of success with intervals, and what is left of them over a control.

At the end is who is attacked, and what is known of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from anonlib.verdict.attacks.matching import Matching

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


@dataclass(frozen=True)
class Attack:
    """One attack, tried many times.

    Attributes
    ----------
    kind : str
        "singling out", "linkage", "linkability", "inference" or "membership".
    how : str
        The way it was tried, in a few words, such as “three columns”.
    knows : str
        Whose knowledge: "recipient" or "anybody".
    columns : tuple[str, ...]
        What was known in the tries; how many of them at a time is in ``known``.
    known : int
        Columns known in each try; 0: all of ``columns``.
    about : str
        The column that was guessed; "".
    rate : Rate
        Tries that succeeded.
    baseline : Rate, optional
        The same by who has not got the file; None where there is no such.
    control : Rate, optional
        The same against people who are not in the file; None without a control.
    note : str, default ""
        What else was counted, in a sentence; "".
    drawn : int, default 0
        Predicates that were drawn for those that are tried, each true of one released record; 0 of other attacks.
    """

    kind: str
    how: str
    knows: str
    columns: tuple[str, ...]
    known: int
    about: str
    rate: Rate
    baseline: Rate | None = None
    control: Rate | None = None
    note: str = ""
    drawn: int = 0

    @property
    def excess(self) -> Excess | None:
        """What of its success is the release's doing; None where it cannot be known.

        Of membership it is the advantage, the difference of both rates (Yeom et al. 2018).
        """
        if self.control is None:
            return None
        return (advantage if self.kind == "membership" else excess)(self.rate, self.control)

    @property
    def gain(self) -> Excess | None:
        """What somebody has by it who has got the file: the excess over the control or over the baseline, the smaller.

        None of linkage, where links that are right are the gain, and where an excess is not known. Who has not got the
        file guesses the commonest value: an attack that does no better gains nothing, whatever people happen to be in
        the control.
        """
        if self.kind in ("membership", "linkage"):
            return self.excess
        others = [rate for rate in (self.control, self.baseline) if rate is not None]
        over = [advantage for rate in others if (advantage := excess(self.rate, rate)) is not None]
        return min(over, key=lambda advantage: advantage.value) if over and len(over) == len(others) else None


def targets(matching: Matching, chosen: np.ndarray, tries: int, rng: np.random.Generator) -> np.ndarray:
    """int64, one row each of drawn people, of whom everybody is as likely.

    Each row is drawn once at most, but where rows stand for several people.

    Parameters
    ----------
    matching : Matching
        The people.
    chosen : np.ndarray
        bool, a row of people each: those that are drawn from.
    tries : int
        How many are drawn; as many as there are where these are fewer.
    rng : np.random.Generator
        Draws.
    """
    rows = np.flatnonzero(chosen & (matching.people > 0))
    rows = rows[rng.permutation(len(rows))]
    _, first = np.unique(matching.person[rows], return_index=True)  # a row of each person, as it came
    rows = rows[np.sort(first)]
    people = matching.people[rows]
    if (people == 1).all():
        return rows[:tries]
    return rng.choice(rows, size=min(tries, int(people.sum())), p=people / people.sum())


def known_of(places: Sequence[int] | np.ndarray, known: int, n_targets: int, rng: np.random.Generator) -> np.ndarray:
    """int32, targets x columns: which columns are known of each; 0 stands for all of them.

    Those with a number of columns less than all are drawn for each target.
    """
    places = np.asarray(places, dtype=np.int32)
    if not known or known >= len(places):
        return np.broadcast_to(places, (n_targets, len(places))).copy()
    return places[np.argsort(rng.random((n_targets, len(places))), axis=1)[:, :known]].astype(np.int32)


def most_telling_first(matching: Matching, places: np.ndarray) -> np.ndarray:
    """The same places, those with most labels first: what does not fit is seen sooner."""
    return np.array(sorted(places.tolist(), key=lambda j: -len(matching.columns[j].labels)), dtype=np.int32)

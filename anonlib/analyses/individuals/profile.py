"""The least privacy each individual has, over everything an attacker may know (Kroes et al. 2021, Figure 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
import pandas as pd

from anonlib.analyses.individuals.attacker import (
    BELOW_ONE,
    KNOWS_ANY,
    MEASURES,
    Attacker,
    Measure,
    checked_share,
)
from anonlib.analyses.individuals.measures import AttackOnTable, evaluate, n_tabled
from anonlib.analyses.individuals.sampling import MEMORY, Individuals
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.counting.classes import ClassTable


@dataclass(frozen=True, eq=False)
class PrivacyProfile:
    """The least value of a measure, per class and sensitive variable.

    Attributes
    ----------
    people : Individuals
        The individuals looked at, a row a class.
    attacker : Attacker
        What may be known, and the measure.
    attributes : tuple[str, ...]
        All variables; while one is sensitive, the others may be known.
    sensitive : tuple[str, ...]
        The sensitive variables, each in turn.
    n_values : tuple[int, ...]
        Per sensitive variable, how many values it has; spellings that a person reads as one are one.
    known : tuple[int, ...]
        The sizes of the sets of known variables that were looked at, ascending.
    by_size : np.ndarray
        float64, sizes x sensitive x rows, the least value over the sets of exactly this size. NaN where the measure is
        not defined (PoAC of a variable of one value), infinite where the individual has no peers for any of the sets. A
        missing value is taken as a value.
    missing : np.ndarray
        bool, rows x sensitive: the individual's own value is missing.
    unharmed : np.ndarray
        bool, rows x sensitive: there is nothing to infer, the value being missing and that no harm, or its label one
        that covers every value.
    """

    people: Individuals
    attacker: Attacker
    attributes: tuple[str, ...]
    sensitive: tuple[str, ...]
    n_values: tuple[int, ...]
    known: tuple[int, ...]
    by_size: np.ndarray
    missing: np.ndarray
    unharmed: np.ndarray

    @property
    def q(self) -> tuple[float, ...]:
        """Per sensitive variable, the threshold of PoAC."""
        return tuple(self.attacker.q_of(name) for name in self.sensitive)

    @cached_property
    def values(self) -> np.ndarray:
        """float64, rows x sensitive: the least value over all sets looked at; NaN where there is nothing to infer, and
        for who has no peers."""
        least = self.by_size.min(axis=0).T
        return np.where(self.unharmed | np.isinf(least), np.nan, least)

    @cached_property
    def without_peers(self) -> np.ndarray:
        """bool, rows x sensitive: there is something to infer, and no set looked at leaves anybody to infer it from."""
        return np.isinf(self.by_size.min(axis=0).T) & ~self.unharmed

    def certainly_missing(self, p: float) -> np.ndarray:
        """bool, rows x sensitive: the value is missing, and that much can be inferred at ``p`` (harm or not)."""
        least = self.by_size.min(axis=0).T
        return self.missing & (least <= p)

    def has_upward_privacy(self, p: float) -> np.ndarray:
        """Whether nobody can be certain enough of the value: PPP above ``p`` for all that may be known (Definition 3).

        Parameters
        ----------
        p : float
            In [0, 1).

        Returns
        -------
        np.ndarray
            bool, rows x sensitive; true of those who lack the value, unless that is harm.

        Raises
        ------
        InputError
            For another measure than PPP, or ``p`` out of its range.
        """
        self._is_of("ppp", "Upward")
        return ~(self.values <= checked_share(p, "p"))

    def has_downward_privacy(self) -> np.ndarray:
        """Whether no other value can be ruled out: PoAC of 1 for all that may be known (Definition 4), with the q of
        the attacker.

        Returns
        -------
        np.ndarray
            bool, rows x sensitive; true of those who lack the value, unless that is harm; not of a variable of one
            value, which has no other to come into question.

        Raises
        ------
        InputError
            For another measure than PoAC.

        Examples
        --------
        Of Table 1, with ages by ten years, Figure 1: gender alone has it, of individuals 2 and 3.

        >>> people = pd.DataFrame({
        ...     "diagnosis": ["Cancer", "Cancer", "Cancer", "Arthrosis", "Diabetes"],
        ...     "gender": ["Female", "Male", "Female", "Male", "Female"],
        ...     "age": ["45-54", "35-44", "35-44", "55-64", "45-54"],
        ... })
        >>> found = privacy_profile(ClassTable.from_frame(people), Attacker(measure="poac", knows="all"))
        >>> found.people.by_record(found.has_downward_privacy()).astype(int).T.tolist()
        [[0, 0, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 0, 0]]
        """
        self._is_of("poac", "Downward")
        return (self.values > BELOW_ONE) | self.unharmed

    def _is_of(self, measure: Measure, which: str) -> None:
        if self.attacker.measure != measure:
            raise InputError(
                f"{which} privacy is a matter of {MEASURES[measure]}: ask for a profile of that measure.",
                code="choice-unknown",
            )

    def at_most(self, known: int) -> PrivacyProfile:
        """The profile against an attacker who knows at most so many variables; costs nothing.

        Raises
        ------
        InputError
            Where no set so small was looked at.
        """
        places = [i for i, size in enumerate(self.known) if size <= known]
        if not places:
            raise InputError(
                f"Sets of at least {self.known[0]} known variables were looked at, not of {known}.",
                code="number-out-of-range",
            )
        if len(places) == len(self.known):
            return self
        return replace(
            self,
            attacker=replace(self.attacker, knows=known),
            known=tuple(self.known[i] for i in places),
            by_size=self.by_size[: len(places)],
        )

    def records(self) -> pd.DataFrame:
        """Records x sensitive variables, in the file's order; NaN for a record left out or not looked at."""
        return pd.DataFrame(self.people.by_record(self.values), columns=list(self.sensitive))

    def share_below(self, p: float) -> np.ndarray:
        """Per sensitive variable: the share of individuals whose value is at or below ``p``."""
        return self.people.share(self.values <= p)

    def breach_depth(self, p: float) -> np.ndarray:
        """int8, rows x sensitive: how few known variables bring the value to ``p`` or below; -1 where none do."""
        breached = (self.by_size <= p) & ~self.unharmed.T
        depth = np.asarray(self.known, dtype=np.int8)[breached.argmax(axis=0)]
        return np.where(breached.any(axis=0), depth, np.int8(-1)).T

    def to_frame(self, p: float) -> pd.DataFrame:
        """One row a sensitive variable: how many are at or below ``p``, and with how little knowledge the first are.

        Parameters
        ----------
        p : float
            The threshold of the measure.

        Returns
        -------
        DataFrame
            Columns ``variable``, ``values`` (how many it has), ``q``, ``individuals`` (of all, estimated from a sample
        when one was taken), ``share``, ``low`` and ``high`` (95%), ``mean`` (of the least values, over those who have
        something to infer), ``least_known`` (the fewest known variables by which a value is certain),
        ``certainly_missing`` (individuals whose value is missing, and for certain).
        """
        below, depth = self.values <= p, self.breach_depth(p)
        low, high = self.people.interval(self.people.share(below))
        return pd.DataFrame(
            {
                "variable": self.sensitive,
                "values": self.n_values,
                "q": self.q,
                "individuals": self.people.number(below),
                "share": self.people.share(below),
                "low": low,
                "high": high,
                "mean": self.people.mean_of(self.values),
                "least_known": [min((int(d) for d in set(column) if d >= 0), default=-1) for column in depth.T],
                "certainly_missing": self.people.number(self.certainly_missing(p)),
            }
        )


def privacy_profile(
    classes: ClassTable,
    attacker: Attacker = KNOWS_ANY,
    *,
    sensitive: str | Sequence[str] | None = None,
    without_own: bool = False,
    memory: int = MEMORY,
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
) -> PrivacyProfile:
    """The least PPP, NPP or PoAC of every individual, each variable (or those named) being sensitive in turn.

    Parameters
    ----------
    classes : ClassTable
        The variables, known and sensitive together.
    attacker : Attacker, default KNOWS_ANY
        What may be known, and the measure; who knows all has one set, the others take the least over theirs.
    sensitive : str | Sequence[str], optional
        The sensitive variables; all when left out. Each is unknown in its turn, and every other variable of the table
        may be known, other sensitive ones included.
    without_own : bool, default False
        Whether nobody is a peer of their own: what all others give away of them, as if they were not in the file.
    memory : int, default MEMORY
        Bytes for counts and results; past it a random sample of individuals is looked at, each still counted against
        all records.
    rng : np.random.Generator, optional
        Draws the seed of that sample; seed 0 without it.
    progress : Progress, optional
        Called with the share done; what it raises stops the work.

    Returns
    -------
    PrivacyProfile

    Raises
    ------
    InputError
        For an unknown variable, when nothing may be known, or for too many sets.

    References
    ----------
    Kroes et al. 2021, Definitions 3 and 4.

    Examples
    --------
    Figure 1: the downward privacy (q = 0) of the five people of Table 1, with ages by ten years.

    >>> people = pd.DataFrame({
    ...     "diagnosis": ["Cancer", "Cancer", "Cancer", "Arthrosis", "Diabetes"],
    ...     "gender": ["Female", "Male", "Female", "Male", "Female"],
    ...     "age": ["45-54", "35-44", "35-44", "55-64", "45-54"],
    ... })
    >>> profile = privacy_profile(ClassTable.from_frame(people), Attacker(measure="poac", knows="all"))
    >>> profile.records()["diagnosis"].tolist()
    [0.5, 0.0, 0.0, 0.0, 0.5]
    """
    attack = replace(AttackOnTable.of(classes, sensitive, attacker), own=int(without_own))
    choose = partial(Individuals.chosen, classes, memory=memory, rng=rng)
    people, by_size = least_by_size(classes, attack, choose, progress)
    return profile_of(classes, attack, people, by_size, classes)


def profile_of(
    classes: ClassTable, attack: AttackOnTable, people: Individuals, by_size: np.ndarray, own: ClassTable
) -> PrivacyProfile:
    """The profile that least values are; ``own`` are the individuals' own classes, which may lack a value."""
    return PrivacyProfile(
        people=people,
        attacker=attack.attacker,
        attributes=classes.attributes,
        sensitive=tuple(classes.attributes[s] for s in attack.sensitive),
        n_values=tuple((classes.read(classes.attributes[s]) or classes).n_values(s) for s in attack.sensitive),
        known=attack.sizes,
        by_size=by_size,
        missing=attack.missing(own, people.rows),
        unharmed=attack.unharmed(own, people.rows),
    )


Choose = Callable[[int], Individuals]
"""The individuals looked at, of the bytes that each class takes."""


def least_by_size(
    classes: ClassTable, attack: AttackOnTable, choose: Choose, progress: Progress | None
) -> tuple[Individuals, np.ndarray]:
    """The individuals looked at, and :attr:`PrivacyProfile.by_size` of them."""
    return (_walked if attack.is_walked(classes) else _gone_through)(classes, attack, choose, progress)


def _walked(
    classes: ClassTable, attack: AttackOnTable, choose: Choose, progress: Progress | None
) -> tuple[Individuals, np.ndarray]:
    """As compiled loops find them."""
    from anonlib.counting.classes.walk import Walk  # which loads the compiler

    walk = Walk.of(classes, attack.sensitive, attack.least_known, attack.max_known)
    people = choose(walk.bytes_each)
    share, without_own = attack.attacker.measure == "ppp", bool(attack.own)
    by_size = walk.least(people.rows, share, progress, without_own=without_own)
    for i, s in enumerate(attack.sensitive):
        if (read := classes.read(classes.attributes[s])) is not None:  # values that become one have no fewer records
            distinct = read.project(read.attributes)
            rows, place = np.unique(read.membership(read.attributes)[people.rows], return_inverse=True)
            of_one = Walk.of(distinct, (s,), attack.least_known, attack.max_known)
            by_size[:, i] = of_one.least(rows, share, without_own=without_own)[:, 0][:, place]
    return people, by_size


def _gone_through(
    classes: ClassTable, attack: AttackOnTable, choose: Choose, progress: Progress | None
) -> tuple[Individuals, np.ndarray]:
    """The same, set by set."""
    people = choose(4 * n_tabled(classes, attack) + 8 * len(attack.sizes) * len(attack.sensitive))
    by_size = np.full((len(attack.sizes), len(attack.sensitive), len(people.rows)), np.inf)
    for evaluation in evaluate(classes, attack, people.selection(classes), progress):
        least = by_size[evaluation.known - attack.least_known, evaluation.sensitive]
        np.minimum(least, evaluation.values, out=least)
    return people, by_size

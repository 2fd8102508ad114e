"""The least privacy each individual has, over everything an attacker may know (Kroes et al. 2021, Figure 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import pandas as pd

from anonlib.classes import ClassTable
from anonlib.errors import InputError
from anonlib.individuals.measures import Measure, Progress, Question, evaluate, n_tabled, value_is_missing
from anonlib.individuals.peers import counted
from anonlib.individuals.sampling import MEMORY, Individuals

Knowledge = Literal["any", "full"]


@dataclass(frozen=True, eq=False)
class PrivacyProfile(Individuals):
    """The least value of a measure, per class and sensitive variable.

    Attributes
    ----------
    attributes : all variables; while one is sensitive, the others may be known.
    sensitive : the sensitive variables, each in turn.
    measure : "ppp" and "poac" are shares in [0, 1], "npp" a number of individuals.
    q : per sensitive variable, the threshold of PoAC.
    known : the sizes of the sets of known variables that were looked at, ascending.
    by_size : float64, sizes x sensitive x rows, the least value over the sets of exactly this size. NaN where the
        measure is not defined (PoAC of a variable of one value). A missing value is taken as a value.
    n_values : per sensitive variable, how many values it has.
    missing : bool, rows x sensitive: the individual's own value is missing.
    missing_is_harm : they count as exposed where that is certain; else nothing is inferred about them.

    The individuals they are of are as in :class:`~anonlib.individuals.sampling.Individuals`.
    """

    attributes: tuple[str, ...]
    sensitive: tuple[str, ...]
    measure: Measure
    q: tuple[float, ...]
    known: tuple[int, ...]
    by_size: np.ndarray
    n_values: tuple[int, ...]
    missing: np.ndarray
    missing_is_harm: bool

    @cached_property
    def values(self) -> np.ndarray:
        """float64, rows x sensitive: the least value over all sets looked at; NaN where there is nothing to infer."""
        return np.where(self._unharmed, np.nan, self.by_size.min(axis=0).T)

    @property
    def _unharmed(self) -> np.ndarray:
        return self.missing & (not self.missing_is_harm)

    def certainly_missing(self, p: float) -> np.ndarray:
        """bool, rows x sensitive: the value is missing, and that much can be inferred at ``p`` (harm or not)."""
        least = self.by_size.min(axis=0).T
        return self.missing & (least <= p)

    def at_most(self, known: int) -> PrivacyProfile:
        """The profile against an attacker who knows at most so many variables; costs nothing."""
        kept = [i for i, size in enumerate(self.known) if size <= known]
        if not kept:
            raise InputError(f"Sets of at least {self.known[0]} known variables were looked at, not of {known}.")
        return replace(self, known=tuple(self.known[i] for i in kept), by_size=self.by_size[: len(kept)])

    def records(self) -> pd.DataFrame:
        """Records x sensitive variables, in the file's order; NaN for a record left out or not looked at."""
        return pd.DataFrame(self.by_record(self.values), columns=list(self.sensitive))

    def share_below(self, p: float) -> np.ndarray:
        """Per sensitive variable: the share of individuals whose value is at or below ``p``."""
        return self.share(self.values <= p)

    def breach_depth(self, p: float) -> np.ndarray:
        """int8, rows x sensitive: how few known variables bring the value to ``p`` or below; -1 where none do."""
        breached = (self.by_size <= p) & ~self._unharmed.T
        depth = np.asarray(self.known, dtype=np.int8)[breached.argmax(axis=0)]
        return np.where(breached.any(axis=0), depth, np.int8(-1)).T

    def to_frame(self, p: float) -> pd.DataFrame:
        """One row a sensitive variable: how many are at or below ``p``, and with how little knowledge the first are.

        Columns: ``variable``, ``values`` (how many it has), ``q``, ``individuals`` (of all, estimated from a sample
        when one was taken), ``share``, ``low`` and ``high`` (95%), ``mean`` (of the least values, over those who have
        something to infer), ``least_known`` (the fewest known variables that expose anyone), ``certainly_missing``
        (individuals whose value is missing, and for certain).
        """
        below, depth = self.values <= p, self.breach_depth(p)
        low, high = self.interval(self.share(below))
        return pd.DataFrame(
            {
                "variable": self.sensitive,
                "values": self.n_values,
                "q": self.q,
                "individuals": self.number(below),
                "share": self.share(below),
                "low": low,
                "high": high,
                "mean": self.mean_of(self.values),
                "least_known": [min((int(d) for d in set(column) if d >= 0), default=-1) for column in depth.T],
                "certainly_missing": self.number(self.certainly_missing(p)),
            }
        )


def privacy_profile(
    classes: ClassTable,
    *,
    sensitive: str | Sequence[str] | None = None,
    measure: Measure = "ppp",
    q: float | Mapping[str, float] = 0.0,
    max_known: int | None = None,
    include_empty: bool = False,
    knowledge: Knowledge = "any",
    within: Mapping[str, float] | None = None,
    missing_is_harm: bool = False,
    memory: int = MEMORY,
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
) -> PrivacyProfile:
    """The least PPP, NPP or PoAC of every individual, each variable (or those named) being sensitive in turn.

    Parameters
    ----------
    classes : the variables, known and sensitive together.
    sensitive : the sensitive variables; all when left out. Each is unknown in its turn, and every other variable of
        the table may be known, other sensitive ones included.
    measure, q : see :mod:`anonlib.individuals.measures`. ``q`` may differ by variable.
    max_known : the most variables that are known at once; all others when left out.
    include_empty : also count the attacker who knows nothing (Definition 3 read literally; the authors leave it out).
    knowledge : "any" takes the least over every set of known variables, "full" the value when all others are known.
    within : variable -> distance within which its numbers count as equal (not with PoAC).
    missing_is_harm : a missing sensitive value is a fact like any other, and to infer it exposes. Without it those who
        lack the value are not exposed; as peers they have another value than those who have one.
    memory : bytes for counts and results; past it a random sample of individuals is looked at, each still counted
        against all records.
    progress : called with the share done; what it raises stops the work.

    Raises InputError for an unknown variable, a q outside [0, 1), or when nothing may be known.
    Source: Kroes et al. 2021, Definitions 3 and 4.
    """
    if knowledge not in get_args(Knowledge):
        raise InputError("Knowledge is “any” set of variables, or “full”: all of them.")
    most = 1 if knowledge == "full" else max_known  # what is known at once is then not a set to choose
    question = Question.of(classes, sensitive, measure, q, most, include_empty, within, missing_is_harm)
    if knowledge == "full":
        return _full(classes, question, memory, rng, progress)
    sizes = range(question.least_known, question.max_known + 1)
    each = 4 * n_tabled(classes, question) + 8 * len(sizes) * len(question.sensitive)
    people = Individuals.chosen(classes, each, memory, rng)
    by_size = np.full((len(sizes), len(question.sensitive), len(people.rows)), np.inf)
    for found in evaluate(classes, question, people.selection(classes), progress):
        least = by_size[found.known - question.least_known, found.sensitive]
        np.minimum(least, found.values, out=least)
    return _profile(classes, question, tuple(sizes), by_size, people)


def _full(classes, question, memory, rng, progress) -> PrivacyProfile:
    """Every other variable known: one sensitive variable at a time, two group-bys each."""
    people = Individuals.chosen(classes, 8 * len(question.sensitive), memory, rng)
    by_size = np.empty((1, len(question.sensitive), len(people.rows)))
    for i, s in enumerate(question.sensitive):
        known = [j for j in range(len(classes.attributes)) if j != s]
        by_size[0, i] = counted(classes, s, known, question.proximity).measure(question.measure, question.q[i])[
            people.rows
        ]
        if progress:
            progress((i + 1) / len(question.sensitive))
    return _profile(classes, question, (len(classes.attributes) - 1,), by_size, people)


def _profile(classes, question, known, by_size, people) -> PrivacyProfile:
    return PrivacyProfile(
        **vars(people),
        attributes=classes.attributes,
        sensitive=tuple(classes.attributes[s] for s in question.sensitive),
        measure=question.measure,
        q=question.q,
        known=known,
        by_size=by_size,
        n_values=tuple(len(classes.categories[s]) for s in question.sensitive),
        missing=np.column_stack([value_is_missing(classes, s)[people.rows] for s in question.sensitive]),
        missing_is_harm=question.missing_is_harm,
    )

"""What would protect one individual: the single changes to a known variable that lift it above the threshold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from anonlib.individuals.individual import Individual
from anonlib.individuals.measures import Progress
from anonlib.individuals.proximity import numbers_of
from anonlib.recoding import Intervals, Recoding

_WIDTHS = (2.0, 5.0, 10.0)


@dataclass(frozen=True)
class Remedy:
    """One change that lifts an individual above the threshold.

    Attributes
    ----------
    attribute : what is changed.
    recoding : how; None: by dropping it.
    least : the measure's least value after it, NaN where nothing is left to know.
    """

    attribute: str
    recoding: Recoding | None
    least: float


def remedies(
    individual: Individual, sensitive: str, p: float = 0.0, *, progress: Progress | None = None
) -> tuple[Remedy, ...]:
    """The single changes to a known variable that protect the individual, gentlest first.

    For numbers the narrowest of round widths below the range (2, 5, 10, 20, ... times the power of ten at or below the
    smallest step between values) that is enough, else dropping the variable; for others dropping it.

    Parameters
    ----------
    individual : with the attacker it is to be protected from.
    sensitive : the sensitive variable.
    p : protected is who is above it.
    progress : called with the share done; what it raises stops the work.

    Returns
    -------
    Recodings, then variables to drop. Empty when no single change is enough, or none needed.
    """
    if not individual.least(sensitive) <= p:
        return ()
    found: list[Remedy] = []
    for j, attribute in enumerate(individual.classes.attributes):
        if progress:
            progress(j / len(individual.classes.attributes))
        if attribute == sensitive:
            continue
        for recoding, same in _round_intervals(individual, j):
            least = individual.agreeing(j, same).least(sensitive)
            if progress:
                progress(j / len(individual.classes.attributes))
            if least > p:
                found.append(Remedy(attribute, recoding, least))
                break
        else:
            without = individual.least(sensitive, unknown=attribute)
            if not without <= p:
                found.append(Remedy(attribute, None, without))
    return tuple(sorted(found, key=lambda remedy: remedy.recoding is None))


def _round_intervals(individual: Individual, j: int) -> Iterator[tuple[Intervals, np.ndarray]]:
    """Intervals of each round width, and which values (bool, per category) of the j-th attribute share the own one."""
    values, own = individual.classes.categories[j], individual.classes.codes[individual.row, j]
    numbers = numbers_of(individual.classes, j)
    distinct = np.unique(numbers[~np.isnan(numbers)])
    if len(distinct) < 3:
        return
    step = 10 ** np.floor(np.log10(np.diff(distinct).min()))
    not_whole = distinct[distinct != np.floor(distinct)][:1]  # decides how intervals are written
    aside = {values[i]: i for i in np.flatnonzero(np.isnan(numbers))}  # no number, so left as it is: perhaps as a label
    begins = re.search(r"-?\d+(\.\d+)?", values[own] or "") if np.isnan(numbers[own]) else None
    number = float(begins[0]) if begins else numbers[own]  # in the own interval, if there is one
    for width in (float(step * times * 10**power) for power in range(12) for times in _WIDTHS):
        if width >= distinct[-1] - distinct[0]:
            return
        recoding = Intervals(width)
        same = np.arange(len(values)) == own
        if not np.isnan(number):
            label = recoding.labels([repr(float(x)) for x in (number, *not_whole)])[0] if aside else None
            if begins is None or label == values[own]:
                near = np.flatnonzero(np.abs(numbers - number) <= width)
                same[near] = recoding.alike(numbers[near], number)
                if label in aside:
                    same[aside[label]] = True
        yield recoding, same

"""What would protect one individual: the single changes to a known variable that lift it above the threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.individuals.individual import Individual
from anonlib.analyses.individuals.proximity import numbers_of
from anonlib.basics.progress import Progress
from anonlib.coarsening.recoding import Intervals, Recoding
from anonlib.counting.classes.covering import CoveredTable
from anonlib.values.cells import to_numbers

_WIDTHS = (2.0, 5.0, 10.0)


@dataclass(frozen=True)
class Remedy:
    """One change that lifts an individual above the threshold.

    Attributes
    ----------
    attribute : str
        What is changed.
    recoding : Recoding | None
        How; None: by dropping it.
    least : float
        The measure's least value after it, NaN where nothing is left to know.
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
    individual : Individual
        With the attacker it is to be protected from.
    sensitive : str
        The sensitive variable.
    p : float, default 0.0
        Protected is who is above it.
    progress : Progress, optional
        Called with the share done; what it raises stops the work.

    Returns
    -------
    Recodings, then variables to drop. Empty when no single change is enough, or none needed.
    """
    if not individual.least(sensitive) <= p:
        return ()
    effective: list[Remedy] = []
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
                effective.append(Remedy(attribute, recoding, least))
                break
        else:
            without = individual.least(sensitive, unknown=attribute)
            if not without <= p:
                effective.append(Remedy(attribute, None, without))
    return tuple(sorted(effective, key=lambda remedy: remedy.recoding is None))


def _round_intervals(individual: Individual, j: int) -> Iterator[tuple[Intervals, np.ndarray]]:
    """Intervals of each round width, and which values (bool, per category) of the j-th attribute share the own one."""
    values, own = individual.classes.categories[j], individual.classes.codes[individual.row, j]
    if isinstance(individual.classes, CoveredTable) and individual.classes.coverings[j] is not None:
        return  # labels of several levels are no numbers, and are coarser already
    numbers = numbers_of(individual.classes, j)
    distinct = np.unique(numbers[~np.isnan(numbers)])
    if len(distinct) < 3:
        return
    step = 10 ** np.floor(np.log10(np.diff(distinct).min()))
    texts = [value for value in values if value is not None]
    plain = not np.isnan(to_numbers(texts)).any()
    for width in (float(step * times * 10**power) for power in range(12) for times in _WIDTHS):
        if width >= distinct[-1] - distinct[0]:
            return
        recoding = Intervals(width)
        if not plain:  # a range among the numbers is in an interval too, or a text is written as one
            label_of = {None: None, **dict(zip(texts, recoding.labels(texts), strict=True))}
            yield recoding, np.array([label_of[value] == label_of[values[own]] for value in values])
            continue
        same = np.arange(len(values)) == own
        if not np.isnan(numbers[own]):
            near = np.flatnonzero(np.abs(numbers - numbers[own]) <= width)
            same[near] = recoding.alike(numbers[near], numbers[own])
        yield recoding, same

"""What would protect one individual: the single changes to a known variable that lift it above the threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from anonlib.individuals.individual import Individual
from anonlib.individuals.measures import Measure, Progress
from anonlib.recoding import Intervals, Recoding
from anonlib.values import to_numbers

_WIDTHS = (2.0, 5.0, 10.0)


@dataclass(frozen=True)
class Remedy:
    """One change that lifts an individual above the threshold: ``recoding`` of ``attribute``, or dropping it (None).

    ``least`` is the measure's least value after it, NaN where nothing is left to know.
    """

    attribute: str
    recoding: Recoding | None
    least: float


def remedies(
    individual: Individual,
    sensitive: str,
    p: float = 0.0,
    *,
    measure: Measure = "ppp",
    q: float = 0.0,
    max_known: int | None = None,
    include_empty: bool = False,
    progress: Progress | None = None,
) -> tuple[Remedy, ...]:
    """The single changes to a known variable that protect the individual, gentlest first.

    For numbers the narrowest of round widths below the range (2, 5, 10, 20, ... times the power of ten at or below the
    smallest step between values) that is enough, else dropping the variable; for others dropping it. Empty when no
    single change is enough, or none needed.
    """
    options = {"measure": measure, "q": q, "max_known": max_known, "include_empty": include_empty}
    if not individual.least(sensitive, **options) <= p:  # type: ignore[arg-type]
        return ()
    found: list[Remedy] = []
    for j, attribute in enumerate(individual.classes.attributes):
        if progress:
            progress(j / len(individual.classes.attributes))
        if attribute == sensitive:
            continue
        for recoding, same in _round_intervals(individual, j):
            least = individual.agreeing(j, same).least(sensitive, **options)  # type: ignore[arg-type]
            if progress:
                progress(j / len(individual.classes.attributes))
            if least > p:
                found.append(Remedy(attribute, recoding, least))
                break
        else:
            without = individual.least(sensitive, unknown=attribute, **options)  # type: ignore[arg-type]
            if not without <= p:
                found.append(Remedy(attribute, None, without))
    return tuple(sorted(found, key=lambda remedy: remedy.recoding is None))


def _round_intervals(individual: Individual, j: int) -> Iterator[tuple[Intervals, np.ndarray]]:
    """Intervals of each round width, and which values (bool, per category) of the j-th attribute share the own one."""
    values, own = individual.classes.categories[j], individual.classes.codes[individual.row, j]
    numbers = to_numbers(["" if value is None else value for value in values])
    distinct = np.unique(numbers[~np.isnan(numbers)])
    if len(distinct) < 3:
        return
    step = 10 ** np.floor(np.log10(np.diff(distinct).min()))
    not_whole = distinct[distinct != np.floor(distinct)][:1]  # decides how intervals are written
    aside = {values[i]: i for i in np.flatnonzero(np.isnan(numbers))}  # what is no number stays as it is
    for width in (float(step * times * 10**power) for power in range(12) for times in _WIDTHS):
        if width >= distinct[-1] - distinct[0]:
            return
        recoding = Intervals(width)
        same = np.arange(len(values)) == own
        if not np.isnan(numbers[own]):
            near = np.flatnonzero(np.abs(numbers - numbers[own]) <= width)
            same[near] = recoding.alike(numbers[near], numbers[own])
            if aside:  # a value that is no number may be written as the interval is
                written = recoding.labels([repr(float(x)) for x in (numbers[own], *not_whole)])[0]
                if written in aside:
                    same[aside[written]] = True
        yield recoding, same

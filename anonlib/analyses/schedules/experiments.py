"""The paper's experiments run again: Table 10 on random programmes, Table 11 on a screening like Norway's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import pandas as pd

from anonlib.analyses.schedules.generators import (
    N_DATES,
    NORWAY,
    NorwayRegion,
    RandomProgramme,
    norway_programmes,
    program_programme,
    text_programme,
)
from anonlib.analyses.schedules.heuristics import RandomRule, greedy_schedule, random_schedule
from anonlib.analyses.schedules.index import improvement
from anonlib.analyses.schedules.optimal import WORK, optimal_schedule
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.basics.words import quoted
from anonlib.counting.classes import AnonymityVector, anonymity_vector

Method = Literal["published", "reference", "optimal"]
"""The greedy rules of :func:`anonlib.analyses.schedules.heuristics.greedy_schedule`, and the optimum."""
Comparison = tuple[str, str]
"""A method, and the one it is compared with ("random" is one)."""
Generator = Literal["program", "text"]

TABLE_10: Mapping[int, tuple[float, float | None]] = {
    20: (0.24, 0.01),
    25: (0.20, 0.02),
    30: (0.36, 0.05),
    35: (0.42, 0.12),
    40: (0.54, 0.14),
    45: (0.50, 0.14),
    50: (0.62, 0.10),
    100: (0.82, None),
    250: (0.93, None),
    500: (0.92, None),
    1000: (0.92, None),
}
"""People -> improvement of the heuristic over random, and of the optimum over the heuristic (Caballero et al. 2017,
Table 10: means of 10,000 programmes, of 1,000 above 250 people, in percent that seem to be cut off, not rounded)."""

TABLE_11: Mapping[int, tuple[float, float, float]] = {
    1: (0.654, 0.969, 0.826),
    2: (0.017, 0.653, 0.344),
    3: (0.358, 0.922, 0.588),
    4: (0.095, 0.893, 0.537),
    9: (0.000, 0.214, 0.036),
}
"""Region -> least, largest and mean improvement of the heuristic over the original schedule, over 282 dates (Caballero
et al. 2017, Table 11)."""


@dataclass(frozen=True, eq=False)
class Table10:
    """Mean improvements over random programmes of S sizes, for C comparisons.

    Attributes
    ----------
    sizes : tuple[int, ...]
        People of a programme.
    comparisons : tuple[Comparison, ...]
        Each a method and the one it is compared with.
    instances : int
        Programmes of each size.
    mean : np.ndarray
        (S, C) mean of (index(method) - index(other)) / index(base), from -1 to 1.
    standard_error : np.ndarray
        (S, C) of that mean; NaN for a single programme.
    proven : np.ndarray
        (S,) share of the programmes whose optimum is proven; NaN where it was not asked for.
    generator : Generator
        What the programmes are.
    random : RandomRule
        What the random schedules are.
    """

    sizes: tuple[int, ...]
    comparisons: tuple[Comparison, ...]
    instances: int
    mean: np.ndarray
    standard_error: np.ndarray
    proven: np.ndarray
    generator: Generator
    random: RandomRule

    def to_frame(self) -> pd.DataFrame:
        """One row a size and comparison; ``published`` is Table 10's number, NaN where it has none."""
        return pd.DataFrame(
            [
                {
                    "people": size,
                    "method": method,
                    "over": over,
                    "improvement": self.mean[i, j],
                    "standard_error": self.standard_error[i, j],
                    "published": _published_10(size, method, over),
                    "proven": self.proven[i] if method == "optimal" else np.nan,
                    "instances": self.instances,
                }
                for i, size in enumerate(self.sizes)
                for j, (method, over) in enumerate(self.comparisons)
            ]
        )


@dataclass(frozen=True, eq=False)
class Table11:
    """Improvements on M dates of regions, for C comparisons.

    Attributes
    ----------
    comparisons : tuple[Comparison, ...]
        Each a method and the one it is compared with; "random" is the original schedule.
    region : np.ndarray
        (M,) the number of each date's region.
    date : np.ndarray
        (M,) the position of each date among the 282 of its region, from 0.
    people : np.ndarray
        (M,) people invited on each date.
    improvements : np.ndarray
        (M, C) (index(method) - index(other)) / index(base), from -1 to 1.
    proven : np.ndarray
        (M,) bool: the optimum is proven; False where it was not asked for.
    """

    comparisons: tuple[Comparison, ...]
    region: np.ndarray
    date: np.ndarray
    people: np.ndarray
    improvements: np.ndarray
    proven: np.ndarray

    def to_frame(self) -> pd.DataFrame:
        """One row a region and comparison: least, largest and mean over its dates, beside Table 11's numbers."""
        rows = []
        for region in np.unique(self.region).tolist():
            of_region = self.region == region
            for j, (method, over) in enumerate(self.comparisons):
                values = self.improvements[of_region, j]
                printed = TABLE_11.get(region) if method != "optimal" and over == "random" else None
                least, largest, mean = printed or (np.nan,) * 3
                rows.append(
                    {
                        "region": region,
                        "method": method,
                        "over": over,
                        "min": values.min(),
                        "max": values.max(),
                        "mean": values.mean(),
                        "published_min": least,
                        "published_max": largest,
                        "published_mean": mean,
                        "proven": self.proven[of_region].mean() if method == "optimal" else np.nan,
                        "dates": int(of_region.sum()),
                        "people": int(self.people[of_region].sum()),
                    }
                )
        return pd.DataFrame(rows)


def table10(
    sizes: Sequence[int],
    instances: int,
    rng: np.random.Generator,
    *,
    generator: Generator = "program",
    methods: Sequence[Method] = ("reference",),
    random: RandomRule = "reference",
    work: float = WORK,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Table10:
    """Methods against random schedules on random programmes of some sizes (Table 10).

    Parameters
    ----------
    sizes : Sequence[int]
        People in a programme.
    instances : int
        Programmes of each size.
    rng : np.random.Generator
        Draws programmes and random schedules.
    generator : Generator, default "program"
        ``"program"`` is what Table 10 was made with, ``"text"`` what its text says.
    methods : Sequence[Method], default ("reference",)
        Each is compared with the random schedule, and the optimum also with the reference rule, as printed.
    random : RandomRule, default "reference"
        The rule of :func:`anonlib.analyses.schedules.heuristics.random_schedule`.
    work : float, default WORK
        What a search for an optimum may do (:func:`anonlib.analyses.schedules.optimal.optimal_schedule`).
    time_limit : float, optional
        Seconds after which a search for an optimum is ended early.
    progress : BestSoFar[Table10], optional
        Called with the share done (0 to 1) and the table so far, after one programme of each size; may raise to stop.

    Returns
    -------
    Table10

    Raises
    ------
    InputError
        For methods or rules that do not exist, and for sizes that a generator cannot make.

    References
    ----------
    Caballero et al. 2017, section 8.1.
    """
    instances = checks.whole(instances, "The number of programmes", 1)
    comparisons = _comparisons(methods)
    if generator not in get_args(Generator):
        raise InputError("The generator must be “program” or “text”.", code="choice-unknown")
    if not len(sizes):
        raise InputError("Name at least one number of people.", code="choice-missing")
    draw = program_programme if generator == "program" else text_programme
    improvements = np.empty((instances, len(sizes), len(comparisons)))
    proven = np.zeros((instances, len(sizes)))

    def so_far(done: int) -> Table10:
        return Table10(
            tuple(int(size) for size in sizes),
            comparisons,
            done,
            improvements[:done].mean(axis=0),
            _standard_error(improvements[:done]),
            proven[:done].mean(axis=0) if "optimal" in methods else np.full(len(sizes), np.nan),
            generator,
            random,
        )

    for done in range(instances):
        for i, size in enumerate(sizes):
            programme = draw(size, rng)
            drawn = random_schedule(programme.frequencies, programme.capacities, rng, rule=random).vector
            improvements[done, i], proven[done, i] = _improvements(programme, drawn, comparisons, work, time_limit)
        if progress:
            progress((done + 1) / instances, so_far(done + 1))
    return so_far(instances)


def table11(
    rng: np.random.Generator,
    *,
    dates: int = N_DATES,
    regions: Sequence[NorwayRegion] = NORWAY,
    skew: float | None = None,
    methods: Sequence[Method] = ("reference",),
    work: float = WORK,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Table11:
    """Methods against the original schedule on every date of every region (Table 11).

    Parameters
    ----------
    rng : np.random.Generator
        Draws the programmes, which are taken in random order, so that the table so far is of all regions and years.
    dates : int, default N_DATES
        How many of the 282 dates, evenly spaced. What is assumed of them says
        :func:`anonlib.analyses.schedules.generators.norway_programmes`.
    regions : Sequence[NorwayRegion], default NORWAY
        The regions of the programme.
    skew : float, optional
        How much centres differ in size, 0 or more, in all regions; each has its own when left out.
    methods : Sequence[Method], default ("reference",)
        Each is compared with the original schedule.
    work : float, default WORK
        What a search for an optimum may do (:func:`anonlib.analyses.schedules.optimal.optimal_schedule`).
    time_limit : float, optional
        Seconds after which a search for an optimum is ended early; no limit when left out.
    progress : BestSoFar[Table11], optional
        Called with the share done (0 to 1) and the table so far; may raise to stop.

    Returns
    -------
    Table11

    Raises
    ------
    InputError
        As :func:`anonlib.analyses.schedules.generators.norway_programmes`, and for methods that do not exist.

    References
    ----------
    Caballero et al. 2017, section 8.2.
    """
    comparisons = _comparisons(methods)
    planned = list(norway_programmes(rng, regions=regions, dates=dates, skew=skew))
    if not planned:
        raise InputError("Nobody is invited in these regions: raise their invitations.", code="nobody-invited")
    planned = [planned[i] for i in rng.permutation(len(planned))]
    table = Table11(
        comparisons,
        np.array([entry.region for entry in planned]),
        np.array([entry.date for entry in planned]),
        np.array([entry.programme.n_people for entry in planned]),
        np.full((len(planned), len(comparisons)), np.nan),
        np.zeros(len(planned), dtype=bool),
    )
    for i, entry in enumerate(planned):
        original = anonymity_vector(entry.invited.ravel())
        table.improvements[i], table.proven[i] = _improvements(entry.programme, original, comparisons, work, time_limit)
        if progress:
            progress((i + 1) / len(planned), _first(table, i + 1))
    return table


def _first(table: Table11, n: int) -> Table11:
    columns = ("region", "date", "people", "improvements", "proven")
    return replace(table, **{name: getattr(table, name)[:n].copy() for name in columns})


def _comparisons(methods: Sequence[Method]) -> tuple[Comparison, ...]:
    known = get_args(Method)
    if isinstance(methods, str) or not len(methods) or not set(methods) <= set(known):
        raise InputError(f"The methods must be among {quoted(known)}: name at least one.", code="choice-unknown")
    chosen = [method for method in known if method in methods]
    besides = [("optimal", "reference")] if {"optimal", "reference"} <= set(chosen) else []
    return (*((method, "random") for method in chosen), *besides)


def _improvements(
    programme: RandomProgramme,
    drawn: AnonymityVector,
    comparisons: tuple[Comparison, ...],
    work: float,
    time_limit: float | None,
) -> tuple[list[float], bool]:
    """Each comparison's improvement on one programme, and whether the optimum is proven."""
    people, places = programme.frequencies, programme.capacities
    vectors, proven = {"random": drawn}, False
    for method in dict(comparisons):
        if method == "optimal":
            schedule = optimal_schedule(people, places, work=work, time_limit=time_limit)
            proven = schedule.proven
        else:
            schedule = greedy_schedule(people, places, rule="published" if method == "published" else "reference")
        vectors[method] = schedule.vector
    base = anonymity_vector(people)
    return [improvement(vectors[method], vectors[over], base) for method, over in comparisons], proven


def _standard_error(values: np.ndarray) -> np.ndarray:
    if len(values) < 2:
        return np.full(values.shape[1:], np.nan)
    return values.std(axis=0, ddof=1) / np.sqrt(len(values))


def _published_10(people: int, method: str, over: str) -> float:
    """The paper has one heuristic, printed as one rule and run as the other: its number stands beside both."""
    heuristic, optimum = TABLE_10.get(people, (None, None))
    printed = heuristic if over == "random" and method != "optimal" else optimum if over == "reference" else None
    return np.nan if printed is None else printed

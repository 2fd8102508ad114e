"""The paper's experiments run again: Table 10 on random programmes, Table 11 on a screening like Norway's.

First come programmes drawn at random: the two kinds that Table 10 can mean, and a screening like Norway's (Table 11).
The two tables follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import pandas as pd

from anonlib.analyses.schedules.heuristics import RandomRule, greedy_schedule, random_schedule
from anonlib.analyses.schedules.index import improvement
from anonlib.analyses.schedules.optimal import WORK, optimal_schedule
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.basics.words import quoted
from anonlib.counting.classes import AnonymityVector, anonymity_vector

MEAN_CAPACITY = 10
SPREAD = 0.2
"""Standard deviation of frequencies and capacities, as a share of their mean."""


@dataclass(frozen=True, eq=False)
class RandomProgramme:
    """Who is to be invited and where there is room.

    Attributes
    ----------
    frequencies : np.ndarray
        (Q,) people of each quasi-identifier value, each at least 1.
    capacities : np.ndarray
        (R,) places of each slot, together at least as many as people.
    """

    frequencies: np.ndarray
    capacities: np.ndarray

    @property
    def n_people(self) -> int:
        """People of all values."""
        return int(self.frequencies.sum())


def text_programme(n: int, rng: np.random.Generator, *, q: int | None = None) -> RandomProgramme:
    """A random programme as the paper's text describes it.

    Frequencies are normal around n / q with a standard deviation of 20% of it, capacities around 10 with 2; of what is
    drawn at least 1 is kept. The text does not say what is rounded nor how the totals are met. Here frequencies are
    scaled to the total and rounded so that it stays; capacities are rounded, and slots are drawn until there is room
    for all, n // 10 or more of them.

    Parameters
    ----------
    n : int
        People.
    rng : np.random.Generator
        Draws the programme.
    q : int, optional
        Quasi-identifier values; n // 100 + 5 when left out (n // 10 + 5 in the text's other example).

    Returns
    -------
    RandomProgramme

    Raises
    ------
    InputError
        If there are fewer people than values.

    References
    ----------
    Caballero et al. 2017, section 8.1, parameters 1 to 3.
    """
    n = checks.whole(n, "The number of people", 1)
    q = n // 100 + 5 if q is None else checks.whole(q, "The number of quasi-identifier values", 1)
    if n < q:
        raise InputError(
            f"{n:,} people cannot have {q:,} quasi-identifier values. Take at least {q:,} people.",
            code="too-few-people",
        )
    above_one = np.maximum(rng.normal(n / q, SPREAD * n / q, q) - 1, 1e-9)
    scaled = np.cumsum(above_one) * ((n - q) / above_one.sum())
    frequencies = 1 + np.diff(np.rint(scaled), prepend=0).astype(np.int64)
    capacities = _capacities(n // MEAN_CAPACITY, rng)
    while capacities.sum() < n:
        more = _capacities(max(1, int(n - capacities.sum()) // MEAN_CAPACITY), rng)
        capacities = np.append(capacities, more)
    return RandomProgramme(frequencies, capacities)


def program_programme(n: int, rng: np.random.Generator) -> RandomProgramme:
    """A random programme as the authors' program draws it; Table 10 is of these, although its text says otherwise.

    Q = n // 100 + 5 frequencies, uniform whole numbers from max(1, n // Q - 5) to n // Q + 10, and R = n // 10
    capacities, from n // R - 5 to n // R + 4 (5 to 14, if n is a multiple of 10). Then the first frequencies that can
    are raised to the largest number allowed, or lowered to the smallest, until they add up to n; and so the first
    capacities are raised until there is room for n. That leaves the first entries at one end of the range.

    Parameters
    ----------
    n : int
        People, at least 10.
    rng : np.random.Generator
        Draws the programme.

    Returns
    -------
    RandomProgramme

    Raises
    ------
    InputError
        For fewer than 10 people.
    """
    n = checks.whole(n, "The number of people", MEAN_CAPACITY)
    q, r = n // 100 + 5, n // MEAN_CAPACITY
    frequencies = _uniform(max(1, n // q - 5), n // q + 10, q, rng)
    capacities = _uniform(n // r - 5, n // r + 4, r, rng)
    short = n - int(frequencies.sum())
    frequencies = _first_moved(frequencies, n // q + 10 if short > 0 else max(1, n // q - 5), abs(short))
    capacities = _first_moved(capacities, n // r + 4, max(0, n - int(capacities.sum())))
    return RandomProgramme(frequencies, capacities)


def _capacities(n: int, rng: np.random.Generator) -> np.ndarray:
    return np.maximum(1, np.rint(rng.normal(MEAN_CAPACITY, SPREAD * MEAN_CAPACITY, n))).astype(np.int64)


def _uniform(least: int, most: int, n: int, rng: np.random.Generator) -> np.ndarray:
    return rng.integers(least, most, size=n, endpoint=True)


def _first_moved(values: np.ndarray, end: int, amount: int) -> np.ndarray:
    """The values with the first ones moved to ``end``, until they have moved by ``amount`` together."""
    room = np.abs(end - values)
    before = np.cumsum(room) - room
    return values + np.sign(end - values) * np.clip(amount - before, 0, room)


# ---- Norway --------------------------------------------------------------------------------------------------------

N_DATES = 282
AGES = range(19, 89)
FIRST_YEAR, YEARS = 1992.0, 23.25  # January of 1992 to March of 2015


@dataclass(frozen=True)
class NorwayRegion:
    """A region of Table 11.

    Attributes
    ----------
    region : int
        Its number.
    invitations : int
        Over all dates.
    centres : int
        How many there are.
    skew : float, default 1.0
        On each date the i-th centre's share of the invitations is in proportion to i ** -skew: 0 are even shares, at 10
        the first centre has 99.9%.
    """

    region: int
    invitations: int
    centres: int
    skew: float = 1.0


NORWAY = (
    NorwayRegion(1, 1_370_100, 13),
    NorwayRegion(2, 348_487, 4, skew=6.4),
    NorwayRegion(3, 303_226, 3),
    NorwayRegion(4, 244_990, 3, skew=5.0),
    NorwayRegion(9, 132_395, 3, skew=9.5),
)
"""Region, invitations and centres as printed (Caballero et al. 2017, Table 11). ``skew`` is ours: see
:func:`norway_programmes`."""


@dataclass(frozen=True, eq=False)
class ScreeningDate:
    """One date in one region, a programme of its own.

    Attributes
    ----------
    region : int
        The number of the region.
    date : int
        The position of the date among the 282 of its region, from 0.
    birth_years : np.ndarray
        (Q,) ascending: those of the people invited, the quasi-identifier.
    invited : np.ndarray
        (Q, R) how many of each birth year were invited to each centre in the original schedule. Capacities are its
        column sums, so that no place is spare.
    """

    region: int
    date: int
    birth_years: np.ndarray
    invited: np.ndarray

    @property
    def programme(self) -> RandomProgramme:
        """People of each birth year, and the places of each centre."""
        return RandomProgramme(self.invited.sum(axis=1), self.invited.sum(axis=0))


def norway_programmes(
    rng: np.random.Generator,
    *,
    regions: Sequence[NorwayRegion] = NORWAY,
    dates: int = N_DATES,
    skew: float | None = None,
) -> Iterator[ScreeningDate]:
    """A simulation in place of the data of Table 11, which are not public.

    Parameters
    ----------
    rng : np.random.Generator
        Draws the invitations.
    regions : Sequence[NorwayRegion], default NORWAY
        The regions of the programme.
    dates : int, default N_DATES
        How many of the 282 dates, evenly spaced.
    skew : float, optional
        One for all regions instead of their own, a number of 0 or more.

    Returns
    -------
    iterator of ScreeningDate
        Region by region, by date. A date without anyone invited is left out.

    Raises
    ------
    InputError
        For a number of dates outside 1 to 282, and for a skew that is not a number of 0 or more.

    Notes
    -----
    From the paper: the regions with their centres and invitations, 282 dates, birth years from 1904 to 1996 as the only
    quasi-identifier, people put into centres at random, and capacities that are the numbers of the original schedule.
    (From January of 1992 to March of 2015 there are 279 months, one date each; the paper has 282.)

    Assumed here:

    * Invitations on a date are Poisson. Their mean grows evenly from half of the average to one and a half: the
      example in the authors' program, the first date, is of 4,541 people where the average is 8,508.
    * People are 19 to 88 years old, which from 1992 to 2015 gives just the paper's birth years. How many there are at
      an age is in proportion to 1 / (1 + exp((22 - age) / 1.5)) / (1 + exp((age - 58) / 8)): a steep rise at 22, a
      plateau to 50, and a long tail.
    * Centres differ in size by ``skew``, the same on all dates. With 1 everywhere regions 1 and 3 come out as printed,
      and 2, 4 and 9 gain far more than is printed: over centres of like size, invitations at random make many small
      classes where people are few. Their skews are fitted, each to the printed mean; 97% to 99.9% of a date's
      people go to one centre then. The printed minima and maxima are not fitted, and those of 2 and 4 are further apart
      than what comes out.

    References
    ----------
    Caballero et al. 2017, section 8.2.
    """
    dates = checks.whole(dates, "The number of dates", 1)
    if dates > N_DATES:
        raise InputError(f"There are {N_DATES} dates: take at most so many.", code="number-out-of-range")
    if skew is not None and checks.number(skew, "The skew") < 0:
        raise InputError("The skew must be 0 or more: 0 makes all centres alike.", code="number-out-of-range")
    spread = np.linspace(0, N_DATES - 1, dates).round().astype(int)
    chosen = spread if dates > 1 else np.array([N_DATES // 2])
    return _dates(rng, regions, chosen, skew)


def _dates(
    rng: np.random.Generator, regions: Sequence[NorwayRegion], chosen: np.ndarray, skew: float | None
) -> Iterator[ScreeningDate]:
    ages = np.array(AGES)
    at_age = 1 / (1 + np.exp((22 - ages) / 1.5)) / (1 + np.exp((ages - 58) / 8))
    for region in regions:
        size = np.arange(1.0, region.centres + 1) ** -(region.skew if skew is None else skew)
        for date in chosen.tolist():
            since = date / (N_DATES - 1)
            n = rng.poisson(region.invitations / N_DATES * (0.5 + since))
            invited = rng.multinomial(rng.multinomial(n, at_age / at_age.sum()), size / size.sum())
            used = invited.any(axis=1)
            if not used.any():
                continue
            year = int(FIRST_YEAR + YEARS * since)
            # Oldest first: birth years ascend.
            yield ScreeningDate(region.region, date, (year - ages)[used][::-1], invited[used][::-1])


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
    progress : Progress, optional
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
        :func:`anonlib.analyses.schedules.experiments.norway_programmes`.
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
    progress : Progress, optional
        Called with the share done (0 to 1) and the table so far; may raise to stop.

    Returns
    -------
    Table11

    Raises
    ------
    InputError
        As :func:`anonlib.analyses.schedules.experiments.norway_programmes`, and for methods that do not exist.

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

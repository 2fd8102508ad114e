"""Releases that do not exist yet, drawn: who may be in the next files, and how many of them share too little.

New people of each period come first, as entered or as in the past, then draws of who they are, then what a draw says of
one policy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd

from anonlib.analyses.forecast import forecast_loops as loops
from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.rows_of_persons import ValueSet
from anonlib.values.dates import to_dates

Period = Literal["day", "week", "month"]
Value = str | None
DRAWS = 1_000
"""Draws, as in Brown et al. 2022."""
K = 11
"""The size below which a class is small in Brown et al. 2022 (PK11)."""
MOST_DRAWN = 50_000_000
"""People of all draws together: they are held while a question is answered, 4 bytes each."""
_AT_ONCE = 2_000_000  # people drawn between two looks at whether somebody waits


@dataclass(frozen=True, eq=False)
class NewPeople:
    """How many new people a period brings, by place where that is known.

    Attributes
    ----------
    counts : np.ndarray
        int64, scenarios x places, 0 or more: people of a place in a period. Each draw takes one scenario, all of them
        as likely.
    place : str, optional
        The attribute whose values are the places; None: there is one place, everywhere.
    places : tuple[Value, ...], default (None,)
        The value of each place.

    Raises
    ------
    InputError
        When a number is below 0, or a scenario has none.
    """

    counts: np.ndarray
    place: str | None = None
    places: tuple[Value, ...] = (None,)

    def __post_init__(self) -> None:
        if self.counts.ndim != 2 or self.counts.shape[1] != len(self.places) or not len(self.counts):
            raise InputError("Numbers of new people need a row a period, one number a place.", code="options-missing")
        if (self.counts < 0).any() or not (self.counts.sum(axis=1) > 0).any():
            raise InputError(
                "New people a period must be a whole number, 1 or more. Enter how many the next files bring.",
                code="number-out-of-range",
            )

    @classmethod
    def of(cls, number: int) -> NewPeople:
        """The same number in each period, wherever they come from.

        Parameters
        ----------
        number : int
            People a period, 1 or more.

        Returns
        -------
        NewPeople

        Raises
        ------
        InputError
            When it is no such number.
        """
        return cls(np.array([[checks.whole(number, "New people a period", 1)]], dtype=np.int64))

    @classmethod
    def by_place(cls, place: str, numbers: Mapping[Value, int] | Sequence[Mapping[Value, int]]) -> NewPeople:
        """So many from each place.

        Parameters
        ----------
        place : str
            The attribute whose values are the places.
        numbers : Mapping[Value, int] | Sequence[Mapping[Value, int]]
            By place, its people a period; or one of these a scenario, such as a past period. A place that a scenario
            lacks has none.

        Returns
        -------
        NewPeople

        Raises
        ------
        InputError
            When one is no whole number of 0 or more.
        """
        scenarios = [numbers] if isinstance(numbers, Mapping) else list(numbers)
        places = tuple(dict.fromkeys(value for scenario in scenarios for value in scenario))
        for scenario in scenarios:
            for number in scenario.values():
                checks.whole(number, "New people of a place", 0)
        counts = [[scenario.get(value, 0) for value in places] for scenario in scenarios]
        return cls(np.array(counts, dtype=np.int64).reshape(len(scenarios), len(places)), place, places)

    def spread(self, number: int) -> NewPeople:
        """So many people a period, from the places as often as in all scenarios together.

        Parameters
        ----------
        number : int
            People a period, 1 or more. What is left by rounding down goes to the places that it takes most from.

        Returns
        -------
        NewPeople
            One scenario.

        Raises
        ------
        InputError
            When it is no such number.
        """
        wanted = checks.whole(number, "New people a period", 1)
        share = wanted * self.counts.sum(axis=0) / self.counts.sum()
        counts = np.floor(share).astype(np.int64)
        most = np.argsort(counts - share, kind="stable")[: wanted - int(counts.sum())]
        counts[most] += 1
        return NewPeople(counts[None, :], self.place, self.places)

    def within(self, periods: int) -> NewPeople:
        """The people of several periods in a row: among whom somebody is who is known to be of one of them.

        Parameters
        ----------
        periods : int
            1 or more.

        Returns
        -------
        NewPeople
            A scenario for each stretch of so many periods; of one scenario, which is that of every period, one.

        Raises
        ------
        InputError
            When it is no such number, or there are fewer past periods.
        """
        wanted = checks.whole(periods, "Periods that count together", 1)
        if len(self.counts) == 1:
            return NewPeople(self.counts * wanted, self.place, self.places)
        if wanted > len(self.counts):
            raise InputError(
                f"There are only {words.count(len(self.counts), 'past periods')}, and {wanted:,} are to count together."
                " Let fewer count together, or enter a number of people.",
                code="number-out-of-range",
            )
        running = np.cumsum(np.vstack([np.zeros_like(self.counts[:1]), self.counts]), axis=0)
        return NewPeople(running[wanted:] - running[:-wanted], self.place, self.places)

    @property
    def numbers(self) -> np.ndarray:
        """int64, people of each scenario."""
        return np.asarray(self.counts.sum(axis=1))


@dataclass(frozen=True, eq=False)
class PastPeriods:
    """The new people of each period that a file has whole.

    Attributes
    ----------
    first_days : np.ndarray
        datetime64[D], when each began, ascending; weeks begin on Mondays.
    people : NewPeople
        A scenario each, those without anybody among them.
    uncounted : int
        Records whose date is missing or cannot be read, and persons who have several places.
    """

    first_days: np.ndarray
    people: NewPeople
    uncounted: int


def past_periods(classes: ClassTable, dates: str, period: Period, place: str | None = None) -> PastPeriods | None:
    """How many people each past period brought.

    The first and the last period may lack days, so that they are left out where three or more are there. A person of
    several dates comes once, at the first.

    Parameters
    ----------
    classes : ClassTable
        The records, by their date and, where there is one, by place.
    dates : str
        The attribute that is the date.
    period : Period
        How long a period is.
    place : str, optional
        The attribute whose values are the places.

    Returns
    -------
    PastPeriods or None
        None where no date can be read.
    """
    j = classes.attributes.index(dates)
    days = _first_dates(classes.categories[j])
    is_read = ~np.isnat(days)
    dated = is_read[classes.codes[:, j]]
    if place is not None:
        several = np.array(
            [isinstance(value, ValueSet) for value in classes.categories[classes.attributes.index(place)]]
        )
        dated &= ~several[classes.codes[:, classes.attributes.index(place)]]
    uncounted = int(classes.counts[~dated].sum())
    if not dated.any():
        return None
    number = _number_of_period(np.where(is_read, days, np.datetime64(0, "D")), period)[classes.codes[dated, j]]
    first, last = int(number.min()), int(number.max())
    values: tuple[Value, ...] = (None,)
    of_place = np.zeros(len(number), dtype=np.int64)
    if place is not None:
        i = classes.attributes.index(place)
        values, of_place = tuple(classes.categories[i].tolist()), classes.codes[dated, i].astype(np.int64)
    n_periods = last - first + 1
    flat = np.bincount((number - first) * len(values) + of_place, classes.counts[dated], n_periods * len(values))
    counts = flat.astype(np.int64).reshape(n_periods, len(values))
    begins = np.arange(first, last + 1)
    if n_periods > 2 and counts[1:-1].any():
        counts, begins = counts[1:-1], begins[1:-1]
    return PastPeriods(_first_day(begins, period), NewPeople(counts, place, values), uncounted)


def _first_dates(values: np.ndarray) -> np.ndarray:
    """datetime64[D], the date of each value, the first of a set of them."""
    of_value = [value.members if isinstance(value, ValueSet) else (value or "",) for value in values]
    texts = list(dict.fromkeys(text for members in of_value for text in members))
    day = dict(zip(texts, to_dates(texts, numbers=True).astype("datetime64[D]"), strict=True))
    firsts = [min((day[text] for text in members if not np.isnat(day[text])), default=None) for members in of_value]
    return np.array(firsts, dtype="datetime64[D]")


_MONDAY = 4  # 5 January 1970, in days since the first


def _number_of_period(days: np.ndarray, period: Period) -> np.ndarray:
    """int64, the number of the period that a day lies in."""
    if period == "month":
        return days.astype("datetime64[M]").astype(np.int64)
    since = days.astype(np.int64)
    return np.asarray(since if period == "day" else (since - _MONDAY) // 7)


def _first_day(number: np.ndarray, period: Period) -> np.ndarray:
    if period == "month":
        return number.astype("datetime64[M]").astype("datetime64[D]")
    return np.asarray((number if period == "day" else number * 7 + _MONDAY).astype("datetime64[D]"))


@dataclass(frozen=True, eq=False)
class Futures:
    """Who the people of the next release may be: draws of cells, the combinations of values as they are.

    Every policy is looked at on the same draws, so that a coarser one never has more people in small classes, in no
    draw. The first n people of a draw are a draw of n people.

    Attributes
    ----------
    classes : ClassTable
        The people that were drawn from; its classes are the cells.
    cells : np.ndarray
        int32, draws x the most people of a draw: the cell of each person, in the order of drawing.
    ends : np.ndarray
        int64, per draw its people.
    seed : int
        Of the generator that drew them.
    """

    classes: ClassTable
    cells: np.ndarray
    ends: np.ndarray
    seed: int

    @property
    def draws(self) -> int:
        """How many."""
        return len(self.cells)

    @property
    def longest(self) -> int:
        """The most people of a draw."""
        return self.cells.shape[1]


def draw_futures(
    classes: ClassTable,
    people: NewPeople,
    draws: int = DRAWS,
    rng: np.random.Generator | None = None,
    progress: Progress = nobody,
) -> Futures:
    """Draw who comes next: people of a table without replacement, within each place.

    Nobody's chance depends on anything else, as in Brown et al. 2022. A random number of 53 bits says who it is, so
    that chances are equal to one part in 10^9 for a population of 8 million.

    Parameters
    ----------
    classes : ClassTable
        The people who may come, by what is known of them, and by place where the numbers are.
    people : NewPeople
        How many come.
    draws : int, default DRAWS
        How often it is drawn.
    rng : np.random.Generator, optional
        Draws the seed; seed 0 without it.
    progress : Progress, optional
        Gets the share done.

    Returns
    -------
    Futures

    Raises
    ------
    InputError
        When a place has fewer people than are to come from it, or none, or is no attribute; and when all draws together
        have too many people.

    References
    ----------
    Brown et al. 2022, "Monte Carlo re-identification risk estimation".
    """
    wanted = checks.whole(draws, "The number of draws", 1)
    longest = int(people.numbers.max())
    if wanted * longest > MOST_DRAWN:
        raise InputError(
            f"{words.count(wanted, 'draws')} of {words.count(longest, 'people')} are more than {MOST_DRAWN:,} people "
            "in all. Ask for fewer draws, or for fewer people.",
            code="number-out-of-range",
        )
    place = _places_of(classes, people)
    order = np.argsort(place, kind="stable")
    order = order[place[order] >= 0]
    counts = classes.counts[order]
    size = np.bincount(place[order], counts, len(people.places)).astype(np.int64)
    _refuse_too_many(people, size)
    first_person = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    begin = np.cumsum(size) - size
    seed = 0 if rng is None else int(rng.integers(2**63))
    generator = np.random.default_rng(seed)
    scenario = generator.integers(len(people.counts), size=wanted)
    cells = np.zeros((wanted, longest), dtype=np.int32)
    step = max(1, int(first_person[-1]) // len(order))
    done = 0
    for s in np.unique(scenario).tolist():
        turns = _turns(people.counts[s])
        rows = np.flatnonzero(scenario == s)
        for some in np.array_split(rows, math.ceil(len(rows) * len(turns) / _AT_ONCE) or 1):
            drawn = np.empty((len(some), len(turns)), dtype=np.int32)
            loops.draw(generator, turns, begin, size, first_person, step, drawn)
            cells[some, : len(turns)] = order[drawn]
            done += len(some)
            progress(done / wanted)
    return Futures(classes, cells, people.numbers[scenario], seed)


def _places_of(classes: ClassTable, people: NewPeople) -> np.ndarray:
    """int64, per class the position of its place among those of the numbers, -1 where it is none of them."""
    if people.place is None:
        return np.zeros(classes.n_classes, dtype=np.int64)
    if people.place not in classes.attributes:
        raise InputError(
            f"New people come by “{people.place}”, which the people to draw from do not have. Choose a column that the "
            "population table has, or let them come from everywhere.",
            code="population-lacks-columns",
            column=people.place,
        )
    j = classes.attributes.index(people.place)
    position = {value: i for i, value in enumerate(people.places)}
    return np.array([position.get(value, -1) for value in classes.categories[j]], dtype=np.int64)[classes.codes[:, j]]


def _refuse_too_many(people: NewPeople, size: np.ndarray) -> None:
    """Raises InputError where a place has fewer people than are to come from it."""
    most = people.counts.max(axis=0)
    short = np.flatnonzero(most > size)
    if not short.size:
        return
    if people.place is None:
        raise InputError(
            f"{words.count(int(most[0]), 'people')} are to come of {int(size[0]):,} who could. Enter fewer, let fewer "
            "periods count together, or load a population table of the area.",
            code="population-too-small",
        )
    nobody = int((size[short] == 0).sum())
    lacks = f", {nobody:,} of them nobody at all" if nobody else ""
    raise InputError(
        f"{words.count(short.size, 'places')} of “{people.place}” {'has' if short.size == 1 else 'have'} fewer people "
        f"to draw from than are to come from there{lacks}. Enter fewer people, load a population table that has these "
        "places, or let people come from everywhere.",
        code="population-too-small",
        column=people.place,
    )


def _turns(counts: np.ndarray) -> np.ndarray:
    """int32, the place of each person in turn, so that the first n are from the places as all of them are."""
    place = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    nth = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)
    return place[np.argsort((nth + 0.5) / counts[place], kind="stable")]


# ---- what draws say of a policy ----


@dataclass(frozen=True)
class Promise:
    """What a file that comes again is to keep, whatever comes.

    Attributes
    ----------
    k : int, default K
        A class of fewer people is small; 2 or more.
    most : float, default 0.001
        The largest share of a release's people that may be in small classes, in [0, 1]. Brown et al. 2022 ask for 0.01.
    certainty : float, default 0.95
        In which share of all draws, above 0 to 1.

    Raises
    ------
    InputError
        When one of them is out of its range.
    """

    k: int = K
    most: float = 0.001
    certainty: float = 0.95

    def __post_init__(self) -> None:
        checks.whole(self.k, "k", 2)
        if not 0 <= checks.number(self.most, "The share below k") <= 1:
            raise InputError("The share below k must be between 0 and 1.", code="number-out-of-range")
        if not 0 < checks.number(self.certainty, "The certainty") <= 1:
            raise InputError("The certainty must be above 0, and at most 1.", code="number-out-of-range")

    def needed(self, draws: int) -> int:
        """In how many draws it is to be kept."""
        return math.ceil(self.certainty * draws - 1e-9)


@dataclass(frozen=True, eq=False)
class RiskForecast:
    """What draws of the next release say of one policy.

    Attributes
    ----------
    k : int
        A class of fewer people is small.
    people : np.ndarray
        int64, per draw the people of the release.
    below : np.ndarray
        int64, per draw those in classes smaller than k.
    matches : np.ndarray
        float64, per draw the expected number of people found by somebody who links each record to one of the people
        drawn from who have the same released values.
    seed : int
        Of the draws.

    References
    ----------
    Brown et al. 2022: PK risk is :attr:`share`, marketer risk :attr:`marketer`.
    """

    k: int
    people: np.ndarray
    below: np.ndarray
    matches: np.ndarray
    seed: int

    @property
    def draws(self) -> int:
        """How many."""
        return len(self.people)

    @cached_property
    def share(self) -> np.ndarray:
        """float64, per draw the share of people in classes smaller than k: PK risk; 0 of nobody."""
        return self.below / np.maximum(1, self.people)

    @property
    def marketer(self) -> np.ndarray:
        """float64, per draw the marketer risk, in [0, 1]; 0 of nobody."""
        return self.matches / np.maximum(1, self.people)

    @property
    def expected(self) -> float:
        """The mean share over the draws."""
        return float(self.share.mean())

    def quantile(self, certainty: float) -> float:
        """The least share that so many of the draws do not exceed.

        Parameters
        ----------
        certainty : float
            Share of the draws, above 0 to 1.

        Returns
        -------
        float
            At most ``Promise.most`` exactly where the promise is kept in as many draws as it asks for.
        """
        return float(np.sort(self.share)[Promise(certainty=certainty).needed(self.draws) - 1])

    def kept(self, promise: Promise) -> int:
        """In how many draws the share is at most what is promised.

        Parameters
        ----------
        promise : Promise
            Of the same k.

        Returns
        -------
        int
        """
        return int((self.share <= promise.most).sum())

    def to_frame(self) -> pd.DataFrame:
        """One row a draw: its people, those below k, their share and the marketer risk."""
        return pd.DataFrame(
            {"people": self.people, f"below {self.k}": self.below, "share": self.share, "marketer risk": self.marketer}
        )


def confidence_interval(kept: int, draws: int) -> tuple[float, float]:
    """The 95% interval of the chance that a further draw keeps a promise, from how many of all did.

    Parameters
    ----------
    kept, draws : int
        Draws that kept it, and all.

    Returns
    -------
    tuple of float
        Both in [0, 1]. It covers the chance in at least 95% of all simulations.

    References
    ----------
    Clopper and Pearson 1934.
    """
    from scipy.stats import beta  # here, since it takes long to load

    low = 0.0 if kept == 0 else float(beta.ppf(0.025, kept, draws - kept + 1))
    high = 1.0 if kept == draws else float(beta.ppf(0.975, kept + 1, draws - kept))
    return low, high


def forecast(futures: Futures, group: np.ndarray, k: int = K) -> RiskForecast:
    """What the draws say of a policy.

    Parameters
    ----------
    futures : Futures
        The draws.
    group : np.ndarray
        int, per cell of ``futures.classes`` the number, from 0, of the class that it is released in.
    k : int, default K
        A class of fewer people is small.

    Returns
    -------
    RiskForecast
    """
    below, matches = below_after(futures, group, futures.ends[:, None], k)
    return RiskForecast(k, futures.ends, below[:, 0], matches[:, 0], futures.seed)


def below_after(futures: Futures, group: np.ndarray, ends: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """How many of the first people of each draw are in small classes, as a release of so many would have.

    Parameters
    ----------
    futures : Futures
        The draws.
    group : np.ndarray
        As in :func:`forecast`.
    ends : np.ndarray
        int64, draws x marks, ascending: after how many people it is counted, each at most the draw's.
    k : int
        A class of fewer people is small.

    Returns
    -------
    pair of arrays
        int64 and float64, draws x marks: those in small classes, and expected matches (:class:`RiskForecast`).
    """
    of_cell = np.ascontiguousarray(group, dtype=np.int32)
    size = np.bincount(of_cell, futures.classes.counts)
    below, matches = np.zeros(ends.shape, dtype=np.int64), np.zeros(ends.shape)
    scratch = np.zeros(len(size), dtype=np.int64)
    loops.count_below(
        futures.cells, np.ascontiguousarray(ends, dtype=np.int64), of_cell, 1 / np.maximum(1, size), k, scratch, below,
        matches,
    )  # fmt: skip
    return below, matches


def kept_after_each(futures: Futures, group: np.ndarray, promise: Promise) -> np.ndarray:
    """In how many draws a promise is kept by a release of the first n people, for every n.

    Parameters
    ----------
    futures : Futures
        Draws of one number of people.
    group : np.ndarray
        As in :func:`forecast`.
    promise : Promise
        What is to be kept.

    Returns
    -------
    int64 array, one item a number of people from 0 on
        Nobody keeps it in every draw.
    """
    of_cell = np.ascontiguousarray(group, dtype=np.int32)
    kept = np.zeros(futures.longest + 1, dtype=np.int64)
    kept[0] = futures.draws
    size = np.zeros(int(of_cell.max()) + 1, dtype=np.int64)
    loops.count_kept(futures.cells, of_cell, promise.k, float(promise.most), size, kept)
    return kept

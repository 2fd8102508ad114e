"""Programmes drawn at random: the two kinds that Table 10 can mean, and a screening like Norway's (Table 11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.basics import checks
from anonlib.basics.errors import InputError

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

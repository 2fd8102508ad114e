"""What the officer asks on the Forecast page, and whom it is asked of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from anonlib.analyses.forecast import Period, Promise
from anonlib.basics import words
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.dataset import Dataset
from ui.session import cache

PERIODS: dict[Period, str] = {"day": "a day", "week": "a week", "month": "a month"}


@dataclass(frozen=True)
class ForecastQuestion:
    """One question.

    Attributes
    ----------
    columns : the quasi-identifiers that are released and counted.
    place : the column by which people come from places; None: from everywhere alike.
    number : new people a period.
    period : how long a period is.
    dates : the column of dates by which past periods are counted; None where there is none.
    varies : whether each draw takes the numbers of one of the past periods.
    together : periods that count together.
    draws : how often it is drawn.
    promise : what is to be kept.
    hierarchies : by column that is released, its levels.
    levels_aside : by column, how many of its levels are not looked at, as there would be too many policies.
    """

    columns: tuple[str, ...]
    place: str | None
    number: int
    period: Period
    dates: str | None
    varies: bool
    together: int
    draws: int
    promise: Promise
    hierarchies: tuple[tuple[str, Hierarchy], ...]
    levels_aside: tuple[tuple[str, int], ...] = ()

    @property
    def counted(self) -> tuple[str, ...]:
        """The columns by which people are drawn: those released, and that of their place."""
        return self.columns if self.place is None or self.place in self.columns else (*self.columns, self.place)

    @cached_property
    def key(self) -> str:
        """Names the question."""
        return cache.digest(
            self.columns, self.place, self.number, self.period, self.dates, self.varies, self.together, self.draws,
            self.promise, self.hierarchies,
        )  # fmt: skip

    @property
    def stretch(self) -> str:
        """What one release is of, in words: ``a week``, ``3 weeks``."""
        return PERIODS[self.period] if self.together == 1 else words.count(self.together, f"{self.period}s")


@dataclass(frozen=True)
class AskedForecast:
    """A question and of whom it is asked.

    Attributes
    ----------
    question : what is asked.
    data : the file as it is protected.
    population : the population table that people are drawn from; None: they are drawn from the file itself.
    """

    question: ForecastQuestion
    data: Dataset
    population: Dataset | None

    @property
    def source(self) -> Dataset:
        """Whose people are drawn."""
        return self.data if self.population is None else self.population

    @property
    def key(self) -> str:
        """Names the question and of whom it is asked."""
        return cache.digest(self.question.key, self.data.key, None if self.population is None else self.population.key)

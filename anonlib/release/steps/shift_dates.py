"""The step that moves the dates of each person, or replaces them by days since the first."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.reading.records import Labels, Records
from anonlib.reading.records.names import unused_name
from anonlib.reading.records.persons import BETWEEN
from anonlib.release.pseudonyms import derived
from anonlib.release.steps.of_cells import cells_before_and_after
from anonlib.release.steps.of_persons import checked_secret, refuse_unread, values_of
from anonlib.release.steps.step import Scope, Stage, Step, Unseen, check_column
from anonlib.values.cells import order_of, to_numbers
from anonlib.values.dates import DatesAsWritten, First, to_dates
from anonlib.values.ids import normalised

As = Literal["offset", "since_first"]
HALF_A_YEAR = 183
"""Days that dates move by at most where nothing else is asked for: no season is then known."""
A_SEASON = 45
"""Days that dates move by at most where the season is kept: half a quarter either way."""
MOST_DAYS = 3_653
"""Days that dates can move by at most, ten years."""
_SALT = b"anonscope dates of persons"  # what the secret is used for, and for nothing else
_WEEK = 7
_LATEST = 2**40  # days


@dataclass(frozen=True, eq=False)
class ShiftDates(Step):
    """Move all dates of a person by one number of days, or replace them by days since the person's first date.

    The number of days is HMAC-SHA-256 of the person id, under a key that is derived from a secret, scaled to the whole
    numbers from -``most`` to ``most``, each as likely. It depends on the id alone (as
    :func:`anonlib.values.ids.normalised` has it): a step with the same secret moves the same person's dates alike in
    every table and release. A row without a person id is a person of its own. Days between the dates of a person stay
    exact, so somebody who knows one of them knows all.

    A date keeps the form that it is written in, and its time of the day; a weekday in front of it is left out. What is
    missing stays missing.

    Attributes
    ----------
    dates : tuple[str, ...]
        The columns, one at least.
    as_ : As, default "offset"
        "offset" or "since_first" Dates that are moved, or days since the first date of the person in these columns.
    most : int
        Days that dates are moved by at most, 1 to 3,653.
    keep_weekday : bool
        Whether they are moved by whole weeks.
    keep_season : bool
        Whether they are moved by at most 45 days, whatever ``most`` is.
    dates_begin_with : First, default "day"
        What stands first in ``03/04/2021`` where no value of the column tells.
    secret : str, default ""
        32 hexadecimal digits, "" for days since the first date. It stays inside, as the seed does, and is in no
        description.
    reason : str
        Why.
    """

    dates: tuple[str, ...]
    as_: As = "offset"
    most: int = HALF_A_YEAR
    keep_weekday: bool = False
    keep_season: bool = False
    dates_begin_with: First = "day"
    secret: str = field(default="", repr=False)
    reason: str = ""
    kind = "shift_dates"
    stage = Stage.PERSONS
    gives_way_to = Scope.REGIONS
    labels_by = "person"

    def __post_init__(self) -> None:
        if isinstance(self.dates, str) or not self.dates:
            raise InputError("Name at least one column of dates, in a list.", code="choice-missing")
        names = tuple(dict.fromkeys(checks.text(name, "The name of a column") for name in self.dates))
        object.__setattr__(self, "dates", names)
        if self.as_ not in get_args(As):
            raise InputError("Dates leave with an “offset”, or as days “since_first”.", code="choice-unknown")
        if self.dates_begin_with not in get_args(First):
            raise InputError("Of a date either the day or the month stands first.", code="choice-unknown")
        object.__setattr__(self, "most", checks.whole(self.most, "The most days that dates are moved by", 1))
        if self.most > MOST_DAYS:
            raise InputError(f"Dates are moved by at most {MOST_DAYS:,} days.", code="number-out-of-range")
        for kept, what in ((self.keep_weekday, "the weekday"), (self.keep_season, "the season")):
            if not isinstance(kept, bool):
                raise InputError(f"Whether {what} is kept is true or false.", code="not-true-or-false")
        if self.keep_weekday and self.reach < _WEEK:
            raise InputError(
                "To keep weekdays, dates are moved by whole weeks: by at most 7 days or more.",
                code="number-out-of-range",
            )
        object.__setattr__(self, "secret", checked_secret(self.secret) if self.as_ == "offset" else "")
        checks.text(self.reason, "The reason")

    @property
    def columns(self) -> tuple[str, ...]:
        return self.dates

    @property
    def recodes(self) -> tuple[str, ...]:
        return self.dates

    @property
    def reach(self) -> int:
        """Days that a date is moved by at most."""
        most = min(self.most, A_SEASON) if self.keep_season else self.most
        return most - most % _WEEK if self.keep_weekday else most

    def describe(self) -> str:
        named = ", ".join(self.dates)
        if self.as_ == "since_first":
            return f"Replace {named} by days since the first date of the person"
        if self.keep_weekday:
            return f"Move the dates of each person in {named} by one number of whole weeks, at most {self.reach} days"
        return f"Move the dates of each person in {named} by one number of days, at most {self.reach}"

    @property
    def for_anybody(self) -> str:
        return self.describe()

    @property
    def for_recipient(self) -> tuple[str, ...]:
        """What somebody has to know who reads the dates, and what they still tell, in sentences."""
        knows_all = "Who knows one date of a person knows all of them."
        if self.as_ == "since_first":
            return (
                "Each is the number of days since the first date of the person, which is 0: days between dates are "
                "exact; weekday, season and year are not known.",
                knows_all,
            )
        weekday = "Weekdays are those of the original." if self.keep_weekday else "Weekdays are not known."
        season = (
            f"Seasons are known to about {self.reach} days." if self.reach < HALF_A_YEAR else "Seasons are not known."
        )
        return (
            f"All dates of a person are moved by one number of days, at most {self.reach} earlier or later, the same "
            "in all of these columns: days between dates are exact, and times of the day are as they were.",
            weekday,
            season,
            knows_all,
        )

    # ---- what it does ----

    def apply(self, dataset: Dataset) -> Dataset:
        written = {name: self._written(dataset, name) for name in self.dates}
        if self.as_ == "since_first":
            days = {name: as_written.days.astype(np.int64) for name, as_written in written.items()}
            days = {name: np.where(np.isnat(written[name].days), 0, day_numbers) for name, day_numbers in days.items()}
            return dataset.with_held(dataset.held.since_first(days, dataset.person_id), self._prepared)
        key = unused_name("days moved", dataset.held.columns)
        held = dataset.held.with_person_keys(key, dataset.person_id)
        keys = values_of(held, key, "persons whose dates are moved")
        days_moved = np.array([*(str(self.offset(text)) for text in keys.tolist()), None], dtype=object)[:-1]
        held = held.recode(key, Labels.as_they_come(keys, days_moved))
        for name, dates in written.items():
            held = _moved(held, name, key, dataset.held.values(name), dates)
        return dataset.with_held(held.drop([key]), self._prepared)

    def _written(self, dataset: Dataset, name: str) -> DatesAsWritten:
        check_column(dataset, name)
        if name in (dataset.person_id, dataset.weight):
            raise InputError(
                f"“{name}” is what persons are counted by and holds no dates. Choose another column.",
                code="column-counts-persons",
                column=name,
            )
        values = values_of(dataset.held, name, f"dates in “{name}”")
        written = DatesAsWritten(values, numbers=True, first=self.dates_begin_with)
        way_out = "Correct, blank or leave out these rows, or leave the column out of the step."
        refuse_unread(dataset, name, ~np.isnat(written.days), "a date", way_out)
        return written

    def offset(self, key: str) -> int:
        """Days that the dates of a person are moved by; below 0 for earlier.

        Parameters
        ----------
        key : str
            A “p” and the person's id, or an “r” and what tells a row apart that has none, as of
            :meth:`Records.with_person_keys`.
        """
        message = key[:1] + (normalised(key[1:]) if key.startswith("p") else key[1:])
        number = int.from_bytes(hmac.digest(self._key, message.encode("utf-8", "surrogatepass"), "sha256"), "big")
        step = _WEEK if self.keep_weekday else 1
        furthest = self.reach // step
        return (number % (2 * furthest + 1) - furthest) * step

    @cached_property
    def _key(self) -> bytes:
        return derived(bytes.fromhex(self.secret), _SALT, b"")

    def value_tables(self, before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
        return cells_before_and_after(self.dates, before, after)

    # ---- what labels it makes ----

    def labels_of(self, column: str, values: np.ndarray, before: Dataset | None = None) -> None:
        """None: what a date becomes says nothing of what it was."""

    @property
    def label_name(self) -> str:
        return "days since the first date" if self.as_ == "since_first" else f"moved by at most {self.reach} days"

    def values_within(self, values: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Of how many values each label can be: those within reach, or so late after the first or later.

        Parameters
        ----------
        values, labels : np.ndarray
            Distinct texts before and after.

        Returns
        -------
        np.ndarray
            int64 per label.
        """
        before = to_dates(values, numbers=True, first=self.dates_begin_with)
        days = before[~np.isnat(before)].astype(np.int64)
        if self.as_ == "since_first":
            since = to_numbers(labels) if len(labels) else np.zeros(0)
            return len(days) - np.searchsorted(np.sort(days) - days.min(initial=_LATEST), since)
        after = to_dates(labels, numbers=True, first=self.dates_begin_with).astype(np.int64)
        n_values = np.zeros(len(labels), dtype=np.int64)
        kinds = _WEEK if self.keep_weekday else 1
        for kind in range(kinds):
            alike, mine = np.sort(days[days % kinds == kind]), after % kinds == kind
            low, high = after[mine] - self.reach, after[mine] + self.reach
            n_values[mine] = np.searchsorted(alike, high, "right") - np.searchsorted(alike, low, "left")
        return n_values

    def can_blank(self, column: str) -> bool:
        """Never: what is no date is refused."""
        return False

    @property
    def _prepared(self) -> str:
        return "ShiftDates(" + ", ".join(f"{k}={v!r}" for k, v in self.to_dict().items() if k != "reason") + ")"

    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        """People outside the file have no offset: a table with such dates cannot be compared with moved ones."""
        if not any(name in population.columns for name in self.dates):
            return population
        raise InputError(
            "A population table has no dates of persons that could be moved as those of the file are.",
            code="population-not-recodable",
        )

    # ---- where it stands ----

    def follows(self, earlier: Step) -> bool:
        """Only steps that go through the rows of persons: dates are moved before anything is made of them."""
        return earlier.stage is Stage.PERSONS

    def without(self, columns: Collection[str]) -> Step | None:
        left = tuple(name for name in self.dates if name not in columns)
        return self if left == self.dates else replace(self, dates=left) if left else None

    def unseen(self, before: Dataset) -> tuple[Unseen, ...]:
        """None: every date can be moved, and what is no date is refused."""
        return ()

    def without_named(self, may_tell: Callable[[str], bool]) -> ShiftDates:
        """Itself: it names no value. Its secret stays where the seed does, or the release could not be made again."""
        return self

    # ---- as a value ----

    def to_dict(self) -> dict[str, Any]:
        values: dict[str, Any] = {"kind": self.kind, "columns": list(self.dates), "as": self.as_}
        if self.as_ == "offset":
            values |= {
                "most": self.most, "keep_weekday": self.keep_weekday, "keep_season": self.keep_season,
                "secret": self.secret,
            }  # fmt: skip
        return values | {"dates_begin_with": self.dates_begin_with, "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ShiftDates:
        if not isinstance(values["columns"], list):
            raise InputError("The columns of dates must be a list.", code="not-a-list")
        return cls(
            tuple(values["columns"]), values.get("as", "offset"), values.get("most", HALF_A_YEAR),
            values.get("keep_weekday", False), values.get("keep_season", False), values.get("dates_begin_with", "day"),
            values.get("secret", ""), values.get("reason", ""),
        )  # fmt: skip


def _moved(held: Records, name: str, key: str, values: np.ndarray, written: DatesAsWritten) -> Records:
    """The records with the dates of a column moved by as many days as another column says."""
    held = held.paired(name, key)
    pairs = values_of(held, name, f"dates in “{name}” with the days that they are moved by")
    place = {value: i for i, value in enumerate(values.tolist())}
    parts = [pair.rsplit(BETWEEN, 1) for pair in pairs.tolist()]
    places = np.array([place[value] for value, _ in parts], dtype=np.intp)
    days = np.array([int(moved) for _, moved in parts], dtype=np.int64)
    labels = written.moved(places, days)
    distinct = pd.unique(labels)
    return held.recode(name, Labels(pairs, labels, distinct[order_of(distinct, ())]))

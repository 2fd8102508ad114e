"""The history of one person: visit by visit, how many persons share what somebody knows of their rows.

A visit is a row of the person, in the order of time. Who shares known rows is counted as
:mod:`anonlib.counting.privacy_models.models` defines it: persons of whom one row, or several, are like them, and
persons who have just the same rows.

First comes when the rows of a person are: the columns that say it, and the rows in that order. Next is who has rows
like those of one person, and which values of theirs somebody can be certain of. Then come the visits of a person that
tell most: of all choices of so many, the one that fewest persons share. The history is put together at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np
import pandas as pd

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.counting.classes import PersonTable
from anonlib.counting.classes.coding import sum_by
from anonlib.counting.classes.rows_of_persons import numbered_runs, starts_of
from anonlib.counting.privacy_models import CodedPersons
from anonlib.counting.privacy_models.coded import nearly_all
from anonlib.dataset import Dataset
from anonlib.values.cells import is_code, ranges_or_none, to_numbers
from anonlib.values.dates import ENOUGH, dates_or_none

Kind = Literal["dates", "months", "numbers"]
_MAY_BE_SHOWN = (Role.QUASI_IDENTIFIER, Role.PLACE, Role.OTHER)
_EPOCH_MONTH = 12 * 1970  # months are counted from the year 0


@dataclass(frozen=True, eq=False)
class VisitTimes:
    """A column's values as times.

    Attributes
    ----------
    column : str
        Its name.
    kind : Kind
        "dates" and "months" have days since 1970 as times, "numbers" are themselves, such as the days since a first
        visit.
    values : np.ndarray
        Object array, the values, in the column's order.
    of_value : np.ndarray
        float64, a time each, NaN for a value that is none.
    of_record : np.ndarray
        float64, that of each row of the data set, NaN where it has none.
    rank_of_record : np.ndarray
        float64, the place of each row's time in the order of all; moments of one day are apart.
    """

    column: str
    kind: Kind
    values: np.ndarray
    of_value: np.ndarray
    of_record: np.ndarray
    rank_of_record: np.ndarray

    @property
    def are_days(self) -> bool:
        """Whether the times are days since 1970."""
        return self.kind != "numbers"


def visit_times(data: Dataset, column: str) -> VisitTimes | None:
    """The times in a column of records in memory; None where its values are none."""
    held = data.records[column].cat
    values = held.categories.to_numpy(dtype=object)
    parsed = _times_of(values)
    if parsed is None:
        return None
    kind, times, ranks = parsed
    codes = held.codes.to_numpy()
    return VisitTimes(column, kind, values, times, np.append(times, np.nan)[codes], np.append(ranks, np.nan)[codes])


def _times_of(values: np.ndarray) -> tuple[Kind, np.ndarray, np.ndarray] | None:
    """What the values are, their times, and ranks by which they are in order."""
    texts = values.tolist()
    dates = dates_or_none(texts)
    if dates is not None:
        days = np.where(np.isnat(dates.days), np.nan, dates.days.astype("datetime64[D]").astype(np.float64))
        if not dates.has_times:
            return "dates", days, days
        ranks = np.empty(len(days))
        ranks[np.argsort(days, kind="stable")] = np.arange(len(days))  # of one day, the values are in natural order
        return "dates", days, np.where(np.isnan(days), np.nan, ranks)
    ranges = ranges_or_none(texts)
    if ranges is not None and ranges.of == "months":
        whole = np.isfinite(ranges.begin)
        months = np.where(whole, ranges.begin, _EPOCH_MONTH).astype(np.int64) - _EPOCH_MONTH
        days = months.astype("datetime64[M]").astype("datetime64[D]").astype(np.float64)
        days = np.where(whole, days, np.nan)
        return ("months", days, days) if whole.any() else None
    numbers = to_numbers(texts)
    if not is_code(texts) and len(texts) and float(np.mean(np.isfinite(numbers))) >= ENOUGH:
        return "numbers", numbers, numbers
    return None


def time_columns(data: Dataset) -> tuple[str, ...]:
    """The columns that may say when a row is, those of dates and months first, and then those that change for most.

    They change for some person, and may be shown: their role is neither sensitive nor that of an identifier.
    """
    if data.person_id is None:
        return ()
    offered = data.columns_with(*_MAY_BE_SHOWN)
    changing = data.held.changing_within(data.person_id, offered)
    by_column = {name: times for name in offered if changing[name] and (times := visit_times(data, name)) is not None}
    return tuple(sorted(by_column, key=lambda name: (not by_column[name].are_days, -changing[name])))


def rows_of_person(data: Dataset, record: int) -> np.ndarray:
    """intp, ascending: the rows of the person whom a row (from 0) is of; just this one where it has no person id.

    Raises
    ------
    InputError
        For a row that is not there, and where no persons are counted.
    """
    if data.person_id is None:
        raise InputError(
            "No column says which rows are of one person. Give one the role “Person id”.", code="no-person-id"
        )
    persons = data.records[data.person_id].cat.codes.to_numpy()
    if not 0 <= record < len(persons):
        raise InputError(f"The data set has {len(persons):,} rows: choose one of them.", code="row-unknown")
    return np.flatnonzero(persons == persons[record]) if persons[record] >= 0 else np.array([record])


def in_time_order(records: Sequence[int] | np.ndarray, times: VisitTimes | None) -> np.ndarray:
    """intp: some rows of the data set in the order of time; equal times in the order of the file, none last."""
    places = np.sort(np.asarray(records, dtype=np.intp))
    if times is None:
        return places
    return places[np.argsort(times.rank_of_record[places], kind="stable")]  # NaN is sorted last


MOST_CELLS = 200_000_000
"""Most rows of the person times different ways to share them."""


@dataclass(frozen=True)
class SureOf:
    """Values of a sensitive column that somebody can be certain of, as text."""

    column: str
    values: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Sharing:
    """Who has rows like the person's visits, those who share the same ones taken together as a pattern.

    Attributes
    ----------
    persons : np.ndarray
        int64, persons of each pattern.
    equal : np.ndarray
        int64, those among them who have just these rows, hanging together as theirs do.
    has : np.ndarray
        bool, patterns x visits: they have a row like the visit besides those like equal visits before it.
    first, earlier : np.ndarray
        Intp per visit, the first one equal to it, and how many equal ones stand before it.
    pattern : np.ndarray
        Intp per profile of everyone, its pattern; -1 for those who share no visit.
    counts : np.ndarray
        int64, persons of each profile.
    is_equal : np.ndarray
        bool per profile, whether all rows are like the person's.
    """

    persons: np.ndarray
    equal: np.ndarray
    has: np.ndarray
    first: np.ndarray
    earlier: np.ndarray
    pattern: np.ndarray
    counts: np.ndarray
    is_equal: np.ndarray

    @classmethod
    def of(cls, coded: CodedPersons, known: tuple[str, ...], own_rows: np.ndarray, profile: int) -> Sharing:
        """Of a person of a profile, by their distinct rows in the order of time, one as often as it occurs."""
        of_row, sizes = coded.rows.groups(known)
        codes = of_row[own_rows]
        distinct, first, kind = np.unique(codes, return_index=True, return_inverse=True)
        earlier = np.array(
            [int((kind[:place] == own_kind).sum()) for place, own_kind in enumerate(kind)], dtype=np.intp
        )
        times_of_kind = np.bincount(kind, minlength=len(distinct))
        kind_of_code = np.full(len(sizes), -1, dtype=np.intp)
        kind_of_code[distinct] = np.arange(len(distinct))
        kind_of_pair = kind_of_code[of_row[coded.row]]
        alike = np.flatnonzero(kind_of_pair >= 0)  # the rows of anybody that are like one of the person's
        key, number = np.unique(coded.profile[alike] * len(distinct) + kind_of_pair[alike], return_inverse=True)
        owner, kinds = np.divmod(key, len(distinct))
        times = np.minimum(sum_by(number, len(key), coded.times[alike]), times_of_kind[kinds])
        candidates, candidate = np.unique(owner, return_inverse=True)
        start = starts_of(candidate, len(candidates))
        pattern_of_candidate = numbered_runs(start, kinds * (len(own_rows) + 1) + times)
        n_patterns = int(pattern_of_candidate.max(initial=-1)) + 1
        if n_patterns * len(own_rows) > MOST_CELLS:
            raise InputError(
                f"The person has {len(own_rows):,} rows, which are more than can be looked at.",
                code="too-many-rows-of-a-person",
            )
        held = np.zeros((n_patterns, len(distinct)), dtype=np.int64)
        held[pattern_of_candidate[candidate], kinds] = times
        pattern = np.full(len(coded.counts), -1, dtype=np.intp)
        pattern[candidates] = pattern_of_candidate
        counts, all_rows = coded.counts[candidates], coded.all_rows(known)
        is_equal = all_rows == all_rows[profile]
        return cls(
            sum_by(pattern_of_candidate, n_patterns, counts),
            sum_by(pattern_of_candidate, n_patterns, counts * is_equal[candidates]),
            held[:, kind] > earlier,
            first[kind],
            earlier,
            pattern,
            coded.counts,
            is_equal,
        )

    def size(self, who: np.ndarray) -> int:
        """Persons of some patterns (bool each)."""
        return int(self.persons[who].sum())


@dataclass(frozen=True, eq=False)
class Inferred:
    """The person's values of a sensitive column, and who has them.

    Attributes
    ----------
    labels : tuple[str, ...]
        Of the values, in the column's order.
    having, equal : np.ndarray
        int64, patterns x values: persons who have the value in a row of theirs; those of just these rows.
    """

    column: str
    labels: tuple[str, ...]
    having: np.ndarray
    equal: np.ndarray
    sharing: Sharing
    p: float

    @classmethod
    def of(cls, coded: CodedPersons, sharing: Sharing, column: str, profile: int, p: float) -> Inferred:
        coded = coded.as_read([column])
        held = coded.held(column)
        own = held.value[held.start[profile] : held.start[profile + 1]]
        holder = np.repeat(np.arange(len(coded.counts)), np.diff(held.start))
        shape = len(sharing.persons), len(own)
        having, equal = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for place, value in enumerate(own.tolist()):
            who = holder[held.value == value]
            who = who[sharing.pattern[who] >= 0]
            of_pattern, counts = sharing.pattern[who], coded.counts[who]
            having[:, place] = sum_by(of_pattern, shape[0], counts)
            equal[:, place] = sum_by(of_pattern, shape[0], counts * sharing.is_equal[who])
        labels = tuple(str(coded.rows.labels[column][value]) for value in own.tolist())
        return cls(column, labels, having, equal, sharing, p)

    def of_patterns(self, who: np.ndarray) -> SureOf | None:
        """What nearly all persons of some patterns have."""
        return self._sure(self.having[who].sum(axis=0), self.sharing.size(who))

    def of_equal(self) -> SureOf | None:
        """What nearly all persons have who have just the person's rows."""
        equal = self.sharing.equal > 0
        return self._sure(self.equal[equal].sum(axis=0), int(self.sharing.equal[equal].sum()))

    def _sure(self, having: np.ndarray, peers: int) -> SureOf | None:
        certain = nearly_all(having, np.full(len(having), peers), self.p)
        values = tuple(label for label, is_certain in zip(self.labels, certain, strict=True) if is_certain)
        return SureOf(self.column, values) if values else None


MOST_CHOICES = 50_000
"""Most ways to choose so many visits of the person that are looked at; where there are more they are not counted."""
MOST_NUMBERS = 50
"""Most visits known at a time for which the most telling ones are looked for."""
_A_LOOK = 4_000_000  # cells at a time


@dataclass(frozen=True)
class MostTellingVisits:
    """The so many visits that fewest persons share.

    Attributes
    ----------
    number : int
        How many visits are known.
    persons : int | None
        Who have rows like them; None where there are too many ways to choose them (:data:`MOST_CHOICES`).
    visits : tuple[int, ...]
        Their places among the visits, from 0, ascending; none where they are not counted. Of choices that tell as much,
        those that go on from the ones before, and else the first in time.
    """

    number: int
    persons: int | None
    visits: tuple[int, ...]


def most_telling(sharing: Sharing) -> Iterator[MostTellingVisits]:
    """By how many visits are known, those that fewest share.

    Nobody is left by fewer persons than all visits leave: a choice that leaves no more is the least there is, and so
    is each that goes on from it.
    """
    n_visits = sharing.has.shape[1]
    least = sharing.size(np.asarray(sharing.has.all(axis=1)))
    before = _before(sharing.earlier, sharing.first)
    best: tuple[int, ...] = ()
    for number in range(1, min(n_visits, MOST_NUMBERS) + 1):
        best, persons = _extended(sharing, best, before)
        counted: int | None = persons
        if persons > least:
            if _n_choices(sharing, number) > MOST_CHOICES:
                counted = None
            else:
                other, fewer = _least_of_all(sharing, number, before, least)
                best, counted = (other, fewer) if fewer < persons else (best, persons)
        yield MostTellingVisits(number, counted, best if counted is not None else ())
        if counted == least:
            return


def _before(earlier: np.ndarray, first: np.ndarray) -> list[int]:
    """Per visit the last one equal to it before it, -1 where there is none."""
    last: dict[int, int] = {}
    previous = []
    for place, kind in enumerate(first.tolist()):
        previous.append(last.get(kind, -1))
        last[kind] = place
    return previous


def _extended(sharing: Sharing, chosen: tuple[int, ...], before: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """A choice with the one more visit that leaves fewest persons, and how many these are."""
    who = sharing.has[:, list(chosen)].all(axis=1)
    may_follow = [place for place, equal in enumerate(before) if place not in chosen and (equal < 0 or equal in chosen)]
    left = sharing.persons[who] @ sharing.has[who][:, may_follow]
    fewest = int(np.argmin(left))
    return tuple(sorted((*chosen, may_follow[fewest]))), int(left[fewest])


def _n_choices(sharing: Sharing, number: int) -> int:
    """How many choices of so many visits there are, equal ones counted once; or more than :data:`MOST_CHOICES`."""
    times = np.bincount(sharing.first)
    ways = [1] + [0] * number
    for most in times[times > 0].tolist():
        ways = [min(sum(ways[max(0, size - most) : size + 1]), MOST_CHOICES + 1) for size in range(number + 1)]
    return ways[number]


def _least_of_all(sharing: Sharing, number: int, before: Sequence[int], least: int) -> tuple[tuple[int, ...], int]:
    """Of all choices of so many visits the first that fewest share, and how many these are."""
    has, persons = np.ascontiguousarray(sharing.has.T), sharing.persons
    at_once = max(1, _A_LOOK // max(1, len(persons)))
    best: tuple[int, ...] = ()
    fewest = int(persons.sum()) + 1
    choices = _choices(number, before)
    while chunk := list(islice(choices, at_once)):
        places = np.array(chunk, dtype=np.intp)
        who = has[places[:, 0]]
        for column in places[:, 1:].T:
            who = who & has[column]
        sizes = who @ persons
        first = int(np.argmin(sizes))
        if sizes[first] < fewest:
            best, fewest = chunk[first], int(sizes[first])
        if fewest == least:
            break
    return best, fewest


def _choices(number: int, before: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every choice of so many visits in the order of time; of equal visits the earlier ones are chosen first."""

    def chosen_from(begun: tuple[int, ...], start: int) -> Iterator[tuple[int, ...]]:
        if len(begun) == number:
            yield begun
            return
        for place in range(start, len(before) - (number - len(begun)) + 1):
            if before[place] < 0 or before[place] in begun:
                yield from chosen_from((*begun, place), place + 1)

    yield from chosen_from((), 0)


@dataclass(frozen=True)
class Visit:
    """One row of the person.

    Attributes
    ----------
    record : int
        The row of the data set, from 0.
    sharing : int
        Persons who have a row like it, this one included.
    left : int
        Persons who have rows like this one and all before it, each another row of theirs.
    certain_alone : tuple[SureOf, ...], default ()
        Of what somebody is certain who knows this visit alone.
    certain : tuple[SureOf, ...], default ()
        Of what somebody is certain who knows this visit and all before it.
    """

    record: int
    sharing: int
    left: int
    certain_alone: tuple[SureOf, ...] = ()
    certain: tuple[SureOf, ...] = ()


@dataclass(frozen=True, eq=False)
class History:
    """What is known of one person, visit by visit.

    Attributes
    ----------
    known : tuple[str, ...]
        The columns that are known of each known visit.
    visits : tuple[Visit, ...]
        In the order of time.
    telling : tuple[MostTellingVisits, ...]
        By how many visits are known, from 1. It ends where further visits tell no more, or at
        :data:`anonlib.analyses.individuals.history.MOST_NUMBERS`.
    all_visits : int
        Persons who have rows like all of the person's.
    all_rows : int
        Persons who have just these rows, their number included.
    certain : tuple[SureOf, ...]
        Of what somebody is certain who knows all rows with their number.
    n_persons : int
        All persons.

    Examples
    --------
    Of three persons one was seen twice. Two have a row like the first of these, and nobody else one like the second.

    >>> visits = pd.DataFrame({"id": ["a", "a", "b", "c"], "ward": ["ear", "eye", "ear", "skin"]})
    >>> found = history(PersonTable.from_frame(visits, ["ward"], "id"), [0, 1], ["ward"])
    >>> [visit.sharing for visit in found.visits], [visit.left for visit in found.visits]
    ([2, 1], [2, 1])
    >>> found.telling
    (MostTellingVisits(number=1, persons=1, visits=(1,)),)
    """

    known: tuple[str, ...]
    visits: tuple[Visit, ...]
    telling: tuple[MostTellingVisits, ...]
    all_visits: int
    all_rows: int
    certain: tuple[SureOf, ...]
    n_persons: int

    def most_telling(self, number: int) -> MostTellingVisits | None:
        """The most telling so many visits, of which further ones may be any; None where they are not counted."""
        if not 1 <= number <= len(self.visits):
            raise InputError(
                f"The person has {len(self.visits):,} visits: ask for 1 to so many.", code="number-out-of-range"
            )
        telling = self.telling[min(number, len(self.telling)) - 1]
        if telling.persons is not None and (telling.number == number or telling.persons == self.all_visits):
            return telling
        return MostTellingVisits(number, self.all_visits, tuple(range(number))) if number == len(self.visits) else None

    def to_frame(self) -> pd.DataFrame:
        """One row a visit, in the order of time, without a value of it.

        Columns: ``visit`` (from 1), ``record`` (from 1), ``share_it``, ``share_all_so_far``, ``certain_so_far``
        (columns, as text), ``fewest_by_so_many`` (by any so many visits; missing where not counted) and
        ``most_telling_visits`` (from 1, as text).
        """
        telling = [self.most_telling(number) for number in range(1, len(self.visits) + 1)]
        return pd.DataFrame(
            {
                "visit": range(1, len(self.visits) + 1),
                "record": [visit.record + 1 for visit in self.visits],
                "share_it": [visit.sharing for visit in self.visits],
                "share_all_so_far": [visit.left for visit in self.visits],
                "certain_so_far": [" ".join(sure.column for sure in visit.certain) for visit in self.visits],
                "fewest_by_so_many": pd.array([None if t is None else t.persons for t in telling], dtype="Int64"),
                "most_telling_visits": [
                    "" if t is None else " ".join(str(place + 1) for place in t.visits) for t in telling
                ],
            }
        )


def history(
    table: PersonTable,
    records: Sequence[int],
    known: Sequence[str],
    sensitive: Sequence[str] = (),
    p: float = 0.0,
) -> History:
    """What somebody who knows visits of a person finds.

    Parameters
    ----------
    table : PersonTable
        Everyone's rows, in memory, with the known and the sensitive columns.
    records : Sequence[int]
        The rows of the data set that are the person's, in the order of time: all of them, from 0.
    known : Sequence[str]
        The columns that are known of a known visit; a missing value is a value of its own.
    sensitive : Sequence[str], default ()
        Columns whose values may be inferred, none of them known. A value is certain where all who share what is known
        have it in one of their rows; a missing one is nothing to be certain of.
    p : float, default 0.0
        In [0, 1): the share of these that may lack the value.

    Raises
    ------
    InputError
        When these are not all rows of one person, a column is unknown, or known and sensitive, or the rows are
        elsewhere; and for a person of more rows than can be looked at.
    """
    if not 0 <= checks.number(p, "The share of others") < 1:
        raise InputError(
            "The share of others that counts as certain must be 0 or more and less than 1.", code="number-out-of-range"
        )
    both = [name for name in sensitive if name in set(known)]
    if both:
        raise InputError(
            f"“{both[0]}” cannot be both inferred and known. Take it out of one.", code="column-in-two-roles"
        )
    for name in (*known, *sensitive):
        if name not in table.attributes:
            raise InputError(
                f"There is no column named “{name}” among those that are looked at.", code="column-unknown", column=name
            )
    profile = _profile_of(table, records)
    coded = CodedPersons.of(table)
    sharing = Sharing.of(coded, tuple(known), _rows_of(table, records), profile)
    inferred = [Inferred.of(coded, sharing, name, profile, p) for name in sensitive]
    visits, so_far = [], np.ones(len(sharing.persons), dtype=bool)
    for place, record in enumerate(records):
        alone = sharing.has[:, sharing.first[place]]
        so_far = so_far & sharing.has[:, place]
        visits.append(
            Visit(
                int(record), sharing.size(alone), sharing.size(so_far), _sure(inferred, alone), _sure(inferred, so_far)
            )
        )
    equal = so_far & (sharing.equal > 0)
    return History(
        tuple(known),
        tuple(visits),
        tuple(most_telling(sharing)),
        sharing.size(so_far),
        int(sharing.equal[equal].sum()),
        tuple(sure for inference in inferred if (sure := inference.of_equal()) is not None),
        coded.n_records,
    )


def _rows_of(table: PersonTable, records: Sequence[int]) -> np.ndarray:
    assert table.rows.class_of_record is not None
    return table.rows.class_of_record[np.asarray(records, dtype=np.intp)]


def _profile_of(table: PersonTable, records: Sequence[int]) -> int:
    """The profile of the person whose rows these are."""
    if table.profile_of_record is None:
        raise InputError(
            "The rows of this data set stay in a database; a history needs them in memory.",
            code="records-in-a-database",
        )
    places = np.asarray(records, dtype=np.intp)
    if not len(places) or places.min() < 0 or places.max() >= len(table.profile_of_record):
        raise InputError("There are no such rows of a person.", code="row-unknown")
    profile = int(table.profile_of_record[places[0]])
    own = slice(table.start[profile], table.start[profile + 1])
    rows, times = np.unique(_rows_of(table, records), return_counts=True)
    if not (np.array_equal(rows, table.row[own]) and np.array_equal(times, table.times[own])):
        raise InputError("These are not all rows of one person. Give each of them once.", code="row-unknown")
    return profile


def _sure(inferred: Sequence[Inferred], who: np.ndarray) -> tuple[SureOf, ...]:
    return tuple(sure for inference in inferred if (sure := inference.of_patterns(who)) is not None)

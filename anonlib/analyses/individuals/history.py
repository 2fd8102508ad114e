"""The history of one person: visit by visit, how many persons share what somebody knows of their rows.

A visit is a row of the person, in the order of time. Who shares known rows is counted as
:mod:`anonlib.counting.privacy_models.models` defines it: persons of whom one row, or several, are like them, and
persons who have just the same rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.analyses.individuals.sharing import Inferred, Sharing, SureOf
from anonlib.analyses.individuals.telling import Telling, most_telling
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.counting.classes import PersonTable
from anonlib.counting.privacy_models import CodedPersons


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
    telling : tuple[Telling, ...]
        By how many visits are known, from 1. It ends where further visits tell no more, or at
        :data:`anonlib.analyses.individuals.telling.MOST_NUMBERS`.
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
    (Telling(number=1, persons=1, visits=(1,)),)
    """

    known: tuple[str, ...]
    visits: tuple[Visit, ...]
    telling: tuple[Telling, ...]
    all_visits: int
    all_rows: int
    certain: tuple[SureOf, ...]
    n_persons: int

    def most_telling(self, number: int) -> Telling | None:
        """The most telling so many visits, of which further ones may be any; None where they are not counted."""
        if not 1 <= number <= len(self.visits):
            raise InputError(
                f"The person has {len(self.visits):,} visits: ask for 1 to so many.", code="number-out-of-range"
            )
        found = self.telling[min(number, len(self.telling)) - 1]
        if found.persons is not None and (found.number == number or found.persons == self.all_visits):
            return found
        return Telling(number, self.all_visits, tuple(range(number))) if number == len(self.visits) else None

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
        tuple(sure for each in inferred if (sure := each.of_equal()) is not None),
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
    return tuple(sure for each in inferred if (sure := each.of_patterns(who)) is not None)

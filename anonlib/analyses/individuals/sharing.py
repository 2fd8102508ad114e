"""Who has rows like those of one person, and which values of theirs somebody can be certain of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.counting.classes.coding import sum_by
from anonlib.counting.classes.persons.multisets import numbered_runs, starts_of
from anonlib.counting.privacy_models import CodedPersons
from anonlib.counting.privacy_models.coded import nearly_all

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
        earlier = np.array([int((kind[:place] == each).sum()) for place, each in enumerate(kind)], dtype=np.intp)
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

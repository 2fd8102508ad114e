"""Who violates many privacy models against who knows a few columns, looked at together.

First parts of one count side by side, each in a thread of its own where there is much to do: the compiled loops hold no
lock. Then the walk over all sets of columns, each of which is grouped once for all models; and the :class:`Marker` that
it drives, which marks who violates which model by one set after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from anonlib.basics.cores import n_threads
from anonlib.basics.progress import Progress
from anonlib.counting.classes.coding import ranked
from anonlib.counting.classes.subsets import Subsets, n_subsets
from anonlib.counting.privacy_models.coded import Coded, CodedPersons
from anonlib.counting.privacy_models.models import ONE, VALUES, AttributeDisclosure, KAnonymity, PrivacyModel, RowsKnown

# ---- parts of one count, in threads ----

T = TypeVar("T")
_LITTLE = 5_000_000  # rows times sets of columns that one thread looks at as quickly
_MOMENT = 0.05  # seconds between two looks at how far the threads are


class _Stopped(Exception):
    """Nobody waits for this part any more."""


def side_by_side(
    task: Callable[[int, Progress], T], work: Sequence[int], progress: Progress | None, looked_at: int
) -> list[T]:
    """What each part comes to, in their order.

    Parameters
    ----------
    task : Callable[[int, Progress], T]
        Does a part, given its place and whom to tell the share of it that is done.
    work : Sequence[int]
        How much there is to do in each part.
    progress : Progress | None
        Called with the share of all that is done, in this thread; what it raises ends all parts.
    looked_at : int
        Rows times sets of columns that are looked at in all.
    """
    total, shares, stopped = sum(work) or 1, [0.0] * len(work), False

    def done() -> float:
        return min(1.0, sum(share * part for share, part in zip(shares, work, strict=True)) / total)

    def tell_at_once(part: int, share: float) -> None:
        shares[part] = share
        if progress is not None:
            progress(done())

    def tell_later(part: int, share: float) -> None:
        shares[part] = share
        if stopped:
            raise _Stopped

    n = min(n_threads(), len(work))
    if n < 2 or looked_at <= _LITTLE:
        return [task(part, lambda share, part=part: tell_at_once(part, share)) for part in range(len(work))]
    with ThreadPoolExecutor(n) as threads:
        parts = [
            threads.submit(task, part, lambda share, part=part: tell_later(part, share)) for part in range(len(work))
        ]
        try:
            running = set(parts)
            while running:
                finished, running = wait(running, timeout=_MOMENT)
                for future in finished:
                    future.result()
                if progress is not None:
                    progress(done())
        finally:
            stopped = True  # what still runs here runs for nobody
            for future in parts:
                future.cancel()
    return [completed.result() for completed in parts]


# ---- many models at once ----

_WORD = 64  # bits


def can_be_marked(guarantee: PrivacyModel) -> bool:
    """Whether who violates a guarantee can be marked: sizes and certain values, by one row or sets of values."""
    if isinstance(guarantee, AttributeDisclosure) and guarantee.p > 0:
        return False
    return isinstance(guarantee, KAnonymity | AttributeDisclosure) and guarantee.rows in (ONE, VALUES)


def can_walk(guarantee: PrivacyModel) -> bool:
    """Whether that pays in a walk: smaller sets are gone through too, and must not be more than those that matter."""
    if not can_be_marked(guarantee):
        return False
    assert isinstance(guarantee, KAnonymity | AttributeDisclosure)
    return n_subsets(len(guarantee.columns), guarantee.most_known) <= 2 * guarantee.n_sets + 10


@dataclass(frozen=True, eq=False)
class _Holders:
    """The rows of all who are counted, one after the other, or what each has in one.

    Attributes
    ----------
    columns : list[np.ndarray]
        By column, intp, the codes of all rows.
    spans : list[int]
        By column, the number that its codes are below.
    n_rows : int
        Rows of all.
    """

    columns: list[np.ndarray]
    spans: list[int]
    n_rows: int

    @classmethod
    def of(cls, coded: Coded, names: Sequence[str], rows: RowsKnown) -> _Holders:
        if isinstance(coded, CodedPersons) and rows == ONE:
            alike = [(codes[coded.row], span) for codes, span in map(coded.rows.alike, names)]
            n_rows = len(coded.row)
        else:
            alike, n_rows = [coded.alike(name) for name in names], len(coded.counts)
        return cls([codes for codes, _ in alike], [span for _, span in alike], n_rows)


@dataclass(frozen=True, eq=False)
class _Values:
    """The values of a sensitive column and who has them.

    Attributes
    ----------
    start : np.ndarray
        int64, holders (rows) + 1: where the values of each begin in ``value``, and the end.
    value : np.ndarray
        int32, codes, ascending in each.
    harms : np.ndarray
        bool, a code each.
    """

    start: np.ndarray
    value: np.ndarray
    harms: np.ndarray

    @classmethod
    def of(cls, coded: Coded, guarantee: AttributeDisclosure) -> _Values:
        """Of the holders; of their rows one by one, where nobody can tell which are one person's."""
        coded = coded.as_read([guarantee.sensitive])
        harms = coded.harms(guarantee.sensitive, guarantee.harmless)
        if isinstance(coded, CodedPersons) and coded.is_unlinked(guarantee):
            value = coded.rows.codes[guarantee.sensitive][coded.row]
            return cls(np.arange(len(value) + 1), value.astype(np.int32), harms)  # of missing ones none harms
        held = coded.held(guarantee.sensitive)
        return cls(held.start, held.value.astype(np.int32), harms)

    def bits(self) -> tuple[np.ndarray, np.ndarray]:
        """Those who have values that harm, and per value a bit: of its own, or one shared where they are too many."""
        harming = np.cumsum(self.harms) - 1
        chosen = self.harms[self.value]
        owner = np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))
        return owner[chosen], harming[self.value[chosen]] % _WORD

    @property
    def n_bits(self) -> int:
        return min(_WORD, int(self.harms.sum()))

    @property
    def shares_bits(self) -> bool:
        return int(self.harms.sum()) > _WORD


@dataclass(frozen=True, eq=False)
class _Sensitive:
    """The values of some sensitive columns as bits, side by side in words of 64, of each holder.

    Attributes
    ----------
    start : np.ndarray
        Where the rows of each holder begin; of rows by themselves where nobody can tell which are one person's.
    values : Mapping[int, _Values]
        By question, the values themselves.
    bits : np.ndarray
        uint64, holders (rows) x words.
    word, field : np.ndarray
        int64 and uint64, a question each: its word, and the bits in it that are its.
    """

    start: np.ndarray
    values: Mapping[int, _Values]
    bits: np.ndarray
    word: np.ndarray
    field: np.ndarray

    @classmethod
    def of(cls, coded: Coded, guarantees: Sequence[PrivacyModel], start: np.ndarray) -> _Sensitive:
        disclosures = {
            i: guarantee for i, guarantee in enumerate(guarantees) if isinstance(guarantee, AttributeDisclosure)
        }
        by_row = isinstance(coded, CodedPersons) and any(map(coded.is_unlinked, disclosures.values()))
        start = np.arange(int(start[-1]) + 1) if by_row else start
        values = {i: _Values.of(coded, disclosure) for i, disclosure in disclosures.items()}
        word, first, n_words, free = np.zeros(len(guarantees), np.int64), np.zeros(len(guarantees), np.int64), 0, 0
        for i in sorted(values, key=lambda i: -values[i].n_bits):
            if values[i].n_bits > free or not n_words:
                n_words, free = n_words + 1, _WORD
            word[i], first[i] = n_words - 1, _WORD - free
            free -= values[i].n_bits
        bits, field = np.zeros((len(start) - 1, n_words), np.uint64), np.zeros(len(guarantees), np.uint64)
        for i, of_guarantee in values.items():
            owner, bit = of_guarantee.bits()
            np.bitwise_or.at(bits[:, word[i]], owner, np.uint64(1) << (first[i] + bit).astype(np.uint64))
            field[i] = np.uint64(((1 << of_guarantee.n_bits) - 1) << int(first[i]))
        return cls(start, values, bits, word, field)

    def n_places(self, i: int) -> int:
        """Values of first holders that there has to be room for, at most, to compare those of a question."""
        return int((np.diff(self.values[i].start) * np.diff(self.start)).sum())


@dataclass(frozen=True, eq=False)
class Violators:
    """Who violates a guarantee.

    Attributes
    ----------
    guarantee : PrivacyModel
        What is looked at.
    marked : np.ndarray
        bool per holder: it violates it by some set.
    by_set : Mapping[tuple[str, ...], int]
        How many violate it by each set of columns looked at.
    """

    guarantee: PrivacyModel
    marked: np.ndarray
    by_set: Mapping[tuple[str, ...], int]


def walk(
    coded: Coded, guarantees: Sequence[KAnonymity | AttributeDisclosure], progress: Progress | None = None
) -> list[Violators]:
    """Look at every set of columns that guarantees take somebody to know, each set once for all of them.

    Parameters
    ----------
    coded : Coded
        Those who are counted.
    guarantees : Sequence[KAnonymity | AttributeDisclosure]
        Each one that :func:`can_walk`; all take the same to be known of rows.
    progress : Progress, optional
        See :data:`Progress`.

    Returns
    -------
    list of Violators, one a guarantee
    """
    names = tuple(dict.fromkeys(name for guarantee in guarantees for name in guarantee.columns))
    most = max(guarantee.most_known for guarantee in guarantees)
    holders = _Holders.of(coded, names, guarantees[0].rows)
    marker = Marker(coded, guarantees)
    rows = np.ones(holders.n_rows, dtype=np.int64)
    by_set: list[dict[tuple[str, ...], int]] = [{} for _ in guarantees]
    marked, total = marker.nobody(), n_subsets(len(names), most)
    place_of = [{name: place for place, name in enumerate(guarantee.columns)} for guarantee in guarantees]
    sized = {n: [i for i, guarantee in enumerate(guarantees) if guarantee.most_known == n] for n in range(most + 1)}
    for done, subset in enumerate(Subsets.of_codes(holders.columns, holders.spans, rows).walk(most), start=1):
        known = frozenset(names[j] for j in subset.members)
        indices = [i for i in sized[len(known)] if known <= place_of[i].keys()]
        records = marker.mark(indices, subset.group, len(subset.sizes), marked)
        for i in indices:
            by_set[i][tuple(sorted(known, key=place_of[i].__getitem__))] = int(records[i])
        if progress is not None:
            progress(done / total)
    pairs = zip(guarantees, by_set, strict=True)
    return [Violators(guarantee, marker.of(i, marked), sets) for i, (guarantee, sets) in enumerate(pairs)]


class Marker:
    """Marks who violates which of some guarantees, by one thing after the other that may be known.

    The guarantees can be marked (:func:`can_be_marked`) and take the same to be known of rows. Marks are
    uint64, holders x blocks of 64 guarantees.
    """

    def __init__(self, coded: Coded, guarantees: Sequence[KAnonymity | AttributeDisclosure]) -> None:
        from anonlib.counting.privacy_models import sharing_kernel  # which loads the compiler

        self.kernel, self.guarantees = sharing_kernel, guarantees
        by_row = isinstance(coded, CodedPersons) and guarantees[0].rows == ONE
        self.start = coded.start if by_row else np.arange(len(coded.counts) + 1)  # type: ignore[union-attr]
        self.counts = coded.counts.astype(np.int64)
        self.sensitive = _Sensitive.of(coded, guarantees, self.start)
        values = self.sensitive.values
        self.sharing = [i for i in values if values[i].shares_bits]
        self.shares = np.isin(np.arange(len(guarantees)), self.sharing)
        n, blocks = max(int(self.start[-1]), 1), -(-len(guarantees) // _WORD)
        self.last, self.sizes, self.alone = np.empty(n, np.int32), np.empty(n, np.int64), np.empty(n, np.int64)
        self.agreed = np.empty((n, self.sensitive.bits.shape[1]), np.uint64)
        self.begin, self.length = np.empty(n, np.int64), np.empty(n, np.int32)
        self.thing_bits, self.rows, self.perhaps = (
            np.empty((n, blocks), np.uint64),
            np.empty(n, np.int32),
            np.empty(n, bool),
        )
        self.pool = np.empty(max(map(self.sensitive.n_places, self.sharing), default=0), np.int32)

    def nobody(self) -> np.ndarray:
        """Marks of nobody."""
        return np.zeros((len(self.counts), self.thing_bits.shape[1]), np.uint64)

    @staticmethod
    def of(i: int, marked: np.ndarray) -> np.ndarray:
        """bool, a holder each: it has the mark of a guarantee."""
        return (marked[:, i // _WORD] >> np.uint64(i % _WORD) & np.uint64(1)).astype(bool)

    def mark(self, indices: Sequence[int], thing: np.ndarray, n: int, marked: np.ndarray) -> np.ndarray:
        """Mark who violates some of the guarantees by what is known.

        Parameters
        ----------
        indices : Sequence[int]
            The places of the guarantees.
        thing : np.ndarray
            int, of each row of each holder (or of each holder) the number of what is known, below ``n``.
        marked : np.ndarray
            Changed in place.

        Returns
        -------
        int64, a guarantee each: how many violate it by this, marked before or not; 0 where it is not asked.
        """
        records = np.zeros(len(self.guarantees), dtype=np.int64)
        if n > len(self.last):  # numbers that nobody has are among them
            thing, n = ranked(thing)
        thing, thing_bits = thing.astype(np.int32), self.thing_bits[:n]
        thing_bits[:] = 0
        self._tell_sure(indices, thing, thing_bits)
        for i in indices:
            guarantee = self.guarantees[i]
            if isinstance(guarantee, KAnonymity):
                _set(thing_bits, i, self._few(guarantee.least, thing, n))
        if thing_bits.any():
            self.kernel.mark(thing, self.start, self.counts, thing_bits, self.alone, marked, records)
        return records

    def _few(self, least: int, thing: np.ndarray, n: int) -> np.ndarray:
        """bool, a thing each: fewer have it."""
        sizes = self.sizes[:n]
        self.kernel.count_holders(thing, self.start, self.counts, self.last, sizes)
        return sizes < least

    def _tell_sure(self, indices: Sequence[int], thing: np.ndarray, thing_bits: np.ndarray) -> None:
        """Set the bits of questions on values of which somebody who knows a thing is sure."""
        sensitive, n = self.sensitive, len(thing_bits)
        if not sensitive.values:
            return
        agreed, rows, perhaps = self.agreed[:n], self.rows[:n], self.perhaps[:n]
        word, field = sensitive.word, sensitive.field
        self.kernel.agree(thing, sensitive.start, sensitive.bits, agreed, rows)
        of_values = np.array([i for i in indices if i in sensitive.values], dtype=np.int64)
        self.kernel.tell(agreed, rows, word, field, self.shares, of_values, thing_bits)
        for i in self.sharing:
            if i in indices and self.kernel.perhaps(agreed, rows, word[i], field[i], perhaps):
                values = sensitive.values[i]
                self.kernel.shared_values(
                    thing, sensitive.start, values.start, values.value, values.harms, perhaps, self.last, self.begin,
                    self.length, self.pool,
                )  # fmt: skip
                _set(thing_bits, i, perhaps)


def _set(thing_bits: np.ndarray, i: int, flagged: np.ndarray) -> None:
    """Set the bit of a question for some things (bool each)."""
    thing_bits[flagged, i // _WORD] |= np.uint64(1) << np.uint64(i % _WORD)

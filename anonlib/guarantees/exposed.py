"""Who violates a guarantee: distinct rows of codes, looked at by every set of columns that someone may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from anonlib.classes import ClassTable, diversity
from anonlib.classes.coding import group as numbered
from anonlib.classes.coding import tally
from anonlib.guarantees.kinds import Average, Close, Diverse, Guarantee, Shared, Uncertain, sensitive_of

_SLACK = 1e-12  # figures that are equal but for the rounding of floats are equal
Groups = tuple[np.ndarray, np.ndarray]
"""Per row the number of its group, and per number the records in that group: 0 where no row has the number."""


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Distinct rows of released values, as codes.

    Attributes
    ----------
    codes : by column, intp, a row each.
    labels : by column, the label of each code (object array, None = missing).
    counts : int64, records of each row, 0 or more.
    """

    codes: Mapping[str, np.ndarray]
    labels: Mapping[str, np.ndarray]
    counts: np.ndarray

    @classmethod
    def of(cls, classes: ClassTable) -> CodedRows:
        """The classes of a table as rows."""
        codes = {name: classes.codes[:, j].astype(np.intp) for j, name in enumerate(classes.attributes)}
        return cls(codes, dict(zip(classes.attributes, classes.categories, strict=True)), classes.counts)

    @property
    def n_records(self) -> int:
        """Records in all rows."""
        return int(self.counts.sum())

    @cached_property
    def _codes_and_spans(self) -> dict[str, tuple[np.ndarray, int]]:
        return {name: (codes, max(1, len(self.labels[name]))) for name, codes in self.codes.items()}

    def groups(self, columns: Iterable[str]) -> Groups:
        """The groups that share their values in some columns; none of them: everyone is in one."""
        chosen = [self._codes_and_spans[name] for name in columns]
        return tally([codes for codes, _ in chosen], [span for _, span in chosen], self.counts)

    def harmless(self, column: str, values: Sequence[str]) -> np.ndarray:
        """bool, a row each: its value of a sensitive column is missing or one of those that harm nobody."""
        harmless = set(values)
        of_label = np.array([label is None or _is_harmless(label, harmless) for label in self.labels[column]], bool)
        return of_label[self.codes[column]]

    def left(self, counts: np.ndarray) -> CodedRows:
        """The rows with other records, without those that have none left."""
        kept = counts > 0
        if kept.all():
            return replace(self, counts=counts)
        codes = {name: codes[kept] for name, codes in self.codes.items()}
        return CodedRows(codes, self.labels, counts[kept])

    def by_text(self, names: Sequence[str]) -> tuple[CodedRows, np.ndarray]:
        """The rows in the order of some columns' labels as text, and each row's old place.

        The codes stay as they are: their order is that of the values where distances depend on it.
        """
        ranks = [in_text_order(self.labels[name])[self.codes[name]] for name in reversed(names)]
        order = np.lexsort([np.zeros(len(self.counts), np.intp), *ranks])
        return CodedRows(
            {name: each[order] for name, each in self.codes.items()}, self.labels, self.counts[order]
        ), order


def in_text_order(labels: np.ndarray) -> np.ndarray:
    """intp, per label its place in the order of their text, missing last."""
    texts = [text_of(label) for label in labels.tolist()]
    order = sorted(range(len(labels)), key=lambda i: (texts[i] is None, texts[i] or ""))
    rank = np.empty(len(labels), dtype=np.intp)
    rank[order] = np.arange(len(labels))
    return rank


def text_of(label: str | None) -> str | None:
    """A label as text; of the set of values of a person whose rows differ, the same in whatever order they are."""
    members = getattr(label, "members", None)
    return label if members is None else " | ".join(sorted(members))


def _is_harmless(label: str, harmless: set[str]) -> bool:
    """A set of values, of a person whose rows differ, is harmless where all of them are."""
    members = getattr(label, "members", None)
    return label in harmless if members is None else all(member in harmless for member in members)


@dataclass(frozen=True)
class Exposure:
    """Who violates a guarantee.

    Attributes
    ----------
    guarantee : what is looked at.
    records : how many records (persons, summed weights) violate it by some set of columns.
    n_records : all of them.
    by_set : how many violate it by each set of columns looked at, most first; of equal ones the smaller set.
    """

    guarantee: Guarantee
    records: int
    n_records: int
    by_set: tuple[tuple[tuple[str, ...], int], ...]

    @property
    def share(self) -> float:
        """Of all records, in [0, 1]."""
        return self.records / self.n_records if self.n_records else 0.0

    @property
    def is_met(self) -> bool:
        """Whether no more violate than may: compared by division, so that 7 of 100 are a share of 0.07."""
        return self.share <= self.guarantee.share


def violating(rows: CodedRows, guarantee: Guarantee) -> np.ndarray:
    """Which rows violate a guarantee by some set of columns that may be known.

    Parameters
    ----------
    rows : CodedRows
        Rows that have all columns that the guarantee names.
    guarantee : Guarantee
        All but :class:`Average`, which is of all records at once.

    Returns
    -------
    ndarray of bool, an item a row
    """
    found = np.zeros(len(rows.counts), dtype=bool)
    for _, mask in _by_set(rows, guarantee):
        found |= mask
    return found


def exposure(rows: CodedRows, guarantee: Guarantee, progress: Callable[[float], None] | None = None) -> Exposure:
    """Who violates a guarantee, and by which sets of columns.

    Parameters
    ----------
    rows, guarantee
        As for :func:`violating`.
    progress : callable, optional
        Called with each set's share of all; may raise to stop.

    Returns
    -------
    Exposure
    """
    found, by_set = np.zeros(len(rows.counts), dtype=bool), []
    for columns, mask in _by_set(rows, guarantee):
        found |= mask
        by_set.append((columns, int(rows.counts[mask].sum())))
        if progress is not None:
            progress(len(by_set) / n_sets(guarantee))
    by_set.sort(key=lambda each: (-each[1], len(each[0])))
    return Exposure(guarantee, int(rows.counts[found].sum()), rows.n_records, tuple(by_set))


def n_sets(guarantee: Guarantee) -> int:
    """How many sets of columns have to be looked at."""
    return guarantee.n_sets if isinstance(guarantee, Shared | Uncertain) else 1


def classes_and_records(rows: CodedRows, columns: Iterable[str]) -> tuple[int, int]:
    """How many classes some columns make, and the records in them."""
    sizes = rows.groups(columns)[1]
    return int(np.count_nonzero(sizes)), rows.n_records


def _by_set(rows: CodedRows, guarantee: Guarantee) -> Iterator[tuple[tuple[str, ...], np.ndarray]]:
    """Each set of columns to be looked at, and which rows violate the guarantee by it."""
    match guarantee:
        case Shared():
            for columns in guarantee.sets():
                yield columns, too_few(rows.groups(columns), guarantee.least)
        case Uncertain():
            open_to_harm = ~rows.harmless(guarantee.sensitive, guarantee.harmless)
            for columns in guarantee.sets():
                both = rows.groups((*columns, guarantee.sensitive))
                yield columns, too_alike(rows.groups(columns), both, guarantee.p) & open_to_harm
        case Diverse() | Close():
            yield guarantee.columns, _poor(rows, guarantee)
        case Average():
            raise TypeError("An average is of all records; no row violates it by itself.")


def too_few(groups: Groups, least: int) -> np.ndarray:
    """bool, a row each: fewer than ``least`` records are in its group."""
    ids, sizes = groups
    return (sizes < least)[ids]


def too_alike(groups: Groups, both: Groups, p: float) -> np.ndarray:
    """bool, a row each: at most a share ``p`` of the records in its group are not in its group of ``both``."""
    peers, same = groups[1][groups[0]], both[1][both[0]]
    return same == peers if p == 0 else (peers - same) / np.maximum(1, peers) <= p


def _poor(rows: CodedRows, guarantee: Diverse | Close) -> np.ndarray:
    """bool, a row each: its class lacks l-diversity or t-closeness."""
    sensitive = sensitive_of(guarantee)
    assert sensitive is not None
    if not len(rows.counts):
        return np.zeros(0, dtype=bool)
    value, span = rows._codes_and_spans[sensitive]
    columns = [rows._codes_and_spans[name] for name in guarantee.columns]
    codes = np.column_stack([*(codes for codes, _ in columns), np.zeros(len(value), dtype=np.intp)])
    ids, first = numbered(codes, [*(span for _, span in columns), 1])
    pairs, one_of_pair = numbered(np.column_stack([ids, value]), [len(first), span])
    records = np.bincount(pairs, weights=rows.counts)
    sizes = np.bincount(ids, weights=rows.counts, minlength=len(first))
    of_group, of_value = ids[one_of_pair], value[one_of_pair]
    share = records / sizes[of_group]
    overall = np.bincount(value, weights=rows.counts, minlength=span) / rows.counts.sum()
    match guarantee:
        case Diverse(by="distinct"):
            bad = diversity.distinct_values(of_group, len(first)) < guarantee.l
        case Diverse():
            bad = diversity.entropy(of_group, share, len(first)) < np.log(guarantee.l) - _SLACK
        case Close(distance="equal"):
            bad = diversity.equal_distance(of_group, of_value, share, overall, len(first)) > guarantee.t + _SLACK
        case _:
            used = overall > 0  # values that do not occur are no step between others
            rank = np.cumsum(used) - 1
            bad = diversity.ordered_distance(of_group, rank[of_value], share, overall[used]) > guarantee.t + _SLACK
    return bad[ids]

"""Singling out by predicates: conditions that are true of one released record are tried on the people.

Giomi et al. (2023), section 4.1: a predicate is made of a released record's labels in some columns, on numbers as "at
least" above the median and "at most" elsewhere; those that are true of one released record are tried, and one succeeds
where it is true of exactly one person. The baseline draws columns, labels and operators from the margins. The control
is smaller than what was released, so its successes are corrected for size.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonlib.basics.progress import Progress, nobody
from anonlib.verdict.attacks import attack_loops
from anonlib.verdict.attacks.attack_loops import AT_LEAST, AT_MOST, DIFFERENT, EQUAL, LESS, MORE, PeopleRows
from anonlib.verdict.attacks.matching import Matching, side_by_side
from anonlib.verdict.attacks.result import Attack, Rate

MOST_DRAWN = 200
"""Predicates that are drawn for each that is to be tried, at most."""
_AT_ONCE, _MOST_AT_ONCE = 2_000, 20_000  # predicates that are drawn at first, and where few are to be tried
_SLICE = 200  # predicates that a thread counts


@dataclass(frozen=True, eq=False)
class Predicates:
    """Conditions, each on some columns.

    Attributes
    ----------
    columns, operators, labels : np.ndarray
        int32, predicates x conditions; a column of -1 is no condition.
    """

    columns: np.ndarray
    operators: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.columns)

    def some(self, chosen: np.ndarray) -> Predicates:
        """Those at these places, or of these flags."""
        return Predicates(self.columns[chosen], self.operators[chosen], self.labels[chosen])

    @classmethod
    def joined(cls, several: list[Predicates]) -> Predicates:
        return cls(
            *(np.concatenate([getattr(predicates, name) for predicates in several]) for name in cls.__annotations__)
        )

    @classmethod
    def none(cls, n_conditions: int) -> Predicates:
        return cls(*(np.empty((0, n_conditions), dtype=np.int32) for _ in range(3)))


def predicate_attack(
    matching: Matching,
    names: tuple[str, ...],
    n_columns: int,
    tries: int,
    knows: str,
    rng: np.random.Generator,
    progress: Progress = nobody,
) -> Attack:
    """Try to single people out by predicates of so many columns.

    Parameters
    ----------
    matching : Matching
        The release and the people.
    names : tuple[str, ...]
        The columns that predicates are made of.
    n_columns : int
        How many each is of; 1: all predicates that there are, up to ``tries``.
    tries : int
        How many are tried, as far as so many are true of one released record.
    knows : str
        Whose knowledge it is, which stands in the result.
    rng : np.random.Generator
        What predicates are drawn by.
    progress : Progress, default nobody
        Called with the share that is done, 0 to 1; may raise to stop.
    """
    places = matching.places(names)
    size = min(n_columns, len(places))
    if size == 1:
        drawn, n_drawn = _of_one_column(matching, places, tries, rng)
    else:
        drawn, n_drawn = _drawn(matching, places, size, tries, rng, progress)
    members = matching.members
    successes = int((_people(matching, drawn, members) == 1).sum())
    baseline = int((_people(matching, _from_margins(matching, places, size, len(drawn), rng), members) == 1).sum())
    how = "one column" if size == 1 else f"{_NUMBERS.get(size, str(size))} columns"
    note = f"Of {n_drawn:,} conditions drawn {len(drawn):,} different ones are true of one released record."
    control = _control(matching, drawn, len(members.rows)) if matching.control.any() else None
    return Attack(
        "singling out", how, knows, tuple(matching.columns[j].name for j in places), size, "",
        Rate(successes, len(drawn)), Rate(baseline, len(drawn)), control, note, n_drawn,
    )  # fmt: skip


_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


# ---- which predicates ----


def _of_one_column(
    matching: Matching, places: np.ndarray, tries: int, rng: np.random.Generator
) -> tuple[Predicates, int]:
    """Labels that one released record has, and the least and greatest numbers."""
    triples = list[tuple[int, int, int]]()
    for j in places.tolist():
        column = matching.columns[j]
        triples += [(j, EQUAL, label) for label in range(len(column.labels))]
        if column.has_plain_numbers:
            low, _ = column.limits
            occurring = np.unique(column.released[column.released >= 0])
            occurring = occurring[column.is_text[occurring]]
            if len(occurring):
                triples.append((j, AT_MOST, int(occurring[low[occurring].argmin()])))
                triples.append((j, AT_LEAST, int(occurring[low[occurring].argmax()])))
    table = np.array(triples, dtype=np.int32).reshape(-1, 3)[rng.permutation(len(triples))]
    predicates = Predicates(*(table[:, [i]] for i in range(3)))
    alone = list[int]()
    for begin in range(0, len(predicates), _AT_ONCE):
        some = np.arange(begin, min(begin + _AT_ONCE, len(predicates)))
        alone += some[_released(matching, predicates.some(some)) == 1].tolist()
        if len(alone) >= tries:
            break
    chosen = np.array(alone[:tries], dtype=np.int64)
    return predicates.some(chosen), int(chosen[-1]) + 1 if len(chosen) == tries else len(predicates)


def _drawn(
    matching: Matching, places: np.ndarray, size: int, tries: int, rng: np.random.Generator, progress: Progress
) -> tuple[Predicates, int]:
    """Different predicates of drawn released records that are true of one, and how many were drawn for them."""
    if not len(places) or not matching.n_released:
        return Predicates.none(max(1, size)), 0
    is_number = np.array([column.has_plain_numbers for column in matching.columns], dtype=bool)
    middle = np.array([_median(matching, j) if is_number[j] else np.nan for j in range(len(is_number))])
    known, batches, n_found, n_drawn = set[bytes](), list[Predicates](), 0, 0
    while n_found < tries and n_drawn < tries * MOST_DRAWN:
        progress(max(n_found / tries, n_drawn / (tries * MOST_DRAWN)))
        wanted = (tries - n_found) * (n_drawn / n_found if n_found else _MOST_AT_ONCE)
        n = min(max(_AT_ONCE, int(wanted)), _MOST_AT_ONCE, tries * MOST_DRAWN - n_drawn) if n_drawn else _AT_ONCE
        rows, chance = rng.integers(matching.n_released, size=n), rng.random((n, len(places)))
        batch = Predicates(*(np.empty((n, size), dtype=np.int32) for _ in range(3)))
        attack_loops.draw(matching.arrays, places, chance, rows, is_number, middle, *_content(batch, slice(None)))
        alone = np.flatnonzero(_released(matching, batch) == 1)
        alone = alone[_are_new(known, batch.some(alone))]
        if len(alone) > tries - n_found:  # how many were drawn until then
            alone = alone[: tries - n_found]
            n_drawn += int(alone[-1]) + 1
        else:
            n_drawn += n
        batches.append(batch.some(alone))
        n_found += len(alone)
    return Predicates.joined(batches), n_drawn


def _are_new(known: set[bytes], predicates: Predicates) -> np.ndarray:
    """bool, a predicate each: whether it was not there before; all are known then."""
    keys = np.concatenate(_content(predicates, slice(None)), axis=1)
    rows = [row.tobytes() for row in keys]
    return np.array([not (row in known or known.add(row)) for row in rows], dtype=bool)  # type: ignore[func-returns-value]


def _median(matching: Matching, j: int) -> float:
    column = matching.columns[j]
    numbers = column.limits[0][column.released[column.released >= 0]]
    numbers = numbers[~np.isnan(numbers)]
    return float(np.median(numbers)) if len(numbers) else np.nan


def _subsets(rng: np.random.Generator, n: int, size: int, times: int) -> np.ndarray:
    """int, times x size: so many different places, each set as likely."""
    return np.argsort(rng.random((times, n)), axis=1)[:, :size]


def _from_margins(
    matching: Matching, places: np.ndarray, size: int, times: int, rng: np.random.Generator
) -> Predicates:
    """Columns, labels and operators drawn without a look at records."""
    filled = np.array([j for j in places.tolist() if len(matching.columns[j].labels)], dtype=np.int32)
    size = min(size, len(filled))
    if not size or not times:
        return Predicates.none(max(1, size))
    columns = filled[_subsets(rng, len(filled), size, times)].astype(np.int32)
    operators, labels = np.empty_like(columns), np.empty_like(columns)
    for j in filled.tolist():
        here = columns == j
        column = matching.columns[j]
        labels[here] = rng.integers(len(column.labels), size=int(here.sum()))
        several = (EQUAL, DIFFERENT, AT_LEAST, AT_MOST, MORE, LESS) if column.has_plain_numbers else (EQUAL, DIFFERENT)
        operators[here] = rng.choice(np.array(several, dtype=np.int32), size=int(here.sum()))
        operators[here & (operators > DIFFERENT) & ~column.is_text[np.where(here, labels, 0)]] = EQUAL
    return Predicates(columns, operators, labels)


# ---- of whom they are true ----


def _released(matching: Matching, predicates: Predicates) -> np.ndarray:
    """int64, a predicate each: of how many released it is true; 2 is several."""
    counts = np.zeros(len(predicates), dtype=np.int64)

    def count_slice(some: slice) -> None:
        attack_loops.count_released(matching.arrays, *_content(predicates, some), counts[some])

    side_by_side(count_slice, matching, len(predicates), at_once=_SLICE)
    return counts


def _people(matching: Matching, predicates: Predicates, people: PeopleRows, most: int = 1) -> np.ndarray:
    """int64, a predicate each: of how many of some people it is true, counted until they are more than most."""
    counts = np.zeros(len(predicates), dtype=np.int64)
    predicates = _telling_first(matching, predicates)

    def count_slice(some: slice) -> None:
        attack_loops.count_people(matching.arrays, people, *_content(predicates, some), most, counts[some])

    side_by_side(count_slice, matching, len(predicates), at_once=_SLICE)
    return counts


def _telling_first(matching: Matching, predicates: Predicates) -> Predicates:
    """The same, their conditions in another order: what is not true is seen sooner."""
    n_labels = np.append([len(column.labels) for column in matching.columns], -1)
    tells = np.where(predicates.operators == EQUAL, n_labels[predicates.columns], 0)
    order = np.argsort(-tells, axis=1, kind="stable")
    return Predicates(
        *(np.take_along_axis(array, order, axis=1) for array in _content(predicates, slice(None)))
    )  # fmt: skip


def _content(predicates: Predicates, some: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return predicates.columns[some], predicates.operators[some], predicates.labels[some]


# ---- the control ----


def _control(matching: Matching, predicates: Predicates, n_members: int) -> Rate:
    """Successes against people who are not in the file, as if they were as many as those who are.

    Of how many of the control each predicate is true is taken to be Poisson, by weights of a gamma distribution, which
    is fitted by likelihood (the counts are then negative binomial). By it the chance to be true of exactly one of n is
    n a b^a / (b + n)^(a + 1), on average. Giomi et al. (2023) fit uniform weights to the successes alone, which is too
    low by far where the control is a tenth.
    """
    n = len(matching.others.rows)
    counts = _people(matching, predicates, matching.others, n)
    if n_members == n:
        return Rate(int((counts == 1).sum()), len(predicates))
    if not counts.any():
        return Rate(0, len(predicates))
    shape, rate = _fitted(counts, n)
    chance = n_members * shape * np.exp(shape * np.log(rate) - (shape + 1) * np.log(rate + n_members))
    return Rate(float(chance) * len(predicates), len(predicates))


def _fitted(counts: np.ndarray, n: int) -> tuple[float, float]:
    """Shape and rate of the gamma distribution of weights by which so many of n people are most likely."""
    from scipy.optimize import minimize_scalar
    from scipy.special import gammaln

    mean = counts.mean()

    def unlikely(log_shape: float) -> float:
        shape = np.exp(log_shape)
        likely = gammaln(counts + shape) - gammaln(shape) + shape * np.log(shape / (shape + mean))
        return -float((likely + counts * np.log(mean / (shape + mean))).sum())

    shape = float(np.exp(minimize_scalar(unlikely, bounds=(-6, 6), method="bounded").x))
    return shape, shape * n / mean

"""Where an anonymity vector stands among all vectors of as many records (Caballero et al. 2017, section 5.3).

First comes how many partitions a number has: all of them, and those whose parts all have a least size. q(n, m) is the
number of partitions of n into parts of at least m: an anonymity vector of n records whose classes have at least m
members is one such partition. p(n) = q(n, 1). One partition, the empty one, has n = 0.

Then comes a vector's index, the number of vectors that are lexicographically larger, that is worse: 0 for (N), where
everyone is alone, and p(N) - 1 for everyone in one class. A larger vector agrees with v on the sizes below some i and
has more classes of size i; the n_i records that are not in smaller classes then leave n_i - i (v_i + 1) to be split
into classes of at least i. So

    index(v) = sum_i q(n_i - i (v_i + 1), i).

Over sizes a, ..., b - 1 that do not occur the terms sum to q(n, a) - q(n, b): the larger one there has its smallest
part there. So only the sizes that occur take look-ups.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import lru_cache
from threading import Lock

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.counting.classes import AnonymityVector

Count = tuple[int, int]
"""(n, m): stands for q(n, m)."""

PARTITIONS_LIMIT = 10_000_000
"""The largest n for which p(n) takes about a second; it has 3,515 digits there."""

_GUARD = 20  # decimal digits beyond the integer's own, far more than the roundings of a few thousand terms take
_FEW_PARTS = 40
_SMALL = 500


@lru_cache(maxsize=256)
def number_of_partitions(n: int) -> int:
    """p(n), exactly: how many ways there are to write n as a sum of positive integers, in whatever order.

    Sums Rademacher's convergent series (1938, Proc. London Math. Soc. 43), of which Hardy and Ramanujan's formula is
    the first term, until his bound on the rest leaves only one integer. Its elementary form is p(n) = 4 / (24n - 1)
    sum_k B_k(n) U(C / k) with C = pi sqrt(24n - 1) / 6 and U(x) = cosh x - sinh x / x; B_k is Selberg's sum of cosines.
    Milliseconds up to 100,000, about a second at ``PARTITIONS_LIMIT``.
    """
    if n < 2:
        return 1
    exponent = math.pi * math.sqrt(24 * n - 1) / 6
    digits = int(exponent / math.log(10)) + _GUARD
    with localcontext() as context:
        context.prec = digits
        pi = _pi(digits)
        largest = pi * Decimal(24 * n - 1).sqrt() / 6
        total = Decimal(0)
        for k in range(1, _terms_needed(n) + 1):
            context.prec = int(exponent / k / math.log(10)) + _GUARD  # later terms are shorter numbers
            cosines = _selberg_sum(n, k, pi)
            if cosines:
                x = +largest / k
                rising = x.exp()
                falling = 1 / rising
                term = cosines * ((rising + falling) / 2 - (rising - falling) / (2 * x))
                context.prec = digits
                total += term
        context.prec = digits
        return int((total * 4 / (24 * n - 1)).to_integral_value())


def _terms_needed(n: int) -> int:
    """Terms after which the rest of the series is below 0.4, by Rademacher's bound."""
    terms = 1
    while True:
        sinh = math.sinh(min(700.0, math.pi * math.sqrt(2 * n / 3) / terms))
        rest = 44 * math.pi**2 / (225 * math.sqrt(3 * terms))
        rest += math.pi * math.sqrt(2) / 75 * math.sqrt(terms / (n - 1)) * sinh
        if rest < 0.4:
            return terms
        terms += 1


def _selberg_sum(n: int, k: int, pi: Decimal) -> Decimal:
    """The sum of (-1)^l cos(pi (6l + 1) / (6k)) over those l < 2k for which (3l^2 + l) / 2 = -n modulo k."""
    total = Decimal(0)
    for step in range(2 * k):
        if ((3 * step * step + step) // 2 + n) % k == 0:
            sixths = min(6 * step + 1, 12 * k - 6 * step - 1)  # the angle, folded into half a turn and then a quarter
            sign = -1 if step % 2 else 1
            if sixths > 3 * k:
                sign, sixths = -sign, 6 * k - sixths
            total += sign * _cosine(+pi * sixths / (6 * k))
    return total


def _cosine(angle: Decimal) -> Decimal:
    total = term = Decimal(1)
    square = angle * angle
    power = 0
    while True:
        power += 2
        term = -term * square / (power * (power - 1))
        if total + term == total:
            return total
        total += term


def _pi(digits: int) -> Decimal:
    """pi by Machin's formula."""
    unit = 10 ** (digits + 10)

    def arctan_of_inverse(x: int) -> int:
        total = power = unit // x
        odd = 1
        while power:
            power //= x * x
            odd += 2
            total += -(power // odd) if odd % 4 == 3 else power // odd
        return total

    return Decimal(4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))) / unit


_table = [1]
_growing = Lock()


def _partitions_up_to(n: int) -> np.ndarray:
    """A fresh (n + 1,) array of p(0), p(1), ... as Python integers, by Euler's pentagonal number recurrence.

    What was counted is kept, and goes on from there.
    """
    with _growing:
        pentagonal = [(k * (3 * k - 1) // 2, k) for k in range(1, math.isqrt(n) + 2)]
        for more in range(len(_table), n + 1):
            total = 0
            for lower, k in pentagonal:
                if lower > more:
                    break
                pair = _table[more - lower]
                if lower + k <= more:
                    pair += _table[more - lower - k]
                total += pair if k % 2 else -pair
            _table.append(total)
        return np.array(_table[: n + 1], dtype=object)


def partition_counts(wanted: Iterable[Count]) -> dict[Count, int]:
    """q(n, m) for each (n, m) wanted, exactly, all of them together; 0 for negative n.

    Takes about 2 sqrt(n) additions of vectors of Python integers at most, for the largest n: small m are reached from
    p = q(., 1) by raising the least part, large ones by the number of parts, which is at most n / m.
    """
    counts: dict[Count, int] = {}
    hard: list[Count] = []
    for n, least in set(wanted):
        if n < 2 * least:
            counts[n, least] = int(n == 0 or n >= least)
        else:
            hard.append((n, least))
    hard.sort(key=lambda count: count[1])
    turn = _cheapest_turn(hard)
    _raise_the_least_part(hard[:turn], counts)
    _raise_the_number_of_parts(hard[turn:], counts)
    return counts


def _cheapest_turn(ascending: list[Count]) -> int:
    """How many of the counts, in order of least part, are to be had by raising it; it takes a vector step each time."""
    turn, steps, most_parts = len(ascending), math.inf, 0
    for position in range(len(ascending), -1, -1):
        if position < len(ascending):
            n, least = ascending[position]
            most_parts = max(most_parts, n // least)
        needed = most_parts + (ascending[position - 1][1] if position else 0)
        if needed < steps:
            turn, steps = position, needed
    return turn


def _raise_the_least_part(ascending: list[Count], counts: dict[Count, int]) -> None:
    """q(n, m + 1) = q(n, m) - q(n - m, m)."""
    if not ascending:
        return
    largest = np.maximum.accumulate([n for n, _ in ascending][::-1])[::-1].tolist()
    table = _partitions_up_to(largest[0])
    reached = 1
    for (n, least), needed in zip(ascending, largest, strict=True):
        table = table[: needed + 1]
        while reached < least:
            table[reached:] = table[reached:] - table[:-reached]
            reached += 1
        counts[n, least] = table[n]


def _raise_the_number_of_parts(wanted: list[Count], counts: dict[Count, int]) -> None:
    """q(n, m) = sum over j of the partitions of n - jm into at most j parts (or, the same, parts of at most j).

    These are had for all n at once from those with j - 1: add what stands j places before, from left to right.
    """
    counts.update(dict.fromkeys(wanted, 0))
    parts = 1
    table = np.ones(max((n - least for n, least in wanted), default=0) + 1, dtype=object)
    while wanted:
        table = table[: max(n - parts * least for n, least in wanted) + 1]
        if parts > 1:
            rows = np.zeros(-(-len(table) // parts) * parts, dtype=object)
            rows[: len(table)] = table
            table = np.add.accumulate(rows.reshape(-1, parts), axis=0).ravel()[: len(table)]
        for n, least in wanted:
            counts[n, least] += table[n - parts * least]
        parts += 1
        wanted = [(n, least) for n, least in wanted if n >= parts * least]


@lru_cache(maxsize=4096)
def approximate_count(n: int, least: int) -> tuple[Decimal, float]:
    """q(n, least) to about ten digits or better, and how large its relative error is at most, as measured.

    Small n and at most three parts are counted. With few parts, j of them can be chosen in about
    (n - jm + j(j + 1) / 4)^(j - 1) / (j! (j - 1)!) ways; the measured error is below (n/m)^3 / (90 n). Otherwise the
    saddle point; its error is taken to be its last term, or the square of the one before, which is too cautious where
    there are many parts.
    """
    if n <= _SMALL or n < 2 * least:
        return Decimal(partition_counts([(n, least)])[n, least]), 0.0
    most_parts = n // least
    if most_parts < _FEW_PARTS:
        if most_parts <= 3:
            third = ((n - 3 * least + 3) ** 2 + 6) // 12 if most_parts == 3 else 0
            return Decimal(1 + (n - 2 * least) // 2 + 1 + third), 0.0
        parts = np.arange(1, most_parts + 1)
        ways = (parts - 1) * np.log(n - parts * least + parts * (parts + 1) / 4)
        logs = [way - math.lgamma(j + 1) - math.lgamma(j) for j, way in zip(parts.tolist(), ways.tolist(), strict=True)]
        return sum((Decimal(log).exp() for log in logs), Decimal(0)), most_parts**3 / (90 * n)
    return _saddle_point(n, least)


def _saddle_point(n: int, least: int) -> tuple[Decimal, float]:
    """The coefficient of x^n in Q(x) = prod_{i >= m} 1 / (1 - x^i), with two correction terms (Daniels 1954)."""
    t = math.pi / math.sqrt(6 * n) if least * least < n else math.log1p(n / least) / least
    while True:
        # Parts much larger than 1 / t hardly occur in a partition.
        sizes = np.arange(least, min(n, int(least + 45 / t)) + 1, dtype=float)
        mean = 1 / np.expm1(t * sizes)  # of the number of parts of each size, and its variance
        variance = mean * (1 + mean)
        reached = float((sizes * mean).sum())
        k2 = float((sizes**2 * variance).sum())
        if abs(reached - n) <= 1e-9 * n:
            break
        t *= math.exp(math.log(reached / n) * reached / (k2 * t))
    log = n * t - float(np.log(-np.expm1(-t * sizes)).sum()) - math.log(2 * math.pi * k2) / 2
    skew = variance * (1 + 2 * mean)
    third, fourth, fifth, sixth = (
        float(np.sum(sizes**power * cumulant)) / k2 ** (power / 2)
        for power, cumulant in (
            (3, skew),
            (4, variance * (1 + 6 * variance)),
            (5, skew * (1 + 12 * variance)),
            (6, variance * (1 + 30 * variance + 120 * variance**2)),
        )
    )
    first = fourth / 8 - 5 * third**2 / 24
    second = -sixth / 48 + 7 * third * fifth / 48 + 35 * fourth**2 / 384
    second += -35 * third**2 * fourth / 64 + 385 * third**4 / 1152
    # The logarithm is a double: its own rounding adds a few units of its last place.
    return Decimal(log).exp() * Decimal(1 + first + second), max(abs(second), first**2) + 1e-14 * n * t


EXACT_LIMIT = 20_000
"""Records not counting those alone: up to here an index is exact, in a fraction of a second."""
_NEGLIGIBLE = Decimal("1e-15")


@dataclass(frozen=True)
class LogIndex:
    """The size of an index, which itself may have hundreds of digits.

    Attributes
    ----------
    log10 : float
        Its decimal logarithm, -inf for an index of 0.
    relative_error : float
        The index is within this share of the true one (0 when ``is_exact``; else an upper estimate, measured where
        exact counts are at hand: docstring of ``log_index``).
    is_exact : bool
        The index was counted, not approximated.
    """

    log10: float
    relative_error: float
    is_exact: bool


def number_of_vectors(n: int) -> int:
    """How many anonymity vectors there are of n records: p(n), the partitions of n, exactly.

    Parameters
    ----------
    n : int
        Records, 0 to 10 million: milliseconds at 100,000 and about a second at 10 million.

    Returns
    -------
    int

    Raises
    ------
    InputError
        For a number out of this range.

    References
    ----------
    Caballero et al. 2017, section 5.2.

    Examples
    --------
    >>> number_of_vectors(15), number_of_vectors(100)
    (176, 190569292)
    """
    if not 0 <= n <= PARTITIONS_LIMIT:
        raise InputError(
            f"The number of vectors is computed for 0 to {PARTITIONS_LIMIT:,} records. For more, log_index of one "
            "class of all records gives its logarithm.",
            code="number-out-of-range",
        )
    return number_of_partitions(int(n))


def lexicographic_index(vector: AnonymityVector, *, exact: bool = True) -> int:
    """How many vectors of as many records are worse, that is lexicographically larger.

    Parameters
    ----------
    vector : AnonymityVector
        How many classes there are of each size.
    exact : bool, default True
        Whether to insist on the exact number, which is had while at most ``EXACT_LIMIT`` records are not alone. Else,
        beyond that, the approximation of :func:`log_index` is given, of which only the first digits mean something.

    Returns
    -------
    int
        From 0 for (N) to p(N) - 1 for one class; a better vector has a larger index.

    Raises
    ------
    InputError
        If the exact number is asked for and too many records are not alone.

    References
    ----------
    Caballero et al. 2017, section 5.3.

    Examples
    --------
    The running example: everyone alone, the schedule of Table 3, the optimal one, and everyone in one class.

    >>> from anonlib.counting.classes import anonymity_vector
    >>> sizes = [1] * 15, [1] * 9 + [2] * 3, [2, 2, 3, 4, 4], [15]
    >>> [lexicographic_index(anonymity_vector(of)) for of in sizes]
    [0, 7, 144, 175]
    """
    index = _index(vector)
    if exact and index.relative_error is not None:
        raise InputError(
            f"The index is counted exactly for up to {EXACT_LIMIT:,} records in classes of two or more. "
            "For more, approximate it: exact=False, or log_index.",
            code="number-out-of-range",
        )
    return int(index.value)


def log_index(vector: AnonymityVector) -> LogIndex:
    """The decimal logarithm of the index, with the error it may have.

    Exact where :func:`lexicographic_index` is. Beyond, counts of partitions come from the saddle point with two
    correction terms; the error given is the size of the second one, about 0.02 / N of the index. That is too cautious:
    against exact counts the error of p(N) was 2e-7 at N = 1,000, 6e-9 at 10,000 and 1e-11 at a million.

    Parameters
    ----------
    vector : AnonymityVector
        How many classes there are of each size.

    Returns
    -------
    LogIndex

    Examples
    --------
    The best vector of 5,000 people has all of them in one class: the p(5,000) - 1 others are worse. Caballero et al.
    2017 print p(5,000), a number of 75 digits that begins with 1698.

    >>> from anonlib.counting.classes import anonymity_vector
    >>> found = log_index(anonymity_vector([5_000]))
    >>> f"{10 ** (found.log10 - 74):.3f}e74", found.is_exact
    ('1.698e74', True)
    """
    index = _index(vector)
    log10 = -math.inf if index.value == 0 else _log10(index.value)
    return LogIndex(log10, index.relative_error or 0.0, index.relative_error is None)


def improvement(new: AnonymityVector, old: AnonymityVector, base: AnonymityVector) -> float:
    """How much better one vector is than another: (index(new) - index(old)) / index(base).

    The nearest floating-point number within the exact limit. Beyond, the sizes on which ``new`` and ``old`` agree are
    cancelled before anything is counted, so that a small difference is not noise. Measured against exact counts at
    N = 20,000 and 40,000, its relative error is below 1e-8 if it is above 1e-15, and below 1% down to 1e-200.

    Parameters
    ----------
    new, old : AnonymityVector
        Vectors of two ways to extend a quasi-identifier by appointments, which can only split classes.
    base : AnonymityVector
        The vector of the quasi-identifier before it was extended.

    Returns
    -------
    float
        From -1 to 1: 0 if both are equal or index(base) is 0, negative if ``new`` is worse.

    Raises
    ------
    InputError
        If the vectors are of different numbers of records, or the base is worse than one of them.

    References
    ----------
    Caballero et al. 2017, section 5.3.
    """
    if not new.n_records == old.n_records == base.n_records:
        raise InputError(
            f"The vectors are of {new.n_records:,}, {old.n_records:,} and {base.n_records:,} records: "
            "compare vectors of the same people.",
            code="vectors-not-comparable",
        )
    whole = _index(base).value
    if whole == 0:
        return 0.0
    if min(new, old) < base:
        raise InputError(
            "The base is worse than a vector it is compared with. Give as base the vector of the quasi-identifier "
            "before it was extended.",
            code="vectors-not-comparable",
        )
    difference = _total(*_between(min(new, old), max(new, old))).value
    share = difference / whole if isinstance(difference, int) and isinstance(whole, int) else _ratio(difference, whole)
    return -share if new > old else share


@dataclass(frozen=True)
class _Total:
    """A number of vectors, and the relative error it may have; None: it is exact."""

    value: int | Decimal
    relative_error: float | None = None


@dataclass(frozen=True)
class _Level:
    """Counts to add (1) or take away (-1) for one class size.

    ``rest`` is at least what this level and all that follow come to.
    """

    rest: Count
    terms: tuple[tuple[int, Count], ...]


_Parts = list[tuple[int, int]]
"""(size, classes), sizes ascending."""


def _parts(vector: AnonymityVector) -> _Parts:
    return list(zip(vector.sizes.tolist(), vector.classes.tolist(), strict=True))


def _index(vector: AnonymityVector) -> _Total:
    return _total(_larger(_parts(vector), vector.n_records, 1))


def _larger(parts: _Parts, left: int, least: int) -> Iterator[_Level]:
    """The vectors of ``left`` records, in classes of at least ``least``, that are larger than these parts."""
    for size, classes in parts:
        none_before = ((1, (left, least)), (-1, (left, size))) if size > least else ()
        yield _Level((left, least), (*none_before, (1, (left - size * (classes + 1), size))))
        left -= size * classes
        least = size + 1


def _not_larger(parts: _Parts, left: int, least: int) -> Iterator[_Level]:
    """Those that are smaller, or the same: at each size, with fewer classes than these parts have."""
    for size, classes in parts:
        yield _Level((left, least), ((1, (left, size)), (-1, (left - size * classes, size))))
        left -= size * classes
        least = size + 1
    yield _Level((0, least), ((1, (0, least)),))


def _between(better: AnonymityVector, worse: AnonymityVector) -> list[Iterable[_Level]]:
    """The vectors larger than ``better`` and not larger than ``worse``: index(better) - index(worse) of them."""
    ours, theirs, left = _parts(better), _parts(worse), better.n_records
    while ours and theirs and ours[0] == theirs[0]:
        size, classes = ours.pop(0)
        theirs.pop(0)
        left -= size * classes
    if not ours:
        return []
    size = min(ours[0][0], theirs[0][0])
    fewer = ours.pop(0)[1] if ours[0][0] == size else 0
    more = theirs.pop(0)[1]
    # Those with more classes of this size than the better and fewer than the worse; then those with just as many.
    amid = (left - size * (fewer + 1), size)
    both = _Level(amid, ((1, amid), (-1, (left - size * more, size))))
    return [
        [both] if more > fewer + 1 else [],
        _larger(ours, left - size * fewer, size + 1),
        _not_larger(theirs, left - size * more, size + 1),
    ]


def _total(*streams: Iterable[_Level]) -> _Total:
    """The sum of all terms of all levels; exact when each count is of at most ``EXACT_LIMIT`` records."""
    listed = [list(levels) for levels in streams]
    terms = [term for levels in listed for level in levels for term in level.terms]
    if all(n <= EXACT_LIMIT for _, (n, _) in terms):
        counts = partition_counts(count for _, count in terms)
        return _Total(sum(sign * counts[count] for sign, count in terms))
    return _approximate_total(listed)


def _approximate_total(streams: Iterable[Iterable[_Level]]) -> _Total:
    """The sum from approximate counts, each stream as far as its levels matter."""
    total = error = Decimal(0)
    for levels in streams:
        for level in levels:
            if approximate_count(*level.rest)[0] <= _NEGLIGIBLE * total:
                break
            for sign, count in level.terms:
                value, relative_error = approximate_count(*count)
                total += sign * value
                error += value * Decimal(relative_error)
    return _Total(total, float(error / total)) if total > 0 else _Total(Decimal(0), math.inf)


def _ratio(part: int | Decimal, whole: int | Decimal) -> float:
    return float(Decimal(part) / Decimal(whole))


def _log10(value: int | Decimal) -> float:
    return math.log10(value) if isinstance(value, int) else float(value.log10())

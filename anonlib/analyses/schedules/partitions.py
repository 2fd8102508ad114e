"""How many partitions a number has: all of them, and those whose parts all have a least size.

q(n, m) is the number of partitions of n into parts of at least m: an anonymity vector of n records whose classes have
at least m members is one such partition. p(n) = q(n, 1). One partition, the empty one, has n = 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal, localcontext
from functools import lru_cache
from threading import Lock

import numpy as np

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

"""Schedules from their definitions: slow and obvious, as Q x R matrices of people (Caballero et al. 2017).

A matrix is a tuple of rows, a row the people of one quasi-identifier value in each slot. A vector is the tuple (v[1],
v[2], ..., v[N]) of Definition 2. Nothing here is shared with what it is to check.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from hypothesis import strategies as st

Counts = Sequence[int]
Matrix = tuple[tuple[int, ...], ...]
Vector = tuple[int, ...]
Allowed = Sequence[Sequence[bool]]

# Table 7.
EXAMPLE = ([4, 4, 5, 2], [4, 2, 4, 3, 2])


@st.composite
def programmes(draw: st.DrawFn, most_values: int = 6, most: int = 12, most_slots: int = 8) -> tuple[list, list]:
    """Frequencies and capacities with room for all, closed slots and spare places among them."""
    f = draw(st.lists(st.integers(1, most), min_size=1, max_size=most_values))
    c = draw(st.lists(st.integers(0, most), max_size=most_slots))
    while sum(c) < sum(f):
        c.insert(draw(st.integers(0, len(c))), draw(st.integers(1, min(most, sum(f) - sum(c)))))
    return f, c


# ---- vectors -------------------------------------------------------------------------------------------------------


def vector_of_sizes(sizes: Counts) -> Vector:
    classes = Counter(size for size in sizes if size)
    return tuple(classes[size] for size in range(1, sum(sizes) + 1))


def vector_of(matrix: Matrix, quasi_ids: Counts | None = None) -> Vector:
    """``quasi_ids``: the quasi-identifier value of each row, where several rows can be of one."""
    cells: Counter = Counter()
    for i, row in enumerate(matrix):
        for j, people in enumerate(row):
            cells[i if quasi_ids is None else quasi_ids[i], j] += people
    return vector_of_sizes(list(cells.values()))


def smallest_class(vector: Vector) -> int:
    return next((size for size, classes in enumerate(vector, start=1) if classes), 0)


# ---- all schedules -------------------------------------------------------------------------------------------------


def _rows(people: int, free: Counts, allowed: Sequence[bool]) -> Iterator[tuple[int, ...]]:
    """Every way to put the people of one value into the free places."""
    if not free:
        if not people:
            yield ()
        return
    for here in range(min(people, free[0]) + 1 if allowed[0] else 1):
        for rest in _rows(people - here, free[1:], allowed[1:]):
            yield (here, *rest)


def all_schedules(f: Counts, c: Counts, allowed: Allowed | None = None) -> Iterator[Matrix]:
    """Every schedule; ``allowed`` (rows x slots) says who may go where."""
    if not f:
        yield ()
        return
    for row in _rows(f[0], c, allowed[0] if allowed is not None else [True] * len(c)):
        free = [places - people for places, people in zip(c, row, strict=True)]
        for rest in all_schedules(f[1:], free, allowed[1:] if allowed is not None else None):
            yield (row, *rest)


def best_vector(f: Counts, c: Counts, allowed: Allowed | None = None, quasi_ids: Counts | None = None) -> Vector | None:
    """The smallest vector of all schedules; None where there is no schedule.

    Where each row is a value of its own, the best of all rows is the best of the last ones beside the first row: what
    is smaller stays so when the same is added to both. With ``quasi_ids`` every schedule is looked at.
    """
    n = sum(f)
    if quasi_ids is not None:
        return min((vector_of(matrix, quasi_ids) for matrix in all_schedules(f, c, allowed)), default=None)

    @cache
    def best(i: int, free: tuple[int, ...]) -> Vector | None:
        if i == len(f):
            return (0,) * n
        found = []
        for row in _rows(f[i], free, allowed[i] if allowed is not None else [True] * len(c)):
            rest = best(i + 1, tuple(places - people for places, people in zip(free, row, strict=True)))
            if rest is not None:
                classes = list(rest)
                for people in row:
                    if people:
                        classes[people - 1] += 1
                found.append(tuple(classes))
        return min(found, default=None)

    return best(0, tuple(c))


# ---- the rules -----------------------------------------------------------------------------------------------------


def _by_frequency(f: Counts) -> list[int]:
    return sorted(range(len(f)), key=lambda i: -f[i])


def published(f: Counts, c: Counts) -> Matrix:
    """Algorithm 2, where q is what the loop asks for, and the smallest slot is taken where none has at most q/2."""
    free = list(c)
    matrix = [[0] * len(c) for _ in f]
    for i in _by_frequency(f):
        q = f[i]
        while q > 0:
            slots = [j for j in range(len(c)) if free[j] > 0]
            if any(free[j] == q for j in slots):
                j = next(j for j in slots if free[j] == q)
            elif any(free[j] > q for j in slots):
                j = max(slots, key=lambda j: free[j])
            elif any(free[j] <= q / 2 for j in slots):
                j = max((j for j in slots if free[j] <= q / 2), key=lambda j: free[j])
            else:
                j = min(slots, key=lambda j: free[j])
            people = min(q, free[j])
            matrix[i][j] += people
            free[j] -= people
            q -= people
    return tuple(map(tuple, matrix))


def reference(f: Counts, c: Counts) -> Matrix:
    """The rule of the authors' program, from its description: take the largest slots, fill the smallest first."""
    free = list(c)
    matrix = [[0] * len(c) for _ in f]
    for i in _by_frequency(f):
        q, taken = f[i], []
        while sum(free[j] for j in taken) < q:
            taken.append(max((j for j in range(len(c)) if j not in taken), key=lambda j: free[j]))
        while q > 0:
            j = min(taken, key=lambda j: free[j])
            if free[j] > q:
                j = max(taken, key=lambda j: free[j])
            taken.remove(j)
            people = min(q, free[j])
            matrix[i][j] = people
            free[j] -= people
            q -= people
    return tuple(map(tuple, matrix))


def walked(draws: Counts, counts: Counts) -> list[int]:
    """Entries drawn one by one, each standing for the next that has any left."""
    left, found = list(counts), []
    for entry in draws:
        while not left[entry]:
            entry = (entry + 1) % len(left)
        left[entry] -= 1
        found.append(entry)
    return found

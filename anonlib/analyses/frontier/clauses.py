"""Which sublattices are not to be met again, and how to avoid them (Xia et al. 2013, appendix, Algorithm 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MOST_STEPS, LEAST_STEPS = 1_000, 16
"""Literals that a search tries before it gives up: at first, and when it gave up several times."""
_MANY = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Literals:
    """Bits that are 1 and bits that are 0 in all policies of a sublattice; bool, a bit each."""

    ones: np.ndarray
    zeros: np.ndarray


class Clauses:
    """A clause a pruned sublattice: at least one of the bits that are the same in all of it differs.

    A literal is a number, 2 x bit + its value.
    """

    def __init__(self, n_bits: int) -> None:
        self._clauses: list[np.ndarray] = []  # the literals of each
        self._steps = MOST_STEPS
        self._has = np.zeros((2 * n_bits, 64), dtype=bool)  # literals x clauses, with room for more

    def __len__(self) -> int:
        return len(self._clauses)

    def add(self, ones: np.ndarray, zeros: np.ndarray) -> None:
        """Prune the sublattice of the policies that have these bits 1 and those 0 (bool, a bit each)."""
        literals = np.concatenate([2 * np.flatnonzero(ones), 2 * np.flatnonzero(zeros) + 1])
        if len(self) == self._has.shape[1]:
            self._has = np.hstack([self._has, np.zeros_like(self._has)])
        self._has[literals, len(self)] = True
        self._clauses.append(literals)

    def avoided(self, rng: np.random.Generator) -> Literals | None:
        """Literals that together are in no pruned sublattice: none where nothing is pruned, None where all is.

        Depth first: a literal at random of the clause that has the fewest left which no literal before contradicts
        (Algorithm 3 takes the fewest at all, and learns of a dead end later). One that failed is not tried again below
        the others of its clause. After :data:`MOST_STEPS` the search gives up, and the literals so far are returned:
        what they leave may overlap a pruned sublattice, which costs some of the budget and nothing else. Each time it
        gives up it will be half as patient: little of the lattice is left then.
        """
        path = _Path(self._has[:, : len(self)], np.array([len(clause) for clause in self._clauses], dtype=np.int64))
        levels: list[tuple[list[int], list[int]]] = []  # of a clause each: literals to try, and what they set so far
        for _ in range(self._steps):
            if path.met.all():
                break
            clause = self._clauses[path.shortest()]
            untried = rng.permutation(clause[path.value[clause // 2] != 1 - clause % 2]).tolist()
            chosen: list[int] = []
            levels.append((untried, chosen))
            while not untried:
                for literal in chosen:
                    path.take(literal)
                levels.pop()
                if not levels:
                    return None
                untried, chosen = levels[-1]
                failed = chosen.pop()
                path.take(failed)
                path.put(failed ^ 1)
                chosen.append(failed ^ 1)
            chosen.append(untried.pop())
            path.put(chosen[-1])
        else:
            self._steps = max(LEAST_STEPS, self._steps // 2)
        return Literals(path.value == 1, path.value == 0)


class _Path:
    """Literals that are set, and what they do to the clauses (``has``: bool, literals x clauses)."""

    def __init__(self, has: np.ndarray, lengths: np.ndarray) -> None:
        self._has = has
        self.value = np.full(len(has) // 2, -1)  # of a bit; -1: none yet
        self.met = np.zeros(has.shape[1], dtype=np.int64)  # literals of a clause that are set
        self._open = lengths.copy()  # literals of a clause that are not contradicted

    def put(self, literal: int) -> None:
        self.value[literal // 2] = literal % 2
        self.met += self._has[literal]
        self._open -= self._has[literal ^ 1]

    def take(self, literal: int) -> None:
        self.value[literal // 2] = -1
        self.met -= self._has[literal]
        self._open += self._has[literal ^ 1]

    def shortest(self) -> int:
        """Of the clauses that are not met, one with the fewest literals that are not contradicted."""
        return int(np.argmin(np.where(self.met > 0, _MANY, self._open)))

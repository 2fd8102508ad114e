"""Few facts: nobody who knows two facts and reads off which values each part can hold is sure of anybody's value."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search.parts import part_by_part
from anonlib.analyses.generalization.search.parts.facts import FewFacts
from anonlib.counting.guarantees import NotCertain, Shared
from tests.helpers.adviser import problem_of
from tests.helpers.examples import settings

NAMES = ("a", "b", "c")
VALUES = ("g0", "g1", "g2", "g3")
LADDER = [
    {**{value: value for value in VALUES}, None: None},
    {"g0": "low", "g1": "low", "g2": "high", "g3": "high", None: None},
    dict.fromkeys([*VALUES, None], "*"),
]


def table(rows: list[tuple[int, ...]], least: int, known: int):
    """Records of three columns that can be coarsened, and a value of two."""
    named = [dict(zip((*NAMES, "s"), (VALUES[v] for v in row), strict=True)) for row in rows]
    asked = (Shared(columns=NAMES, least=least), NotCertain(columns=NAMES, sensitive="s", known=known))
    return problem_of(slow.Case((*NAMES, "s"), named, [1] * len(named), dict.fromkeys(NAMES, LADDER), asked))


def searched(problem):
    """The answer, and the parts as they stood last: of each its rows and by column the values that it can hold."""
    seen = []
    take_back = FewFacts._take_back

    def look(self, facts, first, found):
        take_back(self, facts, first, found)
        seen.append((found, self.coarsened))

    FewFacts._take_back = look
    try:
        answer = part_by_part(problem, rounds=1)
    finally:
        FewFacts._take_back = take_back
    return answer, [parts_of(found) for found, _ in seen]


def parts_of(found):
    parts = []
    for lo, hi in zip(*found.runs, strict=True):
        bits = [int(word) >> bit & 1 for word in found.made.regions[lo] for bit in range(64)]
        holds = [
            {v for v in range(int(n)) if bits[int(first) + v]}
            for first, n in zip(found.table.bit, found.table.n, strict=True)
        ]
        parts.append((found.order[lo:hi].tolist(), holds))
    return parts


@settings(max_examples=150)
@given(
    st.lists(st.tuples(*[st.integers(0, 3)] * 3, st.integers(0, 1)), min_size=4, max_size=30),
    st.integers(1, 3),
    st.integers(1, 2),
)
def test_nobody_is_certain_for_who_reads_off_the_parts(rows, least, known):
    problem = table(rows, least, known)
    answer, all_parts = searched(problem)
    if answer is None:
        return
    codes = np.array(problem.rows.columns).T  # as they are
    value = problem.rows.others["s"]
    for parts in all_parts:
        for own, holds in parts:
            for row in own:
                assert all(codes[row, j] in holds[j] for j in range(3)), "a part can hold who is in it"
                for facts in combinations(range(3), known):
                    candidates = {
                        value[other]
                        for members, can_hold in parts
                        if all(codes[row, j] in can_hold[j] for j in facts)
                        for other in members
                    }
                    assert len(candidates) > 1

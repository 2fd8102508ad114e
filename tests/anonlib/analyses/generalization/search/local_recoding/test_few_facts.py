"""Few facts: nobody who knows two facts and reads off which values each part can hold is sure of anybody's value."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search.local_recoding import part_by_part
from anonlib.analyses.generalization.search.local_recoding.few_facts import FewFacts, SplitRows
from anonlib.analyses.generalization.search.local_recoding.few_facts_kernel import certain_by_regions, count_all
from anonlib.analyses.generalization.search.local_recoding.of_records import RULES, TopDownSearch
from anonlib.analyses.generalization.search.local_recoding.splitting_kernel import SplitParts
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity
from tests.helpers.adviser import PAIRS, problem_of
from tests.helpers.examples import settings

NAMES = ("a", "b", "c")


def table(rows: list[tuple[int, ...]], least: int, known: int):
    """Records of three columns that can be coarsened, and a value of two."""
    named = [dict(zip((*NAMES, "s"), (slow.VALUES[v] for v in row), strict=True)) for row in rows]
    asked = (KAnonymity(columns=NAMES, least=least), AttributeDisclosure(columns=NAMES, sensitive="s", known=known))
    return problem_of(slow.Case((*NAMES, "s"), named, [1] * len(named), dict.fromkeys(NAMES, PAIRS), asked))


def test_what_meets_everything_stays_as_it_is():
    """All of three facts of two values each, the value is whether they are odd: no two facts tell it, all three do.
    Whichever part is split alone, two facts are certain: only all at once are not."""
    rows = [(a, b, c, (a + b + c) % 2) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    assert part_by_part(table(rows, least=1, known=2)).loss == 0


def test_labels_that_are_all_shared_can_exclude_one_another():
    """Who is 34 and a man is ill, though some of label 34 are well and some men are: they are of parts without 34 and
    without men."""
    M, F, X = 0, 1, 2
    aged_34, young, ill, well = 2, 0, 0, 1
    rows = [  # age, sex, half of the file, value; the part that it is in
        ((aged_34, M, 0, ill), 0), ((aged_34, X, 0, ill), 0),  # 34, any sex: all ill
        ((young, M, 0, ill), 1), ((1, M, 0, well), 1), ((young, F, 0, well), 5),  # any age but 34: men, and the rest
        ((aged_34, M, 1, ill), 2), ((young, M, 1, ill), 2),  # any age, men: all ill
        ((aged_34, F, 1, ill), 3), ((aged_34, X, 1, well), 3),  # 34, any sex but men
        ((young, F, 1, ill), 4), ((1, X, 1, well), 4),
    ]  # fmt: skip
    levels = [(0, 2, 0), (2, 0, 0), (2, 0, 0), (0, 2, 0), (2, 2, 0), (2, 2, 0)]
    ages, sexes = {0, 1, 2, 3}, {0, 1, 2, 3}
    others = (ages - {2}, sexes - {M})
    holds = [({2}, sexes), (ages - {2}, {M}), (ages, {M}), ({2}, sexes - {M}), others, others]
    problem = table([row for row, _ in rows], least=1, known=2)
    search = TopDownSearch(problem.changed(guarantees=few_of_age_and_sex(problem)), RULES[0], 1)
    search.whole()
    codes = {
        tuple(int(problem.rows.labels_at(name, 0)[code][1]) for name, code in zip(NAMES, row, strict=True)): place
        for place, row in enumerate(zip(*problem.rows.columns, strict=True))
    }
    part_of = np.array([part for row, part in sorted(rows, key=lambda each: codes[each[0][:3]])])
    half_of = np.where(np.isin(part_of, (0, 1, 5)), 0, 1)
    order = np.lexsort((part_of, half_of))
    split_on = made_of(search, order, part_of, levels, holds)
    whole = made_of(search, order, half_of, [(2, 2, 0)] * 2, [(ages, sexes)] * 2)
    facts = search.few._facts(split_on)
    assert not count_all(facts).any(), "each label is shared by somebody ill and somebody well"
    certain = certain_by_regions(search.table, facts, search.few._read(split_on))
    at = [codes[aged_34, M, half] for half in (0, 1)]
    assert certain[at].all() and certain.sum() == 2, "and yet 34 and a man is ill"
    search.few._take_back(facts, whole, split_on)
    assert not certain_by_regions(search.table, facts, search.few._read(split_on)).any()
    assert (split_on.split.levels == whole.split.levels).any()


def few_of_age_and_sex(problem):
    return [KAnonymity(columns=NAMES, least=1), AttributeDisclosure(columns=NAMES[:2], sensitive="s", known=2)]


def made_of(search, order, part_of, levels, holds) -> SplitRows:
    """Parts with the levels of each, and by column the values that each can hold; any half."""
    begins = np.append(True, np.diff(part_of[order]) != 0)
    made = SplitParts(
        np.array([levels[part] for part in part_of], dtype=np.int16), begins,
        np.zeros((len(order), search.splits.split.regions.shape[1]), dtype=np.uint64),
    )  # fmt: skip
    for place in np.flatnonzero(begins):
        for column, values in zip(search.table.bit, (*holds[part_of[order[place]]], {0, 1}), strict=True):
            for value in values:
                made.regions[place, 0] |= np.uint64(1) << np.uint64(int(column) + value)
    return SplitRows(
        search.table, search.asked, search.splits.rule, search.splits.room, search.splits.state, order.copy(), made
    )


def searched(problem):
    """The answer, and the parts as they stood last: of each its rows and by column the values that it can hold."""
    seen = []
    take_back = FewFacts._take_back

    def look(self, facts, first, found):
        take_back(self, facts, first, found)
        seen.append(found)

    FewFacts._take_back = look
    try:
        answer = part_by_part(problem, rounds=1)
    finally:
        FewFacts._take_back = take_back
    return answer, [parts_of(found) for found in seen]


def parts_of(found):
    parts = []
    for lo, hi in zip(*found.runs, strict=True):
        bits = [int(word) >> bit & 1 for word in found.split.regions[lo] for bit in range(64)]
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

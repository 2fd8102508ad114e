"""The same question with as much work has the same answer on every machine: however its clock runs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search import LeastChange, NothingFound, least_change
from anonlib.analyses.generalization.search.cell_suppression import with_blanks
from anonlib.analyses.generalization.search.local_recoding import parts_within
from anonlib.basics.budget import A_SECOND, Budget
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.suggestions import first_recipe
from anonlib.verdict.criteria import WAYS, Inference, RecordsKept, SmallestClass, UniquenessOfRelease
from anonlib.verdict.proposals import Adviser, Asked, Proposal, relaxations, what_ifs
from anonlib.verdict.proposals.offers import KINDS, Offers, kinds_of, with_another
from tests.helpers.adviser import of_many, problem_of, wide
from tests.helpers.clocks import clock
from tests.helpers.examples import settings

WORKS = (0, 20_000, 200_000, 2_000_000)


def on_every_clock(search):
    """What a search answers, which must not depend on the clock."""
    answers = []
    for step in (0.0, 3600.0):
        with clock(step):
            answers.append(search())
    assert answers[0] == answers[1]
    return answers[0]


def outcome(found: LeastChange | NothingFound) -> tuple:
    best = (found.best, found.first) if isinstance(found, LeastChange) else None
    return best, found.proven, found.finished, found.complete, found.ended_early


@settings(max_examples=60)
@given(slow.cases(), st.booleans())
def test_a_least_change_depends_on_the_work_alone_and_more_of_it_finds_nothing_worse(case, known_before):
    """Also where the problem was searched before and remembers what it has counted."""
    ranks = []
    for work in WORKS:

        def search(work=work):
            problem = problem_of(case)
            if known_before:
                least_change(problem)
            return outcome(least_change(problem, work=work))

        best, *_, early = on_every_clock(search)
        assert not early
        ranks.append((1,) if best is None else (0, *best[0].rank))
    assert ranks == sorted(ranks, reverse=True)
    whole = outcome(least_change(problem_of(case)))
    assert whole[0] is None or (0, *whole[0][0].rank) <= ranks[-1]


@pytest.mark.parametrize("n_columns", [9, 14])
def test_of_many_columns_too(n_columns):
    ranks = []
    for work in (0, A_SECOND / 100, A_SECOND / 20):
        best, *_ = on_every_clock(
            lambda work=work: outcome(least_change(wide(200, n_columns).changed(suppression_limit=20), work=work))
        )
        ranks.append(best[0].rank)
    assert ranks == sorted(ranks, reverse=True) and ranks[-1] < ranks[0]


@settings(max_examples=40)
@given(slow.cases())
def test_what_a_clock_ended_is_marked(case):
    with clock(3600.0):
        found = least_change(problem_of(case), seconds=0)
    assert found.ended_early == (not found.finished), "what came to its end did so before anybody looked at the clock"
    assert not (found.ended_early and found.proven)


def test_blank_cells_depend_on_the_work_alone():
    problem = problem_of(of_many(400, "abc", "abc", KAnonymity(columns=("a", "b", "c"), least=12)))
    losses = []
    for work in (0, A_SECOND / 10, A_SECOND):

        def search(work=work):
            found = with_blanks(problem, Budget(work))
            return (
                found.levels,
                found.loss,
                found.tables,
                found.finished,
                found.ended_early,
                found.cells.blank.tobytes(),
            )

        _, loss, *_, early, _ = on_every_clock(search)
        assert not early
        losses.append(loss)
    assert losses == sorted(losses, reverse=True)
    with clock(1.0):
        early = with_blanks(problem, Budget(seconds=0))
    assert early is not None and early.ended_early and not early.finished


def test_parts_depend_on_the_work_alone():
    problem = problem_of(of_many(800, "abc", "abc", KAnonymity(columns=("a", "b", "c"), least=25)))

    def search(budget: Budget):
        found = parts_within(problem, budget, lambda share: None, lambda share, rounds, parts: None)
        return found.rounds, found.parts.loss, found.ended_early, found.parts.cell_levels.tobytes()

    losses = [on_every_clock(lambda work=work: search(Budget(work)))[1] for work in (0, A_SECOND / 10, A_SECOND / 5)]
    assert losses == sorted(losses, reverse=True)
    with clock(1.0):
        assert search(Budget(seconds=0))[2]


def people(n: int, seed: int) -> Dataset:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 70, n).astype(str),
            "zip": np.array(["02138", "02139", "02141", "02142", "10027"])[rng.integers(5, size=n)],
            "sex": np.array(["f", "m"])[rng.integers(2, size=n)],
            "illness": np.array(["flu", "cold", "gout", "asthma"])[rng.integers(4, size=n)],
            "ward": np.array(["A", "B", "C"])[rng.integers(3, size=n)],
        }
    )
    roles = dict.fromkeys(("age", "zip", "sex"), "quasi_identifier") | dict.fromkeys(("illness", "ward"), "sensitive")
    return Dataset.from_frame(frame, roles=roles)


CRITERIA = {
    "k": (SmallestClass(6), RecordsKept(0.95)),
    "inference": (SmallestClass(4), Inference(known=2, most=0.02), RecordsKept(0.9)),
    "alone": (SmallestClass(3), UniquenessOfRelease(known=2, k=3, most=0.2), RecordsKept(0.9)),
}


@pytest.mark.parametrize("criteria", CRITERIA.values(), ids=CRITERIA)
def test_every_kind_of_proposal_is_the_same_whatever_the_clock(criteria):
    """What a page remembers of an adviser changes nothing either: there they are made one after the other."""
    data = people(100, 0)

    def made(again: bool):
        adviser, offers = Adviser(Asked(data, criteria)), Offers()
        for kind in kinds_of(WAYS):
            adviser = Adviser(Asked(data, criteria)) if again else adviser
            offers = with_another(offers, kind, adviser)
        rows = [(each.title, each.proposal.loss, each.proposal.left_out, each.proposal.changes, each.proposal.levels,
                 each.proposal.least_change.ended_early) for each in offers.offers]  # fmt: skip
        return rows, [title for title, _ in offers.none], offers.same

    first = on_every_clock(lambda: made(again=False))
    assert first == made(again=True) and not any(early for *_, early in first[0])


def test_what_would_help_and_a_first_recipe_are_the_same_whatever_the_clock():
    data = people(150, 3)
    strict = (SmallestClass(6), Inference(known=3, most=0.0), RecordsKept(1.0))
    on_every_clock(lambda: what_ifs(Adviser(Asked(data, strict))))
    proposal = Adviser(Asked(data, CRITERIA["inference"])).most_detail()
    assert isinstance(proposal, Proposal)
    on_every_clock(lambda: relaxations(Adviser(Asked(data, CRITERIA["inference"])), proposal))
    on_every_clock(lambda: [step.describe() for step in first_recipe(data, 20).steps])


def test_what_was_ended_early_says_so_in_the_recipe():
    """So that a saved project and its report do."""
    data = people(150, 0)
    for kind in KINDS:
        with clock(1.0):
            found = kind.search(Adviser(Asked(data, CRITERIA["inference"])), Budget(seconds=0), None)
        if isinstance(found, Proposal) and found.least_change.ended_early:
            from anonlib.release.recipe import Recipe

            steps = [entry.step for entry in found.taken(Recipe(), data).entries]
            assert steps and all("ended early" in step.reason for step in steps)

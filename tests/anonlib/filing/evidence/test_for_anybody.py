"""A report for anybody is a function of what leaves and of what was decided: nothing else of the original is in it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from html import unescape

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from anonlib.analyses.generalization.search import NothingFound
from anonlib.analyses.utility.purposes import MeanByGroup
from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Suggestion, suggest_roles
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence import Evidence, gather, measures
from anonlib.filing.evidence.report import ORDERS, additions, html_of, report_of
from anonlib.filing.evidence.report.for_anybody import ForAnybody, for_anybody
from anonlib.filing.evidence.report.orders import OUTLINES, part_for_anybody
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, HoldBack, LeaveOut, Recode, Step
from anonlib.verdict.criteria import Aim, Inference, RecordsKept, SmallestClass, UnclassifiedColumns
from anonlib.verdict.proposals import Adviser, Asked
from anonlib.verdict.proposals.offers import AT_ONCE, kinds_of
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.small_release import IDENTIFIER, OTHER, QI, SENSITIVE

ROLES = {"name": IDENTIFIER, "age": QI, "town": QI, "illness": SENSITIVE, "cost": OTHER}
AIM = Aim(
    criteria=(SmallestClass(3), Inference(known=2, p=0.0, most=0.01), UnclassifiedColumns(3), RecordsKept(0.5)),
)
ON = date(2026, 11, 30)
Rows = list[tuple[str, str, str, str, str]]


def opened(rows: Rows, steps: Sequence[Step], aim: Aim = AIM) -> Opened:
    frame = pd.DataFrame(rows, columns=list(ROLES), dtype=object)
    loaded = LoadedFile.of(frame.to_csv(index=False).encode(), "people.csv")
    case = ReleaseCase(title="A cohort", purpose="Research")
    return open_project(Project(roles=ROLES, aim=aim, recipe=Recipe.of(steps), case=case), loaded)


@cache
def suggested() -> tuple[Suggestion, ...]:
    return suggest_roles(pd.DataFrame({name: ["1", "2"] for name in ROLES}))


def evidence_of(file: Opened) -> Evidence:
    """Evidence without what takes time and stands in no report for anybody."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(measures, "versions", lambda *_: ())
        patched.setattr(sys.modules[gather.__module__], "MOST_CELLS", 0)
        return gather(file, parts=(), on=ON, suggestions=suggested())


def rows_that_leave(file: Opened) -> Counter[tuple[object, ...]]:
    """As a plain reader of the CSV would count them."""
    frame = file.applied.released.records.astype(object)
    return Counter(map(tuple, frame.where(frame.notna(), None).to_numpy().tolist()))


def of_report(evidence: Evidence) -> ForAnybody:
    """All that the report is made of but for the digest of the release."""
    return replace(for_anybody(evidence), digests=())


def states(evidence: Evidence) -> list[str]:
    return [each.state for each in evidence.criteria]


STEPS = (DropColumns(("cost",)), Recode("age", Intervals(10)), LeaveOut(3))


@st.composite
def originals(draw: st.DrawFn, changed: float) -> tuple[Rows, Rows]:
    """Two originals that may have the same release: what steps erase, such a share of ages too, is otherwise in the
    second."""
    n = draw(st.integers(6, 24))
    lot = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows: Rows = [
        (
            f"N{i}", str(30 + 10 * int(lot.integers(2)) + int(lot.integers(10))), f"town {lot.integers(2)}",
            ["flu", "HIV", "asthma"][int(lot.integers(3))], str(int(lot.integers(1000))),
        )
        for i in range(n)
    ]  # fmt: skip
    other: Rows = []
    for name, age, town, illness, cost in rows:
        near = str(int(age) // 10 * 10 + int(lot.integers(10)))
        other.append((f"{name}b", near if lot.random() < changed else age, town, illness, cost + "9"))
    if draw(st.integers(0, 3)) == 0:  # somebody whom the release leaves out
        other.append(("Lone", "97", "town 9", "HIV", "5"))
    lot.shuffle(other)
    return rows, [tuple(map(str, row)) for row in other]  # type: ignore[misc]


@settings(max_examples=500, deadline=None)
@given(originals(0.7))
def test_originals_of_the_same_release_have_the_same_report(both: tuple[Rows, Rows]) -> None:
    first, second = (opened(rows, STEPS) for rows in both)
    assume(first.applied.released.n_records > 0)
    assert rows_that_leave(first) == rows_that_leave(second), "what differs is erased"
    evidences = [evidence_of(each) for each in (first, second)]
    assume(states(evidences[0]) == states(evidences[1]))
    assert of_report(evidences[0]) == of_report(evidences[1])


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(originals(0.05))
def test_it_is_the_same_where_each_original_was_searched_for_itself(both: tuple[Rows, Rows]) -> None:
    releases = []
    for rows in both:
        file = opened(rows, (DropColumns(("cost",)),))
        looked_at = file.project.recipe.to_protect(file.data)
        kind = kinds_of(AIM.ways)[0]
        proposal = kind.search(Adviser(Asked.of(looked_at, AIM, {}, original=file.data)), AT_ONCE, None)
        assume(not isinstance(proposal, NothingFound))
        recipe = proposal.taken(file.project.recipe, file.data)
        releases.append(opened(rows, recipe.enabled))
    first, second = releases
    assume(first.applied.released.n_records > 0 and rows_that_leave(first) == rows_that_leave(second))
    evidences = [evidence_of(each) for each in releases]
    assume(states(evidences[0]) == states(evidences[1]))
    assert of_report(evidences[0]) == of_report(evidences[1])


# ---- the leaks that were tried as an attacker would ----


def same_everywhere(first: Evidence, second: Evidence) -> None:
    """In every order and language, for who compares the reports letter by letter."""
    assert first.released is not None and second.released is not None
    assert replace(first.released, sha256="", digests=()) == replace(second.released, sha256="", digests=())
    second = second.with_table(released=first.released)
    for order in ORDERS:
        for language in ("en", "de"):
            english = report_of(first, order, public=True, language=language)
            assert english == report_of(second, order, public=True, language=language), (order, language)


def test_a_town_of_twelve() -> None:
    """All twelve of a town are positive, or eleven: how many of whom a value is certain told which, before."""
    towns = [(f"N{i}", "40", "north", "HIV" if i < 12 else "flu", "1") for i in range(12)]
    others = [(f"M{i}", "40", "south", ["HIV", "flu"][i % 2], "1") for i in range(30)]
    eleven: Rows = [*towns[:-1], ("N11", "40", "north", "flu", "1"), *others]
    aim = Aim(criteria=(SmallestClass(3), RecordsKept(0.5)), measured=(Inference(known=1, p=0.0, most=0.0),))
    steps = (DropColumns(("cost", "illness")),)
    first, second = (opened(rows, steps, aim) for rows in ([*towns, *others], eleven))
    both = [gather(each, parts=(), on=ON) for each in (first, second)]
    assert both[0].measured[0].original != both[1].measured[0].original, "those who review it are told"
    same_everywhere(both[0], both[1])


def test_the_cost_of_one_man_who_is_left_out() -> None:
    """A mean by groups of original and release, or an association of both, tells his cost to who has the release."""
    kept: Rows = [(f"N{i}", str(40 + i % 2), "north", "flu", str(100 + i % 3)) for i in range(30)]
    aim = Aim(
        criteria=(SmallestClass(3), RecordsKept(0.5)),
        purposes=(MeanByGroup("cost", "age"),),
    )
    steps = (LeaveOut(3),)
    both = [
        gather(opened([*kept, ("Lone", "97", "south", "HIV", cost)], steps, aim), parts=("utility",), on=ON)
        for cost in ("100", "9999")
    ]
    assert both[0].utility != both[1].utility
    same_everywhere(both[0], both[1])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 30), st.sampled_from([("40", "north"), ("97", "south")]), st.booleans())
def test_somebody_who_is_held_back(place: int, who: tuple[str, str], is_recoded: bool) -> None:
    """Neither the step nor how many it holds back is told: the report is that of a file without them."""
    kept: Rows = [(f"N{i}", str(40 + i % 2), "north", ["flu", "HIV"][i % 3 == 0], str(i % 4)) for i in range(30)]
    more: Rows = [*kept[:place], ("Lone", *who, "HIV", "9"), *kept[place:]]
    steps = STEPS if is_recoded else ()
    held = HoldBack((place,), opened(more, ()).data.digest, 1, "records", "Too few are like them.")
    first, second = opened(kept, steps), opened(more, (held, *steps))
    assert not second.applied.problems and rows_that_leave(first) == rows_that_leave(second)
    both = [evidence_of(each) for each in (first, second)]
    assert states(both[0]) == states(both[1])
    assert [each.says for each in both[1].steps if "Hold back 1 record" in each.says], "those who review it are told"
    same_everywhere(both[0], both[1])
    page = html_of(both[1], public=True).decode()
    assert "Hold back" not in page and "held back" not in page and "Too few are like them" not in page


def test_each_part_of_each_order_has_one_for_anybody() -> None:
    for outline in OUTLINES.values():
        for _, parts in outline.sections:
            for part in parts:
                assert callable(part_for_anybody(part[1] if isinstance(part, tuple) else part))


# ---- what an officer adds ----


@cache
def of_twelve() -> Evidence:
    return evidence_of(opened([(f"N{i}", "40", "north", "flu", "1") for i in range(12)], ()))


def totals(k: int, number: int, leave: int) -> Evidence:
    evidence = of_twelve()
    released = evidence.as_released
    assert released is not None
    file = replace(evidence.file, records=number)
    return replace(
        evidence.with_table(file=file), k=k, as_released=replace(released, rows=leave), measured=evidence.criteria[:1]
    )


@settings(max_examples=400)
@given(st.integers(2, 30), st.integers(1, 500), st.integers(0, 200))
def test_a_total_that_is_added_is_one_of_k_or_more_by_any_difference(k: int, leave: int, left_out: int) -> None:
    (sentence,) = additions(totals(k, leave + left_out, leave))["rows"]
    alike = [n for n in range(leave, leave + left_out + 4 * k + 1) if says(k, n, leave) == sentence]
    assert leave + left_out in alike
    assert len(alike) >= k, "so many totals, and so many numbers left out, say the same"


@cache
def says(k: int, number: int, leave: int) -> str:
    return additions(totals(k, number, leave))["rows"][0]


def test_what_is_added_stands_in_the_report_and_nothing_else_comes_with_it() -> None:
    rows: Rows = [(f"N{i}", str(40 + i % 2), "north", ["flu", "HIV"][i % 3 == 0], "1") for i in range(40)]
    aim = Aim(criteria=(SmallestClass(3), RecordsKept(0.5)), measured=(Inference(known=2, p=0.0, most=0.0),))
    evidence = gather(opened([*rows, ("Lone", "97", "south", "HIV", "1")], (LeaveOut(3),), aim), parts=(), on=ON)
    plain = html_of(evidence, public=True).decode()
    assert "of which 40 leave" not in plain
    for key, sentences in additions(evidence).items():
        page = html_of(evidence, public=True, add=(key,)).decode()
        for sentence in sentences:
            assert sentence in unescape(page) and sentence not in unescape(plain)
    assert additions(evidence)["rows"] == ("The original has 40 to 45 rows, of which 40 leave.",)


def test_an_addition_that_there_is_none_of_is_refused() -> None:
    evidence = evidence_of(opened([(f"N{i}", "40", "north", "flu", "1") for i in range(12)], ()))
    with refused("choice-unknown"):
        for_anybody(evidence, ("everything",))
    with refused("version-unknown"):
        for_anybody(replace(evidence, as_released=None))

"""What the searches find, held against the slow reference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest

import tests.reference.generalization as slow
from anonlib.analyses.generalization import Generalization, WholeClasses, generalize
from anonlib.basics.budget import Spending
from anonlib.basics.errors import InputError
from tests.helpers.examples import settings

RULES = slow.L_DIVERSITY | slow.T_CLOSENESS
HALF = settings(max_examples=50)


def problem_of(case: slow.Case, objective: str = "rows") -> WholeClasses:
    return WholeClasses(case.classes, case.hierarchies, case.guarantees, objective=objective, **case.options)


def run(case: slow.Case, method: str, objective: str = "rows", **options) -> Generalization:
    return generalize(
        case.classes, case.hierarchies, case.guarantees, method=method, objective=objective, **case.options, **options
    )


def kept_rows(case: slow.Case, found: Generalization) -> set[int]:
    """The places of the rows whose class is kept."""
    return {i for i, place in enumerate(case.classes.class_of_record.tolist()) if found.kept[place]}


def levels_of_rows(case: slow.Case, found: Generalization) -> list[slow.State]:
    return [tuple(found.cell_levels[place].tolist()) for place in case.classes.class_of_record.tolist()]


def check_measures(case: slow.Case, found: Generalization) -> None:
    """The table, its records, its smallest groups and its utility are those of recoding every row and counting."""
    levels, kept = levels_of_rows(case, found), kept_rows(case, found)
    assert slow.counted(found.classes) == slow.recounted(case, levels, kept)
    assert found.n_records == case.n
    assert found.left_out == case.n - slow.records(case, kept)
    table = slow.recoded(case, levels)
    assert found.k == tuple(
        min(
            (
                slow.records(case, set(members))
                for members in slow.groups(case, table, requirement.attributes, kept).values()
            ),
            default=0,
        )
        for requirement in case.requirements
    )
    expected, shown = slow.utility(case, levels, kept), found.utility
    assert (shown.rows, shown.classes, shown.records) == (expected["rows"], expected["classes"], expected["records"])
    assert shown.cell_loss == pytest.approx(float(expected["cell_loss"]), abs=1e-9)
    assert shown.entropy_loss == pytest.approx(expected["entropy"], abs=1e-9)
    assert shown.discernibility == expected["discernibility"]
    assert 0 <= shown.cell_loss <= 1 and 0 <= shown.entropy_loss <= 1


def check_against(case: slow.Case, found: Generalization, expected: slow.Found) -> None:
    """Levels, what was violated and what is left, at one state."""
    assert tuple(found.levels.values()) == expected.state and list(found.levels) == case.laddered
    assert kept_rows(case, found) == expected.kept
    assert (found.violations.groups, found.violations.rows, found.violations.records) == (
        expected.groups, expected.rows, expected.records,
    )  # fmt: skip
    check_measures(case, found)


def check_searches(case: slow.Case, objective: str) -> None:
    expected = slow.best(case, objective)
    if expected is None:
        for method in ("optimal", "exhaustive", "iab", "greedy"):
            with pytest.raises(InputError):
                run(case, method, objective)
        return
    for method in ("optimal", "exhaustive"):
        found = run(case, method, objective)
        assert found.best_of_nodes and found.finished and found.proven == found.problem.is_exact
        check_against(case, found, expected)
    assert found.tables == len(list(case.states())) - 1 == len(found.trace) - 1
    for method in ("iab", "greedy"):
        found = run(case, method, objective)
        reached = slow.look_at(case, tuple(found.levels.values()))
        assert reached.satisfied
        check_against(case, found, reached)
        if method == "iab":
            assert reached.score(objective) == pytest.approx(expected.score(objective), abs=1e-9)
            assert found.proven == found.problem.is_exact
        else:
            assert not found.best_of_nodes and not found.proven


@contextmanager
def a_second_a_look() -> Iterator[None]:
    """Within it each look at the clock finds that another second is over."""
    looks = count(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Spending, "seconds", property(lambda _: float(next(looks))))
        yield


def check_local(case: slow.Case) -> Generalization | None:
    """What is required holds of every group, labels are those of a level above, and no more is left out than may be."""
    top = tuple(len(case.ladders[name]) - 1 for name in case.laddered)
    try:
        found = run(case, "mondrian")
    except InputError:
        # It begins at the top, which must satisfy; where records may be left out, a state below may do without.
        assert slow.best(case, "rows") is None or not slow.look_at(case, top).satisfied
        return None
    levels, kept = levels_of_rows(case, found), kept_rows(case, found)
    assert found.levels is None and list(found.attributes) == case.laddered and found.finished and not found.proven
    assert all(0 <= level <= height for at in levels for level, height in zip(at, top, strict=True))
    assert slow.broken(case, slow.recoded(case, levels), kept) == (set(), 0)
    assert found.left_out <= case.most
    assert kept == slow.look_at(case, top).kept
    check_measures(case, found)
    return found


TENS = [
    {**{str(v): str(v) for v in range(20)}, None: None},
    {**{str(v): f"{v // 10}x" for v in range(20)}, None: None},
    dict.fromkeys([*map(str, range(20)), None], slow.TOP),
]

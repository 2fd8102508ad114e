"""Every search against the slow reference on random tables, and what holds of every lattice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.generalization as slow
from anonlib.analyses.generalization import Generalization, NodeEvaluation
from anonlib.basics.errors import InputError
from anonlib.release.steps.of_cells import EarlierLDiversity, EarlierTCloseness, Requirement
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.generalization import (
    HALF,
    RULES,
    a_second_a_look,
    check_against,
    check_searches,
    kept_rows,
    levels_of_rows,
    problem_of,
    run,
)

DISTINCT = slow.L_DIVERSITY.filter(lambda rule: rule.kind == "distinct")
OBJECTIVES = st.sampled_from(["rows", "classes", "cell_loss", "entropy", "discernibility"])


# --- the best state -------------------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(slow.cases() | slow.cases(rules=RULES), OBJECTIVES)
def test_every_search_against_the_reference(case, objective):
    check_searches(case, objective)


@HALF
@given(slow.cases(limits=["0", "0", "0.2"], max_requirements=2), st.sampled_from(["iab", "greedy", "exhaustive"]))
def test_tables_are_made_in_the_order_of_the_paper(case, method):
    try:
        found = run(case, method)
    except InputError:
        return
    assert [(node.evaluation.state, node.expanded) for node in found.trace] == slow.step_by_step(case, method)
    assert found.tables == len(found.trace) - 1
    assert (found.trace[0].parent, found.trace[0].attribute) == (None, None)
    for node in found.trace[1:]:
        from_table = found.trace[node.parent].evaluation.state
        steps = [b - a for a, b in zip(from_table, node.evaluation.state, strict=True)]
        assert steps == [int(name == node.attribute) for name in found.attributes]


def test_greedy_ends_at_a_table_that_satisfies_by_leaving_records_out():
    """Though another has fewer violating rows: one of three records, where two records may be left out."""
    rows = [("z", "p", "u"), ("x", "q", "u"), ("x", "r", "u"), ("x", "p", "u")]
    ladders = {"a": topped("xz"), "b": topped("pqr")}
    found = run(
        small(
            rows=rows, weights=[3, 1, 1, 8], ladders=ladders, limit="0.2", requirements=(Requirement(("a", "b"), 4),)
        ),
        "greedy",
    )
    made = [(node.evaluation.state, node.evaluation.rows, node.evaluation.satisfied) for node in found.trace]
    assert made == [((0, 0), 3, False), ((1, 0), 2, True), ((0, 1), 1, False)]
    assert found.levels == {"a": 1, "b": 0} and found.left_out == 2


TIES = "leaves out fewer records is taken, then the one with fewer steps up"


@pytest.mark.parametrize("method", ["optimal", "iab", "exhaustive", "greedy"])
def test_of_equals_fewer_are_left_out_then_there_are_fewer_steps_then_lower_levels(method):
    """As the documents say it, and as the states are put in order here."""
    ladder = [{"x": "x", "y": "y", "z": "z", None: None}, {"x": "x", "y": "w", "z": "w", None: None}]
    # Without z two rows are left at no step; with z together with y, at one step, there are two of everybody.
    rows, asked = [("x", "p")] * 4 + [("y", "p")] * 4 + [("z", "p")], (Requirement(("a",), 2),)
    case = slow.Case(("a", "b"), rows, [1] * 9, {"a": ladder}, asked, "0.2")
    found = run(case, method)
    states = [slow.look_at(case, state) for state in case.states()]
    assert [(each.state, each.left_out, each.score("rows")) for each in states] == [((0,), 1, 2), ((1,), 0, 2)]
    assert (found.levels, found.left_out) == ({"a": 0 if method == "greedy" else 1}, 1 if method == "greedy" else 0)
    # Either column up does: the first stays as it is.
    rows, ladders = [("x", "p"), ("x", "q"), ("y", "p"), ("y", "q")], {"a": topped("xy"), "b": topped("pq")}
    asked = (Requirement(("a", "b"), 2),)
    assert run(slow.Case(("a", "b"), rows, [1] * 4, ladders, asked, "0"), method).levels == {"a": 0, "b": 1}
    document = (Path(__file__).resolve().parents[4] / "docs/analyses/generalization.md").read_text(encoding="utf-8")
    assert TIES in " ".join(document.split())


def test_many_rows_of_many_values_against_the_reference():
    """More combinations of values than rows, which are counted in another way than few."""
    rng = np.random.default_rng(7)
    names = ("a", "b", "c", "d", "e")
    rows = [tuple(f"{value:02d}" for value in row) for row in rng.integers(0, 40, (400, 5)).tolist()]
    values = [f"{value:02d}" for value in range(40)]
    steps = [lambda v: v, lambda v: str(int(v) // 5), lambda v: str(int(v) // 10), lambda v: slow.TOP]
    ladder = [{**{value: step(value) for value in values}, None: None} for step in steps[:3]]
    ladder.append(dict.fromkeys([*values, None], slow.TOP))
    requirements = (Requirement(("a", "b", "c", "d"), 3), Requirement(("d", "a"), 12))
    case = slow.Case(names, rows, [1] * 400, dict.fromkeys("abcd", ladder), requirements, "0.05")
    problem = problem_of(case)
    for state in [(0, 0, 0, 0), (0, 1, 0, 3), (2, 2, 1, 3), (3, 2, 2, 2), (2, 3, 3, 3), (3, 3, 3, 3)]:
        check_evaluation(problem.evaluate(state), slow.look_at(case, state), "rows")
    optimal, exhaustive, iab = (run(case, method) for method in ("optimal", "exhaustive", "iab"))
    assert optimal.levels == exhaustive.levels and optimal.utility == exhaustive.utility
    assert iab.utility.rows == optimal.utility.rows
    check_against(case, optimal, slow.look_at(case, tuple(optimal.levels.values())))
    assert 0 < optimal.left_out <= 20


@settings(max_examples=150)
@given(
    slow.cases(rules=RULES, limits=["0", "0.2", "0.34"], max_rows=9, columns=[1, 2], most_levels=1),
    st.sampled_from(["optimal", "parts", "exhaustive", "iab", "greedy", "mondrian"]),
)
def test_claims_hold_against_every_state_and_every_choice_of_records(case, method):
    """What is proven nothing betters, and where nothing is said to do nothing does."""
    case = replace(case, weights=[1] * len(case.rows))
    try:
        found = run(case, method, "cell_loss")
    except InputError as reason:
        claims = str(reason).startswith(("Even with", "The file has"))
        assert claims or not case.rows or not problem_of(case).is_exact
        assert not claims or next(slow.ways_to_satisfy(case), None) is None
        return
    if found.proven:
        losses = (
            slow.utility(case, slow.cells(case, state), kept)["cell_loss"] for state, kept in slow.ways_to_satisfy(case)
        )
        assert found.utility.cell_loss == pytest.approx(float(min(losses)), abs=1e-9)


# --- single states --------------------------------------------------------------------------------------------------


def check_evaluation(found: NodeEvaluation, expected: slow.Found, objective: str) -> None:
    assert (found.state, found.groups, found.rows, found.records, found.n_rows) == (
        expected.state, expected.groups, expected.rows, expected.records, expected.n_rows,
    )  # fmt: skip
    assert found.satisfied == expected.satisfied
    if found.satisfied:
        assert found.left_out == expected.left_out
        assert found.score == pytest.approx(expected.score(objective), abs=1e-9)
    else:
        assert found.score == -np.inf


@HALF
@given(slow.cases(rules=RULES) | slow.cases(), OBJECTIVES, st.data())
def test_a_state_is_what_its_table_says(case, objective, data):
    problem = problem_of(case, objective)
    states = list(case.states())
    assert problem.n_states == len(states) and (problem.bottom, problem.highest) == (states[0], states[-1])
    state = data.draw(st.sampled_from(states))
    expected = slow.look_at(case, state)
    check_evaluation(problem.evaluate(state), expected, objective)


@settings(max_examples=100)
@given(slow.cases(rules=RULES) | slow.cases(rules=DISTINCT) | slow.cases() | slow.cases(), OBJECTIVES)
def test_no_state_above_passes_the_bound(case, objective):
    """What every search leaves out relies on: going up never improves the objective before records are left out.

    Nor does it add rows; nor, where it is exact, violating records, as of k and distinct values it always is.
    """
    problem = problem_of(case, objective)
    assert problem.is_exact >= all(getattr(rule, "kind", None) == "distinct" for rule in case.rules)
    found = [problem.evaluate(state) for state in case.states()]
    for low in found:
        for high in found:
            if all(a <= b for a, b in zip(low.state, high.state, strict=True)):
                assert high.bound <= low.bound and high.score <= low.bound and high.n_rows <= low.n_rows
                if problem.is_exact:
                    assert high.satisfied >= low.satisfied and high.records <= low.records


# --- nothing to do, nothing that can be done ------------------------------------------------------------------------

METHODS = ["optimal", "parts", "iab", "exhaustive", "greedy", "mondrian"]


def small(**changes) -> slow.Case:
    """Five records of which one is alone: a has three values, b two."""
    values = {
        "names": ("a", "b", "s"),
        "rows": list(zip("xxyyz", "pqpqp", "uvuvu", strict=True)),
        "weights": [1] * 5,
        "ladders": {"a": topped("xyz"), "b": topped("pq")},
        "requirements": (Requirement(("a", "b"), 2),),
    }
    return slow.Case(**{**values, **changes})


def topped(values: str) -> slow.Ladder:
    return [{value: value for value in (*values, None)}, dict.fromkeys([*values, None], slow.TOP)]


@pytest.mark.parametrize("method", METHODS)
def test_what_is_satisfied_already_is_left_alone(method):
    """And hierarchies of columns that nothing is required of are not used."""
    found = run(small(requirements=(Requirement(("b",), 2),)), method)
    assert found.attributes == ("b",) and slow.TOP not in found.classes.column("a").tolist()
    assert not found.cell_levels.any() and found.left_out == 0 and found.k == (2,)
    assert (found.utility.rows, found.utility.cell_loss, found.utility.entropy_loss) == (5, 0, 0)
    assert found.levels in ({"b": 0}, None) and (found.violations.groups, found.violations.records) == (0, 0)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ladders", [{}, {"b": [{"p": "p", "q": "q", None: None}]}], ids=["none", "of no levels"])
@pytest.mark.parametrize("limit", ["0", "0.2"])
def test_without_a_level_to_go_up(method, ladders, limit):
    fine = run(small(ladders=ladders, requirements=(Requirement(("b",), 2),), limit=limit), method)
    assert fine.levels in (dict.fromkeys(ladders, 0), None) and fine.k == (2,) and fine.utility.cell_loss == 0
    only = small(ladders=ladders, requirements=(Requirement(("a",), 2),), limit=limit)
    if limit == "0":
        with pytest.raises(InputError, match=r"1 of 5 records .* 0 may be left out. No hierarchy is given for: a. Let"):
            run(only, method)
    else:
        found = run(only, method)
        assert (found.left_out, found.k, found.utility.rows) == (1, (2,), 4)
        assert (found.violations.groups, found.violations.rows, found.violations.records) == (1, 1, 1)


@pytest.mark.parametrize("method", METHODS)
def test_one_record(method):
    one = small(rows=[("x", "p", "u")], weights=[1], requirements=(Requirement(("a", "b"), 1),))
    found = run(one, method)
    assert found.k == (1,) and found.utility.rows == 1 and found.utility.entropy_loss == 0
    with pytest.raises(InputError, match="The file has 1 record, fewer than k = 2"):
        run(small(rows=[("x", "p", "u")], weights=[1]), method)


@pytest.mark.parametrize("method", METHODS)
def test_a_guarantee_twice_is_one_guarantee(method):
    once, twice = (run(small(requirements=(Requirement(("b", "a"), 2),) * times), method) for times in (1, 2))
    assert (once.levels, once.utility) == (twice.levels, twice.utility)
    assert np.array_equal(once.cell_levels, twice.cell_levels) and once.k * 2 == twice.k
    assert (once.k, once.left_out) == ((2,), 0)


@pytest.mark.parametrize("method", METHODS)
def test_more_than_there_are_records_cannot_be(method):
    with pytest.raises(InputError, match=r"The file has 5 records, fewer than k = 6: .* Choose a smaller k."):
        run(small(requirements=(Requirement(("b",), 1), Requirement(("a",), 6))), method)
    with refused("no-records"):
        run(small(rows=[], weights=[], requirements=(Requirement(("b",), 1),)), method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("limit", ["0", "0.2"])
def test_rules_that_nothing_keeps(method, limit):
    rule = EarlierLDiversity("s", 2.5, "entropy")  # the sensitive column has two values
    with pytest.raises(InputError, match="5 of 5 records are in classes that do not meet"):
        run(small(rules=(rule,), limit=limit), method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rule", [EarlierLDiversity("s", 2, "entropy"), EarlierTCloseness("s", 0.0)])
def test_what_leaving_out_others_would_mend_is_not_stated_to_be_impossible(method, rule):
    """Without one u of x both groups have as many u as v; to leave out who violates leaves nobody."""
    rows = [("x", "p", value) for value in "uuuvv"] + [("y", "p", value) for value in "uv"]
    case = small(rows=rows, weights=[1] * 7, ladders={}, requirements=(Requirement(("a",), 2),), limit="0.2")
    assert next(slow.ways_to_satisfy(replace(case, rules=(rule,))))[1] == {1, 2, 3, 4, 5, 6}
    says = "Finer levels may do" if method in ("parts", "mondrian") else "leaving out other records may do"
    with pytest.raises(InputError, match=f"7 records .* and 1 may be left out.*{says}") as reason:
        run(replace(case, rules=(rule,)), method)
    assert "Even" not in str(reason.value)
    everybody = replace(case, rules=(rule,), limit="1")
    if isinstance(rule, EarlierTCloseness):  # both classes violate at once
        with pytest.raises(InputError, match="and 6 may be left out"):
            run(everybody, method)
        return
    found = run(everybody, method)
    assert not found.proven and found.best_of_states == (method not in ("parts", "greedy", "mondrian"))


@pytest.mark.parametrize("method", [*METHODS, "blanks"])
def test_an_answer_keeps_somebody_whatever_may_be_left_out(method):
    """Everybody is alone, and nothing can be generalized: what is left out would be all."""
    alone = small(rows=[("x", "p", "u"), ("y", "q", "v")], weights=[1] * 2, ladders={}, limit="1")
    with pytest.raises(InputError, match="1 may be left out"):
        run(alone, method)


# --- time and progress ----------------------------------------------------------------------------------------------


@HALF
@given(slow.cases(limits=["0", "0.2", "0.5"]), st.sampled_from(METHODS), st.integers(0, 40), OBJECTIVES)
def test_what_was_found_when_time_runs_out_satisfies(case, method, limit, objective):
    """At whatever look at the clock the search ends, its answer satisfies, or it says that there is none."""
    with a_second_a_look():
        try:
            found = run(case, method, objective, time_limit=limit)
        except InputError as reason:
            assert slow.best(case, objective) is None or "was found before the search was ended. Allow" in str(reason)
            return
    assert slow.broken(case, slow.recoded(case, levels_of_rows(case, found)), kept_rows(case, found)) == (set(), 0)
    assert found.left_out <= case.most
    if not found.finished:
        assert not found.proven and found.seconds > limit
    elif method not in ("parts", "greedy", "mondrian"):
        assert found.proven


class Stop(Exception):
    pass


@HALF
@given(slow.cases(limits=["0", "0.2"]), st.sampled_from(METHODS), OBJECTIVES)
def test_progress_tells_what_satisfies_and_never_gets_worse(case, method, objective):
    reports: list[tuple[float, Generalization | None]] = []
    try:
        run(case, method, objective, progress=lambda share, best: reports.append((share, best)))
    except InputError:
        assert slow.best(case, objective) is None
    assert all(0 <= share <= 1 for share, _ in reports)
    best = [one for _, one in reports if one is not None]
    assert all(one is None for _, one in reports[: len(reports) - len(best)]), "what was found once is not lost"
    scores = []
    for found in {id(one): one for one in best}.values():
        reached = slow.look_at(case, tuple(found.levels.values()))
        assert reached.satisfied and not found.proven and kept_rows(case, found) == reached.kept
        scores.append(reached.score(objective))
    assert scores == sorted(scores)


@pytest.mark.parametrize("method", METHODS[:4])
@pytest.mark.parametrize("limit", ["0", "0.2"])
def test_progress_may_stop_the_search(method, limit):
    def stop(share: float, best: Generalization | None) -> None:
        raise Stop

    with pytest.raises(Stop):
        run(small(limit=limit), method, progress=stop)


# --- what cannot be asked for ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: run(small(requirements=()), "optimal"), "State at least one criterion"),
        (lambda: run(small(requirements=(Requirement(("a", "z"), 2),)), "optimal"), "no column named “z”"),
        (lambda: run(small(rules=(EarlierLDiversity("z", 2),)), "iab"), "no column named “z”"),
        (lambda: run(small(rules=(EarlierTCloseness("b", 0.2),)), "greedy"), "“b” cannot be both inferred and known"),
        (lambda: run(small(limit="-0.1"), "optimal"), "may be left out is a share of the records"),
        (lambda: run(small(limit="1.1"), "optimal"), "may be left out is a share of the records"),
        (lambda: run(small(limit="nan"), "optimal"), "What may be left out must be a number"),
        (
            lambda: run(small(), "fastest"),
            "method is one of: optimal, parts, blanks, iab, exhaustive, greedy, mondrian",
        ),
        (lambda: run(small(), "optimal", "beauty"), "objective is one of: rows, "),
        (lambda: run(small(), "optimal", time_limit="soon"), "time limit must be a number"),
    ],
)
def test_what_cannot_be_asked_for(make, sentence):
    with pytest.raises(InputError, match=sentence):
        make()

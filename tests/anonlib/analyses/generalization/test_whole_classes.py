"""Every search against the slow reference on random tables, and what holds of every lattice.

l-diversity and t-closeness: published examples, exact fractions on random groups, and where they are asked of.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.generalization as slow
from anonlib.analyses.generalization import Generalization, NodeEvaluation, WholeClasses, generalize
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import (
    AttributeDisclosure,
    AverageRiskLimit,
    KAnonymity,
    LDiversity,
    lacking_groups,
)
from anonlib.release.steps.of_cells import EarlierLDiversity, EarlierTCloseness, Requirement, Rule, guarantees_of
from anonlib.values.cells import text_categorical
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
from tests.helpers.weight_loss import ANY

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
    assert [(node.evaluation.node, node.expanded) for node in found.trace] == slow.step_by_step(case, method)
    assert found.tables == len(found.trace) - 1
    assert (found.trace[0].parent, found.trace[0].attribute) == (None, None)
    for node in found.trace[1:]:
        from_table = found.trace[node.parent].evaluation.node
        steps = [b - a for a, b in zip(from_table, node.evaluation.node, strict=True)]
        assert steps == [int(name == node.attribute) for name in found.attributes]


@settings(max_examples=150)
@given(slow.cases() | slow.cases(rules=RULES), st.sampled_from(["iab", "exhaustive", "greedy"]), OBJECTIVES)
def test_what_is_not_generalized_further_could_keep_no_more(case, method, objective):
    """Every table has its turn or a reason; where that is a bound, nothing above it keeps more than the answer."""
    try:
        found = run(case, method, objective)
    except InputError:
        return
    best = max(node.evaluation.score for node in found.trace if node.evaluation.satisfied)
    for node in found.trace:
        assert (node.expanded is None) == bool(node.unfollowed)
        if node.unfollowed == "satisfies":
            assert method == "iab" and node.evaluation.satisfied and not node.evaluation.left_out
        if node.unfollowed in ("satisfies", "no better"):
            above = [state for state in np.ndindex(*(h + 1 for h in found.problem.highest))
                     if all(a >= b for a, b in zip(state, node.evaluation.node, strict=True))]  # fmt: skip
            scores = [evaluation.score for evaluation in map(found.problem.evaluate, above) if evaluation.satisfied]
            assert max(scores, default=-np.inf) <= best
        assert method != "exhaustive" or not node.unfollowed
        assert node.unfollowed != "ended" or method == "greedy"


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
    made = [(node.evaluation.node, node.evaluation.rows, node.evaluation.satisfied) for node in found.trace]
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
    assert (found.node, found.groups, found.rows, found.records, found.n_rows) == (
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
    assert problem.n_nodes == len(states) and (problem.bottom, problem.highest) == (states[0], states[-1])
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
            if all(a <= b for a, b in zip(low.node, high.node, strict=True)):
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
    assert not found.proven and found.best_of_nodes == (method not in ("parts", "greedy", "mondrian"))


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


def as_it_is(classes: ClassTable, asked: list[Requirement], *rules: Rule, **options) -> NodeEvaluation:
    """A table of which nothing can be generalized."""
    return WholeClasses(classes, {}, guarantees_of(asked, rules), **options).evaluate(())


# --- published examples ---------------------------------------------------------------------------------------------

# Machanavajjhala et al. 2007, Figure 1: zip code, age, nationality, condition.
INPATIENTS = """
13053 28 Russian Heart|13068 29 American Heart|13068 21 Japanese Viral|13053 23 American Viral
14853 50 Indian Cancer|14853 55 Russian Heart|14850 47 American Viral|14850 49 American Viral
13053 31 American Cancer|13053 37 Indian Cancer|13068 36 Japanese Cancer|13068 35 American Cancer
"""
FIGURE_2, FIGURE_3 = (2, 1, 1), (1, 2, 1)  # 130**, <30, *  and  1305*, <40, *


def inpatients(*rules) -> WholeClasses:
    rows = [row.split() for row in INPATIENTS.replace("\n", "|").split("|") if row]
    classes = ClassTable.from_frame(pd.DataFrame(rows, columns=["zip", "age", "nationality", "condition"]))
    hierarchies = {
        "zip": Hierarchy((Mask(4), Mask(3), EVERYTHING)),
        "age": Hierarchy((Intervals(cuts=(30, 40)), Intervals(cuts=(40,)), EVERYTHING)),
        "nationality": ANY,
    }
    return WholeClasses(classes, hierarchies, guarantees_of([Requirement(("zip", "age", "nationality"), 4)], rules))


@pytest.mark.parametrize(
    ("state", "l", "groups"),
    [
        (FIGURE_2, 1, 0),
        (FIGURE_2, 2, 1),  # one group of four has cancer, each of them
        (FIGURE_2, 3, 2),  # and one has two conditions
        (FIGURE_3, 3, 0),
        (FIGURE_3, 4, 3),
    ],
)
def test_the_four_anonymous_and_the_three_diverse_table(state, l, groups):  # noqa: E741 - the measure's own name
    found = inpatients(EarlierLDiversity("condition", l)).evaluate(state)
    assert (found.groups, found.records) == (groups, 4 * groups)
    assert found.satisfied == (groups == 0)


def test_entropy_asks_for_more_than_distinct_values():
    """1, 1 and 2 of four: 1.5 bits, which is log2 of 2.83."""
    for level, groups in [(2.0, 0), (2.8, 0), (2.9, 3), (3.0, 3)]:
        found = inpatients(EarlierLDiversity("condition", level, "entropy")).evaluate(FIGURE_3)
        assert found.groups == groups


def in_groups(salaries: str, rule: EarlierTCloseness) -> NodeEvaluation:
    """Groups as they are given, apart by |, of salaries in thousands."""
    rows = [(str(i), salary) for i, group in enumerate(salaries.split("|")) for salary in group.split()]
    frame = pd.DataFrame({"group": [i for i, _ in rows], "salary": text_categorical([salary for _, salary in rows])})
    return as_it_is(ClassTable.from_frame(frame), [Requirement(("group",), 3)], rule)


@pytest.mark.parametrize(("t", "groups"), [(0.374, 1), (0.375, 0), (0.166, 3), (0.167, 2)])
def test_distances_of_the_three_diverse_table(t, groups):
    """Li et al. 2007: of salaries from 3K to 11K, {3, 4, 5} is .375 away from all and {6, 8, 11} .167."""
    assert in_groups("3 4 5|6 8 11|7 9 10", EarlierTCloseness("salary", t, "ordered")).groups == groups


def test_the_table_of_closeness_one_sixth():
    """Li et al. 2007, Table 5: .167-close in salary, and no closer."""
    for t, satisfied in [(0.167, True), (0.166, False)]:
        assert in_groups("3 5 9|6 11 8|4 7 10", EarlierTCloseness("salary", t, "ordered")).satisfied == satisfied


def test_equal_distances_do_not_know_order():
    """Any three of nine values are 2/3 away from all of them."""
    for salaries in ("3 4 5|6 8 11|7 9 10", "3 5 9|6 11 8|4 7 10"):
        assert in_groups(salaries, EarlierTCloseness("salary", 0.667)).groups == 0
        assert in_groups(salaries, EarlierTCloseness("salary", 0.666)).groups == 3


# --- random groups --------------------------------------------------------------------------------------------------


@st.composite
def grouped(draw: st.DrawFn) -> tuple[list[int], list[int], list[int], list[int]]:
    """Per row its group of six, value of five and records; and the records of each value in the original."""
    n = draw(st.integers(0, 14))
    ids = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
    m = draw(st.integers(1, 5))
    values = draw(st.lists(st.integers(0, m - 1), min_size=n, max_size=n))
    counts = draw(st.lists(st.sampled_from([1, 1, 2, 3, 0, 40]), min_size=n, max_size=n))
    original = draw(st.lists(st.integers(1, 60), min_size=m, max_size=m))
    return ids, values, counts, original


@settings(max_examples=200)
@given(grouped(), slow.L_DIVERSITY | slow.T_CLOSENESS)
def test_groups_against_exact_fractions(table, rule):
    ids, values, counts, original = table
    sizes = np.bincount(ids, weights=counts, minlength=6).astype(np.int64) if ids else np.zeros(6, dtype=np.int64)
    overall = np.array(original) / sum(original)
    arrays = (np.array(column, dtype=np.intp) for column in (ids, values, counts))
    number, value, records = arrays
    _, asked = guarantees_of([Requirement(("a",), 1)], [rule])
    found = lacking_groups(asked, number, sizes, value, records, overall)
    whole = Counter({str(v): count for v, count in enumerate(original)})
    for i in range(6):
        held = Counter()
        for group, v, count in zip(ids, values, counts, strict=True):
            if group == i and count:
                held[str(v)] += count
        assert found[i] == (bool(held) and not slow.holds(rule, held, whole))


@pytest.mark.parametrize("m", range(1, 12))
def test_equality_is_enough_whatever_floats_make_of_it(m):
    """m values of equal shares have entropy log m; a table of one group is at distance 0 of itself."""
    for times in (1, 3, 7):
        frame = pd.DataFrame({"a": ["x"] * m * times, "s": [f"{i:02d}" for i in range(m)] * times})
        classes, k = ClassTable.from_frame(frame), [Requirement(("a",), 1)]
        for l in (m, m + 0.001):  # noqa: E741
            assert as_it_is(classes, k, EarlierLDiversity("s", float(l), "entropy")).satisfied == (l == m)
        for distance in ("equal", "ordered"):
            assert as_it_is(classes, k, EarlierTCloseness("s", 0.0, distance)).satisfied


def test_a_distance_that_floats_make_larger_than_t():
    """1/2 of a group of two and 7/20 of all are 3/20 apart, which floats make 0.15000000000000002."""
    frame = pd.DataFrame({"a": ["x"] * 2 + ["y"] * 18, "s": list("uv") + ["u"] * 6 + ["v"] * 12})
    classes, k = ClassTable.from_frame(frame), [Requirement(("a",), 2)]
    for distance in ("equal", "ordered"):
        for t, groups in [(0.15, 0), (0.1499, 1)]:
            assert as_it_is(classes, k, EarlierTCloseness("s", t, distance)).groups == groups


# --- what they are asked of -----------------------------------------------------------------------------------------


def table(text: str) -> ClassTable:
    """One record a word, with a letter a column: a, b, s."""
    return ClassTable.from_frame(pd.DataFrame([list(word) for word in text.split()], columns=["a", "b", "s"]))


def test_rules_are_asked_of_the_groups_of_every_guarantee():
    classes = table("xpu xqv ypu yqv")
    apart = [Requirement(("a",), 1), Requirement(("b",), 1)]
    rule = EarlierLDiversity("s", 2)
    assert as_it_is(classes, apart[:1], rule).groups == 0
    assert as_it_is(classes, apart, rule).groups == 2
    found = generalize(classes, {"b": ANY}, guarantees_of(apart, [rule]))
    assert found.levels == {"b": 1} and found.guarantees == guarantees_of(apart, [rule])


def test_all_rules_hold_at_once():
    classes = table("xpu xpu xpv yqu yqu yqu yqv yqv")
    diverse, close, closer = (
        EarlierLDiversity("s", 2),
        EarlierTCloseness("s", 0.05),
        EarlierTCloseness("s", 0.03, "ordered"),
    )
    # u is 2/3 of one group, 3/5 of the other and 5/8 of all: .042 and .025 away; their entropies are those of 1.89,
    # 1.96 and 1.94 values of equal shares.
    for rules, level in (
        ([diverse], 0),
        ([diverse, close], 0),
        ([diverse, close, closer], 1),
        ([diverse, EarlierLDiversity("s", 1.92, "entropy")], 1),
    ):
        asked = guarantees_of([Requirement(("a",), 3)], rules)
        assert generalize(classes, {"a": ANY}, asked).levels == {"a": level}, rules


def test_closeness_is_to_the_records_that_leave():
    """Without the four who are alone u has 9/16 and not 13/20: x, of which it has 3/4, is 3/16 away and not 1/10."""
    classes = table("xpu xpu xpu xpv " + "ypu ypv " * 6 + "1pu 2pu 3pu 4pu")
    k = [Requirement(("a",), 2)]
    for distance in ("equal", "ordered"):
        for t, left_out in [(0.19, 4), (0.18, 8), (0.0, 20)]:
            rule = EarlierTCloseness("s", t, distance)
            assert as_it_is(classes, k, rule, left_out_limit=1.0).left_out == left_out
            assert as_it_is(classes, k, rule, left_out_limit=0.3).satisfied == (left_out == 4)


def test_values_that_do_not_leave_are_no_step_between_others():
    """Once the one w is gone x and y are 1/4 from all in the order of two values; it would be 1/8 in that of three."""
    classes = table("xpu xpu xpu xpv ypu ypv ypv ypv 1pw")
    for t, left_out in [(0.25, 1), (0.24, 9)]:
        rule = EarlierTCloseness("s", t, "ordered")
        assert as_it_is(classes, [Requirement(("a",), 2)], rule, left_out_limit=1.0).left_out == left_out


def test_a_missing_sensitive_value_is_a_value():
    frame = pd.DataFrame({"a": list("xxyy"), "s": ["u", None, None, None]}, dtype=object)
    found = as_it_is(ClassTable.from_frame(frame), [Requirement(("a",), 2)], EarlierLDiversity("s", 2))
    assert (found.groups, found.rows, found.records) == (1, 1, 2)


def test_a_sensitive_column_may_have_one_value_only():
    for rule in (
        EarlierTCloseness("s", 0.0, "equal"),
        EarlierTCloseness("s", 0.0, "ordered"),
        EarlierLDiversity("s", 1),
    ):
        assert generalize(table("xpu ypu"), {}, guarantees_of([Requirement(("a",), 1)], [rule])).k == (1,)


def test_the_sensitive_column_stays_as_it_is():
    """Though it has a hierarchy, and though rows are counted of it."""
    classes = table("xpu xpv yqu yqv")
    found = generalize(
        classes, dict.fromkeys("as", ANY), guarantees_of([Requirement(("a",), 3)], [EarlierLDiversity("s", 2)])
    )
    assert found.attributes == ("a",) and set(found.classes.column("s")) == {"u", "v"}
    assert found.utility.rows == 4


@pytest.mark.parametrize(
    "guarantee",
    [
        KAnonymity(columns=("a",), least=2, share=0.1),
        KAnonymity(columns=("a", "b"), least=2, known=1),
        KAnonymity(columns=("a",), least=2, rows=1),
        LDiversity(columns=("a",), sensitive="s", l=2, share=0.1),
        AttributeDisclosure(columns=("a",), sensitive="s"),
        AverageRiskLimit(columns=("a",), limit=0.5),
    ],
)
def test_guarantees_that_are_not_of_whole_classes_for_everybody_are_refused(guarantee):
    with refused("guarantee-not-possible"):
        WholeClasses(table("xpu xqv"), {}, [KAnonymity(columns=("a",), least=2), guarantee])


def test_how_many_share_some_columns_must_be_asked():
    for guarantees in ([], [LDiversity(columns=("a",), sensitive="s", l=2)]):
        with refused("guarantee-missing"):
            WholeClasses(table("xpu xqv"), {}, guarantees)
    with refused("guarantee-without-columns"):
        WholeClasses(table("xpu xqv"), {}, [KAnonymity(columns=(), least=2)])


def test_columns_are_both_known_and_sensitive_in_no_two_guarantees():
    asked = [KAnonymity(columns=("a", "s"), least=2), LDiversity(columns=("a",), sensitive="s", l=2)]
    with refused("column-in-two-roles", "s"):
        WholeClasses(table("xpu xqv"), {}, asked)

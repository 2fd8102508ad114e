"""Loops as machine code: written at set-up only, and a small search of each kind compiles all that a real one needs."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from itertools import product
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from numba.core.dispatcher import Dispatcher

from anonlib import set_up
from anonlib.analyses.frontier import (
    LOSSES,
    RISKS,
    Plane,
    PolicySpace,
    interval_programs,
    lower_bounds,
    random_chains,
    sublattices,
)
from anonlib.analyses.frontier import chain_loops as chain_kernel
from anonlib.analyses.frontier import interval_loops as interval_kernel
from anonlib.analyses.frontier.bound import costs as bound_costs
from anonlib.analyses.frontier.bound import paths as bound_paths
from anonlib.analyses.generalization.search import Problem, node_weights
from anonlib.analyses.generalization.search.cell_suppression import blank_cells
from anonlib.analyses.generalization.search.coins import Coin
from anonlib.analyses.generalization.search.local_recoding import (
    coin_kernel,
    few_facts_kernel,
    part_by_part,
    parts_with_coins,
    splitting_kernel,
)
from anonlib.analyses.generalization.search.node_weights import NodeWeights
from anonlib.analyses.individuals import Attacker, privacy_profile
from anonlib.analyses.leakage import information_loss
from anonlib.analyses.schedules import optimal_schedule
from anonlib.analyses.schedules.solver import packing_loops as schedules_kernel
from anonlib.basics import machine_code
from anonlib.basics.budget import A_SECOND
from anonlib.coarsening.hierarchies import Hierarchy, intervals
from anonlib.counting.classes import ClassTable, PersonTable, walk_loops
from anonlib.counting.privacy_models import (
    ONE,
    VALUES,
    AttributeDisclosure,
    CodedPersons,
    CodedRows,
    KAnonymity,
    LDiversity,
    TCloseness,
    sharing_kernel,
    violations,
)
from anonlib.dataset import Dataset
from anonlib.set_up import loops
from anonlib.set_up.loops import (
    compile_attacks,
    compile_cell_suppression,
    compile_frontier,
    compile_local_recoding,
    compile_local_recoding_of_few_facts,
    compile_local_recoding_with_coins,
    compile_node_weights,
    compile_privacy_models,
    compile_schedules,
    compile_walk,
)
from anonlib.verdict.attacks import attack_loops as attacks_kernel
from anonlib.verdict.attacks import attacking
from anonlib.verdict.attacks.elsewhere import another_file


def fresh_module(tmp_path):
    """A module of its own in a folder of its own, with one function that is compiled."""
    path = tmp_path / "sums.py"
    path.write_text("from anonlib.basics.machine_code import compiled\n@compiled\ndef plus_one(x):\n    return x + 1\n")
    spec = importlib.util.spec_from_file_location("sums", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_machine_code_is_written_at_set_up_only(tmp_path):
    assert fresh_module(tmp_path).plus_one(1) == 2
    assert not list(tmp_path.rglob("*.nb[ci]"))
    with machine_code.kept():
        assert fresh_module(tmp_path).plus_one(1) == 2
    assert len(list(tmp_path.rglob("*.nb[ci]"))) == 2
    again = fresh_module(tmp_path)
    assert again.plus_one(1) == 2 and sum(again.plus_one.stats.cache_hits.values()) == 1


def test_processes_that_compile_write_one_at_a_time(tmp_path, monkeypatch):
    """While somebody else writes, the list of what a loop is compiled for is not read to be written again."""
    seen: list[int] = []

    @contextmanager
    def held(path):
        assert path.parent.parent == tmp_path
        before = len(list(tmp_path.rglob("*.nb[ci]")))
        yield
        seen.extend((before, len(list(tmp_path.rglob("*.nb[ci]")))))

    monkeypatch.setattr(machine_code.disk, "held", held)
    with machine_code.kept():
        assert fresh_module(tmp_path).plus_one(1) == 2
    assert seen == [0, 2]


@pytest.mark.parametrize("error", [BrokenProcessPool("no memory"), PermissionError("no semaphores here"), None])
def test_what_no_further_process_compiles_is_compiled_here(monkeypatch, error):
    done: list[object] = []

    def side_by_side() -> None:
        if error is not None:
            raise error

    monkeypatch.setattr(set_up, "_compile_side_by_side", side_by_side)
    monkeypatch.setattr(set_up, "compile_kind", lambda kind: done.append(machine_code._writing))
    monkeypatch.setattr(set_up, "mark_kept", lambda: done.append("marked"))
    set_up.compile_all()
    assert done[-1] == "marked"
    assert done[:-1] == [True] * len(set_up.KINDS) * (error is not None)


def test_every_kind_is_compiled_by_a_search_of_its_own():
    searches = {name.removeprefix("compile_") for name in vars(loops) if name.startswith("compile_")}
    assert searches == set(set_up.KINDS) and len(set_up.KINDS) == len(searches)


def test_set_up_imports_no_library_that_only_its_processes_need():
    code = "import sys, anonlib.set_up; assert not {'pandas', 'geopandas'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_set_up_ends_with_who_started_it_and_leaves_nothing_running():
    """However that ends: nobody has to be able to clear up."""
    waits = (
        "import time, anonlib.set_up as s; s._compile_side_by_side = lambda: print(1, flush=True) or time.sleep(600)"
    )
    alone = "from contextlib import nullcontext; s.set_up_alone = nullcontext; s.main([s.WITH_CALLER])"
    started = subprocess.Popen(
        [sys.executable, "-c", f"{waits}; {alone}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert started.stdin is not None and started.stdout is not None and started.stdout.readline()
    assert started.poll() is None
    started.stdin.close()
    assert started.wait(timeout=60) == 1


def test_where_it_cannot_be_kept_set_up_says_so(monkeypatch, capsys):
    monkeypatch.setattr(set_up, "set_up_alone", lambda: (_ for _ in ()).throw(PermissionError("a folder of others")))
    assert set_up.main() == 1
    words = capsys.readouterr().err
    assert "cannot be kept" in words and "a folder of others" not in words


@pytest.fixture
def set_up_elsewhere(tmp_path, monkeypatch):
    """Whether another process compiles everything; it does until the test says that it has ended."""
    going_on = [True]
    monkeypatch.setattr(machine_code, "is_set_up_going_on", lambda: going_on[0])
    monkeypatch.setattr(machine_code, "_waiting", None)
    return going_on


def compile_elsewhere(folder) -> None:
    """As set-up does it, in a process of its own."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); from anonlib.basics import machine_code; machine_code.keep(); "
    subprocess.run([sys.executable, "-c", f"{code}import sums; sums.plus_one(1)", str(folder)], check=True)


def test_what_set_up_is_still_to_compile_is_waited_for_and_loaded(tmp_path, set_up_elsewhere):
    """Within what shows it, once, and other threads can load what they need meanwhile."""
    events: list[str] = []
    others = tmp_path / "others"
    others.mkdir()

    @contextmanager
    def shown():
        events.append("shown")
        yield
        events.append("over")

    def look() -> None:
        events.append("looked")
        if len(calls) == 0:
            calls.append(threads.submit(fresh_module(others).plus_one, 1))
        elif len(calls) == 1 and calls[0].done():
            calls.append(calls[0])
            compile_elsewhere(tmp_path)

    calls: list[Future[int]] = []
    others_kept = fresh_module(others)
    with machine_code.kept():
        others_kept.plus_one(1)
    machine_code.wait_for_set_up(shown, look)
    module = fresh_module(tmp_path)
    with ThreadPoolExecutor(1) as threads:
        assert module.plus_one(1) == 2 and calls[0].result() == 2
    assert sum(module.plus_one.stats.cache_hits.values()) == 1 and not module.plus_one.stats.cache_misses
    assert events[0] == "shown" and events[-1] == "over" and set(events[1:-1]) == {"looked"}


def test_what_set_up_does_not_compile_is_compiled_here_once_it_has_ended(tmp_path, set_up_elsewhere):
    machine_code.wait_for_set_up(nullcontext, lambda: set_up_elsewhere.__setitem__(0, False))
    module = fresh_module(tmp_path)
    assert module.plus_one(1) == 2 and not module.plus_one.stats.cache_hits
    assert not list(tmp_path.rglob("*.nb[ci]"))


def test_a_wait_ends_with_what_is_raised_by_who_looks(tmp_path, set_up_elsewhere):
    """As where the officer goes to another page; the loop can be called again."""

    def leave() -> None:
        raise KeyboardInterrupt

    machine_code.wait_for_set_up(nullcontext, leave)
    module = fresh_module(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        module.plus_one(1)
    set_up_elsewhere[0] = False
    assert module.plus_one(1) == 2


def test_without_who_waits_what_is_missing_is_compiled_at_once(tmp_path, set_up_elsewhere):
    assert fresh_module(tmp_path).plus_one(1) == 2


def test_code_of_an_earlier_source_is_gone_before_the_list_names_new_code(tmp_path, monkeypatch):
    """Else who reads between the two writes would load it under the name of the new one."""
    with machine_code.kept():
        fresh_module(tmp_path).plus_one(1)
    (tmp_path / "numbers.py").write_text("ONE = 1\n")
    machine_code._stamp.cache_clear()  # as in another process
    written = machine_code.FunctionCache.save_overload
    before: list[int] = []

    def save(self, sig, data):
        before.append(len(list(tmp_path.rglob("*.nbc"))))
        written(self, sig, data)

    monkeypatch.setattr(machine_code.FunctionCache, "save_overload", save)
    with machine_code.kept():
        fresh_module(tmp_path).plus_one(1)
    assert before == [0] and len(list(tmp_path.rglob("*.nbc"))) == 1


def test_a_loop_that_another_calls_with_a_number_is_not_compiled_for_that_number():
    @machine_code.compiled
    def callee(x, negative):
        return -x if negative else x

    @machine_code.compiled
    def caller(n):
        total = 0
        for i in range(n):
            total += callee(i, False) + callee(3, True) + callee(total, i > 2)
        return total

    assert caller(4) == caller.py_func(4)
    assert len(callee.signatures) == 1


def test_machine_code_that_cannot_be_read_is_made_again(tmp_path):
    with machine_code.kept():
        fresh_module(tmp_path).plus_one(1)
    index = next(tmp_path.rglob("*.nbi"))
    good = index.read_bytes()
    for spoilt in (b"", b"of another version", good[: len(good) // 2]):
        index.write_bytes(spoilt)
        assert fresh_module(tmp_path).plus_one(1) == 2
        assert index.read_bytes() == spoilt, "only set-up writes"
        with machine_code.kept():
            assert fresh_module(tmp_path).plus_one(1) == 2
        assert index.read_bytes() == good


def test_machine_code_is_made_again_when_a_module_beside_it_changes(tmp_path):
    """It may hold that module's numbers."""
    with machine_code.kept():
        fresh_module(tmp_path).plus_one(1)
    (tmp_path / "numbers.py").write_text("ONE = 1\n")
    machine_code._stamp.cache_clear()  # as in another process
    again = fresh_module(tmp_path)
    assert again.plus_one(1) == 2 and not again.plus_one.stats.cache_hits


def compiled_for(*kernels: ModuleType) -> dict[str, int]:
    """How many kinds of arguments each loop of these modules is compiled for."""
    return {
        f"{kernel.__name__}.{name}": len(loop.signatures)
        for kernel in kernels
        for name, loop in vars(kernel).items()
        if isinstance(loop, Dispatcher)
    }


@contextmanager
def nothing_more_compiled(set_up: Callable[[], None], *kernels: ModuleType, least: int) -> Iterator[None]:
    """Set-up compiles at least so many of these loops (what they call may come with them), and what follows none."""
    set_up()
    ready = compiled_for(*kernels)
    assert sum(ready.values()) >= least
    yield
    assert compiled_for(*kernels) == ready


def drawn(n: int, **domains: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame({name: rng.integers(0, domain, n).astype(str) for name, domain in domains.items()})


def test_set_up_compiles_all_that_frontier_needs():
    with nothing_more_compiled(compile_frontier, chain_kernel, interval_kernel, bound_costs, bound_paths, least=2):
        frame = drawn(400, a=30, b=15, c=2)
        people = pd.concat([frame, frame.assign(a="7"), frame.iloc[::3]])
        spaces = [
            PolicySpace(ClassTable.from_frame(frame)),
            PolicySpace(ClassTable.from_frame(frame[["a"]]), ClassTable.from_frame(people)),
            PolicySpace(ClassTable.from_frame(frame[frame.a != "3"]), ClassTable.from_frame(people)),
        ]
        for space, risk, loss in product(spaces, RISKS, LOSSES):
            if RISKS[risk].needs_population and space.population is None:
                continue
            plane = Plane(space, risk, loss)
            searches = [random_chains(plane, budget=40), sublattices(plane, budget=40)]
            if plane.additive:
                searches.append(interval_programs(plane, seconds=0.01))
                searches.append(lower_bounds(next(interval_programs(plane)), seconds=0.01))
            for search in searches:
                for _ in search:
                    pass


def test_set_up_compiles_all_that_schedules_need():
    with nothing_more_compiled(compile_schedules, schedules_kernel, least=1):
        for people, places in (([4, 4, 5, 2], [4, 2, 4, 3, 2]), ([300, 1], [301]), ([], []), ([7] * 40, [10] * 29)):
            optimal_schedule(np.array(people, dtype=np.int32), np.array(places), work=0.1 * A_SECOND)


def test_set_up_compiles_all_that_the_walk_over_sets_needs():
    with nothing_more_compiled(compile_walk, walk_loops, least=4):
        frame = drawn(300, a=90, b=60, c=2)
        for weights in (None, np.full(300, 2**24)):
            classes = ClassTable.from_frame(frame, weights=weights)
            information_loss(classes, max_size=3)
            for attacker in (Attacker(), Attacker("npp", knows=1, include_empty=True), Attacker("poac")):
                privacy_profile(classes, attacker)
                privacy_profile(classes, attacker, sensitive="c", memory=20_000)


def test_set_up_compiles_all_that_guarantees_need():
    with nothing_more_compiled(compile_privacy_models, sharing_kernel, least=5):
        frame = drawn(300, a=90, b=9, c=80, id=200)
        persons = PersonTable.from_frame(frame, ["a", "b", "c"], "id")
        weights = np.full(300, 2**24)
        for coded in (
            CodedPersons.of(persons), CodedPersons.of(persons, linked=False),
            CodedRows.of(ClassTable.from_frame(frame, weights=weights)),
        ):  # fmt: skip
            for rows in (ONE, VALUES):
                few = KAnonymity(columns=("a", "b"), least=3, known=1, rows=rows)
                sure = AttributeDisclosure(columns=("a", "b"), sensitive="c", known=1, rows=rows)
                violations(coded, [few, sure, replace(sure, harmless=tuple(map(str, range(40))))])


def test_set_up_compiles_all_that_part_by_part_needs():
    with nothing_more_compiled(compile_local_recoding, splitting_kernel, least=2):
        frame = drawn(900, a=90, b=9, c=3)
        hierarchies = {"a": intervals([10, 30]), "b": intervals([2])}
        for weights in (None, np.full(900, 3)):
            classes = ClassTable.from_frame(frame, weights=weights)
            for asked in (
                [KAnonymity(columns=("a", "b"), least=5)],
                [TCloseness(columns=("a", "b"), sensitive="c", t=0.2), LDiversity(columns=("a",), sensitive="c", l=2)],
            ):
                assert part_by_part(Problem(classes, hierarchies, asked), rounds=2) is not None


def test_set_up_compiles_all_that_parts_with_coins_need():
    with nothing_more_compiled(compile_local_recoding_with_coins, coin_kernel, splitting_kernel, least=2):
        frame = drawn(900, a=90, b=9, c=3)
        for weights in (None, np.full(900, 3)):
            classes = ClassTable.from_frame(frame, weights=weights)
            asked = [KAnonymity(columns=("a", "b"), least=5), LDiversity(columns=("a", "b"), sensitive="c", l=2)]
            problem = Problem(classes, {"a": intervals([10, 30]), "b": intervals([2])}, asked)
            assert parts_with_coins(problem, Coin()) is not None


def test_set_up_compiles_all_that_parts_of_few_facts_need():
    with nothing_more_compiled(compile_local_recoding_of_few_facts, few_facts_kernel, splitting_kernel, least=2):
        frame = drawn(900, a=90, b=9, c=3)
        few = [KAnonymity(columns=("a", "b"), least=5), AttributeDisclosure(columns=("a", "b"), sensitive="c", known=1)]
        problem = Problem(ClassTable.from_frame(frame), {"a": intervals([10, 30]), "b": intervals([2])}, few)
        assert part_by_part(problem, rounds=2) is not None


def test_set_up_compiles_all_that_blank_cells_need():
    with nothing_more_compiled(compile_cell_suppression, splitting_kernel, least=1):
        frame = pd.DataFrame({"a": list("uvvwwx"), "b": list("yyyzzz"), "c": list("ststst")})
        for weights in (None, np.full(6, 3)):
            problem = Problem(
                ClassTable.from_frame(frame, weights=weights),
                {"a": Hierarchy(), "b": Hierarchy()},
                [KAnonymity(columns=("a", "b"), least=2), LDiversity(columns=("a",), sensitive="c", l=2)],
            )
            assert blank_cells(problem, (0, 0)) is not None


def test_set_up_compiles_all_that_attacks_need():
    """Also of a file made elsewhere, of one row or of one column."""
    with nothing_more_compiled(compile_attacks, attacks_kernel, least=4):
        for known, sensitive, n in ((("a", "b"), ("c",), 9), (("a", "b"), ("c",), 1), (("a",), (), 9)):
            frame = drawn(n, a=3, b=3, c=2)[[*known, *sensitive]]
            roles = dict.fromkeys(known, "quasi_identifier") | dict.fromkeys(sensitive, "sensitive")
            original, elsewhere = Dataset.from_frame(frame, roles=roles), Dataset.from_frame(frame)
            another_file(original, elsewhere, attacking.AttackSettings(known, sensitive=sensitive, tries=20))


def test_set_up_compiles_all_that_states_are_weighed_by():
    with nothing_more_compiled(compile_node_weights, node_weights, least=1):
        frame = pd.DataFrame({"a": ["31", "35", "52", "58"] * 9, "b": ["1", "2"] * 18, "c": ["x", "y", "y", "y"] * 9})
        hierarchies = {"a": intervals([10, 30]), "b": intervals([2])}
        for weights in (None, np.full(36, 3)):
            classes = ClassTable.from_frame(frame, weights=weights)
            for asked in (
                [KAnonymity(columns=("a", "b"), least=5)],
                [
                    KAnonymity(columns=("a", "b"), least=5),
                    AttributeDisclosure(columns=("a", "b"), sensitive="c", harmless=("y",)),
                ],
                [KAnonymity(columns=("a", "b"), least=5), AttributeDisclosure(columns=("b",), sensitive="c")],
            ):
                problem = Problem(classes, hierarchies, asked)
                for state in (problem.bottom, problem.highest, (1, 0)):
                    NodeWeights(problem).weigh(state)

"""Which tests are left to `make test-all`: those that go only where others go, and no test that is not there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from tools.repeats import NEVER, ROOT, listed, noted, printed, repeats


def taken(**branches: list[int]) -> dict[str, np.ndarray]:
    return {test: np.array(numbers, dtype=np.int64) for test, numbers in branches.items()}


def test_a_test_is_spared_while_others_take_its_branches_and_the_costly_ones_first() -> None:
    costs = {"long": 9.0, "other": 5.0, "alone": 8.0, "short": 0.09}
    branches = taken(long=[0, 1], other=[0, 1], alone=[1, 2], short=[])
    assert repeats(costs, branches) == ["long"], "then other is the last to take 0, and alone the only one to take 2"
    assert repeats(costs, branches, least=6.0) == ["long"] and repeats(costs, branches, least=9.5) == []
    assert repeats({}, {}) == []
    assert repeats({"a": 1.0, "b": 1.0}, taken(a=[], b=[3])) == ["a"], "who takes no branch of ours shows nothing of it"


def test_what_leaves_and_what_is_printed_is_never_spared() -> None:
    for test in (
        "tests/test_readme.py::test_links",
        "tests/anonlib/verdict/proposals/test_cell_suppression.py::test_blanks_hold_on_the_bytes_that_leave[a]",
        "tests/anonlib/analyses/schedules/test_experiments.py::test_table_10",
        "tests/anonlib/analyses/leakage/test_loss.py::test_table_2",
        "tests/anonlib/analyses/regions/test_findings.py::test_a_site_may_have_no_region[(2, 9)]",
    ):
        assert repeats({test: 9.0, "b": 9.0}, {**taken(b=[0]), test: np.array([0])}) == ["b"]


def test_tests_in_the_list_are_there() -> None:
    """By file and function: who renames a test, or takes it out, takes it out of the list."""
    sources = {
        path: (ROOT / path).read_text(encoding="utf-8") for path in {test.partition("::")[0] for test in listed()}
    }
    for test in listed():
        path, _, name = test.partition("::")
        assert f"def {name.partition('[')[0]}(" in sources[path], test
        assert not NEVER.search(test) and test.partition("[")[0] not in printed(), test


def test_what_documents_of_papers_name_is_found() -> None:
    """In both forms: a link by the test's name, and an address, whose file holds for further names."""
    individual = "tests/anonlib/analyses/individuals/test_individual.py::test_nested_coarsening"
    of_errata = {
        f"{individual}_{end}" for end in ("never_lowers_protection_at_zero", "can_lower_protection_above_zero")
    }
    assert of_errata | {"tests/anonlib/analyses/leakage/test_loss.py::test_table_2"} <= printed()


def test_branches_and_seconds_of_a_test_are_noted(tmp_path: Path) -> None:
    """In a process of its own, where no other test is being noted."""
    (tmp_path / "test_it.py").write_text(
        "from anonlib.basics.words import count\n\n"
        "def test_one(): assert count(1, 'rows') == '1 row'\n\n"
        "def test_two(): assert count(2, 'rows') == '2 rows'\n"
    )
    run = [sys.executable, "-m", "pytest", "-q", "-p", "tools.repeats", "-p", "no:cacheprovider", "-c", os.devnull]
    environment = os.environ | {"ANONSCOPE_REPEATS": str(tmp_path), "PYTHONPATH": str(ROOT)}
    environment.pop("PYTEST_XDIST_WORKER", None)
    finished = subprocess.run([*run, str(tmp_path)], cwd=ROOT, env=environment, capture_output=True, check=False)
    assert finished.returncode == 0, finished.stdout
    costs, branches = noted(tmp_path)
    one, two = (next(numbers for test, numbers in branches.items() if test.endswith(name)) for name in ("one", "two"))
    assert len(costs) == 2 and all(seconds > 0 for seconds in costs.values())
    assert set(one) != set(two) and set(one) & set(two)

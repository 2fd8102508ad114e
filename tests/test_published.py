"""docs/published.md: every table and figure of the papers has a line, and each line's tests hold its numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.helpers.app import SCHEDULES, SCHEDULES_TABS, TABS_OF, TITLES
from tools.repeats import linked, listed

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "published.md"
BENCHMARKS = ROOT / "docs" / "benchmarks.md"
PRINTED = {
    "Caballero et al. 2017": {"Table": 11, "Algorithm": 2, "Definition": 3},
    "Croft et al. 2015": {"Table": 1, "Figure": 5, "Equation": 23},
    "Kroes et al. 2021": {"Table": 2, "Figure": 4, "Definition": 4, "Example": 3},
    "Arca and Hewett 2021": {"Table": 8, "Figure": 10, "Algorithm": 1, "Proposition": 2},
    "Xia et al. 2013": {"Figure": 10, "Algorithm": 3, "Equation": 4, "Definition": 10},
    "Brown et al. 2022": {},
}
"""How many of each a paper numbers; Xia's definitions are 3.1 to 3.10."""
KINDS = ("same", "own data", "none")
NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+|\d+/\d+|\d*\.\d+|\d+")
PLACES = {TITLES[page]: set(tabs) for page, (_, tabs) in TABS_OF.items()} | {TITLES[SCHEDULES]: set(SCHEDULES_TABS)}


class Line(NamedTuple):
    """A row of a paper's table."""

    where: str
    paper: str
    ours: str
    kind: str
    screen: str
    tests: str


@cache
def sections() -> dict[str, str]:
    parts = re.split(r"^## (.+)$", DOCUMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def lines(paper: str) -> list[Line]:
    rows = [line.strip("| ").split(" | ") for line in sections()[paper].splitlines() if line.startswith("|")]
    return [Line(*row) for row in rows[2:]]


of_each_paper = pytest.mark.parametrize("paper", PRINTED)


@of_each_paper
def test_whatever_a_paper_numbers_has_a_line(paper: str) -> None:
    where = "; ".join(line.where for line in lines(paper)).replace("3.", "")
    for kind, n in PRINTED[paper].items():
        found: set[int] = set()
        for several in re.findall(rf"{kind}s? ((?:\d+(?:, | and | to )?)+)", where):
            for first, last in re.findall(r"(\d+)(?: to (\d+))?", several):
                found |= set(range(int(first), int(last or first) + 1))
        assert found == set(range(1, n + 1)), f"lines of {paper}, {kind}"


@of_each_paper
def test_each_line_is_held_by_tests_that_always_run(paper: str) -> None:
    """Or by a measurement; or it says why there is nothing to compare. A slip links the errata of its paper."""
    errata = paper.lower().replace(".", "").replace(" ", "-")
    left_out = {test.partition("[")[0] for test in listed()}
    for line in lines(paper):
        assert line.kind in (*KINDS, f"[slip](errata.md#{errata})") and line.where and line.paper and line.ours, (
            line.where
        )
        measured = "](benchmarks.md#" in line.tests and line.kind == "own data"
        assert linked(line.tests) or measured or line.kind == "none", line.where
        for path, name in linked(line.tests):
            test = defined(ROOT / path).get(name)
            assert isinstance(test, ast.FunctionDef), f"{line.where}: {path} has no {name}"
            waits = f"{path}::{name}" in left_out or "repeats" in map(ast.unparse, test.decorator_list)
            assert not waits, f"make test leaves out {name}, which holds what a paper prints"


@of_each_paper
def test_each_line_says_where_it_is_on_screen(paper: str) -> None:
    for line in lines(paper):
        for place in () if line.screen == "–" else line.screen.split("; "):
            page, _, tab = place.partition(": ")
            assert page in TITLES.values() and (not tab or tab in PLACES[page]), f"{line.where}: {place}"


@of_each_paper
def test_numbers_in_bold_are_in_the_tests_or_measured(paper: str) -> None:
    for line in lines(paper):
        held = {Fraction(0)}.union(*(numbers(ROOT / path, name) for path, name in linked(line.tests)))
        measured = BENCHMARKS.read_text(encoding="utf-8") if "](benchmarks.md#" in line.tests else ""
        for bold in re.findall(r"\*\*(.+?)\*\*", line.ours):
            for text in NUMBER.findall(bold):
                value = Fraction(text.replace(",", ""))
                is_held = value in held or ("%" in bold and value / 100 in held)
                assert is_held or re.search(rf"(?<![\d.]){re.escape(text)}(?!\d)", measured), f"{line.where}: {text}"


def test_times_are_those_that_were_measured() -> None:
    measured = BENCHMARKS.read_text(encoding="utf-8")
    times = re.findall(r"\*\*(.+?)\*\*", sections()["Times"])
    assert times and not [time for time in times if time not in measured]


# ---- the numbers of a test ------------------------------------------------------------------------------------------


@cache
def defined(path: Path) -> dict[str, ast.stmt]:
    """What a module defines or imports, by name."""
    found: dict[str, ast.stmt] = {}
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = statement
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = statement
            case ast.ImportFrom(names=names):
                found |= {alias.asname or alias.name: statement for alias in names}
    return found


def numbers(path: Path, name: str) -> set[Fraction]:
    """Those of a test, and of the constants, helpers and fixtures that it names; of our library constants alone."""
    found: set[Fraction] = set()
    waiting, seen = [(path, name)], set()
    while waiting:
        place = waiting.pop()
        statement = None if place in seen else defined(place[0]).get(place[1])
        seen.add(place)
        if isinstance(statement, ast.ImportFrom):
            waiting += imported(statement, place[1])
        elif statement is not None and (place[0].is_relative_to(ROOT / "tests") or not is_code(statement)):
            found |= set(constants(statement))
            names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
            names |= {node.arg for node in ast.walk(statement) if isinstance(node, ast.arg)}
            waiting += [(place[0], each) for each in names & defined(place[0]).keys()]
    return found


def is_code(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef | ast.ClassDef)


def imported(statement: ast.ImportFrom, name: str) -> Iterator[tuple[Path, str]]:
    module = ROOT / (statement.module or "").replace(".", "/")
    for file in (module.with_suffix(".py"), module / "__init__.py"):
        if file.exists():
            yield file, next(alias.name for alias in statement.names if name in (alias.asname, alias.name))


def constants(statement: ast.stmt) -> Iterator[Fraction]:
    """Numbers, those in texts but not in docstrings, and what two of them are by a sign between."""
    for node in ast.walk(statement):
        match node:
            case ast.Constant(value=bool() | None):
                pass
            case ast.Constant(value=int() | float() as value):
                yield Fraction(str(value))
            case ast.BinOp(left=ast.Constant(value=int() as left), right=ast.Constant(value=int() as right), op=sign):
                if isinstance(sign, ast.Div) and right:
                    yield Fraction(left, right)
                elif isinstance(sign, ast.Sub | ast.Add):
                    yield Fraction(left - right if isinstance(sign, ast.Sub) else left + right)
            case ast.Assign(value=ast.Constant(value=str() as text)):
                yield from (Fraction(each.replace(",", "")) for each in NUMBER.findall(text))

"""The field's terms: who searches the code for one finds it, and the words that stood for it before are gone.

The field's literature and tools (ARX, sdcMicro, Anonymeter) know things by these terms; the screen says them plainly,
and the glossary has both.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("anonlib", "ui", "pages")

TERMS = {
    "k-anonymity": ("KAnonymity", "k-anonymity"),
    "l-diversity": ("LDiversity", "l-diversity"),
    "t-closeness": ("TCloseness", "t-closeness"),
    "privacy model": ("PrivacyModel", "privacy_models"),
    "attribute disclosure": ("AttributeDisclosure",),
    "average risk": ("AverageRisk", "AverageRiskLimit"),
    "global recoding": ("global_recoding",),
    "local recoding": ("local_recoding", "LocalRecoding"),
    "cell suppression": ("cell_suppression", "CellSuppression"),
    "record suppression": ("record_suppression",),
    "suppression limit": ("suppression_limit",),
    "collapse rare values": ("collapse_rare",),
    "lattice": ("lattice",),
    "node": ("Node",),
    "solution": ("Solution",),
    "information loss": ("information_loss",),
    "marginal cost": ("MarginalCost", "marginal_costs"),
    "relaxation": ("Relaxation", "relaxations"),
    "what if": ("what_if", "WhatIf"),
    "uniqueness of a release": ("uniqueness_of_release", "UniquenessOfRelease"),
    "revealing columns": ("revealing_columns", "RevealingColumns"),
    "unclassified columns": ("UnclassifiedColumns",),
    "rows known": ("RowsKnown",),
    "singling out": ("singling_out",),
    "linkage": ("linkage",),
    "linkability": ("linkability",),
    "membership": ("membership",),
    "inference": ("inference", "Inference"),
    "equivalence class": ("ClassTable",),
    "peers": ("peers",),
    "quasi-identifier": ("quasi_identifiers",),
    "progress": ("Progress",),
}
"""By term, names of modules, classes, functions or fields by which the code has it, or words of a docstring."""

IN_THE_GLOSSARY = (
    "k-anonymity", "l-diversity", "t-closeness", "local recoding", "global recoding", "cell suppression",
    "record suppression", "lattice", "solution", "information loss", "suppression limit", "linkage", "inference",
    "singling out", "membership", "quasi-identifier", "equivalence class",
)  # fmt: skip

GONE = {
    "classes": {
        "Guarantee", "Shared", "Diverse", "Close", "NotCertain", "Settled", "Remedy", "Relief", "Price", "Tellers",
        "TellingColumns", "AloneByWhatLeaves", "ColumnsNotCounted", "BestSoFar",
    },
    "modules": {
        "kernel", "telling", "alone", "remedies", "reliefs", "predicates", "guessing", "blanks",
        "part_by_part", "leave_out", "guarantees",
    },
    "names": set("found made each told said tell watch look go_on pause".split()),
}  # fmt: skip


def modules() -> Iterator[tuple[str, ast.Module]]:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), _parsed(path)


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def names() -> frozenset[str]:
    """Of modules and packages, classes, functions, and fields."""
    held: set[str] = set()
    for path, tree in modules():
        held |= set(path.removesuffix(".py").split("/"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                held.add(node.name)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                held.add(node.target.id)
            elif isinstance(node, ast.arg):
                held.add(node.arg)
            elif isinstance(node, ast.Assign):
                held |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(held)


@cache
def documentation() -> str:
    parts = []
    for _, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                parts.append(ast.get_docstring(node) or "")
    return "\n".join(parts).lower()


@pytest.mark.parametrize("term", TERMS)
def test_a_term_is_found_by_its_name_in_the_code(term: str) -> None:
    missing = [name for name in TERMS[term] if name not in names() and name not in documentation()]
    assert not missing


@pytest.mark.parametrize("term", IN_THE_GLOSSARY)
def test_a_term_is_found_in_the_glossary(term: str) -> None:
    assert term in (ROOT / "docs/glossary.md").read_text(encoding="utf-8").lower()


def test_words_of_before_name_no_class_module_or_variable() -> None:
    complaints = []
    for path, tree in modules():
        if Path(path).stem in GONE["modules"]:
            complaints.append(path)
        for node in ast.walk(tree):
            name = ""
            if isinstance(node, ast.ClassDef) and node.name in GONE["classes"]:
                name = node.name
            elif isinstance(node, ast.arg) and node.arg in GONE["names"]:
                name = node.arg
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in GONE["names"]:
                name = node.id
            if name:
                complaints.append(f"{path}:{node.lineno}: {name}")
    assert not complaints, "\n".join(complaints)


def test_no_two_classes_have_one_name() -> None:
    """But private ones, which no other module sees."""
    places = defaultdict(list)
    for path, tree in modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path)
    doubled = {name: paths for name, paths in places.items() if len(paths) > 1}
    assert not doubled


def test_progress_has_one_shape() -> None:
    """What takes progress takes a `Progress`, and no callable of its own."""
    own = re.compile(r"progress: Callable")
    shapes = [path for path, _ in modules() if own.search((ROOT / path).read_text(encoding="utf-8"))]
    assert not shapes

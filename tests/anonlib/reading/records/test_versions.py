"""The versions of databases that the document names are those that are tried."""

from __future__ import annotations

import re
from pathlib import Path

import ibis
import pytest

DOCUMENT = Path(__file__).resolve().parents[4] / "docs" / "engines.md"
PARTS = {"DuckDB": 2, "PostgreSQL": 1, "Spark": 2, "Java, for Spark": 1, "Ibis": 2}
"""How many numbers of each version say what it can do: 15.18 and 15.19 of PostgreSQL can do the same."""


def named() -> dict[str, str]:
    """The table, by its first column."""
    (table,) = re.findall(
        r"^\| \| tried with \|\n\|---\|---\|\n((?:\|.*\n)+)", DOCUMENT.read_text("utf-8"), re.MULTILINE
    )
    return dict(re.findall(r"^\| (.+?) \| ([\d.]+) \|$", table, re.MULTILINE))


def feature(name: str, version: str) -> list[str]:
    """The numbers of a version that say what it can do."""
    return re.findall(r"\d+", version)[: PARTS[name]]


@pytest.mark.everyday
def test_the_versions_that_are_named_are_those_that_run(engine):
    running = {"Ibis": ibis.__version__}
    match engine.name:
        case "duckdb":
            running["DuckDB"] = engine.connection.version
        case "postgres":
            running["PostgreSQL"] = engine.connection.version
        case "spark":
            context = engine.connection._session.sparkContext
            running |= {"Spark": context.version, "Java, for Spark": context._jvm.System.getProperty("java.version")}
    for name, version in running.items():
        assert feature(name, version) == feature(name, named()[name]), f"{name} {version} runs: try it, and name it"


def test_each_engine_is_named_with_its_whole_version():
    assert set(named()) == set(PARTS)
    assert all(re.fullmatch(r"\d+\.\d+(\.\d+)?", version) for version in named().values())

"""Measure everything and write the table of docs/benchmarks.md: ``make bench`` or ``python -m benchmarks.run``."""

from __future__ import annotations

import argparse
from importlib.metadata import version

from anonlib.set_up import compile_all
from benchmarks import (
    bench_attacks,
    bench_browser,
    bench_classes,
    bench_connected,
    bench_evidence,
    bench_first_look,
    bench_forecast,
    bench_frontier,
    bench_generalization,
    bench_individuals,
    bench_many_columns,
    bench_method,
    bench_pages,
    bench_population,
    bench_pycanon,
    bench_reading,
    bench_regions,
    bench_schedules,
    bench_sign_in,
    bench_spark,
    bench_tables,
    bench_team,
    bench_utility,
    bench_verdict,
    bench_worth,
)
from benchmarks.measuring import REPOSITORY, Row, machine

PARTS = {
    "reading": ("Reading a large file", bench_reading.rows),
    "classes": ("Classes and risk", bench_classes.rows),
    "population": ("Unique in the population", bench_population.rows),
    "first look": ("The first look", bench_first_look.rows),
    "individuals": ("Individuals", bench_individuals.rows),
    "generalization": ("Leakage and generalization", bench_generalization.rows),
    "verdict": ("Verdict", bench_verdict.rows),
    "worth": ("What is left of a file", bench_worth.rows),
    "method": ("Who knows the method", bench_method.rows),
    "many columns": ("Many columns, and mixed coarseness on large files", bench_many_columns.rows),
    "utility": ("What a release is still good for", bench_utility.rows),
    "evidence": ("Evidence and report", bench_evidence.rows),
    "regions": ("Regions", bench_regions.rows),
    "frontier": ("Frontier", bench_frontier.rows),
    "forecast": ("Forecast", bench_forecast.rows),
    "schedules": ("Schedules", bench_schedules.rows),
    "attacks": ("Attacks, beside Anonymeter", bench_attacks.rows),
    "pycanon": ("Beside pyCANON", bench_pycanon.rows),
    "tables": ("Several tables as they grow", bench_tables.rows),
    "connected": ("Connected data as they grow", bench_connected.rows),
    "spark": ("In Spark, on one machine", bench_spark.rows),
    "browser": ("In the browser", bench_browser.rows),
    "sign-in": ("Signing in at a department’s server", bench_sign_in.rows),
    "pages": ("Every page in the browser", bench_pages.rows),
    "team": ("Many sessions on one server", bench_team.rows),
}
# Tables with columns of their own, after their part's.
MORE = {
    "population": bench_population.tables,
    "first look": bench_first_look.table,
    "generalization": bench_generalization.methods,
    "worth": bench_worth.tables,
    "method": bench_method.curve,
    "regions": bench_regions.tables,
    "frontier": bench_frontier.tables,
    "schedules": bench_schedules.hard,
}
PAGE = REPOSITORY / "docs" / "benchmarks.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
HEAD = "| what | measured | target | met |\n|---|---|---|---|"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; without any, all are measured and written")
    chosen = parser.parse_args().parts
    if unknown := set(chosen) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    compile_all()  # what an edit made outdated would be compiled again in every process that is measured
    tables = []
    for name, (title, measure) in PARTS.items():
        if chosen and name not in chosen:
            continue
        tables.append(_table(title, measure()))
        print(tables[-1], flush=True)
        if name in MORE:
            tables.append(MORE[name]())
            print(tables[-1], flush=True)
    if not chosen:
        _write(tables)


def _table(title: str, rows: list[Row]) -> str:
    return "\n".join([f"### {title}", "", HEAD, *map(str, rows), ""])


def _write(tables: list[str]) -> None:
    """Put the tables between the two marks of the page; the words around them stay."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("pandas", "numpy", "duckdb", "ortools"))
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    measured = "\n".join([BEGIN, f"Measured on: {machine()}; {libraries}.", "", *tables])
    PAGE.write_text(f"{before}{measured}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()

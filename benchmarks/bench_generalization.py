"""Leakage, and the least generalization of Adult that reaches k = 5: time, memory, and what each method keeps."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import get_args

import numpy as np
import pandas as pd

from anonlib.analyses.generalization import Generalization, Method, Objective, generalize, inject
from anonlib.analyses.leakage import alerts, information_loss
from anonlib.basics.words import percent
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import KAnonymity
from anonlib.reading.sources import open_source
from benchmarks.adult_hierarchies import adult_hierarchies
from benchmarks.measuring import ADULT_NINE, REPOSITORY, Row, adult_bytes, complete, cpu_seconds, cpu_time, spoken

SEED = 20217
K = 5
MILLION = 1_000_000
MIXED = 0.3
"""Share of the cells of the million records that come from a second record."""
HIERARCHIES = adult_hierarchies()
SHIELD = KAnonymity(columns=tuple(HIERARCHIES), least=K)
STEP_BY_STEP = ("iab", "exhaustive")


def rows() -> list[Row]:
    return [*_adult(), *_million(), *_leakage()]


@cache
def adult() -> ClassTable:
    classes = ClassTable.from_frame(complete(open_source(adult_bytes(), "adult.csv").frame), ADULT_NINE)
    assert (classes.n_records, classes.n_classes) == (30_162, 19_502)
    return classes


def search(classes: ClassTable, method: Method = "optimal", objective: Objective = "rows", limit: float = 0.0):
    return generalize(classes, HIERARCHIES, SHIELD, method=method, objective=objective, left_out_limit=limit)


def _adult() -> list[Row]:
    classes = adult()
    best = cpu_seconds(lambda: search(classes))
    shown = cpu_seconds(lambda: search(classes).utility)
    left_out = cpu_seconds(lambda: search(classes, limit=0.05), 3)
    local = cpu_seconds(lambda: search(classes, "parts"), 3)
    four = KAnonymity(columns=("sex", "age", "race", "marital_status"), least=K)
    fakes = inject(classes, HIERARCHIES, four, seed=SEED, budget=0.1)
    what = f"Adult, 30,162 x 9, eight quasi-identifiers of 6,480 states, k = {K}"
    return [
        Row(f"{what}: the best state, proven", spoken(best), "< 0.3 s", best < 0.3),
        Row("the same, with the table it makes and all measures of it", spoken(shown)),
        Row("the same, where 5% of the records may be left out", spoken(left_out), "< 5 s", left_out < 5),
        Row("the same: Mondrian along the hierarchies", spoken(local), "< 2 s", local < 2),
        Row(
            f"Adult: {fakes.n_fake:,} fake records ({percent(fakes.share)}) for k = {K} of sex, age, race and marital "
            "status, nothing generalized",
            spoken(cpu_seconds(lambda: inject(classes, HIERARCHIES, four, seed=SEED, budget=0.1))),
        ),
    ]


def _leakage() -> list[Row]:
    classes = adult()
    return [
        Row(
            "Adult: leakage of all nine columns, their 36 pairs and 84 triples",
            spoken(cpu_seconds(lambda: information_loss(classes, max_size=3))),
        ),
        Row(
            "Adult: the minimal sets of up to 3 that give too much away",
            spoken(cpu_seconds(lambda: alerts(classes, average=0.5, worst=0.9, smallest=K, max_size=3))),
        ),
    ]


# ---- a million records --------------------------------------------------------------------------------------------


def _million() -> Iterator[Row]:
    for number, (name, options) in enumerate(CASES.items()):
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.bench_generalization", name],
            cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
        out = json.loads(done.stdout)
        data = f"Adult mixed to 1,000,000 records ({out['classes']:,} distinct)" if number == 0 else "These records"
        memory = f"{out['peak'] / 1e9:.2f} GB"
        if options:
            yield Row(f"{data}: {name}", f"{spoken(out['seconds'])}, {memory}")
        else:
            yield Row(f"{data}: {name}", spoken(out["seconds"]), "< 5 s", out["seconds"] < 5)
            yield Row("the same: peak memory of the whole process", memory, "< 1 GB", out["peak"] < 1e9)


CASES: dict[str, dict] = {
    "the best state, proven": {},
    "where 5% may be left out": {"limit": 0.05},
    "Mondrian": {"method": "parts"},
}


def mixed(classes: ClassTable, n_records: int = MILLION, seed: int = SEED) -> ClassTable:
    """Records drawn from a table's, with some cells of each from a second one: more combinations, alike columns."""
    rng = np.random.default_rng(seed)
    share = classes.counts / classes.n_records
    first, second = (rng.choice(classes.n_classes, n_records, p=share) for _ in range(2))
    columns = {}
    for j, (name, values) in enumerate(zip(classes.attributes, classes.categories, strict=True)):
        codes = np.where(rng.random(n_records) < MIXED, classes.codes[second, j], classes.codes[first, j])
        columns[name] = pd.Categorical.from_codes(codes, pd.Index(values, dtype=object))
    return ClassTable.from_frame(pd.DataFrame(columns))


def _one_million(name: str) -> dict[str, float]:
    """CPU seconds, peak memory in bytes and the distinct rows; for a process of its own."""
    import resource

    classes = mixed(adult())
    taken = cpu_time(lambda: search(classes, **CASES[name]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {"seconds": taken, "peak": peak, "classes": classes.n_classes}


# ---- the methods side by side -------------------------------------------------------------------------------------

_HEAD = "| method | kept most | rows | classes | cell loss | entropy loss | left out | tables made | time |"


def methods() -> str:
    """A table of what each method keeps of Adult at k = 5, and of how many tables it makes for that."""
    lines = [_HEAD, "|---" * (_HEAD.count("|") - 1) + "|"]
    original = adult()
    lines.append(_line("the original", "", original.n_classes, original.project(SHIELD.columns).n_classes))
    objectives: tuple[Objective, ...] = ("rows", "cell_loss")
    for objective in objectives:
        found = {}
        for method in get_args(Method)[:-1]:
            found[method], line = _of(method, objective)
            lines.append(line)
        proven = [getattr(found[method].utility, objective) for method in ("optimal", *STEP_BY_STEP)]
        assert len(set(proven)) == 1, "methods that prove the best disagree about it"
        lines.append(_of("optimal", objective, 0.05)[1])
    lines.append(_of("parts")[1])
    title = f"Adult, 30,162 x 9, k = {K} of eight quasi-identifiers, method by method"
    return "\n".join([f"### {title}", "", *lines, ""])


def _of(method: Method, objective: Objective = "rows", limit: float = 0.0) -> tuple[Generalization, str]:
    found: list[Generalization] = []
    once = method in STEP_BY_STEP
    taken = (cpu_time if once else cpu_seconds)(lambda: found.append(search(adult(), method, objective, limit)))
    best = found[-1]
    kept = best.utility
    assert best.k[0] >= K and best.left_out <= limit * best.n_records
    return best, _line(
        f"{method}, 5% may be left out" if limit else method,
        "" if method == "parts" else objective.replace("cell_loss", "cells"),
        kept.rows, kept.classes, f"{kept.cell_loss:.3f}", f"{kept.entropy_loss:.3f}", f"{best.left_out:,}",
        f"{best.tables:,} parts" if method == "parts" else f"{best.tables:,}", spoken(taken),
    )  # fmt: skip


def _line(name: str, objective: str, n_rows: int, classes: int, *rest: str) -> str:
    cells = [name, objective, f"{n_rows:,}", f"{classes:,}", *(rest or ("0", "0", "0", "", ""))]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print(json.dumps(_one_million(sys.argv[1])))

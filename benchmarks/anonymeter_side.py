"""Runs in Anonymeter's own environment: reads tasks as JSON, prints its rates and times as JSON.

Imports nothing of this project, which needs newer libraries than Anonymeter allows.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator, singling_out_evaluator

warnings.filterwarnings("ignore")
ALL_CORES = -1


def main() -> None:
    asked = json.load(sys.stdin)
    original, released, control = (
        pd.read_csv(Path(asked["folder"]) / f"{name}.csv") for name in ("original", "released", "control")
    )
    # Its loops are compiled before anything is timed.
    _attacked(original.head(500), released.head(500), control.head(100), asked | {"tries": 20})
    np.random.seed(asked["seed"])  # its samples are drawn by pandas
    print(json.dumps({"version": version("anonymeter"), "results": _attacked(original, released, control, asked)}))


def _attacked(original: pd.DataFrame, released: pd.DataFrame, control: pd.DataFrame, asked: dict) -> dict:
    """By attack what came of it, and its seconds."""
    tries, seed = asked["tries"], asked["seed"]
    few = min(tries, len(control))
    tables = {"ori": original, "syn": released, "control": control}
    one, other, secret = asked["one"], asked["other"], asked["secret"]
    known = [name for name in original.columns if name != secret]

    def singling_out(mode: str) -> SinglingOutEvaluator:
        return SinglingOutEvaluator(**tables, n_attacks=tries, n_cols=3, seed=seed).evaluate(mode=mode)

    def linkability() -> LinkabilityEvaluator:
        return LinkabilityEvaluator(**tables, n_attacks=few, aux_cols=(one, other), n_neighbors=1).evaluate(ALL_CORES)

    def inference() -> InferenceEvaluator:
        evaluator = InferenceEvaluator(**tables, aux_cols=known, secret=secret, regression=False, n_attacks=few)
        return evaluator.evaluate(n_jobs=ALL_CORES)

    attacks: dict[str, Callable] = {
        "one column": lambda: singling_out("univariate"),
        "three columns": lambda: singling_out("multivariate"),
        "linkability": linkability,
        "inference": inference,
    }
    found = {}
    made = list[int]()  # predicates that could be made, of which it divides by those that were asked for
    generate = singling_out_evaluator._generate_singling_out_queries

    def counted(*arguments, **settings) -> list:
        queries = generate(*arguments, **settings)
        made.append(len(queries))
        return queries

    singling_out_evaluator._generate_singling_out_queries = counted
    for name, attack in attacks.items():
        start = time.perf_counter()
        evaluator = attack()
        seconds = time.perf_counter() - start
        results = evaluator.results()
        tries_made = made.pop() if made else None
        found[name] = {
            "successes": float(results.n_success), "tries": tries_made or results.n_attacks_ori,
            "control": float(results.n_control), "control tries": tries_made or results.n_attacks_control,
            "seconds": seconds,
        }  # fmt: skip
    singling_out_evaluator._generate_singling_out_queries = generate
    return found


if __name__ == "__main__":
    main()

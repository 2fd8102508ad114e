"""Runs in pyCANON's own environment: reads tasks as JSON, prints its values and times as JSON.

Imports nothing of this project, which needs newer libraries than pyCANON allows.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version

import pandas as pd
from pycanon import anonymity


def main() -> None:
    asked = json.load(sys.stdin)
    frame = pd.read_csv(asked["csv"])
    measures = {
        "k": lambda known, _: anonymity.k_anonymity(frame, known),
        "distinct_l": lambda known, sensitive: anonymity.l_diversity(frame, known, [sensitive]),
        "entropy_l": lambda known, sensitive: anonymity.entropy_l_diversity(frame, known, [sensitive]),
        "t": lambda known, sensitive: anonymity.t_closeness(frame, known, [sensitive]),
    }
    results = []
    for task in asked["tasks"]:
        values, times = {}, {}
        for name, measure in measures.items():
            start = time.perf_counter()
            values[name] = float(measure(task["known"], task["sensitive"]))
            times[name] = time.perf_counter() - start
        results.append({"values": values, "seconds": times})
    print(json.dumps({"version": version("pycanon"), "pandas": version("pandas"), "results": results}))


if __name__ == "__main__":
    main()

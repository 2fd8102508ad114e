"""The rates that Anonymeter 1.1.0 measured on five files made of 6,000 records of Adult: ours are within the intervals.

``benchmarks/bench_attacks.py`` makes the files, with seeds, and measures both in one run.
"""

from __future__ import annotations

import pandas as pd

from anonlib.verdict.attacks.result import Rate
from benchmarks.bench_attacks import ATTACKS, agree, files, ours

TRIES = 500
# Of the file and of the control, by attack in the order of ATTACKS: successes of 500 tries.
MEASURED = {
    "the original": ((500, 36), (500, 101), (443, 6), (500, 405)),
    "k-anonymous": ((476, 49), (233, 116), (27, 0), (465, 390)),
    "shuffled": ((500, 26), (96, 82), (2, 0), (324, 322)),
    "resampled": ((478, 40), (344, 100), (225, 7), (460, 401)),
    "synthetic": ((478, 47), (106, 109), (0, 1), (328, 313)),
}


def test_rates_are_within_the_intervals_of_anonymeter(shared_data):
    made = files(pd.read_csv(shared_data("adult.csv")), 6_000)
    assert set(made) == set(MEASURED)
    for file, tables in made.items():
        found = ours(*tables, tries=TRIES)
        for attack, (successes, control) in zip(ATTACKS, MEASURED[file], strict=True):
            here = found[attack]
            of_file = Rate(here["successes"], here["tries"]), Rate(here["control"], here["control tries"])
            for rate, published in zip(of_file, (successes, control), strict=True):
                assert agree(rate, Rate(published, TRIES)), (file, attack, rate, published)

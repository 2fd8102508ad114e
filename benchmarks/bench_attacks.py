"""Attacks beside Anonymeter, which runs in an environment of its own, in the same run; all attacks on large files."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.attacks.attacking import AttackSettings, attack
from anonlib.verdict.attacks.inference import inference_attack
from anonlib.verdict.attacks.linkage import linkability
from anonlib.verdict.attacks.matching import of_another_file
from anonlib.verdict.attacks.result import Rate
from anonlib.verdict.attacks.singling_out import predicate_attack
from benchmarks.measuring import Row, adult_bytes, environment, spoken

PINNED = "anonymeter==1.1.0"
SEED, TRIES = 3, 1_000
SECRET = "salary"
ONE = ("age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country")
ATTACKS = ("one column", "three columns", "linkability", "inference")
_LEAST = 5  # of the k-anonymous file

Files = dict[str, tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]]
"""By name the original, the released file and the control."""


def files(frame: pd.DataFrame, n: int) -> Files:
    """Five released files made of the first half of so many records, with the other half as the control."""
    rng = np.random.default_rng(SEED)
    mixed = frame.drop_duplicates().sample(frac=1, random_state=SEED).head(n).reset_index(drop=True)
    original, control = mixed.iloc[: n // 2].reset_index(drop=True), mixed.iloc[n // 2 :].reset_index(drop=True)
    coarse, coarse_control = _coarse(original), _coarse(control)
    sizes = coarse.groupby([name for name in ONE if name in coarse], dropna=False)[SECRET].transform("size")
    return {
        "the original": (original, original, control),
        "k-anonymous": (coarse, coarse[sizes >= _LEAST].reset_index(drop=True), coarse_control),
        "shuffled": (original, original.apply(lambda cells: rng.permutation(cells.to_numpy())), control),
        "resampled": (original, original.sample(frac=1, replace=True, random_state=SEED), control),
        "synthetic": (original, _chained(original, rng), control),
    }


def _coarse(frame: pd.DataFrame) -> pd.DataFrame:
    """Bands of ten years, two columns of what is known left out, the others as they are."""
    return frame.assign(age=frame["age"] // 10 * 10).drop(columns=["native_country", "education"])


def _chained(frame: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Each column drawn from the records that share the value of the column before."""
    made = [frame.iloc[:, 0].to_numpy()[rng.integers(len(frame), size=len(frame))]]
    for before, name in zip(frame.columns, frame.columns[1:], strict=False):
        values = frame[name].to_numpy()
        drawn = np.empty(len(frame), dtype=values.dtype)
        for value, rows in frame.groupby(before).indices.items():
            asked = np.flatnonzero(made[-1] == value)
            drawn[asked] = values[rng.choice(rows, size=len(asked))]
        made.append(drawn)
    return pd.DataFrame(dict(zip(frame.columns, made, strict=True)))


def ours(original: pd.DataFrame, released: pd.DataFrame, control: pd.DataFrame, tries: int = TRIES) -> dict[str, dict]:
    """By attack what came of it, and its seconds; getting ready apart."""
    start = time.perf_counter()
    tables = [Dataset.from_frame(table) for table in (original, released, control)]
    names = tuple(released.columns)
    matching = of_another_file(tables[0], tables[1], names, tables[2])
    _ = matching.arrays
    found: dict[str, dict] = {"getting ready": {"seconds": time.perf_counter() - start}}
    one = tuple(name for name in names if name in ONE)
    other = tuple(name for name in names if name not in ONE)
    known = tuple(name for name in names if name != SECRET)

    attacks: dict[str, Callable] = {
        "one column": lambda rng: predicate_attack(matching, names, 1, tries, "anybody", rng),
        "three columns": lambda rng: predicate_attack(matching, names, 3, tries, "anybody", rng),
        "linkability": lambda rng: linkability(matching, one, other, tries, "anybody", rng),
        "inference": lambda rng: inference_attack(matching, SECRET, known, 0, tries, "anybody", rng),
    }
    for i, (name, make) in enumerate(attacks.items()):
        start = time.perf_counter()
        result = make(np.random.default_rng([SEED, i]))
        found[name] = {
            "seconds": time.perf_counter() - start, "successes": result.rate.successes, "tries": result.rate.tries,
            "control": result.control.successes, "control tries": result.control.tries,
        }  # fmt: skip
    return found


def theirs(made: Files, tries: int = TRIES) -> dict[str, dict]:
    """By file and attack what came of it in Anonymeter, and its seconds."""
    python = environment("anonymeter", PINNED)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for file, tables in made.items():
            for name, table in zip(("original", "released", "control"), tables, strict=True):
                table.to_csv(Path(folder) / f"{name}.csv", index=False)
            names = list(tables[1].columns)
            asked = {  # with another seed than the files are made with, or its targets go with what was resampled
                "folder": folder, "seed": SEED + 1, "tries": tries, "secret": SECRET,
                "one": [name for name in names if name in ONE], "other": [name for name in names if name not in ONE],
            }  # fmt: skip
            done = subprocess.run(
                [python, Path(__file__).with_name("anonymeter_side.py")], input=json.dumps(asked),
                stdout=subprocess.PIPE, stderr=sys.stderr, text=True, check=True,
            )  # fmt: skip
            found[file] = json.loads(done.stdout)["results"]
    return found


def agree(one: Rate, other: Rate) -> bool:
    """Whether the 95% intervals of two rates have a point in common."""
    (low, high), (least, most) = one.interval, other.interval
    return low <= most and least <= high


def compared(here: dict[str, dict], there: dict[str, dict]) -> list[tuple[str, str, Rate, Rate]]:
    """Each attack and its control: what is measured here, and there."""
    rates = []
    for name in ATTACKS:
        for what, tries in (("successes", "tries"), ("control", "control tries")):
            pair = [Rate(side[name][what], int(side[name][tries])) for side in (here, there)]
            rates.append((name, "of the file" if what == "successes" else "of the control", *pair))
    return rates


def rows() -> list[Row]:
    frame = pd.read_csv(io.BytesIO(adult_bytes()))
    made = files(frame, 30_000)
    ours(*made["shuffled"], tries=50)  # what is compiled is loaded
    here = {name: ours(*tables) for name, tables in made.items()}
    there = theirs(made)
    lines = [_agreement(name, here[name], there[name]) for name in made]
    mixed = frame.drop_duplicates().sample(frac=1, random_state=SEED).reset_index(drop=True)
    original, control = mixed.head(30_000), mixed.iloc[30_000:].reset_index(drop=True)
    rng = np.random.default_rng(SEED)
    for name, released in (
        ("as they are", original), ("shuffled", original.apply(lambda cells: rng.permutation(cells.to_numpy())))
    ):  # fmt: skip
        tables = original, released, control
        lines.append(_speed(f"30,000 x 15 {name}", ours(*tables), theirs({name: tables})[name]))
    return [*lines, *_large()]


def _agreement(file: str, here: dict[str, dict], there: dict[str, dict]) -> Row:
    rates = compared(here, there)
    far = [f"{name} {what}: {one.share:.3f} here, {other.share:.3f} there" for name, what, one, other in rates
           if not agree(one, other)]  # fmt: skip
    shares = ", ".join(
        f"{name} {one.share:.2f} / {other.share:.2f}" for name, what, one, other in rates if what == "of the file"
    )
    measured = f"{len(rates) - len(far)} of {len(rates)} rates agree ({shares}, here / there)"
    return Row(f"{file}: the same attacks here and in Anonymeter", "; ".join([measured, *far]), "all agree", not far)


def _speed(what: str, here: dict[str, dict], there: dict[str, dict]) -> Row:
    fast = sum(each["seconds"] for each in here.values())
    slow = sum(each["seconds"] for each in there.values())
    measured = (
        f"{spoken(slow)} in Anonymeter, {spoken(fast)} here, getting ready included: **{slow / fast:,.0f} times**"
    )
    return Row(f"four attacks, {TRIES:,} tries each, on {what}", measured, "20 times", slow / fast >= 20)


def _large() -> list[Row]:
    """All attacks on generated files, half of the columns numbers."""
    lines = []
    for n, columns, target in ((100_000, 20, 20.0), (1_000_000, 12, 120.0)):
        rng = np.random.default_rng(SEED)
        frame = pd.DataFrame(
            {f"c{j}": rng.integers(100 if j % 2 else 8, size=n).astype(str) for j in range(columns)}, dtype=object
        )
        roles = {name: "sensitive" if j < 2 else "quasi_identifier" if j < 10 else "other"
                 for j, name in enumerate(frame)}  # fmt: skip
        data = Dataset.from_frame(frame, roles=roles)
        recipe = Recipe.of([])
        applied = recipe.apply(data)
        start = time.perf_counter()
        attack(applied, recipe, AttackSettings(tuple(data.quasi_identifiers), 0, tuple(data.sensitive)))
        taken = time.perf_counter() - start
        lines.append(Row(f"all attacks, {n:,} records x {columns}", spoken(taken), f"< {target:.0f} s", taken < target))
    return lines

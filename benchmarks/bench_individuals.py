"""Privacy of individuals against partial knowledge: CPU time for every set of known variables, and how it grows."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from anonlib.analyses.individuals import (
    Attacker,
    breach_probability,
    breaching_sets,
    generalization_scan,
    leave_one_out,
    privacy_profile,
    singling_out,
)
from anonlib.counting.classes import ClassTable
from anonlib.reading.sources import open_source
from benchmarks.measuring import ADULT_NINE, REPOSITORY, Row, adult_bytes, complete, cpu_seconds, cpu_time, spoken

SEED = 20210
DIABETES = (3, 10, 5, 118, 75, 2, 2, 3)  # values of each variable of the diabetes set, Kroes et al. 2021, Table 2
TWELVE = (2, 5, 72, 16, 7, 14, 41, 9, 2, 10, 25, 100)
HOSPITAL = (2, 2, 3, 4, 5, 6, 6, 8, 10, 10, 14, 16, 17, 18, 26, 33, 39, 73, 118, 717, 749)  # as many as a hospital's
MILLION = 1_000_000
PICTURE = REPOSITORY / "docs" / "growth-individuals.png"
WIDTH, HEIGHT = 1100, 420


def rows() -> list[Row]:
    return [*_adult(), *_diabetes(), _hospital(), *_million(), *_growth()]


def generated(n_records: int, domains: Sequence[int], seed: int = SEED) -> ClassTable:
    """A class table of made-up records: low values are common and high ones rare, each variable by itself."""
    rng = np.random.default_rng(seed)
    columns = {}
    for j, size in enumerate(domains):
        codes = (size * rng.random(n_records) ** 3).astype(np.int16)
        columns[f"v{j}"] = pd.Categorical.from_codes(codes, pd.Index([str(value) for value in range(size)]))
    return ClassTable.from_frame(pd.DataFrame(columns))


def _adult() -> list[Row]:
    classes = ClassTable.from_frame(complete(open_source(adult_bytes(), "adult.csv").frame), ADULT_NINE)
    assert (classes.n_records, classes.n_classes) == (30_162, 19_502)
    ppp = cpu_seconds(lambda: privacy_profile(classes))
    poac = cpu_seconds(lambda: privacy_profile(classes, Attacker(measure="poac", q=0.01)), 3)
    what = "Adult, 30,162 x 9, all nine variables, every set of known ones"
    others: list[tuple[str, Callable[[], object]]] = [
        ("leave-one-out of occupation, all others known", lambda: leave_one_out(classes, "occupation")),
        ("the same, least over the sets", lambda: leave_one_out(classes, "occupation", Attacker())),
        ("breach probability of all nine, each known with 0.5", lambda: breach_probability(classes, None, 0.5)),
        ("smallest breaching sets of occupation", lambda: breaching_sets(classes, "occupation")),
        ("singling out, combinations of up to 3", lambda: singling_out(classes)),
        ("generalization scan of age for salary, p = 0", lambda: generalization_scan(classes, "salary", "age")),
    ]
    scan = cpu_time(lambda: generalization_scan(classes, "salary", "age", p=0.1, max_width=20))
    return [
        Row(f"{what}: PPP", spoken(ppp), "< 0.06 s", ppp < 0.06),
        Row("the same: PoAC, q = 0.01", spoken(poac), "< 1 s", poac < 1),
        *(Row(f"Adult: {name}", spoken(cpu_seconds(function))) for name, function in others),
        Row("Adult: the scan with p = 0.1 and widths up to 20, with its optimum", spoken(scan)),
    ]


def _diabetes() -> list[Row]:
    classes = generated(100_000, DIABETES)
    ppp = cpu_seconds(lambda: privacy_profile(classes), 3)
    poac = cpu_seconds(lambda: privacy_profile(classes, Attacker(measure="poac", q=0.01)), 3)
    what = f"Generated, 100,000 x 8 ({classes.n_classes:,} distinct), all eight variables, every set"
    return [
        Row(f"{what}: PPP", spoken(ppp), "< 0.08 s", ppp < 0.08),
        Row("the same: PoAC, q = 0.01", spoken(poac), "< 2 s", poac < 2),
    ]


def _hospital() -> Row:
    classes = generated(70_000, HOSPITAL)
    start = time.perf_counter()
    privacy_profile(classes, Attacker(knows=3))
    taken = time.perf_counter() - start
    what = (
        f"Generated, 70,000 x 21 ({classes.n_classes:,} distinct), all 21 variables, at most 3 known: PPP, by the clock"
    )
    return Row(what, spoken(taken), "< 5 s", taken < 5)


def _million() -> list[Row]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.bench_individuals"],
        cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    out = json.loads(done.stdout)
    who = "everyone" if out["sampled"] == MILLION else f"{out['sampled']:,} individuals, drawn at random,"
    what = (
        f"Generated, 1,000,000 x 12 ({out['classes']:,} distinct), all twelve variables, at most 3 known: PPP of {who}"
    )
    return [
        Row(f"{what} against all records, by the clock", spoken(out["seconds"]), "< 4 s", out["seconds"] < 4),
        Row("the same: peak memory of the whole process", f"{out['peak'] / 1e9:.2f} GB", "< 2 GB", out["peak"] < 2e9),
        Row("the same: widest 95% interval of a share at PPP 0", f"{100 * out['width']:.2f} percentage points"),
    ]


def _one_million() -> dict[str, float]:
    """Seconds by the clock, peak memory in bytes and what was looked at; for a process of its own."""
    import resource

    classes = generated(MILLION, TWELVE)
    privacy_profile(generated(1_000, TWELVE), Attacker(knows=3))  # the compiled loops are loaded
    start = time.perf_counter()
    profile = privacy_profile(classes, Attacker(knows=3))
    taken = time.perf_counter() - start
    low, high = profile.people.interval(profile.share_below(0.0))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {
        "seconds": taken,
        "peak": peak,
        "classes": classes.n_classes,
        "sampled": profile.people.n_sampled,
        "width": float((high - low).max()),
    }


# ---- growth -------------------------------------------------------------------------------------------------------

RECORDS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
VARIABLES = (4, 6, 8, 10, 12, 14)
LINES = {
    "PoAC, any number known": Attacker(measure="poac", q=0.01),
    "PPP, any number known": Attacker(),
    "PPP, at most 3 known": Attacker(knows=3),
}
Growth = dict[str, list[float]]


def _growth() -> list[Row]:
    by_records = _times([generated(n, DIABETES) for n in RECORDS])
    by_variables = _times([generated(10_000, (TWELVE * 2)[:n]) for n in VARIABLES])
    _take_picture(growth_figure(by_records, by_variables))
    long, wide = by_records["PPP, any number known"], by_variables["PPP, any number known"]
    return [
        Row(
            "Growth: PPP of all eight variables of 1,000, 100,000 and 1,000,000 records",
            ", ".join(spoken(long[RECORDS.index(n)]) for n in (1_000, 100_000, 1_000_000)),
        ),
        Row(
            "Growth: PPP of 10,000 records, all of 8, 12 and 14 variables",
            ", ".join(spoken(wide[VARIABLES.index(n)]) for n in (8, 12, 14)),
        ),
    ]


def _times(tables: list[ClassTable]) -> Growth:
    """CPU seconds of each line for each table: the least of three calls, of one where that takes long."""

    def least(classes: ClassTable, attacker: Attacker) -> float:
        first = cpu_time(lambda: privacy_profile(classes, attacker))
        again = 0 if first > 1 else 2
        return min([first, *(cpu_time(lambda: privacy_profile(classes, attacker)) for _ in range(again))])

    return {name: [least(classes, attacker) for classes in tables] for name, attacker in LINES.items()}


def growth_figure(by_records: Growth, by_variables: Growth) -> go.Figure:
    """CPU time against records and against variables, on scales where a straight line is growth by a factor."""
    chart = make_subplots(cols=2, horizontal_spacing=0.1, shared_yaxes=True)
    colours = ("#009e73", "#0072b2", "#e69f00")
    for column, (x, growth) in enumerate(((RECORDS, by_records), (VARIABLES, by_variables)), start=1):
        for colour, (name, seconds) in zip(colours, growth.items(), strict=True):
            chart.add_scatter(
                x=x, y=seconds, name=name, mode="lines+markers", line={"color": colour}, showlegend=column == 1,
                row=1, col=column,
            )  # fmt: skip
    ticks = [10.0**power for power in range(-4, 3)]
    chart.update_layout(
        template="plotly_white", width=WIDTH, height=HEIGHT, margin={"l": 70, "r": 20, "t": 50, "b": 60},
        legend={"orientation": "h", "y": 1.12, "x": 0}, font={"size": 13},
    )  # fmt: skip
    chart.update_yaxes(
        type="log", tickvals=ticks, ticktext=["0.1 ms", "1 ms", "10 ms", "0.1 s", "1 s", "10 s", "100 s"]
    )
    chart.update_yaxes(title="CPU time", col=1)
    chart.update_yaxes(showticklabels=True, col=2)
    chart.update_xaxes(type="log", title="records (8 variables)", tickvals=RECORDS, tickformat=",d", col=1)
    chart.update_xaxes(tickvals=VARIABLES, title="variables (10,000 records)", col=2)
    return chart


def _take_picture(chart: go.Figure) -> None:
    """Draw in a browser, from a file that holds all it needs."""
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, str(REPOSITORY / "tests"))  # how the tests start the browser
    from browser.conftest import CHROMIUM_ARGUMENTS

    from tools.chromium import HOW_TO_GET_ONE, find

    path = find()
    if path is None:
        raise SystemExit(HOW_TO_GET_ONE)
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        file = Path(directory) / "growth.html"
        chart.write_html(file, include_plotlyjs=True, config={"displayModeBar": False})
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(file.as_uri())
        page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for(state="attached")
        page.locator(".js-plotly-plot .main-svg").first.wait_for()
        page.locator(".js-plotly-plot").screenshot(path=PICTURE, animations="disabled")
        browser.close()


if __name__ == "__main__":
    print(json.dumps(_one_million()))

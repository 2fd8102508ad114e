"""The paper's experiments with schedules, run again on the spot, beside the numbers it printed."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.schedules.experiments import (
    N_DATES,
    NORWAY,
    TABLE_10,
    TABLE_11,
    Comparison,
    Generator,
    Method,
    Table10,
    Table11,
)
from anonlib.analyses.schedules.experiments import table10 as run_table10
from anonlib.analyses.schedules.experiments import table11 as run_table11
from anonlib.basics import words
from anonlib.basics.budget import A_SECOND
from anonlib.basics.progress import Progress
from anonlib.plots import schedules as plots
from anonlib.release.export import table_csv
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.server.private import DeltaGenerator
from ui.session import keep, long_work

METHODS: tuple[Method, ...] = ("reference", "optimal")
HEURISTIC, BEST, BETTER = ("reference", "random"), ("optimal", "random"), ("optimal", "reference")
INSTANCES, DATES = (20, 50, 200), (6, 24, N_DATES)
UP_TO = (50, 100, 250, 500, 1_000)
GENERATORS: dict[str, Generator] = {"The authors’ program": "program", "The text": "text"}
_WORK = 2 * A_SECOND  # a programme: nearly all optima are proven in hundredths of it
_SEEDS = 10**6


def show_experiments() -> None:
    """Tables 10 and 11: what is printed, and what comes out here."""
    _show_table10()
    st.divider()
    _show_table11()


# ---- Table 10 ------------------------------------------------------------------------------------------------------


def _show_table10() -> None:
    st.subheader("Table 10: programmes drawn at random", anchor=False)
    drawn, up_to, from_where, seeded = st.columns([1.3, 1.2, 1.7, 1], vertical_alignment="bottom", gap="medium")
    instances = keep.segments(
        "schedules-table10-instances", "Programmes of each size", INSTANCES, place=drawn,
        help="How many are drawn of each size and averaged. The paper: 10,000, and 1,000 above 250 people.",
    )  # fmt: skip
    largest = keep.select(
        "schedules-table10-largest", "Sizes up to", UP_TO, UP_TO[-1], place=up_to,
        format_func=lambda n: words.count(n, "people"),
        help="The sizes are those of Table 10.",
    )  # fmt: skip
    generator = keep.segments(
        "schedules-table10-generator", "Drawn as in", list(GENERATORS), place=from_where,
        help="Table 10 is of what the authors’ program draws: uniform numbers. The text describes normal ones.",
    )  # fmt: skip
    seed = _seed(seeded, "schedules-table10-seed")
    sizes = tuple(n for n in TABLE_10 if n <= largest)
    result = _table10(instances, sizes, GENERATORS[generator], seed)
    page.figure(
        partial(plots.table10, result),
        "Lines of the mean improvement against the people of a programme, printed"
        + (f" and measured on {words.count(result.instances, 'programmes')} of each size" if result else "")
        + f". Printed for the heuristic over random: {TABLE_10[20][0]:.0%} at 20 people, {TABLE_10[1_000][0]:.0%} at "
        "1,000" + (f"; measured: {_measured_10(result)}." if result else "."),
        "schedules-table10",
    )
    page.counts(
        "How far the heuristic gets ahead of random invitations, and the optimum of the heuristic: the difference of "
        "their indices as a share of the index without appointments, averaged; the shade holds 95%. Printed are whole "
        "percentages that seem cut off, not rounded, and the programmes and the greedy rule are those of the authors’ "
        "program, which differ from the text. Caballero et al. 2017, section 8.1, Table 10."
    )
    if result is not None and result.generator == "text":
        st.caption("These programmes follow the text. What is printed was not made with such ones and need not agree.")
    shown = compared_10(result)
    page.table(
        shown, "Improvements by the people of a programme, measured and printed",
        height=page.table_height(len(shown), 420),
        help={
            **{f"± ({i})": "Half of the 95% band of the mean to its left." for i in (1, 2)},
            **{f"Printed ({i}), %": "Table 10’s number for what is to its left." for i in (1, 2)},
            "Proven, %": glossary.linked("Programmes whose optimum is proven to be one.", "proven"),
        },
    )  # fmt: skip
    page.download(
        "Table as CSV",
        partial(table_csv, shown),
        "schedules-table-10.csv",
        "download-schedules-table10",
        holds=Holds.FIGURES,
    )


def _table10(instances: int, sizes: tuple[int, ...], generator: Generator, seed: int) -> Table10 | None:
    name = f"schedules table 10 {instances} {sizes} {generator} {seed}"
    latest: Table10 | None = long_work.result(name)
    compute = partial(_run_table10, instances, sizes, generator, seed, 0 if latest is None else latest.instances)
    what = f"Table 10 on {instances:,} programmes of each size"
    seconds_each = sum(0.01 + 0.02 * (n <= 250) + 0.03 * (n == 100) for n in sizes)
    return long_work.best_so_far(name, [(what, compute)], instances * seconds_each)


def _run_table10(
    instances: int, sizes: tuple[int, ...], generator: Generator, seed: int, shown: int, progress: Progress
) -> Table10:
    """The table, from the beginning: what is of more programmes than are shown is shown while it runs."""

    def if_more(share: float, table: Table10 | None = None, /) -> None:
        progress(share, table if table is not None and table.instances > shown else None)

    return run_table10(
        sizes, instances, np.random.default_rng(seed), generator=generator, methods=METHODS, work=_WORK,
        progress=if_more,
    )  # fmt: skip


def compared_10(result: Table10 | None) -> pd.DataFrame:
    """A row a size, in percent: measured where it was, with half of the 95% band, and printed."""
    printed = pd.DataFrame(dict(TABLE_10), index=["heuristic", "optimum"]).T
    sizes = sorted({*TABLE_10, *(result.sizes if result is not None else ())})
    shown = pd.DataFrame({"People": sizes})
    for number, (comparison, column) in enumerate(((HEURISTIC, "heuristic"), (BETTER, "optimum")), 1):
        title = plots.comparison_name(comparison).capitalize()
        if result is not None:
            mean, error = _measured(result, comparison, sizes)
            shown[f"{title}, %"] = mean
            shown[f"± ({number})"] = plots.BAND * error
        name = f"{title}, printed, %" if result is None else f"Printed ({number}), %"
        shown[name] = 100 * printed[column].reindex(sizes).to_numpy(dtype=float)
    if result is not None:
        shown[f"{plots.comparison_name(BEST).capitalize()}, %"] = _measured(result, BEST, sizes)[0]
        proven = dict(zip(result.sizes, 100 * result.proven, strict=True))
        shown["Proven, %"] = [proven.get(n, np.nan) for n in sizes]
    return shown.round(1)


def _measured(result: Table10, comparison: Comparison, sizes: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Means and standard errors of a comparison, in percent, NaN for sizes without programmes."""
    j = result.comparisons.index(comparison)
    at = {n: i for i, n in enumerate(result.sizes)}
    both = [(result.mean[at[n], j], result.standard_error[at[n], j]) if n in at else (np.nan, np.nan) for n in sizes]
    mean, error = 100 * np.array(both).T
    return mean, error


def _measured_10(result: Table10) -> str:
    j = result.comparisons.index(HEURISTIC)
    ends = sorted({0, len(result.sizes) - 1})
    return ", ".join(f"{result.mean[i, j]:.1%} at {result.sizes[i]:,}" for i in ends)


# ---- Table 11 ------------------------------------------------------------------------------------------------------


def _show_table11() -> None:
    st.subheader("Table 11: a screening like Norway’s", anchor=False)
    number, seeded, _ = st.columns([1.3, 1, 2.9], vertical_alignment="bottom", gap="medium")
    dates = keep.segments(
        "schedules-table11-dates", "Dates of each region", DATES, DATES[1], place=number,
        help=f"Each date of a region is a programme of its own. The paper: {N_DATES}, January 1992 to March 2015; "
        "fewer are spread evenly over them.",
    )  # fmt: skip
    seed = _seed(seeded, "schedules-table11-seed")
    result = _table11(dates, seed)
    page.figure(
        partial(plots.table11, result),
        f"For {words.count(len(TABLE_11), 'regions')} the least, mean and largest improvement over the original "
        "invitations" + (", measured beside printed. " if result else ", as printed. ") + _means_11(result),
        "schedules-table11",
    )
    page.counts(
        "How far the heuristic, and the optimum, get ahead of invitations at random on the dates of a region. The "
        "data of Table 11 are not public: these dates are made up. From the paper are the regions with their centres "
        "and invitations, the dates and the birth years; how many are invited on a date and at an age is assumed. "
        "How unequal the centres are was fitted to the printed mean in three of five regions, 2, 4 and 9: that their "
        "means agree shows nothing. Those of 1 and 3 were not fitted. Caballero et al. 2017, section 8.2, Table 11."
    )
    shown = compared_11(result)
    page.table(
        shown, "Improvements by region, measured and printed", height=page.table_height(len(shown), 300),
        help={
            **{f"{which}, %": "Of the heuristic over invitations at random." for which in ("Least", "Mean", "Largest")},
            "Optimum, mean, %": "Of the optimum over invitations at random.",
            "Proven, %": glossary.linked("Dates whose optimum is proven to be one.", "proven"),
        },
    )  # fmt: skip
    page.download(
        "Table as CSV",
        partial(table_csv, shown),
        "schedules-table-11.csv",
        "download-schedules-table11",
        holds=Holds.FIGURES,
    )


def _table11(dates: int, seed: int) -> Table11 | None:
    name = f"schedules table 11 {dates} {seed}"
    latest: Table11 | None = long_work.result(name)
    compute = partial(_run_table11, dates, seed, 0 if latest is None else len(latest.date))
    what = f"Table 11 on {words.count(dates, 'dates')} of each region"
    return long_work.best_so_far(name, [(what, compute)], 0.1 * dates)


def _run_table11(dates: int, seed: int, shown: int, progress: Progress) -> Table11:
    """As :func:`_run_table10`, of dates."""

    def if_more(share: float, table: Table11 | None = None, /) -> None:
        progress(share, table if table is not None and len(table.date) > shown else None)

    return run_table11(np.random.default_rng(seed), dates=dates, methods=METHODS, work=_WORK, progress=if_more)


def compared_11(result: Table11 | None) -> pd.DataFrame:
    """A row a region, in percent: least, mean and largest as measured and as printed."""
    centres = {region.region: region.centres for region in NORWAY}
    shown = pd.DataFrame({"Region": list(TABLE_11), "Centres": [centres[region] for region in TABLE_11]})
    if result is not None:
        frame = result.to_frame()
        heuristic, best = (
            frame[(frame["method"] == method) & (frame["over"] == over)].set_index("region").reindex(list(TABLE_11))
            for method, over in (HEURISTIC, BEST)
        )
        for column in ("dates", "people"):
            shown[column.capitalize()] = heuristic[column].fillna(0).astype(int).to_numpy()
        for column, named in (("min", "Least"), ("mean", "Mean"), ("max", "Largest")):
            shown[f"{named}, %"] = 100 * heuristic[column].to_numpy()
        shown["Optimum, mean, %"] = 100 * best["mean"].to_numpy()
        shown["Proven, %"] = 100 * best["proven"].to_numpy()
    for position, named in ((0, "least"), (2, "mean"), (1, "largest")):
        shown[f"Printed {named}, %"] = [100 * printed[position] for printed in TABLE_11.values()]
    return shown.round(1)


def _means_11(result: Table11 | None) -> str:
    shown = compared_11(result)
    return (
        "; ".join(
            f"region {row['Region']:.0f}: "
            + (f"mean {row['Mean, %']:.1f}%, printed " if result is not None else "mean ")
            + f"{row['Printed mean, %']:.1f}%"
            for _, row in shown.iterrows()
        )
        + "."
    )


def _seed(place: DeltaGenerator, name: str) -> int:
    return keep.number(name, "Seed", 0, _SEEDS, 0, place=place, help="The same seed draws the same programmes again.")

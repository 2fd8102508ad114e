"""The tabs under the Frontier page's picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Literal

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.frontier import Frontier
from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.plots import frontier as plots
from anonlib.release.export import table_csv
from pages.protect.frontier import results
from pages.protect.frontier.controls import choice, orders
from pages.protect.frontier.policy import examples, notation, shown, summary_of
from pages.protect.frontier.results import COUNT, FrontierQuestion
from pages.protect.frontier.tabs import heuristic
from ui.kit import explain, page, population
from ui.kit.release_gate import Holds
from ui.session import guard, keep
from ui.text import plain, printable

ALL, COMPARE = "frontier-tabs-7", "Compare two"


def is_comparing() -> bool:
    """Whether the tab of two policies is open."""
    return st.session_state.get(ALL) == COMPARE


def show(
    question: FrontierQuestion, data: Dataset, population: Dataset | None, frontiers: Sequence[Frontier], position: int
) -> None:
    """All tabs; ``position`` is that of the chosen policy on the first frontier."""
    frontier = frontiers[0]
    policy = frontier.policies[position]
    of_policies: dict[str, Callable[[], object]] = {
        "Policy": partial(show_policy, question, policy),
        COMPARE: partial(show_comparison, question, policy),
        "All policies": partial(show_policies, question, frontier),
        "Searches": partial(show_searches, question, frontiers),
    }
    page.tabs(ALL, of_policies | _of_settings(question, data, population, list(question.space.attributes)))


def show_to_mend(data: Dataset, population: Dataset | None) -> None:
    """Those that are there without a frontier: in them the settings can be mended."""
    page.tabs("frontier-tabs-3", _of_settings(None, data, population, data.quasi_identifiers))


def _of_settings(
    question: FrontierQuestion | None, data: Dataset, population: Dataset | None, columns: list[str]
) -> dict[str, Callable[[], object]]:
    return {
        "Population": partial(show_population_table, question),
        "Order of values": partial(orders.show, data, population, columns),
        "How it works": partial(explain.show, "frontier"),
    }


CHOSEN, SAFE_HARBOR, AS_IT_IS, ASIDE = "Chosen", "Safe Harbor", "As it is", "Set aside"
MOST_ROWS = 2_000


def show_policy(question: FrontierQuestion, policy: np.ndarray) -> None:
    """What each column becomes, drawn and in the paper's notation."""
    _show_intervals(question, {CHOSEN: policy}, "frontier-policy")
    st.subheader("Some combinations of values", anchor=False)
    page.table(examples(question, policy), "Combinations of values from common to rare, and what they become")
    page.counts("From the commonest combination of values in the file to the rarest, and what each is released as.")


def compared(question: FrontierQuestion) -> np.ndarray:
    """The policy that the chosen one is compared with."""
    offered = _to_compare(question)
    return offered[keep.value(_setting(offered), next(iter(offered)))]


def show_comparison(question: FrontierQuestion, policy: np.ndarray) -> None:
    """Two policies side by side."""
    offered = _to_compare(question)
    picked, button, _ = st.columns([2, 1.4, 3], vertical_alignment="bottom")
    name = keep.select(_setting(offered), "Compare the chosen policy with", list(offered), place=picked)
    button.button(
        "Set it aside", on_click=guard.action(choice.set_aside), args=(question, policy), icon=":material/push_pin:",
        help="The chosen policy; then choose another, and compare the two here.",
    )  # fmt: skip
    both = {CHOSEN: policy, name: offered[name]}
    page.table(_figures(question, both), "The figures of both policies")
    _show_intervals(question, both, "frontier-two-policies")


def _to_compare(question: FrontierQuestion) -> dict[str, np.ndarray]:
    """The policies that the chosen one can be compared with, by name."""
    offered = {ASIDE: choice.aside(question), SAFE_HARBOR: question.safe_harbor, AS_IT_IS: question.space.bottom}
    return {name: policy for name, policy in offered.items() if policy is not None}


def _setting(offered: Iterable[str]) -> str:
    """What is set aside is compared with at first, whatever was before."""
    return keep.per("frontier-other", *offered)


def _figures(question: FrontierQuestion, both: dict[str, np.ndarray]) -> pd.DataFrame:
    rows = []
    for name, policy in both.items():
        policy_summary = summary_of(question, policy)
        row = {
            "policy": name,
            "risk": words.percent(policy_summary.risk),
            "loss": words.percent(policy_summary.loss),
            "k": policy_summary.k,
            "groups": policy_summary.groups,
            "fewest people": policy_summary.least_people,
        }
        rows.append(row | {f"intervals of {printable(column)}": n for column, n in policy_summary.intervals.items()})
    frame = pd.DataFrame(rows)
    return frame if question.matched is not None else frame.drop(columns="fewest people")


def _show_intervals(question: FrontierQuestion, shown: dict[str, np.ndarray], key: str) -> None:
    intervals = notation(question, shown)
    page.figure(
        partial(plots.intervals, question.space, list(shown.items()), unit=question.unit),
        "Bars of the ordered values of each column, cut into intervals. "
        + "; ".join(
            f"{column}, {name}: {words.count(n, 'intervals')}"
            for column, name, n in zip(intervals["column"], intervals["policy"], intervals["intervals"], strict=True)
        )
        + ".",
        key,
    )  # fmt: skip
    page.counts(
        f"Each bar is a column’s values in their order, as wide as they have {question.unit}; a box is one interval. "
        "Widths and colours say nothing of risk. Values that no record has are not drawn."
    )
    page.table(intervals, "Intervals of each column", height=page.table_height(len(intervals), 300))
    page.counts("The notation of Xia et al. 2013, Figure 9: [first-last] of each interval.")


def show_policies(question: FrontierQuestion, frontier: Frontier) -> None:
    """Every policy of the frontier in figures."""
    space = question.space
    counts = [
        np.asarray(frontier.policies[:, space.starts[j] : space.starts[j + 1]].sum(axis=1)) + 1
        for j in range(len(space.domains))
    ]
    frame = pd.DataFrame(
        {
            "policy": np.arange(1, len(frontier) + 1),
            "risk": [words.percent(value) for value in frontier.risk.tolist()],
            "loss": [words.percent(value) for value in frontier.loss.tolist()],
            **{f"intervals of {printable(d.attribute)}": n for d, n in zip(space.domains, counts, strict=True)},
        }
    ).head(MOST_ROWS)
    page.table(frame, "The policies of the frontier, from the least risk on", height=page.table_height(len(frame), 480))
    more = f" The first {MOST_ROWS:,} are shown." if len(frontier) > MOST_ROWS else ""
    page.counts(f"Numbered as along the slider. Different policies at one point are all kept.{more}")
    _show_downloads(frontier)


def _show_downloads(frontier: Frontier) -> None:
    with st.container(horizontal=True):
        page.download(
            "Policies (CSV)", partial(_csv, frontier), "frontier.csv", "frontier-csv", holds=Holds.INSIDE,
            help="One row a policy: risk, loss and the intervals of each column. It holds the values that occur in the "
            "file.",
        )  # fmt: skip
        page.download(
            "Policies (JSON)", partial(_json, frontier), "frontier.json", "frontier-json", holds=Holds.INSIDE,
            help="The same with every boundary as a bit, to be read by programs.",
        )  # fmt: skip


def _csv(frontier: Frontier) -> bytes:
    return table_csv(frontier.to_frame())


def _json(frontier: Frontier) -> bytes:
    return frontier.to_json().encode()


# ---- searches, side by side ----


Against = Literal["seconds", "policies looked at"]


def show_searches(question: FrontierQuestion, frontiers: Sequence[Frontier]) -> None:
    """The searches side by side: area, policies, what dominates Safe Harbor."""
    rows = []
    point = results.point_of_safe_harbor(question)
    for frontier in frontiers:
        row = {
            "search": results.METHODS[frontier.method],
            "area under the stair": f"{frontier.area():.4f}",
            "policies": len(frontier),
            "points": frontier.n_points,
            "looked at": frontier.evaluations,
            "seconds": round(frontier.seconds, 1),
            "ended early": "yes" if frontier.ended_early else "no",
        }
        if point is not None:
            row["better than Safe Harbor"] = len(frontier.dominating_point(*point))
        rows.append(row)
    page.table(pd.DataFrame(rows), "The searches run so far on these data")
    if max(len(searched.history) for searched in frontiers) > 1:
        _show_progress(frontiers)
    page.counts(
        "Area under the stair: 1 at worst, less is better; it says how close the frontier is to no risk and no loss. "
        "“Looked at” counts policies; a sublattice that is passed over counts two (Xia et al. 2013, Algorithm 2). "
        "Ended early: stopped before its effort was done, so that another machine may find others. "
        "Choose another search above to add it here and to the picture."
    )
    reasons = {name: results.why_not(question, key) for key, name in results.METHODS.items()}
    missing = [f"**{name}**: {plain(why)}" for name, why in reasons.items() if why]
    if missing:
        st.caption("Not offered here. " + " ".join(missing))
    heuristic.show(question)


def _show_progress(frontiers: Sequence[Frontier]) -> None:
    """The area under the stair as each search went on."""
    offered: tuple[Against, ...] = ("seconds", "policies looked at")
    with st.container(horizontal=True, vertical_alignment="center"):
        against = keep.segments("frontier-against", "Against", offered, label_visibility="collapsed")
        log = keep.toggle("frontier-progress-log", "Logarithmic", help="Tells the first moments apart.")
    areas = {
        frontier.method: [
            (seconds if against == "seconds" else looked, area) for looked, seconds, area in frontier.history
        ]
        for frontier in frontiers
    }
    page.figure(
        partial(plots.progress, areas, against=against, log=log),
        f"Lines of the area under the stair against {against}. "
        + "; ".join(f"{results.METHODS[method]}: {points[-1][1]:.4f} at last" for method, points in areas.items())
        + ".",
        "frontier-progress",
    )  # fmt: skip
    page.counts(
        "As Xia et al. 2013, Figure 5, from the first two policies on: everybody in one class, and the data as they "
        "are; less is better. Time that a search stood still does not count."
    )


# ---- the population table ----


SOME_VALUES = 5


def show_population_table(question: FrontierQuestion | None) -> None:
    """The table that is loaded, how the records fit it, and where to load another."""
    left, right = st.columns([1, 1.4], gap="large")
    with left:
        population.show()
    with right:
        if question is None:
            st.markdown("How the records fit it is shown here once the settings above can be counted.")
        elif question.matched is None:
            st.markdown(
                "Without a population table the records are their own population: the risk is then the share of the "
                "original’s classes that a policy keeps, and an attacker is taken to know who is in the file."
            )
        else:
            _show_match(question)


def _show_match(question: FrontierQuestion) -> None:
    matched, unit = question.matched, question.unit
    assert matched is not None
    st.markdown(
        f"**{words.share(matched.n_records - matched.unmatched, matched.n_records, unit)} match somebody** in the "
        f"table by {page.listed(list(matched.attributes))}."
    )
    if matched.unmatched:
        what = "counted as people of the population" if question.unmatched == COUNT else "left out of the search"
        known = f", though each of their values is known to it for {matched.by_combination:,} at least" * bool(
            matched.by_combination
        )
        st.markdown(
            f"{words.count(matched.unmatched, unit)} match nobody{known}. They are {what} (change it under **More**)."
        )
    if matched.exceeding > matched.unmatched:
        st.markdown(
            f"{words.count(matched.exceeding - matched.unmatched, unit)} more are in combinations with fewer people in "
            "the table than in the file: the table is older, or of a smaller area."
        )
    frame = pd.DataFrame(
        {
            "column": [printable(name) for name in matched.attributes],
            "values unknown to the table": [len(values) for values in matched.unknown_values.values()],
            f"{unit} with such a value": list(matched.unknown.values()),
            "such as": [", ".join(map(shown, values[:SOME_VALUES])) for values in matched.unknown_values.values()],
        }
    )
    page.table(frame, "Values of each column that nobody in the population table has")
    page.counts(
        "Where most records of a column are unknown, the table writes its values differently: as groups of ages, ZIP "
        "codes without their leading zero, or other words. Records match where all columns do."
    )

"""The Frontier page's tabs of policies: the chosen one, two side by side, and all."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.frontier import Frontier
from anonlib.basics import words
from anonlib.plots import frontier as plots
from anonlib.release.export import table_csv
from pages.protect.frontier.controls import choice
from pages.protect.frontier.policy import examples, notation, summary_of
from pages.protect.frontier.question import Question
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.session import guard, keep
from ui.text import printable

CHOSEN, SAFE_HARBOR, AS_IT_IS, ASIDE = "Chosen", "Safe Harbor", "As it is", "Set aside"
MOST_ROWS = 2_000


def show_policy(question: Question, policy: np.ndarray) -> None:
    """What each column becomes, drawn and in the paper's notation."""
    _show_intervals(question, {CHOSEN: policy}, "frontier-policy")
    st.subheader("Some combinations of values", anchor=False)
    page.table(examples(question, policy), "Combinations of values from common to rare, and what they become")
    page.counts("From the commonest combination of values in the file to the rarest, and what each is released as.")


def compared(question: Question) -> np.ndarray:
    """The policy that the chosen one is compared with."""
    offered = _to_compare(question)
    return offered[keep.value(_setting(offered), next(iter(offered)))]


def show_comparison(question: Question, policy: np.ndarray) -> None:
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


def _to_compare(question: Question) -> dict[str, np.ndarray]:
    """The policies that the chosen one can be compared with, by name."""
    offered = {ASIDE: choice.aside(question), SAFE_HARBOR: question.safe_harbor, AS_IT_IS: question.space.bottom}
    return {name: policy for name, policy in offered.items() if policy is not None}


def _setting(offered: Iterable[str]) -> str:
    """What is set aside is compared with at first, whatever was before."""
    return keep.per("frontier-other", *offered)


def _figures(question: Question, both: dict[str, np.ndarray]) -> pd.DataFrame:
    rows = []
    for name, policy in both.items():
        found = summary_of(question, policy)
        row = {
            "policy": name,
            "risk": words.percent(found.risk),
            "loss": words.percent(found.loss),
            "k": found.k,
            "groups": found.groups,
            "fewest people": found.least_people,
        }
        rows.append(row | {f"intervals of {printable(column)}": n for column, n in found.intervals.items()})
    frame = pd.DataFrame(rows)
    return frame if question.matched is not None else frame.drop(columns="fewest people")


def _show_intervals(question: Question, shown: dict[str, np.ndarray], key: str) -> None:
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


def show_policies(question: Question, found: Frontier) -> None:
    """Every policy of the frontier in figures."""
    space = question.space
    counts = [
        np.asarray(found.policies[:, space.starts[j] : space.starts[j + 1]].sum(axis=1)) + 1
        for j in range(len(space.domains))
    ]
    frame = pd.DataFrame(
        {
            "policy": np.arange(1, len(found) + 1),
            "risk": [words.percent(value) for value in found.risk.tolist()],
            "loss": [words.percent(value) for value in found.loss.tolist()],
            **{f"intervals of {printable(d.attribute)}": n for d, n in zip(space.domains, counts, strict=True)},
        }
    ).head(MOST_ROWS)
    page.table(frame, "The policies of the frontier, from the least risk on", height=page.table_height(len(frame), 480))
    more = f" The first {MOST_ROWS:,} are shown." if len(found) > MOST_ROWS else ""
    page.counts(f"Numbered as along the slider. Different policies at one point are all kept.{more}")
    _show_downloads(found)


def _show_downloads(found: Frontier) -> None:
    with st.container(horizontal=True):
        page.download(
            "Policies (CSV)", partial(_csv, found), "frontier.csv", "frontier-csv", holds=Holds.INSIDE,
            help="One row a policy: risk, loss and the intervals of each column. It holds the values that occur in the "
            "file.",
        )  # fmt: skip
        page.download(
            "Policies (JSON)", partial(_json, found), "frontier.json", "frontier-json", holds=Holds.INSIDE,
            help="The same with every boundary as a bit, to be read by programs.",
        )  # fmt: skip


def _csv(found: Frontier) -> bytes:
    return table_csv(found.to_frame())


def _json(found: Frontier) -> bytes:
    return found.to_json().encode()

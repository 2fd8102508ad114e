"""One policy in words and figures: what each column becomes, and what that is worth."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.frontier import Plane, PolicySummary, summary
from anonlib.basics import words
from anonlib.release.from_analyses import steps_of_policy
from anonlib.release.steps import Scope
from anonlib.values.cells import MISSING_LABEL
from pages.protect.frontier.results import FrontierQuestion, point, point_of_safe_harbor
from ui.kit import page
from ui.session import cache, decide, view
from ui.text import plain, printable

MOST_NAMED = 3  # intervals that are named in a sentence
EXAMPLES = 5
OF_FRONTIER, EARLY = "policy of the frontier", "policy of a frontier whose search was ended early"
"""What the reason of its steps calls a policy."""


def summary_of(question: FrontierQuestion, policy: np.ndarray) -> PolicySummary:
    return _summary(question.plane, policy=policy.tobytes())


@cache.remembered
def _summary(plane: Plane, *, policy: bytes) -> PolicySummary:
    return summary(plane, np.frombuffer(policy, dtype=bool))


def risk_in_words(question: FrontierQuestion, risk: float) -> str:
    """A risk with what it is a share of, where that is not the records."""
    return words.percent(risk) + " of the original’s" * (question.plane.risk.key == "population")


def in_words(question: FrontierQuestion, policy: np.ndarray) -> None:
    """The policy in words, and against Safe Harbor."""
    figures_in_words(question, summary_of(question, policy))


def figures_in_words(question: FrontierQuestion, figures: PolicySummary) -> None:
    """The figures of a policy or of another release, and against Safe Harbor."""
    fewest = ""
    if question.matched is not None:
        fewest = f" The class with fewest people of the population has {figures.least_people:,}."
    st.markdown(
        f"**Risk {risk_in_words(question, figures.risk)}, loss {words.percent(figures.loss)}.** "
        f"{words.count(figures.groups, 'classes')}, the smallest of {words.count(figures.k, question.unit)}.{fewest}"
    )
    if (safe_harbor := point_of_safe_harbor(question)) is not None:
        st.markdown(_against(figures, *safe_harbor))
    if figures.k < (k := view.now().aim.k):
        st.markdown(f":red[:material/warning: Its smallest class is below k = {k:,}.]")


def _against(figures: PolicySummary, risk: float, loss: float) -> str:
    """How it stands to Safe Harbor."""
    safer, finer = lower(figures.risk, risk), lower(figures.loss, loss)
    if safer and finer:
        return f"**Better than Safe Harbor in both**: the risk is {safer}, the loss {finer}."
    if (figures.risk, figures.loss) == (risk, loss):
        return "Risks and loses just as much as Safe Harbor."
    if safer and figures.loss == loss:
        return f"**Better than Safe Harbor**: the risk is {safer}, the loss the same."
    if finer and figures.risk == risk:
        return f"**Better than Safe Harbor**: the loss is {finer}, the risk the same."
    if safer:
        return f"The risk is {safer} than Safe Harbor’s, and the loss higher."
    if finer:
        return f"The loss is {finer} than Safe Harbor’s, and the risk higher."
    return "Worse than Safe Harbor: let the search go on."


def lower(now: float, before: float) -> str:
    """``43.6% lower``, ``68 times lower``; empty where it is not lower."""
    if now >= before:
        return ""
    if now <= 0:
        return "100% lower"
    times = before / now
    if times < 3:
        return f"{words.percent(1 - now / before)} lower"
    return f"{times:,.0f} times lower" if times >= 100 else f"{times:.3g} times lower"


def say_columns(question: FrontierQuestion, policy: np.ndarray) -> None:
    """What each column becomes."""
    figures = summary_of(question, policy)
    lines = []
    for j, domain in enumerate(question.space.domains):
        name, n = page.listed([domain.attribute]), figures.intervals[domain.attribute]
        if n == len(domain):
            lines.append(f"{name}: as it is" + (f", {domain.size()}" if n > 1 else ""))
        elif n == 1:
            lines.append(f"{name}: removed")
        else:
            text = f"{name}: {domain.size()} to {words.count(n, 'intervals')}"
            if n <= MOST_NAMED:
                labels = domain.labels(question.space.intervals(policy, j))
                text += ": " + "; ".join(plain(MISSING_LABEL if label is None else label, 40) for label in labels)
            lines.append(text)
    st.markdown("\n".join(f"- {line}" for line in lines))


def examples(question: FrontierQuestion, policy: np.ndarray) -> pd.DataFrame:
    """Some combinations of values, from common to rare, and what each is released as; one row a combination."""
    classes, space = question.space.classes, question.space
    order = np.argsort(-classes.counts, kind="stable")
    picked = order[np.linspace(0, len(order) - 1, min(EXAMPLES, len(order))).astype(int)]
    columns: dict[str, list[str]] = {}
    for j, domain in enumerate(space.domains):
        label = domain.label_of(space.intervals(policy, j))
        column = classes.categories[j][classes.codes[picked, j]]
        columns[printable(domain.attribute)] = [
            words.change(shown(value), shown(label[value])) for value in column.tolist()
        ]
    return pd.DataFrame(columns)


def shown(value: str | None) -> str:
    return MISSING_LABEL if value is None else printable(value)


def notation(question: FrontierQuestion, policies: dict[str, np.ndarray]) -> pd.DataFrame:
    """One row a column and policy: how many intervals it has, and which, as Xia et al. 2013 write them in Figure 9."""
    rows = []
    described = {name: question.space.describe(policy) for name, policy in policies.items()}
    for domain in question.space.domains:
        for name, intervals in described.items():
            text = intervals[domain.attribute]
            rows.append(
                {
                    "column": printable(domain.attribute),
                    "policy": name,
                    "intervals": summary_of(question, policies[name]).intervals[domain.attribute],
                    "from-to": printable(text),
                }
            )
    return pd.DataFrame(rows)


def add_to_recipe(question: FrontierQuestion, policy: np.ndarray, name: str) -> None:
    """Take a policy into the recipe; ``name`` is what the reason calls it."""
    risk, loss = point(question, policy)
    plane, lost = question.plane, words.percent(loss)
    reason = f"{name}: {plane.risk.name} {risk_in_words(question, risk)}, {plane.loss.name} {lost} lost"
    decide.take(steps_of_policy(question.space, policy, reason), question.space.attributes, Scope.POLICY)

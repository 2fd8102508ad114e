"""The Frontier page's lower bound: raised by a button, and what it says of the chosen policy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from anonlib.analyses.frontier import Frontier, LowerBound, PolicySummary, lower_bounds, why_no_bound
from anonlib.basics import words
from pages.protect.frontier.policy import lower, risk_in_words
from pages.protect.frontier.results import FrontierQuestion
from ui.kit import glossary
from ui.session import cache, long_work
from ui.text import plain

_why_no_bound = cache.remembered(why_no_bound)

KIND = "frontier-bound-"
MEANS = (
    "Proves how low any policy can come, those that no search has found among them. It goes as far at a press as the "
    "effort says, can be stopped, and gets better with more."
)


def name(question: FrontierQuestion) -> str:
    """Names the work."""
    return f"{KIND}{question.plane.key}"


def so_far(question: FrontierQuestion) -> LowerBound | None:
    """The bound on this plane, where it was asked for."""
    return long_work.result(name(question))


def offer(
    question: FrontierQuestion, frontier: Frontier, chosen: PolicySummary, work: float
) -> long_work.EndlessSearch[LowerBound | None] | None:
    """The button that raises the bound, or why there is none, and the most to be gained on the chosen policy."""
    long_work.only(KIND, name(question))
    st.markdown("**How much better could it get?**", help=glossary.linked(MEANS, "policy"))
    why_not = _why_not(question, frontier)
    if why_not:
        st.button(
            "Search a bound", key="frontier-no-bound", disabled=True, help=plain(why_not), width="stretch",
            icon=":material/play_arrow:",
        )  # fmt: skip
        st.caption(plain(why_not))
        return None
    search = long_work.asked_for(
        name(question), partial(lower_bounds, frontier, work=None), work, "Search a bound", frontier
    )
    if search.best is not None:
        st.markdown(_in_words(question, search.best, chosen.risk, chosen.loss))
    return search


def go_on(
    search: long_work.EndlessSearch[LowerBound | None] | None, show: Callable[[], None], settle: Callable[[], None]
) -> None:
    """Let it be raised where that was started; ``show`` draws the plane again."""
    if search is None:
        return
    drawn = None if search.best is None else search.best.area()

    def show_latest(best: LowerBound | None) -> None:
        nonlocal drawn
        if best is not None and best.area() != drawn:  # the same picture cannot be drawn twice in a run
            drawn = best.area()
            show()

    long_work.go_on(search, show_latest, lambda best: "" if best is None else in_short(best), settle)


def in_short(bound: LowerBound) -> str:
    """Where no policy can be, as a figure."""
    return f"No policy can be in the grey part, an area of {bound.area():.4f}."


def counted(question: FrontierQuestion) -> str:
    """What the shaded part counts, and where it comes from; empty without one."""
    bound = so_far(question)
    if bound is None:
        return ""
    how = "; more work does not raise it" if bound.finished else ""
    if bound.ended_early:
        how = ", ended early: another machine may prove more"
    return (
        f" No policy can be in the grey part, of area {bound.area():.4f}, found or not: a lower bound by Lagrangian "
        f"relaxation (Anonscope; why it is certain is under “How it works”), raised in {bound.seconds:.1f} s{how}."
    )


def _why_not(question: FrontierQuestion, frontier: Frontier) -> str:
    if frontier.exact:
        return "All policies were looked at: none is better than the frontier."
    return _why_no_bound(question.plane)


def _in_words(question: FrontierQuestion, bound: LowerBound, risk: float, loss: float) -> str:
    """The largest gain there can be at a policy."""
    least_loss, least_risk = float(bound.loss_at(risk)), bound.risk_at(loss)
    finer, safer = lower(least_loss, loss), lower(least_risk, risk)
    if not finer and not safer:
        return "Certain: no policy is better than the chosen one in both risk and loss."
    gains = []
    if finer:
        gains.append(f"at no more risk, a loss of {words.percent(least_loss)} ({finer})")
    if safer:
        gains.append(f"at no more loss, a risk of {risk_in_words(question, least_risk)} ({safer})")
    return f"The most that another policy could gain on the chosen one: {'; or '.join(gains)}. No policy has less."

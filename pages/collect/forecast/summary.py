"""The Forecast page's figures, what a plan is in words with the way into the recipe, and the picture."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.analyses.forecast import confidence_interval
from anonlib.basics import words
from anonlib.plots import forecast as plots
from anonlib.release.from_analyses import steps_of_levels
from anonlib.release.steps import Scope
from pages.collect.forecast import results
from pages.collect.forecast.question import AskedForecast
from pages.collect.forecast.results import ReleasePlan
from ui.kit import glossary, page
from ui.session import decide, guard, view
from ui.text import plain

SOURCE = "Brown et al. 2022"


def show_metrics(asked: AskedForecast, plan: ReleasePlan | None) -> None:
    """The figures that matter: the recipe as it is → the finest policy."""
    promise, question = asked.question.promise, asked.question
    now, then = results.present(asked), None if plan is None else plan.fresh
    name = results.name_of(view.now().recipe)
    than = f"{name} → the finest policy, " if then is not None else f"{name}, "
    drawn = f"{than}in {words.count(now.draws, 'draws')} of {words.count(_people(asked), 'people')}. "

    def both(of_now: str, of_then: str) -> str:
        return words.change(of_now, of_then) if then is not None else of_now

    expected = both(words.percent(now.expected), "" if then is None else words.percent(then.expected))
    quantiles = [
        "" if drawn_now is None else words.percent(drawn_now.quantile(promise.certainty)) for drawn_now in (now, then)
    ]
    kept = ["" if drawn_now is None else f"{drawn_now.kept(promise):,}" for drawn_now in (now, then)]
    certainty = words.percent(promise.certainty)
    figures = [
        (
            f"Below {promise.k}, expected",
            expected,
            glossary.linked(
                f"{drawn}The mean share of people in classes of fewer than {promise.k}: PK risk ({SOURCE}).",
                "below k",
                "class",
            ),
        ),
        (
            f"Not exceeded in {certainty} of the draws",
            both(*quantiles),
            glossary.linked(
                f"{drawn}The share below {promise.k} that so many of the draws do not exceed. The promise: at most "
                f"{words.percent(promise.most)}.",
                "promise",
            ),
        ),
        (
            f"Draws that keep it, of {now.draws:,}",
            both(*kept),
            glossary.linked(
                f"{drawn}In how many the promise is kept: at most {words.percent(promise.most)} are below {promise.k}. "
                f"Asked for: {promise.needed(now.draws):,}. These draws are new ones: the policy was not chosen by "
                "them.",
                "promise",
                "policy",
            ),
        ),
        (
            "Detail lost",
            "—" if then is None or plan is None else words.percent(plan.finest.loss),
            glossary.linked(
                "By the finest policy: the mean over the columns and all who may come of (values with one label - 1) / "
                "(values - 1), as detail of cells on the Generalize page.",
                "detail lost",
                "policy",
            ),
        ),
    ]
    if asked.population is not None:
        risk = [float(drawn_now.marketer.mean()) for drawn_now in (now, then) if drawn_now is not None]
        figures.append(
            (
                "Marketer risk, expected",
                both(words.percent(risk[0]), words.percent(risk[-1])),
                glossary.linked(
                    f"{drawn}The share of a release’s people whom somebody finds who links each record to one of those "
                    f"in the population table with the same released values ({SOURCE}).",
                    "marketer",
                    "population table",
                ),
            )
        )
    page.metrics(*figures)
    if question.varies:
        st.caption(f"Numbers of people vary from draw to draw as in past {question.period}s.")


def show(asked: AskedForecast, plan: ReleasePlan | None) -> None:
    """The finest policy in words, how sure it is, and the way into the recipe."""
    promise, question = asked.question.promise, asked.question
    asks = f"at most {words.percent(promise.most)} of the people of {question.stretch} below {promise.k}"
    if plan is None:
        st.markdown(f"**The finest policy** is searched that keeps {asks}.")
        return
    finest, fresh = plan.finest, plan.fresh
    if finest.policy is None:
        st.markdown(f"**No policy keeps {asks} in {promise.needed(finest.draws):,} of {finest.draws:,} draws.**")
        st.markdown(_why_none(asked))
        return
    so_far = "" if finest.finished else " found so far"
    st.markdown(
        f"**The finest policy{so_far}: {asks} in {finest.kept:,} of {finest.draws:,} draws**, and loses "
        f"{words.percent(finest.loss)} of the detail."
    )
    if fresh is not None:
        kept = fresh.kept(promise)
        low, high = confidence_interval(kept, fresh.draws)
        st.markdown(
            f"In {fresh.draws:,} new draws, by which it was not chosen: in {kept:,}. The simulation leaves open "
            f"{words.percent(low)} to {words.percent(high)} (95% interval)."
        )
        if kept < promise.needed(fresh.draws):
            st.markdown(
                ":red[:material/warning: Fewer than asked for: it is close. More draws or a coarser policy leave room.]"
            )
    lines = [f"- {page.listed([name])}: {plain(text)}" for name, text in finest.lattice.describe(finest.policy).items()]
    st.markdown("\n".join(lines))
    st.button(
        "Add to recipe", type="primary", icon=":material/playlist_add:", on_click=guard.action(_take),
        args=(asked, plan), disabled=not finest.finished,
        help="One recoding a column, the same for every file to come. Earlier steps on the same columns give way."
        if finest.finished else "The search has not ended: a finer policy may keep the promise too.",
    )  # fmt: skip
    looked = f"{finest.looked_at:,} of {words.count(finest.lattice.n_policies, 'policies')} counted"
    rest = "the others follow, being coarser or finer in every column" if finest.finished else "stopped before the end"
    ties = ""
    if finest.ties:
        keep = "keeps it and loses" if len(finest.ties) == 1 else "keep it and lose"
        ties = f" {words.count(len(finest.ties), 'other policies')} {keep} as much."
    st.caption(f"{looked}; {rest}.{ties} The levels are those of the Generalize page.")
    if over := results.passed_over(view.now().recipe):
        st.caption(
            f"{words.count(over, 'steps')} of the recipe depend on who else comes, and are not foreseen: figures are "
            "of its recodings alone."
        )


def _why_none(asked: AskedForecast) -> str:
    k, people = asked.question.promise.k, _people(asked)
    if people < k:
        return (
            f"{words.count(people, 'people')} are fewer than {k}: whatever is removed, all of them are in a small "
            "class. Let a period be longer, or more periods count together (More)."
        )
    return "Let a period be longer, or more periods count together (More), or allow a larger share."


def _people(asked: AskedForecast) -> int:
    """Of a release, on average where numbers vary."""
    return round(float(results.new_people(asked).numbers.mean()))


def _take(asked: AskedForecast, plan: ReleasePlan) -> None:
    finest, fresh = plan.finest, plan.fresh
    assert finest.policy is not None and fresh is not None
    promise = finest.promise
    reason = (
        f"forecast: at most {words.percent(promise.most)} below {promise.k} in {fresh.kept(promise):,} of "
        f"{fresh.draws:,} draws of {words.count(_people(asked), 'people')}"
    )
    levels = dict(zip(finest.lattice.columns, finest.policy, strict=True))
    steps = steps_of_levels(finest.lattice.hierarchies, levels, asked.data, reason)
    decide.take(steps, finest.lattice.columns, Scope.POLICY)


def show_picture(asked: AskedForecast, plan: ReleasePlan | None) -> None:
    """In how many draws each policy keeps the promise, by the number of people."""
    promise, draws, people = asked.question.promise, asked.question.draws, _people(asked)
    lines = results.lines(asked, plan)
    at = min(people, *(len(line.kept) - 1 for line in lines))
    named = [line for line in lines if line.role != "other"]
    at_people = "; ".join(f"{line.name}: in {int(line.kept[at]):,} of {draws:,}" for line in named)
    others = f" Thin lines: {words.count(len(lines) - len(named), 'policies')} of the table below."
    page.figure(
        partial(plots.kept_by_number, lines, promise, draws, people),
        f"Lines of the share of draws in which a policy keeps the promise, against the people of a release. At "
        f"{at:,} people, {at_people}.{others if len(lines) > len(named) else ''}",
        "forecast-kept",
    )  # fmt: skip
    page.counts(
        f"In how many of {words.count(draws, 'draws')} at most {words.percent(promise.most)} of a release’s people are "
        f"in classes of fewer than {promise.k} (PK risk, {SOURCE}). The same draws for all policies and numbers. Thin "
        "lines are the policies of the table below. In a draw everybody is as likely to come as anybody: an outbreak "
        "in one group is not foreseen."
    )

"""The Frontier page's figures, and what it says of a search and of who is in its figures and who is not."""

from __future__ import annotations

import streamlit as st

from anonlib.analyses.frontier import Frontier, PolicySummary
from anonlib.basics import words
from anonlib.basics.budget import A_SECOND
from anonlib.dataset import Dataset
from pages.protect.frontier import results
from pages.protect.frontier.controls.settings import take_file
from pages.protect.frontier.policy import summary_of
from pages.protect.frontier.results import COUNT, FrontierQuestion
from ui.kit import glossary, page
from ui.session import guard, view

MUCH = 0.05  # share of the records that is worth a warning
SOME = 0.005
BRIEF = A_SECOND  # work


def how_far(frontier: Frontier) -> str:
    """Whether there may be better policies, and whether another machine finds the same."""
    if frontier.exact:
        return "These are all policies there are: none is better. "
    if frontier.ended_early:
        return "The search was ended early: another machine may find others. "
    if frontier.work < BRIEF and not frontier.finished:
        return "A first look: better ones come with more search. "
    return "As much search finds the same on every machine. "


def so_far(question: FrontierQuestion, frontier: Frontier) -> str:
    """What a search under way has found."""
    safe_harbor = results.point_of_safe_harbor(question)
    if safe_harbor is None:
        return f"{words.count(len(frontier), 'policies')} on the frontier"
    better = len(frontier.dominating_point(*safe_harbor))
    return f"{better:,} of {len(frontier):,} better than Safe Harbor"


def counted(question: FrontierQuestion) -> str:
    """How many are counted, and who is not, as Markdown."""
    unit, space, who = question.unit, question.space, question.counted
    sentences = [f"{words.count(space.n_records, unit)} in {words.count(space.classes.n_classes, 'classes')}."]
    if who.incomplete:
        lack = "lacks a value and is" if who.incomplete == 1 else "lack a value and are"
        sentences.append(f"{words.count(who.incomplete, unit)} {lack} left out, as the Data page says.")
    if who.several:
        are = "is" if who.several == 1 else "are"
        sentences.append(f"{words.count(who.several, unit)} whose rows differ in a column {are} not counted here.")
    unmatched = 0 if question.matched is None else question.matched.unmatched
    left = question.unmatched != COUNT and unmatched > 0
    if unmatched:
        match, are = ("matches", "is") if unmatched == 1 else ("match", "are")
        what = "left out of the search" if left else "counted as people of it"
        sentences.append(f"{words.count(unmatched, unit)} {match} nobody in the population table and {are} {what}.")
    if who.several or left:
        sentences.append("Who is not counted is recoded and released too; a value that no interval holds becomes “*”.")
    return " ".join(sentences)


def warn(question: FrontierQuestion, data: Dataset) -> None:
    """What an officer must know before believing the figures, with the way out."""
    aside = [name for name in data.quasi_identifiers if name not in question.space.attributes]
    population = view.now().people
    columns = data.columns if population is None or question.matched is None else population.columns
    if aside:
        absent = [name for name in aside if name not in columns]
        why = f" The population table has no {page.listed(absent)}." if absent else ""
        are, them = ("is released as it is", "it") if len(aside) == 1 else ("are released as they are", "them")
        _warning(
            f"{page.listed(aside)} {are}, and k and risk here do not count {them}.{why}",
            "Take the file itself as population" if absent else "",
        )
    who = question.counted
    everyone = question.space.n_records + who.several
    if who.several > SOME * everyone:
        _warning(
            f"{words.share(who.several, everyone, question.unit)} have rows that differ and are not in these figures: "
            "they stand out more than others, so the release is riskier than shown. The Risk page counts them."
        )
    if question.matched is not None and question.matched.unmatched > MUCH * question.matched.n_records:
        matched = question.matched
        worst = max(matched.unknown, key=lambda name: matched.unknown[name])
        most = f", most often in {page.listed([worst])}" if matched.unknown[worst] else ""
        _warning(
            f"{words.share(matched.unmatched, matched.n_records, question.unit)} match nobody in the population "
            f"table{most}: see **Population** below before you believe the risk."
        )


def _warning(text: str, button: str = "") -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/warning: {text}")
        if button:
            st.button(button, on_click=guard.action(take_file))


def show_metrics(question: FrontierQuestion, frontier: Frontier, now: PolicySummary) -> None:
    """The figures that matter: Safe Harbor → the chosen policy, or the release that is looked at."""
    plane = question.plane
    before = now if question.safe_harbor is None else summary_of(question, question.safe_harbor)
    than = "" if question.safe_harbor is None else "Safe Harbor → the chosen policy. "
    compared = "" if question.safe_harbor is None else ", Safe Harbor → chosen"
    better = len(frontier.dominating_point(before.risk, before.loss))
    page.metrics(
        (
            f"Risk left{compared}",
            words.change(words.percent(before.risk), words.percent(now.risk)),
            glossary.linked(f"{than}{plane.risk.name}. {plane.risk.meaning}", "Safe Harbor", "policy"),
        ),
        (
            f"Loss{compared}",
            words.change(words.percent(before.loss), words.percent(now.loss)),
            glossary.linked(
                f"{than}{plane.loss.name}. {plane.loss.meaning} 0% is the data as they are, 100% everybody in one "
                "class.",
                "Safe Harbor",
                "class",
            ),
        ),
        (
            "k, the smallest class of the policy",
            words.change(f"{before.k:,}", f"{now.k:,}"),
            glossary.linked(
                f"{than}The fewest {question.unit} with the same released values.", "policy", "smallest class"
            ),
        ),
        (
            "Better than Safe Harbor" if question.safe_harbor is not None else "Policies on the frontier",
            f"{better:,} of {len(frontier):,}" if question.safe_harbor is not None else f"{len(frontier):,}",
            glossary.linked(
                f"Policies of the frontier; area under it {frontier.area():.4f} (less is better).",
                "frontier",
                "policy",
                "Safe Harbor",
            ),
        ),
    )

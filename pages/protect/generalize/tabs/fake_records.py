"""Fake records: filling the small groups of the release, off until the officer asks for it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.analyses.generalization import Injection, inject
from anonlib.basics import words
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.export import draws_for, released_csv, table_csv, with_fakes
from pages.protect.generalize.question import GeneralizeQuestion
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import cache, keep, state, view
from ui.text import plain, printable

BUDGET = 5  # percent


def show(original: Dataset, question: GeneralizeQuestion) -> None:
    """How many fakes the release needs for a guarantee, k with and without them, and the files."""
    st.markdown(
        "Where the recipe leaves a few small classes, fake records can fill them up to k instead of leaving people "
        "out. **Somebody who can recognise a fake record sees the small classes again**, and every count made from "
        "the file is a little wrong: say in your report that there are fakes."
    )
    applied = view.now().applied
    assert applied is not None
    released = applied.released
    why = plain(applied.why_not) or _why_not(released, question)
    wanted = keep.toggle(
        "generalize-fakes", "Add fake records to the release", disabled=bool(why),
        help=why or glossary.link("fake record"),
    )  # fmt: skip
    if why:
        st.caption(why)
    if why or not wanted:
        return
    which, most, _ = st.columns([3, 2, 2], vertical_alignment="bottom")
    guarantee = keep.select(
        "generalize-fakes-guarantee", "Criterion to fill up to", _fitting(released, question),
        format_func=_in_words, place=which,
    )  # fmt: skip
    budget = keep.slider(
        "generalize-fakes-budget", "Fakes at most", 1, 20, BUDGET, 1, "%d%%", place=most,
        help=glossary.linked("The largest share of fake records in the file.", "fake record"),
    )  # fmt: skip
    injection = _inject(
        original, released, question, guarantee=guarantee, budget=budget / 100, seed=state.session().seed
    )
    _show_injection(released, injection)


def _why_not(released: Dataset, question: GeneralizeQuestion) -> str:
    if released.person_id is not None:
        return "Fake records need one row a person; this file has a person id."
    if not released.n_records or not _fitting(released, question):
        return "The recipe drops a column of every criterion, or leaves no record."
    return ""


def _fitting(released: Dataset, question: GeneralizeQuestion) -> tuple[KAnonymity, ...]:
    return tuple(guarantee for guarantee in question.shared if set(guarantee.columns) <= set(released.columns))


def _in_words(guarantee: KAnonymity) -> str:
    return f"k = {guarantee.least} on " + ", ".join(map(printable, guarantee.columns))


@cache.remembered
def _inject(
    original: Dataset,
    released: Dataset,
    question: GeneralizeQuestion,
    *,
    guarantee: KAnonymity,
    budget: float,
    seed: int,
) -> Injection:
    columns = [name for name in released.columns if name != released.weight]
    return inject(
        released.classes(columns), dict(question.hierarchies), guarantee, seed=seed, budget=budget,
        original=original.classes(columns),
    )  # fmt: skip


def _show_injection(released: Dataset, injection: Injection) -> None:
    unit = released.unit
    page.metrics(
        (
            "Fake records",
            f"{injection.n_fake:,}",
            glossary.linked(
                f"The fewest that fill {words.count(injection.groups, 'classes')} up to k.", "fake record", "k"
            ),
        ),
        ("Share of the file", words.percent(injection.share), f"Of {injection.n_real + injection.n_fake:,} {unit}."),
        ("k with them", f"{injection.k_with:,}", glossary.linked("For those who take every record for real.", "k")),
        ("k without them", f"{injection.k_without:,}", glossary.linked("For those who can recognise the fakes.", "k")),
    )
    if not injection.n_fake:
        st.caption("No class of the release is too small: no fakes are needed.")
        return
    with st.container(horizontal=True):
        page.download(
            "Release with fakes (CSV)", partial(_csv, released, injection, state.lot("fakes")),
            "released-with-fakes.csv", "download-with-fakes", holds=Holds.RELEASE,
            enters="CSV with fakes",
            help="The released records and the fakes, in an order drawn at random.",
            why_not="" if released.frame is not None else "The records stay in a database, and fakes are mixed with "
            "them in memory.",
        )  # fmt: skip
        page.download(
            "Ledger (CSV)", partial(table_csv, injection.ledger), "fake-records-ledger.csv", "download-ledger",
            holds=Holds.INSIDE,
            help="Which classes were filled, with how many. Keep it apart: who has it can take the fakes out.",
        )  # fmt: skip
    page.counts(
        "A fake has the quasi-identifiers of its class; its other values are those of a real record of the nearest "
        "class up the hierarchies that has at least k. The numbers on the other pages are without fakes."
    )


def _csv(released: Dataset, injection: Injection, lot: list[int]) -> bytes:
    rng = draws_for(released, lot)
    return released_csv(with_fakes(released, injection, rng), rng)

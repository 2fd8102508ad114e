"""Who gets the release, and what is known of its columns that only the officer can say."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import NOBODY_FOUND, NOBODY_LEARNED, RECIPIENTS, WAYS, WAYS_IN_WORDS, Aim
from anonlib.verdict.proposals.offers import KINDS
from pages.verdict.verdict.controls import harmless_values
from ui.kit import glossary, page, population
from ui.session import keep
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain

_FOUND = (
    "That no record can be found to be somebody's (identity disclosure): how many share what is known, and who is "
    "unique. HIPAA's expert determination, EMA Policy 0070, Health Canada and ISO/IEC 27559 put a limit on it."
)
_LEARNED = (
    "That no sensitive value can be learned of somebody, found or not (attribute disclosure; inference, l-diversity, "
    "t-closeness). The Article 29 Working Party (WP216) asks it of data that anybody may get. Under a contract and "
    "within an organisation it is answered by what the recipient may do; switched off, it is measured and reported "
    "without a limit."
)
_NAMES = {recipient.key: recipient.name for recipient in RECIPIENTS}


def ask(data: Dataset) -> None:
    """The recipient in one row, and the rarer decisions under “What may be changed” and “More”."""
    who, about, harmless, change, more = page.beside(4, 6, 3, 3, 2, gap="small", align="bottom")
    aim = session().aim
    keep.select(
        "verdict-recipient", "Recipient", list(_NAMES), aim.recipient, take=take, place=who,
        format_func=_NAMES.__getitem__,
        help="  \n".join(f"**{recipient.name}**: {recipient.to_whom}" for recipient in RECIPIENTS),
    )  # fmt: skip
    about.caption(f"{aim.of.to_whom} {_known(aim)}")
    _ask_what_is_learned(aim)
    with harmless, st.popover("Harmless values", width="stretch", disabled=not data.sensitive,
                              help=None if data.sensitive else "No column is sensitive."):  # fmt: skip
        harmless_values.ask(data, aim)
    with change, st.popover("May change", width="stretch"):
        _ask_change(data, aim)
    with more, st.popover("More", width="stretch"):
        population.show()


def _ask_what_is_learned(aim: Aim) -> None:
    """The two questions of protection: the first is always asked, the second where it is switched on."""
    nobody_found, learned, what = page.beside(4, 5, 11, gap="small", align="bottom")
    nobody_found.markdown(f":material/check: **{NOBODY_FOUND}**", help=glossary.linked(_FOUND, "nobody is found"))
    by_switch, is_limited = bool(aim.of.measured), aim.limits_what_is_learned
    keep.toggle(
        "verdict-learned", NOBODY_LEARNED, is_limited, take=_take_what_is_learned, place=learned,
        disabled=not by_switch, help=glossary.linked(
            _LEARNED if by_switch else f"{_LEARNED} {_why_no_switch(aim)}", "nobody's value is learned"
        ),
    )  # fmt: skip
    if is_limited:
        what.caption("Asked: criteria limit who can be found, and of whom a value can be learned.")
    elif aim.measured:
        what.caption("Who can be found is limited; what can be learned of somebody is measured and reported.")
    else:
        what.caption("Who can be found is limited; nothing is asked about what can be learned of somebody.")


def _why_no_switch(aim: Aim) -> str:
    if aim.limits_what_is_learned:
        return "Here a criterion asks for it: remove it below if you do not want it."
    return "Add a criterion on it below, such as “Inference”, to ask for it."


def _take_what_is_learned(is_limited: bool) -> None:
    session().aim = session().aim.limiting_what_is_learned(is_limited)


def _known(aim: Aim) -> str:
    known = aim.of.known
    facts = f"at most {known} facts of a person" if known else "everything that may be known of a person"
    return f"Somebody there is taken to know {facts}."


def take(key: str) -> None:
    """Take the recipient's criteria, and its k for every page."""
    now = session()
    now.aim = Aim.for_recipient(key, now.aim)
    now.k, now.own_threshold = now.aim.of.k, None


def _ask_change(data: Dataset, aim: Aim) -> None:
    def take_ways(held: list[str]) -> None:
        if not held:
            raise InputError("Allow at least one way to protect the file.", code="choice-missing")
        session().aim = _replaced(ways=tuple(way for way in WAYS if way in held or way not in offered))

    offered = [way for way in WAYS if any(kind.way == way for kind in KINDS)]
    keep.several(
        "verdict-ways", "Ways to protect that are allowed", offered, [way for way in aim.ways if way in offered],
        take=take_ways, format_func=lambda way: WAYS_IN_WORDS[way].capitalize(),
        help=glossary.linked(
            "The same coarseness for everyone is easiest to analyse; mixed coarseness mostly keeps more detail.",
            *(WAYS_IN_WORDS[way] for way in offered),
        ),
    )  # fmt: skip
    known = data.quasi_identifiers
    persons = [data.person_id] if data.person_id is not None and data.has_several_rows else []

    def take_fixed(held: list[str]) -> None:
        session().aim = _replaced(fixed=tuple(held))

    def take_droppable(held: list[str]) -> None:
        session().aim = _replaced(droppable=tuple(held))

    def take_coarsenable(held: list[str]) -> None:
        session().aim = _replaced(coarsenable=None if set(held) == set(data.sensitive) else tuple(held))

    keep.several(
        "verdict-fixed", "Must stay as they are", [*known, *persons],
        [name for name in aim.fixed if name in {*known, *persons}],
        take=take_fixed, format_func=titled, help="A proposal does not touch these columns.",
    )  # fmt: skip
    keep.several(
        "verdict-droppable", "Sensitive columns that may be dropped", data.sensitive,
        [name for name in aim.droppable if name in data.sensitive], take=take_droppable, format_func=titled,
        help=glossary.linked(
            "A proposal may drop them where that costs least. Coarsening a sensitive column never helps against "
            "inference of its own values; dropping it does.",
            "sensitive", "inference",
        ),
    )  # fmt: skip
    keep.several(
        "verdict-coarsenable", "Sensitive columns that may be coarsened", data.sensitive,
        list(data.sensitive) if aim.coarsenable is None else [n for n in aim.coarsenable if n in data.sensitive],
        take=take_coarsenable, format_func=titled,
        help=glossary.linked(
            "A proposal may put numbers into bands, codes into their groups, and rare values together. It does so "
            "only where a criterion is about these columns: rare values, who is unique on released columns, or "
            "values that reveal another sensitive column.",
            "sensitive", "rare values",
        ),
    )  # fmt: skip
    st.markdown("How much each column matters, from 0 (may be lost without regret) to 3:")
    weights = dict(aim.weights)
    for name in known:

        def take_weight(weight: float, name: str = name) -> None:
            session().aim = session().aim.with_weight(name, weight)

        keep.slider(
            keep.per("verdict-weight", name), plain(titled(name), 60), 0.0, 3.0, float(weights.get(name, 1.0)), 0.5,
            take=take_weight,
        )  # fmt: skip


def _replaced(**changes) -> Aim:
    return replace(session().aim, **changes)

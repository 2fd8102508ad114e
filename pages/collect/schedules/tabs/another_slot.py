"""Another slot for somebody who cannot come: what each costs in anonymity, taken and taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.schedules import Replacements, replacements
from anonlib.basics import words
from pages.collect.schedules import results
from pages.collect.schedules.results import SchedulesAnswer, ScheduleTaken
from ui.kit import glossary, page
from ui.session import guard, keep, state
from ui.text import plain

_OFFERED = 200  # people that can be chosen from, and slots of the table
_LONGEST = 110  # characters of what somebody is called


@dataclass(frozen=True)
class ByHand:
    """Single people who were given another slot: the schedule, by its key, the person, and the slot."""

    DECIDED: ClassVar = {"slots": "appointments of single people"}

    slots: tuple[tuple[str, int, int], ...] = ()


def _key(taken: ScheduleTaken) -> str:
    return f"{taken.key} {state.lot('invitations')}"


def _drawn(answer: SchedulesAnswer, name: str) -> tuple[ScheduleTaken, np.ndarray]:
    """The schedule as it was made, and the slot of each person by it."""
    made_as = answer.drawn_from if answer.drawn_from is not None and name == answer.taken else answer.schedules[name]
    taken = ScheduleTaken(answer.question, made_as)
    return taken, results.drawn_slots(taken, lot=tuple(state.lot("invitations")))


def _given(taken: ScheduleTaken) -> dict[int, int]:
    """The slots that were given by hand in this schedule, by person."""
    return {person: slot for of, person, slot in state.part(ByHand).slots if of == _key(taken)}


def with_changes(answer: SchedulesAnswer, name: str) -> SchedulesAnswer:
    """The answer in which the schedule that is taken has what was changed by hand."""
    if not state.part(ByHand).slots:
        return answer
    taken, slots = _drawn(answer, name)
    group = answer.question.people.group_of_person
    moves = [(int(group[person]), int(slots[person]), slot) for person, slot in _given(taken).items()]
    return results.with_hands(answer, name, moves) if moves else answer


def slot_of_person(answer: SchedulesAnswer, name: str) -> np.ndarray:
    """(N,) the slot of each person, also of those to whom another was given."""
    taken, slots = _drawn(answer, name)
    given = _given(taken) if state.part(ByHand).slots else {}
    if not given:
        return slots
    changed = slots.copy()
    changed[list(given)] = list(given.values())
    return changed


def show(answer: SchedulesAnswer, name: str, k: int) -> None:
    """Who cannot come, where they can go instead, and what was changed so far."""
    question = answer.question
    slots = slot_of_person(answer, name)
    find, who = st.columns([1, 2.4], vertical_alignment="bottom")
    text = keep.text(
        "schedules-find", "Find a person", place=find, placeholder="Part of an id, a name, a value",
        help=glossary.linked("Looked for in person ids, identifiers and what is known.", "person id"),
    )  # fmt: skip
    positions = _matching(answer, text)
    if not positions:
        st.markdown("Nobody is called so.")
        _show_given(answer, name)
        return
    person = keep.select(
        keep.per("schedules-who", question.key, positions), "Who cannot come", positions, place=who,
        format_func=lambda position: _called(answer, slots, position),
    )  # fmt: skip
    slot = int(slots[person])
    offered = replacements(
        answer.schedules[name], int(question.people.group_of_person[person]), slot, question.slots.capacities,
        question.people.quasi_ids, k, rules=question.all_rules, may_go=_may_go(answer, slot),
    )  # fmt: skip
    _show_offered(answer, name, person, offered, k)
    _show_given(answer, name)


def _matching(answer: SchedulesAnswer, text: str) -> list[int]:
    """The first people in whose cells a text stands."""
    people, data = answer.question.people, answer.question.data
    wanted = text.strip().casefold()
    known = people.values.iloc[people.quasi_ids[people.group_of_person]].reset_index(drop=True)
    if data is None or data.frame is None or people.record_of_person is None:
        number = pd.DataFrame({"person": [str(i) for i in range(1, people.n_people + 1)]})
        columns = [number["person"], *(known[name] for name in known)]
    else:
        names = [name for name in (data.person_id, *data.identifiers) if name is not None]
        rows = data.frame[names].iloc[people.record_of_person]
        columns = [*(rows[name] for name in names), *(known[name] for name in known)]
    hits = np.full(people.n_people, not wanted)
    for column in columns if wanted else []:
        codes, cells = pd.factorize(column.to_numpy(dtype=object), use_na_sentinel=True)
        holds = np.array([wanted in str(cell).casefold() for cell in cells] + [False])
        hits |= holds[codes]
    return np.flatnonzero(hits)[:_OFFERED].tolist()


def _called(answer: SchedulesAnswer, slots: np.ndarray, person: int) -> str:
    """A person by their id or name, what is known of them and their slot."""
    people, data = answer.question.people, answer.question.data
    who = [f"person {person + 1:,}"]
    if data is not None and data.frame is not None and people.record_of_person is not None:
        names = [name for name in (data.person_id, *data.identifiers) if name is not None]
        row = data.frame[names].iloc[int(people.record_of_person[person])]
        who = [str(cell) for cell in row if not pd.isna(cell)] or who
    known = people.values.iloc[people.quasi_ids[people.group_of_person[person]]].tolist()
    label = answer.question.slots.short_labels[int(slots[person])]
    return f"{', '.join(who)}: {', '.join(known)}; now {label}"[:_LONGEST]


def _may_go(answer: SchedulesAnswer, slot: int) -> np.ndarray:
    """The slots of the same date and centre, as far as these are asked for."""
    question = answer.question
    table, named = question.slots.table, question.parts.named
    may_go = np.ones(len(table), dtype=bool)
    places = st.container(horizontal=True)
    for part, title in (("date", "Same date"), ("centre", "Same centre as before")):
        column = next((name for of, name in named.items() if of == part), None)
        if column is not None and keep.toggle(f"schedules-same-{part}", title, place=places):
            may_go &= (table[column] == table[column].iloc[slot]).to_numpy()
    return may_go


def _show_offered(answer: SchedulesAnswer, name: str, person: int, offered: Replacements, k: int) -> None:
    labels = answer.question.slots.short_labels
    keeps = offered.keeps_promises
    anyway = bool((~keeps).any()) and keep.toggle(
        "schedules-offer-all", "Offer also slots that break what is promised",
        help=glossary.linked(
            f"What is promised: a smallest class of {offered.promised:,}, and the rules that are on.", "slot"
        ),
    )  # fmt: skip
    choices = [int(slot) for slot, kept in zip(offered.slots, keeps, strict=True) if kept or anyway]
    st.markdown(_in_words(offered, labels))
    if choices:
        choose, press = st.columns([2.4, 1], vertical_alignment="bottom")
        chosen = keep.select(
            keep.per("schedules-instead", answer.question.key, person, choices), "Slot instead", choices, place=choose,
            format_func=lambda slot: labels[slot],
        )  # fmt: skip
        at = offered.slots.tolist().index(chosen)
        taken, _ = _drawn(answer, name)
        press.button(
            "Give this slot", on_click=guard.action(_give), args=(_key(taken), person, chosen), type="primary",
            icon=":material/event_available:",
        )  # fmt: skip
        st.markdown(_cost(answer, offered, at, k))
    if not len(offered.slots):
        return
    frame = _table(offered, labels, k)
    page.table(frame.head(_OFFERED), "Slots that can be given instead", height=page.table_height(len(frame), 300))
    page.counts(
        "Slots with a free place: first those where people of the same values are already, by the anonymity vector "
        f"after it (Caballero et al. 2017, section 9, E1). {words.count(offered.full, 'slots')} more are full. "
        "Kept is what this schedule promises: its rules, and k or the smallest class that it has."
    )


def _in_words(offered: Replacements, labels: list[str]) -> str:
    behind = words.count(offered.left_behind, "people") if offered.left_behind else "nobody"
    where = f"**{plain(labels[offered.slot], 60)}** leaves {behind} of the same values behind. "
    with_peers, kept = int((offered.peers > 0).sum()), int(offered.keeps_promises.sum())
    if not len(offered.slots):
        return (
            f"{where}No other slot has a free place. Give slots more places above (“To spare”, or the table of slots)."
        )
    theirs = f"With a free place: {words.count(with_peers, 'slots')} where people like them are"
    if offered.full_with_peers:
        theirs += f" ({offered.full_with_peers:,} more are full)"
    others = f"{len(offered.slots) - with_peers:,} where they would be alone."
    if kept:
        return f"{where}{theirs}; {others} What is promised is kept by {words.count(kept, 'slots')}."
    return (
        f"{where}{theirs}; {others} **None keeps what is promised** (a smallest class of {offered.promised:,}"
        ", and the rules): nothing can be done but to treat their record before it is released."
    )


def _cost(answer: SchedulesAnswer, offered: Replacements, at: int, k: int) -> str:
    before, after = offered.before, offered.after[at]
    peers = int(offered.peers[at])
    joins = (
        f"They join {words.count(peers, 'people')} of the same values"
        if peers
        else "Nobody of the same values is there"
    )
    gain = results.improved(after, before, answer.base)
    changes = [
        f"k {words.change(f'{before.k:,}', f'{after.k:,}')}",
        f"people alone {words.change(f'{before.people_below(2):,}', f'{after.people_below(2):,}')}",
        f"below {k} {words.change(f'{before.people_below(k):,}', f'{after.people_below(k):,}')}",
        f"vector {before.printed()} → {after.printed()}",
    ]
    if gain is not None:
        changes.append(f"index {results.signed(gain)} of the base")
    breaks = [
        sentence
        for broken, sentence in (
            (not offered.keeps_k[at], f" **This breaks the promised k of {offered.promised:,}.**"),
            (not offered.keeps_rules[at], " **This breaks the rules.**"),
        )
        if broken
    ]
    return f"{joins}: {', '.join(changes)}.{''.join(breaks)}"


def _table(offered: Replacements, labels: list[str], k: int) -> pd.DataFrame:
    kept = np.where(
        offered.keeps_promises, "yes",
        np.where(offered.keeps_rules, "no: k", np.where(offered.keeps_k, "no: rules", "no: k, rules")),
    )  # fmt: skip
    return pd.DataFrame(
        {
            "Slot": [labels[slot] for slot in offered.slots.tolist()],
            "Like them there": offered.peers,
            "Free places": offered.free,
            "k after": [vector.k for vector in offered.after],
            "Alone after": [vector.people_below(2) for vector in offered.after],
            f"Below {k} after": [vector.people_below(k) for vector in offered.after],
            "Vector after": [vector.printed() for vector in offered.after],
            "Promise kept": kept,
        }
    )


def _give(key: str, person: int, slot: int) -> None:
    others = tuple(row for row in state.part(ByHand).slots if row[:2] != (key, person))
    state.change_part(ByHand, slots=(*others, (key, person, slot)))
    state.session().notice = "The slot is given. It is part of the invitations, and can be taken back."


def _take_back(key: str, person: int) -> None:
    others = tuple(row for row in state.part(ByHand).slots if row[:2] != (key, person))
    state.change_part(ByHand, slots=others)


def _show_given(answer: SchedulesAnswer, name: str) -> None:
    """The changes so far, each with the button that takes it back."""
    taken, drawn = _drawn(answer, name)
    given = _given(taken)
    if not given:
        return
    st.markdown(f"**Given by hand in this schedule:** {words.count(len(given), 'slots')}.")
    labels = answer.question.slots.short_labels
    for person, slot in given.items():
        row = st.container(horizontal=True, vertical_alignment="center")
        row.markdown(
            f"{plain(_called(answer, drawn, person), _LONGEST)} → **{plain(labels[slot], 60)}**", width="stretch"
        )
        row.button(
            "Take back", key=f"take-back-{person}", on_click=guard.action(_take_back), args=(_key(taken), person),
            icon=":material/undo:",
        )  # fmt: skip
    page.counts(glossary.linked("Invitations, grid and figures above are with these.", "slot"))

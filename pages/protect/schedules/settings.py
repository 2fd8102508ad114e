"""What the officer asks on the Schedules page: who is invited, to which slots, by which rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.schedules import (
    People,
    RandomProgramme,
    Rule,
    Slots,
    capacity_column,
    check_room,
    made_up_people,
    made_up_slots,
    people_of,
    program_programme,
    slots_of,
    text_programme,
)
from pages.protect.schedules import released
from pages.protect.schedules import slots as table_of_slots
from pages.protect.schedules.rules import RuleSettings, ask_rules
from ui import cache, outcome, state
from ui.text import printable

LOADED, MADE_UP, FILE, PAPER = "The loaded file", "Made up", "A table", "As in the paper"
ORIGINAL, RELEASE = "Original", "Release"
GENERATORS = {
    "program": "the authors’ program",
    "text": "the paper’s text",
    "many": "the text, ten times the values",
}
MOST_PEOPLE = 1_000_000


@dataclass(frozen=True, eq=False)
class Asked:
    """Who is invited to what, by which rules.

    ``data`` is the file the people are of, None for made-up people; ``from_table``: the slots are those of the table;
    ``not_released``: people of the file whom the recipe leaves out of the release, when that is what is looked at.
    """

    people: People
    slots: Slots
    rules: tuple[RuleSettings, ...]
    data: Dataset | None
    from_table: bool
    not_released: int = 0

    @cached_property
    def key(self) -> str:
        return f"{self.people.key} {self.slots.key} {self.rules!r}"

    @property
    def without_rules(self) -> Asked:
        return replace(self, rules=())

    @cached_property
    def all_rules(self) -> tuple[Rule, ...]:
        return tuple(rule.on(self.people, self.slots) for rule in self.rules)


def ask(data: Dataset | None) -> Asked:
    """The controls: people and slots side by side, the rules in a row below."""
    who, where = st.columns(2, gap="small")
    with who, st.container(border=True, height="stretch"):
        from_file, looked, ask_people = _ask_people(data)
        people_said = st.empty()
    with where, st.container(border=True, height="stretch"):
        ask_slots, slot_columns = _ask_slots(from_file)
        slots_said = st.empty()
    rules = ask_rules(data if from_file else None, slot_columns or [])
    people, programme = ask_people(tuple(dict.fromkeys(name for rule in rules for name in rule.own)))
    slots = ask_slots(people, programme)
    of_people, of_slots = said_of(people, slots)
    people_said.caption(of_people + _counted(looked))
    slots_said.caption(of_slots)
    check_room(people, slots)
    gone = released.not_released(data, people) if data is not None and looked == RELEASE else 0
    return Asked(people, slots, rules, data if from_file else None, slot_columns is not None, gone)


# ---- people -------------------------------------------------------------------------------------------------------


def _headed(title: str) -> DeltaGenerator:
    """A row that begins with the box's title."""
    row = st.container(horizontal=True, vertical_alignment="center")
    row.markdown(f"**{title}**", width="content")
    return row


AskPeople = Callable[[tuple[str, ...]], tuple[People, RandomProgramme | None]]


def _ask_people(data: Dataset | None) -> tuple[bool, str, AskPeople]:
    """Whether the people are those of the file, which of original and release they are counted in (empty without a
    recipe), and how to get them once the rules are known."""
    usable = data is not None and data.n_records > 0
    name = f"schedules-people-{usable}"
    source = _headed("People").segmented_control(
        "Who is invited", [LOADED, MADE_UP], default=state.setting(name, LOADED if usable else MADE_UP), required=True,
        key=state.kept(name), disabled=not usable, label_visibility="collapsed",
        help=None if usable else "Load a file on the Data page to invite its people.",
    )  # fmt: skip
    if source == LOADED and data is not None:
        return True, *_ask_known(data)
    size, kind, draw = st.columns([1.1, 1.6, 0.8])
    n = size.number_input(
        "People", 10, MOST_PEOPLE, state.setting("schedules-made-people", 250), key=state.kept("schedules-made-people"),
        help="How many to make up.",
    )  # fmt: skip
    kinds = list(GENERATORS)
    generator = kind.selectbox(
        "As in", kinds, kinds.index(state.setting("schedules-generator", kinds[0])),
        format_func=GENERATORS.__getitem__, key=state.kept("schedules-generator"),
        help="How the paper’s experiments make up people and slots: by its authors’ program, which Table 10 is of, or "
        "as its text says.",
    )  # fmt: skip
    seed = draw.number_input(
        "Draw", 1, 10_000, state.setting("schedules-seed", 1), key=state.kept("schedules-seed"),
        help="Another number, another draw.",
    )  # fmt: skip
    programme = cache.remember(_programme, n=int(n), generator=str(generator), seed=int(seed))
    return False, "", lambda also: (made_up_people(programme.frequencies), programme)


def _ask_known(data: Dataset) -> tuple[str, AskPeople]:
    """Which version of the file is looked at, and what somebody may know of it."""
    recipe = state.session().recipe
    known_place: DeltaGenerator | None = None
    looked = ""
    if recipe.enabled:
        known_place, look_place = st.columns([1.3, 1], vertical_alignment="bottom", gap="small")
        looked = look_place.segmented_control(
            "Look at", [ORIGINAL, RELEASE], default=state.setting("schedules-look", RELEASE), required=True,
            key=state.kept("schedules-look"),
            help="What is known about people as the original file has it, or as the recipe releases it. Who is not in "
            "the release gets no appointment.",
        )  # fmt: skip
    is_release = looked == RELEASE
    version = outcome.applied_to(recipe, cache.remember(released.with_rows, data)).released if is_release else data
    apart = {*data.identifiers, data.person_id, data.weight}
    offered = [name for name in data.columns if name in version.columns and name not in apart]
    name = f"schedules-known-{hash((*version.quasi_identifiers, '', *offered))}"
    known = (known_place or st).multiselect(
        "Known about them", offered, state.setting(name, version.quasi_identifiers, offered), format_func=printable,
        key=state.kept(name), placeholder="Choose columns",
        help="What someone who meets a person at the centre may know. Begins with the quasi-identifiers.",
    )  # fmt: skip
    chosen = tuple(known)
    if is_release:
        return RELEASE, lambda also: (
            cache.remember(released.people_released, version, data, known=chosen, also=also), None
        )  # fmt: skip
    return looked, lambda also: (cache.remember(_people, data, known=chosen, also=also), None)


def _people(data: Dataset, *, known: tuple[str, ...], also: tuple[str, ...]) -> People:
    return people_of(data, known, also)


def _programme(*, n: int, generator: str, seed: int) -> RandomProgramme:
    rng = np.random.default_rng(seed)
    if generator == "program":
        return program_programme(n, rng)
    return text_programme(n, rng, q=n // 10 + 5 if generator == "many" else None)


# ---- slots --------------------------------------------------------------------------------------------------------

AskSlots = Callable[[People, RandomProgramme | None], Slots]


def _ask_slots(from_file: bool) -> tuple[AskSlots, list[str] | None]:
    """How to get the slots once the people are known, and the columns a rule can look at (None: made-up slots)."""
    head = _headed("Slots")
    table, edits = state.session().slots, state.session().slots_edits
    sources = [FILE, MADE_UP] if from_file else [PAPER, MADE_UP, FILE]
    begin = FILE if table is not None and (from_file or edits) else MADE_UP if from_file else PAPER
    name = f"schedules-slots-{from_file}-{edits}"  # a table that was put there is looked at
    source = head.segmented_control(
        "Where there is room", sources, default=state.setting(name, begin), required=True, key=state.kept(name),
        label_visibility="collapsed",
    )  # fmt: skip
    if source == PAPER:
        return lambda people, programme: made_up_slots(programme.capacities), None  # type: ignore[union-attr]
    if source == MADE_UP:
        mean_place, spare_place, seed_place = st.columns([1.2, 1.2, 0.8])
        mean = mean_place.slider(
            "Places a slot", 2, 60, state.setting("schedules-mean", 10), key=state.kept("schedules-mean"),
            help="On average; a fifth more or less.",
        )  # fmt: skip
        spare = spare_place.slider(
            "To spare", 0, 50, state.setting("schedules-spare", 5), 1, "%d%%", key=state.kept("schedules-spare"),
            help="Places beyond one for each person.",
        )  # fmt: skip
        seed = seed_place.number_input(
            "Draw", 1, 10_000, state.setting("schedules-slot-seed", 1), key=state.kept("schedules-slot-seed"),
            help="Another number, another draw.",
        )  # fmt: skip
        return lambda people, _: made_up_slots(
            table_of_slots.made_up(people.n_people, mean, spare / 100, int(seed))
        ), None
    with head.popover("Load", icon=":material/upload_file:"):
        table_of_slots.ask_file()
    if table is None:
        raise InputError("No slots are loaded yet. Load a table of them under Slots, or have them made up.")
    names = [str(name) for name in table.columns]
    suggested = capacity_column(table)
    name = f"schedules-capacity-{hash(tuple(names))}"
    now = state.setting(name, suggested if suggested in names else names[0])
    capacity = st.selectbox(
        "People a slot takes", names, names.index(now), format_func=printable, key=state.kept(name),
        help="The column of capacities.",
    )  # fmt: skip
    return lambda people, _: slots_of(table, capacity), [name for name in names if name != capacity]


def _counted(looked: str) -> str:
    """In which version of the file people are counted, where there are two, as a sentence."""
    if looked == ORIGINAL:
        return " Counted on the original file, without the recipe."
    return " Counted as the recipe releases them." if looked == RELEASE else ""


def said_of(people: People, slots: Slots) -> tuple[str, str]:
    """What is invited and where there is room, in a sentence each."""
    spare = int(slots.capacities.sum()) - people.n_people
    return (
        f"{words.count(people.n_people, 'people')} of {words.count(len(people.values), 'combinations')}; the smallest "
        f"has {people.base.k:,}.",
        f"{words.count(int((slots.capacities > 0).sum()), 'slots')} with {int(slots.capacities.sum()):,} places: "
        f"{spare:,} to spare.",
    )

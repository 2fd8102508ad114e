"""The Schedules page's controls: who is invited, and where there is room; the rules are beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import streamlit as st

from anonlib.analyses.schedules import (
    Invitees,
    RandomProgramme,
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
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.reading.records.names import unused_name
from pages.collect.schedules.controls import slots as table_of_slots
from pages.collect.schedules.controls.rules import ask_rules
from pages.collect.schedules.controls.slots import FILE, MADE_UP, PAPER
from pages.collect.schedules.results import SchedulesQuestion
from ui.kit import glossary, shared_controls
from ui.server.private import DeltaGenerator
from ui.session import cache, keep, state, view
from ui.session.companions import SlotTable
from ui.text import plain, printable


@cache.remembered
def people_released(released: Dataset, data: Dataset, *, known: tuple[str, ...], also: tuple[str, ...]) -> Invitees:
    """The people of what a recipe made of the data: by columns ``known`` as released and by ``also`` as in the file.

    The columns that rules look at are the file's: where somebody lives decides where they can go, however coarse the
    release says it. ``record_of_person`` are records of the file too, since invitations are sent to names. Raises
    InputError when nobody is released.
    """
    if not released.n_records:
        raise InputError(
            "The recipe leaves nobody in the release. Look at the original, or change the recipe on the Release page.",
            code="no-record-left",
        )
    names: dict[str, str] = {}
    for name in also:
        names[name] = unused_name(f"{name} in the file", [*data.held.columns, *names.values()])
    people = people_of(released.with_columns_of(data, names), known, tuple(names.values()))
    groups = people.groups.drop(columns=[name for name in also if name in known])
    groups = groups.rename(columns={given: name for name, given in names.items()})
    if people.record_of_person is None:
        return replace(people, groups=groups)
    return replace(people, groups=groups, record_of_person=data.rows_of(released)[people.record_of_person])


def not_released(data: Dataset, people: Invitees) -> int:
    """How many people of the file have no record in the release."""
    return _everyone(data) - people.n_people - people.left_out


@cache.remembered
def _everyone(data: Dataset) -> int:
    return data.with_missing("category").classes([]).n_records


LOADED = "The loaded file"
GENERATORS = {
    "program": "the authors’ program",
    "text": "the paper’s text",
    "many": "the text, ten times the values",
}
MOST_PEOPLE = 1_000_000
AskPeople = Callable[[tuple[str, ...]], tuple[Invitees, RandomProgramme | None]]
"""The people, given the columns that rules look at; and what was drawn, where they are made up."""
AskSlots = Callable[[Invitees, RandomProgramme | None], Slots]


def ask(data: Dataset | None) -> SchedulesQuestion | None:
    """The controls; None after the sentence why it cannot be scheduled: the slots can be mended below."""
    try:
        return _ask(data)
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


def _ask(data: Dataset | None) -> SchedulesQuestion:
    """People and slots side by side, the rules in a row below."""
    who, where = st.columns(2, gap="small")
    with who, st.container(border=True, height="stretch"):
        from_file, looked, ask_people = _ask_people(data)
        about_people = st.empty()
    with where, st.container(border=True, height="stretch"):
        ask_slots, slot_columns = _ask_slots(from_file)
        about_slots = st.empty()
    rules = ask_rules(data if from_file else None, slot_columns or [])
    people, programme = ask_people(tuple(dict.fromkeys(name for rule in rules for name in rule.own)))
    slots = ask_slots(people, programme)
    about_people.caption(people_in_words(people, looked))
    about_slots.caption(slots_in_words(people, slots))
    check_room(people, slots)
    gone = not_released(data, people) if data is not None and looked == "Release" else 0
    return SchedulesQuestion(people, slots, rules, data if from_file else None, slot_columns is not None, gone)


def _headed(title: str) -> DeltaGenerator:
    """A row that begins with the box's title."""
    row = st.container(horizontal=True, vertical_alignment="center")
    row.markdown(f"**{title}**", width="content")
    return row


# ---- people ----------------------------------------------------------------------------------------------------------


def _ask_people(data: Dataset | None) -> tuple[bool, shared_controls.Version | None, AskPeople]:
    """Whether the people are those of the file, in which version of it they are counted (None where there is only
    one), and how to get them once the rules are known."""
    usable = data is not None and data.n_records > 0
    source = keep.segments(
        keep.per("schedules-people", usable), "Who is invited", [LOADED, MADE_UP], LOADED if usable else MADE_UP,
        place=_headed("People"), disabled=not usable, label_visibility="collapsed",
        help=None if usable else "Load a file on the Data page to invite its people.",
    )  # fmt: skip
    if source == LOADED and data is not None:
        return True, *_ask_known(data)
    size, kind, draw = st.columns([1.1, 1.6, 0.8])
    n = keep.number(
        "schedules-made-people", "People", 10, MOST_PEOPLE, 250, place=size, help="How many to make up."
    )  # fmt: skip
    generator = keep.select(
        "schedules-generator", "As in", list(GENERATORS), place=kind, format_func=GENERATORS.__getitem__,
        help=glossary.linked(
            "How the paper’s experiments make up people and slots: by its authors’ program, which Table 10 is of, or "
            "as its text says.",
            "slot",
        ),
    )  # fmt: skip
    seed = _ask_draw("schedules-seed", draw)
    programme = _programme(n=n, generator=generator, seed=seed)
    return False, None, lambda also: (made_up_people(programme.frequencies), programme)


def _ask_draw(name: str, place: DeltaGenerator) -> int:
    return keep.number(name, "Draw", 1, 10_000, 1, place=place, help="Another number, another draw.")


def _ask_known(data: Dataset) -> tuple[shared_controls.Version | None, AskPeople]:
    """Which version of the file is looked at, and what somebody may know of it."""
    recipe = view.now().recipe
    place, looked = st.container(), None
    if recipe.enabled:
        place, look_place = st.columns([1.3, 1], vertical_alignment="bottom", gap="small")
        looked = shared_controls.look_at(
            "schedules", True, place=look_place,
            help="What is known about people as the original file has it, or as the recipe releases it. Who is not in "
            "the release gets no appointment.",
        )  # fmt: skip
    is_release = looked == "Release"
    version = view.apply(recipe, data).released if is_release else data
    apart = {*data.identifiers, data.person_id, data.weight}
    offered = [name for name in data.columns if name in version.columns and name not in apart]
    quasi_identifiers = version.quasi_identifiers
    known = tuple(
        keep.several(
            keep.per("schedules-known", quasi_identifiers), "Known about them", offered, quasi_identifiers,
            place=place, format_func=printable, placeholder="Choose columns",
            help=glossary.linked(
                "What someone who meets a person at the centre may know. Begins with the quasi-identifiers.",
                "quasi-identifier",
            ),
        )
    )  # fmt: skip
    if is_release:
        return looked, lambda also: (
            people_released(version, data, known=known, also=also), None
        )  # fmt: skip
    return looked, lambda also: (_people(data, known=known, also=also), None)


@cache.remembered
def _people(data: Dataset, *, known: tuple[str, ...], also: tuple[str, ...]) -> Invitees:
    return people_of(data, known, also)


@cache.remembered
def _programme(*, n: int, generator: str, seed: int) -> RandomProgramme:
    rng = np.random.default_rng(seed)
    if generator == "program":
        return program_programme(n, rng)
    return text_programme(n, rng, q=n // 10 + 5 if generator == "many" else None)


def people_in_words(people: Invitees, looked: shared_controls.Version | None) -> str:
    """Who is invited, and in which version of the file they are counted where there are two."""
    counted = {
        None: "",
        "Original": " Counted on the original file, without the recipe.",
        "Release": " Counted as the recipe releases them.",
    }
    return (
        f"{words.count(people.n_people, 'people')} of {words.count(len(people.values), 'combinations')}; the smallest "
        f"has {people.base.k:,}.{counted[looked]}"
    )


# ---- slots -----------------------------------------------------------------------------------------------------------


def _ask_slots(from_file: bool) -> tuple[AskSlots, list[str] | None]:
    """How to get the slots once the people are known, and the columns a rule can look at (None: made-up slots)."""
    head = _headed("Slots")
    table = state.part(SlotTable).table
    sources = [FILE, MADE_UP] if from_file else [PAPER, MADE_UP, FILE]
    source = keep.segments(
        table_of_slots.source_setting(from_file, table is not None), "Where there is room", sources,
        MADE_UP if from_file and table is None else sources[0], place=head, label_visibility="collapsed",
    )  # fmt: skip
    if source == PAPER:
        return lambda people, programme: made_up_slots(programme.capacities), None  # type: ignore[union-attr]  # of made-up people
    if source == MADE_UP:
        mean_place, spare_place, seed_place = st.columns([1.2, 1.2, 0.8])
        mean = keep.slider(
            "schedules-mean", "Places a slot", 2, 60, 10, place=mean_place, help=glossary.linked(
                "On average; a fifth more or less.",
                "slot",
            )
        )  # fmt: skip
        spare = keep.slider(
            "schedules-spare", "To spare", 0, 50, 5, 1, "%d%%", place=spare_place,
            help="Places beyond one for each person.",
        )  # fmt: skip
        seed = _ask_draw("schedules-slot-seed", seed_place)
        return lambda people, _: made_up_slots(table_of_slots.made_up(people.n_people, mean, spare / 100, seed)), None
    with head.popover("Load", icon=":material/upload_file:"):
        table_of_slots.ask_file()
    if table is None:
        raise InputError(
            "No slots are loaded yet. Load a table of them under Slots, or have them made up.", code="slots-missing"
        )
    names = [str(name) for name in table.columns]
    suggested, setting = capacity_column(table), keep.per("schedules-capacity", names)
    keep.begin(setting, suggested if suggested in names else names[0])  # whatever a cell is changed to by hand
    capacity = keep.select(
        setting, "People a slot takes", names, format_func=printable, help=glossary.linked(
            "The column of capacities.",
            "slot",
        )
    )  # fmt: skip
    return lambda people, _: slots_of(table, capacity), [name for name in names if name != capacity]


def slots_in_words(people: Invitees, slots: Slots) -> str:
    """Where there is room, and how much of it stays empty."""
    places = int(slots.capacities.sum())
    return (
        f"{words.count(int((slots.capacities > 0).sum()), 'slots')} with {places:,} places: "
        f"{places - people.n_people:,} to spare."
    )

"""The Schedules page's controls: who is invited, and where there is room; the rules are beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.schedules import (
    Appointed,
    AppointmentColumns,
    AppointmentPart,
    Existing,
    Invitees,
    RandomProgramme,
    Slots,
    Zones,
    appointed,
    capacity_column,
    check_room,
    existing_in,
    made_up_people,
    made_up_slots,
    part_columns,
    people_of,
    program_programme,
    same_text,
    slots_as_they_are,
    slots_of,
    text_programme,
)
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.reading.records.names import unused_name
from pages.collect.schedules.controls import slots as table_of_slots
from pages.collect.schedules.controls.appointments import ask_appointments, ask_stays
from pages.collect.schedules.controls.rules import ask_rules
from pages.collect.schedules.controls.slots import AS_IT_IS, FILE, MADE_UP, PAPER
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


def without_persons(data: Dataset) -> Dataset:
    """The data in which each row stands for itself, and for nobody else."""
    return data.with_roles({name: role for name, role in data.roles.items() if name != data.person_id})


def not_released(data: Dataset, people: Invitees) -> int:
    """How many people of the file have no record in the release."""
    return _everyone(data) - people.n_people - people.left_out


@cache.remembered
def _everyone(data: Dataset) -> int:
    return data.with_missing("category").classes([]).n_records


NO_APPOINTMENTS = AppointmentColumns()
LOADED = "The loaded file"
GENERATORS = {
    "program": "the authors’ program",
    "text": "the paper’s text",
    "many": "the text, ten times the values",
}
MOST_PEOPLE = 1_000_000
AskPeople = Callable[[tuple[str, ...]], tuple[Invitees, RandomProgramme | None]]
"""The people, given the columns that rules look at; and what was drawn, where they are made up."""
AskSlots = Callable[[Invitees, RandomProgramme | None, Appointed | None], Slots]
"""The slots, given who is invited, what was drawn, and the appointments of the file."""


@dataclass(frozen=True, eq=False)
class AskedPeople:
    """Who is invited, as far as it is known before the rules are.

    ``looked``: in which version of the file they are counted, None where there is only one; ``appointments``: the
    columns of those that they have; ``by_rows``: whether each row is an appointment of its own, some have several.
    """

    from_file: bool
    looked: shared_controls.Version | None
    appointments: AppointmentColumns
    people: AskPeople
    by_rows: bool = False


@dataclass(frozen=True, eq=False)
class AskedSlots:
    """Where there is room, as far as it is known before the people are.

    ``columns``: those of the table, which a rule can look at, None for slots without any; ``parts``: which of them are
    centre, date and hour; ``stays``: those of them that people keep.
    """

    slots: AskSlots
    columns: list[str] | None
    parts: AppointmentColumns = NO_APPOINTMENTS
    stays: tuple[AppointmentPart, ...] = ()


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
        asked = _ask_people(data)
        about_people = st.empty()
    with where, st.container(border=True, height="stretch"):
        room = _ask_slots(asked.from_file, asked.appointments)
        about_slots = st.empty()
    own = asked.appointments.named
    rules = ask_rules(data if asked.from_file else None, room.columns or [])
    stays = room.stays
    of_rules = tuple(dict.fromkeys(name for rule in rules for name in rule.own))
    kept = tuple(dict.fromkeys((*of_rules, *(own[part] for part in stays))))
    people, programme = asked.people(tuple(dict.fromkeys((*kept, *own.values()))))
    appointments = None
    if own:
        people, appointments = _appointed(people, columns=asked.appointments, kept=kept)
    slots = room.slots(people, programme, appointments)
    existing = None
    if appointments is not None and room.parts.named:
        existing = existing_in(appointments, asked.appointments, slots, room.parts)
        slots = slots if existing is None else existing.slots
    zones = None
    if stays:
        zones = _zones(people, slots, asked.appointments, room.parts, stays)
    about_people.caption(people_in_words(people, asked.looked, asked.appointments, asked.by_rows))
    about_slots.caption(slots_in_words(people, slots) + _fitted(existing, appointments, room))
    if zones is not None:
        zones.check_room(people.frequencies, slots.capacities)
    check_room(people, slots)
    gone = 0
    if data is not None and asked.looked == "Release":
        gone = not_released(without_persons(data) if asked.by_rows else data, people)
    return SchedulesQuestion(
        people, slots, rules, data if asked.from_file else None, room.columns is not None, gone, existing, zones, stays,
        room.parts, asked.by_rows,
    )  # fmt: skip


@cache.remembered
def _appointed(people: Invitees, *, columns: AppointmentColumns, kept: tuple[str, ...]) -> tuple[Invitees, Appointed]:
    """The people and their appointments, once ``people`` are grouped by these too."""
    names = [*people.values.columns, *(name for name in kept if name not in people.values.columns)]
    return appointed(people, columns, names)


def _zones(
    people: Invitees, slots: Slots, own: AppointmentColumns, theirs: AppointmentColumns,
    stays: tuple[AppointmentPart, ...],
) -> Zones:  # fmt: skip
    """Who can go where, when these parts of the appointment stay."""
    groups, of_slots = zip(
        *(same_text(part, people.groups[own.named[part]], slots.table[theirs.named[part]]) for part in stays),
        strict=True,
    )
    return Zones.of(*([", ".join(cells) for cells in zip(*columns, strict=True)] for columns in (groups, of_slots)))


def _headed(title: str) -> DeltaGenerator:
    """A row that begins with the box's title."""
    row = st.container(horizontal=True, vertical_alignment="center")
    row.markdown(f"**{title}**", width="content")
    return row


# ---- people ----------------------------------------------------------------------------------------------------------


def _ask_people(data: Dataset | None) -> AskedPeople:
    """Who is invited, and how to get them once the rules are known."""
    usable = data is not None and data.n_records > 0
    head = _headed("People")
    source = keep.segments(
        keep.per("schedules-people", usable), "Who is invited", [LOADED, MADE_UP], LOADED if usable else MADE_UP,
        place=head, disabled=not usable, label_visibility="collapsed",
        help=None if usable else "Load a file on the Data page to invite its people.",
    )  # fmt: skip
    if source == LOADED and data is not None:
        return _ask_known(data, head)
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
    return AskedPeople(
        False, None, NO_APPOINTMENTS, lambda also: (made_up_people(programme.frequencies), programme)
    )  # fmt: skip


def _ask_draw(name: str, place: DeltaGenerator) -> int:
    return keep.number(name, "Draw", 1, 10_000, 1, place=place, help="Another number, another draw.")


def _ask_known(data: Dataset, head: DeltaGenerator) -> AskedPeople:
    """Which version of the file is looked at, what somebody may know of it, and which columns are appointments."""
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
    rows = without_persons(data) if data.has_several_rows else data
    appointments = ask_appointments(rows, [name for name in data.columns if name not in apart], head)
    apart |= set(appointments.named.values())
    if by_rows := bool(appointments.named) and data.has_several_rows:
        data, version = rows, without_persons(version)
    offered = [name for name in data.columns if name in version.columns and name not in apart]
    quasi_identifiers = [name for name in version.quasi_identifiers if name not in apart]
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
        return AskedPeople(
            True,
            looked,
            appointments,
            lambda also: (people_released(version, data, known=known, also=also), None),
            by_rows,
        )
    return AskedPeople(
        True, looked, appointments, lambda also: (_people(data, known=known, also=also), None), by_rows
    )  # fmt: skip


@cache.remembered
def _people(data: Dataset, *, known: tuple[str, ...], also: tuple[str, ...]) -> Invitees:
    return people_of(data, known, also)


@cache.remembered
def _programme(*, n: int, generator: str, seed: int) -> RandomProgramme:
    rng = np.random.default_rng(seed)
    if generator == "program":
        return program_programme(n, rng)
    return text_programme(n, rng, q=n // 10 + 5 if generator == "many" else None)


def people_in_words(
    people: Invitees,
    looked: shared_controls.Version | None,
    appointments: AppointmentColumns = NO_APPOINTMENTS,
    by_rows: bool = False,
) -> str:
    """Who is invited, and in which version of the file they are counted where there are two."""
    named = [plain(name, 30) for name in appointments.named.values()]
    theirs = f" Appointments: {words.listed(named)}." if named else ""
    theirs += " Some people have several: each row counts as a person." if by_rows else ""
    counted = {
        None: "",
        "Original": " Counted on the original file, without the recipe.",
        "Release": " Counted as the recipe releases them.",
    }
    return (
        f"{words.count(people.n_people, 'people')} of {words.count(len(people.values), 'combinations')}; the smallest "
        f"has {people.base.k:,}.{counted[looked]}{theirs}"
    )


# ---- slots -----------------------------------------------------------------------------------------------------------


def _ask_slots(from_file: bool, appointments: AppointmentColumns) -> AskedSlots:
    """Where there is room, and how to get the slots once the people are known."""
    head = _headed("Slots")
    table, has_appointments = state.part(SlotTable).table, bool(appointments.named)
    sources = [FILE, MADE_UP] if from_file else [PAPER, MADE_UP, FILE]
    sources = [AS_IT_IS, *sources] if has_appointments else sources
    begin = MADE_UP if from_file and table is None else FILE if from_file else PAPER
    source = keep.segments(
        table_of_slots.source_setting(from_file, table is not None, has_appointments), "Where there is room", sources,
        AS_IT_IS if has_appointments and table is None else begin, place=head, label_visibility="collapsed",
    )  # fmt: skip
    if source == AS_IT_IS:
        spare_place, stays_place = st.columns(2, gap="medium")
        spare_now = keep.slider(
            "schedules-spare-now", "To spare", 0, 50, 0, 1, "%d%%", place=spare_place,
            help=glossary.linked("Places of each slot beyond those that are taken now.", "slot"),
        )  # fmt: skip
        names = list(appointments.named.values())
        stays = ask_stays(list(appointments.named), appointments, stays_place)
        return AskedSlots(lambda _, __, now: _as_they_are(now, spare_now / 100), names, appointments, stays)
    if source == PAPER:
        return AskedSlots(
            lambda _, programme, __: made_up_slots(programme.capacities), None  # type: ignore[union-attr]  # of made-up people
        )  # fmt: skip
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
        return AskedSlots(
            lambda people, *_: made_up_slots(table_of_slots.made_up(people.n_people, mean, spare / 100, seed)), None,
        )  # fmt: skip
    with head.popover("Load", icon=":material/upload_file:"):
        table_of_slots.ask_file()
    if table is None:
        raise InputError(
            "No slots are loaded yet. Load a table of them under Slots, or have them made up.", code="slots-missing"
        )
    names = [str(name) for name in table.columns]
    suggested, setting = capacity_column(table), keep.per("schedules-capacity", names)
    keep.begin(setting, suggested if suggested in names else names[0])  # whatever a cell is changed to by hand
    parts = part_columns(appointments, _texts(table))
    may_stay = [part for part in appointments.named if part in parts.named]
    capacity_place, *beside = st.columns(2 if may_stay else 1, gap="medium")
    capacity = keep.select(
        setting, "People a slot takes", names, format_func=printable, place=capacity_place, help=glossary.linked(
            "The column of capacities.",
            "slot",
        )
    )  # fmt: skip
    parts = AppointmentColumns(**{part: name for part, name in parts.named.items() if name != capacity})
    return AskedSlots(
        lambda *_: slots_of(table, capacity), [name for name in names if name != capacity], parts,
        ask_stays([part for part in may_stay if part in parts.named], parts, *beside),
    )  # fmt: skip


def _texts(table: pd.DataFrame) -> pd.DataFrame:
    return table.astype(object).where(table.notna(), "").astype(str)


def _as_they_are(now: Appointed | None, spare: float) -> Slots:
    assert now is not None
    return slots_as_they_are(now, spare)


def _fitted(existing: Existing | None, appointments: Appointed | None, room: AskedSlots) -> str:
    """What was changed of the slots so that they hold the appointments, and why there are none to compare with."""
    if appointments is None or not room.parts.named:
        return ""
    if existing is None:
        return " The file’s appointments do not say which of these slots it is: there is no schedule to compare with."
    sentences = []
    if existing.raised:
        sentences.append(
            f" {words.count(existing.raised, 'slots')} had fewer places than people there: raised to that."
        )
    if existing.added:
        sentences.append(f" Added from the file: {words.count(existing.added, 'slots')} not in the table.")
    return "".join(sentences)


def slots_in_words(people: Invitees, slots: Slots) -> str:
    """Where there is room, and how much of it stays empty."""
    places = int(slots.capacities.sum())
    return (
        f"{words.count(int((slots.capacities > 0).sum()), 'slots')} with {places:,} places: "
        f"{places - people.n_people:,} to spare."
    )

"""What the officer asks on the Schedules page: who is invited, to which slots, by which rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.schedules import (
    MaxDistance,
    OriginMix,
    People,
    RandomProgramme,
    Rule,
    SameRegion,
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
from anonlib.values import to_numbers
from ui import cache, state
from ui.schedules import slots as table_of_slots
from ui.text import plain, printable

LOADED, MADE_UP, FILE, PAPER = "The loaded file", "Made up", "A table", "As in the paper"
GENERATORS = {
    "program": "the authors’ program",
    "text": "the paper’s text",
    "many": "the text, ten times the values",
}
MOST_PEOPLE = 1_000_000
_LATITUDE, _LONGITUDE = ("lat", "latitude", "y"), ("lon", "lng", "long", "longitude", "x")
_REGIONS = ("region", "municipality", "county", "district", "area", "province", "zip", "postcode")
_ORIGINS = ("born_in", "origin", "nationality", "country", "country_of_birth", "citizenship")


@dataclass(frozen=True)
class RuleSettings:
    """One rule as it was set: its kind, the columns it looks at and its numbers."""

    kind: str
    own: tuple[str, ...]
    theirs: tuple[str, ...] = ()
    numbers: tuple[str | float, ...] = ()

    def on(self, people: People, slots: Slots) -> Rule:
        """The rule of these people and slots."""
        if self.kind == "region":
            return SameRegion(people.groups[self.own[0]].tolist(), slots.table[self.theirs[0]].tolist())
        if self.kind == "distance":
            return MaxDistance(
                _coordinates(people.groups, self.own, "people"),
                _coordinates(slots.table, self.theirs, "slots"),
                float(self.numbers[0]),
            )
        home, share, least, of = self.numbers
        return OriginMix(
            people.groups[self.own[0]].tolist(), str(home), round(float(share) / 100, 6), int(least),
            "load" if of == "load" else "capacity",
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Asked:
    """Who is invited to what, by which rules.

    ``data`` is the file the people are of, None for made-up people; ``from_table``: the slots are those of the table.
    """

    people: People
    slots: Slots
    rules: tuple[RuleSettings, ...]
    data: Dataset | None
    from_table: bool

    @cached_property
    def key(self) -> str:
        return f"{self.people.key} {self.slots.key} {self.rules!r}"

    @property
    def without_rules(self) -> Asked:
        return Asked(self.people, self.slots, (), self.data, self.from_table)

    @cached_property
    def all_rules(self) -> tuple[Rule, ...]:
        return tuple(rule.on(self.people, self.slots) for rule in self.rules)


def ask(data: Dataset | None) -> Asked:
    """The controls: people and slots side by side, the rules in a row below."""
    who, where = st.columns(2, gap="small")
    with who, st.container(border=True, height="stretch"):
        from_file, ask_people = _ask_people(data)
        people_said = st.empty()
    with where, st.container(border=True, height="stretch"):
        ask_slots, slot_columns = _ask_slots(from_file)
        slots_said = st.empty()
    rules = _ask_rules(data if from_file else None, slot_columns or [])
    people, programme = ask_people(tuple(dict.fromkeys(name for rule in rules for name in rule.own)))
    slots = ask_slots(people, programme)
    for place, sentence in zip((people_said, slots_said), said_of(people, slots), strict=True):
        place.caption(sentence)
    check_room(people, slots)
    return Asked(people, slots, rules, data if from_file else None, slot_columns is not None)


# ---- people -------------------------------------------------------------------------------------------------------


def _headed(title: str) -> DeltaGenerator:
    """A row that begins with the box's title."""
    row = st.container(horizontal=True, vertical_alignment="center")
    row.markdown(f"**{title}**", width="content")
    return row


AskPeople = Callable[[tuple[str, ...]], tuple[People, RandomProgramme | None]]


def _ask_people(data: Dataset | None) -> tuple[bool, AskPeople]:
    """Whether the people are those of the file, and how to get them once the rules are known."""
    usable = data is not None and data.n_records > 0
    source = _headed("People").segmented_control(
        "Who is invited", [LOADED, MADE_UP], default=LOADED if usable else MADE_UP, required=True,
        key=state.kept(f"schedules-people-{usable}"), disabled=not usable, label_visibility="collapsed",
        help=None if usable else "Load a file on the Data page to invite its people.",
    )  # fmt: skip
    if source == LOADED and data is not None:
        apart = {*data.identifiers, data.person_id, data.weight}
        known = st.multiselect(
            "Known about them", [name for name in data.columns if name not in apart], data.quasi_identifiers,
            format_func=printable, key=state.kept(f"schedules-known-{hash(tuple(data.quasi_identifiers))}"),
            placeholder="Choose columns",
            help="What someone who meets a person at the centre may know. Begins with the quasi-identifiers.",
        )  # fmt: skip
        return True, lambda also: (cache.remember(_people, data, known=tuple(known), also=also), None)
    size, kind, draw = st.columns([1.1, 1.6, 0.8])
    n = size.number_input(
        "People", 10, MOST_PEOPLE, 250, key=state.kept("schedules-made-people"), help="How many to make up."
    )
    generator = kind.selectbox(
        "As in", list(GENERATORS), format_func=GENERATORS.__getitem__, key=state.kept("schedules-generator"),
        help="How the paper’s experiments make up people and slots: by its authors’ program, which Table 10 is of, or "
        "as its text says.",
    )  # fmt: skip
    seed = draw.number_input(
        "Draw", 1, 10_000, 1, key=state.kept("schedules-seed"), help="Another number, another draw."
    )
    programme = cache.remember(_programme, n=int(n), generator=str(generator), seed=int(seed))
    return False, lambda also: (made_up_people(programme.frequencies), programme)


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
    table, edits = table_of_slots.current(), state.session().slots_edits
    sources = [FILE, MADE_UP] if from_file else [PAPER, MADE_UP, FILE]
    begin = FILE if table is not None and (from_file or edits) else MADE_UP if from_file else PAPER
    source = head.segmented_control(
        "Where there is room", sources, default=begin, required=True, label_visibility="collapsed",
        key=state.kept(f"schedules-slots-{from_file}-{edits}"),  # a table that was put there is looked at
    )  # fmt: skip
    if source == PAPER:
        return lambda people, programme: made_up_slots(programme.capacities), None  # type: ignore[union-attr]
    if source == MADE_UP:
        mean_place, spare_place, seed_place = st.columns([1.2, 1.2, 0.8])
        mean = mean_place.slider(
            "Places a slot", 2, 60, 10, key=state.kept("schedules-mean"), help="On average; a fifth more or less."
        )
        spare = spare_place.slider(
            "To spare", 0, 50, 5, 1, "%d%%", key=state.kept("schedules-spare"),
            help="Places beyond one for each person.",
        )  # fmt: skip
        seed = seed_place.number_input(
            "Draw", 1, 10_000, 1, key=state.kept("schedules-slot-seed"), help="Another number, another draw."
        )
        return lambda people, _: made_up_slots(
            table_of_slots.made_up(people.n_people, mean, spare / 100, int(seed))
        ), None
    with head.popover("Load", icon=":material/upload_file:"):
        table_of_slots.ask_file()
    if table is None:
        raise InputError("No slots are loaded yet. Load a table of them under Slots, or have them made up.")
    names = [str(name) for name in table.columns]
    suggested = capacity_column(table)
    capacity = st.selectbox(
        "People a slot takes", names, names.index(suggested) if suggested in names else 0, format_func=printable,
        key=state.kept(f"schedules-capacity-{hash(tuple(names))}"), help="The column of capacities.",
    )  # fmt: skip
    return lambda people, _: slots_of(table, capacity), [name for name in names if name != capacity]


def said_of(people: People, slots: Slots) -> tuple[str, str]:
    """What is invited and where there is room, in a sentence each."""
    spare = int(slots.capacities.sum()) - people.n_people
    left_out = f" {people.left_out:,} lack a value and are left out." if people.left_out else ""
    return (
        f"{words.count(people.n_people, 'people')} of {words.count(len(people.values), 'combinations')}; the smallest "
        f"has {people.base.k:,}.{left_out}",
        f"{words.count(int((slots.capacities > 0).sum()), 'slots')} with {int(slots.capacities.sum()):,} places: "
        f"{spare:,} to spare.",
    )


# ---- rules --------------------------------------------------------------------------------------------------------


def _ask_rules(data: Dataset | None, slot_columns: list[str]) -> tuple[RuleSettings, ...]:
    """The paper's E1 and E2, all off at first: a column each, with what it looks at below when it is on."""
    columns = [] if data is None else [name for name in data.columns if name not in (data.person_id, data.weight)]
    no_people = "" if columns else "Made-up people live nowhere: invite the people of a file."
    if data is not None and not columns:
        no_people = "The file has no column that a rule could look at."
    no_place = no_people or ("" if slot_columns else "These slots are nowhere: load a table of them.")
    with st.container(border=True):
        title, region, far, mix = st.columns([0.4, 1.45, 1.45, 1.45], gap="medium")
        title.markdown("**Rules**")
        with region:
            rules = _ask_region(columns, slot_columns, no_place)
        with far:
            rules += _ask_distance(columns, slot_columns, no_place)
        with mix:
            rules += _ask_mix(data, columns, no_people)
    return rules


def _ask_region(columns: list[str], slot_columns: list[str], why_not: str) -> tuple[RuleSettings, ...]:
    head = st.container(horizontal=True, vertical_alignment="center")
    on = head.toggle(
        "Own region only", key=state.kept("schedules-region"), disabled=bool(why_not),
        help=why_not or "Nobody is sent to a slot of another region.",
    )  # fmt: skip
    if not on or why_not:
        return ()
    with head.popover("Columns"):
        own = _column(st, "Region of people", columns, _REGIONS, prefer=slot_columns)
        theirs = _column(st, "Region of slots", slot_columns, _REGIONS, prefer=columns)
    st.caption(f"{plain(own, 30)} of people, {plain(theirs, 30)} of slots")
    return (RuleSettings("region", (own,), (theirs,)),)


def _ask_distance(columns: list[str], slot_columns: list[str], why_not: str) -> tuple[RuleSettings, ...]:
    head = st.container(horizontal=True, vertical_alignment="center")
    on = head.toggle(
        "Not too far", key=state.kept("schedules-far"), disabled=bool(why_not),
        help=why_not or "Nobody is sent further than so many kilometres, as the crow flies.",
    )  # fmt: skip
    if not on or why_not:
        return ()
    with head.popover("Columns"):
        own, theirs = (
            tuple(
                _column(st, f"{which} of {whose}", names, usual)
                for which, usual in (("Latitude", _LATITUDE), ("Longitude", _LONGITUDE))
            )
            for whose, names in (("people", columns), ("slots", slot_columns))
        )
    most = st.slider("At most, km", 1, 200, 25, key=state.kept("schedules-km"), help="Along a great circle.")
    return (RuleSettings("distance", own, theirs, (float(most),)),)


def _ask_mix(data: Dataset | None, columns: list[str], why_not: str) -> tuple[RuleSettings, ...]:
    head = st.container(horizontal=True, vertical_alignment="center")
    on = head.toggle(
        "Mixed origins", key=state.kept("schedules-mix"), disabled=bool(why_not),
        help=why_not or "In each slot few people are of other origins, and of several, so that nobody finds only "
        "people of their own origin there, or is the only other one.",
    )  # fmt: skip
    if not on or why_not or data is None:
        return ()
    with head.popover("Columns"):
        origin = _column(st, "Origin of people", columns, _ORIGINS)
        home = st.selectbox(
            "Home", cache.remember(_most_frequent, data, column=origin), format_func=printable,
            key=state.kept(f"schedules-home-{hash(origin)}"),
            help="Everyone else is of another origin. Begins with the most frequent.",
        )  # fmt: skip
    share_place, least_place = st.columns([1.4, 1], vertical_alignment="bottom")
    share = share_place.slider(
        "Others at most", 1, 100, 15, 1, "%d%%", key=state.kept("schedules-share"), help="Of the people in a slot."
    )
    least = least_place.number_input(
        "Their origins", 1, 20, 3, key=state.kept("schedules-least"),
        help="At least so many different other origins in each slot that has people of any.",
    )  # fmt: skip
    return (RuleSettings("mix", (origin,), (), (home, float(share), float(least), "load")),)


def _most_frequent(data: Dataset, *, column: str) -> list[str]:
    """The values of a column as text, the most frequent first."""
    classes = data.classes([column])
    labels = classes.labels()[column].tolist()
    return [labels[position] for position in np.argsort(-classes.counts, kind="stable").tolist()]


def _column(place, label: str, columns: list[str], names: tuple[str, ...], prefer: list[str] | None = None) -> str:
    """A column for a rule to look at; begins with one of the usual names, first of those both tables have."""
    likely = [name for word in names for name in columns if word == name.casefold()]
    both = [name for name in likely if name in (prefer or [])]
    first = (both or likely or columns)[0]
    return place.selectbox(
        label, columns, columns.index(first), format_func=printable,
        key=state.kept(f"schedules-{label}-{hash(tuple(columns))}"),
    )  # fmt: skip


def _coordinates(table: pd.DataFrame, names: tuple[str, ...], of: str) -> pd.DataFrame:
    """Two columns of text as numbers. Raises InputError naming the column and the row that is none."""
    numbers = {}
    for name in names:
        numbers[name] = to_numbers(table[name].to_numpy())
        bad = np.flatnonzero(np.isnan(numbers[name]))
        if len(bad):
            raise InputError(
                f"The column “{name}” of the {of} holds something that is not a number"
                + (f" (row {bad[0] + 1}). " if of == "slots" else ". ")
                + "Choose the columns of latitude and longitude in degrees."
            )
    return pd.DataFrame({position: numbers[name] for position, name in enumerate(names)})


def described_rules(asked: Asked) -> str:
    """The rules in words."""
    said = []
    for rule in asked.rules:
        if rule.kind == "region":
            said.append("own region only")
        elif rule.kind == "distance":
            said.append(f"at most {rule.numbers[0]:g} km")
        else:
            home, share, least, _ = rule.numbers
            said.append(f"at most {share:g}% not of {plain(home, 30)}, of {int(least)} origins or more")  # type: ignore[call-overload]
    return "; ".join(said)

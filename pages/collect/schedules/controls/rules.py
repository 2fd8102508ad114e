"""The rules of a schedule as the officer sets them: the paper's E1 and E2."""

from __future__ import annotations

import numpy as np
import streamlit as st

from anonlib.dataset import Dataset
from pages.collect.schedules.results import RuleSettings
from ui.kit import glossary
from ui.server.private import DeltaGenerator
from ui.session import cache, keep
from ui.text import plain, printable

_LATITUDE, _LONGITUDE = ("lat", "latitude", "y"), ("lon", "lng", "long", "longitude", "x")
_REGIONS = ("region", "municipality", "county", "district", "area", "province", "zip", "postcode")
_ORIGINS = ("born_in", "origin", "nationality", "country", "country_of_birth", "citizenship")


def ask_rules(data: Dataset | None, slot_columns: list[str]) -> tuple[RuleSettings, ...]:
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


def _switch(title: str, key: str, help: str, why_not: str) -> DeltaGenerator | None:
    """The switch of a rule, and beside it, when it is on, where to choose the columns it looks at."""
    row = st.container(horizontal=True, vertical_alignment="center")
    on = keep.toggle(f"schedules-{key}", title, place=row, disabled=bool(why_not), help=why_not or help)
    return row.popover("Columns") if on and not why_not else None


def _ask_region(columns: list[str], slot_columns: list[str], why_not: str) -> tuple[RuleSettings, ...]:
    popover = _switch(
        "Own region only", "region", glossary.linked("Nobody is sent to a slot of another region.", "slot"), why_not
    )
    if popover is None:
        return ()
    with popover:
        own = _column("Region of people", columns, _REGIONS, prefer=slot_columns)
        theirs = _column("Region of slots", slot_columns, _REGIONS, prefer=columns)
    st.caption(f"{plain(own, 30)} of people, {plain(theirs, 30)} of slots")
    return (RuleSettings("region", (own,), (theirs,)),)


def _ask_distance(columns: list[str], slot_columns: list[str], why_not: str) -> tuple[RuleSettings, ...]:
    help = "Nobody is sent further than so many kilometres, as the crow flies."
    popover = _switch("Not too far", "far", help, why_not)
    if popover is None:
        return ()
    with popover:
        own, theirs = (
            tuple(
                _column(f"{which} of {whose}", names, usual)
                for which, usual in (("Latitude", _LATITUDE), ("Longitude", _LONGITUDE))
            )
            for whose, names in (("people", columns), ("slots", slot_columns))
        )
    most = keep.slider("schedules-km", "At most, km", 1, 200, 25, help="Along a great circle.")
    return (RuleSettings("distance", own, theirs, (float(most),)),)


def _ask_mix(data: Dataset | None, columns: list[str], why_not: str) -> tuple[RuleSettings, ...]:
    help = (
        "In each slot few people are of other origins, and of several, so that nobody finds only people of their own "
        "origin there, or is the only other one."
    )
    popover = _switch("Mixed origins", "mix", glossary.linked(help, "slot"), why_not)
    if popover is None or data is None:
        return ()
    with popover:
        origin = _column("Origin of people", columns, _ORIGINS)
        offered = _most_frequent(data, column=origin)
        home = ""
        if offered:
            home = keep.select(
                keep.per("schedules-home", origin), "Home", offered, format_func=printable,
                help="Everyone else is of another origin. Begins with the most frequent.",
            )  # fmt: skip
    share_place, least_place = st.columns([1.4, 1], vertical_alignment="bottom")
    share = keep.slider(
        "schedules-share", "Others at most", 1, 100, 15, 1, "%d%%", place=share_place,
        help=glossary.linked("Of the people in a slot.", "slot"),
    )  # fmt: skip
    least = keep.number(
        "schedules-least", "Their origins", 1, 20, 3, place=least_place,
        help=glossary.linked("At least so many different other origins in each slot that has people of any.", "slot"),
    )  # fmt: skip
    return (RuleSettings("mix", (origin,), (), (home, float(share), float(least), "load")),)


@cache.remembered
def _most_frequent(data: Dataset, *, column: str) -> list[str]:
    """The values of a column as text, the most frequent first."""
    classes = data.classes([column])
    labels = classes.labels()[column].tolist()
    return [labels[position] for position in np.argsort(-classes.counts, kind="stable").tolist()]


def _column(label: str, columns: list[str], names: tuple[str, ...], prefer: list[str] | None = None) -> str:
    """A column for a rule to look at; begins with one of the usual names, first of those both tables have."""
    likely = [name for word in names for name in columns if word == name.casefold()]
    both = [name for name in likely if name in (prefer or [])]
    return keep.select(
        f"schedules-{label}", label, columns, (both or likely or columns)[0], format_func=printable
    )  # fmt: skip


def described(rules: tuple[RuleSettings, ...]) -> str:
    """The rules in words."""
    sentences = []
    for rule in rules:
        if rule.kind == "region":
            sentences.append("own region only")
        elif rule.kind == "distance":
            sentences.append(f"at most {rule.numbers[0]:g} km")
        else:
            home, share, least, _ = rule.numbers
            sentences.append(f"at most {share:g}% not of {plain(home, 30)}, of {least:g} origins or more")
    return "; ".join(sentences)

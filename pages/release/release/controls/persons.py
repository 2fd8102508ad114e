"""The forms of steps that go through the rows of each person: so many rows at most, and dates that are moved."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.columns.in_order import columns_of_dates, columns_of_numbers
from anonlib.dataset import Dataset
from anonlib.release.steps import AtMostRows, ShiftDates, Step
from anonlib.release.steps.at_most_rows import Which
from anonlib.release.steps.of_persons import new_secret
from anonlib.release.steps.shift_dates import A_SEASON, HALF_A_YEAR, MOST_DAYS, As
from anonlib.values.dates import First, read_dates
from ui.kit import glossary, page
from ui.session import guard, keep, view
from ui.session.names import titled
from ui.text import printable

WHICH: dict[Which, str] = {"drawn": "drawn at random", "first": "the first", "last": "the last"}
LEAVE_AS: dict[As, str] = {
    "offset": "moved by one number of days a person", "since_first": "days since the first date of the person"
}  # fmt: skip
_DRAWN = "secret-of-persons"  # the setting with the secret that new steps of this session share


def ask_at_most_rows(current: Dataset, edited: AtMostRows | None, key: str, before: object) -> Step:
    """At most so many rows of each person. Raises InputError where no person has several rows."""
    data = _before_it(current, edited)
    if data.person_id is None:
        raise InputError(
            "No column says which rows are of one person. Give one the role “Person id” on the Data page, and rows can "
            "be limited to so many a person.",
            code="no-person-id",
        )
    if not data.has_several_rows:
        raise InputError("Each person has one row, so there are no rows to limit.", code="persons-have-one-row")
    tables = _tables_of_rows(data)
    table_place, n_place, which_place, by_place = st.columns(4) if tables else (None, *st.columns(3))
    table = ""
    if table_place is not None:
        begins = edited.table if edited is not None and edited.table in tables else tables[0]
        table = keep.select(
            f"{key}-rows-of", "Rows of", tables, begins, place=table_place, format_func=printable,
            help=glossary.linked(
                "The table whose rows are limited. What hangs below a row that is left out is left out with it.",
                "left out",
            ),
        )  # fmt: skip
    n = keep.number(
        f"{key}-most-rows", "Rows of a person, at most", 1, 10_000, 1 if edited is None else edited.n, place=n_place,
        help=glossary.linked(
            "The other rows of persons who have more are left out. The codebook names the limit.",
            "left out",
        ),
    )  # fmt: skip
    held = data.held
    in_order = [name for name in data.columns if name in {*columns_of_dates(held), *columns_of_numbers(held)}]
    in_order = [name for name in in_order if name != data.person_id]
    offered: list[Which] = [which for which in get_args(Which) if in_order or which == "drawn"]
    begin: Which = edited.which if edited is not None and edited.which in offered else "drawn"
    which = keep.select(
        f"{key}-which-rows", "Which stay", offered, begin, format_func=WHICH.__getitem__, place=which_place,
        help=glossary.linked(
            "By a date or a number. Of rows that are equal in it some are drawn; those without a value are left out "
            "before all others."
            if in_order
            else "No column is of dates or of numbers, so rows can only be drawn.",
            "left out",
        ),
    )  # fmt: skip
    by = ""
    if which != "drawn":
        chosen = (
            edited.by if edited is not None and edited.by in in_order else _first_by(in_order, columns_of_dates(held))
        )
        by = keep.select(f"{key}-rows-by", "By", in_order, chosen, format_func=titled, place=by_place)
    secret = edited.secret if edited is not None else _secret(AtMostRows)
    begins_with = _first_of_date(data, [by] if by else [], edited, key)
    step = AtMostRows(int(n), which, by, begins_with, secret, table=table)
    cut = step.persons_cut(data)
    have = "has" if cut == 1 else "have"
    st.markdown(f"{words.count(cut, 'persons')} {have} more rows." if cut else "No person has more rows than that.")
    return step


def _tables_of_rows(data: Dataset) -> list[str]:
    """Of several tables those in which a person may have several rows."""
    if data.tables is None:
        return []
    return [place.name for place in data.tables.files if place.name != data.tables.person_table]


def ask_shift_dates(current: Dataset, edited: ShiftDates | None, key: str, before: object) -> Step | None:
    """Dates of a person moved alike, or as days since the first; None while no column is chosen."""
    data = _before_it(current, edited)
    dated = [name for name in columns_of_dates(data.held) if name in data.columns and name != data.person_id]
    others = [] if edited is None else [name for name in edited.dates if name in data.columns and name not in dated]
    if not dated and not others:
        raise InputError("No column is of dates, so there are none to move.", code="no-dates")
    chosen = dated if edited is None else [name for name in edited.dates if name in data.columns]
    columns = keep.several(
        f"{key}-dates", "Columns of dates", [*dated, *others], chosen, format_func=titled,
        help="All that are of one person belong together: a date that stays as it is says by how much the others of "
        "that person are moved.",
    )  # fmt: skip
    ways: list[As] = list(get_args(As))
    begin_as = "offset" if edited is None else edited.as_
    as_ = keep.radio(f"{key}-dates-as", "They leave", ways, begin_as, format_func=LEAVE_AS.__getitem__)
    begins = _first_of_date(data, columns, edited, key)
    if as_ == "since_first":
        step = ShiftDates(tuple(columns), as_, dates_begin_with=begins) if columns else None
    else:
        step = _ask_offset(tuple(columns), edited, begins, key)
    if data.person_id is None:
        st.markdown("No column says whose rows these are: each row is moved by its own number of days.")
    if step is not None:
        st.markdown(" ".join(step.for_recipient))
        _show_others(data, step, edited)
    return step


def _show_others(data: Dataset, step: ShiftDates, edited: ShiftDates | None) -> None:
    """Dates that leave as they are beside those that are moved."""
    recipe = view.now().recipe
    others = (
        other_step for other_step in recipe.enabled if other_step.labels_by == "person" and other_step is not edited
    )
    moved = {*step.dates, *(name for other_step in others for name in other_step.recodes)}
    gone = {*recipe.dropped, *data.identifiers, data.person_id}
    stay = [name for name in columns_of_dates(data.held) if name in data.columns and name not in moved | gone]
    if stay:
        st.warning(
            f"{page.listed(stay)} {'leaves as it is' if len(stay) == 1 else 'leave as they are'}: a date that is near "
            "to another one of the same person says about how far that is moved.", icon=":material/warning:",
        )  # fmt: skip


def _ask_offset(columns: tuple[str, ...], edited: ShiftDates | None, begins: First, key: str) -> ShiftDates | None:
    most_place, weekday_place, season_place = st.columns(3, vertical_alignment="bottom")
    season = keep.toggle(
        f"{key}-keep-season", "Keep the season", edited is not None and edited.keep_season, place=season_place,
        help=f"Dates are moved by at most {A_SEASON} days.",
    )  # fmt: skip
    most = keep.number(
        f"{key}-most-days", "Days, at most", 1, MOST_DAYS, HALF_A_YEAR if edited is None else edited.most,
        place=most_place, disabled=season,
        help=glossary.linked(
            "Earlier or later, each number of days as likely. It is drawn once a person, from the person id and a "
            "secret that stays in the recipe: the same in each column, in other tables and in the next release.",
            "person id",
        ),
    )  # fmt: skip
    weekday = keep.toggle(
        f"{key}-keep-weekday", "Keep the weekday", edited is not None and edited.keep_weekday, place=weekday_place,
        help="Dates are moved by whole weeks.",
    )  # fmt: skip
    secret = keep.value(f"{key}-secret", edited.secret if edited is not None and edited.secret else _secret(ShiftDates))
    st.button(
        "Draw other days", key=f"{key}-draw-days", type="tertiary", icon=":material/casino:",
        on_click=guard.action(keep.put), args=(f"{key}-secret", new_secret()),
        help="For another recipient, who could else put this release beside an earlier one.",
    )  # fmt: skip
    return ShiftDates(columns, "offset", int(most), weekday, season, begins, secret) if columns else None


def _before_it(current: Dataset, edited: Step | None) -> Dataset:
    """The data as the step finds it: a new one comes first of all."""
    data = view.now().data
    return current if edited is not None or data is None else data


def _secret(kind: type[AtMostRows | ShiftDates]) -> str:
    """That of a step of its kind that is in the recipe, so that both fit each other, else one drawn in this session."""
    keep.begin(_DRAWN, new_secret())
    given = (step.secret for step in view.now().recipe.enabled if isinstance(step, kind) and step.secret)
    return next(given, keep.value(_DRAWN, ""))


def _first_by(in_order: list[str], dated: tuple[str, ...]) -> str:
    return next((name for name in in_order if name in dated), in_order[0])


def _first_of_date(data: Dataset, columns: list[str], edited: AtMostRows | ShiftDates | None, key: str) -> First:
    """What stands first in a date; asked where some column does not tell."""
    begin: First = "day" if edited is None else edited.dates_begin_with
    read = [read_dates(data.held.profile(name).texts, numbers=True) for name in columns]
    if not any(dates.order_is_open for dates in read):
        return begin
    return keep.segments(f"{key}-begins-with", "Dates begin with the", list(get_args(First)), begin)

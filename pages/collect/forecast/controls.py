"""The Forecast page's controls: how many come and how often, what is promised, and under “More” who they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from anonlib.analyses.forecast import DRAWS, PastPeriods, Period, Promise, fewer_levels
from anonlib.analyses.forecast import K as USUAL_K
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.columns.identifiers import kind_of_name
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.values.dates import dates_or_none
from pages.collect.forecast import results
from pages.collect.forecast.question import PERIODS, AskedForecast, ForecastQuestion
from ui.kit import glossary, page
from ui.session import cache, keep
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain

TABLE, FILE = "table", "file"
SOURCES = {TABLE: "Population table", FILE: "The file itself"}
NONE = "(none)"
MOST_PEOPLE, MOST_K, MOST_TOGETHER = 250_000, 1_000, 60
USUAL_PEOPLE = 1_000  # a period, where no date tells
MANY_DRAWS = [200, DRAWS, 5_000]
_MOST_DATES = 50_000  # values of a column that may be dates


def ask(data: Dataset, population: Dataset | None) -> AskedForecast | None:
    """What is asked, or the sentence why it cannot be: the settings can be mended."""
    try:
        asked = _ask(data, population)
        _check(asked)
        return asked
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


def _check(asked: AskedForecast) -> None:
    """Raises InputError where nobody can be drawn, or no policy can be stated."""
    results.futures(asked, results.FRESH)
    results.lattice(asked).losses  # noqa: B018  (counts the levels)
    _say_who(asked)


def _ask(data: Dataset, population: Dataset | None) -> AskedForecast:
    how_many, how_often, small, share, certain, more = page.beside(3, 3, 2, 3, 3, 2, gap="small", align="bottom")
    with more:
        popover = st.popover("More", width="stretch")
    period: Period = keep.select(
        "forecast-period", "In each", list(PERIODS), "week", place=how_often,
        help="How often a file leaves. Where a date leaves to the day, who knows it looks for somebody among the "
        "people of that day: then a period is a day.",
    )  # fmt: skip
    people = _ask_source(population, popover)
    dates = _ask_dates(data, popover)
    columns = _ask_columns(data, people, dates, popover)
    place = _ask_place(data, people, columns, popover)
    periods = None if dates is None else results.past(data, dates=dates, period=period, place=place)
    most = (data if people is None else people).classes([]).n_records
    number, varies = _ask_number(periods, period, most, how_many, popover)
    together = keep.number(
        "forecast-together", "Periods that count together", 1, MOST_TOGETHER, 1, place=popover,
        help="Among the people of how many periods in a row somebody is looked for: of those by whom a person is known "
        "to have come, or of all that have left so far (Brown et al. 2022: the lagging period).",
    )  # fmt: skip
    draws = keep.select(
        "forecast-draws", "Draws", MANY_DRAWS, DRAWS, format_func="{:,}".format, place=popover,
        help=glossary.linked(
            "How often it is drawn who comes. More draws say more exactly in how many of 100 a promise is kept.",
            "promise",
        ),
    )  # fmt: skip
    promise = _ask_promise(small, share, certain)
    chosen = dict(session().hierarchies)
    hierarchies = {name: results.hierarchy(data, people, chosen, name) for name in columns}
    looked_at = fewer_levels(hierarchies)
    aside = {
        name: n
        for name, hierarchy in hierarchies.items()
        if (n := len(hierarchy.recodings) - len(looked_at[name].recodings))
    }
    question = ForecastQuestion(
        tuple(columns), place, number, period, dates, varies, together, draws, promise, tuple(looked_at.items()),
        tuple(aside.items()),
    )  # fmt: skip
    return AskedForecast(question, data, people)


def _ask_promise(small: Any, share: Any, certain: Any) -> Promise:
    k = keep.number(
        "forecast-k", "k", 2, MOST_K, USUAL_K, place=small,
        help=glossary.linked(
            "A class of fewer people is small. 11 is the size that Brown et al. 2022 ask for.", "below k", "class"
        ),
    )  # fmt: skip
    most = keep.number(
        "forecast-most", f"At most below {k} (%)", 0.0, 100.0, 0.1, 0.1, format="%g", place=share,
        help=glossary.linked(
            "The largest share of a file’s people who may be in classes of fewer than k. Brown et al. 2022 ask for 1%.",
            "class", "k",
        ),
    )  # fmt: skip
    certainty = keep.number(
        "forecast-certainty", "In so many of 100 draws", 1.0, 100.0, 95.0, 0.5, format="%g", place=certain,
        help=glossary.linked(
            "In how many of 100 draws of the next people the promise must be kept: nobody knows who will come.",
            "promise",
        ),
    )  # fmt: skip
    return Promise(int(k), most / 100, certainty / 100)


def _ask_number(periods: PastPeriods | None, period: str, most: int, place: Any, popover: Any) -> tuple[int, bool]:
    """How many of so many come in a period, and whether each draw takes the numbers of a past one."""
    usual = USUAL_PEOPLE if periods is None else int(np.median(periods.people.numbers))
    usual = max(1, min(usual, most, MOST_PEOPLE))
    why_not = "" if periods is not None else "No column of dates is chosen: past numbers are not known."
    varies = keep.toggle(
        "forecast-varies", "Vary as in the past", False, place=popover, disabled=bool(why_not),
        help=why_not or "Each draw takes the numbers of one past period, all of them as likely.",
    ) and not why_not  # fmt: skip
    number = keep.number(
        keep.per("forecast-number", usual), "New people", 1, MOST_PEOPLE, usual, place=place,
        disabled=varies,
        help=f"As many as in past {period}s: change it under More." if varies
        else "How many people a file brings that no earlier one has. Begins with the median of the past where a "
        "column of dates is chosen (More).",
    )  # fmt: skip
    return int(number), varies


def _ask_source(population: Dataset | None, popover: Any) -> Dataset | None:
    offered = [FILE] if population is None else [TABLE, FILE]
    chosen = keep.segments(
        "forecast-source", "People are drawn from", offered, format_func=SOURCES.__getitem__, place=popover,
        help=glossary.linked(
            "The **population table**: everybody who may come. **The file itself**: those who came. Load a table under "
            "**People drawn** below.",
            "population table",
        ),
    )  # fmt: skip
    return population if chosen == TABLE else None


def _ask_dates(data: Dataset, popover: Any) -> str | None:
    offered = _date_columns(data)
    chosen = keep.select(
        keep.per("forecast-dates", offered), "Date by which past periods are counted", [NONE, *offered],
        (offered or (NONE,))[0], format_func=titled, place=popover,
        help="When a record came. It is not one of the columns counted: what is known of it is how many periods count "
        "together.",
    )  # fmt: skip
    return None if chosen == NONE else chosen


@cache.remembered
def _date_columns(data: Dataset) -> tuple[str, ...]:
    """The columns that are dates of events; those named as such first."""
    apart = {*data.identifiers, data.person_id, data.weight}
    named: list[str] = []
    others: list[str] = []
    for name in data.columns:
        kind = kind_of_name(name)
        if name in apart or (kind is not None and kind.key == "birth_date"):
            continue
        says = kind is not None and kind.group == "date"
        if data.frame is None and not says:  # reading each column of a database takes long
            continue
        values = data.held.values(name)
        if len(values) <= _MOST_DATES and dates_or_none(values, numbers=says) is not None:
            (named if says else others).append(name)
    return (*named, *others)


def _ask_columns(data: Dataset, people: Dataset | None, dates: str | None, popover: Any) -> list[str]:
    offered = data.quasi_identifiers if people is None else [n for n in data.quasi_identifiers if n in people.columns]
    begin = [name for name in offered if name != dates]
    columns = keep.several(
        keep.per("forecast-columns", offered, begin), "Quasi-identifiers that are counted", offered, begin,
        format_func=titled, place=popover,
        help=glossary.linked(
            "What an attacker knows, and each file releases. Their levels are those of the Generalize page.",
            "quasi-identifier", "hierarchy",
        ),
    )  # fmt: skip
    if not columns and people is not None and not offered:
        raise InputError(
            "None of the population table’s columns is known to be a quasi-identifier. Pair its columns under “People "
            "drawn”, or draw from the file itself (More).",
            code="population-lacks-columns",
        )
    if not columns:
        raise InputError("Choose at least one quasi-identifier that is counted (More).", code="choice-missing")
    return columns


def _ask_place(data: Dataset, people: Dataset | None, columns: list[str], popover: Any) -> str | None:
    offered = [name for name in data.quasi_identifiers if people is None or name in people.columns]
    chosen = keep.select(
        keep.per("forecast-place", offered), "Each place has its own share", [NONE, *offered], NONE,
        format_func=titled, place=popover,
        help="People come from each place as often as in the file, or in its past periods, and are drawn within it. "
        "(none): from everywhere alike.",
    )  # fmt: skip
    return None if chosen == NONE else chosen


def _of_the_past(asked: AskedForecast) -> list[str]:
    question = asked.question
    if question.dates is None:
        return []
    periods = results.past(asked.data, dates=question.dates, period=question.period, place=question.place)
    if periods is None:
        return []
    numbers = periods.people.numbers
    past = words.count(len(numbers), f"past {question.period}s").capitalize()
    sentences = [
        f"{past} by {page.listed([question.dates])}: {int(numbers.min()):,} to {int(numbers.max()):,} people, "
        f"{int(np.median(numbers)):,} at the median."
    ]
    if periods.uncounted:
        are = "is" if periods.uncounted == 1 else "are"
        sentences.append(
            f"{words.count(periods.uncounted, asked.data.unit)} {are} in none: without a date that can be read, or of "
            "several places."
        )
    return sentences


def _say_who(asked: AskedForecast) -> None:
    """Whom the draws are of, how many came in the past, and what is not counted."""
    question, data = asked.question, asked.data
    people = words.count(results.cells(asked).n_records, "people" if asked.population is not None else data.unit)
    whose = f"the {people} of the population table" if asked.population is not None else f"the {people} of the file"
    sentences = [f"Drawn without replacement from {whose}, by {page.listed(question.columns)}."]
    sentences += _of_the_past(asked)
    if parted := results.parted(asked):
        sentences.append(f"{words.count(parted, 'persons')} whose rows differ in a column are not drawn.")
    aside = [name for name in data.quasi_identifiers if name not in question.columns and name != question.dates]
    if asked.population is None:
        sentences.append(
            "A combination of values that nobody in the file has cannot come: a population table says more."
        )
    if question.levels_aside:
        of_columns = ", ".join(f"{plain(name)} {n}" for name, n in question.levels_aside)
        sentences.append(
            f"So that there are not too many policies, levels in between are not looked at ({of_columns}): count fewer "
            "columns (More), or give them fewer levels on the Generalize page, to choose which."
        )
    st.caption(" ".join(sentences))
    if aside:
        lacks = [name for name in aside if name not in asked.source.columns]
        why = f" The population table has no {page.listed(lacks)}." if lacks else ""
        are = "is" if len(aside) == 1 else "are"
        st.warning(
            f"{page.listed(aside)} {are} known to an attacker and not counted here: what leaves of "
            f"{'it' if len(aside) == 1 else 'them'} makes classes smaller.{why}",
            icon=":material/warning:",
        )  # fmt: skip
    if data.columns_with(Role.WEIGHT) and asked.population is None:
        st.caption("Each record stands for as many people as its weight says.")

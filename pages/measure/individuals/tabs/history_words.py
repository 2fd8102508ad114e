"""A person's history in words: what the first visits leave, which tell most, and what becomes certain."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from anonlib.analyses.individuals.history import History, SureOf, Telling
from anonlib.basics import words
from anonlib.values.cells import MISSING_LABEL
from pages.measure.individuals.question import Question
from pages.measure.individuals.tabs.history_person import Person, least_shown
from ui.kit import page
from ui.text import plain, printable

_IN_WORDS = 4  # visits that the first sentence goes through


def _number(persons: int, k: int, noun: str = "") -> str:
    text = f"**{words.count(persons, noun)}**"
    return f":red[{text}]" if persons < k else text


def left(found: History, k: int) -> str:
    """``Somebody who knows the first visit finds 312 persons; with the second 14; with the third 1.``"""
    left = [visit.left for visit in found.visits]
    parts = [f"Somebody who knows the first visit finds {_number(left[0], k, 'persons')}"]
    n_needed = left.index(left[-1]) + 1  # further ones tell no more
    parts += [f"with the {_in_order(i)} {_number(left[i], k)}" for i in range(1, min(n_needed, _IN_WORDS))]
    if n_needed > _IN_WORDS:
        parts.append(f"with the first {n_needed:,} {_number(left[-1], k)}")
    no_fewer = ", and further ones leave no fewer" if n_needed < len(left) else ""
    return "; ".join(parts) + f"{no_fewer}."


def _in_order(place: int) -> str:
    return ("first", "second", "third", "fourth")[place] if place < 4 else words.ordinal(place + 1)


def show(question: Question, person: Person, reveal: bool, k: int) -> None:
    found = person.found
    n_visits = len(found.visits)
    st.subheader(f"One of {words.count(found.n_persons, 'persons')}, {words.count(n_visits, 'visits')}", anchor=False)
    if n_visits == 1:
        st.markdown("This person has one visit: there is no history to know.")
    else:
        st.markdown(_most_telling_in_words(found, k))
    all_of_them = (
        "it and that it is the only one" if n_visits == 1 else f"all {n_visits:,} and that there are no others"
    )
    st.markdown(f"Somebody who knows {all_of_them} finds {_number(found.all_rows, k, 'persons')}.")
    _certain_in_words(question, person, reveal)


def _most_telling_in_words(found: History, k: int) -> str:
    sizes = {visit.sharing for visit in found.visits}
    if len(sizes) == 1:
        lines = [f"- Each visit by itself: {_number(sizes.pop(), k, 'persons')} with one like it."]
    else:
        lines = [_line(found.telling[0], "visit", k)]
    for number, what in ((2, "two"), (3, "three")):
        telling = found.most_telling(number) if number < len(found.visits) else None
        if telling is not None and telling.number == number:
            lines.append(_line(telling, what, k))
    return "\n".join(lines)


def _line(telling: Telling, what: str, k: int) -> str:
    """Of so many visits those that tell most, as a line of a list."""
    which = words.listed([words.ordinal(place + 1) for place in telling.visits], most=3)
    has, reveal = "has" if telling.persons == 1 else "have", "reveals" if telling.number == 1 else "reveal"
    them = "a row like it" if telling.number == 1 else "rows like them"
    return f"- The {what} that {reveal} most: the {which}. {_number(telling.persons or 0, k, 'persons')} {has} {them}."


def _certain_in_words(question: Question, person: Person, reveal: bool) -> None:
    found = person.found
    columns = [sure.column for sure in found.certain]
    if not columns:
        of = [name for name in person.data.sensitive if name in question.variables and name not in found.known]
        if of:
            st.markdown(f"No value of {page.listed(of)} becomes certain, with all visits known.")
        return
    for column in columns:
        since = next((i for i, visit in enumerate(found.visits) if _of(visit.certain, column)), None)
        sure = _of(found.certain if since is None else found.visits[since].certain, column)
        by_one = _alone_in_words([i for i, visit in enumerate(found.visits) if _of(visit.certain_alone, column)], found)
        values = _values_in_words(person, sure) if reveal else ""
        st.markdown(f"{page.listed([column])} is **certain** {_since_in_words(since)}{values}.{by_one}")


def _alone_in_words(visits: Sequence[int], found: History) -> str:
    """Which visits are enough by themselves."""
    if not visits or len(found.visits) == 1:
        return ""
    if len(visits) == len(found.visits):
        return " Each visit by itself is enough."
    if len(visits) > 3:
        return f" {len(visits):,} of the visits are enough by themselves."
    listed = words.listed([words.ordinal(place + 1) for place in visits])
    return (
        f" By itself {'the' if len(visits) == 1 else 'each of the'} {listed} {'visit ' * (len(visits) == 1)}is enough."
    )


def _since_in_words(visit: int | None) -> str:
    """From when on a value is certain: from a visit, or from all rows with their number."""
    if visit is None:
        return "once the number of rows is known too"
    return "with the first visit known" if visit == 0 else f"once the {_in_order(visit)} visit is known too"


def _of(certain: Sequence[SureOf], column: str) -> SureOf | None:
    return next((sure for sure in certain if sure.column == column), None)


def _values_in_words(person: Person, sure: SureOf | None) -> str:
    if sure is None:
        return ""
    values: list[str | None] = list(sure.values)
    if person.invented is not None:
        if sure.column not in person.invented.shown:
            return ""
        values = [person.invented.shown[sure.column][value] for value in values]
    return f": {words.listed([plain(printable(MISSING_LABEL if v is None else v), 60) for v in values])}"


def undated(times: Sequence[float | None] | None) -> str:
    missing = 0 if times is None else sum(time is None for time in times)
    return f" {words.count(missing, 'visits')} without a time come last and are not drawn." if missing else ""


def about_made_up(person: Person) -> str:
    if person.invented is None:
        return ""
    return (
        f" **Made up**: times and values are drawn from what {least_shown()} persons or more have in the column, "
        "without regard to the person’s own; equal ones stay equal, and so does their order. The counts are the file’s."
    )


def timeline(found: History, k: int, is_made_up: bool) -> str:
    below = sum(visit.sharing < k for visit in found.visits)
    return (
        f"Time line of {words.count(len(found.visits), 'visits')} of one person"
        f"{', with made-up values' if is_made_up else ''}; {below:,} of them shared by fewer than {k}, drawn red."
    )


def steps(found: History) -> str:
    left = [f"{visit.left:,} with {i} known" for i, visit in enumerate(found.visits[:5], start=1)]
    more = "" if len(found.visits) <= 5 else f", {found.visits[-1].left:,} with all {len(found.visits):,}"
    return (
        f"Steps that descend from {words.count(found.n_persons, 'persons')}: left are {', '.join(left)}{more}; "
        f"{found.all_rows:,} when the number of rows is known too."
    )

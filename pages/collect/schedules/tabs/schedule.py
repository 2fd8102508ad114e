"""The views under the picture: methods side by side, the schedule as a grid, invitations, slots."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.schedules import Schedule, invited_to, not_invited, with_distinct_names
from anonlib.basics import words
from anonlib.plots import schedules as plots
from anonlib.release.export import table_csv
from pages.collect.schedules import results
from pages.collect.schedules.controls.rules import described
from pages.collect.schedules.controls.settings import without_persons
from pages.collect.schedules.results import EXISTING, RANDOM, SchedulesAnswer, SchedulesQuestion
from pages.collect.schedules.tabs import another_slot
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import keep
from ui.text import printable

GRID_VALUES, GRID_SLOTS = 30, 40  # rows and columns of the grid
SHOWN_ROWS = 200


def status(schedule: Schedule) -> str:
    """What is proven about a schedule, in a few words."""
    if schedule.proven:
        return "proven: none is better"
    if schedule.bound is None:
        of_method = {"random": "by chance", "existing": "as it is in the file", "few_moves": "few people moved"}
        return of_method.get(schedule.method, "a rule of thumb")
    bound = schedule.bound
    how_good = "best found"
    if schedule.ended_early:
        how_good += ", ended early: another machine may find another"
    if bound.k > schedule.k:
        return f"{how_good}; k can be at most {bound.k:,}"
    if not schedule.certified_prefix:
        return how_good
    return f"{how_good}, proven for classes of up to {schedule.certified_prefix:,}"


def shown_gain(gain: float | None) -> float:
    """An improvement in percent, as a table shows it."""
    return np.nan if gain is None else float(f"{100 * gain:.3g}")


def _proven(schedule: Schedule) -> str:
    """The same in a word or two, for the table."""
    if schedule.proven or schedule.bound is None:
        return "yes" if schedule.proven else ""
    return f"to size {schedule.certified_prefix:,}" if schedule.certified_prefix else "no"


def comparison(answer: SchedulesAnswer, k: int) -> pd.DataFrame:
    """One row a method, beginning with the people as they are without appointments."""
    base, rows = answer.base, []
    of_title = {answer.title(name): name for name in answer.schedules}
    for title, vector in answer.vectors().items():
        name = of_title.get(title, title)
        schedule = answer.schedules.get(name)
        row: dict[str, object] = {
            "Schedule": title,
            "Vector": vector.printed(),
            "k": vector.k,
            f"People below {k}": vector.people_below(k),
            "Alone": vector.people_below(2),
            "Classes": int(vector.classes.sum()),
            "Index, log10": round(results.log10_index(vector), 2),
        }
        for over, column in _compared_with(answer).items():
            is_compared = schedule is not None and name != over
            gain = results.improved(vector, answer.schedules[over].vector, base) if is_compared else None
            row[column] = shown_gain(gain)
        if answer.question.existing is not None:
            row["People who move"] = None if schedule is None else answer.people_moved(name)
        if answer.question.rules:
            against = None if schedule is None else answer.people_against_rules(name)
            row["Rules kept"] = "" if schedule is None else "yes" if answer.keeps_rules(name) else "no"
            row["People against the rules"] = against
        row["Proven"] = "" if schedule is None else _proven(schedule)
        rows.append(row)
    frame = pd.DataFrame(rows)
    if "People who move" in frame:
        frame["People who move"] = frame["People who move"].astype("Int64")
    if answer.question.rules:
        frame["People against the rules"] = frame["People against the rules"].astype("Int64")
    return frame


def _compared_with(answer: SchedulesAnswer) -> dict[str, str]:
    """By the schedule that others are compared with, the column of how much better they are."""
    columns = {} if answer.question.existing is None else {EXISTING: "Better than as it is, %"}
    return {**columns, RANDOM: "Better than random, %"}


def mark(answer: SchedulesAnswer, name: str) -> None:
    """Above what is made of a schedule that breaks the rules: that it does."""
    if not answer.keeps_rules(name):
        st.warning(f"**{answer.title(name)}:** {against_rules(answer, name)}.", icon=":material/rule:")


def against_rules(answer: SchedulesAnswer, name: str) -> str:
    """Which rules a schedule does not look at, and for how many people it breaks them."""
    against = answer.people_against_rules(name)
    whom = f", and breaks them for {words.count(against, 'people')}" if against else ""
    return f"this schedule does not look at the rules ({described(answer.question.rules)}){whom}"


def _file_name(answer: SchedulesAnswer, name: str, stem: str) -> str:
    return f"{stem}.csv" if answer.keeps_rules(name) else f"{stem}_rules_not_kept.csv"


def waits() -> None:
    """A view that has nothing to show yet."""
    st.markdown("Nothing to show yet: the sentence above says what is missing.")


def show_comparison(answer: SchedulesAnswer, name: str, k: int) -> None:
    """The methods side by side, with the cost of the rules in anonymity."""
    frame = comparison(answer, k)
    improvement = (
        "The paper’s improvement: of the vectors worse than that without appointments, the share that lies between "
        "{} and this schedule. It is no share of people."
    )
    page.table(
        frame, "The schedules side by side",
        help={
            "k": glossary.linked(
                "The smallest class of people who share what is known about them and their slot.",
                "k", "slot",
            ),
            f"People below {k}": glossary.linked("People in classes smaller than the k of the Risk page.", "k"),
            "Alone": glossary.linked(
                "People whom this gives away: nobody else shares what is known about them and their slot.",
                "alone", "slot",
            ),
            "Proven": glossary.linked(
                "Yes: no schedule is better. To size 7: none has fewer classes of one, of two … of seven.",
                "proven", "class",
            ),
            "Classes": glossary.linked("Combinations of what is known and slot that somebody has.", "class", "slot"),
            "Index, log10": glossary.linked(
                "Decimal logarithm of how many anonymity vectors of as many people are worse.",
                "anonymity vector",
            ),
            "Vector": glossary.linked("How many classes have one person, two, three and so on.", "anonymity vector"),
            "Better than random, %": improvement.format("random invitations"),
            "Better than as it is, %": improvement.format("the appointments of the file"),
            "People who move": "People who get another appointment than the one in the file.",
            "People against the rules": "People whom this schedule sends where the rules do not allow.",
        },
    )  # fmt: skip
    if results.RULED in answer.schedules:
        ruled, free = answer.schedules[results.RULED], answer.schedules[results.OPTIMAL]
        more = ruled.vector.people_below(k) - free.vector.people_below(k)
        cost = results.improved(free.vector, ruled.vector, answer.base)
        st.markdown(
            f"**What the rules cost:** k {words.change(f'{free.k:,}', f'{ruled.k:,}')}, "
            f"{words.count(max(0, more), 'people')} more below {k}"
            + ("." if cost is None else f", {words.percent(max(0.0, cost))} of the base in index.")
        )
    page.counts(
        "Index: how many anonymity vectors of as many people are worse. Better than: the difference of two "
        f"indices as a share of the index {answer.without.lower()} (Caballero et al. 2017, section 5.3). It weighs the "
        "smallest classes most, and only compares schedules of the same people."
    )
    _show_programmes(answer, name)


def _show_programmes(answer: SchedulesAnswer, name: str) -> None:
    """Where each date, say, is a programme of its own: the improvement of each, as Table 11 has it."""
    question = answer.question
    if question.zones is None or question.existing is None or name == EXISTING:
        return
    stays = words.listed(question.stays)
    if not keep.toggle(
        "schedules-programmes", f"The improvement by {stays}, as in Table 11",
        help="Counted for each by itself: seconds where they are many.",
    ):  # fmt: skip
        return
    gains = results.improvements_by_zone(results.ScheduleTaken(question, answer.schedules[name]))
    st.markdown(
        f"**{answer.title(name)}, over as it is:** {results.signed(float(gains.min()))} at least, "
        f"{results.signed(float(gains.max()))} at most, {results.signed(float(gains.mean()))} on average, of "
        f"{words.count(len(gains), 'programmes')}, one for each {stays}."
    )


def show_grid(answer: SchedulesAnswer, name: str, k: int) -> None:
    """The schedule as slots by combinations: all of it where it is small, else where the risk is highest."""
    mark(answer, name)
    schedule, people, slots = answer.schedules[name], answer.question.people, answer.question.slots
    matrix = schedule.assignment.tocoo()
    if not matrix.nnz:
        return
    rows, columns = _at_highest_risk(matrix.row, matrix.data, GRID_VALUES), None
    kept = np.isin(matrix.row, rows)
    columns = _at_highest_risk(matrix.col[kept], matrix.data[kept], GRID_SLOTS)
    shown = schedule.assignment[rows][:, columns].toarray()
    labels = [", ".join(row) for row in people.values.iloc[rows].itertuples(index=False)]
    below = int((matrix.data < k).sum())
    page.figure(
        partial(plots.grid, shown, labels, [slots.short_labels[column] for column in columns], k),
        f"Grid of how many people of {words.count(len(rows), 'combinations')} go to "
        f"{words.count(len(columns), 'slots')} by the schedule {answer.title(name)}. "
        f"{words.count(below, 'cells')} of all {matrix.nnz:,} hold fewer than {k}.",
        f"schedules-grid-{name}",
    )  # fmt: skip
    whole = len(rows) == len(people.values) and len(columns) == int((slots.capacities > 0).sum())
    page.counts(
        "People of each combination (row) in each slot (column); red is below k. "
        + ("" if whole else f"Shown are the {len(rows)} combinations and {len(columns)} slots with the smallest cells.")
    )
    page.download(
        "Whole grid (CSV)", lambda: table_csv(_grid_table(answer, name)), _file_name(answer, name, "schedule_grid"),
        "schedules-grid-csv", holds=Holds.INSIDE,
        help="A row a combination and slot: how many people.",
    )  # fmt: skip


def _at_highest_risk(positions: np.ndarray, sizes: np.ndarray, most: int) -> np.ndarray:
    """The positions with the smallest cells, in their own order."""
    order = positions[np.argsort(sizes, kind="stable")]
    return np.sort(pd.unique(order)[:most])


def _grid_table(answer: SchedulesAnswer, name: str) -> pd.DataFrame:
    cells = answer.schedules[name].assignment.tocoo()
    people = answer.question.people.values.iloc[cells.row].reset_index(drop=True)
    slots = answer.question.slots.table.iloc[cells.col].reset_index(drop=True)
    table = pd.concat([people, with_distinct_names(slots, [*people.columns, "people_here"])], axis=1)
    return pd.concat([table, with_distinct_names(pd.DataFrame({"people_here": cells.data}), table.columns)], axis=1)


def invitations(answer: SchedulesAnswer, name: str) -> pd.DataFrame:
    """One row a person: their cells in the file and their slot; who of a group gets which slot is drawn by lot."""
    question = answer.question
    records = None if question.data is None else question.data.frame
    slot = another_slot.slot_of_person(answer, name)
    return invited_to(question.slots.table.iloc[slot].reset_index(drop=True), question.people, records)


def show_invitations(answer: SchedulesAnswer, name: str) -> None:
    """Who is invited when and where."""
    mark(answer, name)
    frame, existing = invitations(answer, name), answer.question.existing
    whose = f"Only the {words.count(answer.people_moved(name), 'people')} whose appointment changes"
    if existing is not None and name != EXISTING and keep.toggle("schedules-only-moved", whose):
        frame = frame[another_slot.slot_of_person(answer, name) != existing.slot_of_person]
    shown = frame.head(SHOWN_ROWS).astype(object)
    shown.columns = pd.Index([printable(column) for column in shown.columns])
    page.table(shown, "Each person’s appointment", height=page.table_height(len(shown), 420))
    which = f"The first {SHOWN_ROWS:,} of {len(frame):,} people. " if len(frame) > SHOWN_ROWS else ""
    by_lot = f"{which}Who of a combination gets which of its slots is drawn by lot in each session"
    by_lot += ". " if existing is None else ", and who can keep theirs does. "
    if answer.moved:
        by_lot += f"{words.count(answer.moved, 'people')} have the slot that was chosen under “Another slot”. "
    if answer.question.is_elsewhere:
        page.counts(
            f"{by_lot}The rows stay in the database: this list has as many people of each combination as it has, and "
            "the sender of the invitations gives each slot to one of them."
        )
    else:
        page.counts(
            f"{by_lot}This is the list for sending invitations, with the columns of the original file: it names people "
            "and is no release."
        )
    taken = answer.keeps_rules(name) or keep.toggle(
        keep.per("schedules-take-anyway", answer.question.key, name),
        "Take these invitations although they break the rules",
    )
    page.download(
        "Invitations (CSV)", partial(table_csv, frame), _file_name(answer, name, "invitations"),
        "schedules-invitations", holds=Holds.INSIDE, help="All columns of the file and the slot of each person.",
        why_not="" if taken else "These invitations break the rules: say above that they are to be taken all the same, "
        "change the rules, or take a schedule that keeps them.",
    )  # fmt: skip
    show_not_invited(answer)


def show_not_invited(answer: SchedulesAnswer) -> None:
    """Who of the file gets no invitation, to be invited in another way."""
    question = answer.question
    missing = question.not_released + question.people.left_out
    if missing and question.data is not None and not question.is_elsewhere:
        page.download(
            f"Not invited: {words.count(missing, 'people')} (CSV)",
            partial(_not_invited, question), "not_invited.csv", "schedules-not-invited", holds=Holds.INSIDE,
            help="All columns of the file, of the people without an appointment.",
        )  # fmt: skip


def _not_invited(question: SchedulesQuestion) -> bytes:
    assert question.data is not None
    data = without_persons(question.data) if question.by_rows else question.data
    return table_csv(not_invited(data, question.people))


def show_slots(answer: SchedulesAnswer, name: str) -> None:
    """How full each slot is."""
    mark(answer, name)
    schedule, slots = answer.schedules[name], answer.question.slots
    load = np.asarray(schedule.assignment.sum(axis=0)).ravel()
    smallest = np.zeros(len(load), np.int64)
    cells = schedule.assignment.tocoo()
    largest_first = np.argsort(-cells.data, kind="stable")
    smallest[cells.col[largest_first]] = cells.data[largest_first]
    figures = pd.DataFrame({"Places": slots.capacities, "Invited": load, "Smallest class": smallest})
    table = slots.table.rename(columns=printable)
    frame = pd.concat([with_distinct_names(table, figures.columns), figures], axis=1)
    page.table(frame, "How many are invited to each slot", height=page.table_height(len(frame), 420))
    page.counts(
        f"{words.count(int((load == 0).sum()), 'slots')} stay empty, and "
        f"{int((slots.capacities - load)[load > 0].sum()):,} places in the others. Filling slots unevenly is what "
        "keeps classes large."
    )

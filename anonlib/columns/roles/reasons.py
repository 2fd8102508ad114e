"""The sentences that more than one rule gives as a reason. They give counts and shares, never a value."""

from __future__ import annotations

from anonlib.basics import words
from anonlib.columns.identifiers import Kind
from anonlib.columns.roles.columns import Column
from anonlib.values.dates import NumberedDays

NOTHING_TELLS = "Neither the name nor the values tell what this is: could somebody outside know it?"
ONLY_YOU = "Only you can say whether somebody outside could know it."
AREAS = "If these are codes of areas, family, neighbours and address lists tell where somebody lives."
SURVEY_WEIGHT = "Anybody who has another copy of this survey finds a record by it: round it, or drop it."
COUNT_OR_SURVEY = (
    "Does each row stand for so many persons of this file? In a survey a row is one person: choose Neither."
)
BODY_OR_SURVEY = (
    "Are these weights of bodies? If they are of a survey, anybody who has another copy of it finds a record by them: "
    "round them, or drop them."
)
ONE_MORE = "Somebody outside often knows this as well, though other such columns come before it."

MAY_BE_AGES = "By their range the values may be ages: could somebody outside know them?"
MAY_BE_PLACES = "The values may be codes of countries or States: could somebody outside know them?"
MAY_BE_WEIGHTS = (
    "The values are 1 on average and spread around it, as the weights of a survey do. Anybody who has another copy of "
    "the survey finds a record by them: round them, or drop them."
)
IN_RUNS = "Rows of the same value follow one another, as rows of one household or person do."
RUNS = "If each value stands for one person, choose the role Person id; the number of a household identifies as well."


def may_be_dates(form: str) -> str:
    """Of numbers that may be dates by their range, where neither the name nor other dates say so."""
    return f"By their range the values may be dates, as {form}: could somebody outside know such a date?"


def copies(column: str) -> str:
    """Of a column that tells another one of every record."""
    return f"Anybody who knows “{column}” knows this too."


_KINDS_LISTED = 3  # of identifiers inside texts: a reason must fit beside its column
TO_RELEASE = "To release it, give it the role Sensitive and redact it."


def says(column: Column, kind: Kind, but: str = "") -> str:
    """What the column's name says, or what it is called in words; ``but`` ends the sentence."""
    return f"{'Its description' if column.title else 'The name'} points to {kind.label}{but}."


def looks(column: Column) -> str:
    """What the values look like; they must look like something."""
    seen = column.evidence
    assert seen.kind is not None
    if seen.direct:
        like = f"look like direct identifiers, such as {seen.kind.label}"
    elif seen.kind.key == "age":
        like = "look like ranges of ages"
    elif seen.kind.group in ("demographic", "stay") and seen.numbers is None and seen.kind.key != "event_time":
        like = f"are words for {seen.kind.label}"
    else:
        like = f"look like {'dates' if seen.kind.group == 'date' else seen.kind.label}"
    looked_at = words.count(seen.looked_at, "distinct values")
    notes = "" if seen.dates is None else seen.dates.notes()
    return f"The values {like} ({words.percent(seen.share)} of {looked_at} looked at). {notes}".rstrip()


def looks_numbered(numbered: NumberedDays, beside: str = "") -> str:
    """That numbers are dates, by the column's name or by dates in the column ``beside``."""
    as_well = f", and as such lie in the years of “{beside}”" if beside else ""
    return f"The values look like dates, as {numbered.form}{as_well}."


def codes(column: Column) -> str:
    """Which system's codes the values are; there must be one."""
    assert column.system is not None
    looked_at, label = column.evidence.looked_at, column.system.label
    if looked_at < column.distinct:
        return f"{words.percent(column.of_system / looked_at)} of {looked_at:,} values looked at are {label}."
    which = "All" if column.of_system == looked_at else f"{column.of_system:,} of"
    return f"{which} {words.count(looked_at, 'values')} are {label}."


def distinct(column: Column) -> str:
    """How many values there are, in how many records."""
    values, records = words.count(column.distinct, "distinct values"), words.count(column.present, "records")
    if not column.exact:
        return f"It has about {values} in {records}."
    if column.repeats_little:
        repeat = "No value repeats" if column.distinct == column.present else "Few values repeat"
        return f"{repeat}: {values} in {records}."
    return f"It has {values} in {records}."


def stray(column: Column) -> tuple[str, ...]:
    """A warning of direct identifiers among other values, if there are any."""
    seen = column.evidence
    if seen.direct_kind is None:
        return ()
    share = words.percent(seen.direct_share)
    return (f"But {share} of the values look like direct identifiers, such as {seen.direct_kind.label}: check them.",)


def embedded(column: Column) -> tuple[str, ...]:
    """What was found inside texts, in numbers; nothing of a column of other things."""
    inside = column.evidence.inside
    return () if inside is None else (inside.describe(_KINDS_LISTED),)


def to_release(column: Column) -> tuple[str, ...]:
    """How a column of texts that is suggested as an identifier can be released all the same."""
    return () if column.evidence.inside is None else (TO_RELEASE,)

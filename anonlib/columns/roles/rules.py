"""The rules that give a column a role, each column by itself.

First comes what values say of a column whose name says nothing, where only the officer can tell whether that is so.
Then come the rules by identifiers among the values, by names, and by content.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from anonlib.basics import words
from anonlib.columns.codes import SYSTEMS
from anonlib.columns.identifiers import KINDS, Kind, name_tokens, names_share_or_score
from anonlib.columns.roles.columns import (
    AREAS,
    BODY_OR_SURVEY,
    COUNT_OR_SURVEY,
    IN_RUNS,
    MAY_BE_AGES,
    MAY_BE_PLACES,
    MAY_BE_WEIGHTS,
    NOTHING_TELLS,
    RUNS,
    SURVEY_WEIGHT,
    Column,
    Draft,
    codes,
    distinct,
    embedded,
    looks,
    looks_numbered,
    may_be_dates,
    says,
    stray,
    to_release,
)
from anonlib.columns.roles.known_outside import asked_of, stated_of
from anonlib.columns.roles.role import Role
from anonlib.reading.records import FrameRecords, Records
from anonlib.values.cells import are_ranges

_TWO_LETTERS = re.compile("[A-Z]{2}")
_FEWEST_PLACES = 3
_YOUNGEST, _FIRST_OF_ALL, _OLDEST, _OF_A_SCALE = (
    40,
    55,
    112,
    100,
)  # ages: the lowest, the highest from and to, a score's
_FEWEST_AGES, _WITHOUT_GAPS = 25, 0.75  # different ages, and their share of those between lowest and highest
_FIRST_YEAR, _LAST_YEAR, _YEARS_OF_BIRTH = 1900, 2035, 50
_AROUND_ONE, _LARGEST_WEIGHT, _SPREAD = (0.93, 1.07), 50.0, (0.1, 3.0)  # of weights that keep the number of records
_IN_RUNS = (0.1, 0.95)  # different values to a record, of a column of households
_FEWEST_IN_RUNS = 20


def by_values(column: Column) -> Draft | None:
    """A draft that asks, for what the values may be by themselves: ages, years, countries, weights of a survey."""
    looks: tuple[Callable[[Column], Draft | None], ...] = (_countries, _years_in, _ages, _weights)
    return next((drafted for rule in looks if (drafted := rule(column)) is not None), None)


def _countries(column: Column) -> Draft | None:
    """Codes of two letters, of countries or of States: some are both."""
    codes = column.few
    if len(codes) < _FEWEST_PLACES or not all(map(_TWO_LETTERS.fullmatch, codes)):
        return None
    for system in SYSTEMS.values():
        if system.kind in ("nationality", "region") and system.fits(sorted(codes)).all():
            return Draft(Role.QUASI_IDENTIFIER, KINDS[system.kind], (MAY_BE_PLACES, distinct(column)), MAY_BE_PLACES)
    return None


def _years_in(column: Column) -> Draft | None:
    numbers = column.evidence.numbers
    if numbers is None or not column.evidence.whole or column.near_unique:
        return None
    if numbers[0] < _FIRST_YEAR or numbers[-1] > _LAST_YEAR:
        return None
    kind = KINDS["birth_date" if numbers[-1] - numbers[0] >= _YEARS_OF_BIRTH else "event_date"]
    return Draft(Role.QUASI_IDENTIFIER, kind, (distinct(column),), may_be_dates("years"))


def _ages(column: Column) -> Draft | None:
    """Whole numbers without many gaps, from a young age to an old one; a scale to 100 is none."""
    numbers = column.evidence.numbers
    if numbers is None or not column.evidence.whole or column.near_unique or not 0 <= numbers[0] <= _YOUNGEST:
        return None
    if names_share_or_score(column.spread.column):
        return None
    if not _FIRST_OF_ALL <= numbers[-1] <= _OLDEST or numbers[-1] == _OF_A_SCALE or len(numbers) < _FEWEST_AGES:
        return None
    if len(numbers) < _WITHOUT_GAPS * (numbers[-1] - numbers[0] + 1):
        return None
    return Draft(Role.QUASI_IDENTIFIER, KINDS["age"], (distinct(column),), MAY_BE_AGES)


def _weights(column: Column) -> Draft | None:
    """Numbers that are 1 on average and spread around it, as weights that keep the number of records do."""
    numbers = column.evidence.numbers
    if numbers is None or column.evidence.whole or numbers[0] <= 0 or numbers[-1] > _LARGEST_WEIGHT:
        return None
    mean, spread = float(numbers.mean()), float(numbers.std())
    if not _AROUND_ONE[0] <= mean <= _AROUND_ONE[1] or not _SPREAD[0] <= spread <= _SPREAD[1]:
        return None
    return Draft(Role.OTHER, KINDS["survey_weight"], (distinct(column),), MAY_BE_WEIGHTS)


def in_runs(drafted: Draft, column: Column, records: Records) -> Draft:
    """The draft, or that the values may number households or persons, since equal ones follow one another."""
    share = column.unique_share
    if drafted.role is not Role.OTHER or column.named is not None or not isinstance(records, FrameRecords):
        return drafted
    if not _IN_RUNS[0] <= share <= _IN_RUNS[1] or column.distinct < _FEWEST_IN_RUNS or column.present < column.records:
        return drafted
    if column.evidence.numbers is not None and not column.evidence.whole:
        return drafted
    codes = np.asarray(records.frame[column.spread.column].array.codes)
    if int((codes[1:] != codes[:-1]).sum()) + 1 != column.distinct:
        return drafted
    return Draft(Role.IDENTIFIER, KINDS["person"], (IN_RUNS, distinct(column)), RUNS)


_FEW_VALUES = 10
_NEVER_LEAVE = ("identifier", "person", "text")
_ONLY_A_DATE = frozenset("date dates dt datetime timestamp time datum daten fecha data dato day".split())
_PLAIN = ("demographic", "place", "stay")  # words and codes of which the name says all
_BIRTH_YEARS = 50  # dates that spread over so many years are birth dates rather than events
_MANY_AREAS, _AREAS_SEPARATE = 50, 0.95  # values, and share of pairs of records, from which codes may be of areas
_TOP_AGE = 90  # 45 CFR 164.514(b)(2)(i)(C): ages over 89 in one group
_HEAVIEST = 220  # kilograms: whole numbers above may be pounds, or weights of a survey
_LEAST_METRES = 1000  # projected coordinates are in metres and far larger than degrees
_ROLE_OF_SHAPE = {
    "name": Role.IDENTIFIER,
    "coordinates": Role.PLACE,
    "area": Role.PLACE,
    "diagnosis": Role.SENSITIVE,
    "treatment": Role.SENSITIVE,
    "medication": Role.SENSITIVE,
    "result": Role.SENSITIVE,
    "insurance": Role.SENSITIVE,
    "disposition": Role.SENSITIVE,
}


def draft(column: Column) -> Draft:
    """A role for one column: by direct identifiers among its values, else by its name, else by its content."""
    drafted = _draft(column)
    if column.system is None or codes(column) in drafted.reasons or _is_plain(column):
        return drafted
    first, *others = drafted.reasons
    return replace(drafted, reasons=(first, codes(column), *others))


def _is_plain(column: Column) -> bool:
    """Whether a name says the same as its system, and no value is a stranger to it."""
    named, system = column.named, column.system
    same = named is not None and system is not None and named.key == system.kind and named.group in _PLAIN
    return same and column.of_system == column.evidence.looked_at


def _draft(column: Column) -> Draft:
    seen, named = column.evidence, column.named
    if column.present == 0:
        return _other("The column is empty." if column.records else "The file has no records.")
    if column.identifies and (named is None or named.group not in _NEVER_LEAVE):
        return Draft(Role.IDENTIFIER, KINDS["identifier"], ("The dictionary says that it identifies persons.",))
    if seen.direct and (named is None or named.group != "person"):
        if named is not None and named.group == "identifier":
            return Draft(Role.IDENTIFIER, named, (says(column, named), looks(column)))
        return Draft(Role.IDENTIFIER, seen.kind, (looks(column),))
    if named is not None and named.group not in (*_NEVER_LEAVE, "date") and seen.dates and seen.dates.share > 0:
        return _dates(column, says(column, named, ", but the values are dates"), looks(column))
    by_codes = _by_codes(column) if named is None or named.group == "code" else None
    if by_codes is not None:
        return by_codes
    drafted = _by_name(column, named) if named is not None else None
    if drafted is not None:
        return drafted
    if column.constant:
        return _other("All values are the same, so that they tell nobody apart.")
    return _by_content(column)


def _by_codes(column: Column) -> Draft | None:
    """A role from the system whose codes the values are, where they differ and it is known what such codes tell."""
    kind = None if column.system is None else KINDS.get(column.system.kind)
    if kind is None or column.constant:
        return None
    role = _ROLE_OF_SHAPE.get(kind.key, Role.QUASI_IDENTIFIER)
    return Draft(role, None if role is Role.SENSITIVE else kind, (codes(column), *stated_of(kind)), asked_of(kind))


def _other(*reasons: str, question: str = "", has_own_reason: bool = False) -> Draft:
    return Draft(Role.OTHER, None, reasons, question, has_own_reason)


def _by_name(column: Column, named: Kind) -> Draft | None:
    """A role from what the name says, or None when the values do not bear it out and must speak themselves."""
    if named.group in _NEVER_LEAVE:
        return _identifier(column, named)
    if named.group == "code":
        return _code(column, named)
    if named.group == "sensitive":
        return _sensitive(column, named)
    if column.constant:
        return None
    if named.group in ("count", "weight"):
        return _weight(column, named)
    if named.group == "fieldwork":
        return _fieldwork(column, named)
    if named.group == "place":
        return _place(column, named)
    return _demographic(column, named)


def _identifier(column: Column, named: Kind) -> Draft | None:
    if column.evidence.numbers is not None and not column.evidence.whole:
        return None  # amounts, whatever a part of the name says
    few = 1 < column.distinct <= _FEW_VALUES and column.present >= 5 * column.distinct
    if column.evidence.yes_no or (few and named.group != "person"):
        values = words.count(column.distinct, "distinct values")
        return _other(says(column, named, f", but with only {values} it is an answer or a category, not an identifier"))
    if named.group == "person" and 1 < column.distinct < column.present:
        average = column.present / column.distinct
        times = f"{average:,.0f}" if average >= 100 else f"{average:.3g}"
        return Draft(Role.PERSON_ID, named, (says(column, named, f", and each occurs in {times} records on average"),))
    unique = (distinct(column),) if column.repeats_little and not column.evidence.long_text else ()
    return Draft(Role.IDENTIFIER, named, (says(column, named), *unique, *embedded(column), *to_release(column)))


def _code(column: Column, named: Kind) -> Draft | None:
    if column.evidence.numbers is not None and not column.evidence.whole:
        return None
    if column.repeats_little:
        return Draft(Role.IDENTIFIER, named, (says(column, named), distinct(column)))
    if column.unique_share > 0.1:
        person = "If each stands for one person, choose the role Person id."
        return Draft(Role.IDENTIFIER, named, (says(column, named), distinct(column), person))
    return _area(column) or _other(
        says(column, named, ", but the values repeat often, as codes of a list do"), distinct(column)
    )


def _sensitive(column: Column, named: Kind) -> Draft:
    seen = column.evidence
    if seen.kind is not None and seen.kind.group == "date":
        return _dates(column, says(column, named, ", but the values are dates, which someone outside may know"))
    if seen.numbers is None and seen.id_like and column.near_unique and column.system is None:
        kind = KINDS["health_plan" if named.key == "insurance" else "identifier"]
        reason = says(column, named, ", but the values share one pattern, as record numbers do")
        return Draft(Role.IDENTIFIER, kind, (reason, distinct(column)))
    if column.constant:
        same = "All records share one value, so that being in the file gives it away."
        return Draft(Role.SENSITIVE, None, (says(column, named, ", which a person may want to keep private"), same))
    text = ("Long texts may name people, places and dates: read some before release.",) if seen.long_text else ()
    private = says(column, named, ", which a person may want to keep private")
    return Draft(Role.SENSITIVE, None, (private, *stated_of(named), *text, *embedded(column)), asked_of(named))


def _place(column: Column, named: Kind) -> Draft | None:
    numbers = column.evidence.numbers
    if named.key in ("postcode", "city"):
        return Draft(Role.QUASI_IDENTIFIER, named, (says(column, named, ", which someone outside may know"),))
    if named.key in ("latitude", "longitude"):
        limit = 90 if named.key == "latitude" else 180
        if numbers is None or limit < np.abs(numbers).max() < _LEAST_METRES:
            return None
        return Draft(Role.PLACE, named, (says(column, named, ", and the values are in the range of coordinates"),))
    if named.key == "area" and numbers is not None and not column.evidence.whole:
        return None  # an extent, not a code
    return Draft(Role.PLACE, named, (says(column, named, ", which tell where a person lives or was seen"),))


def _demographic(column: Column, named: Kind) -> Draft:
    """Demographic columns, dates and stays: quasi-identifiers, with what Safe Harbor says to ages and years."""
    seen = column.evidence
    kind, more = named, ""
    if named.key == "age":
        over, unread = _ages_over_89(column), _ages_unread(column)
        kind, more = (named if over else replace(named, hipaa=None)), " ".join(filter(None, (over, unread)))
    elif named.group == "date" and seen.whole and seen.numbers is not None and _are_years(seen.numbers):
        more = "The values are years, which Safe Harbor allows unless they show an age over 89."
        kind = replace(named, hipaa=None)
    elif named.group == "date" and seen.kind is not None and seen.kind.group == "date":
        if named.key != "birth_date" and _are_of_births(column):
            return _dates(column, looks(column))
        more = looks(column)
    elif named.group == "date" and seen.numbered is not None:
        more = looks_numbered(seen.numbered)
    reasons = (says(column, named, ", which someone outside may know"), *([more] if more else []))
    return Draft(Role.QUASI_IDENTIFIER, kind, reasons, asked_of(kind))


def _ages_over_89(column: Column) -> str:
    """What Safe Harbor says to the ages over 89 in a column; empty if there are none, or all are one group."""
    ages = column.ages
    if ages is None or ages.in_one_group(_TOP_AGE):
        return ""
    over = ages.reaching(_TOP_AGE)
    n_over = int(over.sum())
    if (ages.low != ages.high)[ages.is_read].any():
        reach = "1 range of ages reaches" if n_over == 1 else f"{n_over} different ages and ranges of them reach"
        return f"{reach} over 89, which Safe Harbor asks to group as 90 or older."
    if n_over == 1:
        return "Safe Harbor allows its one age over 89 if that stands for all ages from 90 on."
    return f"{n_over} different ages over 89 occur, which Safe Harbor asks to group as 90 or older."


def _ages_unread(column: Column) -> str:
    """How many values of a column of ages nobody here can read as one; empty where there is none."""
    n_unread = 0 if column.ages is None else int(column.ages.unread.sum())
    return f"{words.count(n_unread, 'different values')} cannot be read as ages." if n_unread else ""


def _are_years(numbers: np.ndarray) -> bool:
    return bool(numbers[0] >= 1850 and numbers[-1] <= 2100)


def _fieldwork(column: Column, named: Kind) -> Draft | None:
    """Other, with a reason of its own, unless its values are numbers or texts of single rows."""
    if column.repeats_little or column.evidence.long_text:
        return None
    reason = says(column, named, ", which is about the survey or the extract and not about a person")
    return _other(reason, distinct(column), has_own_reason=True)


def _weight(column: Column, named: Kind) -> Draft | None:
    """Weight for rows that stand for several persons; body weights and survey weights are none."""
    numbers = column.evidence.numbers
    if named.key == "survey_weight":
        as_one_person = "Each row is one person and counts as one: the role Weight is for tables of counts."
        survey = says(column, named, ", which project a survey to a population")
        return _other(survey, as_one_person, distinct(column), question=SURVEY_WEIGHT, has_own_reason=True)
    if named.key == "weight" and column.evidence.ranges is not None and are_ranges(column.evidence.ranges):
        reason = "By name the values are ranges of body weights, not numbers of persons."
        return Draft(Role.QUASI_IDENTIFIER, KINDS["body"], (reason,))
    if numbers is None or numbers[0] < 0 or column.distinct < 2:
        return None
    if named.key == "weight" and 30 <= np.median(numbers) <= 250 and numbers[-1] <= 700:
        reason = "By name and range the values are body weights, not numbers of persons."
        question = BODY_OR_SURVEY if column.evidence.whole and numbers[-1] > _HEAVIEST else ""
        return Draft(Role.QUASI_IDENTIFIER, KINDS["body"], (reason,), question)
    if not column.evidence.whole or (named.key == "weight" and numbers[-1] > 250):
        return _other(says(column, named, ", but the values do not look like numbers of persons"))
    reasons = (
        says(column, named, ", and the values are whole numbers"),
        "Each row is taken to stand for that many persons.",
    )
    return Draft(Role.WEIGHT, None, reasons, COUNT_OR_SURVEY if column.near_unique else "")


def _by_content(column: Column) -> Draft:
    """A role for a column whose name says nothing."""
    seen = column.evidence
    is_other = column.named is not None and seen.kind is not None and seen.kind.key == "age"  # a count, by its name
    if seen.kind is not None and not is_other and (seen.kind.key != "name" or column.unique_share > 0.5):
        return _by_shape(column, seen.kind)
    if seen.long_text and column.distinct > _FEW_VALUES:
        holds_identifiers = bool(seen.inside and seen.inside.kinds)
        text = () if holds_identifiers else ("Long texts may name people, places and dates: remove or review them.",)
        return Draft(Role.IDENTIFIER, KINDS["note"], (*text, *embedded(column), *to_release(column)))
    drafted = _area(column) or by_values(column)
    if drafted is not None:
        return drafted
    if not column.near_unique:
        return _other(distinct(column), *stray(column), question=NOTHING_TELLS)
    if seen.numbers is None or seen.id_like:
        return Draft(Role.IDENTIFIER, KINDS["identifier"], (distinct(column), *stray(column)))
    what = "whole numbers without the pattern of an id" if seen.whole else "measurements"
    return _other(f"The values look like {what}.", distinct(column), *stray(column), question=NOTHING_TELLS)


def _area(column: Column) -> Draft | None:
    """A place, for codes of many values that repeat and tell nearly all pairs of records apart; else None."""
    spread = column.spread
    if not column.evidence.area_like or column.near_unique:
        return None
    if column.evidence.numbered is not None and column.evidence.numbered.whole_minutes:
        return None
    if column.distinct < _MANY_AREAS or spread.separation < _AREAS_SEPARATE:
        return None
    reason = (
        f"The values share one pattern, as codes of small areas do, and tell {words.percent(spread.separation)} of the "
        "pairs of records apart: someone outside may know where a person lives."
    )
    return Draft(Role.PLACE, KINDS["area"], (reason, distinct(column)), AREAS)


def _dates(column: Column, *reasons: str) -> Draft:
    """Dates that no name tells of: of births where they spread over so many years, else of events."""
    if _are_of_births(column):
        first, last = _years(column)
        spread = f"They spread over {last - first} years, as birth dates do."
        return Draft(Role.QUASI_IDENTIFIER, KINDS["birth_date"], (*reasons, spread))
    return Draft(Role.QUASI_IDENTIFIER, KINDS["event_date"], reasons, asked_of(KINDS["event_date"]))


def _are_of_births(column: Column) -> bool:
    """By their range: days without a time, over so many years, under a name that says no more than that."""
    named, dates = column.named, column.evidence.dates
    says_more = named is not None and not _ONLY_A_DATE.issuperset(name_tokens(column.spread.column))
    first, last = _years(column)
    return not says_more and dates is not None and not dates.has_times and last - first >= _BIRTH_YEARS


def _years(column: Column) -> tuple[int, int]:
    """First and last year of its dates; twice 0 where there are none."""
    dates = column.evidence.dates
    return (dates.years if dates is not None else None) or (0, 0)


def _by_shape(column: Column, kind: Kind) -> Draft:
    """A role from a shape that the values have and that is no direct identifier's."""
    if kind.group == "date":
        return _dates(column, looks(column))
    if kind.key == "age":
        more = _ages_over_89(column)
        ages = kind if more else replace(kind, hipaa=None)
        return Draft(Role.QUASI_IDENTIFIER, ages, (looks(column), *([more] if more else [])))
    role = _ROLE_OF_SHAPE.get(kind.key, Role.QUASI_IDENTIFIER)
    return Draft(role, None if role is Role.SENSITIVE else kind, (looks(column),), asked_of(kind))

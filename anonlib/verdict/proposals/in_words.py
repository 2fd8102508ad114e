"""What a search says: how sure its answer is, and why nothing was found."""

from __future__ import annotations

from anonlib.analyses.generalization.search import Conflict, LeastChange, NothingFound, PersonProblem, Problem
from anonlib.basics import words
from anonlib.basics.thresholds import most_left_out
from anonlib.counting.privacy_models import ALL, AverageRiskLimit, KAnonymity, PrivacyModel
from anonlib.verdict.proposals.adviser import Adviser

_MOST_NAMED = 5  # numbers of rows


def how_sure(found: LeastChange) -> str:
    """What is known of a least change, in a sentence.

    Parameters
    ----------
    found : LeastChange
        What the search found.

    Returns
    -------
    str
    """
    if found.ended_early:
        within = f"in {found.seconds:,.0f} s" if found.seconds >= 1 else "so far"
        return f"The best found {within}: the search was ended early, and another machine may find another."
    if found.by_parts:
        return "Least found by splitting the file from the top, not proven."
    if found.with_blanks:
        return "Least found by trying levels and leaving cells blank, not proven."
    if found.proven:
        return "Proven: no other choice loses less."
    if found.finished and not found.complete:
        return "Least found: a good choice of levels and of the rows that are left out, not proven."
    if found.finished:
        return "Least found: every choice of levels was weighed; whom to leave out is a good choice, not proven."
    return "The least found with the work given, the same on every machine; not proven."


def none_found(nothing: NothingFound) -> str:
    """What is known where nothing was found, in a sentence.

    Parameters
    ----------
    nothing : NothingFound
        What a search says that found nothing.

    Returns
    -------
    str
    """
    if nothing.proven:
        return "Nothing that is allowed does."
    return f"None was found. {_what_was_searched(nothing)}"


def why_none(adviser: Adviser, nothing: NothingFound) -> str:
    """Why nothing was found, in sentences: what stands against it, and how sure that is.

    Parameters
    ----------
    adviser : Adviser
        The question, and what has been found out about it.
    nothing : NothingFound
        What a search says that found nothing.

    Returns
    -------
    str
    """
    found = adviser.conflict()
    if found is None:
        return none_found(nothing)
    conflict, criteria = found
    if not conflict.guarantees:
        return _too_many_already(adviser)
    asked = " and ".join(f"“{criterion.title}”" for criterion in criteria)
    which = "the criteria" if len(criteria) > 1 else "the criterion"
    fixed = [name for name in adviser.data.quasi_identifiers if name not in adviser.problem.columns]
    stay = f" while {words.listed(fixed)} must stay as {'it is' if len(fixed) == 1 else 'they are'}" if fixed else ""
    facts = f"with every column at its coarsest, {_violating(adviser, conflict)}"
    rows = "rows" if isinstance(adviser.problem, PersonProblem) else ""
    may_go = f"{words.count(conflict.most, rows) if conflict.most else 'none'} may be left out"
    if conflict.proven:
        needed = ""
        if rows or conflict.must_go != conflict.violating:
            needed = f"; at least {words.count(conflict.must_go, rows)} would have to go"
        return f"Nothing that is allowed meets {which} {asked}{stay}: {facts}{needed}, and {may_go}."
    if nothing.proven:
        return (
            f"Nothing that is allowed meets all criteria{stay}: every combination of levels was tried, and {may_go}. "
            f"What stands against it is {asked}: {facts}."
        )
    if rows:
        facts += f"; the search would leave out {words.count(conflict.goes, rows)}"
    elif conflict.goes > conflict.violating:
        facts += f"; once they are left out others do, {conflict.goes:,} in all"
    elif conflict.goes < conflict.violating:
        facts += f"; the search would leave out {conflict.goes:,}"
    return f"No change was found that meets {which} {asked}{stay}: {facts}, and {may_go}. {_what_was_searched(nothing)}"


def _what_was_searched(nothing: NothingFound) -> str:
    if nothing.finished and not nothing.complete:
        return "Another choice of levels and of the rows that are left out may do."
    if nothing.finished:
        return "Every combination of levels was tried, not every choice of whom to leave out: another may do."
    if nothing.ended_early:
        return "The search was ended early, before every combination of levels was tried: another machine may find one."
    return "The work given was done before every combination of levels was tried."


def _violating(adviser: Adviser, conflict: Conflict) -> str:
    """How many violate at the coarsest levels: ``3 of 5 records still violate it (20% may)``."""
    guarantees = [adviser.problem.guarantees[i] for i in conflict.guarantees]
    violating = f"{conflict.violating:,} of {words.count(adviser.problem.n_records, adviser.data.unit)}"
    if len(guarantees) > 1:
        return f"{violating} still violate one of them"
    (guarantee,) = guarantees
    violating += _by_their_number(adviser.problem, guarantee)
    if isinstance(guarantee, AverageRiskLimit):
        return f"{violating} are in classes that are too small for it"
    return f"{violating} still violate it" + (f" ({words.percent(guarantee.share)} may)" if guarantee.share else "")


def _by_their_number(problem: Problem, guarantee: PrivacyModel) -> str:
    """Of persons whose rows are all known, who is known by how many these are, so that no level of a column helps."""
    if not isinstance(problem, PersonProblem) or not isinstance(guarantee, KAnonymity) or guarantee.rows != ALL:
        return ""
    persons, numbers = problem.below_by_their_number(guarantee)
    if not persons:
        return ""
    named = words.listed([f"{number:,}" for number in numbers], _MOST_NAMED)
    return f" ({persons:,} by their number of rows alone, which is {named})"


def _number(records: int) -> str:
    return f"{records:,}" if records else "none"


def _too_many_already(adviser: Adviser) -> str:
    """That more than may be are left out for want of a value, before anything is searched."""
    already, kept = adviser.left_out_already, adviser.records_kept
    assert kept is not None
    criterion, share = kept
    n_records = adviser.problem.n_records + already
    return (
        f"Nothing that is allowed meets the criterion “{criterion.title}”: {already:,} of "
        f"{words.count(n_records, adviser.data.unit)} are left out already, since a quasi-identifier of theirs is "
        f"missing, and {_number(most_left_out(share, n_records))} may be left out. Let a missing value count as a "
        "value of its own (Data page), or keep fewer."
    )

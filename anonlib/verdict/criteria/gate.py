"""The one gate: whether what leaves may be taken out, for every page, command and script that offers it."""

from __future__ import annotations

from anonlib.release.applied import Applied
from anonlib.verdict.criteria.verdict import Verdict


def why_it_stays(applied: Applied, verdict: Verdict | None, reason: str = "") -> str:
    """Why the records of a release may not be taken out yet, in a sentence; "" where they may.

    Parameters
    ----------
    applied : Applied
        What a recipe made of the data.
    verdict : Verdict or None
        What was found of that very release; None while all columns are undecided.
    reason : str
        Why it leaves all the same, as the officer wrote it.

    Returns
    -------
    str

    Notes
    -----
    A reason lets out what does not meet its criteria. It lets out nothing that has no record, of which a step does not
    fit the data, or of which no column has a role.
    """
    if applied.why_not:
        return applied.why_not
    if not applied.released.n_records:
        return "No record is left in the release, so that there is no file. Change the recipe."
    if verdict is None:
        return "Nobody has decided yet what the columns are: accept their roles on the Data page first."
    if verdict.may_leave or reason.strip():
        return ""
    return "The verdict is against it: meet its criteria, or write why it leaves all the same."

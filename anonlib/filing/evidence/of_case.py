"""Evidence of the case that a project holds: the one thing in it that can change without anything being counted."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.project import Project


def of_case(evidence: Evidence, project: Project) -> Evidence:
    """The evidence of a project, with what the project says of the case now.

    Parameters
    ----------
    evidence : Evidence
        As gathered of the project, of whatever case; it may have been gathered before the case was changed.
    project : Project
        As it is now, with the case as the officer describes it.

    Returns
    -------
    Evidence
        With the project's case, the digest of the project as it is saved, and the case's author as who says so where
        nobody else is named.

    Raises
    ------
    InputError
        When the project names more values than a saved one can.
    """
    is_author = evidence.who in ("", evidence.case.author)
    return replace(
        evidence,
        who=project.case.author if is_author else evidence.who,
        project=hashlib.sha256(project.to_json().encode()).hexdigest(),
        case=project.case,
    )

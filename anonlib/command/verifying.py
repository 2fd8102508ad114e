"""``verify``: whether a file that came back is what was released."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from anonlib.basics.errors import InputError
from anonlib.command import files, shown
from anonlib.command.arguments import MET, NOT_COMPARED, NOT_MET
from anonlib.filing.evidence import evidence_of, verify_returned
from anonlib.filing.project import open_project

_MARKS = {True: "as released", False: "DIFFERS", None: "NOT COMPARED"}


def verify(asked: argparse.Namespace) -> int:
    """Say whether a released file is what its evidence, its project or its original says."""
    if asked.evidence is None and asked.project is None:
        raise InputError(
            "Name what to compare it with: --evidence, or --project, which may go with --original.",
            code="options-missing",
        )
    if asked.original is not None and asked.project is None:
        raise InputError(
            "To make the release of the original again, name the project too: --project.", code="options-missing"
        )
    project = None if asked.project is None else files.project(asked.project)
    evidence = None if asked.evidence is None else evidence_of(files.content(asked.evidence, "The evidence"))
    original = None
    if asked.original is not None and project is not None:
        original = open_project(project, files.loaded(asked.original), pseudonym_key=files.pseudonym_key(asked))
    data, name = files.content(asked.released, "The file"), files.name_of(asked.released)
    verification = verify_returned(data, name, evidence=evidence, project=project, original=original)
    if not verification.checks:
        raise InputError(
            "The project has no release on record, and the evidence has no released file: name the original too.",
            code="options-missing",
        )
    if asked.json:
        shown.as_json(
            {
                "says": verification.says,
                "holds": verification.holds,
                "differs": verification.differs,
                **asdict(verification),
            }
        )
    else:
        shown.say(f"{asked.released.name}: {verification.says}")
        for check in verification.checks:
            shown.say(f"  {_MARKS[check.holds]}: {check.what}. {check.says}")
    return MET if verification.holds else NOT_MET if verification.differs else NOT_COMPARED

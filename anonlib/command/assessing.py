"""``assess``: whether a release may leave."""

from __future__ import annotations

import argparse
import json

from anonlib.analyses.utility.purposes import kept
from anonlib.command import earlier, shown
from anonlib.command.progress import ProgressLine
from anonlib.command.shown import status_of_evidence
from anonlib.filing.evidence import gather, to_json
from anonlib.filing.project import no_longer_met
from anonlib.verdict.criteria import ends_of


def assess(asked: argparse.Namespace) -> int:
    """Say whether the release that a project makes of a file may leave for its recipient."""
    beside = earlier.opened(asked)
    opened = beside.opened
    progress = ProgressLine(not asked.quiet)
    evidence = gather(opened, parts=(), progress=progress)
    progress.done()
    if asked.json:
        shown.as_json({**json.loads(to_json(evidence)), **beside.as_values})
        return status_of_evidence(evidence)
    project = opened.project
    ends = ends_of(opened.applied.released, project.aim.k, project.aim.rows, project.unknowable)
    shown.assessment(evidence, ends)
    shown.survives(kept(project.aim.purposes, opened.applied.original, opened.applied.released))
    beside.say()
    differences = opened.differences.sentences if opened.differences is not None else ()
    stricter = no_longer_met(
        project.stricter, [criterion.title for criterion in evidence.criteria if criterion.is_against]
    )
    for sentence in (stricter, opened.why_not_read, *differences):
        if sentence:
            shown.say(f"\nNote: {sentence}")
    return status_of_evidence(evidence)

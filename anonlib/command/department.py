"""``audit``, ``register`` and ``keys``: what an administrator does with a department's store."""

from __future__ import annotations

import argparse

from anonlib.command import shown
from anonlib.command.arguments import BROKEN, MET
from anonlib.filing.department import audit as audit_lines
from anonlib.filing.department.audit import ChainHead
from anonlib.filing.department.department import Department
from anonlib.filing.department.settings import read_team


def audit(asked: argparse.Namespace) -> int:
    """Verify the chain of audit lines, or print every line as JSON."""
    database = Department.open(read_team(asked.team)).database
    if asked.do == "export":
        for line in audit_lines.exported(database):
            shown.say(line)
        return MET
    chain = audit_lines.verify(database, None if asked.head is None else ChainHead.of(asked.head))
    shown.say(chain.in_words)
    return MET if chain.holds else BROKEN

"""``audit``, ``register`` and ``keys``: what an administrator does with a department's store."""

from __future__ import annotations

import argparse
from getpass import getuser

from anonlib.basics import words
from anonlib.command import shown
from anonlib.command.arguments import BROKEN, MET
from anonlib.filing.department import audit as audit_lines
from anonlib.filing.department.acts import Act
from anonlib.filing.department.audit import ChainHead
from anonlib.filing.department.department import Department
from anonlib.filing.department.keys import KeyName
from anonlib.filing.department.person import Person, TeamRole
from anonlib.filing.department.settings import read_team
from anonlib.filing.register import FolderRegister


def audit(asked: argparse.Namespace) -> int:
    """Verify the chain of audit lines, or print every line as JSON."""
    database = _opened(asked).database
    if asked.do == "export":
        for line in audit_lines.exported(database):
            shown.say(line)
        return MET
    chain = audit_lines.verify(database, None if asked.head is None else ChainHead.of(asked.head))
    shown.say(chain.in_words)
    return MET if chain.holds else BROKEN


def register(asked: argparse.Namespace) -> int:
    """Take a desk's register over into the department's."""
    department, desk = _opened(asked), FolderRegister.open(asked.folder)
    imported, taken, not_compared = department.register.by(_account()).import_from(desk, department.keys)
    shown.say(f"{words.count(taken, 'entries')} of the register in “{asked.folder.name}” taken over.")
    if imported.key != department.register.key:
        shown.say("The department's register has its key now. Start the department's server again where it runs.")
    if not_compared:
        shown.say(
            f"The persons of {words.count(not_compared, 'entries')} cannot be compared with later releases: others "
            "are in the department's register under another key."
        )
    return MET


def keys(asked: argparse.Namespace) -> int:
    """Make or rotate a key of the department, or list them by what names them."""
    department = _opened(asked)
    if asked.do == "list":
        for key in department.keys.names():
            shown.say(_in_a_line(key))
        return MET
    make, act = {
        "make": (department.keys.make, Act.KEY_MADE),
        "rotate": (department.keys.rotate, Act.KEY_ROTATED),
    }[asked.do]
    key = make(asked.name)
    department.note(_account(), act, key=key.name, version=str(key.version), id=key.id)
    shown.say(_in_a_line(key))
    return MET


def _opened(asked: argparse.Namespace) -> Department:
    return Department.open(read_team(asked.team))


def _in_a_line(key: KeyName) -> str:
    return f"{key.in_words}: {key.id}, of {key.made}"


def _account() -> Person:
    """Who types a command: an account of the machine, and nobody who signed in."""
    name = getuser()
    return Person(f"account {name}", f"{name} (command line)", frozenset({TeamRole.ADMINISTRATOR}))

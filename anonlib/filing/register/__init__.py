"""The register of releases, in a folder of the officer's: what left, to whom, under which terms, and what is due."""

from anonlib.filing.register.earlier import Earlier
from anonlib.filing.register.entry import WHAT_IS_DUE, Change, Due, EntryFacts, RegisterEntry, facts_of
from anonlib.filing.register.folder import RegisterKey
from anonlib.filing.register.people import FoundBy, PersonSet, PersonsOfRelease, people_of
from anonlib.filing.register.register import FolderRegister, Register
from anonlib.values.ids import normalised

__all__ = [
    "WHAT_IS_DUE", "Change", "Due", "Earlier", "EntryFacts", "FolderRegister", "FoundBy", "PersonSet",
    "PersonsOfRelease", "Register", "RegisterEntry", "RegisterKey", "facts_of", "normalised", "people_of",
]  # fmt: skip

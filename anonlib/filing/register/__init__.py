"""The register of releases, in a folder of the officer's: what left, to whom, under which terms, and what is due."""

from anonlib.filing.register.due import WHAT_IS_DUE, Due
from anonlib.filing.register.earlier import Earlier
from anonlib.filing.register.entry import Entry, EntryFacts, facts_of
from anonlib.filing.register.key import Key
from anonlib.filing.register.people import FoundBy, People, PersonSet, people_of
from anonlib.filing.register.register import Register
from anonlib.values.ids import normalised

__all__ = [
    "WHAT_IS_DUE", "Due", "Earlier", "Entry", "EntryFacts", "FoundBy", "Key", "People", "PersonSet", "Register",
    "facts_of", "normalised", "people_of",
]  # fmt: skip

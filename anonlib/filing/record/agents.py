"""Who is named in a record, and where they are reached."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

Node = dict[str, Any]
"""Something that the record describes, by the names of its properties."""

# Only what may stand in an address as it is: anything else ends it.
_EMAIL = re.compile(r"(?:mailto:)?([A-Za-z0-9._+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)")
_PAGE = re.compile(
    r"https?://[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]+)?"
    r"(?:[/?#](?:[A-Za-z0-9._~:/?#@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?"
)
_END_OF_SENTENCE = ".,;:!?'()"
_BETWEEN = " ,;:-–—/<>"
_ALONE = re.compile(r" [.,;:]+$")  # what followed an address


@dataclass(frozen=True)
class Contact:
    """What a line of the case says of somebody.

    Attributes
    ----------
    name : str
        The line without addresses.
    email, page : str
        The first of each in it; "".
    """

    name: str
    email: str
    page: str

    @classmethod
    def of(cls, line: str) -> Contact:
        """Take a line apart, such as ``Data office, data@hospital.org``."""
        page = next((found.rstrip(_END_OF_SENTENCE) for found in _PAGE.findall(line)), "")
        rest = _without(line, _PAGE)
        email = next((found.rstrip("-") for found in _EMAIL.findall(rest)), "")
        name = _ALONE.sub("", " ".join(_without(rest, _EMAIL).split())).strip(_BETWEEN)
        return cls(name if any(map(str.isalnum, name)) else "", email, page)

    @property
    def is_reachable(self) -> bool:
        """Whether it has an address of either kind."""
        return bool(self.email or self.page)

    @property
    def place(self) -> str:
        """Where to ask: the web page, else the e-mail address as one that can be opened; "" without."""
        return self.page or (f"mailto:{self.email}" if self.email else "")

    @property
    def point(self) -> Node:
        """The contact of a data set, as vCard has it."""
        return {
            "@type": "vcard:Kind",
            "vcard:fn": self.name,
            "vcard:hasEmail": {"@id": f"mailto:{self.email}"} if self.email else None,
            "vcard:hasURL": {"@id": self.page} if self.page else None,
        }


def _without(line: str, address: re.Pattern[str]) -> str:
    """A line without addresses, nor the brackets around one."""
    return re.sub(rf"\(\s*{address.pattern}\s*\)|<\s*{address.pattern}\s*>|{address.pattern}", " ", line)


def agent(name: str, contact: Contact) -> Node:
    """An organisation by its name, with the contact that HealthDCAT-AP asks for where there is one."""
    point = {
        "@type": "cv:ContactPoint",
        "cv:email": contact.email,
        "cv:contactPage": {"@id": contact.page, "@type": "foaf:Document"} if contact.page else None,
    }
    return {
        "@type": "foaf:Agent",
        "foaf:name": name,
        "cv:contactPoint": point if contact.is_reachable else None,
    }

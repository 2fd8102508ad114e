"""The case: who asks for which data, what for and under which terms, as those decide and file who are responsible."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any, Literal

from anonlib.basics.errors import InputError

Group = Literal["case", "recipient", "safeguards", "data", "people", "record"]
Order = Literal["assessment", "ethics", "ema", "expert", "dpia", "record"]

MOST_CHARACTERS = 4_000
"""Of a text of the case."""
MOST_OF_A_LINE = 300
"""Of one that is a line."""
GROUPS: Mapping[Group, str] = {
    "case": "The case",
    "recipient": "Who asks, and on what basis",
    "safeguards": "Safeguards at the recipient",
    "data": "The data subjects and the data",
    "people": "Who assesses and reviews",
    "record": "For the record of the data set",
}
"""What the case says, in the order in which it is asked and printed."""
NOT_STATED = "not stated"
"""What stands in print where the case says nothing."""


@dataclass(frozen=True)
class Item:
    """One thing that a case says.

    Attributes
    ----------
    name : str
        Of the field of :class:`ReleaseCase`.
    label : str
        What it is called on screen and in print.
    group : Group
        Where it stands.
    asks : str
        What is to be written, in a sentence.
    asked_by : tuple[Order, ...]
        The orders of the report that need it.
    kind : Literal["line", "text", "date"], default "line"
        Whether it is a line, a text of several lines, or a date.
    """

    name: str
    label: str
    group: Group
    asks: str
    asked_by: tuple[Order, ...]
    kind: Literal["line", "text", "date"] = "line"


ITEMS: tuple[Item, ...] = (
    Item("title", "Title", "case", "What the case is called where it is filed.",
         ("ethics", "ema", "expert", "dpia", "record")),
    Item("reference", "Reference", "case", "The number under which it is filed, such as the ethics board’s.",
         ("ethics",)),
    Item("purpose", "Purpose", "case",
         "What the data are asked for: the question, the study or the service, and why these data answer it.",
         ("ethics", "ema", "expert", "dpia", "record"), "text"),
    Item("requester", "Requested by", "recipient", "The person who asks, with role and institution.",
         ("ethics", "expert", "dpia")),
    Item("recipient", "Recipient", "recipient", "The institution or company that gets the release; “public” for all.",
         ("ethics", "ema", "expert", "dpia")),
    Item("legal_basis", "Legal basis", "recipient",
         "The ground in law, such as Art. 6(1)(e) and 9(2)(j) GDPR, a waiver, or 45 CFR 164.514(b)(1).",
         ("ethics", "ema", "expert", "dpia", "record"), "text"),
    Item("contract", "Contract", "recipient", "The agreement that binds the recipient, with its number and date.",
         ("ethics", "expert", "dpia")),
    Item("until", "May be kept until", "recipient", "The day by which the recipient returns or deletes the data.",
         ("ethics", "dpia"), "date"),
    Item("access", "Access", "safeguards", "Who can open the data there, and how that is kept so.",
         ("ethics", "ema", "expert", "dpia"), "text"),
    Item("training", "Training", "safeguards", "What those who work with the data have learnt and signed.",
         ("ethics", "dpia"), "text"),
    Item("audit", "Audit", "safeguards", "What is logged, who looks at it, and what follows a breach.",
         ("ethics", "expert", "dpia"), "text"),
    Item("onward", "No onward sharing", "safeguards",
         "What forbids passing the data on, joining them with others, and trying to find somebody.",
         ("ethics", "ema", "expert", "dpia"), "text"),
    Item("subjects", "Data subjects", "data", "Whose data these are, from where and when; groups that need protection.",
         ("ethics", "ema", "dpia", "record"), "text"),
    Item("consent", "Consent and information", "data",
         "What the data subjects were informed of or agreed to, or why they were not asked.", ("ethics", "dpia"),
         "text"),
    Item("retention", "Retention", "data", "How long the original and the release are kept here, and who deletes them.",
         ("ethics", "dpia", "record"), "text"),
    Item("author", "Assessed by", "people", "Who made this assessment, with role.",
         ("ethics", "ema", "expert", "dpia")),
    Item("reviewer", "Reviewed by", "people", "Who looked at it as a second pair of eyes, such as the data protection "
         "officer.", ("ethics", "dpia")),
    Item("qualifications", "Qualifications", "people",
         "What makes the author fit to say so: degrees, experience with statistical disclosure control, earlier "
         "determinations.", ("expert",), "text"),
    Item("publisher", "Publisher", "record", "Who holds the data set and publishes its record.", ("record",)),
    Item("contact", "Contact", "record", "An e-mail address or web page for questions about the data set.",
         ("record",)),
    Item("access_body", "Health data access body", "record",
         "The body under the EHDS regulation that decides on requests for the data set.", ("record",)),
    Item("category", "Category of health data", "record",
         "Of Art. 51 of the EHDS regulation, one or several: health records, claims, genetic, molecular or pathogen "
         "data, medical devices, wellness applications, registries, clinical trials, cohorts and surveys.",
         ("record",)),
    Item("provenance", "Provenance", "record", "How the data came about: care, a register, a trial; since when.",
         ("ema", "record"), "text"),
)  # fmt: skip
"""All that a case may say, group by group."""
BY_NAME: Mapping[str, Item] = {item.name: item for item in ITEMS}


@dataclass(frozen=True)
class ReleaseCase:
    """What a release is decided for; every part may be empty, and none changes what is counted.

    Attributes are those of :data:`ITEMS`, which says what each is. All are texts as typed, without blanks at both ends;
    ``until`` is a date as ``2027-11-25``.

    Raises
    ------
    InputError
        For a text that is too long, a line of several lines, or a day that there is not.
    """

    title: str = ""
    reference: str = ""
    purpose: str = ""
    requester: str = ""
    recipient: str = ""
    legal_basis: str = ""
    contract: str = ""
    until: str = ""
    access: str = ""
    training: str = ""
    audit: str = ""
    onward: str = ""
    subjects: str = ""
    consent: str = ""
    retention: str = ""
    author: str = ""
    reviewer: str = ""
    qualifications: str = ""
    publisher: str = ""
    contact: str = ""
    access_body: str = ""
    category: str = ""
    provenance: str = ""

    def __post_init__(self) -> None:
        for item in ITEMS:
            object.__setattr__(self, item.name, _checked(getattr(self, item.name), item))

    @property
    def day(self) -> date | None:
        """The day by which the recipient returns or deletes the data; None where that is not stated."""
        return date.fromisoformat(self.until) if self.until else None

    @property
    def in_a_line(self) -> str:
        """What it is, for whom and until when, as one line; "" where it says none of these."""
        parts = [
            f"{self.reference} {self.title}".strip(),
            f"for {self.recipient}" if self.recipient else "",
            f"under {self.contract}" if self.contract else "",
            f"until {self.until}" if self.until else "",
        ]
        return " · ".join(part for part in parts if part)

    def lacks(self, order: Order) -> tuple[Item, ...]:
        """What an order of the report asks for and the case does not say."""
        return tuple(item for item in ITEMS if order in item.asked_by and not getattr(self, item.name))

    def to_dict(self) -> dict[str, str]:
        """What it says, by name, as plain values."""
        return {item.name: value for item in ITEMS if (value := getattr(self, item.name))}

    @classmethod
    def from_dict(cls, given: Any) -> ReleaseCase:
        """The case of plain values.

        Raises
        ------
        InputError
            When they are none of a case; the sentence names what is wrong.
        """
        names = [field.name for field in fields(cls)]
        if not isinstance(given, Mapping):
            raise InputError(f"The case must be a table of texts. It may say: {', '.join(names)}.", code="case-damaged")
        if unknown := [name for name in given if name not in names]:
            raise InputError(
                f"The case says {len(unknown)} things that are not known. There are: {', '.join(names)}.",
                code="setting-unknown",
            )
        return cls(**given)


def _checked(value: Any, item: Item) -> str:
    what = f"“{item.label}” of the case"
    if isinstance(value, date):
        value = value.isoformat()
    if not isinstance(value, str):
        raise InputError(f"{what} must be a text.", code="not-a-text")
    if any(unicodedata.category(character) == "Cs" for character in value):
        raise InputError(
            f"{what} has characters that cannot be written. Type it again.", code="characters-not-writable"
        )
    spaced = "".join(" " if c.isspace() and c != "\n" else c for c in value)
    text = "".join(c for c in spaced if c == "\n" or c.isprintable()).strip()
    most = MOST_CHARACTERS if item.kind == "text" else MOST_OF_A_LINE
    if len(text) > most:
        raise InputError(f"{what} is longer than {most:,} characters. Shorten it.", code="text-too-long")
    if item.kind != "text" and "\n" in text:
        raise InputError(f"{what} must be one line.", code="text-not-one-line")
    if item.kind == "date" and text:
        try:
            text = date.fromisoformat(text).isoformat()
        except ValueError:
            raise InputError(f"{what} must be a day such as 2027-11-25.", code="not-a-day") from None
    return text


__all__ = [
    "BY_NAME",
    "GROUPS",
    "ITEMS",
    "MOST_CHARACTERS",
    "MOST_OF_A_LINE",
    "NOT_STATED",
    "Item",
    "Order",
    "ReleaseCase",
]

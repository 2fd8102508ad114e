"""The record of the data set for a catalogue under the EHDS regulation, to be read; its files are for machines.

It follows the properties of DCAT-AP and HealthDCAT-AP, which :mod:`anonlib.filing.record` writes as JSON-LD.
"""

from __future__ import annotations

from anonlib.basics import words
from anonlib.columns.roles import Role
from anonlib.filing.case import BY_NAME, ReleaseCase
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.report import case
from anonlib.filing.evidence.report.wording import Wording
from anonlib.filing.report.blocks import Block, Code, Facts, Paragraph, Table
from anonlib.verdict.criteria import BY_KEY

_MOST_COLUMNS = 300
_FILES = (
    "The record itself is a zip on the page Report: metadata as DCAT in JSON-LD with the properties of HealthDCAT-AP, "
    "a data dictionary, and a mock-up sample in which no row is of a person."
)


def description(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """What the data set is, who holds it, and on what ground it is given."""
    return of_case(evidence.case)


def of_case(about: ReleaseCase) -> tuple[Block, ...]:
    """The same of a case."""
    names = ("title", "purpose", "publisher", "contact", "access_body", "category", "subjects", "provenance")
    return (
        Paragraph(_FILES),
        Facts(tuple((BY_NAME[name].label, case.stated(about, BY_NAME[name])) for name in names)),
    )


def counts(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """How many records and persons the release has."""
    released = evidence.released
    rows = "no file can be made yet" if released is None else f"{released.records:,}"
    persons = "not counted: rows are not tied to persons"
    if evidence.unit == "persons":
        persons = "–" if evidence.after is None else f"{evidence.after.records:,}"
    columns = sum(column.leaves for column in evidence.columns)
    pairs = (("Records", rows), ("Persons", persons), ("Columns", f"{columns:,}"))
    return (Facts(pairs),)


def variables(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """The columns that leave, with how many values each has."""
    leaving = [column for column in evidence.columns if column.leaves]
    rows = tuple(
        (column.name, Role(column.role).label if column.role else "not decided", f"{column.values_after:,}")
        for column in leaving[:_MOST_COLUMNS]
    )
    if not rows:
        return (Paragraph("No column leaves."),)
    more = len(leaving) - len(rows)
    unlisted = (f"Not listed: {words.count(more, 'more columns')}.",) if more else ()
    notes = ("Values: different ones in the release, missing not counted.", *unlisted)
    header = ("Variable", "Kind", "Values")
    return (Table("Variables", header, rows, ("left", "left", "right"), notes),)


def distribution(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """The files of the release with their digests, and who may have them."""
    access = "public" if evidence.recipient == BY_KEY["public"].name else "not public: on request"
    pairs = [("Access", f"{access} ({evidence.recipient})")]
    for name in ("legal_basis", "retention"):
        pairs.append((BY_NAME[name].label, case.stated(evidence.case, BY_NAME[name])))
    if evidence.released is None:
        return (Facts(tuple(pairs)), Paragraph("No file can be made of this recipe yet."))
    digests = [f"{sha256} ({kind})" for kind, sha256 in evidence.released.on_record.items()]
    pairs.append(("Size of the CSV", words.size(evidence.released.bytes)))
    return (Facts(tuple(pairs)), Paragraph("SHA-256 of its files:"), Code("\n".join(digests)))

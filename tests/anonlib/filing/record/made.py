"""Records of data sets for the tests, and plain readings of the CSV that leaves."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from datetime import date
from functools import cache, lru_cache

import rdflib

from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.columns.roles import Role
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence import Evidence, gather, released_file
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.filing.record import record_files
from anonlib.reading.samples import sample
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from anonlib.verdict.criteria import Aim

ON = date(2026, 11, 22)
CSVW = rdflib.Namespace("http://www.w3.org/ns/csvw#")
CV = rdflib.Namespace("http://data.europa.eu/m8g/")
DCAT = rdflib.Namespace("http://www.w3.org/ns/dcat#")
DCATAP = rdflib.Namespace("http://data.europa.eu/r5r/")
DCT = rdflib.Namespace("http://purl.org/dc/terms/")
HEALTH = rdflib.Namespace("http://healthdataportal.eu/ns/health#")
SHACL = rdflib.Namespace("http://www.w3.org/ns/shacl#")
VCARD = rdflib.Namespace("http://www.w3.org/2006/vcard/ns#")
AT = "https://record.example/"
"""Where the files of a record lie when it is read."""
FULL = ReleaseCase(
    title="Admissions of a year",
    reference="2026-11",
    purpose="Whether stays became shorter.",
    requester="A person",
    recipient="A university",
    legal_basis="Art. 9(2)(j) GDPR",
    contract="C-7 of 2026",
    until="2031-12-31",
    subjects="All who were admitted to one hospital in a year.",
    retention="Ten years here.",
    author="An author",
    publisher="The hospital",
    contact="Data office, data@hospital.example, https://hospital.example/data.",
    access_body="The health data access body (access@body.example)",
    category="electronic health records",
    provenance="Written in care.",
)
"""A case that says all that a record can hold."""
NOT_FOR_ALL = ("A person", "A university", "C-7 of 2026", "An author", "2026-11-5")
"""What the case says of others, which is no part of a record."""


@lru_cache(8)
def _gathered(opened: Opened) -> Evidence:
    return gather(opened, parts=(), on=ON)


def evidence_of(opened: Opened, case: ReleaseCase = FULL) -> Evidence:
    """The evidence of a project, with what a case says."""
    return replace(_gathered(opened), case=case)


@cache
def admissions(recipient: str = "contract") -> Opened:
    """The admissions of the sample, coarsened: persons have several rows."""
    chosen = sample("admissions")
    recipe = Recipe.of(
        [Recode("age", Intervals(20)), Recode("zip", Mask(3)), DropColumns(("admission_date",)), LeaveOut(5)]
    )
    roles = {name: Role(role) for name, role in chosen.roles.items()}
    project = Project(roles=roles, recipe=recipe, seed=7, aim=Aim.for_recipient(recipient))
    return open_project(project, LoadedFile.of(chosen.path.read_bytes(), "admissions.csv"))


def graph_of(files: dict[str, bytes]) -> rdflib.Graph:
    """The record as a reader of RDF has it."""
    return rdflib.Graph().parse(data=files["dataset.jsonld"], format="json-ld", publicID=AT)


def node_of(opened: Opened, case: ReleaseCase = FULL) -> dict:
    """The record as the JSON that it is."""
    return json.loads(record_files(opened, evidence_of(opened, case))["dataset.jsonld"])


def rows_of(data: bytes) -> list[dict[str, str]]:
    """The rows of a CSV, by plain code."""
    return list(csv.DictReader(io.StringIO(data.decode("utf-8"))))


def released_rows(opened: Opened) -> list[dict[str, str]]:
    """The rows of the CSV that leaves."""
    return rows_of(released_file(opened))


def shares(rows: list[dict[str, str]], column: str, person: str = "") -> Counter[str]:
    """By value of a column, how many rows have it, or persons where a column says whose a row is."""
    pairs = {(row[column], row[person] if person else str(i)) for i, row in enumerate(rows)}
    return Counter(value for value, _ in pairs)

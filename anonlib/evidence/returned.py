"""Whether a released file that came back is what its evidence, its project or its original says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pandas as pd

from anonlib.dataset import Dataset
from anonlib.evidence.evidence import Evidence
from anonlib.evidence.leaving import released_file
from anonlib.evidence.measures import risk_of
from anonlib.project import LoadedFile, Opened, Project
from anonlib.release.files.harmless import neutralise
from anonlib.roles import Role
from anonlib.sources import open_source


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    what : what was compared, in a few words.
    holds : whether the file is as it should be.
    says : what was found, in a sentence, without any cell.
    """

    what: str
    holds: bool
    says: str


@dataclass(frozen=True)
class Verification:
    """What was found of a released file.

    Attributes
    ----------
    checks : one at least.
    is_same_file : whether it is the very file, byte by byte; None where nothing tells.
    """

    checks: tuple[Check, ...]
    is_same_file: bool | None

    @property
    def holds(self) -> bool:
        """Whether all checks hold."""
        return all(check.holds for check in self.checks)

    @property
    def says(self) -> str:
        """What was found, in one sentence."""
        if self.is_same_file:
            return "This is the very file that was released."
        wrong = [check.what for check in self.checks if not check.holds]
        if wrong:
            return f"This file is not what was released: {', '.join(wrong)}."
        return "This file is not the same byte by byte, but all that was looked at is as released."


def verify(
    returned: LoadedFile,
    *,
    evidence: Evidence | None = None,
    project: Project | None = None,
    original: Opened | None = None,
) -> Verification:
    """Check a released file.

    Parameters
    ----------
    returned : LoadedFile
        The file that came back.
    evidence : Evidence, optional
        What was filed with it: its digest, its size, its columns, and its risk are compared.
    project : Project, optional
        The project it was made by, which has the digests of earlier releases.
    original : Opened, optional
        The project on the original: the release is made again and compared record by record, in any order.

    Returns
    -------
    Verification
        Without any of the three nothing can be checked, and it has no checks.
    """
    digests = set()
    if evidence is not None and evidence.released is not None:
        digests.add(evidence.released.sha256)
    if project is not None:
        digests.update(project.released.values())
    again = None if original is None else open_source(released_file(original), "release")
    if again is not None:
        digests.add(again.digest)
    if returned.source.digest in digests:
        return Verification((Check("its digest", True, "It is the same byte by byte."),), True)
    checks: list[Check] = []
    if original is not None and again is not None:
        checks += _records(returned.source.frame, again.frame, original)
    if evidence is not None and evidence.released is not None:
        checks += _of_evidence(returned, evidence)
    if digests and not checks:  # nothing else tells
        checks.append(Check("its digest", False, "Its SHA-256 is none of those on record."))
    return Verification(tuple(checks), False if digests else None)


def _of_evidence(returned: LoadedFile, evidence: Evidence) -> list[Check]:
    """Its columns, its size, and what whoever knows the known columns can tell apart in it."""
    released = evidence.released
    assert released is not None
    frame = returned.source.frame
    columns = [str(name) for name in frame.columns]
    lacking = len(set(released.columns) - set(columns))
    more = len(set(columns) - set(released.columns))
    found = [
        Check(
            "its columns",
            not lacking and not more,
            f"{len(columns):,} columns; {lacking:,} of those released are not in it, {more:,} are new.",
        ),
        Check(
            "its records",
            len(frame) == released.records,
            f"{len(frame):,} records; {released.records:,} were released.",
        ),
    ]
    data = _with_roles(returned, evidence)
    if not lacking and evidence.after is not None and data.unit == evidence.unit:  # ids of persons may not have left
        now, then = risk_of(data, evidence.k), evidence.after
        found.append(
            Check(
                "its risk",
                (now.k, now.classes, now.unique, now.sizes, now.classes_of_size)
                == (then.k, then.classes, then.unique, then.sizes, then.classes_of_size),
                f"k = {now.k:,} in {now.classes:,} classes; k = {then.k:,} in {then.classes:,} were released.",
            )
        )
    return found


def _with_roles(returned: LoadedFile, evidence: Evidence) -> Dataset:
    """The file with the roles of the evidence; blank cells are what is missing in it."""
    columns = returned.raw.columns
    names = neutralise([each.name for each in evidence.columns])  # as they leave
    roles = {name: Role(each.role) for name, each in zip(names, evidence.columns, strict=True) if each.role}
    return returned.dataset(returned.raw, "category").with_roles({n: roles[n] for n in columns if n in roles})


def _records(returned: pd.DataFrame, again: pd.DataFrame, original: Opened) -> list[Check]:
    """Record by record, in any order: which columns differ, and how many records are not in both.

    Numbers in the place of person ids are drawn by lot, so that they are compared by how many records share one.
    """
    columns = [str(name) for name in again.columns]
    if columns != [str(name) for name in returned.columns]:
        says = "Its columns are not those that the project releases, or in another order."
        return [Check("its columns", False, says)]
    person = original.applied.released.person_id
    names = [name for name in columns if name != person]
    now, then = _rows(returned, names), _rows(again, names)
    more, fewer = (now - then).total(), (then - now).total()
    found = [
        Check(
            "its records",
            not more and not fewer,
            f"{more:,} of its records are not in the release made again, and {fewer:,} of that are not in it.",
        )
    ]
    if (more or fewer) and len(returned) == len(again):  # else each column lacks something, or has more
        for name in names:
            if _rows(returned, [name]) != _rows(again, [name]):
                found.append(Check(f"“{name}”", False, f"The values of “{name}” are not those released."))
    return found


def _rows(frame: pd.DataFrame, names: list[str]) -> Counter:
    cells = [frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in names]
    return Counter(zip(*cells, strict=True)) if cells else Counter()

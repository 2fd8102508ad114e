"""What an officer submits for review, frozen: digests of file, decisions and evidence, and evidence without a cell."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from anonlib.basics.errors import InputError
from anonlib.filing.case import BY_NAME, ReleaseCase
from anonlib.filing.evidence import PART_NAMES, CriterionFacts, Evidence, evidence_of, to_json
from anonlib.filing.project import Opened

NEEDED = ("title", "purpose", "recipient", "legal_basis")
"""What a case must say before somebody else can judge it, by the names of :class:`anonlib.filing.case.ReleaseCase`."""
LOOKED_AT = ("inference", "attacks")
"""The parts of the evidence without which there is nothing to review."""
WHOLE, CRITERION, COLUMN, STEP = "the request", "criterion", "column", "step"
"""The kinds of place at which a comment can stand."""


@dataclass(frozen=True)
class CommentPlace:
    """What a comment is about.

    Attributes
    ----------
    kind : str
        :data:`WHOLE`, :data:`CRITERION`, :data:`COLUMN` or :data:`STEP`.
    name : str, default ""
        Which one: a criterion with its limit, a column, or the number of a step from 1; "" of the whole.
    """

    kind: str = WHOLE
    name: str = ""


@dataclass(frozen=True)
class Submission:
    """A case as it is submitted, which nothing changes afterwards.

    Attributes
    ----------
    case : ReleaseCase
        Who asks for it, what for and under which terms.
    kind, kind_name : str
        Of the recipient: a key of :data:`anonlib.verdict.criteria.RECIPIENTS`, and its name.
    verdict : str
        In a sentence.
    is_by_reason : bool
        Whether it is to leave by a written reason.
    file, recipe, decided, evidence : str
        SHA-256, 64 hexadecimal digits: of the original, of the recipe, of all that is decided
        (:attr:`anonlib.filing.project.Opened.decided`), and of the document.
    files : tuple[tuple[str, str], ...]
        By format the SHA-256 of the file that leaves.
    """

    case: ReleaseCase
    kind: str
    kind_name: str
    verdict: str
    is_by_reason: bool
    file: str
    recipe: str
    decided: str
    evidence: str
    files: tuple[tuple[str, str], ...]

    @property
    def seal(self) -> str:
        """SHA-256 of all of it, 64 hexadecimal digits: the same, and nothing of it was changed."""
        parts = [self.case.to_dict(), self.kind, self.kind_name, self.verdict, self.is_by_reason]
        digests = [self.file, self.recipe, self.decided, self.evidence, list(map(list, self.files))]
        return hashlib.sha256(json.dumps([*parts, *digests], sort_keys=True).encode()).hexdigest()

    @property
    def in_a_line(self) -> str:
        """What is asked for, as one line."""
        title = f"{self.case.reference} {self.case.title}".strip()
        return f"{title}, to {self.case.recipient} ({self.kind_name})"


def lacks(case: ReleaseCase) -> tuple[str, ...]:
    """What a case must still say before it can be submitted, as it is called on screen."""
    return tuple(BY_NAME[name].label.lower() for name in NEEDED if not getattr(case, name))


def why_not_submitted(case: ReleaseCase, evidence: Evidence) -> str:
    """Why a case cannot be submitted with its evidence yet, in a sentence; "" where it can.

    Parameters
    ----------
    case : ReleaseCase
        As it is now.
    evidence : Evidence
        Of the release.
    """
    if lacking := lacks(case):
        return f"The case does not state yet: {', '.join(lacking)}. A reviewer has to know it."
    if evidence.released is None:
        no_file = "No file can be made of this recipe yet, so that there is nothing to review. Change the recipe."
        return evidence.why_no_file or no_file
    if not evidence.may_leave and not evidence.leaves_anyway.strip():
        return "The verdict is against it: meet its criteria, or write on the Release page why it leaves all the same."
    if left_out := [f"“{PART_NAMES[part]}”" for part in LOOKED_AT if part in evidence.left_out]:
        return f"The evidence leaves out {' and '.join(left_out)}, which is to be reviewed. Look at it too, under More."
    return ""


def submission_of(opened: Opened, evidence: Evidence) -> tuple[Submission, str]:
    """What is submitted of a project on its file.

    Parameters
    ----------
    opened : Opened
        The project on its file.
    evidence : Evidence
        Gathered of it as it is now.

    Returns
    -------
    tuple of Submission and str
        What is frozen, and its document: the evidence as JSON, without a cell of the data.

    Raises
    ------
    InputError
        Where the case says too little, the verdict is against it without a reason, no file leaves, the evidence is of
        something else, or lacks a part that must be reviewed.
    """
    project = opened.project
    of_this = hashlib.sha256(project.to_json().encode()).hexdigest()
    if evidence.project != of_this or evidence.case != project.case:
        raise InputError(
            "This evidence is of something else than what is decided now. Gather it again.", code="evidence-of-other"
        )
    why_not = why_not_submitted(project.case, evidence)
    if evidence.released is None or why_not:
        raise InputError(why_not, code="not-ready-for-review")
    document = to_json(evidence.without_cells)
    frozen = Submission(
        case=project.case,
        kind=project.aim.recipient,
        kind_name=project.aim.of.name,
        verdict=evidence.verdict,
        is_by_reason=evidence.is_by_reason,
        file=opened.data.digest,
        recipe=project.recipe.digest,
        decided=opened.decided,
        evidence=digest_of(document),
        files=tuple(evidence.released.on_record.items()),
    )
    return frozen, document


def evidence_in(document: str) -> Evidence:
    """The evidence of a document. Raises InputError where it is damaged."""
    return evidence_of(document)


def digest_of(document: str) -> str:
    """SHA-256 of a document, 64 hexadecimal digits."""
    return hashlib.sha256(document.encode()).hexdigest()


def called(criterion: CriterionFacts) -> str:
    """What a criterion is called where a comment stands at it: its title, with its limit where it has one."""
    return f"{criterion.title}: {criterion.bound}" if criterion.bound else criterion.title


def places_of(evidence: Evidence) -> tuple[CommentPlace, ...]:
    """All that a comment on evidence can be about, the whole first."""
    criteria = dict.fromkeys(called(criterion) for criterion in (*evidence.criteria, *evidence.measured))
    return (
        CommentPlace(),
        *(CommentPlace(CRITERION, name) for name in criteria),
        *(CommentPlace(COLUMN, column.name) for column in evidence.columns),
        *(CommentPlace(STEP, f"{number}") for number in range(1, len(evidence.steps) + 1)),
    )

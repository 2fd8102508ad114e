"""What the officer asks of the report, the evidence of the release, and what is made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_alone
from anonlib.filing.evidence import Evidence, gather, of_case, script_of
from anonlib.filing.evidence.gather import MOST_CELLS
from anonlib.filing.evidence.report import Order
from anonlib.filing.project import Opened
from anonlib.verdict.attacks.attacking import Attacks, AttackSettings
from anonlib.verdict.attacks.attacking import seconds as seconds_of_attacks
from ui.files import projects
from ui.session import attacked, cache, long_work, view

INSIDE, ANYBODY = "Those who review it", "Anybody"


@dataclass(frozen=True)
class ReportQuestion:
    """What is asked of a report.

    Attributes
    ----------
    order : in which order it is filed.
    language : of the report, a code such as "de".
    public : whether anybody may read it.
    parts : what is looked at.
    target : the column that a task for the release predicts; "".
    people : everybody whom the file could have been drawn from, as stated on the Risk page; None where it is not.
    formats : in which formats it leaves beside the CSV.
    add : what is added to a report for anybody.
    """

    order: Order
    language: str
    public: bool
    parts: tuple[str, ...]
    target: str
    people: int | None
    formats: tuple[str, ...] = ()
    add: tuple[str, ...] = ()

    @property
    def looked_at(self) -> dict[str, Any]:
        """What is gathered, as arguments."""
        return {"parts": self.parts, "target": self.target, "people": self.people, "formats": self.formats}


AT_ONCE = 3.0  # seconds of its estimate; what takes longer shows how far it is
BY_ITSELF = 30.0  # seconds; what takes longer waits for its button


def gathered(question: ReportQuestion) -> Evidence | None:
    """What is filed, gathered once for the same project and file; None while it is not."""
    opened = projects.opened()
    seconds = _seconds(opened, question)
    if seconds <= AT_ONCE:
        return of_case(_gather(opened, **question.looked_at), opened.project)
    name = f"evidence {opened.key} {question.looked_at}"
    stage = ("Gathering the evidence", _gather.work(opened, **question.looked_at))
    evidence = long_work.best_so_far(name, [stage], seconds, by_itself=BY_ITSELF)
    return None if evidence is None else of_case(evidence, opened.project)


@cache.waited_for("Gathering the evidence", away_from=0)
def _gather(
    opened: Opened,
    *,
    parts: tuple[str, ...],
    target: str,
    people: int | None,
    formats: tuple[str, ...],
    progress: Progress = nobody,
) -> Evidence:
    return gather(
        opened, parts=parts, target=target, people=people, formats=formats, suggestions=view.suggested(opened.data),
        attacked=_attacked(opened), progress=share_alone(progress),
    )  # fmt: skip


def _attacked(opened: Opened) -> Attacks | None:
    """What came of the report's attacks, where they were tried on the page Attack; else None."""
    return attacked.already(opened.project.recipe, opened.data, opened.people, _attacker(opened))


def _seconds(opened: Opened, question: ReportQuestion) -> float:
    """About how long it takes on one core. Calibrated on the Adult data and on a million records."""
    data = opened.data
    cells = data.n_records * len(data.columns)
    task = 3 + 1.5e-5 * min(cells, 50_000 * len(data.columns)) if question.target else 0
    in_formats = 3e-6 * cells if cells <= MOST_CELLS else 0
    attacks = 0.0
    if "attacks" in question.parts and data.frame is not None and _attacked(opened) is None:
        attacks = seconds_of_attacks(data, opened.project.recipe, _attacker(opened))
    return 0.2 + cells * (4e-7 + 7e-7 * len(question.parts)) + in_formats + task + attacks


def _attacker(opened: Opened) -> AttackSettings:
    """The attacker of the report, who is that of the page Attack before anything is set there."""
    return AttackSettings.of(opened.data, opened.applied.released, opened.project.aim, opened.project.unknowable)


def document(evidence: Evidence, question: ReportQuestion, form: Callable[..., bytes]) -> bytes:
    """The report in a form, such as :func:`html_of`."""
    return form(evidence, question.order, public=question.public, add=question.add, language=question.language)


def script(opened: Opened, evidence: Evidence) -> bytes:
    """The program that makes the release again, as the bytes of its file."""
    return script_of(opened, evidence).encode()


def why_no_script(evidence: Evidence) -> str:
    """Why no program can make the release again; "" where one can."""
    try:
        script(projects.opened(), evidence)
    except InputError as error:
        return str(error)
    return ""

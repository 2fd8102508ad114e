"""What is asked about one sensitive column: smallest sets, what others add, a coarser column, the sidebar’s count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from anonlib.analyses.individuals import (
    BreachingSets,
    GeneralizationScan,
    LeaveOneOut,
    breaching_sets,
    generalization_scan,
    leave_one_out,
)
from anonlib.analyses.individuals.intervals import IntervalGrid
from anonlib.basics import figures, words
from anonlib.basics.progress import Progress
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import of_rows
from anonlib.verdict.criteria.inference import Certain
from pages.measure.individuals import results
from pages.measure.individuals.question import IndividualsQuestion
from pages.measure.individuals.results import ClassesToInfer
from ui.kit import page
from ui.session import cache, long_work, view


def adds(data: Dataset, question: IndividualsQuestion, sensitive: str, minimum: bool) -> tuple[LeaveOneOut, int]:
    """Leave-one-out, and the most known variables that were looked at: never more than the attacker knows."""
    classes = results.classes_of(data, question)
    known = len(classes.attributes) - 1
    if minimum:
        known = min(results.affordable(classes, question, sensitive), question.max_known or known)
    of, profile_question = ClassesToInfer.of(data, question), results.regardless(question)
    return _adds(of, question=profile_question, sensitive=sensitive, minimum=minimum, known=known), known


@cache.waited_for("Counting what each column adds", away_from=cache.MANY)
def _adds(
    of: ClassesToInfer, *, question: IndividualsQuestion, sensitive: str, minimum: bool, known: int
) -> LeaveOneOut:
    attacker = results.attacker_of(of.classes, replace(question, include_empty=False), known if minimum else "all")
    return leave_one_out(of.classes, sensitive, attacker, progress=long_work.let_go)


def given_away(data: Dataset, question: IndividualsQuestion, sensitive: str) -> tuple[LeaveOneOut, IndividualsQuestion]:
    """What each other column gives away to the attacker in force, and of which attacker that is counted.

    Who knows each column with a probability is taken as one who knows all.
    """
    attacker = replace(question, attacker="all") if question.attacker == "chance" else question
    additions, known = adds(data, attacker, sensitive, isinstance(attacker.attacker, int))
    return additions, replace(attacker, attacker=known) if isinstance(attacker.attacker, int) else attacker


def smallest_sets(data: Dataset, question: IndividualsQuestion, sensitive: str) -> tuple[BreachingSets, int]:
    """The smallest breaching sets, and the most known variables that were looked at."""
    classes = results.classes_of(data, question)
    most = results.affordable(classes, question, sensitive)
    known = min(question.attacker, most) if isinstance(question.attacker, int) else most
    sets_question = replace(results.regardless(question), threshold=question.threshold)
    of = ClassesToInfer.of(data, question)
    return _sets(of, question=sets_question, sensitive=sensitive, known=known), known


@cache.waited_for("Looking for the smallest sets", away_from=cache.MANY)
def _sets(of: ClassesToInfer, *, question: IndividualsQuestion, sensitive: str, known: int) -> BreachingSets:
    attacker = results.attacker_of(of.classes, question, known)
    return breaching_sets(of.classes, sensitive, attacker, p=question.threshold, progress=long_work.let_go)


def scan(
    data: Dataset, question: IndividualsQuestion, sensitive: str, attribute: str, max_width: float
) -> GeneralizationScan | None:
    """The scan at once for p = 0; above that by the button, in ever wider categories. p is the threshold of PPP.

    Equal labels count in it.
    """
    classes = results.labels_of(data, question)
    p = question.threshold if question.measure == "ppp" else 0.0
    if p == 0:
        return _scan_at_zero(
            data,
            question=results.regardless(question),
            sensitive=sensitive,
            attribute=attribute,
            width=max_width,
        )
    grid = grid_of(data, question, attribute)
    steps = max(1, round(max_width / grid.step))
    widths = [grid.width(n) for n in sorted({max(1, steps // 4), max(1, steps // 2), steps})]
    scanning = partial(_scanned, classes, sensitive, attribute, p, question.missing_is_harm)
    stages: list[long_work.Stage[GeneralizationScan]] = [
        (f"Trying every partition with categories of up to {width:g}", partial(scanning, width)) for width in widths
    ]
    n_sets = 2 ** (len(classes.attributes) - 2)
    seconds = 1 + classes.n_classes * n_sets * steps**2 * 4e-9
    harm = question.missing_is_harm
    name = f"scan {data.key} {question.variables} {sensitive} {attribute} {p} {max_width} {harm}"
    return long_work.best_so_far(name, stages, seconds)


def _scanned(
    classes: ClassTable, sensitive: str, attribute: str, p: float, harm: bool, width: float, progress: Progress
) -> GeneralizationScan:
    return generalization_scan(
        classes, sensitive, attribute, p=p, max_width=width, missing_is_harm=harm, progress=progress
    )


@cache.remembered
def _scan_at_zero(
    data: Dataset, *, question: IndividualsQuestion, sensitive: str, attribute: str, width: float
) -> GeneralizationScan:
    classes, harm = results.labels_of(data, question), question.missing_is_harm
    return generalization_scan(classes, sensitive, attribute, max_width=width, missing_is_harm=harm)


def grid_of(data: Dataset, question: IndividualsQuestion, attribute: str) -> IntervalGrid:
    classes = results.labels_of(data, question)
    return IntervalGrid.of(classes, classes.attributes.index(attribute))


def begin_width(grid: IntervalGrid) -> float:
    """About a seventh of the range, as a round number of steps: two at least, since one step is no coarser."""
    rounded = [times * 10**power for power in range(6) for times in (1, 2, 5)]
    widest = min(grid.n, max(2, grid.n / 7))
    return [steps for steps in rounded if steps <= widest][-1] * grid.step


@dataclass(frozen=True)
class FromTwo:
    """What is certain of sensitive columns to who knows two quasi-identifiers.

    Attributes
    ----------
    name : as it is called, with what is taken to be known of rows where persons have several.
    by_column : sensitive columns that leave; none where there are too many sets of columns to count.
    """

    name: str
    by_column: Mapping[str, Certain]


def certain_from_two(data: Dataset) -> FromTwo:
    """The count of the sidebar, of the original or of the release, whichever the page looks at."""
    now = view.now()
    of_release = now.data is not None and data.key != now.data.key
    by = f", with {of_rows(rows)}" if (rows := now.rows_asked) else ""
    pairs = now.asked.certain_from(view.MOST_KNOWN) or ()
    return FromTwo(
        f"{figures.CERTAIN_FROM_TWO.name}{by}", {pair[of_release].column: pair[of_release] for pair in pairs}
    )


def beside_the_sidebar(data: Dataset, question: IndividualsQuestion, focus: str) -> str:
    """Why the sidebar counts another number for a sensitive column, and which; "" where it counts the same people."""
    quasi = certain_from_two(data)
    certain = quasi.by_column.get(focus)
    if certain is None:
        return ""
    others = [name for name in data.sensitive if name in question.variables and name != focus]
    unknown = [name for name in data.quasi_identifiers if name not in question.variables]
    reasons = []
    if others:
        reasons.append(f"{page.listed(others)} may be known too")
    if unknown:
        reasons.append(f"{page.listed(unknown)} {'is' if len(unknown) == 1 else 'are'} not looked at")
    if any(values for name, values in view.now().aim.harmless if name == focus):
        reasons.append("values that harm nobody count as others do")
    if data.has_several_rows:
        reasons.append("persons count with the values of each column known")
    if not reasons:
        return ""
    return (
        f"Here {words.listed(reasons)}. {quasi.name[:1].upper()}{quasi.name[1:]}, as in the sidebar: "
        f"**{certain.certain:,}**."
    )

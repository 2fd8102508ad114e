"""What an anonymisation report under EMA Policy 0070 or Health Canada’s public release needs beside what is counted.

The threshold of 0.09: EMA, External guidance on the implementation of Policy 0070, chapter on anonymisation; Health
Canada, Public Release of Clinical Information, guidance document. Both take it from releases with a smallest class of
11; read strictly, 1 / 11 is above 0.09, and a class of 12 is asked for.
"""

from __future__ import annotations

from anonlib.basics import words
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.report.attacked import n_above
from anonlib.filing.evidence.report.wording import Wording
from anonlib.filing.report.blocks import Block, Callout, Cell, Paragraph, Table, Tone
from anonlib.verdict.criteria import BY_KEY, title_is_of

THRESHOLD = 0.09
"""The highest risk of re-identification in what is made public, by both guides."""
CONVENTION = 11
"""The smallest class that is taken to meet it, by convention."""
_SOURCE = (
    "EMA, External guidance on the implementation of Policy 0070, and Health Canada, Public Release of Clinical "
    "Information: 0.09, by the smallest class of 11 (“cell size”) that is common for public release (El Emam and "
    "Malin, in IOM 2015)."
)
PUBLIC = BY_KEY["public"].name
NOT_PUBLIC = f"They are not those for a public release: before this is published, it is to be assessed for “{PUBLIC}”."
NOT_BY_VISITS = (
    "Persons have several rows, and no criterion counts the risk by what somebody knows of these visits, which can be "
    "higher."
)
READY = (
    "By what was counted, the release may be published under the policy, as long as what was taken to be known holds; "
    "that is for the assessor to judge."
)
NOT_READY = "By what was counted, the release is not ready to be published under the policy."
"""What a conclusion says of a recipient, and of a release that is ready and one that is not."""
NOTE = f"{_SOURCE} A highest risk of 1 / {CONVENTION} is above 0.09 to the letter, and meets it by the convention."
"""Below a table of risks beside the threshold."""
APPROACH = (
    "The guides allow two ways: to show that nobody can be found (singling out), linked (linkability) or guessed "
    "(inference), or to evaluate the risk of re-identification. This report evaluates the risk, by counting, and "
    "answers the three questions by attacks beside it."
)


def approach(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """Which of the two ways of the guides is taken."""
    return (Paragraph(APPROACH),)


def threshold(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """The risk of each attacker beside 0.09, for every recipient."""
    before, after = evidence.before, evidence.after
    if before is None or after is None:
        return (Callout("Nothing is taken to be known, or no record leaves: no risk to compare.", "note"),)
    original = {each.attacker: each for each in before.attackers}
    rows = []
    for each in after.attackers:
        is_average = each.attacker == "marketer"
        was, now = (original[each.attacker].average, each.average) if is_average else (
            original[each.attacker].highest, each.highest,
        )  # fmt: skip
        kind = "average" if is_average else "highest"
        by = ", values known" if evidence.several_rows else ""
        rows.append((f"{each.attacker.capitalize()}, {kind}{by}", words.percent(was), words.percent(now), as_cell(now)))
    if (by_rows := _by_rows(evidence)) is not None:
        was, now = by_rows
        shown = (words.percent(was), words.percent(now))
        rows.append(("Prosecutor, highest, by what is known of visits", *shown, as_cell(now)))
    header = ("Attacker", "Original", "Release", f"At most {THRESHOLD}")
    return (
        Table(f"The risk beside the threshold of {THRESHOLD}", header, tuple(rows), (), (NOTE,)),
        Paragraph(
            "What is public has no known recipient: the highest risk is compared, and the average shown beside it. "
            f"The criteria that follow are those asked for “{evidence.recipient}”."
        ),
    )


def as_cell(risk: float) -> Cell:
    """Whether a risk is at most the threshold, for a table."""
    match stands(risk):
        case "met":
            return Cell("met", "met")
        case "by convention":
            return Cell("met by convention", "accepted")
    return Cell("not met", "not met")


def stands(risk: float) -> str:
    """How a risk stands to the threshold: "met", "by convention" or "not met"."""
    if risk <= THRESHOLD:
        return "met"
    return "by convention" if risk <= 1 / CONVENTION else "not met"


def conclusion(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """What follows of the threshold and the criteria, and of nothing else."""
    after = evidence.after
    if after is None:
        return (Callout("There is no release of which a risk was counted: nothing follows.", "not met", "Conclusion"),)
    who, highest = max(
        ((each.attacker, each.highest) for each in after.attackers if each.attacker != "marketer"),
        key=lambda pair: pair[1],
    )
    by_rows = _by_rows(evidence)
    if by_rows is not None and by_rows[1] >= highest:
        who, highest = "prosecutor", by_rows[1]
    how = stands(highest)
    is_counted = by_rows is not None or not evidence.several_rows
    n_met = sum(each.state == "met" for each in evidence.criteria)
    all_met = n_met == len(evidence.criteria) and not evidence.undecided
    sentences = [of_threshold(how, who, words.percent(highest))]
    if not is_counted:
        sentences.append(NOT_BY_VISITS)
    sentences.append(
        f"Of the criteria for “{evidence.recipient}”, {n_met} of {len(evidence.criteria)} are met"
        f"{f', {evidence.n_accepted} more accepted' if evidence.n_accepted else ''}."
    )
    if above := n_above(evidence):
        sentences.append(f"Beside that, attacks were tried. {above}")
    if evidence.recipient != PUBLIC:
        sentences.append(NOT_PUBLIC)
    if how != "not met" and is_counted and all_met and evidence.recipient == PUBLIC:
        sentences.append(READY)
        tone: Tone = "met"
    else:
        sentences.append(NOT_READY)
        tone = "not met"
    return (Callout(" ".join(sentences), tone, "Conclusion"),)


def _by_rows(evidence: Evidence) -> tuple[float, float] | None:
    """The highest risk of original and release by what is taken to be known of a person's rows.

    None where persons have one row each, or no criterion counts it.
    """
    if not evidence.several_rows:
        return None
    found = next((each for each in evidence.criteria if is_on_class_size(each.title)), None)
    sizes = [] if found is None else [each.replace(",", "") for each in (found.original, found.now)]
    if not sizes or not all(each.isdigit() and int(each) for each in sizes):
        return None
    return 1 / int(sizes[0]), 1 / int(sizes[1])


def is_on_class_size(title: str) -> bool:
    """Whether a criterion of this title asks how many share all that may be known."""
    return title_is_of(title, lambda kind: kind.limit_on("class_size") is not None)


def of_threshold(stands: str, who: str, highest: str) -> str:
    """The highest risk beside the threshold, in a sentence."""
    by = f"By the columns taken to be known outside, the {who}’s highest risk of re-identification in the release"
    match stands:
        case "met":
            return f"{by} is {highest}, at most the threshold of {THRESHOLD} ({words.percent(THRESHOLD)})."
        case "by convention":
            return (
                f"{by} is {highest}: above {THRESHOLD} ({words.percent(THRESHOLD)}) to the letter, and at the smallest "
                f"class of {CONVENTION} that is taken to meet it by convention."
            )
    return f"{by} is {highest}, above the threshold of {THRESHOLD} ({words.percent(THRESHOLD)})."

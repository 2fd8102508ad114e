"""The two pages at the front: the verdict and the numbers that matter first, then all of it in short."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from anonlib.basics import figures, words
from anonlib.basics.figures import MOST_SENSITIVE
from anonlib.basics.figures import NamedFigure as Counted
from anonlib.columns.roles import Role
from anonlib.filing.case import NOT_STATED, Order
from anonlib.filing.evidence.evidence import CONFIDENTIAL, Evidence, InferredFacts, RiskFacts
from anonlib.filing.evidence.report import sections
from anonlib.filing.evidence.report.results import class_sizes, gain_in_words, n_above
from anonlib.filing.evidence.report.wording import ReportWording, assess_again_by, some_quoted
from anonlib.filing.report.blocks import Block, Bullets, Callout, Facts, Paragraph, Table, Tone
from anonlib.verdict.attacks.in_words import gain, title
from anonlib.verdict.criteria import left_for_value_in_words

_REVIEW = (
    "This report is evidence for a qualified review, not a certificate. It counts what follows from the file and from "
    "what is taken to be known outside; whether that is so is for the reviewer to judge."
)
_WHO_ATTACKS = (
    "Classes and risks are by the columns taken to be known outside. The prosecutor knows that somebody is in the file "
    "and looks for their record; the marketer looks for as many as possible."
)
_MOST_STEPS = 4  # that are named in short
_LONGEST_STEP = 240  # characters of one that is


def facts(evidence: Evidence, say: ReportWording) -> Facts:
    """What is filed: the case in a few lines, the file, the date."""
    about = evidence.case
    pairs = (
        ("Case", f"{about.reference} {about.title}".strip() or NOT_STATED),
        ("Purpose", about.purpose or NOT_STATED),
        ("Requested by", about.requester or NOT_STATED),
        ("Recipient", " · ".join(filter(None, (about.recipient, evidence.recipient)))),
        ("File", evidence.file.name),
        ("Assessed by", evidence.who or NOT_STATED),
        ("Date", evidence.made_on),
        ("Made with", f"Anonscope {dict(evidence.versions)['Anonscope']}"),
    )
    return Facts(pairs)


def summary(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """The verdict, what it rests on, and the few numbers that matter first."""
    tone: Tone = "accepted" if evidence.is_by_reason else "met" if evidence.may_leave else "not met"
    against = evidence.is_by_reason and not evidence.may_leave
    first = "Leaves by a written reason although the verdict is against it. " if against else ""
    blocks: list[Block] = [Callout(f"{first}{evidence.verdict}", tone, "Verdict")]
    if reasons := [f"{criterion.title}: {criterion.accepted}" for criterion in evidence.criteria if criterion.accepted]:
        blocks.append(Callout("; ".join(reasons), "accepted", "Accepted although not met, because"))
    if evidence.learned:
        blocks.append(Callout(evidence.learned, "note", "Measured without a limit"))
    if evidence.is_confidential:
        blocks.append(Callout(CONFIDENTIAL, "accepted", "Confidential"))
    if evidence.leaves_anyway:
        blocks.append(Callout(evidence.leaves_anyway, "accepted", "Leaves although a criterion is not met, because"))
    if rows := _first_numbers(evidence, say):
        more = len(_most_certain(evidence)) - MOST_SENSITIVE
        notes = (f"Under inference: {words.count(more, 'more sensitive columns')}.",) if more > 0 else ()
        notes = (_WHO_ATTACKS, *notes)
        header = ("What is counted", "Original", "Release", "Counted in", "On screen")
        blocks.append(
            Table("Original and release", header, tuple(rows), ("left", "right", "right", "left", "left"), notes)
        )
    return (*blocks, Paragraph(_REVIEW))


def _first_numbers(evidence: Evidence, say: ReportWording) -> list[tuple[str, ...]]:
    before, after = evidence.before, evidence.after
    if before is None:
        return []
    by_values = evidence.several_rows

    def row(figure: Counted, original: str, release: str, name: str = "") -> tuple[str, ...]:
        name = name or figure.named(evidence.unit, evidence.k, by_values and figure is not figures.COUNTED)
        return name, original, release, figure.unit.format(unit=evidence.unit), _where(figure)

    def of_both(figure: Counted, shown: Callable[[RiskFacts], str]) -> tuple[str, ...]:
        return row(figure, shown(before), "–" if after is None else shown(after))

    rows = [
        row(figures.COUNTED, f"{before.records:,}", "0" if after is None else f"{after.records:,}"),
        of_both(figures.K, lambda risk: say.people(risk.k)),
        of_both(figures.ALONE, lambda risk: say.people(risk.unique)),
        of_both(figures.BELOW_K, lambda risk: say.people(risk.below_k)),
        of_both(figures.HIGHEST_RISK, lambda risk: words.percent(risk.attackers[0].highest)),
        of_both(
            figures.average_risk(before.attackers[-1].in_population),
            lambda risk: words.percent(risk.attackers[-1].average),
        ),
    ]
    certain = figures.CERTAIN_FROM_TWO
    rows += [
        row(
            certain,
            say.people(inferred.before),
            say.people(inferred.after),
            f"“{inferred.column}” {certain.name}{f', with {inferred.by}' if inferred.by else ''}",
        )
        for inferred in _most_certain(evidence)[:MOST_SENSITIVE]
    ]
    rows.append(row(figures.ROWS_KEPT, "100%", words.percent(evidence.records_kept), figures.ROWS_KEPT.name))
    if evidence.persons_kept is not None:
        rows.append(row(figures.PERSONS_KEPT, "100%", words.percent(evidence.persons_kept), figures.PERSONS_KEPT.name))
    entropy_kept = words.percent(evidence.information_kept)
    rows.append(row(figures.ENTROPY_KEPT, "100%", entropy_kept, figures.ENTROPY_KEPT.name))
    if evidence.lost is not None:
        rows.append(row(figures.DETAIL_LOST, "0%", words.percent(evidence.lost.share), figures.DETAIL_LOST.name))
    return rows


def _where(figure: Counted) -> str:
    """Where a figure is on screen: on a page, by the name that it has there, or in the sidebar of every page."""
    return figure.page if figure.page == figures.SIDEBAR else f"page {figure.page}"


def _most_certain(evidence: Evidence) -> list[InferredFacts]:
    """Sensitive columns that leave, with what is certain of them from two columns, those of most people first."""
    leave = {column.name for column in evidence.columns if column.leaves}
    from_two = [inferred for inferred in evidence.inferred if inferred.known == 2 and inferred.column in leave]
    return sorted(from_two, key=lambda inferred: -(inferred.after or 0))


# ---- in short ----


def in_short(evidence: Evidence, say: ReportWording, order: Order) -> tuple[Block, ...]:
    """All that follows in a page: what leaves, what was done, what is left of the risk, what it is good for."""
    points = [
        *_what_leaves(evidence, say),
        *_what_was_done(evidence, say),
        *_what_is_left(evidence, say),
        *_what_it_is_good_for(evidence, say),
        *_what_was_accepted(evidence),
        *_until_when(evidence),
    ]
    blocks: list[Block] = [Bullets(tuple(points)), *sections.lacking(evidence.case, order)]
    if evidence.before is not None and evidence.after is not None:
        blocks.append(class_sizes(evidence.before, evidence.after, evidence))
    return tuple(blocks)


def _names(evidence: Evidence, *roles: Role) -> tuple[list[str], str]:
    """The columns of these roles, and a sentence on those of them that do not leave; "" where all do."""
    columns = [column for column in evidence.columns if column.role in roles]
    staying = [column.name for column in columns if not column.leaves]
    return [column.name for column in columns], f" Not leaving, of these: {some_quoted(staying)}." if staying else ""


def _what_leaves(evidence: Evidence, say: ReportWording) -> list[str]:
    leaving = sum(column.leaves for column in evidence.columns)
    rows = "no file" if evidence.released is None else words.count(evidence.released.records, "rows")
    text = (
        f"What leaves: {rows}, {words.count(leaving, 'columns')} of {len(evidence.columns):,}, to: {evidence.recipient}"
        f"{f' ({evidence.case.recipient})' if evidence.case.recipient else ''}."
    )
    known, known_stay = _names(evidence, Role.QUASI_IDENTIFIER, Role.PLACE)
    sensitive, sensitive_stay = _names(evidence, Role.SENSITIVE)
    outside = f"Taken to be known outside: {some_quoted(known)}.{known_stay}"
    points = [text, outside if known else "Nothing is taken to be known."]
    if sensitive:
        points.append(f"Would harm if it were learned: {some_quoted(sensitive)}.{sensitive_stay}")
    if evidence.undecided:
        points.append(f"Nobody has decided on {some_quoted(evidence.undecided)}: not assessed.")
    return points


def _what_was_done(evidence: Evidence, say: ReportWording) -> list[str]:
    applied = [step for step in evidence.steps if step.applied]
    if not applied:
        return ["What was done: no step; identifiers do not leave, and the order is drawn by lot."]
    short = [step.says.rstrip(".") for step in applied if len(step.says) <= _LONGEST_STEP]
    named = short[: _MOST_STEPS if len(applied) > _MOST_STEPS + 1 else None]
    more = len(applied) - len(named)
    rest = [f"and {words.count(more, 'more steps')}" if named else words.count(more, "steps")] if more else []
    return [f"What was done: {'; '.join([*named, *rest])}."]


def _what_is_left(evidence: Evidence, say: ReportWording) -> list[str]:
    met = sum(criterion.state == "met" for criterion in evidence.criteria)
    points = [f"Criteria for {evidence.recipient}: {met} of {len(evidence.criteria)} met."] if evidence.criteria else []
    after = evidence.after
    if after is not None:
        points.append(
            "Left by the columns taken to be "
            f"known{', with the values of each known' if evidence.several_rows else ''}: the smallest class has "
            f"{say.people(after.k, True)}, {say.people(after.unique, True)} alone, the prosecutor’s highest risk "
            f"{words.percent(after.attackers[0].highest)}, the marketer’s average "
            f"{words.percent(after.attackers[-1].average)}."
        )
        if certain := [inferred for inferred in _most_certain(evidence) if inferred.after is not None]:
            points.append(
                f"Of sensitive columns, most is certain of “{certain[0].column}” to somebody who knows 2 "
                f"quasi-identifiers: for {say.share(certain[0].after, after.records)}."
            )
    if left := sum(left.persons for left in evidence.left_for_value):
        points.append(f"{left_for_value_in_words(left, evidence.unit)}.")
    if evidence.attacks is not None:
        rated = [(value, attack) for attack in evidence.attacks.attacks if (value := gain(attack)) is not None]
        if rated:
            _, most = max(rated, key=lambda pair: pair[0])
            points.append(
                f"Of {words.count(len(rated), 'attacks')} that were tried, “{title(most)}” gains most: "
                f"{gain_in_words(most)}. {n_above(evidence)}"
            )
    return points


def _what_it_is_good_for(evidence: Evidence, say: ReportWording) -> list[str]:
    points = [
        f"What it is good for: {words.percent(evidence.records_kept)} of rows and "
        f"{words.percent(evidence.information_kept)} of entropy kept."
    ]
    if evidence.lost is not None:
        points.append(f"{figures.DETAIL_LOST.name}: {words.percent(evidence.lost.share)}. {evidence.lost.says}")
    if evidence.left is not None and evidence.left.says:
        points.append(evidence.left.says)
    purposes = () if evidence.utility is None else evidence.utility.purposes
    shares = [f"{purpose.title}: {words.percent(purpose.share)}" for purpose in purposes if purpose.share is not None]
    return [*points, f"What must survive, kept: {'; '.join(shares)}."] if shares else points


def _what_was_accepted(evidence: Evidence) -> Sequence[str]:
    titles = [criterion.title for criterion in evidence.criteria if criterion.accepted]
    return [f"Accepted although not met: {words.listed(titles)}."] if titles else []


def _until_when(evidence: Evidence) -> Sequence[str]:
    until = evidence.case.until
    sentence = f"The recipient may keep it until {until}. " if until else ""
    return [f"{sentence}To be assessed again by {assess_again_by(evidence.made_on)}."]

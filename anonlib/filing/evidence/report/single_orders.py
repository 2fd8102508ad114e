"""The parts of a report that single orders ask for: catalogue, ethics, impact, public release, expert.

First comes the record of the data set for a catalogue under the EHDS regulation, to be read; its files are for
machines. It follows the properties of DCAT-AP and HealthDCAT-AP, which :mod:`anonlib.filing.record` writes as JSON-LD.
Next is what an ethics board and a data protection impact assessment ask for beside what is counted. The ethics board’s
order follows what the Declaration of Taipei (World Medical Association 2016) and guideline 12 of CIOMS (2016) ask of
the use of stored health data; the impact assessment follows Art. 35(7) of the General Data Protection Regulation.

Then comes what an anonymisation report under EMA Policy 0070 or Health Canada’s public release needs beside what is
counted. The threshold of 0.09 is that of EMA, External guidance on the implementation of Policy 0070, chapter on
anonymisation, and of Health Canada, Public Release of Clinical Information, guidance document. Both take it from
releases with a smallest class of 11; read strictly, 1 / 11 is above 0.09, and a class of 12 is asked for. At the end is
what a determination under 45 CFR 164.514(b)(1) needs beside what is counted: the principles, and what is signed. The
principles are those of the guidance of the Office for Civil Rights (2012), table 3: replicability, availability of
sources, distinguishability. The sentence to sign follows the rule; nobody but the expert can assert it.
"""

from __future__ import annotations

from anonlib.basics import figures, words
from anonlib.columns.roles import Role
from anonlib.filing.case import BY_NAME, NOT_STATED, ReleaseCase
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.report import sections
from anonlib.filing.evidence.report.results import n_above
from anonlib.filing.evidence.report.wording import ReportWording, assess_again_by, some_quoted
from anonlib.filing.report.blocks import Block, Bullets, Callout, Cell, Code, Facts, Paragraph, Statement, Table, Tone
from anonlib.verdict.criteria import BY_KEY, title_is_of

_MOST_COLUMNS_OF_RECORD = 300
_FILES = (
    "The record itself is a zip on the page Report: metadata as DCAT in JSON-LD with the properties of HealthDCAT-AP, "
    "a data dictionary, and a mock-up sample in which no row is of a person."
)


def description(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """What the data set is, who holds it, and on what ground it is given."""
    return of_case(evidence.case)


def of_case(about: ReleaseCase) -> tuple[Block, ...]:
    """The same of a case."""
    names = ("title", "purpose", "publisher", "contact", "access_body", "category", "subjects", "provenance")
    return (
        Paragraph(_FILES),
        Facts(tuple((BY_NAME[name].label, sections.stated(about, BY_NAME[name])) for name in names)),
    )


def counts(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """How many records and persons the release has."""
    released = evidence.released
    rows = "no file can be made yet" if released is None else f"{released.records:,}"
    persons = "not counted: rows are not tied to persons"
    if evidence.unit == "persons":
        persons = "–" if evidence.after is None else f"{evidence.after.records:,}"
    columns = sum(column.leaves for column in evidence.columns)
    pairs = (("Records", rows), ("Persons", persons), ("Columns", f"{columns:,}"))
    return (Facts(pairs),)


def variables(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """The columns that leave, with how many values each has."""
    leaving = [column for column in evidence.columns if column.leaves]
    rows = tuple(
        (column.name, Role(column.role).label if column.role else "not decided", f"{column.values_after:,}")
        for column in leaving[:_MOST_COLUMNS_OF_RECORD]
    )
    if not rows:
        return (Paragraph("No column leaves."),)
    more = len(leaving) - len(rows)
    unlisted = (f"Not listed: {words.count(more, 'more columns')}.",) if more else ()
    notes = ("Values: different ones in the release, missing not counted.", *unlisted)
    header = ("Variable", "Kind", "Values")
    return (Table("Variables", header, rows, ("left", "left", "right"), notes),)


def distribution(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """The files of the release with their digests, and who may have them."""
    access = "public" if evidence.recipient == BY_KEY["public"].name else "not public: on request"
    pairs = [("Access", f"{access} ({evidence.recipient})")]
    for name in ("legal_basis", "retention"):
        pairs.append((BY_NAME[name].label, sections.stated(evidence.case, BY_NAME[name])))
    if evidence.released is None:
        return (Facts(tuple(pairs)), Paragraph("No file can be made of this recipe yet."))
    digests = [f"{sha256} ({kind})" for kind, sha256 in evidence.released.on_record.items()]
    pairs.append(("Size of the CSV", words.size(evidence.released.bytes)))
    return (Facts(tuple(pairs)), Paragraph("SHA-256 of its files:"), Code("\n".join(digests)))


_ROUNDING = 1e-9  # by which shares of all cells may fall short of 1


def minimisation(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """What does not leave, and how coarse the rest is: no more than the purpose needs."""
    stays = [column for column in evidence.columns if not column.leaves]
    identifiers = [column.name for column in stays if column.role in (Role.IDENTIFIER, Role.PERSON_ID)]
    others = [column.name for column in stays if column.role not in (Role.IDENTIFIER, Role.PERSON_ID)]
    points = [
        f"Identifiers that do not leave: {words.quoted(identifiers)}." if identifiers else "No identifier is withheld.",
        f"Other columns that do not leave: {words.quoted(others)}." if others else "All other columns leave.",
    ]
    points += _as_they_were(evidence)
    entropy_kept = words.percent(evidence.information_kept)
    rows = words.percent(evidence.records_kept)
    points.append(f"Of all columns together, {entropy_kept} of entropy and {rows} of rows leave.")
    text = "Whether the purpose needs each of them is for the reader to judge. What was counted:"
    return (Paragraph(text), Bullets(tuple(points)))


def _as_they_were(evidence: Evidence) -> list[str]:
    """The columns of which every cell leaves as it was, and of the others that leave in part so, how many cells do."""
    decided = {column.name for column in evidence.columns if column.leaves and column.role}
    if not evidence.levels:  # in evidence of an old version
        whole = [column.name for column in evidence.columns if column.name in decided and column.information_kept == 1]
        return [f"With all their detail leave: {some_quoted(whole)}."] if whole else []
    shares, whole_kinds = dict[str, float](), ("as it was", "missing already")
    for column_levels in evidence.levels:
        if column_levels.column in decided and any(part.kind == "as it was" for part in column_levels.parts):
            shares[column_levels.column] = sum(part.share for part in column_levels.parts if part.kind in whole_kinds)
    whole = [name for name, share in shares.items() if share > 1 - _ROUNDING]
    points = [f"With every cell as it was leave: {some_quoted(whole)}."] if whole else []
    in_part = [f"“{name}” ({words.percent(share)})" for name, share in shares.items() if name not in whole]
    if in_part:
        listed = words.listed(in_part, most=8)
        points.append(f"With only a part of their cells as they were, missing ones among them, leave: {listed}.")
    return points


OPINION: tuple[Block, ...] = (
    Statement(
        "Opinion of the board on the release named here:   ☐ no objection   ☐ no objection under conditions   "
        "☐ returned with questions   ☐ refused",
        ("Conditions or questions", "For the board", "Place and date", "Signature"),
    ),
)
"""The board’s opinion, to be given: none is asserted."""


def opinion(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """The board’s opinion, to be given."""
    return OPINION


_PROPORTIONATE = "Art. 35(7)(b): whether the processing is necessary and proportionate to its purpose."


def proportionality(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """The legal basis and what the purpose needs, beside what leaves."""
    names = ("purpose", "legal_basis", "consent", "retention", "until")
    pairs = tuple((BY_NAME[name].label, sections.stated(evidence.case, BY_NAME[name])) for name in names)
    return (Paragraph(_PROPORTIONATE), Facts(pairs), *minimisation(evidence, say))


_RISKS = (
    ("Somebody is recognised", "alone to the prosecutor, by what is taken to be known"),
    (
        "Records of a person are linked with other data",
        "above the threshold for the journalist, who has the population table",
    ),
    (
        "Something is learned of a person",
        "a sensitive value is certain from 2 quasi-identifiers to somebody who knows these, of the column with most",
    ),
)


def risks(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """The three risks with whom they concern before and after; how severe they are is not counted."""
    total = 0 if evidence.before is None else evidence.before.records
    left = 0 if evidence.after is None else evidence.after.records
    counts = (_alone(evidence), _linked(evidence), _certain(evidence))
    by_values = "the values of each column known" if evidence.several_rows else ""
    known = (by_values, by_values, next((inferred.by for inferred in evidence.inferred), ""))
    rows = tuple(
        (
            risk,
            f"{measure} ({by})" if by else measure,
            say.share(before, total),
            say.share(after, left),
            _state(after),
        )
        for (risk, measure), by, (before, after) in zip(_RISKS, known, counts, strict=True)
    )
    note = (
        f"In {evidence.unit}. How severe each would be for a person (likelihood and severity, Art. 35(7)(c)) depends "
        "on what the columns tell, and is for the controller to judge. What is certain to somebody who knows sensitive "
        "values too stands with the criteria and the attacks."
    )
    by_rows = (figures.BY_VALUES,) if evidence.several_rows else ()
    header = ("Risk", "Counted as", "Original", "Release", "Concerns")
    return (
        Table(
            "Risks to rights and freedoms", header, rows, ("left", "left", "right", "right", "left"), (note, *by_rows)
        ),
    )


Both = tuple[int | None, int | None]


def _alone(evidence: Evidence) -> Both:
    before, after = evidence.before, evidence.after
    return None if before is None else before.unique, None if after is None else after.unique


def _linked(evidence: Evidence) -> Both:
    before, after = (
        next((attacker.at_risk for attacker in risk.attackers if attacker.attacker == "journalist"), None)
        if risk
        else None
        for risk in (evidence.before, evidence.after)
    )
    return before, after


def _certain(evidence: Evidence) -> Both:
    """Of the column with most; None where some column was too much to count, so that another may have more."""
    from_two = [inferred for inferred in evidence.inferred if inferred.known == 2]
    if any(inferred.before is None for inferred in from_two):
        return None, None
    before = [inferred.before for inferred in from_two if inferred.before is not None]
    after = [inferred.after for inferred in from_two if inferred.after is not None]
    return max(before, default=None), max(after, default=None)


def _state(after: int | None) -> Cell:
    if after is None:
        return Cell("not counted", "note")
    tone: Tone = "met" if after == 0 else "not met"
    return Cell("nobody" if after == 0 else "somebody", tone)


def advice(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """The advice of the data protection officer and the views of the data subjects, to be given."""
    return advice_on(evidence.case)


def advice_on(about: ReleaseCase) -> tuple[Block, ...]:
    """The same of a case."""
    return (
        Facts((("Data protection officer or reviewer", sections.stated(about, BY_NAME["reviewer"])),)),
        Statement(
            "Advice of the data protection officer (Art. 35(2)) on the release named here, and, where sought, the "
            "views of the data subjects or their representatives (Art. 35(9)):",
            ("Advice", "Views of data subjects", "Name", "Place and date", "Signature"),
        ),
    )


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


def approach(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """Which of the two ways of the guides is taken."""
    return (Paragraph(APPROACH),)


def threshold(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """The risk of each attacker beside 0.09, for every recipient."""
    before, after = evidence.before, evidence.after
    if before is None or after is None:
        return (Callout("Nothing is taken to be known, or no record leaves: no risk to compare.", "note"),)
    original = {attacker_before.attacker: attacker_before for attacker_before in before.attackers}
    rows = []
    for attacker in after.attackers:
        is_average = attacker.attacker == "marketer"
        was, now = (original[attacker.attacker].average, attacker.average) if is_average else (
            original[attacker.attacker].highest, attacker.highest,
        )  # fmt: skip
        kind = "average" if is_average else "highest"
        by = ", values known" if evidence.several_rows else ""
        rows.append(
            (f"{attacker.attacker.capitalize()}, {kind}{by}", words.percent(was), words.percent(now), as_cell(now))
        )
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


def conclusion(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """What follows of the threshold and the criteria, and of nothing else."""
    after = evidence.after
    if after is None:
        return (Callout("There is no release of which a risk was counted: nothing follows.", "not met", "Conclusion"),)
    who, highest = max(
        ((attacker.attacker, attacker.highest) for attacker in after.attackers if attacker.attacker != "marketer"),
        key=lambda pair: pair[1],
    )
    by_rows = _by_rows(evidence)
    if by_rows is not None and by_rows[1] >= highest:
        who, highest = "prosecutor", by_rows[1]
    how = stands(highest)
    is_counted = by_rows is not None or not evidence.several_rows
    n_met = sum(criterion.state == "met" for criterion in evidence.criteria)
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
    smallest = next((criterion for criterion in evidence.criteria if is_on_class_size(criterion.title)), None)
    sizes = [] if smallest is None else [figure.replace(",", "") for figure in (smallest.original, smallest.now)]
    if not sizes or not all(size.isdigit() and int(size) for size in sizes):
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


_RULE = (
    "The rule asks for a person with appropriate knowledge of and experience with generally accepted statistical and "
    "scientific principles and methods for rendering information not individually identifiable, who applies them, "
    "determines that the risk is very small, and documents methods and results. It names no number; the guidance of "
    "the Office for Civil Rights (2012) leaves the threshold to the expert."
)
PRINCIPLES = (
    "Replicability: whether a value stays with the person and comes again elsewhere, such as a birth date; a value "
    "that changes from day to day, such as a blood sugar, does not.",
    "Availability: whether somebody outside can have it, with a name, in a register, the news or by acquaintance.",
    "Distinguishability: how far it sets a person apart from others, alone and with other columns.",
)
_STATEMENT = (
    "Applying generally accepted statistical and scientific principles and methods, which this document and its "
    "annexes describe with their results, I have determined that the risk is very small that the information in the "
    "release named here could be used, alone or in combination with other reasonably available information, by an "
    "anticipated recipient to identify an individual who is a subject of the information (45 CFR 164.514(b)(1))."
)
_MOST_COLUMNS = 100


def qualifications(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """Who determines, and what makes them fit."""
    return of_expert(evidence.who, evidence.case.qualifications)


def of_expert(who: str, fit: str) -> tuple[Block, ...]:
    """The expert, what makes them fit, and what the rule asks of them."""
    pairs = (("Expert", who or NOT_STATED), ("Qualifications", fit or NOT_STATED))
    return (Facts(pairs), Paragraph(_RULE))


def principles(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """The three principles, column by column: two as decided in its role, the third as counted."""
    leaving = [
        column for column in evidence.columns if column.leaves and column.role not in (Role.WEIGHT, Role.PERSON_ID)
    ]
    rows = tuple(
        (column.name, outside(column.role), f"{column.values_after:,}", f"{column.entropy_after:.1f}")
        for column in leaving[:_MOST_COLUMNS]
    )
    more = len(leaving) - len(rows)
    notes = (
        "Replicable and available: as decided by the column’s role, with the reasons in the next table. Values and "
        "bits: in the release; the more bits, the further a column sets persons apart. What they do together is "
        "counted below.",
        *((f"Not listed: {words.count(more, 'more columns')}.",) if more else ()),
    )
    header = ("Column", "Replicable and available", "Values", "Bits")
    blocks: list[Block] = [Bullets(PRINCIPLES)]
    if rows:
        blocks.append(
            Table("The principles, column by column", header, rows, ("left", "left", "right", "right"), notes)
        )
    return tuple(blocks)


def outside(role: str) -> str:
    """Whether values of a column of a role are taken to come again outside, where somebody can have them."""
    if not role:
        return "not decided"
    return "taken to be both" if role in (Role.QUASI_IDENTIFIER, Role.PLACE) else "taken not to be available"


def findings(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """What speaks for and against a very small risk, for the expert to weigh: no conclusion."""
    n_met = sum(criterion.state == "met" for criterion in evidence.criteria)
    after = evidence.after
    points = [
        f"Threshold used: {words.percent(evidence.threshold)}, the highest risk of one of the {evidence.unit} that is "
        f"accepted, as decided for “{evidence.recipient}”; its sources stand with the criteria.",
        f"Criteria met: {n_met} of {len(evidence.criteria)}; accepted although not met: {evidence.n_accepted}.",
    ]
    if after is not None:
        points.append(
            f"By what is taken to be known{', values known' if evidence.several_rows else ''}: the prosecutor’s "
            f"highest risk {words.percent(after.attackers[0].highest)}, the marketer’s average "
            f"{words.percent(after.attackers[-1].average)}, {say.people(after.unique, True)} alone."
        )
    if evidence.undecided:
        points.append(f"Not assessed, since nobody has decided on them: {words.quoted(evidence.undecided)}.")
    return (
        Paragraph("Whether the risk is very small is the expert’s to determine. For that, this was found:"),
        Bullets(tuple(points)),
    )


def determination(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """The sentence that the expert may sign, unsigned."""
    released = evidence.released
    return to_sign("" if released is None else released.sha256, assess_again_by(evidence.made_on))


def to_sign(sha256: str, until: str) -> tuple[Block, ...]:
    """The sentence of a release with this digest, "" of none, that holds until a day."""
    file = "No file can be made of this recipe yet: there is nothing to determine."
    if sha256:
        file = f"The release: CSV with the SHA-256 {sha256}."
    return (
        Callout("Not signed. Anonscope counts; it determines nothing.", "note", "Determination"),
        Paragraph(file),
        Statement(
            f"{_STATEMENT} It holds until the date below, at the latest {until} as proposed, "
            "and as long as the data, the recipient and what is reasonably available stay as described.",
            ("Name and degrees", "Holds until", "Place and date", "Signature"),
        ),
    )

"""The parts of a report for anybody: what leaves, in the place of what those who review it read.

At the end are the parts that single orders ask for.
"""

from __future__ import annotations

from anonlib.basics import figures, words
from anonlib.columns.roles import Role
from anonlib.filing.case import BY_NAME, NOT_STATED, Order
from anonlib.filing.evidence.evidence import PART_NAMES, AloneFacts, RiskFacts
from anonlib.filing.evidence.report import sections, single_orders
from anonlib.filing.evidence.report.for_anybody import ForAnybody
from anonlib.filing.evidence.report.results import NOT_TRIED
from anonlib.filing.evidence.report.wording import assess_again_by, some_quoted, state
from anonlib.filing.report.blocks import Align, Block, Bullets, Callout, Cell, Code, Facts, Paragraph, Table, Tone

FILED = "Filed: it stands in the report for those who review it, as far as it was tried."
"""What stands for all that was counted on the original, or with it."""
_OF_WHAT = (
    "This report is for anybody. It counts the rows that leave, as everybody can who has them, and says what was "
    "decided. What was counted on the original, what attacks gain, and what the release is still good for stands in "
    "the report for those who review it, as far as it was tried."
)
_REVIEW = (
    "It is evidence for a qualified review, not a certificate. Whether what is taken to be known outside is so is for "
    "the reviewer to judge."
)
_MISSING = {
    "category": "A missing value of a column that may be known counts as a value of its own.",
    "drop": "No record leaves with a missing value of a column that may be known.",
}
_NONE_KNOWN = "No column that leaves is taken to be known outside, so that there is nothing to count."
_MORE_TABLES = "Of several tables that hang together, classes are counted for those who review it alone."
_EMPTY = "A cell without a value was missing, or was left blank to protect somebody: which of the two is not stated."
_NO_FILE = "No file leaves."


# ---- the front ----


def facts(say: ForAnybody) -> Facts:
    """What is filed: the case in a few lines, the file, the date."""
    about = say.case
    return Facts(
        (
            ("Case", f"{about.reference} {about.title}".strip() or NOT_STATED),
            ("Purpose", about.purpose or NOT_STATED),
            ("Requested by", about.requester or NOT_STATED),
            ("Recipient", " · ".join(filter(None, (about.recipient, say.recipient)))),
            ("File", say.file),
            ("Assessed by", say.who or NOT_STATED),
            ("Date", say.made_on),
            ("Made with", f"Anonscope {dict(say.versions)['Anonscope']}"),
            ("Version", "for anybody: nothing that was counted on the original"),
        )
    )


def summary(say: ForAnybody) -> tuple[Block, ...]:
    """The verdict, and the few numbers that matter first, of what leaves."""
    tone: Tone = "accepted" if say.is_by_reason else "met" if say.may_leave else "not met"
    against = say.is_by_reason and not say.may_leave
    first = "Leaves by a written reason although the verdict is against it. " if against else ""
    blocks: list[Block] = [Callout(f"{first}{say.verdict}", tone, "Verdict")]
    if names := [criterion.title for criterion in say.criteria if criterion.is_accepted]:
        blocks.append(Callout(f"{words.listed(names, most=len(names))}. The reasons are filed.", "accepted", _ACCEPTED))
    if say.added:
        blocks.append(Callout(" ".join(say.added), "note", "Added by who files this"))
    if rows := _first_numbers(say):
        blocks.append(
            Table("What leaves", ("What is counted", "What leaves", "Counted in"), rows, ("left", "right", "left"))
        )
    return (*blocks, Paragraph(_OF_WHAT), Paragraph(_REVIEW))


_ACCEPTED = "Accepted although not met"


def _first_numbers(say: ForAnybody) -> tuple[tuple[str, ...], ...]:
    counted = say.released
    if counted is None:
        return ()
    rows = [(figures.ROWS.name, f"{counted.rows:,}", "rows")]
    if counted.persons is not None:
        rows.append(("Persons", f"{counted.persons:,}", "persons"))
    risk = counted.risk
    if risk is not None:
        by_values = counted.several_rows
        rows += [
            (figure.named(say.counted_in, say.k, by_values), text, figure.unit.format(unit=say.counted_in))
            for figure, text in (
                (figures.K, f"{risk.k:,}"),
                (figures.ALONE, f"{risk.unique:,}"),
                (figures.BELOW_K, f"{risk.below_k:,}"),
                (figures.HIGHEST_RISK, words.percent(risk.attackers[0].highest)),
                (figures.AVERAGE_RISK, words.percent(risk.attackers[-1].average)),
            )
        ]
    return tuple(rows)


def in_short(say: ForAnybody, order: Order) -> tuple[Block, ...]:
    """All that follows in a page."""
    leaving = sum(column.leaves for column in say.columns)
    to = f"{say.recipient}{f' ({say.case.recipient})' if say.case.recipient else ''}"
    rows = "no file" if say.released is None else words.count(say.released.rows, "rows")
    points = [
        f"What leaves: {rows}, {words.count(leaving, 'columns')} of {len(say.columns):,}, to: {to}.",
        f"Taken to be known outside: {some_quoted(say.known)}." if say.known else "Nothing is taken to be known.",
    ]
    if sensitive := say.of_roles(Role.SENSITIVE):
        points.append(f"Would harm if it were learned: {some_quoted(sensitive)}.")
    if staying := [column.name for column in say.columns if not column.leaves]:
        points.append(f"What does not leave: {some_quoted(staying)}.")
    if say.undecided:
        points.append(f"Nobody has decided on {some_quoted(say.undecided)}: not assessed.")
    if say.criteria:
        points.append(f"Criteria for {say.recipient}: {say.n_met} of {len(say.criteria)} met.")
    if say.released is not None and (risk := say.released.risk) is not None:
        points.append(of_classes(say, risk))
    until = say.case.until
    sentence = f"The recipient may keep it until {until}. " if until else ""
    points.append(f"{sentence}To be assessed again by {assess_again_by(say.made_on)}.")
    return (Bullets(tuple(points)), *sections.lacking(say.case, order))


def of_classes(say: ForAnybody, risk: RiskFacts) -> str:
    """The smallest class, who is alone and two risks, in a sentence."""
    by_values = ", with the values of each known" if say.released is not None and say.released.several_rows else ""
    return (
        f"By the columns that leave and are taken to be known{by_values}: the smallest class has "
        f"{words.count(risk.k, say.counted_in)}, {words.count(risk.unique, say.counted_in)} alone, the prosecutor’s "
        f"highest risk {words.percent(risk.attackers[0].highest)}, the marketer’s average "
        f"{words.percent(risk.attackers[-1].average)}."
    )


# ---- the data, columns, what was done ----


def data(say: ForAnybody) -> tuple[Block, ...]:
    """What leaves, and who gets it."""
    pairs = [("File", say.file)]
    if say.released is not None:
        pairs.append(("Rows that leave", f"{say.released.rows:,}"))
        if say.released.persons is not None:
            pairs.append(("Persons that leave", f"{say.released.persons:,}"))
    pairs += [
        ("Columns", f"{len(say.columns):,}, of which {sum(column.leaves for column in say.columns):,} leave"),
        ("Kind of recipient", say.recipient),
        ("Who that is", say.to_whom),
    ]
    return (
        Facts(tuple(pairs)),
        *_tables(say),
        Paragraph(
            f"Counts are of {say.counted_in} that leave. {_MISSING[say.missing]} The smallest class that is accepted "
            f"is k = {say.k}; a risk above {words.percent(say.threshold)} is too high."
        ),
    )


def _tables(say: ForAnybody) -> tuple[Block, ...]:
    if len(say.parts) < 2:
        return ()
    rows = tuple((name, below or "–", by or "–", f"{leave:,}") for name, below, by, leave in say.parts)
    header = ("Table", "Hangs below", "By its column", "Rows that leave")
    return (Table("Tables of the case", header, rows, ("left", "left", "left", "right")),)


def roles(say: ForAnybody) -> tuple[Block, ...]:
    """What each column is, and whether it leaves."""
    counted = {} if say.released is None else {column.name: column for column in say.released.columns}
    rows = tuple(
        (
            column.name,
            Role(column.role).label if column.role else Cell("nobody has decided", "not met"),
            number(counted[column.name].values) if column.name in counted else "does not leave",
        )
        for column in say.columns
    )
    header = ("Column", "Role", "Different values that leave")
    blocks: list[Block] = [
        Paragraph(
            "A role says what part a column plays: an identifier names a person and never leaves; a quasi-identifier "
            "or a place may be known outside; a sensitive column would harm if it were learned."
        ),
        Table("Columns and their roles", header, rows, ("left", "left", "right")),
    ]
    if say.undecided:
        names = words.listed([f"“{name}”" for name in say.undecided], most=20)
        blocks.append(Callout(f"Nobody has decided what {names} can tell an outsider: not assessed.", "not met"))
    return tuple(blocks)


def number(values: int | None) -> str:
    """How many values there are, in words; None: more than were counted."""
    return "more than a million" if values is None else f"{values:,}"


def done(say: ForAnybody) -> tuple[Block, ...]:
    """How columns leave, by the labels that occur in what leaves, and what was chosen that labels do not show."""
    points = [
        *not_leaving(say),
        "Records leave in an order drawn at random, and ids of persons as numbers drawn at random."
        if say.pseudonyms is None
        else "Records leave in an order drawn at random.",
    ]
    if say.pseudonyms is not None:
        points += sections.by_key(say.pseudonyms)
    if say.released is not None:
        points += [f"{sentence.rstrip('.')}." for sentence in say.released.chosen]
        points += [f"In “{name}” identifiers are looked for and replaced." for name in say.released.redacted]
    points.append("How many rows or persons were left out, if any, is not stated.")
    return (Bullets(tuple(points)), *_labels(say))


def not_leaving(say: ForAnybody) -> list[str]:
    """Two sentences: the identifiers that do not leave, and the other columns that do not."""
    stays = [column for column in say.columns if not column.leaves]
    identifiers = [column.name for column in stays if column.role in (Role.IDENTIFIER, Role.PERSON_ID)]
    others = [column.name for column in stays if column.role not in (Role.IDENTIFIER, Role.PERSON_ID)]
    return [
        f"Identifiers that do not leave: {words.quoted(identifiers)}." if identifiers else "No identifier is withheld.",
        f"Other columns that do not leave: {words.quoted(others)}." if others else "All other columns leave.",
    ]


def _labels(say: ForAnybody) -> tuple[Block, ...]:
    """The labels of each column that leaves and may be known, as they stand in what leaves."""
    known = {*say.known}
    leaving = () if say.released is None else tuple(column for column in say.released.columns if column.name in known)
    if not leaving:
        return ()
    rows = tuple(
        (column.name, ", ".join(column.labels) or f"{number(column.values)} different ones", f"{column.blanks:,}")
        for column in leaving
    )
    header = ("Column", "Labels that leave", "Rows without")
    return (Table("Columns that may be known, as they leave", header, rows, ("left", "left", "right"), (_EMPTY,)),)


# ---- criteria ----


def criteria(say: ForAnybody) -> tuple[Block, ...]:
    """What must hold for the recipient, each criterion with its state and the source of its limit."""
    if not say.criteria:
        return (Callout("No criterion is asked, so that nothing can be met.", "not met"),)
    rows = tuple(
        (criterion.title, criterion.bound, state(criterion.state, criterion.is_accepted)) for criterion in say.criteria
    )
    blocks: list[Block] = [Table("What the release must meet", ("Criterion", "Must be", "State"), rows)]
    if asks := tuple(f"{criterion.title}: {criterion.asks}" for criterion in say.criteria if criterion.asks):
        blocks.append(Bullets(asks))
    if sources := tuple(f"{criterion.title}: {criterion.source}" for criterion in say.criteria if criterion.source):
        blocks += [Paragraph("Where the limits come from:"), Bullets(sources)]
    if say.measured:
        named = words.listed(say.measured, most=len(say.measured))
        blocks.append(Paragraph(f"Measured without a limit, which is not asked of this recipient: {named}. {FILED}"))
    return tuple(blocks)


def accepted(say: ForAnybody) -> tuple[Block, ...]:
    """What is not met and accepted, and what was stated."""
    titles = [criterion.title for criterion in say.criteria if criterion.is_accepted]
    points = [f"{_ACCEPTED}: {title}. The reason is filed." for title in titles]
    points += [
        f"{words.count(n, 'values')} of “{column}” may be certain to anybody, since "
        f"{'it harms' if n == 1 else 'they harm'} nobody, as was stated."
        for column, n in say.harmless
    ]
    if say.unknowable:
        points.append(f"Nobody outside can know {words.quoted(say.unknowable)}, as was stated.")
    if say.is_by_reason and not say.may_leave:
        points.append("It leaves although the verdict is against it. The reason is filed.")
    if points:
        return (Bullets(tuple(points)),)
    return (Paragraph("Nothing was accepted that is not met, and nothing was stated beyond the roles."),)


# ---- what is left of the risk ----


def singling_out(say: ForAnybody) -> tuple[Block, ...]:
    """Classes by what may be known, and who is alone by a few of all columns, counted on the rows that leave."""
    counted = say.released
    question = "Is it still possible to single out an individual?"
    if counted is None:
        return (Callout(_NO_FILE, "note", question),)
    by_attacks = f"What attacks gain. {_filed(say, 'attacks')}"
    by_labels = () if counted.alone is None else (Paragraph(_of_alone(say, counted.alone)),)
    risk = counted.risk
    if risk is None:
        nothing = _MORE_TABLES if say.parts else _NONE_KNOWN
        return (Callout(nothing, "note", question), *by_labels, Paragraph(by_attacks))
    rows = tuple(
        (
            attacker.attacker.capitalize(),
            "–" if attacker.attacker == "marketer" else words.percent(attacker.highest),
            words.percent(attacker.average),
            "–" if attacker.attacker == "marketer" else f"{attacker.at_risk:,}",
        )
        for attacker in risk.attackers
    )
    header = ("Attacker", "Highest risk", "Average risk", f"{say.counted_in.capitalize()} at risk")
    note = f"At risk: above {words.percent(say.threshold)}. Both know the columns that leave and may be known."
    return (
        Callout(of_classes(say, risk), "note", question),
        Table("Risk of re-identification of what leaves", header, rows, ("left", "right", "right", "right"), (note,)),
        *by_labels,
        Paragraph(by_attacks),
    )


def _of_alone(say: ForAnybody, facts: AloneFacts) -> str:
    columns = words.count(len(facts.columns), "columns")
    alone, below = (words.share(n, facts.of, say.counted_in) for n in (facts.alone, facts.below))
    aside = f" Not looked at: {words.quoted(facts.aside)}." if facts.aside else ""
    return (
        f"Who knows the labels of any {facts.known} of the {columns} that leave, sensitive ones too, finds {alone} "
        f"alone, and {below} among fewer than {facts.k} like them. Where labels of several levels stand side by side, "
        f"who knows a value does not know the label, and is left with more.{aside} {facts.not_counted}"
    ).rstrip()


def linking(say: ForAnybody) -> tuple[Block, ...]:
    """That linking was tried."""
    return (Callout(_filed(say, "attacks"), "note", "Is it still possible to link records relating to an individual?"),)


def inference(say: ForAnybody) -> tuple[Block, ...]:
    """l and t of the classes of what leaves."""
    blocks: list[Block] = [
        Callout(_filed(say, "inference"), "note", "Can information be inferred concerning an individual?")
    ]
    if say.released is not None and say.released.sensitive:
        rows = tuple(
            (name, f"{facts.distinct_l}", f"{facts.entropy_l:.2f}", f"{facts.t_equal:.2f}")
            for name, facts in say.released.sensitive
        )
        of_classes = (figures.DISTINCT_L, figures.ENTROPY_L, figures.T_EQUAL)
        header = ("Sensitive column", *(figure.name for figure in of_classes))
        notes = tuple(f"{figure.name}: {figure.meaning()}" for figure in of_classes)
        align: tuple[Align, ...] = ("left", "right", "right", "right")
        blocks.append(Table("Classes of all known columns, of what leaves", header, rows, align, notes))
    return tuple(blocks)


def _filed(say: ForAnybody, part: str) -> str:
    return "Left out of this assessment by choice." if part in say.left_out else FILED


def assumptions(say: ForAnybody) -> tuple[Block, ...]:
    """That attacks were tried, and what was not."""
    return (
        Paragraph(f"Attacks that single out, link and guess. {_filed(say, 'attacks')}"),
        Paragraph("What was not tried:"),
        Bullets(NOT_TRIED),
        Callout("An attack that fails shows that this attack failed, and does not prove that no other succeeds."),
    )


def useful(say: ForAnybody) -> tuple[Block, ...]:
    """That it was measured what the release is good for."""
    about = "How far distributions, associations and analyses are as in the original."
    return (Paragraph(f"{about} {_filed(say, 'utility')}"),)


def limits(say: ForAnybody) -> tuple[Block, ...]:
    """What this assessment does not say, and when it must be made again."""
    redacted = () if say.released is None else say.released.redacted
    points = [
        "It holds for what is taken to be known outside. An attacker who knows another column knows more than is "
        "counted.",
        "It does not look at images or linked files, nor at how the recipient keeps the file.",
        "Risks are of the file as it is: another release of the same persons must be assessed together with this one.",
    ]
    if redacted:
        points.append(
            f"In the free text of {words.quoted(redacted)} it looks for names, dates and numbers that identify, by "
            "lists, titles and patterns, which miss some; what else a text tells is not looked at."
        )
    if say.left_out:
        names = [PART_NAMES[part].lower() for part in say.left_out]
        points.append(f"Left out of this assessment by choice: {words.listed(names, most=len(names))}.")
    return (
        Bullets(tuple(points)),
        Callout(
            f"Assess again by {assess_again_by(say.made_on)}, and before that when the file, the recipient, what "
            "may be known outside or the population changes.",
            "note",
            "Re-assessment",
        ),
    )


def listed_digests(say: ForAnybody) -> str:
    """The SHA-256 of the release in each format, a line each."""
    return "\n".join(f"{sha256} ({kind})" for kind, sha256 in say.digests)


# ---- annexes ----


def definitions(say: ForAnybody) -> tuple[Block, ...]:
    """What the terms mean."""
    shown = (figures.K, figures.ALONE, figures.BELOW_K, figures.HIGHEST_RISK, figures.AVERAGE_RISK, figures.VALUES)
    return (
        Facts(
            (
                ("Class", f"All {say.counted_in} with the same values in every column that may be known."),
                *((figure.named(say.counted_in, say.k), figure.meaning(say.counted_in)) for figure in shown),
                ("Prosecutor’s risk", "1 / the size of the class (El Emam 2013)."),
            )
        ),
    )


def threats(say: ForAnybody) -> tuple[Block, ...]:
    """Who attacks, with what knowledge."""
    return sections.of_threats(say.known, say.unknowable)


def versions(say: ForAnybody) -> tuple[Block, ...]:
    """What it was made with, and the digests of what leaves: with that of the original a guess could be confirmed."""
    about = Paragraph("SHA-256 of what leaves. That of the original stands in the report for those who review it.")
    return (Facts(say.versions), about, *([Code(listed_digests(say))] if say.digests else ()))


def minimisation(say: ForAnybody) -> tuple[Block, ...]:
    """What does not leave: no more than the purpose needs."""
    text = "Whether the purpose needs each column that leaves is for the reader to judge."
    return (
        Paragraph(text),
        Bullets((*not_leaving(say), "How coarse the others leave stands with their labels.")),
    )


def proportionality(say: ForAnybody) -> tuple[Block, ...]:
    """The legal basis and what the purpose needs, beside what does not leave."""
    names = ("purpose", "legal_basis", "consent", "retention", "until")
    pairs = tuple((BY_NAME[name].label, sections.stated(say.case, BY_NAME[name])) for name in names)
    rule = "Art. 35(7)(b): whether the processing is necessary and proportionate to its purpose."
    return (Paragraph(rule), Facts(pairs), *minimisation(say))


def risks(say: ForAnybody) -> tuple[Block, ...]:
    """The three risks of an impact assessment: what can be counted of what leaves."""
    risk = None if say.released is None else say.released.risk
    alone = "not counted" if risk is None else words.share(risk.unique, risk.records, say.counted_in)
    rows = (
        ("Somebody is recognised", "alone to the prosecutor, by what is taken to be known", alone),
        ("Records of a person are linked with other data", "by attacks", "filed"),
        ("Something is learned of a person", "certain to somebody who knows a few facts", "filed"),
    )
    note = (
        "How severe each would be for a person (likelihood and severity, Art. 35(7)(c)) depends on what the columns "
        "tell, and is for the controller to judge."
    )
    return (Table("Risks to rights and freedoms", ("Risk", "Counted as", "What leaves"), rows, (), (note,)),)


def threshold(say: ForAnybody) -> tuple[Block, ...]:
    """The risk of what leaves beside 0.09."""
    risk_facts = None if say.released is None else say.released.risk
    if risk_facts is None:
        return (Callout("Nothing is taken to be known, or no record leaves: no risk to compare.", "note"),)
    rows = tuple(
        (f"{attacker.attacker.capitalize()}, {kind}", words.percent(risk), single_orders.as_cell(risk))
        for attacker in risk_facts.attackers
        for kind, risk in [
            ("average", attacker.average) if attacker.attacker == "marketer" else ("highest", attacker.highest)
        ]
    )
    header = ("Attacker", "What leaves", f"At most {single_orders.THRESHOLD}")
    return (
        Table(f"The risk beside the threshold of {single_orders.THRESHOLD}", header, rows, (), (single_orders.NOTE,)),
    )


def conclusion(say: ForAnybody) -> tuple[Block, ...]:
    """What follows of the threshold and the criteria."""
    risk = None if say.released is None else say.released.risk
    if risk is None or say.released is None:
        return (Callout("There is no release of which a risk was counted: nothing follows.", "not met", "Conclusion"),)
    highest = risk.attackers[0].highest
    stands = single_orders.stands(highest)
    counts_visits = say.k >= single_orders.CONVENTION and _is_met_on_class_size(say)  # which bounds the risk by them
    is_counted = counts_visits or not say.released.several_rows
    sentences = [single_orders.of_threshold(stands, "prosecutor", words.percent(highest))]
    sentences += [] if is_counted else [single_orders.NOT_BY_VISITS]
    more = f", {say.n_accepted} more accepted" if say.n_accepted else ""
    sentences.append(f"Of the criteria for “{say.recipient}”, {say.n_met} of {len(say.criteria)} are met{more}.")
    if say.recipient != single_orders.PUBLIC:
        sentences.append(single_orders.NOT_PUBLIC)
    all_met = say.n_met == len(say.criteria) and not say.undecided
    is_ready = stands != "not met" and all_met and is_counted and say.recipient == single_orders.PUBLIC
    sentences.append(single_orders.READY if is_ready else single_orders.NOT_READY)
    return (Callout(" ".join(sentences), "met" if is_ready else "not met", "Conclusion"),)


def _is_met_on_class_size(say: ForAnybody) -> bool:
    return any(
        single_orders.is_on_class_size(criterion.title) and criterion.state == "met" for criterion in say.criteria
    )


def principles(say: ForAnybody) -> tuple[Block, ...]:
    """The three principles of the expert, column by column."""
    counted = {} if say.released is None else {column.name: column.values for column in say.released.columns}
    rows = tuple(
        (column.name, single_orders.outside(column.role), number(counted[column.name]))
        for column in say.columns
        if column.name in counted and column.role not in (Role.WEIGHT, Role.PERSON_ID)
    )
    blocks: list[Block] = [Bullets(single_orders.PRINCIPLES)]
    if rows:
        header = ("Column", "Replicable and available", "Values that leave")
        blocks.append(Table("The principles, column by column", header, rows, ("left", "left", "right")))
    return tuple(blocks)


def findings(say: ForAnybody) -> tuple[Block, ...]:
    """What speaks for and against a very small risk, for the expert to weigh."""
    points = [f"Criteria met: {say.n_met} of {len(say.criteria)}; accepted although not met: {say.n_accepted}."]
    if say.released is not None and say.released.risk is not None:
        points.append(of_classes(say, say.released.risk))
    if say.undecided:
        points.append(f"Not assessed, since nobody has decided on them: {words.quoted(say.undecided)}.")
    text = "Whether the risk is very small is the expert’s to determine. For that, this was found of what leaves:"
    return (Paragraph(text), Bullets(tuple(points)))


def determination(say: ForAnybody) -> tuple[Block, ...]:
    """The sentence that the expert may sign, unsigned."""
    file = dict(say.digests).get("CSV", "")
    return single_orders.to_sign(file, assess_again_by(say.made_on))


def description(say: ForAnybody) -> tuple[Block, ...]:
    """What the data set is, who holds it, and on what ground it is given."""
    return single_orders.of_case(say.case)


def counts(say: ForAnybody) -> tuple[Block, ...]:
    """How many rows and persons leave."""
    counted = say.released
    pairs = (
        ("Records", "no file can be made yet" if counted is None else f"{counted.rows:,}"),
        ("Persons", "not counted" if counted is None or counted.persons is None else f"{counted.persons:,}"),
        ("Columns", f"{sum(column.leaves for column in say.columns):,}"),
    )
    return (Facts(pairs),)


def variables(say: ForAnybody) -> tuple[Block, ...]:
    """The columns that leave, with how many values each has."""
    role_of = {column.name: column.role for column in say.columns}
    leaving = () if say.released is None else say.released.columns
    rows = tuple(
        (
            column.name,
            Role(role).label if (role := role_of.get(column.name)) else "not decided",
            number(column.values),
        )
        for column in leaving
    )
    if not rows:
        return (Paragraph("No column leaves."),)
    notes = ("Values: different ones in the release, missing not counted.",)
    return (Table("Variables", ("Variable", "Kind", "Values"), rows, ("left", "left", "right"), notes),)


def distribution(say: ForAnybody) -> tuple[Block, ...]:
    """The files of the release with their digests, and who may have them."""
    access = "public" if say.recipient == single_orders.PUBLIC else "not public: on request"
    pairs = [("Access", f"{access} ({say.recipient})")]
    pairs += [(BY_NAME[name].label, sections.stated(say.case, BY_NAME[name])) for name in ("legal_basis", "retention")]
    if say.released is None:
        return (Facts(tuple(pairs)), Paragraph("No file can be made of this recipe yet."))
    pairs.append(("Size of the CSV", words.size(say.size)))
    return (Facts(tuple(pairs)), Paragraph("SHA-256 of its files:"), Code(listed_digests(say)))

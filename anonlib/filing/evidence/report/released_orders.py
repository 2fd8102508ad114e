"""The parts of a report for anybody that single orders ask for."""

from __future__ import annotations

from anonlib.basics import words
from anonlib.columns.roles import Role
from anonlib.filing.case import BY_NAME
from anonlib.filing.evidence.report import case, dataset, ema, expert, released
from anonlib.filing.evidence.report.for_anybody import ForAnybody
from anonlib.filing.evidence.report.wording import assess_again_by
from anonlib.filing.report.blocks import Block, Bullets, Callout, Code, Facts, Paragraph, Table


def minimisation(say: ForAnybody) -> tuple[Block, ...]:
    """What does not leave: no more than the purpose needs."""
    text = "Whether the purpose needs each column that leaves is for the reader to judge."
    return (
        Paragraph(text),
        Bullets((*released.not_leaving(say), "How coarse the others leave stands with their labels.")),
    )


def proportionality(say: ForAnybody) -> tuple[Block, ...]:
    """The legal basis and what the purpose needs, beside what does not leave."""
    names = ("purpose", "legal_basis", "consent", "retention", "until")
    pairs = tuple((BY_NAME[name].label, case.stated(say.case, BY_NAME[name])) for name in names)
    rule = "Art. 35(7)(b): whether the processing is necessary and proportionate to its purpose."
    return (Paragraph(rule), Facts(pairs), *minimisation(say))


def risks(say: ForAnybody) -> tuple[Block, ...]:
    """The three risks of an impact assessment: what can be counted of what leaves."""
    found = None if say.released is None else say.released.risk
    alone = "not counted" if found is None else words.share(found.unique, found.records, say.counted_in)
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
    found = None if say.released is None else say.released.risk
    if found is None:
        return (Callout("Nothing is taken to be known, or no record leaves: no risk to compare.", "note"),)
    rows = tuple(
        (f"{each.attacker.capitalize()}, {kind}", words.percent(risk), ema.as_cell(risk))
        for each in found.attackers
        for kind, risk in [("average", each.average) if each.attacker == "marketer" else ("highest", each.highest)]
    )
    header = ("Attacker", "What leaves", f"At most {ema.THRESHOLD}")
    return (Table(f"The risk beside the threshold of {ema.THRESHOLD}", header, rows, (), (ema.NOTE,)),)


def conclusion(say: ForAnybody) -> tuple[Block, ...]:
    """What follows of the threshold and the criteria."""
    found = None if say.released is None else say.released.risk
    if found is None or say.released is None:
        return (Callout("There is no release of which a risk was counted: nothing follows.", "not met", "Conclusion"),)
    highest = found.attackers[0].highest
    stands = ema.stands(highest)
    counts_visits = say.k >= ema.CONVENTION and _is_met_on_class_size(say)  # which bounds the risk by them
    is_counted = counts_visits or not say.released.several_rows
    sentences = [ema.of_threshold(stands, "prosecutor", words.percent(highest))]
    sentences += [] if is_counted else [ema.NOT_BY_VISITS]
    more = f", {say.n_accepted} more accepted" if say.n_accepted else ""
    sentences.append(f"Of the criteria for “{say.recipient}”, {say.n_met} of {len(say.criteria)} are met{more}.")
    if say.recipient != ema.PUBLIC:
        sentences.append(ema.NOT_PUBLIC)
    all_met = say.n_met == len(say.criteria) and not say.undecided
    is_ready = stands != "not met" and all_met and is_counted and say.recipient == ema.PUBLIC
    sentences.append(ema.READY if is_ready else ema.NOT_READY)
    return (Callout(" ".join(sentences), "met" if is_ready else "not met", "Conclusion"),)


def _is_met_on_class_size(say: ForAnybody) -> bool:
    return any(ema.is_on_class_size(each.title) and each.state == "met" for each in say.criteria)


def principles(say: ForAnybody) -> tuple[Block, ...]:
    """The three principles of the expert, column by column."""
    counted = {} if say.released is None else {each.name: each.values for each in say.released.columns}
    rows = tuple(
        (each.name, expert.outside(each.role), released.number(counted[each.name]))
        for each in say.columns
        if each.name in counted and each.role not in (Role.WEIGHT, Role.PERSON_ID)
    )
    blocks: list[Block] = [Bullets(expert.PRINCIPLES)]
    if rows:
        header = ("Column", "Replicable and available", "Values that leave")
        blocks.append(Table("The principles, column by column", header, rows, ("left", "left", "right")))
    return tuple(blocks)


def findings(say: ForAnybody) -> tuple[Block, ...]:
    """What speaks for and against a very small risk, for the expert to weigh."""
    points = [f"Criteria met: {say.n_met} of {len(say.criteria)}; accepted although not met: {say.n_accepted}."]
    if say.released is not None and say.released.risk is not None:
        points.append(released.of_classes(say, say.released.risk))
    if say.undecided:
        points.append(f"Not assessed, since nobody has decided on them: {words.quoted(say.undecided)}.")
    text = "Whether the risk is very small is the expert’s to determine. For that, this was found of what leaves:"
    return (Paragraph(text), Bullets(tuple(points)))


def determination(say: ForAnybody) -> tuple[Block, ...]:
    """The sentence that the expert may sign, unsigned."""
    file = dict(say.digests).get("CSV", "")
    return expert.to_sign(file, assess_again_by(say.made_on))


def description(say: ForAnybody) -> tuple[Block, ...]:
    """What the data set is, who holds it, and on what ground it is given."""
    return dataset.of_case(say.case)


def counts(say: ForAnybody) -> tuple[Block, ...]:
    """How many rows and persons leave."""
    counted = say.released
    pairs = (
        ("Records", "no file can be made yet" if counted is None else f"{counted.rows:,}"),
        ("Persons", "not counted" if counted is None or counted.persons is None else f"{counted.persons:,}"),
        ("Columns", f"{sum(each.leaves for each in say.columns):,}"),
    )
    return (Facts(pairs),)


def variables(say: ForAnybody) -> tuple[Block, ...]:
    """The columns that leave, with how many values each has."""
    role_of = {each.name: each.role for each in say.columns}
    leaving = () if say.released is None else say.released.columns
    rows = tuple(
        (
            each.name,
            Role(role).label if (role := role_of.get(each.name)) else "not decided",
            released.number(each.values),
        )
        for each in leaving
    )
    if not rows:
        return (Paragraph("No column leaves."),)
    notes = ("Values: different ones in the release, missing not counted.",)
    return (Table("Variables", ("Variable", "Kind", "Values"), rows, ("left", "left", "right"), notes),)


def distribution(say: ForAnybody) -> tuple[Block, ...]:
    """The files of the release with their digests, and who may have them."""
    access = "public" if say.recipient == ema.PUBLIC else "not public: on request"
    pairs = [("Access", f"{access} ({say.recipient})")]
    pairs += [(BY_NAME[name].label, case.stated(say.case, BY_NAME[name])) for name in ("legal_basis", "retention")]
    if say.released is None:
        return (Facts(tuple(pairs)), Paragraph("No file can be made of this recipe yet."))
    pairs.append(("Size of the CSV", words.size(say.size)))
    return (Facts(tuple(pairs)), Paragraph("SHA-256 of its files:"), Code(released.listed_digests(say)))

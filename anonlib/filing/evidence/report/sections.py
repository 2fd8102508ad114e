"""The parts of a report: from evidence to blocks, each for itself, so that every order can be made of them.

First come the parts that say what the release is decided for: who asks, what for, under which terms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anonlib.basics import figures, words
from anonlib.columns.person_ids import in_words
from anonlib.columns.roles import Role
from anonlib.filing.case import BY_NAME, ITEMS, NOT_STATED, Group, Item, Order, ReleaseCase
from anonlib.filing.evidence.evidence import PART_NAMES, CriterionFacts, Evidence, FileFacts, StepFacts
from anonlib.filing.evidence.report.wording import LONG, ReportWording, assess_again_by, state
from anonlib.filing.report.blocks import Align, Block, Bullets, Callout, Cell, Facts, Paragraph, Table
from anonlib.reading.tables import households
from anonlib.release.applied import of_nobody_in_words
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.verdict.criteria import left_for_value_in_words, spelled_in_words

Part = Callable[[Evidence, ReportWording], tuple[Block, ...]]


@dataclass(frozen=True)
class OfCase:
    """The part that says some things of the case, each “not stated” where it is empty.

    Attributes
    ----------
    names : tuple[str, ...]
        Of the fields of :class:`ReleaseCase`.
    """

    names: tuple[str, ...]

    def __call__(self, evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
        return self.of(evidence.case)

    def of(self, about: ReleaseCase) -> tuple[Block, ...]:
        """What a case says of them."""
        return (Facts(tuple((BY_NAME[name].label, stated(about, BY_NAME[name])) for name in self.names)),)


def of_group(*groups: Group) -> OfCase:
    """The part that says all of these groups."""
    return of(*(item.name for group in groups for item in ITEMS if item.group == group))


def of(*names: str) -> OfCase:
    """The part that says these, each “not stated” where it is empty."""
    return OfCase(names)


def stated(about: ReleaseCase, item: Item) -> str:
    """What the case says; “not stated” where that is nothing."""
    return getattr(about, item.name) or NOT_STATED


def lacking(about: ReleaseCase, order: Order) -> tuple[Block, ...]:
    """What this order asks for and the case does not say; nothing where it says all."""
    names = [item.label.lower() for item in about.lacks(order)]
    if not names:
        return ()
    text = (
        f"{words.listed(names, most=len(names)).capitalize()}. Say it on the page Case before this is filed; nothing "
        "that is counted depends on it."
    )
    return (Callout(text, "accepted", "Not stated yet, and asked for by those who read this"),)


MOST_COLUMNS = 300
"""Most columns that a table lists; of more, those that leave or have a role come first."""
_MOST_SETS = 3  # of what concerns most, in a criterion
_MISSING = {
    "category": "A missing value of a column that may be known counts as a value of its own.",
    "drop": "Records with a missing value of a column that may be known are left out.",
}
_NONE_KNOWN = "No column is taken to be known outside, so that no risk of re-identification was counted."


# ---- the data and the recipient ----


def data(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """The file and those beside it, and who gets the release."""
    file = evidence.file
    pairs = [
        ("File", file.name),
        ("SHA-256 of its content" if file.by_content else "SHA-256", file.sha256),
        (figures.ROWS.name, f"{file.records:,}"),
        ("Columns", f"{file.columns:,}"),
    ]
    person = next((column.name for column in evidence.columns if column.role == Role.PERSON_ID), None)
    if file.persons is not None:
        pairs.append(("Persons", f"{file.persons:,}"))
    for name, beside in (("Population table", evidence.population), ("Areas", evidence.areas)):
        if beside is not None:
            pairs.append((name, _beside(beside)))
    pairs += [("Earlier release held beside it", _beside(earlier)) for earlier in evidence.held_beside]
    pairs += [("Kind of recipient", evidence.recipient), ("Who that is", evidence.to_whom)]
    return (
        Facts(tuple(pairs)),
        *tables(evidence),
        *([Paragraph(_BY_CONTENT)] if file.by_content else ()),
        Paragraph(
            f"Counts are of {evidence.unit}. {_MISSING[evidence.missing]} The smallest class that is accepted is "
            f"k = {evidence.k}; who has a risk above {words.percent(evidence.threshold)} for the prosecutor, or the "
            "journalist, counts as at risk."
        ),
        *((Paragraph(of_households),) if (of_households := households.in_words(person)) else ()),
        *(Paragraph(doubt) for doubt in in_words(evidence.ids)),
        *((Paragraph(of_spellings),) if (of_spellings := spelled_in_words(evidence.spelled)) else ()),
    )


def tables(evidence: Evidence) -> tuple[Block, ...]:
    """The tables of a case of several, how they hang together, and whether the keys that leave fit."""
    lists = tuple(
        f"Lists in cells are looked at item by item: “{part.name}”." for part in evidence.parts if part.is_of_lists
    )
    if len(evidence.files) < 2:
        return (Bullets(lists),) if lists else ()
    rows = tuple(
        (
            table.name,
            table.below or "–",
            table.by or "–",
            f"{table.rows:,}",
            f"{table.leave:,}",
            f"{table.sha256[:16]}…",
        )
        for table in evidence.files
    )
    header = ("Table", "Hangs below", "By its column", "Rows", "Rows that leave", "SHA-256")
    align: tuple[Align, ...] = ("left", "left", "left", "right", "right", "left")
    strays = tuple(
        f"Without a key that names a row of another table: {words.count(table.names_none, 'rows')} of “{table.name}”."
        for table in evidence.files
        if table.names_none
    )
    return (
        Table("Tables of the case", header, rows, align),
        Bullets(
            (
                "A row of each table is looked at with the rows that it hangs below: somebody is taken to know a "
                "person and rows of any table.",
                "Keys are exchanged for others, the same ones in every table. Every key that leaves names a row that "
                "leaves.",
                *strays,
                *lists,
            )
        ),
    )


_BY_CONTENT = (
    "The records stay in a database, so there are no bytes of a file to name. The SHA-256 is of how many records share "
    "each combination of values in the columns with a role: the same records have the same one, wherever they are."
)


def _beside(file: FileFacts) -> str:
    """A file beside the original."""
    about = [f"SHA-256 {file.sha256[:16]}…", *([] if file.persons is None else [f"{file.persons:,} people"])]
    return f"{file.name} ({', '.join(about)})"


def recipient(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """What must hold for the recipient, each criterion with the source of its limit."""
    if not evidence.criteria:
        return (Callout("No criterion is asked, so that nothing can be met.", "not met"),)
    header = ("Criterion", "Must be", "Original", "Release", "State")
    rows = tuple(
        (
            criterion.title,
            criterion.bound,
            criterion.original or "–",
            criterion.now or "–",
            state(criterion.state, bool(criterion.accepted)),
        )
        for criterion in evidence.criteria
    )
    sentences = tuple(_found(criterion, evidence.unit) for criterion in evidence.criteria)
    sources = [f"{criterion.title}: {criterion.source}" for criterion in evidence.criteria if criterion.source]
    blocks: list[Block] = [Table("What the release must meet", header, rows)]
    blocks.append(Bullets(sentences))
    if sources:
        blocks += [Paragraph("Where the limits come from:"), Bullets(tuple(sources))]
    return (*blocks, *_measured(evidence))


def _measured(evidence: Evidence) -> tuple[Block, ...]:
    """What was measured without a limit: what was counted, and of which column for how many."""
    if not evidence.measured:
        return ()
    bullets = Bullets(tuple(_found(criterion, evidence.unit) for criterion in evidence.measured))
    heading = Paragraph("Measured without a limit, which is not asked of this recipient:")
    counted = [(criterion, dict(criterion.by_column)) for criterion in evidence.measured if criterion.by_column]
    if not counted:
        return heading, bullets
    names = sorted({name for _, by_column in counted for name in by_column}, key=lambda n: -counted[0][1].get(n, 0))
    rows = tuple(
        (name, *(words.share(by_column.get(name, 0), criterion.of, evidence.unit) for criterion, by_column in counted))
        for name in names
    )
    header = ("Sensitive column", *(criterion.title for criterion, _ in counted))
    sides: dict[bool, Align] = {True: "left", False: "right"}
    table = Table("What can be learned of somebody", header, rows, tuple(sides[name == header[0]] for name in header))
    return heading, bullets, table


def _found(criterion: CriterionFacts, unit: str) -> str:
    """What was asked and found, and from which knowledge where somebody is concerned."""
    by = [f"{names} ({words.count(n, unit)})" for names, n in criterion.worst[:_MOST_SETS] if n]
    most = f" Most by: {'; '.join(by)}." if by and criterion.persons else ""
    return f"{criterion.title}: {criterion.asks} {criterion.says}{most}"


THREATS: tuple[Block, ...] = (
    Paragraph(
        "Three attackers are looked at (El Emam 2013; ISO/IEC 27559:2022). All of them know the columns that are "
        "taken to be known outside, and nothing else of the file."
    ),
    Bullets(
        (
            "The prosecutor knows that one person is in the file, and looks for their record: the risk is 1 / the "
            "size of the class of those who look alike.",
            "The journalist knows only that a person belongs to the population the file was drawn from: the risk is "
            "1 / the size of the class there, and needs a table of that population.",
            "The marketer wants as many as possible, no matter who they are: the risk is the average over all.",
        )
    ),
    Paragraph(
        "Beside who somebody is, it is counted what can be learned of them: a sensitive value is certain where all who "
        "share the known values have it (the inference of the Article 29 Working Party, WP216)."
    ),
)


def threats(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """Who attacks, with what knowledge."""
    return of_threats(evidence.known, evidence.unknowable)


def of_threats(known: Sequence[str], unknowable: Sequence[str]) -> tuple[Block, ...]:
    """Who attacks, and knows these columns; nobody knows those."""
    what = f"Taken to be known outside: {words.quoted(known)}." if known else _NONE_KNOWN
    stated = f" Nobody outside can know {words.quoted(unknowable)}, as was stated." if unknowable else ""
    return (*THREATS, Paragraph(what + stated))


# ---- roles ----


def roles(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """What each column is, why, and whether it leaves."""
    rank = {column: i for i, column in enumerate(evidence.columns)}
    chosen = sorted(evidence.columns, key=lambda column: (not column.role, not column.leaves, rank[column]))[
        :MOST_COLUMNS
    ]
    chosen = sorted(chosen, key=lambda column: rank[column])
    rows = tuple(
        (
            column.name,
            Role(column.role).label if column.role else Cell("nobody has decided", "not met"),
            f"{column.values_before:,}",
            f"{column.values_after:,}" if column.leaves else "does not leave",
            _why(column.reasons, column.role, column.suggested),
        )
        for column in chosen
    )
    more = len(evidence.columns) - len(rows)
    notes = (f"Not listed: {words.count(more, 'more columns')}.",) if more else ()
    blocks: list[Block] = [
        Paragraph(
            "A role says what part a column plays: an identifier names a person and never leaves; a quasi-identifier "
            "or a place may be known outside; a sensitive column would harm if it were learned."
        ),
        *((Facts(_by_role(evidence)),) if len(rows) > LONG else ()),
        Table(
            "Columns and their roles",
            ("Column", "Role", figures.VALUES.name, "Of these released", "Why"),
            rows,
            ("left", "left", "right", "right", "left"),
            notes,
        ),
    ]
    if evidence.undecided:
        names = words.listed([f"“{name}”" for name in evidence.undecided], most=20)
        blocks.append(Callout(f"Nobody has decided what {names} can tell an outsider: not assessed.", "not met"))
    return tuple(blocks)


def _by_role(evidence: Evidence) -> tuple[tuple[str, str], ...]:
    """The names of the columns, role by role."""
    by_role: dict[str, list[str]] = {}
    for column in evidence.columns:
        by_role.setdefault(Role(column.role).label if column.role else "nobody has decided", []).append(column.name)
    return tuple((role, words.quoted(names)) for role, names in by_role.items())


def _why(reasons: Sequence[str], role: str, suggested: str) -> str:
    if role and role != suggested:
        return f"As decided; suggested was {Role(suggested).label.lower()}."
    return "As suggested by name and content." if not reasons else reasons[0]


# ---- what was done ----


def done(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """Each step in words, with its effect."""
    withheld = [column.name for column in evidence.columns if column.role == Role.IDENTIFIER and not column.leaves]
    blocks: list[Block] = []
    if evidence.steps:
        rows = tuple(
            (
                f"{i}",
                step.says + (f" ({step.reason})" if step.reason else ""),
                _effect(step),
            )
            for i, step in enumerate(evidence.steps, start=1)
        )
        blocks.append(
            Table("Steps, in their order", ("Step", "What it does", "Effect"), rows, ("left", "left", "left"))
        )
        blocks += [Bullets(step.tells) for step in evidence.steps if step.tells and step.applied]
    else:
        blocks.append(Paragraph("The recipe has no steps: apart from what follows below, the file leaves as it is."))
    blocks.append(
        Bullets(
            (
                f"Identifiers that do not leave: {words.quoted(withheld)}."
                if withheld
                else "No column is an identifier.",
                "Records leave in an order drawn at random, and ids of persons as numbers drawn at random."
                if evidence.pseudonyms is None
                else "Records leave in an order drawn at random.",
                *by_key(evidence.pseudonyms),
                *(
                    (
                        "Left out, with a missing known value: "
                        f"{words.count(evidence.released.without_missing, 'rows')}.",
                    )
                    if evidence.released is not None and evidence.released.without_missing
                    else ()
                ),
                *left_for_value(evidence),
                *(
                    (of_nobody_in_words(evidence.released.of_nobody),)
                    if evidence.released is not None and evidence.released.of_nobody
                    else ()
                ),
            )
        )
    )
    if evidence.why_no_file:
        blocks.append(Callout(evidence.why_no_file, "not met", "No file can be made"))
    return tuple(blocks)


def left_for_value(evidence: Evidence) -> tuple[str, ...]:
    """Who is left out for a value, in sentences; nothing where nobody is."""
    if not evidence.left_for_value:
        return ()
    persons = sum(left.persons for left in evidence.left_for_value)
    classes = sum(left.classes for left in evidence.left_for_value)
    of_classes = f" ({words.count(classes, 'classes')})" if classes else ""
    return (
        f"{left_for_value_in_words(persons, evidence.unit)}{of_classes}. Who is known to be in the file and is missing "
        "from the release is of a class that its values kept back, such as one in which all have the same.",
    )


def by_key(pseudonyms: Pseudonyms | None) -> tuple[str, ...]:
    """How persons are named, where it is by a key."""
    if pseudonyms is None:
        return ()
    return (
        f"Person ids are pseudonyms by a key (id {pseudonyms.key_id}) for recipient “{pseudonyms.recipient}”, project "
        f"“{pseudonyms.project}”, version {pseudonyms.version}: the same persons have the same pseudonyms in each "
        "release under this label.",
    )


def _effect(step: StepFacts) -> str:
    if step.problem:
        return f"Not applied: {step.problem}"
    if not step.applied:
        return "Switched off."
    parts = []
    if step.cells_changed:
        parts.append(f"{words.count(step.cells_changed, 'cells')} changed")
    if step.columns_removed:
        parts.append(f"{words.count(step.columns_removed, 'columns')} removed")
    if step.records_removed:
        parts.append(f"{words.count(step.records_removed, 'rows')} left out")
    return (words.listed(parts) or "nothing changed").capitalize() + "."


# ---- accepted, limits ----


def accepted(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """What is not met and accepted, and what was stated."""
    rows = tuple(
        (criterion.title, criterion.accepted, criterion.who or "–", criterion.when or "–")
        for criterion in evidence.criteria
        if criterion.accepted
    )
    points = [
        f"{words.count(n, 'values')} of “{column}” may be certain to anybody, since "
        f"{'it harms' if n == 1 else 'they harm'} nobody, as was stated."
        for column, n in evidence.harmless
    ]
    if evidence.unknowable:
        points.append(f"Nobody outside can know {words.quoted(evidence.unknowable)}, as was stated.")
    if evidence.leaves_anyway:
        points.append(f"It leaves although the verdict is against it: {evidence.leaves_anyway}")
    blocks: list[Block] = []
    if rows:
        blocks.append(
            Table("Accepted although not met", ("Criterion", "Why", "Who", "When"), rows, ("left",) * 4)
        )  # fmt: skip
    if points:
        blocks.append(Bullets(tuple(points)))
    return tuple(blocks) or (
        Paragraph("Nothing was accepted that is not met, and nothing was stated beyond the roles."),
    )


def _of_texts(looked_at: Sequence[str]) -> tuple[str, ...]:
    """What is not looked at in texts, and beyond the file."""
    if not looked_at:
        return ("It does not look at free text, images or linked files, nor at how the recipient keeps the file.",)
    return (
        f"In the free text of {words.quoted(looked_at)} it looks for names, dates and numbers that identify, by lists, "
        "titles and patterns, which miss some; what else a text tells is not looked at.",
        "It does not look at images or linked files, nor at how the recipient keeps the file.",
    )


def limits(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """What this assessment does not say, and when it must be made again."""
    left_out = [PART_NAMES[part].lower() for part in evidence.left_out]
    points = [
        "It holds for what is taken to be known outside. An attacker who knows another column knows more than is "
        "counted.",
        *_of_texts(evidence.texts_looked_at),
        "Risks are of the file as it is: another release of the same persons must be assessed together with this one.",
        "Where there is no population table, the journalist’s risk is not counted.",
    ]
    if evidence.population is not None:
        points.pop()
    if left_out:
        points.append(f"Left out of this assessment by choice: {words.listed(left_out, most=len(left_out))}.")
    return (
        Bullets(tuple(points)),
        Callout(
            f"Assess again by {assess_again_by(evidence.made_on)}, and before that when the file, the recipient, what "
            "may be known outside or the population changes.",
            "note",
            "Re-assessment",
        ),
    )

"""The parts of a report that say what was counted: risk, inference, singling out, detail kept; and the annexes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anonlib.analyses.risk import AttackerRisk
from anonlib.basics import figures, words
from anonlib.columns.roles import Role
from anonlib.counting.classes import AnonymityVector
from anonlib.filing.evidence.evidence import CONFIDENTIAL, Evidence, RiskFacts
from anonlib.filing.evidence.measures import MOST_LISTED
from anonlib.filing.evidence.report import attacked
from anonlib.filing.evidence.report.wording import Wording, change
from anonlib.filing.report.blocks import Block, Bullets, Callout, Code, Facts, Figure, Paragraph, Table
from anonlib.plots import risk as risk_plots
from anonlib.plots.still import svg
from anonlib.release.covering import by_labels_in_words
from anonlib.verdict.criteria import title_is_of

_MOST_NAMED = 3  # columns that an attacker knows
_WIDE, _HIGH = 660, 300  # pixels of a figure
_MOST_VALUES = 40  # that one label is shown to stand for; the value mapping has all
_OF_CLASSES = (figures.DISTINCT_L, figures.ENTROPY_L, figures.T_EQUAL)
_DEFINED = (
    figures.K,
    figures.ALONE,
    figures.BELOW_K,
    figures.HIGHEST_RISK,
    figures.AVERAGE_RISK,
    figures.AVERAGE_RISK_IN_POPULATION,
    figures.VALUES,
    figures.ROWS_KEPT,
    figures.PERSONS_KEPT,
    figures.CELLS_KEPT,
    figures.ENTROPY_KEPT,
)
_SETS = "Several values of a person in a column are one value here, so that there can be more than the column has."
_NOTHING = "No column is taken to be known outside, so that there is nothing to count."
_LEFT_OUT = "This part was left out by choice."


def singling_out(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """The attackers' risks, class sizes, and the smallest combinations that leave somebody alone."""
    before, after = evidence.before, evidence.after
    first = (*attacked.answer("singling out", evidence, say), *_by_what_leaves(evidence, say))
    if before is None:
        return (*first, Paragraph(_NOTHING))
    blocks: list[Block] = [*first, _attackers(before, after, evidence, say)]
    if mixed := (*evidence.by_covering, *evidence.by_labels):
        blocks.append(Paragraph(by_labels_in_words(mixed)))
    if evidence.several_rows:
        blocks.append(Paragraph(figures.BY_VALUES))
    blocks += _smallest_sets(evidence, say)
    return tuple(blocks)


def _by_what_leaves(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """Who is alone by a few of all columns that leave: it is shown whatever was declared as known."""
    found = evidence.alone
    is_limited = any(title_is_of(each.title, lambda kind: kind.uniqueness is not None) for each in evidence.criteria)
    limit = "a criterion limits it" if is_limited else "no limit is set on it"
    if found is None:
        return ()
    columns = words.count(len(found.columns), "columns")
    text = (
        f"Anybody who knows any {found.known} of the {columns} that leave, sensitive ones too, finds "
        f"{say.share(found.alone, found.of)} alone, and {say.share(found.below, found.of)} among fewer than {found.k} "
        f"like them. It is counted whatever was declared as known, and {limit}."
    )
    counting = [each.name for each in evidence.columns if each.leaves and each.role in (Role.PERSON_ID, Role.WEIGHT)]
    aside = f" Not among them, an id of persons or a weight: {words.quoted(counting)}." if counting else ""
    aside += f" Not looked at: {words.quoted(found.aside)}." if found.aside else ""
    blocks: list[Block] = [Paragraph(f"{text}{aside} {found.not_counted}".strip())]
    if found.worst:
        blocks.append(
            Table(
                "By which columns most are among few like them",
                ("Columns", f"{evidence.unit.capitalize()} alone", f"{evidence.unit.capitalize()} below {found.k}"),
                tuple((words.listed(names), f"{alone:,}", f"{below:,}") for names, alone, below in found.worst),
                ("left", "right", "right"),
            )
        )
    return tuple(blocks)


def _attackers(before: RiskFacts, after: RiskFacts | None, evidence: Evidence, say: Wording) -> Table:
    now = {} if after is None else {each.attacker: each for each in after.attackers}
    rows = [_attacker(each, now.get(each.attacker), say) for each in before.attackers]
    note = (
        f"At risk: above {words.percent(evidence.threshold)}. The highest risk is for a public release, the average "
        "for a controlled one (ISO/IEC 27559, 7.3.2)."
    )
    return Table(
        "Risk of re-identification, original to release",
        ("Attacker", "Knows", "Highest risk", "Average risk", f"{evidence.unit.capitalize()} at risk"),
        tuple(rows),
        ("left", "left", "right", "right", "right"),
        (note, *_unmatched(now.get("journalist"), say)),
    )


def _attacker(before: AttackerRisk, after: AttackerRisk | None, say: Wording) -> tuple[str, ...]:
    def both(figure: Callable[[AttackerRisk], str]) -> str:
        return change(figure(before), "–" if after is None else figure(after))

    is_marketer = before.attacker == "marketer"
    return (
        before.attacker.capitalize(),
        _knowledge(before),
        "–" if is_marketer else both(lambda risk: words.percent(risk.highest)),
        both(lambda risk: words.percent(risk.average)),
        "–" if is_marketer else both(lambda risk: say.people(risk.at_risk)),
    )


def _knowledge(attacker: AttackerRisk) -> str:
    """What an attacker is taken to know."""
    names = attacker.attributes
    columns = words.listed(names) if len(names) <= _MOST_NAMED else f"{len(names)} known columns"
    where = "population table" if attacker.in_population else "file"
    if attacker.attacker == "marketer":
        return f"everybody in the {where}: {columns}"
    return f"who is in the {where}; {columns}"


def _unmatched(journalist: AttackerRisk | None, say: Wording) -> tuple[str, ...]:
    if journalist is None or not journalist.unmatched:
        return ()
    who = say.people(journalist.unmatched, True)
    return (f"With nobody like them in the population table, counted at the size of their class in the file: {who}.",)


def class_sizes(before: RiskFacts, after: RiskFacts, evidence: Evidence) -> Figure:
    """How many share all known columns, original and release."""
    drawn = risk_plots.class_sizes(_vector(after), evidence.k, before=_vector(before), unit=evidence.unit)
    below = words.share(after.below_k, after.records, evidence.unit)
    return Figure(
        svg(drawn, _WIDE, _HIGH),
        f"{evidence.unit.capitalize()} by the size of their class, original as outline, release as bars; {below} are "
        f"in classes below {evidence.k} in the release.",
        f"{evidence.unit.capitalize()} by how many share all known columns. Outline: the original. Red and hatched: in "
        f"classes below {evidence.k}.",
    )


def _vector(found: RiskFacts) -> AnonymityVector:
    return AnonymityVector(np.array(found.sizes, dtype=np.int64), np.array(found.classes_of_size, dtype=np.int64))


def _smallest_sets(evidence: Evidence, say: Wording) -> list[Block]:
    found = evidence.singled_out
    if found is None:
        return [Paragraph(_LEFT_OUT)] if "singling_out" in evidence.left_out else []
    total = 0 if evidence.before is None else evidence.before.records
    left = 0 if evidence.after is None else evidence.after.records
    blocks: list[Block] = [
        Paragraph(
            f"Alone by some combination of at most {words.count(found.most, 'known columns')}: "
            f"{say.share(found.before, total)} in the original, {say.share(found.after, left)} in the release."
        ),
        *(Paragraph(text) for text in _covering(evidence)),
    ]
    if found.sets_before or found.sets_after:
        both = [dict(each) for each in (found.sets_before, found.sets_after)]
        rows = tuple(
            (words.listed(columns), *(_enough_for(each, columns, say) for each in both))
            for columns in dict.fromkeys(names for each in both for names in each)
        )
        blocks.append(
            Table(
                "Smallest combinations that leave somebody alone, those that do so for most first",
                ("Columns", *(f"{evidence.unit.capitalize()}, {which}" for which in ("original", "release"))),
                rows,
                ("left", "right", "right"),
                (
                    f"{evidence.unit.capitalize()} for whom the combination is enough and no part of it is (Elliot "
                    f"2002). Of the original and of the release, at most {MOST_LISTED} combinations each are listed.",
                    "In the release a combination may be enough for more than in the original: for those for whom a "
                    "part of it no longer is.",
                ),
            )
        )
    return blocks


def _enough_for(found: dict[tuple[str, ...], int], columns: tuple[str, ...], say: Wording) -> str:
    """For how many a combination is enough; what a list that was cut off does not name is not known."""
    n = found.get(columns)
    if n is None:
        return "–" if len(found) >= MOST_LISTED else say.people(0)
    return say.people(n)


def linking(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """Who can be linked with the population, and what combinations give away."""
    before, after = evidence.before, evidence.after
    first = attacked.answer("linking", evidence, say)
    if before is None:
        return (*first, Paragraph(_NOTHING))
    journalist = next((each for each in before.attackers if each.attacker == "journalist"), None)
    blocks: list[Block] = [*first]
    if journalist is None:
        blocks.append(
            Paragraph("There is no population table, so that who can be linked with one was not counted directly.")
        )
    else:
        now = None if after is None else next((r for r in after.attackers if r.attacker == "journalist"), None)
        by = words.quoted(journalist.attributes)
        highest = change(words.percent(journalist.highest), "–" if now is None else words.percent(now.highest))
        blocks.append(
            Paragraph(f"By {by}, which the population table has: the journalist’s highest risk is {highest}.")
        )
    if (mixed := (*evidence.by_covering, *evidence.by_labels)) and (journalist or evidence.in_population):
        blocks.append(Paragraph(by_labels_in_words(mixed)))
    blocks += _in_population(evidence, say)
    if evidence.leaking:
        blocks.append(_leaking(evidence))
    elif "leakage" in evidence.left_out:
        blocks.append(Paragraph("What combinations give away was left out by choice."))
    return tuple(blocks)


def _leaking(evidence: Evidence) -> Table:
    """Average and worst."""
    header = ("Columns", "Average, original", "Average, release", "Worst, original", "Worst, release")
    rows = []
    for each in evidence.leaking:
        shares = (each.before, each.after, each.worst_before, each.worst_after)
        rows.append((words.listed(each.columns), *map(words.percent, shares)))
    return Table(
        "What combinations of known columns give away of who somebody is",
        header,
        tuple(rows),
        (),
        (
            "Share of the bits that name a person, on average and of the person who loses most (Longpré et al. 2017; "
            "Arca and Hewett 2021). Of the release: by those of the columns that leave. At most "
            f"{MOST_LISTED} combinations are listed.",
            *_covering(evidence),
        ),
    )


def _covering(evidence: Evidence) -> tuple[str, ...]:
    """What is counted of a release in which labels of several levels stand side by side."""
    if not evidence.by_covering:
        return ()
    columns = words.listed(evidence.by_covering, most=len(evidence.by_covering))
    return (
        f"Of the release: who knows a value of {columns} is left with all records whose labels cover it, since labels "
        "of several levels stand side by side there.",
    )


def _in_population(evidence: Evidence, say: Wording) -> list[Block]:
    """Who of those alone may be alone in the population: the range of the estimates, and how wrong they have been."""
    found = evidence.in_population
    if found is None:
        return []
    says = [
        f"{name}: {estimate.says(say.unit)}"
        for name, estimate in (("Original", found.before), ("Release", found.after))
        if estimate is not None
    ]
    matches = change(words.percent(found.match_before), words.percent(found.match_after))
    says.append(
        f"A match with a record that is alone is the right one with a probability of {matches} (data intrusion "
        "simulation, Elliot 2000)."
    )
    about = f"Estimates for a population of {found.people:,} people, as stated:"
    return [Paragraph(about), Bullets((*says, *found.says_how_wrong))]


def inference(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """What can be learned of sensitive columns."""
    first = attacked.answer("inference", evidence, say)
    if not evidence.sensitive and not evidence.inferred:
        if "inference" in evidence.left_out:
            return (*first, Paragraph(_LEFT_OUT))
        nothing = "No sensitive column is chosen, or nothing may be known, so that no inference was counted."
        return (*first, Paragraph(nothing))
    total = 0 if evidence.before is None else evidence.before.records
    left = 0 if evidence.after is None else evidence.after.records
    blocks: list[Block] = [*first]
    if evidence.inferred:
        rows = tuple(
            (
                each.column,
                "nothing" if each.known == 0 else "all" if each.known is None else f"at most {each.known}",
                say.share(each.before, total),
                say.share(each.after, left) if each.after is not None or each.before is None else "does not leave",
            )
            for each in evidence.inferred
        )
        blocks.append(
            Table(
                "For whom a sensitive value is certain, by how many columns somebody knows",
                ("Sensitive column", "Quasi-identifiers known", "Original", "Release"),
                rows,
                ("left", "left", "right", "right"),
                (
                    "Certain: all who share the known values have the same value, for some set of so many "
                    "quasi-identifiers (PPP of 0, Kroes et al. 2021). Values stated to harm nobody are not counted.",
                    *((_by_rows(evidence.inferred[0].by),) if evidence.inferred[0].by else ()),
                ),
            )
        )
    elif "inference" in evidence.left_out:
        blocks.append(Paragraph("What is certain by few known columns was left out by choice."))
    if evidence.sensitive:
        rows = tuple(
            (
                each.column,
                change(f"{each.before.distinct_l}", "–" if each.after is None else f"{each.after.distinct_l}"),
                change(f"{each.before.entropy_l:.2f}", "–" if each.after is None else f"{each.after.entropy_l:.2f}"),
                change(f"{each.before.t_equal:.2f}", "–" if each.after is None else f"{each.after.t_equal:.2f}"),
            )
            for each in evidence.sensitive
        )
        blocks.append(
            Table(
                "Classes of all known columns, original to release",
                ("Sensitive column", *(each.name for each in _OF_CLASSES)),
                rows,
                ("left", "right", "right", "right"),
                (
                    *(f"{each.name}: {each.meaning()}" for each in _OF_CLASSES),
                    *((figures.BY_VALUES, _SETS) if evidence.several_rows else ()),
                ),
            )
        )
    return tuple(blocks)


def _by_rows(known: str) -> str:
    return f"Persons have several rows, each a visit. Counted with {known}, whichever reveals most."


# ---- annexes ----


def value_tables(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """What the values of known columns became: a table a step and column, a row a label."""
    by_column: dict[tuple[int, str], dict[str, list[str]]] = {}
    for each in evidence.recoding:
        labels = by_column.setdefault((each.step, each.column), {})
        labels.setdefault(_cell(each.label), []).append(_cell(each.value))
    listed, in_all = len(evidence.recoding), evidence.values_recoded
    blocks: list[Block] = [Callout(CONFIDENTIAL, "accepted", "Confidential")]
    if listed < in_all:
        blocks.append(
            Paragraph(
                f"{listed:,} of {in_all:,} values are listed, the first ones step by step; the value mapping saved "
                "with the release has all."
            )
        )
    for (step, column), labels in by_column.items():
        rows = tuple((label, f"{len(values):,}", _listed(values)) for label, values in labels.items())
        header = ("Released as", "Values", "Which")
        blocks.append(Table(f"Step {step}: {column}", header, rows, ("left", "right", "left")))
    return tuple(blocks)


def _listed(values: list[str]) -> str:
    """Values in the column's order; of many the first ones and the last."""
    if len(values) <= _MOST_VALUES:
        return ", ".join(values)
    first = values[: _MOST_VALUES // 2]
    return f"{', '.join(first)}, … ({len(values) - len(first) - 1:,} more) …, {values[-1]}"


def _cell(value: str | None) -> str:
    return "(missing)" if value is None else value


def definitions(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """What the terms mean."""
    return (
        Facts(
            (
                ("Class", f"All {evidence.unit} with the same values in every column that may be known."),
                *((each.named(evidence.unit, evidence.k), each.meaning(evidence.unit)) for each in _DEFINED),
                ("Prosecutor’s risk", "1 / the size of the class (El Emam 2013)."),
                ("Certain", "All who share the known values have the same sensitive value."),
                ("Safe Harbor", "45 CFR 164.514(b)(2): removal of 18 classes of identifiers."),
            )
        ),
    )


def versions(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """What the assessment was made with, and the digests of what it is about."""
    pairs = [(name, number) for name, number in evidence.versions]
    released = evidence.released.on_record if evidence.released is not None else {}
    of_release = [f"release     {sha256} ({kind})" for kind, sha256 in released.items()]
    digests = [f"original    {evidence.file.sha256}{' (of its content)' if evidence.file.by_content else ''}"]
    if evidence.population is not None:
        digests.append(f"population  {evidence.population.sha256}")
    if evidence.areas is not None:
        digests.append(f"areas       {evidence.areas.sha256}")
    digests += [f"earlier     {earlier.sha256} ({earlier.name})" for earlier in evidence.held_beside]
    digests.append(f"project     {evidence.project}")
    return (
        Facts(tuple(pairs)),
        Paragraph(
            "SHA-256 of what this report is about. With the project and the original the release can be made again:"
        ),
        Code("\n".join([*digests, *of_release])),
        Bullets(("The project holds the seed of the rows’ order: it stays where the original is.",)),
    )

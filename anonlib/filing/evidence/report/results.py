"""The parts of a report that say what was counted: risk, inference, singling out, detail kept; and the annexes.

First come the parts that answer the three questions of WP216 by attacks, and say what these assume.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from anonlib.analyses.risk import AttackerRisk
from anonlib.basics import figures, words
from anonlib.basics.words import percent
from anonlib.columns.roles import Role
from anonlib.counting.classes import AnonymityVector
from anonlib.filing.evidence.evidence import CONFIDENTIAL, Evidence, RiskFacts
from anonlib.filing.evidence.measures import MOST_LISTED
from anonlib.filing.evidence.report.wording import ReportWording, change
from anonlib.filing.report.blocks import Block, Bullets, Callout, Code, Facts, Figure, Paragraph, Table
from anonlib.plots import attacks as plots
from anonlib.plots import risk as risk_plots
from anonlib.plots.still import svg
from anonlib.release.covering import by_labels_in_words
from anonlib.verdict.attacks.in_words import as_rows, first_sentence, gain, in_percent, is_above, title
from anonlib.verdict.attacks.linkage import POPULATION
from anonlib.verdict.attacks.result import Attack, Rate
from anonlib.verdict.criteria import title_is_of

Question = Literal["singling out", "linking", "inference"]
_ASKED: dict[Question, tuple[str, tuple[str, ...]]] = {
    "singling out": ("Is it still possible to single out an individual?", ("singling out",)),
    "linking": ("Is it still possible to link records relating to an individual?", ("linkage", "linkability")),
    "inference": ("Can information be inferred concerning an individual?", ("inference", "membership")),
}
_WIDE_TABLE = 660  # pixels of the figure
_MOST_ROWS = 16  # attacks in the figure and in a table, those that gain most first
_NONE_TRIED = "No such attack was tried."
_ATTACKS_LEFT_OUT = "Attacks were left out by choice, so that this question is answered by counts alone."


def answer(question: Question, evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """A question of WP216 with what attacks measured: a sentence in a frame, and each attack in a table."""
    question_text, kinds = _ASKED[question]
    outcome = evidence.attacks
    if outcome is None:
        return (Callout(_ATTACKS_LEFT_OUT, "note", question_text),) if "attacks" in evidence.left_out else ()
    tried = [attack for attack in outcome.attacks if attack.kind in kinds]
    sentences = [_most(tried, evidence)]
    if question == "singling out" and (first := first_sentence(tried, outcome.attacker.n_columns)):
        sentences.insert(0, first)
    blocks: list[Block] = [Callout(" ".join(sentences), "note", question_text)]
    rows = sorted((attack for attack in tried if attack.rate.tries), key=_gained, reverse=True)[:_MOST_ROWS]
    if rows:
        blocks.append(_table(question_text, rows, tried))
    notes = [f"{title(attack)}: {attack.note}" for attack in rows if attack.note]
    if question == "linking" and outcome.promised is not None:
        average, most = (percent(share) for share in outcome.promised)
        notes.append(f"A link is right with a chance of {average} on average and {most} at most, as class sizes say.")
    return (*blocks, Bullets(tuple(notes))) if notes else tuple(blocks)


def _most(tried: Sequence[Attack], evidence: Evidence) -> str:
    """What the attack that gains most gains, and whether that is more than is accepted."""
    rated = [attack for attack in tried if gain(attack) is not None]
    if not rated:
        return _NONE_TRIED
    most = max(rated, key=_gained)
    return f"Most is gained by “{title(most)}”: {gain_in_words(most)}. {_above(rated, evidence.threshold)}"


def n_above(evidence: Evidence) -> str:
    """How many of the attacks that were tried gain more than the threshold, in a sentence; "" where none was tried."""
    rated = (
        [] if evidence.attacks is None else [attack for attack in evidence.attacks.attacks if gain(attack) is not None]
    )
    return _above(rated, evidence.threshold) if rated else ""


def _above(rated: Sequence[Attack], limit: float) -> str:
    number, attacks = sum(is_above(attack, limit) for attack in rated), words.count(len(rated), "attacks")
    if len(rated) == 1:
        who = "It gains" if number else "It does not gain"
    elif number:
        who = f"{number} of {attacks} {'gains' if number == 1 else 'gain'}"
    else:
        who = f"None of {attacks} gains"
    beside = " No criterion limits that." if number else ""
    return f"{who} more than {percent(limit)}.{beside}"


def _table(question_text: str, rows: Sequence[Attack], tried: Sequence[Attack]) -> Table:
    n_impossible = sum(not attack.rate.tries for attack in tried)
    n_less = len(tried) - len(rows) - n_impossible
    notes = [
        "In brackets: 95% intervals. Gain: (success - c) / (1 - c), c the larger of what succeeds of people not in the "
        "file and without the file (after Giomi et al. 2023); of who is known to be in the file the difference (Yeom "
        "et al. 2018)."
    ]
    if any(attack.kind == "linkage" for attack in rows):
        notes.append("Of linked people, which is not tried on who is not in the file, the gain is what succeeds.")
    if n_less:
        notes.append(f"Not listed, as they gain less: {words.count(n_less, 'attacks')}.")
    if n_impossible:
        notes.append(f"Not listed, as nobody can be tried: {words.count(n_impossible, 'attacks')}.")
    return Table(
        f"Attacks: {question_text[:1].lower()}{question_text[1:-1]}",
        ("Attack", "Succeed", "Not in the file", "Without the file", "Gain"),
        tuple(
            (title(attack), _rate(attack.rate), _rate(attack.control, False), _rate(attack.baseline, False),
             "–" if gain(attack) is None else gain_in_words(attack))
            for attack in rows
        ),
        ("left", "right", "right", "right", "right"),
        tuple(notes),
    )  # fmt: skip


def _rate(rate: Rate | None, with_interval: bool = True) -> str:
    if rate is None or not rate.tries:
        return "–"
    low, high = rate.interval
    return f"{percent(rate.share)} ({percent(low)} to {percent(high)})" if with_interval else percent(rate.share)


def gain_in_words(attack: Attack) -> str:
    """What an attack gains, as every table says it."""
    return percent(attack.rate.share) if attack.gain is None else in_percent(attack.gain)


def _gained(attack: Attack) -> float:
    value = gain(attack)
    return -2.0 if value is None else value


# ---- what the attacks are ----


def assumptions(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """All attacks in a picture, what they assume, and what was not tried."""
    outcome = evidence.attacks
    if outcome is None:
        return (Paragraph("Attacks were left out by choice."),) if "attacks" in evidence.left_out else ()
    blocks: list[Block] = []
    most = sorted((attack for attack in outcome.attacks if attack.rate.tries), key=_gained, reverse=True)[:_MOST_ROWS]
    rows = as_rows([attack for attack in outcome.attacks if attack in most], evidence.threshold)
    if rows:
        red = [row.title for row in rows if row.is_red]
        above = f"above what is accepted: {words.listed(red) or 'none of these'}"
        blocks.append(
            Figure(
                svg(plots.successes(rows), _WIDE_TABLE),
                f"How often each of {words.count(len(rows), 'attacks')} succeeds, with its interval, beside people who "
                f"are not in the file; {above}.",
                f"How often each attack succeeds. Red, a diamond: it gains more than {percent(evidence.threshold)}.",
            )
        )
    attacker = outcome.attacker
    points = [
        "Who attacks: the recipient, who knows columns that were declared as known, "
        f"{'all of them' if not attacker.facts else f'any {attacker.facts} of them'} to guess a value; and anybody, "
        "who may know all that leaves, sensitive columns too.",
        *([outcome.made_of] if outcome.made_of else []),
        "The register by which people are linked holds everybody and is without error; of two parties one knows the "
        "columns that were declared as known, the other all others.",
        *(
            ["The population table is a register too."]
            if any(attack.how == POPULATION for attack in outcome.attacks)
            else []
        ),
        f"Each attack is tried up to {attacker.tries:,} times, those that link people more often, fewer times in a "
        f"large file; all draws have the seed {attacker.seed}. The limit is the highest risk that the recipient is "
        "asked for.",
    ]
    if outcome.n_control:
        points.insert(2, f"The release attacked so has {say.people(outcome.n_released, True)}, the control "
                         f"{say.people(outcome.n_control, True)}.")  # fmt: skip
    if attacker.unknowable:
        points.append(
            f"Not used, since nobody outside can know it, as was stated: {words.quoted(attacker.unknowable)}."
        )
    return (
        *blocks,
        Paragraph("What the attacks assume:"),
        Bullets(tuple(points)),
        Paragraph("What was not tried:"),
        Bullets((*outcome.not_tried, *NOT_TRIED)),
        Callout("An attack that fails shows that this attack failed, and does not prove that no other succeeds."),
    )


NOT_TRIED = (
    "Attacks by somebody who knows the sensitive values of many others; what follows from how the recipe was chosen "
    "(minimality) is no attempt, and counted where “What the method tells” is among the criteria.",
    "Attacks that read free text, or that put several releases of the same people together.",
    "Attempts by a person with other sources, such as registers, newspapers or social media: see the test by a "
    "motivated intruder.",
)
"""Attacks that are not tried on any release."""


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


def singling_out(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """The attackers' risks, class sizes, and the smallest combinations that leave somebody alone."""
    before, after = evidence.before, evidence.after
    first = (*answer("singling out", evidence, say), *_by_what_leaves(evidence, say))
    if before is None:
        return (*first, Paragraph(_NOTHING))
    blocks: list[Block] = [*first, _attackers(before, after, evidence, say)]
    if mixed := (*evidence.by_covering, *evidence.by_labels):
        blocks.append(Paragraph(by_labels_in_words(mixed)))
    if evidence.several_rows:
        blocks.append(Paragraph(figures.BY_VALUES))
    blocks += _smallest_sets(evidence, say)
    return tuple(blocks)


def _by_what_leaves(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """Who is alone by a few of all columns that leave: it is shown whatever was declared as known."""
    facts = evidence.alone
    is_limited = any(
        title_is_of(criterion.title, lambda kind: kind.uniqueness is not None) for criterion in evidence.criteria
    )
    limit = "a criterion limits it" if is_limited else "no limit is set on it"
    if facts is None:
        return ()
    columns = words.count(len(facts.columns), "columns")
    text = (
        f"Anybody who knows any {facts.known} of the {columns} that leave, sensitive ones too, finds "
        f"{say.share(facts.alone, facts.of)} alone, and {say.share(facts.below, facts.of)} among fewer than {facts.k} "
        f"like them. It is counted whatever was declared as known, and {limit}."
    )
    counting = [
        column.name for column in evidence.columns if column.leaves and column.role in (Role.PERSON_ID, Role.WEIGHT)
    ]
    aside = f" Not among them, an id of persons or a weight: {words.quoted(counting)}." if counting else ""
    aside += f" Not looked at: {words.quoted(facts.aside)}." if facts.aside else ""
    blocks: list[Block] = [Paragraph(f"{text}{aside} {facts.not_counted}".strip())]
    if facts.worst:
        blocks.append(
            Table(
                "By which columns most are among few like them",
                ("Columns", f"{evidence.unit.capitalize()} alone", f"{evidence.unit.capitalize()} below {facts.k}"),
                tuple((words.listed(names), f"{alone:,}", f"{below:,}") for names, alone, below in facts.worst),
                ("left", "right", "right"),
            )
        )
    return tuple(blocks)


def _attackers(before: RiskFacts, after: RiskFacts | None, evidence: Evidence, say: ReportWording) -> Table:
    now = {} if after is None else {attacker.attacker: attacker for attacker in after.attackers}
    rows = [_attacker(attacker, now.get(attacker.attacker), say) for attacker in before.attackers]
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


def _attacker(before: AttackerRisk, after: AttackerRisk | None, say: ReportWording) -> tuple[str, ...]:
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


def _unmatched(journalist: AttackerRisk | None, say: ReportWording) -> tuple[str, ...]:
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


def _vector(risk: RiskFacts) -> AnonymityVector:
    return AnonymityVector(np.array(risk.sizes, dtype=np.int64), np.array(risk.classes_of_size, dtype=np.int64))


def _smallest_sets(evidence: Evidence, say: ReportWording) -> list[Block]:
    singled_out = evidence.singled_out
    if singled_out is None:
        return [Paragraph(_LEFT_OUT)] if "singling_out" in evidence.left_out else []
    total = 0 if evidence.before is None else evidence.before.records
    left = 0 if evidence.after is None else evidence.after.records
    blocks: list[Block] = [
        Paragraph(
            f"Alone by some combination of at most {words.count(singled_out.most, 'known columns')}: "
            f"{say.share(singled_out.before, total)} in the original, "
            f"{say.share(singled_out.after, left)} in the release."
        ),
        *(Paragraph(text) for text in _covering(evidence)),
    ]
    if singled_out.sets_before or singled_out.sets_after:
        both = [dict(sets) for sets in (singled_out.sets_before, singled_out.sets_after)]
        rows = tuple(
            (words.listed(columns), *(_enough_for(numbers, columns, say) for numbers in both))
            for columns in dict.fromkeys(names for numbers in both for names in numbers)
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


def _enough_for(numbers: dict[tuple[str, ...], int], columns: tuple[str, ...], say: ReportWording) -> str:
    """For how many a combination is enough; what a list that was cut off does not name is not known."""
    n = numbers.get(columns)
    if n is None:
        return "–" if len(numbers) >= MOST_LISTED else say.people(0)
    return say.people(n)


def linking(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """Who can be linked with the population, and what combinations give away."""
    before, after = evidence.before, evidence.after
    first = answer("linking", evidence, say)
    if before is None:
        return (*first, Paragraph(_NOTHING))
    journalist = next((attacker for attacker in before.attackers if attacker.attacker == "journalist"), None)
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
    for combination in evidence.leaking:
        shares = (combination.before, combination.after, combination.worst_before, combination.worst_after)
        rows.append((words.listed(combination.columns), *map(words.percent, shares)))
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


def _in_population(evidence: Evidence, say: ReportWording) -> list[Block]:
    """Who of those alone may be alone in the population: the range of the estimates, and how wrong they have been."""
    estimates = evidence.in_population
    if estimates is None:
        return []
    says = [
        f"{name}: {estimate.says(say.unit)}"
        for name, estimate in (("Original", estimates.before), ("Release", estimates.after))
        if estimate is not None
    ]
    matches = change(words.percent(estimates.match_before), words.percent(estimates.match_after))
    says.append(
        f"A match with a record that is alone is the right one with a probability of {matches} (data intrusion "
        "simulation, Elliot 2000)."
    )
    about = f"Estimates for a population of {estimates.people:,} people, as stated:"
    return [Paragraph(about), Bullets((*says, *estimates.says_how_wrong))]


def inference(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """What can be learned of sensitive columns."""
    first = answer("inference", evidence, say)
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
                inferred.column,
                "nothing" if inferred.known == 0 else "all" if inferred.known is None else f"at most {inferred.known}",
                say.share(inferred.before, total),
                say.share(inferred.after, left)
                if inferred.after is not None or inferred.before is None
                else "does not leave",
            )
            for inferred in evidence.inferred
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
                sensitive.column,
                change(
                    f"{sensitive.before.distinct_l}",
                    "–" if sensitive.after is None else f"{sensitive.after.distinct_l}",
                ),
                change(
                    f"{sensitive.before.entropy_l:.2f}",
                    "–" if sensitive.after is None else f"{sensitive.after.entropy_l:.2f}",
                ),
                change(
                    f"{sensitive.before.t_equal:.2f}",
                    "–" if sensitive.after is None else f"{sensitive.after.t_equal:.2f}",
                ),
            )
            for sensitive in evidence.sensitive
        )
        blocks.append(
            Table(
                "Classes of all known columns, original to release",
                ("Sensitive column", *(figure.name for figure in _OF_CLASSES)),
                rows,
                ("left", "right", "right", "right"),
                (
                    *(f"{figure.name}: {figure.meaning()}" for figure in _OF_CLASSES),
                    *((figures.BY_VALUES, _SETS) if evidence.several_rows else ()),
                ),
            )
        )
    return tuple(blocks)


def _by_rows(known: str) -> str:
    return f"Persons have several rows, each a visit. Counted with {known}, whichever reveals most."


# ---- annexes ----


def value_tables(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """What the values of known columns became: a table a step and column, a row a label."""
    by_column: dict[tuple[int, str], dict[str, list[str]]] = {}
    for recoded in evidence.recoding:
        labels = by_column.setdefault((recoded.step, recoded.column), {})
        labels.setdefault(_cell(recoded.label), []).append(_cell(recoded.value))
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


def definitions(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """What the terms mean."""
    return (
        Facts(
            (
                ("Class", f"All {evidence.unit} with the same values in every column that may be known."),
                *((figure.named(evidence.unit, evidence.k), figure.meaning(evidence.unit)) for figure in _DEFINED),
                ("Prosecutor’s risk", "1 / the size of the class (El Emam 2013)."),
                ("Certain", "All who share the known values have the same sensitive value."),
                ("Safe Harbor", "45 CFR 164.514(b)(2): removal of 18 classes of identifiers."),
            )
        ),
    )


def versions(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
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

"""The parts of a report that answer the three questions of WP216 by attacks, and say what these assume."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from anonlib.basics import words
from anonlib.basics.words import percent
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.report.wording import Wording
from anonlib.filing.report.blocks import Block, Bullets, Callout, Figure, Paragraph, Table
from anonlib.plots import attacks as plots
from anonlib.plots.still import svg
from anonlib.verdict.attacks.in_words import as_rows, first_sentence, gain, in_percent, is_above, title
from anonlib.verdict.attacks.linking import POPULATION
from anonlib.verdict.attacks.rates import Rate
from anonlib.verdict.attacks.result import Attack

Question = Literal["singling out", "linking", "inference"]
_ASKED: dict[Question, tuple[str, tuple[str, ...]]] = {
    "singling out": ("Is it still possible to single out an individual?", ("singling out",)),
    "linking": ("Is it still possible to link records relating to an individual?", ("linkage", "linkability")),
    "inference": ("Can information be inferred concerning an individual?", ("inference", "membership")),
}
_WIDE = 660  # pixels of the figure
_MOST_ROWS = 16  # attacks in the figure and in a table, those that gain most first
_NONE_TRIED = "No such attack was tried."
_LEFT_OUT = "Attacks were left out by choice, so that this question is answered by counts alone."


def answer(question: Question, evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """A question of WP216 with what attacks measured: a sentence in a frame, and each attack in a table."""
    question_text, kinds = _ASKED[question]
    outcome = evidence.attacks
    if outcome is None:
        return (Callout(_LEFT_OUT, "note", question_text),) if "attacks" in evidence.left_out else ()
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


def assumptions(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
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
                svg(plots.successes(rows), _WIDE),
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
    "Attacks by somebody who knows the sensitive values of many others, or how the recipe was chosen (minimality).",
    "Attacks that read free text, or that put several releases of the same people together.",
    "Attempts by a person with other sources, such as registers, newspapers or social media: see the test by a "
    "motivated intruder.",
)
"""Attacks that are not tried on any release."""

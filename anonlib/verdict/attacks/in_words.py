"""Attacks in words, and as rows of a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anonlib.basics import words
from anonlib.basics.thresholds import is_at_most
from anonlib.basics.words import percent
from anonlib.plots.attacks import Success
from anonlib.verdict.attacks.attacking import Attacks
from anonlib.verdict.attacks.linkage import POPULATION
from anonlib.verdict.attacks.result import Attack, Excess

_NAMES = {
    "singling out": "Found", "linkage": "Linked", "linkability": "Linked by two parties", "inference": "Guessed",
    "membership": "Known to be in the file",
}  # fmt: skip
_WHO = {"recipient": "known columns", "anybody": "all that leaves"}
_HOW = {"nearest records": "", "trees that learnt from it": "trees", "a row that fits": "", "a register": ""}
_NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


@dataclass(frozen=True)
class Worst:
    """The attack of some kinds that gains most.

    Attributes
    ----------
    name, term : str
        What it does to somebody, in plain words and as the field calls it: ``Found``, ``singling out``.
    attack : Attack | None
        The one; None where no gain of one of these kinds is known.
    says : str
        What came of it, in a sentence.
    is_red : bool | None
        Whether it gains more than the limit; None where no gain is known, and where none of those known does and others
        are not known or still to be tried: that is not harmless.
    """

    name: str
    term: str
    attack: Attack | None
    says: str
    is_red: bool | None


_KINDS = (
    (
        "Found",
        "singling out",
        ("singling out",),
        "No condition that was drawn is true of one released record alone, so none could be tried.",
    ),
    ("Linked", "linkage", ("linkage", "linkability"), "Nothing could be tried: no column that leaves may be known."),
    ("Guessed", "inference", ("inference",), "Nothing could be tried: no sensitive column leaves."),
)


def worst_of_each(attacks: Attacks, limit: float) -> tuple[Worst, Worst, Worst]:
    """Of what finds people, links them and guesses their values, the attack that gains most.

    Parameters
    ----------
    attacks : Attacks
        What came of the attacks.
    limit : float
        In [0, 1]: red is what gains more.
    """
    singled_out, linked, guessed = (_worst(attacks, limit, *kind) for kind in _KINDS)
    return singled_out, linked, guessed


def _worst(attacks: Attacks, limit: float, name: str, term: str, kinds: tuple[str, ...], none: str) -> Worst:
    tried = [attack for kind in kinds for attack in attacks.of_kind(kind)]
    gains = [(gained, attack) for attack in tried if (gained := gain(attack)) is not None]
    if not gains:
        alike = "It is not known what the release gives: of people who are not in the file all tries succeed as well."
        says = alike if any(attack.rate.tries for attack in tried) else "Not tried yet." if attacks.to_come else none
        return Worst(name, term, None, says, None)
    gained, attack = max(gains, key=lambda pair: pair[0])
    sentence = _sentence(attack) + ("" if attack.gain is None else f", a gain of {rounded(gained)}") + "."
    if is_above(attack, limit):
        return Worst(name, term, attack, sentence, True)
    n_open = sum(bool(other.rate.tries) and gain(other) is None for other in tried)
    if n_open:
        sentence += f" Of {words.count(n_open, 'more attacks')} it is not known what the release gives."
    return Worst(name, term, attack, sentence, None if n_open or attacks.to_come else False)


def _sentence(attack: Attack) -> str:
    """How many tries succeed, and of whom they do without the file, without its end."""
    n, whose = attack.known, _WHO.get(attack.knows, attack.knows)
    tries = f"{percent(attack.rate.share)} of {attack.rate.tries:,}"
    match attack.kind:
        case "singling out":
            several = f"{_NUMBERS.get(n, str(n))} columns" if n > 1 else "one column"
            first = f"{tries} conditions on {several}, of {whose}, find one person alone"
        case "linkage":
            how = POPULATION if attack.how == POPULATION else f"{attack.how} with the {whose}"
            first = f"{tries} people are linked to their own record by {how}"
        case "linkability":
            first = f"{tries} people are put together rightly from the columns of two parties ({attack.how})"
        case _:
            by = "trees" if attack.how.startswith("trees") else "the nearest records"
            first = f"{attack.about} is guessed right of {tries} people by {by} and {whose}"
    others = [] if attack.control is None else [f"{percent(attack.control.share)} of people who are not in the file"]
    others += [] if attack.baseline is None or attack.kind == "linkage" else [
        f"{percent(attack.baseline.share)} without the file"
    ]  # fmt: skip
    return first + (f", against {' and '.join(others)}" if others else "")


def title(attack: Attack) -> str:
    """What an attack is, in a few words: ``Guessed salary: trees, known columns``."""
    name = _NAMES[attack.kind]
    about = f" {attack.about}" if attack.about else ""
    who = "" if attack.kind in ("linkability", "linkage") else _WHO.get(attack.knows, "")
    rest = ", ".join(part for part in (_HOW.get(attack.how, attack.how), who) if part)
    return f"{name}{about}{f': {rest}' if rest else ''}"


def gain(attack: Attack) -> float | None:
    """What an attack gains, in [-1, 1], as :attr:`Attack.gain`; of linkage its success; None: not known."""
    if not attack.rate.tries:
        return None
    if attack.control is None and (attack.kind == "linkage" or attack.baseline is None):
        return attack.rate.share
    return None if attack.gain is None else attack.gain.value


def in_percent(gained: Excess) -> str:
    """A gain with its interval, to a tenth of a percent: ``22.1% (7.6% to 36.7%)``."""
    low, high = gained.interval
    return f"{rounded(gained.value)} ({rounded(low)} to {rounded(high)})"


def rounded(gained: float) -> str:
    """A gain to a tenth of a percent, which is as much as a thousand tries tell."""
    return percent(round(gained, 3) + 0.0)


def is_above(attack: Attack, limit: float) -> bool:
    """Whether an attack gains more than a limit."""
    gained = gain(attack)
    return gained is not None and not is_at_most(gained, limit)


def says(attack: Attack) -> tuple[str, ...]:
    """What came of an attack, in sentences."""
    low, high = attack.rate.interval
    sentences = [
        f"{attack.rate.successes:,.0f} of {words.count(attack.rate.tries, 'tries')} succeed: "
        f"{percent(attack.rate.share)} ({percent(low)} to {percent(high)})."
    ]
    if attack.control is not None:
        sentences.append(f"Of people who are not in the file {percent(attack.control.share)} do.")
    if attack.baseline is not None:
        sentences.append(f"Without the file {percent(attack.baseline.share)} do.")
    if attack.gain is not None:
        sentences.append(f"{'Advantage' if attack.kind == 'membership' else 'Gain'}: {in_percent(attack.gain)}.")
    return (*sentences, attack.note) if attack.note else tuple(sentences)


def _gained(attack: Attack) -> str:
    value = gain(attack)
    return "–" if value is None else percent(value) if attack.gain is None else rounded(value)


def as_rows(attacks: Sequence[Attack], limit: float) -> tuple[Success, ...]:
    """Attacks of which there were tries as rows of a figure; red is what gains more than the limit."""
    return tuple(
        Success(
            title(attack), attack.rate.share, *attack.rate.interval,
            attack.control.share if attack.control is not None and attack.control.tries else None,
            attack.baseline.share if attack.baseline is not None and attack.baseline.tries else None,
            _gained(attack), is_above(attack, limit), says(attack),
        )
        for attack in attacks if attack.rate.tries
    )  # fmt: skip


def first_sentence(attacks: Sequence[Attack], n_columns: int) -> str:
    """How many of the conditions drawn single somebody out, by any so many columns and by those declared as known.

    "" where no attempt by any columns is among the attacks.
    """
    n = n_columns
    several = f"{_NUMBERS.get(n, str(n))} of the released columns" if n > 1 else "one of the released columns"
    predicates = [attack for attack in attacks if attack.kind == "singling out"]
    whole = next((attack for attack in predicates if attack.knows == "anybody" and attack.known == n), None)
    known = next((attack for attack in predicates if attack.knows == "recipient"), None)
    if whole is None:
        return ""
    if not whole.rate.tries:
        what = "value" if n == 1 else "combination drawn"
        first = f"No {what} of {several} is true of one released record alone, so nobody can be tried by it"
    else:
        tries = whole.rate.tries
        combinations = f"{words.count(whole.drawn or tries, 'combinations')} of {several}"
        ones = "different one is" if tries == 1 else "different ones are"
        are = f"Of {combinations} that were drawn, {tries:,} {ones}" if whole.drawn else f"{combinations} are"
        first = f"{are} true of one released record alone, and {_right(whole)}"
    if known is None:
        return first + "."
    if not known.rate.tries:
        return f"{first}; knowing only what was declared, none can be tried."
    return f"{first}; knowing only what was declared, {_right(known)}."


def _right(attack: Attack) -> str:
    """How many of the attempts single out one person of the original."""
    tries, right = attack.rate.tries, attack.rate.successes
    if tries == 1:
        return f"it singles out {'one person' if right else 'nobody'}"
    if right in (0, tries):
        return f"{'each' if right else 'none'} of the {tries:,} singles out one person"
    return f"{words.share(round(right), tries)} single out one person"

"""Attacks in words, and as rows of a figure."""

from __future__ import annotations

from collections.abc import Sequence

from anonlib.basics import words
from anonlib.basics.thresholds import is_at_most
from anonlib.basics.words import percent
from anonlib.plots.attacks import Success
from anonlib.verdict.attacks.rates import Excess
from anonlib.verdict.attacks.result import Attack

_WHO = {"recipient": "known columns", "anybody": "all that leaves"}
_HOW = {"nearest records": "", "trees that learnt from it": "trees", "a row that fits": "", "a register": ""}
_NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


def title(attack: Attack) -> str:
    """What an attack is, in a few words: ``Inference of salary: trees, known columns``."""
    name = attack.kind[:1].upper() + attack.kind[1:]
    about = f" of {attack.about}" if attack.about else ""
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
    found = [
        f"{attack.rate.successes:,.0f} of {words.count(attack.rate.tries, 'tries')} succeed: "
        f"{percent(attack.rate.share)} ({percent(low)} to {percent(high)})."
    ]
    if attack.control is not None:
        found.append(f"Of people who are not in the file {percent(attack.control.share)} do.")
    if attack.baseline is not None:
        found.append(f"Without the file {percent(attack.baseline.share)} do.")
    if attack.gain is not None:
        found.append(f"{'Advantage' if attack.kind == 'membership' else 'Gain'}: {in_percent(attack.gain)}.")
    return (*found, attack.note) if attack.note else tuple(found)


def as_rows(attacks: Sequence[Attack], limit: float) -> tuple[Success, ...]:
    """Attacks of which there were tries as rows of a figure; red is what gains more than the limit."""
    return tuple(
        Success(
            title(each), each.rate.share, *each.rate.interval,
            each.control.share if each.control is not None and each.control.tries else None,
            each.baseline.share if each.baseline is not None and each.baseline.tries else None,
            is_above(each, limit), says(each),
        )
        for each in attacks if each.rate.tries
    )  # fmt: skip


def first_sentence(attacks: Sequence[Attack], n_columns: int) -> str:
    """How many of the conditions drawn single somebody out, by any so many columns and by those declared as known.

    "" where no attempt by any columns is among the attacks.
    """
    n = n_columns
    several = f"{_NUMBERS.get(n, str(n))} of the released columns" if n > 1 else "one of the released columns"
    predicates = [each for each in attacks if each.kind == "singling out"]
    whole = next((each for each in predicates if each.knows == "anybody" and each.known == n), None)
    known = next((each for each in predicates if each.knows == "recipient"), None)
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

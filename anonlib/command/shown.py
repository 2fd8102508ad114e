"""What commands say on standard output, which is short tables and no cell of the file, and their exit status.

First comes the exit status of a verdict.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from anonlib.analyses.utility.purposes import Kept
from anonlib.basics import figures, words
from anonlib.columns.person_ids import IdDoubts, in_words
from anonlib.command.arguments import MET, NOT_CHECKED, NOT_MET
from anonlib.filing.evidence import Evidence, PopulationFacts, RiskFacts
from anonlib.release.applied import of_nobody_in_words
from anonlib.release.unprotected import BothEnds, Sizes
from anonlib.verdict.criteria import State, left_for_value_in_words, of_rows, spelled_in_words


def status_of(may_leave: bool, states: Iterable[str]) -> int:
    """The exit status of a verdict.

    Parameters
    ----------
    may_leave : bool
        Whether nothing stands against it.
    states : Iterable[str]
        Of each criterion that nobody accepted: met, not met, or cannot be checked.
    """
    if may_leave:
        return MET
    return NOT_CHECKED if set(states) - {State.MET} == {State.UNKNOWN} else NOT_MET


def status_of_evidence(evidence: Evidence) -> int:
    """The exit status of the verdict that evidence has."""
    return status_of(evidence.may_leave, [criterion.state for criterion in evidence.criteria if not criterion.accepted])


_MARKS = {"met": "met    ", "not met": "NOT MET", "cannot be checked": "OPEN   "}
_WIDEST = 40


def say(text: str = "") -> None:
    """Lines on standard output."""
    print("\n".join(words.escaped(line) for line in text.split("\n")))


def as_json(document: object) -> None:
    """A document on standard output."""
    json_text(json.dumps(document, indent=1, ensure_ascii=False))


def json_text(text: str) -> None:
    """JSON on standard output, where what a terminal would obey is spelled out as JSON does."""
    print("\n".join(map(_spelled_out, text.split("\n"))))


def _spelled_out(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in line)


def table(rows: Sequence[Sequence[str]]) -> None:
    """Rows in columns that stand below one another; the first row is the header."""
    cut = [
        [cell if len(cell) <= _WIDEST else cell[: _WIDEST - 1] + "…" for cell in map(words.escaped, row)]
        for row in rows
    ]
    widths = [max(len(cell) for cell in column) for column in zip(*cut, strict=True)]
    for row in cut:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def risk(facts: RiskFacts, unit: str, by_values: bool) -> None:
    """Class sizes and attackers in a few lines."""
    alone = f"{words.share(facts.unique, facts.records)}, in {words.count(facts.classes, 'classes')} in all"
    say(f"  {figures.K.named(unit, by_values=by_values)}: {facts.k:,}")
    say(f"  {figures.ALONE.named(unit, by_values=by_values)}: {alone}")
    by = ", values known" if by_values else ""
    for risk_by in facts.attackers:
        at_risk = words.share(risk_by.at_risk, risk_by.n_records, unit)
        average = f"average {words.percent(risk_by.average)}"
        if risk_by.attacker == "marketer":  # whose risk is the average of all, and nobody's own
            of_population = " in the population" if risk_by.in_population else ""
            say(f"  {risk_by.attacker}{of_population}{by}: {average}")
        else:
            highest = words.percent(risk_by.highest)
            say(f"  {risk_by.attacker}{by}: highest {highest}, {average}, at risk {at_risk}")


def ends(both_ends: BothEnds, unit: str) -> None:
    """Both ends while columns are undecided, the worse first."""
    undecided = words.count(len(both_ends.undecided), "undecided columns")
    say(f"\nIf the {undecided} {'is' if len(both_ends.undecided) == 1 else 'are all'} known outside too:")
    _sizes(both_ends, both_ends.all_known, unit)
    if both_ends.decided is None:
        say("No column is decided as known, so that nothing is counted without them.")
    else:
        known = both_ends.decided.columns
        say(f"If only {words.quoted(known)} {'is' if len(known) == 1 else 'are'} known:")
        _sizes(both_ends, both_ends.decided, unit)
    if both_ends.aside:
        say(f"Not looked at, since nobody knows it word for word, or outside: {words.quoted(both_ends.aside)}.")


def _sizes(ends: BothEnds, sizes: Sizes, unit: str) -> None:
    alone, below = words.share(sizes.alone, sizes.n_records, unit), words.share(sizes.below, sizes.n_records)
    by = f", with {of_rows(ends.rows)}" if ends.rows else ""
    say(f"  k = {sizes.k:,}{by}; {alone} are alone; {below} below {ends.k_wanted:,}.")


def verdict(evidence: Evidence) -> None:
    """The verdict, and the worst of what was measured without a limit."""
    say(" ".join(sentence for sentence in (evidence.verdict, evidence.learned) if sentence))


def assessment(evidence: Evidence, undecided: BothEnds | None = None) -> None:
    """The case, the verdict, each criterion, and what is behind it; before any risk, what undecided columns come to."""
    if evidence.case.in_a_line:
        say(f"The case: {evidence.case.in_a_line}")
    verdict(evidence)
    if evidence.leaves_anyway:
        say(f"It leaves all the same: {evidence.leaves_anyway}")
    say()
    for finding in evidence.criteria:
        accepted = " (accepted)" if finding.accepted else ""
        say(f"  {_MARKS[finding.state]}{accepted}  {finding.title}: {finding.says}")
    for finding in evidence.measured:
        say(f"  no limit {finding.title}: {finding.says}")
    if (alone := evidence.alone) is not None:
        aside = f" Not looked at: {words.quoted(alone.aside)}." if alone.aside else ""
        say(
            f"\nUnique on any {alone.known} of {words.count(len(alone.columns), 'released columns')}: "
            f"{words.share(alone.alone, alone.of, evidence.unit)}; among fewer than "
            f"{alone.k} like them: {words.share(alone.below, alone.of)}. No limit is set on it.{aside} "
            f"{alone.not_counted}".rstrip()
        )
    if undecided is not None:
        ends(undecided, evidence.unit)
    for title, facts in (("Original", evidence.before), ("Release", evidence.after)):
        if facts is not None:
            say(f"\n{title}: {words.count(facts.records, evidence.unit)}")
            risk(facts, evidence.unit, evidence.several_rows)
    persons = (
        ""
        if evidence.persons_kept is None
        else f"; {figures.PERSONS_KEPT.name.lower()}: {words.percent(evidence.persons_kept)}"
    )
    say(
        f"\n{figures.ROWS_KEPT.name}: {words.percent(evidence.records_kept)}{persons}; "
        f"{figures.ENTROPY_KEPT.name.lower()}: {words.percent(evidence.information_kept)}."
    )
    if evidence.lost is not None:
        say(f"{figures.DETAIL_LOST.name}: {words.percent(evidence.lost.share)}.")
        say(evidence.lost.says)
    if left := sum(left.persons for left in evidence.left_for_value):
        say(f"{left_for_value_in_words(left, evidence.unit)}.")
    if evidence.left is not None and evidence.left.says:
        say(evidence.left.says)
    if evidence.released is not None and (of_nobody := of_nobody_in_words(evidence.released.of_nobody)):
        say(of_nobody)
    doubts(evidence.ids)
    if evidence.spelled:
        say(f"\n{spelled_in_words(evidence.spelled)}")


def doubts(id_doubts: IdDoubts | None) -> None:
    """What is doubtful about whose row it is; nothing where nothing is."""
    for sentence in in_words(id_doubts):
        say(f"\nWhose row it is: {sentence}")


def survives(of_purposes: Sequence[Kept]) -> None:
    """How well what must survive does in the release, purpose by purpose; nothing where none is named."""
    if of_purposes:
        say("\nWhat must survive, original against release:")
    for of_purpose in of_purposes:
        share = "not measured" if of_purpose.share is None else f"{words.percent(of_purpose.share)} kept"
        say(f"  {of_purpose.purpose.title}: {share}. {of_purpose.sentence}")


def in_population(facts: PopulationFacts | None, unit: str) -> None:
    """Who of those alone may be alone in the population: the range of the estimates, and how wrong they have been."""
    if facts is None:
        return
    for title, estimate in (("Original", facts.before), ("Release", facts.after)):
        if estimate is not None:
            say(f"\n{title}: {estimate.says(unit)}")
    for sentence in facts.says_how_wrong:
        say(f"\n{sentence}")

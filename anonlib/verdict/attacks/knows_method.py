"""The attacker who knows the method: what is concluded from what a search refused, in words and as rows of a figure."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from anonlib.analyses.generalization.certificate import by_knowledge
from anonlib.analyses.generalization.search.coins import Coin, greatest_probability
from anonlib.basics import words
from anonlib.plots.attacks import Concluded
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.verdict.attacks.in_words import Worst
from anonlib.verdict.method import (
    Example,
    LeftForValue,
    Method,
    MethodFindings,
    coins_of,
    left_for_value,
    method_findings,
    not_sensitive,
)

NAME, TERM = "Concluded", "minimality attack"
A_SECOND_OF_STATES = 30_000  # cells of which about a second counts what was refused


@dataclass(frozen=True)
class MethodAttack:
    """What somebody concludes of a release who knows how it was searched for.

    Attributes
    ----------
    findings : MethodFindings
        What is counted.
    can_refuse : bool
        Whether something that is asked looks at sensitive values, so that one can have refused a release.
    beside_example : int
        How many others share in the release the labels of those in the example.
    coins : tuple[Coin, ...], default ()
        Those that refuse as values do; none where values alone refuse.
    """

    findings: MethodFindings
    can_refuse: bool
    beside_example: int = 0
    coins: tuple[Coin, ...] = ()

    @property
    def odds(self) -> float:
        """How many times the odds of a value can become at most by the coins."""
        return math.prod(coin.odds for coin in self.coins)

    @property
    def greatest_share(self) -> float | None:
        """The share from which a value reaches the greatest probability; None where no coin bounds it.

        What :func:`greatest_probability` gives, turned round.
        """
        greatest = self.findings.greatest
        if greatest is None or math.isinf(self.odds):
            return None
        return greatest / (greatest + self.odds * (1 - greatest))

    @property
    def is_red(self) -> bool | None:
        """Whether a value is certain of somebody, or somebody is left out for one; None where it is not known."""
        findings = self.findings
        if findings.forced or findings.persons_left_for_value:
            return True
        return None if findings.not_counted or findings.uncertified else False

    def to_frame(self) -> pd.DataFrame:
        """The figures, a row each: the column, what is counted, how many, and of how many."""
        findings = self.findings
        rows: list[tuple[str, str, float]] = []
        if not findings.not_counted:
            rows += [
                ("", "certain", findings.forced),
                ("", "not shown to be safe", findings.uncertified),
                ("", "safe", findings.safe),
            ]
        rows.append(("", "left out for a value", findings.persons_left_for_value))
        for name, forced, uncertified in findings.by_column:
            rows += [(name, "certain", forced), (name, "not shown to be safe", uncertified)]
        counted = [(*row, findings.n_records) for row in rows]
        if findings.greatest is not None:
            counted.append(("", "greatest probability of a value", findings.greatest, 1))
        return pd.DataFrame(counted, columns=["sensitive column", "counted", "number", "of"])


def method_attack(applied: Applied, recipe: Recipe, method: Method | None) -> MethodAttack:
    """Count what somebody concludes who knows how a release was searched for.

    Parameters
    ----------
    applied : Applied
        What the recipe made of the data.
    recipe : Recipe
        The steps.
    method : Method | None
        What a search was asked; None where nothing can be searched.

    Returns
    -------
    MethodAttack
    """
    if method is None:
        everybody = applied.original.without_rows_of_nobody().with_counted().classes([]).n_records
        return MethodAttack(MethodFindings(0, 0, 0, everybody, left_for_value(applied, recipe)), can_refuse=False)
    known = not_sensitive(applied.original)
    findings = method_findings(applied, recipe, method)
    can_refuse = bool(by_knowledge(method.guarantees, known)[1])
    coins = () if findings.greatest is None else coins_of(recipe, known) or ()
    return MethodAttack(
        findings,
        can_refuse,
        0 if findings.example is None else _beside(applied, findings.example),
        coins,
    )


def seconds(n_records: int, n_columns: int, recipe: Recipe) -> float:
    """About how much work it is to count it, in seconds of the machine that was calibrated on.

    Parameters
    ----------
    n_records : int
        Records of the file.
    n_columns : int
        Columns that may be known.
    recipe : Recipe
        The steps.
    """
    return 0.1 + n_records * n_columns / A_SECOND_OF_STATES if recipe.enabled else 0.0


def _beside(applied: Applied, example: Example) -> int:
    """How many records of the release have the labels of those in an example, without these."""
    labels = {name: label for name, label in example.released if label}
    classes = applied.released.with_missing("category").classes(list(labels))
    alike = [True] * classes.n_classes
    for name, label in labels.items():
        alike = [same and value == label for same, value in zip(alike, classes.column(name), strict=True)]
    return int(classes.counts[alike].sum()) - example.persons


# ---- in words ----


def concluded(attack: MethodAttack, unit: str) -> Worst:
    """The attack as a line beside those that were tried.

    Parameters
    ----------
    attack : MethodAttack
        What was counted.
    unit : str
        What is counted: records or persons.
    """
    findings, says = attack.findings, list[str]()
    if findings.not_counted:
        says.append(findings.not_counted)
    elif not attack.can_refuse:
        says.append("Nothing that is asked looks at sensitive values, so none can have refused a release.")
    else:
        if findings.forced:
            of = words.count(findings.n_records, unit)
            have = "has" if findings.forced == 1 else "have"
            says.append(
                f"{findings.forced:,} of {of} {have} a value that is certain to somebody who knows how the release was "
                "searched for."
            )
        else:
            says.append("Of nobody is a value shown to be certain by what the search refused.")
        if findings.uncertified:
            says.append(f"Of {words.count(findings.uncertified, unit)} it is not shown that none is.")
        if findings.greatest is not None:
            most = words.percent_at_most(findings.greatest)
            says.append(f"By the coin's chance and budget a value can reach a probability of at most {most}.")
    if findings.left_for_value:
        says.append(left_out_in_words(findings.left_for_value, unit))
    return Worst(NAME, TERM, None, " ".join(says), attack.is_red)


def left_out_in_words(left: tuple[LeftForValue, ...], unit: str) -> str:
    """Whom steps leave out for a value, in a sentence; "" where nobody is.

    Parameters
    ----------
    left : tuple[LeftForValue, ...]
        By step.
    unit : str
        What is counted: records or persons.
    """
    persons, classes = sum(step.persons for step in left), sum(step.classes for step in left)
    if not persons:
        return ""
    steps = "step" if len(left) == 1 else "steps"
    places = words.listed([f"{step.position + 1}" for step in left])
    who = words.count(persons, unit)
    of = f" of {words.count(classes, 'classes')} that" if classes else " whose class"
    return f"{who}{of} met every size left for their value ({steps} {places} of the recipe)."


def example_in_words(attack: MethodAttack, unit: str) -> str:
    """The largest set of those whose value is certain, in sentences that name no sensitive value.

    Parameters
    ----------
    attack : MethodAttack
        What was counted.
    unit : str
        What is counted: records or persons.
    """
    example = attack.findings.example
    if example is None:
        return "No single refusal shows it: several of them together do." if attack.findings.forced else ""
    of_release = dict(example.released)
    apart = {name: label for name, label in example.labels if label != of_release[name]}
    more = len(example.labels) - len(apart)
    who = words.count(example.persons, unit)
    if apart:
        who += f" with {words.listed([f'{name} {label}' for name, label in apart.items()], most=4)}"
    if more:
        who += f" and {words.count(more, 'more known columns')} alike" if apart else " who are alike"
    shared = words.listed([of_release[name] for name in apart if of_release[name]], most=4)
    others = words.count(attack.beside_example, "others")
    share = f"share {shared} with {others} in the release" if shared else f"are beside {others} in the release"
    value = f"that all {example.persons:,} of them have" if example.persons > 1 else "of this one"
    return (
        f"{who} {share}. The sizes of classes allowed a finer release, which tells them apart and loses less. Only a "
        f"value {value} can have refused it, so that is certain."
    )


def rows(attack: MethodAttack) -> list[Concluded]:
    """The rows of the figure: all sensitive columns together, and each of several.

    Parameters
    ----------
    attack : MethodAttack
        What was counted.
    """
    findings = attack.findings
    left, of_all = findings.persons_left_for_value, len(findings.by_column) != 1
    name = "any sensitive column" if of_all else findings.by_column[0][0]
    first = Concluded(name, findings.forced, findings.uncertified, findings.safe, left, findings.n_records)
    if not of_all:
        return [first]
    of_column = (
        Concluded(name, forced, uncertified, None, None, findings.n_records)
        for name, forced, uncertified in findings.by_column
    )
    return [first, *of_column]


def probabilities(attack: MethodAttack, shares: tuple[float, ...]) -> list[float]:
    """The greatest probability that a value of each of some shares can reach, in [0, 1].

    Parameters
    ----------
    attack : MethodAttack
        What was counted.
    shares : tuple[float, ...]
        Of those who are alike in the release, in [0, 1].
    """
    return [greatest_probability(share, attack.odds) for share in shares]

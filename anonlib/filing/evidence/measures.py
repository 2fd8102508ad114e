"""The measures of an original beside its release, each counted by the analysis it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from anonlib.analyses.individuals import MinimalSets, correct_match, singling_out
from anonlib.analyses.leakage import compare_leakage, information_loss
from anonlib.analyses.population_uniqueness import population_uniqueness
from anonlib.analyses.risk import Assessment, SensitiveRisk, assess, sensitive_risk
from anonlib.analyses.utility import measure, predict
from anonlib.analyses.utility.purposes import Purpose, kept
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, share_of
from anonlib.counting.classes.subsets import n_subsets
from anonlib.dataset import Dataset
from anonlib.filing.evidence.evidence import (
    RELEASE,
    AloneFacts,
    InferredFacts,
    Leaking,
    PopulationFacts,
    RiskFacts,
    SensitiveFacts,
    SinglingOutFacts,
    VersionFacts,
)
from anonlib.filing.evidence.utility import UtilityFacts, purpose_facts
from anonlib.release.comparison import Comparison, compare
from anonlib.release.covering import CoveredClasses, bits_of_columns, covered_classes
from anonlib.release.recipe import Recipe
from anonlib.release.safe_harbor import with_safe_harbor
from anonlib.release.uniqueness_of_release import Alone, alone_by_what_leaves
from anonlib.verdict.attacks.attacking import Attacks, AttackSettings, attack
from anonlib.verdict.criteria import Aim, Case, of_rows
from anonlib.verdict.criteria.inference import Certain, certain

KNOWN: tuple[int | None, ...] = (0, 1, 2, 3, None)
"""How many columns somebody knows at most, for what can be inferred; None: all."""
MOST_LISTED = 10
"""Combinations of columns that are listed, those that matter most first."""
_MOST_SETS = 3_000  # combinations that are looked at for leakage and singling out: seconds


def risk(assessment: Assessment) -> RiskFacts:
    """Class sizes and the attackers' risks."""
    vector = assessment.vector
    return RiskFacts(
        assessment.n_records, assessment.k, assessment.n_classes, assessment.unique, assessment.below_k,
        tuple(map(int, vector.sizes)), tuple(map(int, vector.classes)), assessment.attackers,
    )  # fmt: skip


def risk_of(data: Dataset, k: int) -> RiskFacts:
    """Class sizes and the attackers' risks of a data set with known columns, without a population table.

    Parameters
    ----------
    data : Dataset
        The data set.
    k : int
        The size below which a group is small.

    Returns
    -------
    RiskFacts
    """
    return risk(assess(data.classes(data.quasi_identifiers), k=k))


def inferred(case: Case, progress: Progress) -> tuple[InferredFacts, ...]:
    """For each sensitive column, how many are certain to somebody who knows at most so many columns.

    Where persons have several rows, by the worst of what the recipient is taken to know of these.
    """
    numbers_known = [known for known in KNOWN if known is None or known < len(case.known)]
    counts = dict[tuple[str, int | None], tuple[int | None, int | None]]()
    for done, known in enumerate(numbers_known, start=1):
        before, after = (certain(case, known, before=original) or {} for original in (True, False))
        for name in case.sensitive:
            counts[name, known] = _number(before, name), _number(after, name)
        progress(done / len(numbers_known))
    by = of_rows(case.rows_asked_before) if case.linking_before.several else ""
    return tuple(
        InferredFacts(name, known, *counts[name, known], by) for name in case.sensitive for known in numbers_known
    )


def _number(by_column: Mapping[str, Certain], column: str) -> int | None:
    return by_column[column].certain if column in by_column else None


def alone(case: Case, aim: Aim, progress: Progress) -> Alone | None:
    """Who is alone by a few of all columns that leave; None without records."""
    if not case.released.n_records:
        return None
    return alone_by_what_leaves(case.applied, case.recipe, k=aim.small, unknowable=case.unknowable, progress=progress)


def alone_facts(alone: Alone | None) -> AloneFacts | None:
    """The same as evidence."""
    if alone is None:
        return None
    return AloneFacts(
        alone.known, alone.k, alone.alone, alone.below, alone.n_records, alone.columns, alone.aside, alone.n_sets,
        alone.worst, alone.not_counted,
    )  # fmt: skip


def attacks(case: Case, aim: Aim, alone: Alone | None, already: Attacks | None, progress: Progress) -> Attacks:
    """What came of attacks, as the page Attack makes them before anything is set there, or has made them already.

    Where they cannot be tried, as on records in a database, that stands in what was not tried.
    """
    attacker = AttackSettings.of(case.original, case.released, aim, case.unknowable)
    if already is not None and already.attacker == attacker:
        return replace(already, alone=None)
    try:
        outcome = attack(
            case.applied, case.recipe, attacker, population=case.population, alone=alone,
            progress=progress,
        )  # fmt: skip
    except InputError as error:
        return Attacks(attacker, None, (), None, 0, 0, "", case.unit, (str(error),))
    return replace(outcome, alone=None)  # which evidence has already


def sensitive(case: Case) -> tuple[SensitiveFacts, ...]:
    """l-diversity and t-closeness of each sensitive column."""
    before = {name: _of_classes(case.original.with_counted(), name) for name in case.sensitive}
    leaving = case.released.sensitive
    return tuple(
        SensitiveFacts(name, facts_before, _of_classes(case.released, name) if name in leaving else None)
        for name, facts_before in before.items()
    )


def _of_classes(data: Dataset, name: str) -> SensitiveRisk:
    known = data.quasi_identifiers
    return sensitive_risk(data.with_missing("category").classes([*known, name]), known, name)


def of_release(case: Case) -> CoveredClasses:
    """The classes of the release by the known columns, with what its labels cover."""
    return covered_classes(case.applied, case.recipe, case.released.quasi_identifiers)


def leaking(case: Case, progress: Progress) -> tuple[Leaking, ...]:
    """The combinations of known columns that give most away in the original, and what they give away now."""
    names = list(case.known)
    if not names:
        return ()
    size = _largest(len(names), 3)
    left = [name for name in case.released.quasi_identifiers if name in names]
    before = information_loss(
        case.original.with_counted().classes(names), max_size=size, progress=share_of(progress, 0.0, 0.5)
    )
    after = information_loss(
        of_release(case).classes.project(left), max_size=size, progress=share_of(progress, 0.5, 1.0)
    )
    comparison = compare_leakage(before, after)
    return tuple(
        Leaking(
            comparison.sets[i],
            float(comparison.normalized_before[i]),
            float(comparison.normalized_after[i]),
            float(comparison.worst_before[i]),
            float(comparison.worst_after[i]),
        )
        for i in before.ranked()[:MOST_LISTED]
    )


def singled_out(case: Case, progress: Progress) -> SinglingOutFacts | None:
    """The smallest combinations that leave somebody alone; None where nothing may be known."""
    if not case.known:
        return None
    size = _largest(len(case.known), 3)
    before = singling_out(case.original.with_counted().classes(), max_size=size, progress=share_of(progress, 0.0, 0.5))
    left = case.released.quasi_identifiers
    if not left or not case.released.n_records:
        return SinglingOutFacts(size, before.minimal.n_with_sets, 0, *_listed(before.minimal, None))
    smaller = min(size, len(left))
    after = singling_out(of_release(case).classes, max_size=smaller, progress=share_of(progress, 0.5, 1.0))
    sets = _listed(before.minimal, after.minimal)
    return SinglingOutFacts(size, before.minimal.n_with_sets, after.minimal.n_with_sets, *sets)


_Sets = tuple[tuple[tuple[str, ...], int], ...]


def _listed(before: MinimalSets, after: MinimalSets | None) -> tuple[_Sets, _Sets]:
    """The combinations that are enough for most in either, each with how many it is enough for in both, 0 up."""
    counts = [_counts(minimal_sets) for minimal_sets in (before, after)]
    listed = dict.fromkeys(names for by_names in counts for names in list(by_names)[:MOST_LISTED])
    first, second = (tuple((names, by_names.get(names, 0)) for names in listed) for by_names in counts)
    return first, second


def _counts(minimal: MinimalSets | None) -> dict[tuple[str, ...], int]:
    if minimal is None:
        return {}
    return dict(zip(minimal.sets, minimal.counts.tolist(), strict=True))


def _largest(columns: int, most: int) -> int:
    """The largest size of combinations, at most so many, of which there are not too many to look at."""
    sizes = [size for size in range(1, min(columns, most) + 1) if n_subsets(columns, size) <= _MOST_SETS]
    return max(sizes, default=1)


def utility(
    case: Case, k: int, target: str, seed: int, progress: Progress, purposes: tuple[Purpose, ...] = ()
) -> UtilityFacts | None:
    """What the release is still good for; None without records. A task takes nearly all of the time."""
    original, released = case.original, case.released
    if not released.n_records:
        return None
    task = 0.9 if target else 0.0
    named = (1 - task) / 2 if purposes else 0.0
    measured = measure(
        original, released, k=k, seed=seed, bits=bits_of_columns(case.applied, case.recipe),
        progress=share_of(progress, 0.0, 1 - task - named),
    )  # fmt: skip
    survives = kept(purposes, original, released, progress=share_of(progress, 1 - task - named, 1 - task))
    prediction = None
    if target:
        prediction = predict(original, released, target, seed=seed, progress=share_of(progress, 1 - task, 1.0))
    return UtilityFacts(
        measured.records_before,
        measured.records_after,
        measured.figures,
        measured.columns,
        measured.association.pairs(),
        prediction,
        purpose_facts(survives),
    )


def in_population(case: Case, people: int) -> PopulationFacts | None:
    """Who of those alone is expected to be alone among so many people; None where nothing may be known."""
    if not case.known:
        return None
    before = case.original.with_counted().classes().anonymity_vector
    left = case.released.quasi_identifiers
    after = case.released.classes(left).anonymity_vector if left and case.released.n_records else None
    return PopulationFacts(
        people,
        population_uniqueness(before, people),
        None if after is None else population_uniqueness(after, people),
        correct_match(before, people),
        0.0 if after is None else correct_match(after, people),
    )


def versions(case: Case, comparison: Comparison) -> tuple[VersionFacts, ...]:
    """The original, the release, and what Safe Harbor itself makes of the file."""
    rule = with_safe_harbor(Recipe(), case.original, case.population, case.year)
    of_rule = compare(rule.apply(case.original), rule, population=case.population)
    return (
        _version(RELEASE, comparison),
        _version("Original", comparison, original=True),
        _version("Safe Harbor", of_rule),
    )


def _version(name: str, comparison: Comparison, original: bool = False) -> VersionFacts:
    risk = comparison.before if original else comparison.after
    return VersionFacts(
        name, risk.k, risk.prosecutor.highest, risk.marketer.average,
        1.0 if original else comparison.rows_kept, 1.0 if original else comparison.entropy_kept,
        1.0 if original and comparison.counted_by else comparison.persons_kept,
    )  # fmt: skip

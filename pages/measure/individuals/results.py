"""What the library answers to the page's question: computed once, long work by the button."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal

import numpy as np
import streamlit as st

from anonlib.analyses.individuals import (
    Attacker,
    BreachProbability,
    Individuals,
    PrivacyElsewhere,
    PrivacyProfile,
    breach_probability,
    default_q,
    estimated_seconds,
    privacy_elsewhere,
    privacy_profile,
)
from anonlib.analyses.individuals.heatmap import certainty_order, row_at
from anonlib.basics.progress import Progress
from anonlib.columns.roles import Role
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.covering import CoveredTable
from anonlib.dataset import Dataset
from anonlib.verdict.attacks.elsewhere import LookedUp, people_beside
from pages.measure.individuals.question import IN_WORDS, IndividualsQuestion
from ui.kit import shared_controls
from ui.session import cache, long_work, view

CHANCE = "chance to stay private"
AT_ONCE = 1.5  # seconds; what takes longer waits for a button
BY_ITSELF = 15.0  # seconds that looking everybody up in another file may take, to begin without the button
_WORDING = long_work.WorkInWords(
    "Counting who can be distinguished", "Nothing is shown: you stopped the counting of who can be distinguished."
)


@dataclass(frozen=True, eq=False)
class IndividualsAnswer:
    """What the page shows: a value and whether it is certain, per row of individuals and variable.

    ``variables`` are in the order of the picture: sensitive columns first, and higher what is certain for more.
    ``missing`` are those who lack the value where that is certain: they are counted only if a missing value is to be a
    fact too. ``without_peers`` are those whom nobody in a file made elsewhere is like, by any set. ``name`` and
    ``highest`` are the term for the values and where their scale ends; ``known`` the most variables that were taken as
    known, None for all at once or with a probability.
    """

    variables: tuple[str, ...]
    values: np.ndarray
    certain: np.ndarray
    missing: np.ndarray
    without_peers: np.ndarray
    people: Individuals
    order: np.ndarray
    name: str
    highest: float
    known: int | None
    profile: PrivacyProfile | None

    @property
    def in_words(self) -> str:
        """What the values are, in plain words."""
        return IN_WORDS.get(self.name, self.name)

    @cached_property
    def share(self) -> np.ndarray:
        """Per variable, the share of individuals whose value is certain."""
        return self.people.share(self.certain)

    def place(self, variable: str) -> int:
        return self.variables.index(variable)


def classes_of(data: Dataset, question: IndividualsQuestion) -> ClassTable:
    """Of the release by what its labels cover, but where numbers that are near count as equal."""
    return labels_of(data, question) if question.within else view.covered(data, question.variables).classes


def labels_of(data: Dataset, question: IndividualsQuestion) -> ClassTable:
    """The classes by equal labels."""
    return _classes(data, variables=question.variables)


@cache.waited_for("Counting who shares which values")
def _classes(data: Dataset, *, variables: tuple[str, ...]) -> ClassTable:
    return data.classes(list(variables))


def inferred(data: Dataset, question: IndividualsQuestion) -> list[str]:
    """The variables that are sensitive in turn: without those of one value, which tell nobody from anybody.

    Their PPP is 0 by definition, which is not counted. A sensitive column stays: that all have its value is news of
    everyone.
    """
    classes = classes_of(data, question)
    return [
        name
        for j, name in enumerate(classes.attributes)
        if classes.n_values(j) > 1 or data.roles.get(name) == Role.SENSITIVE
    ]


@dataclass(frozen=True, eq=False)
class ClassesToInfer:
    """Who shares which values, and the variables that are sensitive in turn, as work elsewhere is given them.

    ``key`` names the data that they are of.
    """

    key: str
    classes: ClassTable
    inferred: tuple[str, ...]

    @classmethod
    def of(cls, data: Dataset, question: IndividualsQuestion) -> ClassesToInfer:
        return cls(data.key, classes_of(data, question), tuple(inferred(data, question)))

    @property
    def n_records(self) -> int:
        return self.classes.n_records


def attacker_of(
    classes: ClassTable, question: IndividualsQuestion, knows: int | Literal["any", "all"] = "any"
) -> Attacker:
    """The attacker of these question against a class table, knowing so much."""
    q = [default_q(question.q_share, classes.n_values(j)) for j in range(len(classes.attributes))]
    return Attacker(
        measure=question.measure,
        q=dict(zip(classes.attributes, q, strict=True)),
        knows=knows,
        include_empty=question.include_empty,
        within=question.within,
        missing_is_harm=question.missing_is_harm,
    )


def affordable(classes: ClassTable, question: IndividualsQuestion, sensitive: str | None = None) -> int:
    """The most known variables whose sets are looked at without being asked."""
    others = len(classes.attributes) - 1
    fits = [
        known
        for known in range(1, others + 1)
        if estimated_seconds(classes, attacker_of(classes, question, known), sensitive=sensitive) <= AT_ONCE
    ]
    return max(fits, default=1)


def affordable_in(data: Dataset, question: IndividualsQuestion) -> int:
    return affordable(classes_of(data, question), question)


def compared(
    versions: list[tuple[Dataset, IndividualsQuestion]], data: Dataset, answer_of_data: IndividualsAnswer
) -> list[IndividualsAnswer]:
    """The answers for original and release, when both are of the attacker asked for; else just the one shown."""
    answers = [
        answer_of_data if version[0] is data else answer(*version, ask=False) if inferred(*version) else None
        for version in versions
    ]
    given = [given_answer for given_answer in answers if given_answer is not None]
    known = [
        (given_answer.known, question.max_known) for given_answer, (_, question) in zip(given, versions, strict=False)
    ]
    alike = len({looked_at for looked_at, _ in known}) == 1 or all(n in (None, max_known) for n, max_known in known)
    return given if alike and len(given) == len(versions) else [answer_of_data]


def answer(data: Dataset, question: IndividualsQuestion, ask: bool = True) -> IndividualsAnswer | None:
    """The picture's values. Where it takes long it is of fewer known variables until the button was pressed.

    None where there is nothing to show before that. Without ``ask`` there is no button, just what was found before.
    """
    classes = classes_of(data, question)
    if question.attacker == "chance":
        return _chance_answer(data, question, classes, ask)
    if question.attacker == "all":
        profile = _stoppable(data, question, None)
    else:
        assert isinstance(question.attacker, int)
        wanted, at_once = question.attacker, affordable(classes, question)
        profile = _stoppable(data, question, at_once)
        if profile is None:
            return None
        if wanted > at_once:
            profile = _long_profile(data, question, classes, wanted, at_once, ask) or profile
        profile = profile.at_most(min(wanted, max(profile.known)))
    return None if profile is None else _answer(data, question, profile)


def regardless(question: IndividualsQuestion) -> IndividualsQuestion:
    """The question without those that change nothing about a profile: they are applied to it afterwards."""
    return replace(question, threshold=0.0, attacker="all", chance=0.0)


def _stoppable(data: Dataset, question: IndividualsQuestion, known: int | None) -> PrivacyProfile | None:
    """The profile of so many known variables, None: of all; None where the officer stopped it."""
    of, profile_question = ClassesToInfer.of(data, question), regardless(question)
    name = cache.digest(data.key, profile_question, known)
    return long_work.stoppable(name, _profile.work(of, question=profile_question, known=known), _WORDING)


@cache.remembered
def _profile(
    of: ClassesToInfer, *, question: IndividualsQuestion, known: int | None, progress: Progress
) -> PrivacyProfile:
    return _of_known(of, question, "all" if known is None else known, progress)


def _of_known(
    of: ClassesToInfer, question: IndividualsQuestion, known: int | Literal["all"], progress: Progress
) -> PrivacyProfile:
    """The profile of so many known variables."""
    attacker = attacker_of(of.classes, question, known)
    return privacy_profile(of.classes, attacker, sensitive=of.inferred, progress=progress)


def _long_profile(
    data: Dataset, question: IndividualsQuestion, classes: ClassTable, wanted: int, at_once: int, ask: bool
) -> PrivacyProfile | None:
    of = ClassesToInfer.of(data, question)
    stages: list[long_work.Stage[PrivacyProfile]] = [
        (f"Looking at every set of up to {known} columns", partial(_of_known, of, question, known))
        for known in range(at_once + 1, wanted + 1)
    ]
    seconds = [
        estimated_seconds(classes, attacker_of(classes, question, known)) for known in range(at_once + 1, wanted + 1)
    ]
    name = f"profile {data.key} {regardless(question)} {wanted}"
    return long_work.best_so_far(name, stages, seconds) if ask else long_work.result(name)


def _chance_answer(
    data: Dataset, question: IndividualsQuestion, classes: ClassTable, ask: bool
) -> IndividualsAnswer | None:
    of, knowing_all = ClassesToInfer.of(data, question), replace(question, attacker="all")
    seconds = estimated_seconds(classes, attacker_of(classes, question))
    result: BreachProbability | None
    if seconds <= AT_ONCE:
        result = _breach(of, question=knowing_all)
    else:
        name = f"chance {data.key} {knowing_all}"
        stage = ("Looking at every set of columns", _breach.work(of, question=knowing_all))
        result = long_work.best_so_far(name, [stage], seconds) if ask else long_work.result(name)
    if result is None:
        return None
    certain, missing = (chance > view.now().threshold for chance in (result.values, result.missing))
    about = f"{knowing_all} {view.now().threshold}"
    return _ordered(data, about, 1 - result.values, certain, missing, result, CHANCE, 1.0, None)


@cache.waited_for("Looking at every set of columns", away_from=cache.MANY)
def _breach(
    of: ClassesToInfer, *, question: IndividualsQuestion, progress: Progress = long_work.let_go
) -> BreachProbability:
    attacker = attacker_of(of.classes, question)
    return breach_probability(
        of.classes, of.inferred, question.chance, attacker, p=question.threshold, progress=progress
    )


def _answer(data: Dataset, question: IndividualsQuestion, profile: PrivacyProfile) -> IndividualsAnswer:
    return of_profile(data, question, profile, profile.values <= question.threshold, f"{profile.known} {question}")


def of_profile(
    data: Dataset, question: IndividualsQuestion, profile: PrivacyProfile, certain: np.ndarray, about: str
) -> IndividualsAnswer:
    """The answer that a profile is; ``about`` names it among others of the data, ``certain`` is what is red."""
    highest = 1.0 if question.measure != "npp" else float(max(20, 2 * question.threshold))
    known = None if question.attacker == "all" else profile.known[-1]
    return _ordered(
        data,
        about,
        profile.values,
        certain,
        profile.certainly_missing(question.threshold),
        profile,
        question.name,
        highest,
        known,
    )


@dataclass(frozen=True, eq=False)
class _Held:
    """What an order is of; ``key`` names it."""

    key: str
    variables: tuple[str, ...]
    values: np.ndarray
    certain: np.ndarray
    share: np.ndarray
    highest: float


def _ordered(
    data: Dataset, about: str, values: np.ndarray, certain: np.ndarray, missing: np.ndarray,
    result: PrivacyProfile | BreachProbability, name: str, highest: float, known: int | None,
) -> IndividualsAnswer:  # fmt: skip
    """Only the order is remembered: it takes the time, and the values would take the memory."""
    people, profile = result.people, result if isinstance(result, PrivacyProfile) else None
    held = _Held(about, result.sensitive, values, certain, people.share(certain), highest)
    rank, order = _order(data, held)
    variables = tuple(result.sensitive[i] for i in rank)
    without = np.zeros(values.shape, dtype=bool) if profile is None else profile.without_peers
    return IndividualsAnswer(
        variables, values[:, rank], certain[:, rank], missing[:, rank], without[:, rank], people, order, name, highest,
        known, profile,
    )  # fmt: skip


@cache.remembered
def _order(data: Dataset, held: _Held) -> tuple[list[int], np.ndarray]:
    """Variables, the sensitive ones first and higher what is certain for more; and rows of individuals."""
    names = held.variables
    rank = sorted(range(len(names)), key=lambda i: (data.roles.get(names[i]) != Role.SENSITIVE, -held.share[i]))
    values = np.minimum(held.values[:, rank], held.highest)
    return rank, certainty_order(values, held.certain[:, rank]).astype(np.int32)


def most_certain(data: Dataset, answer: IndividualsAnswer) -> str:
    """The sensitive column that is certain for most; of all columns, where none is sensitive."""
    sensitive = [name for name in answer.variables if data.roles.get(name) == Role.SENSITIVE]
    return max(sensitive or answer.variables, key=lambda name: answer.share[answer.place(name)])


def record_at(classes: ClassTable, answer: IndividualsAnswer, place: int) -> int:
    """The row of the file (counted from 0) of the individual at a place of the picture's order.

    Where the rows stay in a database, it is the class that the individual is in.
    """
    row = row_at(answer.people.counts, answer.order, place)
    if classes.class_of_record is None:
        return int(answer.people.rows[row])
    records = np.flatnonzero(classes.class_of_record == answer.people.rows[row])
    before = answer.people.counts[answer.order][: int(np.flatnonzero(answer.order == row)[0])].sum()
    return int(records[(place - int(before)) % len(records)])


def median_depth(depth: np.ndarray, counts: np.ndarray) -> int | None:
    """The number of known columns that is enough for half of those whose value is certain; None of nobody."""
    certain = depth >= 0
    if not certain.any():
        return None
    order = np.argsort(depth[certain], kind="stable")
    upto = np.cumsum(counts[certain][order])
    return int(depth[certain][order][np.searchsorted(upto, upto[-1] / 2)])


# ---- original and release ----


@dataclass(frozen=True, eq=False)
class LookedAt:
    """The version that is looked at.

    Attributes
    ----------
    data : the original or the release.
    question : what is asked of it, as far as it is answered: longer work may not have been done.
    answer : the answer.
    answers : of the original and of the release, where both can be compared; else just the one.
    """

    data: Dataset
    question: IndividualsQuestion
    answer: IndividualsAnswer
    answers: list[IndividualsAnswer]


def look_at(
    original: Dataset, released: Dataset | None, asked: IndividualsQuestion, looked: shared_controls.Version
) -> LookedAt:
    """Answer the question; the page ends with a sentence where there is nothing to look at."""
    if len(asked.variables) < 2:
        _end("Choose at least two columns under **More**: one to infer, and one to know.")
    versions = [(original, asked.on(original))]
    if released is not None and released.n_records:
        left = asked.on(released)
        if len(left.variables) > 1 and inferred(released, left):
            versions.append((released, left))
    data, question = versions[-1] if looked == "Release" else versions[0]
    if looked == "Release" and len(versions) == 1:
        _end(
            "The release has fewer than two of these columns, one value in each of them, or no record: nothing is left "
            "to infer."
        )
    if not classes_of(data, question).n_records:
        _end("Nobody is left to look at: every record lacks one of these values, or stands for nobody.")
    if not inferred(data, question):
        _end("Each of these columns has one value, the same for everybody: there is nothing to infer.")
    answer_of_data = answer(data, question)
    if answer_of_data is None:
        st.stop()
    answers = compared(versions, data, answer_of_data)
    if answer_of_data.known is not None:
        question = replace(question, attacker=answer_of_data.known)
    return LookedAt(data, question, answer_of_data, answers)


def _end(sentence: str) -> None:
    st.info(sentence)
    st.stop()


# ---- a file made elsewhere ----


_LOOKING_UP = long_work.WorkInWords(
    "Looking everybody up in the other file", "Nothing is shown: you stopped looking everybody up in the other file."
)


@dataclass(frozen=True, eq=False)
class AnswerElsewhere:
    """What is shown of a file made elsewhere.

    Attributes
    ----------
    looked_up : the people of the original beside its records.
    question : what is asked, of the columns that both files have.
    lookup : what it lets infer of everybody.
    answer : what the picture shows.
    own : the same question of the original itself; None where that is not of as many known columns.
    """

    looked_up: LookedUp
    question: IndividualsQuestion
    lookup: PrivacyElsewhere
    answer: IndividualsAnswer
    own: IndividualsAnswer | None

    @property
    def data(self) -> Dataset:
        """The original as its people are counted here."""
        return self.looked_up.original

    @property
    def is_covered(self) -> bool:
        """Whether labels of several levels stand side by side."""
        return isinstance(self.looked_up.beside.table, CoveredTable)

    def certain(self, name: str) -> np.ndarray:
        """bool, per row: a column is certain from the other file, whether or not others give it away too."""
        return self.lookup.profile.values[:, self.place(name)] <= self.question.threshold

    def anyway(self, name: str) -> np.ndarray:
        """bool, per row: it is certain from the other people of the original."""
        return self.lookup.anyway(self.question.threshold)[:, self.place(name)]

    def place(self, name: str) -> int:
        """Where a column is among those that are inferred."""
        return self.lookup.profile.sensitive.index(name)


def look_elsewhere(data: Dataset, other: Dataset, asked: IndividualsQuestion, beyond: bool) -> AnswerElsewhere | None:
    """Look everybody up in a file made elsewhere; the page ends with a sentence where there is nothing to look at.

    ``beyond`` leaves out of what is red what the other people of the original give away too.
    """
    other = other.shown_as(data)
    question = asked.on(other)
    looked_up = _looked_up(data, other, columns=question.variables)
    if isinstance(looked_up.beside.table, CoveredTable):
        question = replace(question, within=())
    if not looked_up.beside.people.n_records:
        _end("Nobody is left to look up: every record lacks one of these values, or stands for nobody.")
    if not _inferred_elsewhere(looked_up):
        _end("Each of these columns has one value, the same for everybody: there is nothing to infer.")
    lookup = _lookup(data, other, question, looked_up)
    if lookup is None:
        return None
    if isinstance(question.attacker, int):
        question = replace(question, attacker=lookup.profile.known[-1])
    certain = lookup.profile.values <= question.threshold
    if beyond:
        certain &= ~lookup.anyway(question.threshold)
    answer_of_file = of_profile(data, question, lookup.profile, certain, f"{other.key} {beyond} {question}")
    own = answer(looked_up.original, question, ask=False)
    is_alike = own is not None and own.known == answer_of_file.known
    return AnswerElsewhere(looked_up, question, lookup, answer_of_file, own if is_alike else None)


@cache.waited_for("Putting everybody beside the other file")
def _looked_up(data: Dataset, other: Dataset, *, columns: tuple[str, ...]) -> LookedUp:
    return people_beside(data, other, columns)


def _inferred_elsewhere(looked_up: LookedUp) -> list[str]:
    """As :func:`inferred`, of the people of the original."""
    people, roles = looked_up.beside.people, looked_up.original.roles
    return [
        name for j, name in enumerate(people.attributes) if people.n_values(j) > 1 or roles.get(name) == Role.SENSITIVE
    ]


def _lookup(
    data: Dataset, other: Dataset, question: IndividualsQuestion, looked_up: LookedUp
) -> PrivacyElsewhere | None:
    """As :func:`answer`: of fewer known variables until the button was pressed, where more take long."""

    def to_who_knows(known: int | None) -> PrivacyElsewhere | None:
        name = cache.digest("elsewhere", data.key, other.key, regardless(question), known)
        looking_up = _privacy_elsewhere.work(data, other, question=regardless(question), known=known)
        return long_work.stoppable(name, looking_up, _LOOKING_UP)

    if not isinstance(question.attacker, int):
        return to_who_knows(None)
    table, wanted = looked_up.beside.table, question.attacker
    at_once = affordable(table, question)
    lookup = to_who_knows(at_once)
    if lookup is not None and wanted > at_once:
        more = range(at_once + 1, wanted + 1)
        stages: list[long_work.Stage[PrivacyElsewhere]] = [
            (
                f"Looking at every set of up to {known} columns",
                _privacy_elsewhere.work(data, other, question=regardless(question), known=known),
            )
            for known in more
        ]
        seconds = [estimated_seconds(table, attacker_of(table, question, known)) for known in more]
        name = f"elsewhere {data.key} {other.key} {regardless(question)} {wanted}"
        longer = long_work.best_so_far(name, stages, seconds, by_itself=BY_ITSELF)
        lookup = longer or lookup
    return None if lookup is None else lookup.at_most(min(wanted, max(lookup.profile.known)))


@cache.remembered
def _privacy_elsewhere(
    data: Dataset, other: Dataset, *, question: IndividualsQuestion, known: int | None, progress: Progress
) -> PrivacyElsewhere:
    looked_up = _looked_up(data, other, columns=question.variables)
    attacker = attacker_of(looked_up.beside.table, question, "all" if known is None else known)
    return privacy_elsewhere(looked_up.beside, attacker, sensitive=_inferred_elsewhere(looked_up), progress=progress)

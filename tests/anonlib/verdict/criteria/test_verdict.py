"""Criteria as values, recipients, and the verdict on a release."""

from __future__ import annotations

import json
import math
import re
from random import Random

import pandas as pd
import pytest

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import EVERYTHING
from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.dataset import Dataset
from anonlib.release.readings import LISTED
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from anonlib.verdict.criteria import (
    BY_KEY,
    CRITERION_KINDS,
    DEFAULT,
    RECIPIENTS,
    Accepted,
    Aim,
    AverageRisk,
    Case,
    Combinations,
    Inference,
    NoIdentifiers,
    NoRevealingColumns,
    RecordsKept,
    SafeHarbor,
    SmallestClass,
    State,
    Verdict,
    criterion_from_dict,
    judge,
)
from anonlib.verdict.criteria import verdict as verdict_module
from anonlib.verdict.criteria.criterion import Criterion, Finding
from tests.helpers.small_release import IDENTIFIER, OTHER, PERSON, QI, SENSITIVE, WEIGHT
from tests.helpers.verdicts import case_with

PUBLIC = "Public release"


def case_of(*steps, **more) -> Case:
    frame = pd.DataFrame(
        {"age": ["31", "32", "34", "52", "57"], "illness": ["flu", "flu", "asthma", "flu", "asthma"]}, dtype=object
    )
    data = Dataset.from_frame(frame, roles={"age": QI, "illness": SENSITIVE})
    return case_with(data, *steps, **more)


# --- criteria as values ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", [each for recipient in RECIPIENTS for each in recipient.criteria]
                         + [kind() for kind in CRITERION_KINDS.values()], ids=lambda each: each.kind)  # fmt: skip
def test_a_criterion_is_kept_as_json(criterion):
    again = criterion_from_dict(json.loads(json.dumps(criterion.to_dict())))
    assert again == criterion and hash(again) == hash(criterion)
    assert criterion.title and criterion.describe().endswith(".") and criterion.describe("records").endswith(".")
    for limit in criterion.limits:
        value = getattr(criterion, limit.field)
        assert limit.least <= value and (limit.most is None or value <= limit.most)


@pytest.mark.parametrize(
    "values",
    [
        None, [], "smallest_class", {}, {"kind": "unheard_of"}, {"kind": ["smallest_class"]}, {"kind": 3},
        {"kind": "smallest_class", "k": 0}, {"kind": "smallest_class", "k": 2.5}, {"kind": "smallest_class", "k": "5"},
        {"kind": "smallest_class", "k": True}, {"kind": "smallest_class", "l": 2}, {"kind": "smallest_class", 5: 2},
        {"kind": "smallest_class", "source": 5}, {"kind": "smallest_class", "source": ["a"]},
        {"kind": "smallest_class", "k": [5]}, {"kind": "smallest_class", "k": None},
        {"kind": "highest_risk", "limit": 1.2}, {"kind": "highest_risk", "attacker": "marketer"},
        {"kind": "average_risk", "limit": math.nan}, {"kind": "average_risk", "limit": "0.2"},
        {"kind": "combinations", "known": -1}, {"kind": "combinations", "most": -0.1},
        {"kind": "inference", "known": -1}, {"kind": "inference", "p": 1}, {"kind": "inference", "most": 2},
        {"kind": "inference", "knows": "everything"}, {"kind": "inference", "knows": []},
        {"kind": "inference", "column": 3},
        {"kind": "diversity", "l": 0.5}, {"kind": "diversity", "by": "recursive"},
        {"kind": "closeness", "t": 2}, {"kind": "closeness", "distance": {}},
        {"kind": "leakage", "known": 0}, {"kind": "leakage", "average": math.inf},
        {"kind": "telling_columns", "most": -1}, {"kind": "earlier_releases", "k": 0},
        {"kind": "rare_values", "least": 0}, {"kind": "rare_values", "column": 7},
        {"kind": "records_kept", "least": 95}, {"kind": "detail_kept", "least": None},
        {"kind": "columns_stay", "columns": "age"}, {"kind": "columns_stay", "columns": [1]},
        {"kind": "columns_stay", "columns": [["age"]]}, {"kind": "columns_stay", "columns": 5},
    ],
)  # fmt: skip
def test_what_is_no_criterion_is_refused_in_a_sentence(values):
    with pytest.raises(InputError) as caught:
        criterion_from_dict(values)
    assert str(caught.value).endswith(".")


def test_a_kind_that_says_too_little_cannot_be_defined():
    with pytest.raises(TypeError, match=r"does not say: .*kind"):

        class Silent(Criterion):
            pass

    with pytest.raises(TypeError, match="names no page"):

        class Elsewhere(NoIdentifiers):
            kind = "elsewhere"
            page = "Nowhere"

    assert "elsewhere" not in CRITERION_KINDS


# --- recipients -----------------------------------------------------------------------------------------------------


def test_recipients_ask_what_their_sources_say():
    assert (
        list(BY_KEY) == ["public", "contract", "within", "safe_harbor", "cms", "own"] and DEFAULT is BY_KEY["contract"]
    )

    def asked(key: str, kind: type) -> Criterion:
        return next(each for each in BY_KEY[key].criteria if isinstance(each, kind))

    assert asked("public", SmallestClass).k == asked("cms", SmallestClass).k == 11
    public = asked("public", Inference)
    assert (public.known, public.p, public.most, public.knows) == (0, 0, 0, "quasi_identifiers")
    for key, facts in (("contract", 2), ("within", 1)):
        assert all(each.disclosure != "attribute" for each in BY_KEY[key].criteria), "measured, and not limited"
        *certain, by_method = BY_KEY[key].measured
        assert [each.knows for each in certain] == ["other_sensitive", "quasi_identifiers"]
        assert {(each.known, each.p, each.most) for each in certain} == {(facts, 0, 0.01)}
        assert by_method.of_method and by_method.coin is None
    assert asked("contract", SmallestClass).k == 5
    assert asked("within", AverageRisk).limit == 0.2
    assert asked("within", Combinations) == Combinations(2, 2, 0.01, asked("within", Combinations).source)
    assert [asked(key, RecordsKept).least for key in ("public", "contract", "within")] == [0.95, 0.95, 0.98]
    assert any(isinstance(each, SafeHarbor) for each in BY_KEY["safe_harbor"].criteria)


@pytest.mark.parametrize("recipient", RECIPIENTS, ids=lambda each: each.key)
def test_every_recipient_asks_for_no_identifiers_and_names_its_sources(recipient):
    assert isinstance(recipient.criteria[0], NoIdentifiers) and recipient.to_whom.endswith(".")
    assert len(set(recipient.criteria)) == len(recipient.criteria) and recipient.k >= 1
    if recipient.key != "own":
        for criterion in recipient.criteria:
            plain = isinstance(criterion, NoIdentifiers | NoRevealingColumns)
            assert plain or criterion.source.endswith("."), "each limit with its source"
    says = judge(case_of(), recipient.criteria, recipient=recipient.name).says
    assert re.match(r"(Not yet|May leave) for (a |Safe |CMS |your )", says), "the recipient in words"


# --- the verdict ----------------------------------------------------------------------------------------------------


def test_what_may_leave():
    steps = (Recode("age", Intervals(10)),)
    met = judge(case_of(*steps), [SmallestClass(2), NoIdentifiers()], recipient=PUBLIC)
    assert met.may_leave and met.says == "May leave for a public release: all 2 criteria are met."
    assert met.short == "May leave · Public release"
    one = judge(case_of(*steps), [SmallestClass(2)], recipient="Mine")
    assert one.says == "May leave for your own criteria: its criterion is met."
    unmet = judge(case_of(*steps), [SmallestClass(3), SmallestClass(2), Inference(column="x")], recipient=PUBLIC)
    assert unmet.says == "Not yet for a public release: 1 of 3 criteria is not met and 1 cannot be checked."
    assert unmet.short == "Not yet · 2 of 3 against it"
    assert not unmet.may_leave and len(unmet.against) == 2
    asked = [SmallestClass(3), SmallestClass(4), AverageRisk(0.9), Inference(column="x")]
    unmet, unknown = (judge(case_of(*steps), each, recipient=PUBLIC) for each in (asked, asked[2:]))
    assert unmet.says == "Not yet for a public release: 2 of 4 criteria are not met and 1 cannot be checked."
    assert unknown.says == "Not yet for a public release: 1 cannot be checked."
    nothing = judge(case_of(), [], recipient=PUBLIC)
    assert not nothing.may_leave and nothing.says.startswith("Nothing is asked of")
    assert not Verdict(PUBLIC, ()).may_leave


@pytest.mark.parametrize("kind", CRITERION_KINDS.values(), ids=lambda kind: kind.kind)
def test_a_limit_says_what_it_is_counted_in(kind):
    for unit in ("records", "persons"):
        limit = kind().bound_in(unit)
        assert limit.startswith(kind().bound) and "{" not in limit
        assert limit != kind().bound or kind.kind == "same_pseudonyms", "which has no figure"


def test_a_reason_counts_for_the_same_limits_alone():
    case = case_of(Recode("age", Intervals(10)))
    accepted = Accepted(SmallestClass(3), "  The board agreed. ", "Ann", "2026-11-22")
    assert accepted.reason == "The board agreed."
    with_it = judge(case, [SmallestClass(3), NoIdentifiers()], recipient=PUBLIC, accepted=[accepted])
    assert with_it.may_leave and with_it.n_accepted == 1 and with_it.acceptance(with_it.findings[0]) is accepted
    assert with_it.says == "May leave for a public release, by a written reason: 1 of 2 criteria is met, 1 is accepted."
    stricter = judge(case, [SmallestClass(4), NoIdentifiers()], recipient=PUBLIC, accepted=[accepted])
    assert not stricter.may_leave and stricter.n_accepted == 0
    other_kind = judge(case, [AverageRisk(0.1)], recipient=PUBLIC, accepted=[accepted])
    assert not other_kind.may_leave
    looser = judge(case, [SmallestClass(2)], recipient=PUBLIC, accepted=[accepted])
    assert looser.may_leave and looser.n_accepted == 0, "what is met needs no reason"


@pytest.mark.parametrize("reason", ["", "  ", "x" * 2001, 5])
def test_a_reason_is_given(reason):
    with pytest.raises(InputError):
        Accepted(SmallestClass(), reason)
    assert len(Accepted(SmallestClass(), "x" * 2000).reason) == 2000


def test_what_raises_cannot_be_checked_and_the_rest_is(monkeypatch):
    def fails(self: Criterion, case: Case) -> None:
        raise InputError("There are too many columns. Take some out.", code="too-many-columns")

    monkeypatch.setattr(AverageRisk, "check", fails)
    verdict = judge(case_of(Recode("age", Intervals(10))), [AverageRisk(0.9), SmallestClass(2)], recipient=PUBLIC)
    assert [each.state for each in verdict.findings] == [State.UNKNOWN, State.MET] and not verdict.may_leave
    assert verdict.findings[0].says == "There are too many columns. Take some out."


def test_a_criterion_has_the_share_of_the_work_that_its_sets_of_columns_are(monkeypatch):
    shares: list[float] = []
    monkeypatch.setattr(verdict_module, "n_sets_of", lambda guarantee: 200)

    def check(self: SmallestClass, case: Case) -> Finding:
        for share in (0.0, 0.5, 1.0):
            case.progress(share)
        return self.found(True, "")

    monkeypatch.setattr(SmallestClass, "check", check)
    judge(case_of(), [SmallestClass(2), SmallestClass(3), NoIdentifiers()], recipient=PUBLIC, progress=shares.append)
    first, second = 300 / 700, 600 / 700  # each of these two has a guarantee of 200 sets, and 100 for the rest
    assert shares == pytest.approx([0, 0, first / 2, first, first, first, (first + second) / 2, second, second])


def test_what_stands_against_it_besides_criteria():
    case = case_of(Recode("age", Intervals(10)))
    undecided = judge(case, [SmallestClass(2)], recipient=PUBLIC, undecided=["illness", "gone"])
    assert undecided.undecided == ("illness",) and not undecided.may_leave
    assert (
        undecided.says.endswith("but illness is not assessed.") and undecided.short == "Not yet · columns not assessed"
    )
    both = judge(case, [SmallestClass(2)], recipient=PUBLIC, undecided=["illness", "age"])
    assert both.says.endswith("but illness and age are not assessed.")
    broken = judge(case_of(DropColumns(("nowhere",))), [SmallestClass(1)], recipient=PUBLIC)
    assert broken.short == "Not yet · no file can be made" and "a step of the recipe" in broken.says
    assert not broken.may_leave
    unseen = case_of(Recode("age", ValueMap((("31", "young"),))))
    assert not judge(unseen, [SmallestClass(1)], recipient=PUBLIC).may_leave


def test_nobody_left_is_nothing_to_judge():
    verdict = judge(case_of(LeaveOut(2)), [SmallestClass(2), RecordsKept(0)], recipient=PUBLIC)
    assert {each.state for each in verdict.findings} == {State.UNKNOWN} and not verdict.may_leave
    assert "No record is left" in verdict.findings[0].says


# --- what the cells say ---------------------------------------------------------------------------------------------


def test_identifiers_in_columns_and_in_texts():
    frame = pd.DataFrame({
        "name": ["Ann Lee", "Bob Ray"], "note": ["call ann.lee@example.org", "nothing"], "age": ["31", "32"],
        "ssn": ["123-45-6789", "987-65-4321"],
    })  # fmt: skip
    data = Dataset.from_frame(frame, roles={"name": IDENTIFIER, "note": OTHER, "age": QI, "ssn": PERSON})
    found = NoIdentifiers().check(case_with(data))
    assert (found.state, found.now, found.worst) == (State.NOT_MET, 1, (("note", 1),))
    found = NoIdentifiers().check(case_with(data, DropColumns(("note",))))
    assert found.is_met and "1 column of identifiers is dropped" in found.says


def test_a_column_that_tells_what_was_recoded():
    frame = pd.DataFrame({"zip": ["1", "1", "2", "2"] * 10, "county": ["x", "x", "y", "y"] * 10})
    data = Dataset.from_frame(frame, roles={"zip": QI, "county": OTHER})
    recoded = case_with(data, Recode("zip", ValueMap((("1", "A"), ("2", "A")))))
    assert NoRevealingColumns().check(case_with(data)).is_met
    found = NoRevealingColumns().check(recoded)
    assert (found.state, found.now, found.persons) == (State.NOT_MET, 1, 40) and "county reveals zip" in found.says
    assert NoRevealingColumns(1).check(recoded).is_met


def test_two_columns_that_tell_together_what_was_recoded():
    """One of them is at fault, that which says less; one that tells another alone is dropped for both."""
    places = [(zip_, str(int(zip_) % 2), str(int(zip_) // 2)) for zip_ in ("0", "1", "2", "3", "4", "5")] * 10
    frame = pd.DataFrame(places, columns=["zip", "side", "street"])
    data = Dataset.from_frame(frame, roles={"zip": QI, "side": OTHER, "street": OTHER})
    recoded = Recode("zip", EVERYTHING)
    found = NoRevealingColumns().check(case_with(data, recoded))
    assert (found.state, found.now, found.persons, found.columns) == (State.NOT_MET, 1, 60, ("side",))
    together = "side and street together reveal zip of 100% (60 of 60 records)."
    assert found.says == f"{together} Without side none reveals another."
    assert found.worst == (("side and street together reveal zip", 60),)
    assert NoRevealingColumns().check(case_with(data, recoded, DropColumns(found.columns))).is_met
    copied = data.with_frame(frame.assign(street=frame["zip"]).astype("category"), "")
    found = NoRevealingColumns().check(case_with(copied, recoded))
    assert found.columns == ("street",) and found.says.startswith("street reveals zip")


def test_a_number_whose_last_digits_are_the_age_tells_it_and_one_of_which_nothing_is_found_cannot_be_checked():
    """The first was met, since equal values of a nearly unique number tell nothing."""
    order = Random(1)
    ages = [order.randrange(20, 40) for _ in range(200)]
    frame = pd.DataFrame(
        {"age": ages, "no": [f"{i}{age}" for i, age in zip(order.sample(range(1000, 9999), 200), ages, strict=True)]}
    )
    frame["free"] = order.sample(range(10**7), 200)
    data = Dataset.from_frame(frame.astype(str), roles={"age": QI, "no": OTHER, "free": OTHER})
    recoded = Recode("age", Intervals(50))
    found = NoRevealingColumns().check(case_with(data, recoded))
    assert found.says == "In no the last 2 characters reveal age of 100% (200 of 200 records)."
    assert (found.state, found.columns, found.worst) == (
        State.NOT_MET, ("no",), (("In no the last 2 characters reveal age", 200),)
    )  # fmt: skip
    criterion, case = NoRevealingColumns(), case_with(data, recoded, DropColumns(("no",)))
    unchecked = criterion.check(case)
    assert (unchecked.state, unchecked.columns) == (State.UNKNOWN, ("free",))
    assert LISTED in unchecked.says and "In free too few records share a value" in unchecked.says
    assert criterion.check(case_with(data, recoded, DropColumns(("no", "free")))).is_met
    assert criterion.check(case_with(data)).says.startswith("No known column that another could reveal")
    accepted = Accepted.of(unchecked, "A number drawn at random.")
    verdict = judge(case, [criterion], recipient="Own criteria", accepted=[accepted])
    assert verdict.may_leave and verdict.n_accepted == 1
    worse = judge(case_with(data, recoded), [criterion], recipient="Own criteria", accepted=[accepted])
    assert not worse.may_leave and worse.against == worse.findings, "what was accepted is not that it tells"
    aim = Aim("own", criteria=(criterion,)).accepting(accepted)
    assert Aim.from_dict(aim.to_dict()).accepted == (accepted,)


def test_what_two_columns_come_to_tells_and_the_one_that_k_does_not_count_is_at_fault():
    order = Random(2)
    years = [order.randrange(1970, 2020) for _ in range(300)]
    ages = [order.randrange(20, 40) for _ in range(300)]
    frame = pd.DataFrame({"age": ages, "year": years, "born": [y - a for y, a in zip(years, ages, strict=True)]})
    data = Dataset.from_frame(frame.astype(str), roles={"age": QI, "year": QI, "born": OTHER})
    found = NoRevealingColumns().check(case_with(data, Recode("age", Intervals(50))))
    assert found.says == (
        "The difference of year and born reveals age of 100% (300 of 300 records). Without born none reveals another."
    )
    assert (found.state, found.columns) == (State.NOT_MET, ("born",))


def test_safe_harbor_wants_no_age_over_89_and_no_date_finer_than_a_year():
    frame = pd.DataFrame({"age": ["31", "88", "94", "45"] * 5, "admission_date": ["2024-03-17", "2024-04-02"] * 10,
                          "illness": ["flu", "asthma"] * 10})  # fmt: skip
    data = Dataset.from_frame(frame, roles={"age": QI, "admission_date": QI, "illness": SENSITIVE})
    found = SafeHarbor().check(case_with(data))
    assert found.state is State.NOT_MET and {name.split()[0] for name, _ in found.worst} == {"age", "admission_date"}
    dates = ValueMap((("2024-03-17", "2024"), ("2024-04-02", "2024")))
    ages = ValueMap((("31", "31"), ("88", "88"), ("94", "90+"), ("45", "45")))
    assert SafeHarbor().check(case_with(data, Recode("admission_date", dates), Recode("age", ages))).is_met


def test_safe_harbor_asks_what_a_year_of_birth_shows_and_who_lives_in_a_place():
    def state_of(column: str, values: list[str], people: dict[str, list[str]] | None = None) -> State:
        frame = pd.DataFrame({column: values * 10, "admission_year": ["2023", "2024"] * 10}, dtype=object)
        data = Dataset.from_frame(frame, roles={column: QI})
        population = None
        if people is not None:
            population = Dataset.from_frame(pd.DataFrame(people), roles={"people": WEIGHT})
        return SafeHarbor().check(case_with(data, population=population)).state

    assert state_of("birth_year", ["1935", "1960"]) is State.MET
    assert state_of("birth_year", ["1934", "1960"]) is State.NOT_MET, "90 in 2024"
    assert state_of("birth_year", ["<1935", "1960"]) is State.MET
    large = {"zip": ["021**", "036**"], "people": ["20001", "20000"]}
    assert state_of("zip", ["021**", "000**"], large) is State.MET, "000 names no place"
    assert state_of("zip", ["021**", "036**"], large) is State.NOT_MET
    assert state_of("zip", ["02***", "9****"]) is State.UNKNOWN, "coarser than three digits"

"""The Verdict page: recipients, rows, proposals, what would do, and what it says everywhere else."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import wraps
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import StopException

from anonlib.analyses.generalization.search import LeastChange, Solution
from anonlib.analyses.utility.purposes import UsefulColumns
from anonlib.basics.words import percent
from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.command import main
from anonlib.counting.privacy_models import ALL
from anonlib.filing.project import Project, Variant
from anonlib.release.recipe import Recipe
from anonlib.release.safe_harbor import with_safe_harbor
from anonlib.release.steps import DropColumns, GeneralizeLocally, LeaveOut, Recode, Unlink
from anonlib.verdict.criteria import (
    BY_KEY,
    PARTS,
    WAYS,
    WHOLE_COLUMNS,
    Accepted,
    Aim,
    Case,
    Combinations,
    Criterion,
    Diversity,
    Inference,
    Leakage,
    RecordsKept,
    SafeHarbor,
    SmallestClass,
    State,
    UnclassifiedColumns,
    Verdict,
    judge,
)
from anonlib.verdict.proposals import Proposal, Relaxation, WhatIf
from anonlib.verdict.proposals.offers import KINDS, Offer, Offers, least_first
from pages.verdict.verdict import question
from pages.verdict.verdict import results as verdict_results
from pages.verdict.verdict.questions import _of_relaxations
from tests.helpers.app import (
    DATA,
    LEAKAGE,
    PAGES,
    RELEASE,
    RISK,
    SCHEDULES,
    SMALL,
    VERDICT,
    App,
    dataset_of,
    loaded,
    sampled,
    seeded,
    within,
)
from tests.helpers.regions import N_AREAS, of_files

TABS = "verdict-tabs"
NO_SEARCH = (TABS, "How it works")  # the others compare, price and measure
SEARCHED = (SmallestClass(11), Inference(known=0, most=0.0), RecordsKept(0.95))


@pytest.fixture(autouse=True)
def wait_to_search():
    """Nothing is searched before a test asks for proposals; what pages compute is the same, and shared."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(question, "AT_ONCE", -1.0)
        changed.setattr(question, "FIRST_AT_ONCE", -1.0)
        yield


@pytest.fixture
def app() -> App:
    return sampled("admissions", VERDICT, NO_SEARCH)


def verdict_of(app: App) -> Verdict:
    """What the page must say, judged beside it."""
    session, data = app.session, dataset_of(app)
    case = Case(session.recipe.apply(data), session.recipe, None, session.aim.harmless_by_column, session.aim.earlier)
    undecided = [name for name in data.columns if name not in session.roles]
    aim = session.aim
    return judge(case, aim.criteria, recipient=aim.of.name, accepted=aim.accepted, undecided=undecided)


def asks(app: App, *criteria: Criterion, ways: tuple[str, ...] = (WHOLE_COLUMNS,)) -> App:
    """Make these the criteria, and no others; other ways than whole columns are searched where a test is about them."""
    app.session.aim = replace(app.session.aim, criteria=criteria, ways=ways)
    return app.run()


def few_known(app: App, *others: str) -> App:
    """Three columns of the admissions may be known, so that no search takes long."""
    not_known = dict.fromkeys(("race", "admission_date", "department", "length_of_stay", *others), Role.OTHER)
    app.session.roles = {**app.session.roles, **not_known}
    return app


def searched(app: App) -> App:
    """What is proposed for :data:`SEARCHED`."""
    return proposals(asks(few_known(app), *SEARCHED))


def proposals(app: App) -> App:
    """Until all proposals are made."""
    question.AT_ONCE, question.FIRST_AT_ONCE = 1.5, 3.0  # the fixture takes it back
    return app.run()


def test_the_page_says_the_verdict_and_a_row_for_each_criterion(app):
    plain = app.text.replace("\\", "")
    criteria = BY_KEY["contract"].criteria
    assert app.session.aim.criteria == criteria, "the recipient to begin with is one under contract"
    assert "Not yet for a release under contract" in plain
    for criterion in criteria:
        assert criterion.title in plain
    assert plain.index("Not met") < plain.index("Met ·"), "what stands against it comes first"
    assert "Not yet" in "".join(each.proto.label for each in app.at.sidebar if each.type == "page_link")


def test_another_recipient_brings_its_criteria_and_its_k_for_every_page(app):
    app.choose("selectbox", "Recipient", "public")
    assert app.session.aim.criteria == BY_KEY["public"].criteria and app.session.k == 11
    assert "a public release" in app.text
    app.open(RISK)
    assert app.widget("slider", "k:").value == 11
    app.press("Undo").open(VERDICT)
    assert app.session.aim.recipient == "contract"


def test_a_proposal_is_taken_with_one_click_and_meets_what_was_searched_for(app):
    searched(app).press("Take this")
    assert len(app.session.recipe) and "In the recipe" in app.text and "May leave" in app.text
    assert all(each.is_met for each in verdict_of(app).findings)
    app.press("Undo")
    assert len(app.session.recipe) == 0


def test_a_proposal_for_what_was_asked_before_is_not_taken_any_more(app):
    proposal = SimpleNamespace(to_take=(DropColumns(("zip",)),), decides=("zip",))
    greyed = SimpleNamespace(proposal=proposal)  # that is still on the screen
    for aim, is_taken in ((Aim.for_recipient("public"), False), (app.session.aim, True)):
        within(app.session, question.take, greyed, aim)
        assert bool(len(app.session.recipe)) is is_taken and ("Nothing was taken" in app.session.notice) is not is_taken


def test_another_proposal_takes_the_place_of_the_one_taken_before_with_what_that_drops(app):
    """What is dropped by hand stays; so does a step made after a proposal was taken, into which others go then."""
    dropping = SimpleNamespace(to_take=(DropColumns(("zip",)),), decides=("age", "zip"))
    coarser = SimpleNamespace(to_take=(Recode("age", Intervals(20)),), decides=("age", "zip"))
    app.session.recipe = Recipe.of([DropColumns(("department",))])
    for proposal, dropped in ((dropping, {"department", "zip"}), (coarser, {"department"}), (dropping, {"zip"})):
        within(app.session, question.take, SimpleNamespace(proposal=proposal), app.session.aim)
        assert app.session.recipe.dropped == dropped | {"department"}
        looked_at = within(app.session, question.looked_at, dataset_of(app))
        assert {"zip"} < {*looked_at.columns} and "department" not in looked_at.columns
    app.session.recipe = app.session.recipe.take([DropColumns(("sex",))])
    within(app.session, question.take, SimpleNamespace(proposal=coarser), app.session.aim)
    assert app.session.recipe.dropped == {"department", "zip", "sex"}


@pytest.mark.parametrize(
    ("sample", "criterion"),
    [("weight_loss", SmallestClass(2)), ("admissions", SmallestClass(5, rows=(ALL,)))],
    ids=["columns", "rows of persons"],
)
def test_part_by_part_is_a_proposal_beside_whole_columns(sample, criterion):
    app = proposals(asks(sampled(sample, VERDICT, NO_SEARCH), criterion, ways=WAYS))
    app.press("verdict-take-Mixed coarseness")
    (step,) = app.session.recipe.enabled
    assert isinstance(step, GeneralizeLocally) and step.search == "parts" and not app.errors
    assert all(each.is_met for each in verdict_of(app).findings)


def test_where_nothing_does_the_page_says_why_and_what_would():
    app = sampled("weight_loss", VERDICT, NO_SEARCH)
    proposals(asks(app, SmallestClass(5_000)))  # so many persons there are not
    assert "meets the criterion “Smallest class”" in app.text
    before = app.session.aim
    app.press("Allow it")
    assert app.session.aim != before
    app.press("Undo")
    assert app.session.aim == before


def test_stopped_while_ways_out_are_looked_for_it_keeps_why_none_was_found_and_those_it_has(monkeypatch):
    way = WhatIf("a smallest class of 2 persons", SmallestClass(5), SmallestClass(2))

    def stopped(adviser, reports):
        reports(0.0, ())
        reports(0.5, (way,))
        raise StopException

    monkeypatch.setattr("pages.verdict.verdict.offers.what_ifs", stopped)
    monkeypatch.setattr("ui.session.long_work._EVERY", 0.0)  # seconds: each progress is shown
    app = sampled("admissions", VERDICT, NO_SEARCH)
    asks(app, SmallestClass(5_000)).press("Start")  # so many persons there are not
    (bar,) = app.at.get("progress")
    assert bar.text.startswith("None was found so far: what stands against it")
    app.press("Stop")
    assert "meets the criterion “Smallest class”" in app.text and way.says in app.text
    assert app.has_button("Go on") and "looked for to the end" not in app.text


def test_where_nothing_does_with_all_columns_a_proposal_says_which_it_drops_and_what_would_keep_them():
    rows = "".join(f"{31 + i % 2},{('flu', 'cold')[i // 2 % 2]},no\n" for i in range(40))
    roles = {"age": Role.QUASI_IDENTIFIER, "ill": Role.SENSITIVE, "hiv": Role.SENSITIVE}
    app = seeded(f"age,ill,hiv\n{rows}".encode(), page=VERDICT, tab=NO_SEARCH, roles=roles)
    proposals(asks(app, SmallestClass(5), Inference(known=1, most=0.0), ways=WAYS))
    assert "Dropped: **hiv**." in app.text
    assert "What would make a release with all columns possible" in app.text
    assert any(str(button.key).startswith("verdict-remedy-") for button in app.at.button)
    app.press("verdict-take-Mixed coarseness")
    assert app.session.recipe.dropped == {"hiv"} and verdict_of(app).may_leave
    assert heading(app).startswith("**In the recipe: mixed coarseness**")
    assert "What would make a release with all columns possible" in app.text, "nothing is searched without that column"
    assert not app.has_button("verdict-take-Same coarseness for everyone"), "which would do the same"


def test_all_columns_that_a_proposal_drops_are_named():
    """Seven diagnoses are everybody's, so that each would be known."""
    names = [f"diagnosis_{i}" for i in range(7)]
    rows = "".join(f"{31 + i % 2},{','.join(['no'] * 7)}\n" for i in range(40))
    roles = {"age": Role.QUASI_IDENTIFIER} | dict.fromkeys(names, Role.SENSITIVE)
    csv = f"age,{','.join(names)}\n{rows}".encode()
    app = proposals(
        asks(seeded(csv, page=VERDICT, tab=NO_SEARCH, roles=roles), SmallestClass(5), Inference(1), ways=WAYS)
    )
    named = ", ".join(f"**{name}**" for name in names[:-1])
    drops = f"Dropped: {named} and **{names[-1]}**."
    assert drops in app.text.replace("\\", ""), app.text


def test_where_most_columns_are_gone_other_ways_are_offered():
    rows = "".join(f"{20 + i},{10000 + i},{150 + i},{'yes' if i % 3 else 'no'},never\n" for i in range(40))
    roles = dict.fromkeys(("age", "zip", "height"), Role.QUASI_IDENTIFIER) | {"ward": Role.OTHER}
    csv = f"age,zip,height,ward,pregnant\n{rows}".encode()
    app = seeded(csv, page=VERDICT, tab=NO_SEARCH, roles={**roles, "pregnant": Role.SENSITIVE})
    app = asks(app, SmallestClass(40), Inference(1))
    app.session.aim = replace(app.session.aim, recipient="public")
    app = proposals(app.run())
    assert "this is no file for research" in app.text and "Dropped: **pregnant**" in app.text
    assert app.button("Only what is needed").disabled
    app.session.aim = replace(app.session.aim, purposes=(UsefulColumns(("age",)),))
    app = proposals(app.run())
    before = app.session.recipe
    app.press("Only what is needed")
    applied = app.session.recipe.apply(dataset_of(app))
    assert set(applied.released.columns) == {"age"}, "a column that the proposal drops does not come back"
    app.session.recipe = before
    app = proposals(app.run())
    app.press("Under contract")
    assert app.session.aim.recipient == "contract"


def heading(app: App) -> str:
    """What stands over the proposal on top."""
    first = ("**Best proposal", "**Not enough", "**In the recipe", "**Loses least so far")
    return next(line for line in app.text.splitlines() if line.startswith(first))


def test_a_best_proposal_says_which_criteria_it_does_not_meet(app):
    """Leakage takes part in no search with this limit, so that a release by what is proposed is over it."""
    few_known(app)
    proposals(asks(app, *SEARCHED, Leakage(2, 0.01)))
    assert heading(app) == "**Not enough: same coarseness for everyone** · not met: **Leakage**"
    accepted = Accepted(Leakage(2, 0.01), "The recipient has no other file.")
    app.session.aim = replace(app.session.aim, accepted=(accepted,))
    best = "**Best proposal: same coarseness for everyone**"
    assert heading(proposals(app.run())) == f"{best} · accepted although not met: **Leakage**"
    assert heading(proposals(asks(app, *SEARCHED))) == "**Best proposal: same coarseness for everyone**"


def test_what_is_taken_stays_on_top_and_the_better_one_is_named(app):
    few_known(app)
    proposals(asks(app, *SEARCHED, ways=WAYS))
    before = heading(app)
    others = [str(button.key) for button in app.at.button if str(button.key).startswith("verdict-take-")]
    best, worst = others[0].removeprefix("verdict-take-"), others[-1].removeprefix("verdict-take-")
    assert before == f"**Best proposal: {best.lower()}**" and best != worst
    app.press(others[-1])
    assert heading(app).startswith(f"**In the recipe: {worst.lower()}**")
    assert f"better, below: **{best}**" in heading(app).replace("** and **", "**, better, below: **")
    assert heading(app.open(RISK).open(VERDICT)).startswith(f"**In the recipe: {worst.lower()}**")
    app.press("Undo")
    assert heading(app) == before


def test_with_a_coin_the_first_way_stands_first_and_an_own_choice_is_not_covered(app, monkeypatch):
    few_known(app)
    proposals(asks(app, *SEARCHED, ways=WAYS))
    covered = "An officer’s own choice after looking at several is not covered."
    assert covered not in app.text
    monkeypatch.setattr(verdict_results, "is_order_fixed", lambda _: True)
    app.run()
    keys = [str(button.key) for button in app.at.button if "verdict-take-" in str(button.key)]
    offered = [key.removeprefix("verdict-take-") for key in keys]
    assert len(offered) > 1 and offered == [kind.title for kind in KINDS if kind.title in offered]
    assert heading(app) == f"**Best proposal: {offered[0].lower()}**" and covered in app.text


def test_a_limit_is_changed_in_place_and_shown_as_changed(app):
    old = next(each for each in app.session.aim.criteria if isinstance(each, SmallestClass))
    app.choose("number_input", "Smallest class", 7)
    new = next(each for each in app.session.aim.criteria if isinstance(each, SmallestClass))
    assert (old.k, new.k, new.source) == (5, 7, old.source)
    assert "changed" in app.text and "(k = 7)" in app.text.replace("\\", "")


def test_a_criterion_is_accepted_with_a_reason_only_and_no_more_when_its_limit_changes(app):
    accept = app.button("Accept with this reason")
    assert accept.proto.disabled and "reason" in accept.help
    app.at.text_input[0].set_value("The recipient holds the same columns anyway.")
    app.run()
    app.press("Accept with this reason")
    (accepted,) = app.session.aim.accepted
    assert accepted.reason in app.text.replace("\\", "") and "Accepted" in app.text
    app.choose("number_input", "Smallest class", 8)
    assert not app.session.aim.accepted


def test_criteria_are_added_and_removed(app):
    app.choose("selectbox", "Another criterion", "People sharing any 2 facts").press("Add it")
    assert "People sharing any 2 facts** · added" in app.text.replace("\\", "") and "· changed" not in app.text
    assert Combinations() in app.session.aim.criteria
    n = len(app.session.aim.criteria)
    app.press("Remove this criterion")
    assert len(app.session.aim.criteria) == n - 1


def test_mend_meets_one_criterion_more_and_loses_none(app):
    proposals(asks(few_known(app), SmallestClass(5), RecordsKept(0.95)))
    before = {each.criterion for each in verdict_of(app).findings if each.is_met}
    app.press("Mend")
    after = {each.criterion for each in verdict_of(app).findings if each.is_met}
    assert before < after


def test_columns_that_are_not_counted_are_counted_with_one_click(app):
    asks(app, UnclassifiedColumns(5))
    finding = next(each for each in verdict_of(app).findings)
    assert finding.state is State.NOT_MET
    app.press("Mend")
    roles = {name: app.session.roles[name] for name, _ in finding.worst}
    assert set(roles.values()) == {"quasi_identifier"}


def test_harmless_values_enter_the_verdict(app):
    asks(app, Inference(known=2, most=0.0))
    before = verdict_of(app).findings[0]
    app.choose("multiselect", "Harmless in outcome", ["Home"])
    after = verdict_of(app).findings[0]
    assert after.persons <= before.persons and app.session.aim.harmless_by_column == {"outcome": ("Home",)}


def test_what_is_promised_is_measured_and_what_waits_depends_on_no_clock(monkeypatch):
    """Where a machine takes long to say how far it is, nothing is promised; the button is there all the same."""
    app = seeded(SMALL, page=VERDICT, roles={"age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE})
    assert "The least change takes about" in app.text and app.has_button("Start")
    monkeypatch.setattr("ui.session.long_work.seconds_of", lambda compute: None)
    app = seeded(SMALL, page=VERDICT, roles={"age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE})
    assert "The least change takes some time" in app.text and app.has_button("Start")
    monkeypatch.setattr("ui.session.long_work.seconds_of", lambda compute: 100.0)
    app = seeded(SMALL, page=VERDICT, roles={"age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE})
    n_stages = 7  # five kinds, what stands against one, what you may know
    assert f"The least change takes about {round(100 * n_stages / 60)} minutes." in app.text


def test_what_a_proposal_makes_of_the_recipe_is_computed_once(app, monkeypatch):
    """It recodes all cells: on Adult, half a minute of each draw without a word of what the page waits for."""
    taken, calls = Proposal.taken, []

    @wraps(taken)
    def counted(self: Proposal, *rest: object) -> Recipe:
        calls.append(self)
        return taken(self, *rest)

    monkeypatch.setattr(Proposal, "taken", counted)
    searched(app)
    of_page = len(calls)
    assert of_page, "the proposals were made"
    app.run()
    assert len(calls) == of_page
    app.press("Take this")
    assert app.session.recipe.enabled


def test_of_a_longer_search_nothing_is_promised_by_its_first_kind(app, monkeypatch):
    """That is done in a moment or takes most of it: half a minute was promised as 3 s here and 9 minutes there."""
    monkeypatch.setattr("ui.session.long_work.seconds_of", lambda compute: 100.0)
    proposals(asks(few_known(app), *SEARCHED, ways=(PARTS, WHOLE_COLUMNS)))
    assert "Searching for less change takes some time: how long is shown once it runs." in app.text
    assert app.has_button("Start")


@pytest.mark.slow
def test_the_command_line_offers_the_same_in_the_same_order(tmp_path, capsys):
    """With as much work: the same kinds, what they lose, and which comes first."""
    rng = np.random.default_rng(5)
    rows = ["age,zip,sex,illness"] + [
        f"{rng.integers(20, 60)},{rng.choice(['02138', '02139', '02141', '10027'])},{rng.choice(['f', 'm'])},"
        f"{rng.choice(['flu', 'cold', 'gout'])}"
        for _ in range(120)
    ]
    data = "\n".join(rows).encode()
    roles = dict.fromkeys(("age", "zip", "sex"), Role.QUASI_IDENTIFIER) | {"illness": Role.SENSITIVE}
    app = asks(seeded(data, page=VERDICT, roles=roles), SmallestClass(5), RecordsKept(0.95), ways=WAYS)
    (tmp_path / "people.csv").write_bytes(data)
    (tmp_path / "asked.json").write_text(app.session.project.to_json())
    app.press("Start")
    status = main(["advise", str(tmp_path / "people.csv"), "--project", str(tmp_path / "asked.json"), "--out",
                   str(tmp_path / "advised.json"), "--effort", "10", "--json", "--quiet"])  # fmt: skip
    document = json.loads(capsys.readouterr().out)
    first, *others = document["proposals"]
    assert status == 0 and f"Best proposal: {first['kind'].lower()}" in app.text
    lines = re.findall(r"\*\*([^*]+)\*\* · detail lost \*\*([\d.]+%)\*\*", app.text)
    assert lines == [(each["kind"], percent(each["detail_lost"])) for each in others]
    app.press("Take this")
    saved = Project.from_json((tmp_path / "advised.json").read_bytes())
    assert [entry.step for entry in saved.recipe.entries] == [entry.step for entry in app.session.recipe.entries]


def test_a_value_of_many_columns_is_harmless_in_all_of_them_at_once():
    """“No” of three medicines in one action, a column left out by hand, and one column that has no “No”."""
    medicines = {f"drug {i}": Role.SENSITIVE for i in range(4)}
    rows = ["34,No,No,No,No,flu", "34,Yes,No,Yes,Up,flu", "52,No,Yes,No,Up,cold", "52,No,No,Yes,Up,flu"]
    data = "\n".join([",".join(["age", *medicines, "ill"]), *rows]).encode()
    app = seeded(data, page=VERDICT, roles={"age": Role.QUASI_IDENTIFIER, "ill": Role.SENSITIVE} | medicines)
    offered = app.widget("selectbox", "One value in several columns")
    assert offered.options == ["No (4 columns)", "Yes (3 columns)"]
    assert app.widget("multiselect", "Columns").value == list(medicines), "all that have it"
    app.choose("multiselect", "Columns", ["drug 0", "drug 1", "drug 2"]).press("Harmless in all of these")
    assert app.session.aim.harmless_by_column == {f"drug {i}": ("No",) for i in range(3)}
    assert app.widget("selectbox", "One value in several columns").value == "Yes"
    app.press("Harmless in all of these")
    assert app.session.aim.harmless_by_column["drug 0"] == ("No", "Yes"), "what was harmless stays so"
    app.press("Undo").choose("selectbox", "One value in several columns", "No")
    assert app.widget("multiselect", "Columns").value == ["drug 3"], "where it is not harmless yet"


def test_it_asks_about_a_value_that_would_pay_if_it_harms_nobody(app):
    proposals(asks(few_known(app, "diagnosis", "insurance"), SmallestClass(2), Inference(known=3, most=0.0)))
    assert "it is certain that their **outcome** is “Home”" in app.text
    app.press("It harms nobody")
    assert app.session.aim.harmless_by_column == {"outcome": ("Home",)}
    assert "Does it harm anybody" not in app.text and not app.errors


def test_places_with_areas_are_joined_to_regions_whose_outlines_leave_too():
    app = of_files().open(VERDICT)
    app.session.aim = replace(app.session.aim, ways=(WHOLE_COLUMNS,))
    proposals(asks(app, SmallestClass(11), RecordsKept(0.9)))
    assert "regions of at least" in app.text
    app.press("Take this")
    step = next(step for step in app.session.recipe.enabled if isinstance(step, Recode) and step.column == "area")
    assert set(step.labels([str(4_700 + i) for i in range(N_AREAS)])) >= {"R1", "R2"}
    app.open(RELEASE)
    assert app.download("Regions (GeoPackage)")


def test_what_must_stay_is_left_alone_by_proposals(app):
    app.choose("multiselect", "Must stay as they are", ["sex"])
    searched(app).press("Take this")
    assert "sex" not in app.session.recipe.recoded


def test_a_file_without_roles_asks_for_them_first():
    app = loaded(SMALL, page=VERDICT)
    app.session.roles = {}
    assert "The columns have no roles yet" in app.run().text
    app.press("Accept suggested roles")
    assert "criteria" in app.text


def test_undecided_columns_keep_it_from_leaving():
    app = sampled("weight_loss", VERDICT)
    roles = dict(app.session.roles)
    asks(app, RecordsKept(0.5))
    assert "May leave" in app.text
    name = next(name for name, role in roles.items() if role not in ("identifier", "person_id"))
    app.session.roles = {column: role for column, role in roles.items() if column != name}
    assert "not assessed" in app.run().text and "May leave" not in app.text


def test_without_criteria_or_with_none_to_search_the_page_says_so(app):
    asks(app)
    assert "choose at least one criterion" in app.text and not app.errors
    asks(app, RecordsKept(0.5))
    proposals(app)
    assert "None of the criteria can be searched for" in app.text


def test_no_file_leaves_without_a_met_verdict_or_a_reason():
    app = sampled("weight_loss", RELEASE, NO_SEARCH)
    assert app.download("Released CSV").proto.disabled
    app.leave_anyway()
    assert not app.download("Released CSV").proto.disabled and app.session.aim.leaves_anyway
    app.open(VERDICT).choose("selectbox", "Recipient", "public")
    assert not app.session.aim.leaves_anyway, "another recipient asks anew"
    assert app.open(RELEASE).download("Released CSV").proto.disabled
    proposals(asks(app.open(VERDICT), SmallestClass(2), RecordsKept(0.5))).press("Take this").open(RELEASE)
    assert not app.download("Released CSV").proto.disabled


def titles(app: App) -> list[str]:
    """Of what can be opened and closed."""
    return [each.label for each in app.at.expander]


def test_a_noted_release_is_looked_at_together_with_the_next():
    app = sampled("weight_loss", RELEASE, NO_SEARCH, recipe=Recipe.of([DropColumns(("zip",))]))
    asks(app, RecordsKept(0.5)).press("Note as released")
    assert app.session.aim.earlier == (app.session.recipe,)
    app.open(VERDICT)
    assert "Earlier releases: none is held beside this one" in titles(app), "nothing but itself"
    app.session.recipe = Recipe()
    app.open(VERDICT)
    assert "Who holds earlier releases too finds" in app.text and not app.errors
    assert "Earlier releases: 1 release of this file beside this one (measured)" in titles(app)
    app.choose("selectbox", "Recipient", "public")
    assert "Earlier releases: 1 release of this file beside this one (not met)" in titles(app)


def test_every_tab_says_something():
    app = sampled("weight_loss", VERDICT)
    app.choose("selectbox", "Recipient", "public")
    for _ in app.each_tab(TABS, ("What must survive", "Compare", "What each criterion costs", "How it works")):
        assert not app.errors


@pytest.mark.parametrize("page", [page for page in PAGES if page not in (SCHEDULES, DATA)])
def test_the_sidebar_says_the_same_verdict_on_every_page(page):
    app = sampled("admissions", page, NO_SEARCH)
    links = [each.proto.label for each in app.at.sidebar if each.type == "page_link"]
    assert any(verdict_of(app).short in link.replace("\\", "") for link in links)


def test_a_longer_search_waits_for_a_button_and_finds_the_same(app):
    asks(few_known(app), SmallestClass(11), RecordsKept(0.95))
    assert "The least change takes" in app.text and not app.has_button("Take this")
    app.press("Start")
    assert app.has_button("Take this") and not app.errors
    app.press("Take this")
    assert "May leave" in app.text
    app.tab(TABS, "What each criterion costs")
    app.press("Start")
    assert not app.errors and app.download("Table as CSV") is not None


def test_variants_stand_side_by_side_with_what_the_verdict_says_of_each(app):
    searched(app).press("Take this")
    app.tab(TABS, "Compare")
    table = app.table("Version")
    assert table["Version"].tolist()[:2] == ["Original", "Recipe now"]
    k = table["k, the smallest class, values known"].tolist()
    assert k[0] == 1 and k[1] >= 11
    assert table["Met"].tolist()[1] == "3 of 3"


def test_a_version_is_kept_compared_taken_back_and_removed():
    app = sampled("weight_loss", VERDICT, recipe=Recipe.of([LeaveOut(2)]))
    asks(app, SmallestClass(2)).tab(TABS, "Compare").press("Keep this version")
    kept = (Variant("Version 1", Recipe.of([LeaveOut(2)])),)
    assert app.session.variants == kept and app.button("Keep this version").disabled, "the recipe is kept already"
    app.session.recipe = Recipe.of([DropColumns(("zip",))])
    app.run().set("text_input", "Name of this version", "version 1 ").press("Keep this version")
    assert app.session.variants == kept and any("in use" in error for error in app.errors)
    app.set("text_input", "Name of this version", "").press("Keep this version")
    assert app.session.variants == kept and any("Give the version a name" in error for error in app.errors)
    table = app.table("Version")
    assert table["Version"].tolist()[:4] == ["Original", "Recipe now", "Version 1", "Safe Harbor"]
    assert table["k, the smallest class"].tolist()[2] >= 2 and table["Met"].tolist()[2] == "1 of 1"
    app.press("Take back")
    assert app.session.recipe == kept[0].recipe
    app.press("Undo")
    assert app.session.recipe == Recipe.of([DropColumns(("zip",))]) and app.session.variants == kept
    app.press("verdict-version-remove-0")
    assert not app.session.variants and "Version 1" not in app.table("Version")["Version"].tolist()
    app.press("Undo")
    assert app.session.variants == kept


def test_safe_harbor_is_a_version_for_every_recipient_and_mends_its_criterion():
    app = sampled("admissions", VERDICT, tab=(TABS, "Compare"))
    data, people = dataset_of(app), app.session.population
    row = app.table("Version").set_index("Version").loc["Safe Harbor"]
    (alt,) = (chart.proto.alt for chart in app.at.get("plotly_chart"))
    assert row["k, the smallest class, values known"] == 1 and "Safe Harbor" in alt
    asks(app, SafeHarbor()).press("Mend")
    assert "May leave" in app.text and "In the recipe" in app.text
    assert app.session.recipe == with_safe_harbor(Recipe(), data, people.with_roles({"people": "weight"}))
    assert not app.has_button("Mend")
    app.press("Undo")
    assert not len(app.session.recipe)


def test_what_cannot_be_read_is_mended_by_the_rules_steps_or_answered_value_by_value():
    app = loaded(b"age,sex\n" + b"41,f\n52,m\nXk3,f\n" * 30, page=VERDICT)
    asks(app, SafeHarbor())
    assert "Cannot be checked" in app.text and "need no search" in app.text
    assert app.table("Value").to_dict("list") == {"Column": ["age"], "Value": ["Xk3"]}
    app.press("Mend")
    assert "May leave" in app.text and app.session.recipe.enabled
    app.press("Undo").choose("text_input", "Reason to accept it", "The ward's code.").press("Accept with this reason")
    assert app.session.aim.accepted[0].values == (("age", ("Xk3",)),)
    assert "May leave" in app.text and "by a written reason" in app.text


def test_a_look_opens_the_tab_and_the_number_that_a_criterion_asks(app):
    asks(app, Combinations(1, 2, 0.0))
    app.open(RISK, ("risk-tabs", "Singling out"))
    assert app.widget("segmented_control", "Combinations of up to").value > 1
    app.open(VERDICT).press("verdict-look-0")
    app.open(RISK)
    assert [tab.label for tab in app.at.tabs if tab.children] == ["Singling out"]
    assert app.widget("segmented_control", "Combinations of up to").value == 1
    asks(app.open(VERDICT), Diversity()).press("verdict-look-0")
    app.open(RISK)
    assert [tab.label for tab in app.at.tabs if tab.children] == ["Sensitive values"]
    asks(app.open(VERDICT), Leakage(known=1)).press("verdict-look-0")
    app.open(LEAKAGE)
    assert app.widget("selectbox", "Combined").value == 1


def test_linked_and_unlinked_stand_side_by_side_and_the_pseudonym_can_be_kept():
    app = sampled("admissions", VERDICT, tab=("verdict-tabs", "Linked and unlinked"))
    app.choose("selectbox", "Recipient", "public")
    text = app.text.replace("\\", "")
    assert "With medical_record_number" in text and "Without medical_record_number" in text and "came again" in text
    app.press("Leave without")
    assert any(isinstance(step, Unlink) for step in app.session.recipe.enabled)
    app.press("Undo")
    app.choose("multiselect", "Must stay as they are", ["medical_record_number"])
    assert "must stay, as you see" in app.text and not app.has_button("Leave without")


def test_a_question_that_is_answered_is_not_asked_again_whichever_the_answer(file):
    found = LeastChange(Solution((1,), 0.4, 0), 0.4, False, finished=True, seconds=1.0)
    offer = Offer(KINDS[0], Proposal({"age": 1}, {}, (), ("age",), 0.4, 0, 10, found))
    relaxations = (Relaxation(("zip",), "", 0.2), Relaxation(("diagnosis",), "flu", 0.3), Relaxation(("sex",), "", 0.5))
    session = loaded(file, page=VERDICT, tab=NO_SEARCH).session

    def after_answering(*answers: int) -> list[list[str]]:
        asked = _of_relaxations(Offers((offer,), relaxations=relaxations))
        for answer in answers:
            asked[0].answers[answer].give()
            asked = _of_relaxations(Offers((offer,), relaxations=relaxations))
        return [[answer.label for answer in each.answers] for each in asked]

    zip_code, flu = ["Nobody can", "Somebody can"], ["It harms nobody", "It harms"]
    assert within(session, after_answering) == [zip_code, flu], "what loses more is no question"
    assert within(session, after_answering, 1) == [flu]
    assert within(session, after_answering, 1) == []
    assert session.unknowable == () and not session.aim.harmless


def questionnaire(n: int = 150) -> bytes:
    """Ages and sexes, and three answers that nobody gives as another one does."""
    rng = np.random.default_rng(8)
    cells = [rng.integers(1, 5, n) for _ in range(3)]
    lines = (f"{30 + i % 5},{'fm'[i % 2]},{','.join(str(answers[i]) for answers in cells)}" for i in range(n))
    return "\n".join(["age,sex,first,second,third", *lines]).encode()


def test_columns_that_perhaps_nobody_can_know_are_one_question_and_those_chosen_are_left_as_they_are():
    answers = ("first", "second", "third")
    roles = {"age": Role.QUASI_IDENTIFIER, "sex": Role.QUASI_IDENTIFIER, **dict.fromkeys(answers, Role.OTHER)}
    app = seeded(questionnaire(), page=VERDICT, roles=roles, tab=NO_SEARCH)
    proposals(asks(app, SmallestClass(5), UnclassifiedColumns(5), RecordsKept(0.95), ways=WAYS))
    assert "Which of first, second, third could nobody outside know" in app.text.replace("*", "").replace(" and", ",")
    assert "If all of them, about 100% less detail is lost" in app.text
    assert app.button("Nobody can know these").disabled, "nothing is chosen: one press is not for all of them"
    app.choose("multiselect", "Columns that nobody outside can know", ["first", "third"])
    app.press("Nobody can know these")
    assert app.session.unknowable == ("first", "third")
    assert "could nobody outside know" not in app.text and "Could somebody outside know" not in app.text
    app.press("Undo")
    assert app.session.unknowable == ()


def test_nothing_loses_less_than_what_is_stated_to_keep_most_detail():
    """A search with more to choose from may have had no time to find what another found."""

    def proposal(loss: float, level: int, proven: bool) -> Proposal:
        found = LeastChange(Solution((level,), loss, 0), loss, proven, finished=proven, seconds=1.0)
        return Proposal({"age": level}, {}, (), ("age",), loss, 0, 10, found)

    kinds = {kind.title: kind for kind in KINDS}
    title, other = "Same coarseness for everyone", "Same coarseness, all records"
    slow, quick = proposal(0.184, 3, proven=False), proposal(0.15, 1, proven=True)
    found = Offers((Offer(kinds[title], slow), Offer(kinds[other], quick)), relaxations=())
    both = least_first(found, {title: {SmallestClass(5)}, other: {SmallestClass(5)}})
    (best,) = both.offers
    assert best.title == title and best.proposal.loss == 0.15
    assert not best.proposal.least_change.proven, "what was proven is that no other loses less with nobody left out"
    assert both.why_not(other) == "The same as “Same coarseness for everyone”."
    more = {title: {SmallestClass(5), UnclassifiedColumns(5)}, other: {SmallestClass(5)}}
    assert least_first(found, more) == found, "one that meets more stays"
    assert least_first(found, {other: {SmallestClass(5)}}) == found, "what was not counted is not met"

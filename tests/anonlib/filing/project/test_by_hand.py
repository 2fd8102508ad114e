"""A project written by hand, and what is said where it is wrong."""

from __future__ import annotations

import re
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.filing.case import ReleaseCase
from anonlib.filing.project import LoadedFile, Project, from_toml, open_project, project_of
from anonlib.release.steps import DropColumns, LeaveOut
from anonlib.verdict.criteria import BY_KEY, Accepted, Aim, NoRevealingColumns, RecordsKept, SmallestClass
from tests.helpers.errors import refused
from tests.helpers.evidence import as_bytes, visits

ROOT = Path(__file__).resolve().parents[4]
WHOLE = """
recipient = "contract"
k = 3
seed = "abc123"
missing = "drop"
unknowable = ["note"]
[case]
title = "Falls"
until = 2027-11-25
purpose = '''
Who falls?
And why?'''
[roles]
name = "identifier"
age = "quasi_identifier"
sex = "quasi_identifier"
illness = "sensitive"
[read]
delimiter = ","
marks = ["", "f"]
[weights]
age = 2
[harmless]
illness = ["ill a"]
[[criteria]]
kind = "smallest_class"
k = 3
[[criteria]]
kind = "records_kept"
least = 0.5
[[steps]]
kind = "drop_columns"
columns = ["zip"]
[[steps]]
kind = "suppress"
k = 3
"""


def test_all_of_it_is_taken() -> None:
    project = from_toml(WHOLE)
    assert project.roles["age"] is Role.QUASI_IDENTIFIER and project.k == 3 and project.seed == 0xABC123
    assert project.aim.criteria == (SmallestClass(3), RecordsKept(0.5)) and project.aim.weights == (("age", 2.0),)
    assert [type(step) for step in project.recipe.enabled] == [DropColumns, LeaveOut]
    assert project.case == ReleaseCase(title="Falls", until="2027-11-25", purpose="Who falls?\nAnd why?")
    opened = open_project(project, LoadedFile.of(as_bytes(visits(30)), "visits.csv"))
    assert opened.data.records["sex"].isna().any(), "the mark is read as missing"
    assert opened.differences is not None and not opened.differences.file, "it is of no other file"
    assert Project.from_json(opened.project.to_json()).file == opened.project.file


def test_roles_are_enough() -> None:
    project = from_toml('[roles]\nage = "quasi_identifier"')
    recipient = BY_KEY[project.aim.recipient]
    assert project.aim.criteria == recipient.criteria and project.k == recipient.k
    assert from_toml('[roles]\nage = "quasi_identifier"').seed != project.seed


@pytest.mark.parametrize(
    "text, says",
    [
        ("", "gives no roles"),
        ("[roles", "valid TOML"),
        ('[roles]\nage = "quasi"', "is not one of"),
        ('recipient = "neighbour"\n[roles]\nage = "other"', "none of"),
        ('colour = "red"\n[roles]\nage = "other"', "not known"),
        ('k = 0\n[roles]\nage = "other"', "1 or more"),
        ('k = 1979-05-27\n[roles]\nage = "other"', "quotation marks"),
        ('seed = "xyz"\n[roles]\nage = "other"', "hexadecimal"),
        ('[roles]\nage = "other"\n[read]\ncolour = 3', "not known"),
        ('[roles]\nage = "other"\n[[steps]]\nkind = "shrink"', "Step 1"),
        ('[roles]\nage = "other"\n[[criteria]]\nkind = "luck"', "kind"),
        ('[roles]\nage = "other"\n[harmless]\nillness = "flu"', "kind|list"),
        ('[roles]\nage = "other"\n[read]\nmarks_of_columns = 3', "table of lists"),
        ('accepted = 3\n[roles]\nage = "other"', "written as"),
        ('[roles]\nage = "other"\n[[accepted]]\nkind = "luck"\nreason = "x"', "no criterion that is asked"),
        ('[roles]\nage = "other"\n[[accepted]]\nkind = "telling_columns"', "Say why"),
        ('[roles]\nage = "other"\n[[accepted]]\nbecause = "telling_columns"', "not known"),
    ],
)
def test_what_is_wrong_is_stated(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        from_toml(text)


def test_what_is_accepted_is_named_by_the_kind_of_a_criterion_that_is_asked() -> None:
    text = (
        'recipient = "public"\n[roles]\nage = "other"\n[[accepted]]\nkind = "telling_columns"\n'
        'reason = "Drawn at random."\ncolumns = ["tray"]\nwhen = 2026-11-28'
    )
    criterion = next(each for each in BY_KEY["public"].criteria if isinstance(each, NoRevealingColumns))
    accepted = (Accepted(criterion, "Drawn at random.", "", "2026-11-28", ("tray",)),)
    project = replace(from_toml(text), file=None)
    assert project.aim.accepted == accepted and Project.from_json(project.to_json()).aim.accepted == accepted


@pytest.mark.parametrize("until", ["2027-11-25", '"2027-11-25"'])
def test_a_case_by_hand_is_the_case_of_a_saved_project(until: str) -> None:
    roles = '[roles]\nage = "other"\n'
    project = from_toml(f'seed = "5"\n{roles}[case]\ntitle = "Falls"\nuntil = {until}\n')
    assert project == replace(from_toml(roles), case=ReleaseCase(title="Falls", until="2027-11-25"))
    saved = replace(project, file=None)  # which names no file as long as it is used on none
    assert Project.from_json(saved.to_json()) == saved and from_toml(roles).case == ReleaseCase()


DOTTED = ".".join(["a"] * 60_000)
TOO_MUCH = {
    "a dotted key": f"{DOTTED} = 1",
    "a dotted header": f"[{DOTTED}]",
    "a list of dotted headers": f"[[{DOTTED}]]",
    "a key in quotation marks": ".".join(['"a"', "'b'"] * 30_000) + " = 1",
    "blanks in a key": " . ".join(["a"] * 30_000) + " = 1",
    "a key in a table": f"x = {{ {DOTTED} = 1 }}",
    "a key behind a text": f'x = """a\n"" " \\""" #"""\n{DOTTED} = 1',
    "a key behind a literal text": f"x = '''a\n'' # \\'''\n{DOTTED} = 1",
    "lists in lists": "x = " + "[" * 50_000 + "]" * 50_000,
    "tables in tables": "x = " + "{a=" * 50_000 + "1" + "}" * 50_000,
    "many keys": "".join(f"k{i}=1\n" for i in range(120_000)),
    "many deep headers": "".join(f"[a{i}.b.c.d.e.f.g.h.i.j.k.l]\n" for i in range(20_000)),
    "large": "# " + "x" * 6_000_000,
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_a_project_too_large_or_deep_is_refused_before_it_is_parsed(what: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"nested more deeply|more than 100,000 keys|larger than 5 MB"):
            project_of(TOO_MUCH[what].encode())
        assert tracemalloc.get_traced_memory()[1] < 4 * len(TOO_MUCH[what]) + 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "text",
    [
        'x = "' + "." * 60_000 + '"',
        "x = '" + "[" * 60_000 + "'",
        'x = """' + "a.\n[{=" * 10_000 + '"""""',
        "x = '''" + ".\n" * 10_000 + "''''",
        'x = "\\"' + "." * 60_000 + '"',
        "# " + "." * 60_000,
        "x = [" + "1.5, " * 20_000 + "2.5]",
        "x = [\n" + "  [1.5],\n" * 20_000 + "]",
        "a.b.c.d.e.f.g.h.i.j.k.l.m = 1",
    ],
)
def test_what_is_in_texts_and_comments_is_not_counted(text: str) -> None:
    with pytest.raises(InputError, match=r"settings that are not known|gives no roles"):
        project_of(text.encode())


def test_a_file_is_taken_for_what_it_is() -> None:
    assert project_of(WHOLE.encode()).k == 3
    for data in (b' {"format": 1', b"\xff\xfe"):
        with refused("file-not-of-this-kind"):
            project_of(data)


def test_the_documented_project_can_be_read() -> None:
    text = (ROOT / "docs" / "automation.md").read_text(encoding="utf-8")
    assert [from_toml(block) for block in re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)]


def test_all_of_the_question_can_be_stated() -> None:
    more = """
[hierarchies]
age = [{ kind = "intervals", width = 5 }, { kind = "intervals", width = 20 }]
[orders]
sex = { way = "stated", by_hand = ["m", "f"] }
[[accepted]]
criterion = { kind = "smallest_class", k = 3 }
reason = "Agreed."
when = 2026-11-20
"""
    first = 'ways = ["parts", "whole"]\ncoarsenable = ["illness"]\nleaves_anyway = "The board asks for it."\n'
    project = from_toml(first + WHOLE + more)
    assert project.aim.ways == ("whole columns", "part by part") and project.aim.coarsenable == ("illness",)
    assert project.aim.leaves_anyway == "The board asks for it."
    assert [(each.criterion, each.reason, each.when) for each in project.aim.accepted] == [
        (SmallestClass(3), "Agreed.", "2026-11-20")
    ]
    assert len(project.hierarchies["age"].recodings) == 2 and project.orders["sex"].by_hand == ("m", "f")
    assert Project.from_json(replace(project, file=None).to_json()).aim == project.aim


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ('ways = "parts"', "choice-unknown"),
        ("ways = []", "choice-unknown"),
        ('ways = ["halves"]', "choice-unknown"),
        ('coarsenable = ["age"]', "column-of-other-role"),
        ("leaves_anyway = 3", None),
        ('accepted = [{ reason = "Agreed." }]', None),
        ('accepted = [{ criterion = { kind = "smallest_class", k = 3 }, reason = "" }]', None),
        ('accepted = "all"', None),
        ("hierarchies = 3", None),
        ('hierarchies = { age = [{ kind = "unknown" }] }', None),
        ('orders = { age = { way = "by weight" } }', None),
    ],
)
def test_a_wrong_setting_of_the_question_is_a_sentence(setting: str, code: str | None) -> None:
    with pytest.raises(InputError) as caught:
        from_toml(f"{setting}\n{WHOLE}")
    assert code is None or caught.value.code == code


def test_what_is_learned_is_limited_by_one_line():
    begun = 'recipient = "contract"\nseed = "1"\n{}\n[roles]\nage = "quasi_identifier"\n'
    measured, limited = (from_toml(begun.format(f"limit_what_is_learned = {flag}")) for flag in ("false", "true"))
    assert measured.aim == from_toml(begun.format("")).aim == Aim.for_recipient("contract")
    assert limited.aim == measured.aim.limiting_what_is_learned(True)
    with pytest.raises(InputError, match=r"gives both \[\[criteria\]\] and"):
        from_toml(begun.format("limit_what_is_learned = true") + '[[criteria]]\nkind = "smallest_class"\nk = 3\n')
    with pytest.raises(InputError, match="is true or false"):
        from_toml(begun.format('limit_what_is_learned = "yes"'))
    with pytest.raises(InputError, match="cannot be set for “Public release”"):
        from_toml(begun.format("limit_what_is_learned = false").replace("contract", "public"))

"""The groups of single codes, by the published ranges; and levels of columns of codes."""

from __future__ import annotations

import json

import pytest

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import codes
from anonlib.coarsening.recoding import CodeGroup
from anonlib.columns.codes import SYSTEMS, fit
from anonlib.columns.codes.recognition import HEALTH
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from tests.helpers.codes import LOINC, SNOMED_CT
from tests.helpers.errors import refused

WITH_LEVELS = [system.key for system in HEALTH if system.levels]


@pytest.mark.parametrize(
    ("system", "code", "groups"),
    [
        ("icd-9-cm", "250.83", "250 249-259 240-279"),
        ("icd-9-cm", "25083", "250 249-259 240-279"),
        ("icd-9-cm", " 428 ", "428 420-429 390-459"),
        ("icd-9-cm", "042", "042 042 001-139"),
        ("icd-9-cm", "8", "008 001-009 001-139"),
        ("icd-9-cm", "8.45", "008 001-009 001-139"),
        ("icd-9-cm", "38", "038 030-041 001-139"),
        ("icd-9-cm", "019", "019 019 001-139"),
        ("icd-9-cm", "V57.1", "V57 V50-V59 V01-V91"),
        ("icd-9-cm", "v5789", "V57 V50-V59 V01-V91"),
        ("icd-9-cm", "E909", "E909 E900-E909 E000-E999"),
        ("icd-9-cm", "E885.9", "E885 E880-E888 E000-E999"),
        ("icd-9-cm-procedures", "36.01", "36 35-39"),
        ("icd-9-cm-procedures", "3601", "36 35-39"),
        ("icd-9-cm-procedures", "00.66", "00 00"),
        ("icd-9-cm-procedures", "3.09", "03 01-05"),
        ("icd-10", "I21.4", "I21 I20-I25 I00-I99"),
        ("icd-10", "i214", "I21 I20-I25 I00-I99"),
        ("icd-10", "S72.001A", "S72 S70-S79 S00-T98"),
        ("icd-10", "A18.0†", "A18 A15-A19 A00-B99"),
        ("icd-10", "B95.6!", "B95 B95-B98 A00-B99"),
        ("icd-10", "I10.-", "I10 I10-I1A I00-I99"),
        ("icd-10", "E08.9", "E08 E08-E14 E00-E90"),
        ("icd-10", "E14.9", "E14 E08-E14 E00-E90"),
        ("icd-10", "C4A.5", "C4A C43-C44 C00-D49"),
        ("icd-10", "C7A.1", "C7A C7A C00-D49"),
        ("icd-10", "D37.0", "D37 D37-D48 C00-D49"),
        ("icd-10", "X92", "X92 X85-Y09 V00-Y99"),
        ("icd-10", "Z3A.40", "Z3A Z30-Z39 Z00-Z99"),
        ("icd-10", "U07.1", "U07 U00-U49 U00-U99"),
        ("atc", "C09AA05", "C09AA C09A C09 C"),
        ("atc", "C09A", "C09A C09A C09 C"),
        ("icpc-2", "K86", "K70-K99 K"),
        ("icpc-2", "A04", "A01-A29 A"),
        ("icpc-2", "D62", "D62 D"),
        ("icpc-2", "K86.0002", "K70-K99 K"),
        ("cpt", "99213", "99200-99499 99200-99499"),
        ("cpt", "99213-25", "99200-99499 99200-99499"),
        ("cpt", "33533", "33000-37999 10000-69999"),
        ("cpt", "00540", "00100-01999 00100-01999"),
        ("cpt", "0042T", "0001T-9999T 0001T-9999T"),
        ("cpt", "J1885", "J J"),
        ("icd-10-pcs", "0DTJ4ZZ", "0DT 0D 0"),
        ("ops", "5-470.11", "5-470 5-47 5"),
        ("ops", "1-20A.3", "1-20a 1-20 1"),
    ],
)  # fmt: skip
def test_the_groups_of_a_code(system, code, groups):
    assert SYSTEMS[system].groups_of(code) == tuple(groups.split())


def test_the_two_ranges_of_other_medical_services_are_one_group():
    of = SYSTEMS["cpt"].groups_of
    assert of("93000") == of("99500") == of("90000-99199 or 99500-99999") and of("93000") != of("99213")


@pytest.mark.parametrize(
    ("system", "text"),
    [
        ("icd-9-cm", "0"), ("icd-9-cm", "000"), ("icd-9-cm", "250.831"), ("icd-9-cm", "V92"), ("icd-9-cm", "E119"),
        ("icd-9-cm", "-5"), ("icd-9-cm", "1e3"), ("icd-9-cm", "flu"), ("icd-9-cm", ""), ("icd-9-cm", "٤٢٨"),
        ("icd-9-cm-procedures", "5"), ("icd-9-cm-procedures", "36.012"),
        ("icd-10", "E11 9"), ("icd-10", "T99"), ("icd-10", "D90"), ("icd-10", "A1B"), ("icd-10", "I21.40000"),
        ("atc", "C9"), ("atc", "E01AA01"), ("atc", "C09AA5"),
        ("icpc-2", "K00"), ("icpc-2", "C01"), ("icpc-2", "K8"),
        ("cpt", "02000"), ("cpt", "99213-"), ("cpt", "I1234"), ("cpt", "1234"),
        ("icd-10-pcs", "0DTI4ZZ"), ("icd-10-pcs", "0DTJ"),
        ("ops", "5-4"), ("ops", "5470"),
    ],
)  # fmt: skip
def test_what_is_no_code(system, text):
    assert SYSTEMS[system].groups_of(text) is None


@pytest.mark.parametrize(("key", "known"), [("loinc", LOINC), ("snomed-ct", SNOMED_CT)])
def test_a_wrong_digit_is_found_by_the_check_digit(key, known):
    """Every digit changed to any other, in codes that LOINC and SNOMED International publish."""
    system = SYSTEMS[key]
    assert system.fits(known).all()
    for code in known:
        for i, digit in enumerate(code):
            others = [code[:i] + other + code[i + 1 :] for other in "0123456789" if digit not in ("-", other)]
            assert not system.fits(others).any()


def places(key: str) -> list[str]:
    """Every category that two characters and digits can name, for the systems of diagnoses."""
    if key == "icd-10":
        return [f"{letter}{n:02d}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for n in range(100)]
    numbers = [f"{n:03d}" for n in range(1000)]
    return numbers + [f"V{n:02d}" for n in range(100)] + [f"E{n:03d}" for n in range(1000)]


@pytest.mark.parametrize(("key", "chapters"), [("icd-9-cm", 19), ("icd-10", 22)])
def test_blocks_and_chapters_part_the_categories(key, chapters):
    """Each range holds exactly the categories between its ends, so that none lies in two or in a wrong one."""
    order = places(key)
    found = {category: groups for category in order if (groups := SYSTEMS[key].groups_of(category)) is not None}
    for place in (1, 2):
        for label in {groups[place] for groups in found.values()}:
            first, _, last = label.partition("-")
            last = {"O9A": "O99", "QA0": "Q99", "I1A": "I19", "I5A": "I59", "J4A": "J49"}.get(last, last or first)
            between = order[order.index(first) : order.index(last) + 1]
            assert {c for c in between if c in found} == {c for c, groups in found.items() if groups[place] == label}
    assert len({groups[2] for groups in found.values()}) == chapters


@pytest.mark.parametrize(
    ("key", "published"),
    [
        (  # WHO 2019, blocks that other editions leave as they are
            "icd-10",
            "A00-A09 A15-A19 B20-B24 C00-C14 C50 D50-D53 F20-F29 G40-G47 I20-I25 I60-I69 J09-J18 K55-K64 M80-M85 "
            "N17-N19 O80-O84 P05-P08 Q65-Q79 R50-R69 S70-S79 T36-T50 W00-W19 X60-X84",
        ),
        (  # ICD-10-CM 2026, blocks in which it has more than the WHO
            "icd-10",
            "A90-A99 G60-G65 G89-G99 I10-I1A J40-J4A K65-K68 K90-K95 L49-L54 N40-N53 O60-O77 P19-P29 Z69-Z76 Z77-Z99 "
            "D49 O09 M26-M27",
        ),
        (
            "icd-9-cm",
            "001-009 042 140-149 249-259 295-299 338 401-405 410-414 430-438 480-488 490-496 580-589 630-633 678-679 "
            "710-719 764-779 797-799 820-829 996-999 V70-V82 V91 E000 E850-E858 E950-E959",
        ),
    ],
)
def test_blocks_as_published(key, published):
    for block in published.split():
        first, _, last = block.partition("-")
        for end in (first, last or first):
            assert SYSTEMS[key].groups_of(end)[1] == block


# --- levels --------------------------------------------------------------------------------------------------------


def test_levels_that_merge_nothing_are_left_out():
    system = SYSTEMS["icd-9-cm"]
    assert system.merging(["250", "428", "V57"]) == (), "each alone in its chapter"
    assert system.merging(["401", "410", "250"]) == ("chapters",)
    assert system.merging(["250.01", "250.6", "251", "428"]) == ("categories", "blocks")
    assert system.merging(["250.01", "250.6"]) == (), "a level of one group is that of everything"


def test_what_is_no_code_is_counted_and_stays():
    system = SYSTEMS["icd-9-cm"]
    values, records = ["250.01", "?", "428", "unclear"], [5, 3, 2, 1]
    found = fit(system, values, records)
    assert (found.strangers, found.records.tolist()) == (("?", "unclear"), [3, 1])
    assert found.sentence() == "2 of 4 values (4 records) are no ICD-9-CM diagnosis codes and stay as they are."
    assert fit(system, values[:3], records[:3]).sentence() == (
        "1 of 3 values (3 records) is no ICD-9-CM diagnosis code and stays as it is."
    )
    assert fit(system, ["250.01", "428"], [5, 2]).sentence() == "All 2 values are ICD-9-CM diagnosis codes."
    assert system.labels(values, "chapters").tolist() == ["240-279", "?", "390-459", "unclear"]


@pytest.mark.parametrize(
    ("key", "level", "label", "meaning"),
    [
        ("icd-9-cm", "chapters", "390-459", "ICD-9-CM diagnosis codes 390 to 459: circulatory system"),
        ("icd-9-cm", "blocks", "249-259", "ICD-9-CM diagnosis codes 249 to 259"),
        ("icd-9-cm", "categories", "250", "ICD-9-CM diagnosis codes that begin with 250"),
        ("icd-9-cm", "categories", "250.01", ""),
        ("icd-10", "chapters", "I00-I99", "ICD-10 diagnosis codes I00 to I99: circulatory system"),
        ("atc", "anatomical groups", "C", "ATC codes that begin with C: heart and circulation"),
        ("ops", "categories", "5-470", "OPS codes that begin with 5-470"),
        ("icpc-2", "components", "K70-K99", "ICPC-2 codes K70 to K99: heart and circulation, diagnoses"),
        (
            "cpt", "sections", "90000-99199 or 99500-99999",
            "CPT and HCPCS codes 90000 to 99199 or 99500 to 99999: other medical services",
        ),
        ("icd-10", "chapters", "unclear", ""),
    ],
)  # fmt: skip
def test_what_a_label_means(key, level, label, meaning):
    assert CodeGroup(key, level).meaning(label) == meaning


def test_levels_that_a_system_does_not_have():
    with refused("level-unknown"):
        CodeGroup("icd-10", "sections")
    with refused("code-system-without-groups"):
        CodeGroup("loinc", "chapters")
    with pytest.raises(InputError, match="“icd-11” is none of them"):
        CodeGroup("icd-11", "chapters")
    with refused("level-unknown"):
        codes(SYSTEMS["icd-10"], ["sections"])


@pytest.mark.parametrize("key", WITH_LEVELS)
def test_a_step_of_codes_is_read_back_from_a_saved_recipe(key):
    recipe = Recipe.of([Recode("code", CodeGroup(key, level), kept=("?",)) for level in SYSTEMS[key].levels])
    assert Recipe.from_list(json.loads(json.dumps(recipe.to_list()))) == recipe
    step = {**recipe.to_list()[0]}
    text = json.dumps(step).replace(key, "icd-11")
    with refused("code-system-unknown"):
        Recipe.from_list([json.loads(text)])

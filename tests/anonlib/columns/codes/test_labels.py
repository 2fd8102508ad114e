"""What is held of every code system: its labels are codes of their level, mean something, and its levels are nested."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import codes
from anonlib.coarsening.recoding import CodeGroup
from anonlib.columns.codes import SYSTEMS, CodeSystem
from anonlib.columns.codes.recognition import HEALTH
from tests.helpers.codes import ATC, ICD_9, ICD_9_PROCEDURES, ICD_10
from tests.helpers.examples import settings

CODES = {
    "icd-9-cm": " ".join(["250.83 V57.1 E909 428 8 630 285", *ICD_9]),
    "icd-9-cm-procedures": " ".join(["36.01 3601 00.1 99.2", *ICD_9_PROCEDURES]),
    "icd-10": " ".join(["I21.4 S72.001A C50 D49.0 U07.1 A18.0†", *ICD_10]),
    "icd-10-pcs": "0DTJ4ZZ 02703DZ 02703ZZ 3E0336Z",
    "ops": "5-470.11 8-930 1-632.0 8-980.2 1-20a.3",
    "atc": " ".join(["C09AA05 N02BE01", *ATC]),
    "icpc-2": "K86 A03 -45 A04 D62 P76 A30",
    "cpt": "99213 33016 0042T J1885 00100 90460 33533 93000 99500",
    "us-zip": "02138 02138-1234 96201 00601 02139 37934 99950 37934-0001",
    "ca-postcode": "K1A_0B1 X0A_0H0 H2X K1A0B1 K1B_1C1 L4B_2N2 K1A",
    "uk-postcode": "SW1A_1AA M1_1AE SW1A_2AB EC1A1BB M11_2AE B33_8TH SW1A",
    "nl-postcode": "1012_AB 1012AC 1013_XY 3511_LX 1012",
    "fr-postcode": "69003 20000 97110 75001 75116 97400",
    "de-postcode": "10115 10117 10999 01067 80331",
    "postcode-4": "8001 8057 3000 0800",
    "country": "DE USA 276 India Kosovo Antarctica DEU Germany Deutschland United-States IR Scotland AQ",
    "us-state": "MA Québec AE PR Massachusetts NY new-york CA QC ON Washington,_D.C.",
    "us-state-fips": "25 01 36 1 MA 72",
    "us-geoid": "25017 25017353101 01001 1001 1001020100 250173531011 250173531011000 72001",
    "nuts": "DE212 FRY10 UKI31 DE21 DE2 EL303 NO0B1",
    "isco-08": "2211 0110 2212 2221 221 22 9629",
    "us-soc": "29-1141 291141 29-1141.00 29-1171 29-2061 11-1011",
    "nace-2": "86.10 01.11 Q86 8610 Q86.10 86.2 86 Q 86.10Z",
    "naics": "311111 44 92 622110 62211 622 62 332 44-45 445110",
    "time-of-day": "14:35 2:35_PM 1435 09:05 23:59",
    "hour-of-day": "0 14 24",
    "coordinate-pairs": "52.5200,_13.4050 -33.8688,_151.2093",
    "marital": "Separated ledig Married-civ-spouse",
    "education": "HS-grad Doctorate 12th Abitur",
    "employment": "State-gov Never-worked retired Vollzeit",
    "occupation-groups": "Craft-repair Sales Armed-Forces",
}
DEGREES = st.decimals(-90, 90, places=4) | st.decimals(-90, 90, places=2) | st.integers(-90, 90)
# Beside those of the list, for systems of which any number is a code.
DRAWN: dict[str, st.SearchStrategy[str]] = {
    "time-of-day": st.times().map(str) | st.times().map(lambda time: time.strftime("%I:%M %p")),
    "hour-of-day": st.integers(0, 24).map(str),
    "coordinate-pairs": st.tuples(DEGREES, DEGREES).map(lambda pair: f"{pair[0]}, {pair[1]}"),
}
JUNK = (
    st.text(max_size=6)
    | st.text("0123456789ABKMQSX*-.: ", max_size=7)
    | st.from_regex(r"[A-Z]?\d{1,5}(\.\d{1,2})?", fullmatch=True)
    | st.sampled_from(["?", "unknown", " ", "1-2", "390-45", "none (K)", "i21", "00"])
)
WITH_LEVELS = [system for system in SYSTEMS.values() if system.levels]
each_system = pytest.mark.parametrize("system", WITH_LEVELS, ids=lambda system: system.key)


def codes_of(system: CodeSystem) -> list[str]:
    return [code.replace("_", " ") for code in CODES[system.key].split()]


def test_every_system_with_levels_is_looked_at():
    assert {system.key for system in WITH_LEVELS} <= {*CODES}


@each_system
def test_a_label_is_a_code_of_its_level_and_means_something(system):
    known = [value for value in codes_of(system) if system.groups_of(value) is not None]
    assert known
    for place, level in enumerate(system.levels):
        for label in system.labels(known, level):
            groups = system.groups_of(label)
            assert groups is not None, label
            assert groups[place:] == (*[label], *groups[place + 1 :])
            assert (
                label in system.meaning(label, level)
                or label.rstrip("*") in system.meaning(label, level)
                or (" to " in system.meaning(label, level))
            )


@each_system
def test_what_is_no_code_means_nothing(system):
    assert [system.meaning("unknown", level) for level in system.levels] == [""] * len(system.levels)


@each_system
def test_the_order_keeps_groups_together(system):
    known = list(dict.fromkeys(code for code in codes_of(system) if system.groups_of(code) is not None))
    ordered = system.order([*known, "?"])
    assert ordered[-1] == "?" and sorted(ordered) == sorted([*known, "?"])
    for level in system.levels:
        labels = system.labels(ordered, level).tolist()
        assert len(set(labels)) == 1 + sum(a != b for a, b in pairwise(labels))


@pytest.mark.parametrize("system", [system for system in HEALTH if system.levels], ids=lambda system: system.key)
def test_every_chapter_of_health_care_has_a_title_of_our_own(system):
    top = {groups[-1] for code in codes_of(system) if (groups := system.groups_of(code)) is not None}
    assert all(label in system.titles or label == "J" for label in top)


def columns_of(system: CodeSystem) -> st.SearchStrategy[list[str]]:
    """Different values: codes, whole and cut short, their labels, these written otherwise, and junk."""
    code = st.sampled_from(codes_of(system)) | DRAWN.get(system.key, st.nothing())
    labels = code.flatmap(lambda text: st.sampled_from(system.groups_of(text) or (text,)))
    cut = st.builds(lambda text, n: text[:n], code, st.integers(1, 7))
    written = code.map(str.lower) | code.map(lambda text: f" {text} ") | labels.map(str.lower)
    return st.lists(code | cut | labels | written | JUNK, min_size=1, max_size=20, unique=True)


@each_system
@given(data=st.data())
@settings(max_examples=100)
def test_levels_are_nested_on_any_values(system, data):
    values = data.draw(columns_of(system))
    levels = codes(system).on([*values, None])  # refuses what is not nested
    for place, level in enumerate(system.levels, start=1):
        recoding = CodeGroup(system.key, level)
        released = recoding.labels(values)
        assert levels.label(place)[:-1].tolist() == [label if label.strip() else None for label in released]
        assert recoding.labels(released).tolist() == released.tolist(), "a label is a code of its level"
        assert recoding.covers(values).tolist() == [system.groups_of(value) is not None for value in values]

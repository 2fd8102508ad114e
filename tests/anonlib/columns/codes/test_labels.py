"""What is held of every code system: its labels are codes of their level, and mean something."""

from __future__ import annotations

import pytest

from anonlib.columns.codes import SYSTEMS

CODES = {
    "icd-9-cm": "250.83 V57.1 E909 428 8 630 285",
    "icd-9-cm-procedures": "36.01 3601 00.1 99.2",
    "icd-10": "I21.4 S72.001A C50 D49.0 U07.1 A18.0†",
    "icd-10-pcs": "0DTJ4ZZ 02703DZ",
    "ops": "5-470.11 8-930 1-632.0",
    "atc": "C09AA05 N02BE01",
    "icpc-2": "K86 A03 -45",
    "cpt": "99213 33016 0042T J1885 00100 90460",
    "us-zip": "02138 02138-1234 96201 00601",
    "ca-postcode": "K1A_0B1 X0A_0H0 H2X",
    "uk-postcode": "SW1A_1AA M1_1AE",
    "nl-postcode": "1012_AB",
    "fr-postcode": "69003 20000 97110",
    "de-postcode": "10115",
    "postcode-4": "8001",
    "country": "DE USA 276 India Kosovo Antarctica",
    "us-state": "MA Québec AE PR",
    "us-state-fips": "25 01",
    "us-geoid": "25017 25017353101",
    "nuts": "DE212 FRY10 UKI31",
    "isco-08": "2211 0110",
    "us-soc": "29-1141",
    "nace-2": "86.10 01.11 Q86",
    "naics": "311111 44 92",
    "time-of-day": "14:35 2:35_PM",
    "hour-of-day": "0 14",
    "coordinate-pairs": "52.5200,_13.4050 -33.8688,_151.2093",
    "marital": "Separated ledig Married-civ-spouse",
    "education": "HS-grad Doctorate 12th Abitur",
    "employment": "State-gov Never-worked retired Vollzeit",
    "occupation-groups": "Craft-repair Sales Armed-Forces",
}
WITH_LEVELS = [system for system in SYSTEMS.values() if system.levels]


def test_every_system_with_levels_is_looked_at():
    assert {system.key for system in WITH_LEVELS} <= {*CODES}


@pytest.mark.parametrize("system", WITH_LEVELS, ids=lambda system: system.key)
def test_a_label_is_a_code_of_its_level_and_means_something(system):
    values = [code.replace("_", " ") for code in CODES[system.key].split()]
    known = [value for value in values if system.groups_of(value) is not None]
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


@pytest.mark.parametrize("system", WITH_LEVELS, ids=lambda system: system.key)
def test_what_is_no_code_means_nothing(system):
    assert [system.meaning("unknown", level) for level in system.levels] == [""] * len(system.levels)

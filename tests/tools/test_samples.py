"""The generators of the sample files write the committed bytes."""

from __future__ import annotations

import io

import geopandas as gpd
import pandas as pd
import pytest

from anonlib.reading.samples import COMPANIONS, FOLDER, SAMPLES
from tools.samples import generate
from tools.samples.admissions import admissions_and_population


@pytest.fixture(scope="module")
def generated() -> dict[str, bytes]:
    return generate()


def test_files_are_what_the_code_writes(generated):
    assert {entry.filename for entry in SAMPLES + COMPANIONS} == set(generated)
    assert {path.name for path in FOLDER.iterdir() if path.suffix in (".csv", ".geojson")} == set(generated)
    for name, content in generated.items():
        same = same_map if name.endswith(".geojson") else bytes.__eq__
        assert same((FOLDER / name).read_bytes(), content), f"{name}: run python -m tools.samples"


def same_map(one: bytes, other: bytes) -> bool:
    """Whether two maps are the same, but for corners that another version of GEOS rounds the other way."""
    first, second = gpd.read_file(io.BytesIO(one)), gpd.read_file(io.BytesIO(other))
    return (
        first.drop(columns="geometry").equals(second.drop(columns="geometry"))
        and first.geometry.geom_equals_exact(second.geometry, tolerance=2e-5).all()
    )


def test_the_command_writes_the_files(tmp_path, generated, monkeypatch, capsys):
    from tools.samples import __main__ as command

    monkeypatch.setattr(command, "generate", lambda: generated)
    command.main(tmp_path / "new")
    assert {path.name: path.read_bytes() for path in (tmp_path / "new").iterdir()} == generated
    assert "admissions.csv  529,217 bytes" in capsys.readouterr().out


def test_another_seed_gives_another_file(generated):
    other, _ = admissions_and_population(seed=1)
    committed = pd.read_csv(io.BytesIO(generated["admissions.csv"]), dtype=str, keep_default_na=False)
    assert len(other) == len(committed)
    assert not other.equals(committed)

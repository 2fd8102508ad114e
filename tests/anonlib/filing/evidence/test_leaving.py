"""The file that leaves: in memory within bounds, in a folder beside what is there, or not at all."""

from __future__ import annotations

import hashlib

import pytest

from anonlib.filing.evidence import gather, leaving, released_file, written_into
from anonlib.release.steps import LeaveOut
from tests.helpers.errors import refused
from tests.helpers.evidence import opened, visits


@pytest.fixture(scope="module")
def project():
    return opened(visits(60), LeaveOut(2))


def test_a_file_in_a_folder_is_the_one_in_memory_and_replaces_nothing(project, tmp_path):
    data = released_file(project)
    places = [written_into(tmp_path, "visits.csv", project, "CSV") for _ in range(3)]
    assert [place.name for place in places] == ["visits.csv", "visits-2.csv", "visits-3.csv"]
    assert {place.read_bytes() for place in tmp_path.iterdir()} == {data} and len(list(tmp_path.iterdir())) == 3
    facts = gather(project, parts=()).released
    assert facts is not None and (facts.sha256, facts.bytes) == (hashlib.sha256(data).hexdigest(), len(data))


def test_nothing_is_left_where_the_work_ends_early(project, tmp_path, monkeypatch):
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(leaving, "write_file", stop)
    with pytest.raises(KeyboardInterrupt):
        written_into(tmp_path, "visits.csv", project, "CSV")
    assert not list(tmp_path.iterdir())
    with refused("file-not-writable"):
        written_into(tmp_path / "gone", "visits.csv", project, "CSV")


def test_two_writers_of_one_name_have_a_file_each(project, tmp_path, monkeypatch):
    write, others = leaving.write_file, []

    def while_another_writes(file, *given) -> None:
        write(file, *given)
        monkeypatch.setattr(leaving, "write_file", write)
        others.append(written_into(tmp_path, "visits.csv", project, "CSV"))

    monkeypatch.setattr(leaving, "write_file", while_another_writes)
    place = written_into(tmp_path, "visits.csv", project, "CSV")
    assert {place.name, others[0].name} == {"visits.csv", "visits-2.csv"} == {path.name for path in tmp_path.iterdir()}
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {released_file(project)}


def test_more_than_memory_takes_is_refused(project, monkeypatch):
    monkeypatch.setattr(leaving, "MOST_BYTES", 10)
    with refused("release-too-large"):
        released_file(project)

"""The images of deploy/ have digests, and a registry is asked for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import images

ROOT = Path(__file__).resolve().parents[2]
OLD, NEW = "sha256:" + "a" * 64, "sha256:" + "b" * 64
CADDY, PYTHON = "docker.io/library/caddy:2-alpine", "docker.io/library/python:3.11-slim"


def test_every_image_of_the_repository_has_a_digest() -> None:
    named = images.named_in(ROOT)
    assert {name.rpartition("/")[2].partition(":")[0] for name in named} == {
        "python", "caddy", "haproxy", "postgres", "keycloak"
    }  # fmt: skip
    assert all(named.values()), named


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "deploy" / "try").mkdir(parents=True)
    (tmp_path / "deploy/Containerfile").write_text(f"ARG PYTHON={PYTHON}@{OLD}\nFROM ${{PYTHON}}\n")
    (tmp_path / "deploy/compose.yaml").write_text(f"    image: anonscope\n    image: {CADDY}\n")
    (tmp_path / "deploy/try/compose.yaml").write_text("services: {}\n")
    return tmp_path


def answering(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Let a program be Docker that answers as the lines of a shell script say, of the image as "$6"."""
    program = folder / "docker"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(folder))


def test_what_has_no_digest_or_is_not_answered_for_is_named(
    monkeypatch: pytest.MonkeyPatch, repository: Path, tmp_path: Path
) -> None:
    answering(monkeypatch, tmp_path, f"echo {OLD}")
    (sentence,) = images.not_there(repository)
    assert sentence.startswith(f"{CADDY} has no digest")
    answering(monkeypatch, tmp_path, f"echo {NEW}")
    assert [sentence.partition(":3.11")[0] for sentence in images.not_there(repository)] == [
        PYTHON.partition(":3.11")[0], f"{CADDY} has no digest: run python3 -m tools.images --renew."
    ]  # fmt: skip
    answering(monkeypatch, tmp_path, f"echo {OLD}; exit 1")
    assert len(images.not_there(repository)) == 2
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert len(images.not_there(repository)) == 2


def test_digests_are_renewed_where_a_registry_answers(
    monkeypatch: pytest.MonkeyPatch, repository: Path, tmp_path: Path
) -> None:
    answering(monkeypatch, tmp_path, f'case "$6" in *caddy*) echo {NEW} ;; *) exit 1 ;; esac')
    (sentence,) = images.renew(repository)
    assert sentence.startswith(PYTHON)
    assert images.named_in(repository) == {PYTHON: OLD, CADDY: NEW}
    assert "image: anonscope\n" in (repository / "deploy/compose.yaml").read_text()

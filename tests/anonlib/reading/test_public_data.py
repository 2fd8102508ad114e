"""Public data sets: downloaded only when asked, verified each time, and a clear sentence when it cannot be."""

from __future__ import annotations

import csv
import hashlib
import io
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from anonlib.reading import public_data
from anonlib.reading.public_data import PUBLIC_DATA, cache_folder, load_public
from tests.helpers.corpus_workbooks import zipped
from tests.helpers.errors import refused

BODY = b"39, State-gov, 77516\n50, ?, 83311\n\n"
TOY = replace(
    PUBLIC_DATA["adult"],
    key="toy",
    title="Toy",
    urls=("https://first.test/files/toy.zip", "https://second.test/toy.data"),
    member="toy.data",
    sha256=hashlib.sha256(BODY).hexdigest(),
    rows=2,
    columns=("age", "work", "weight"),
)
CSV = b"age,work,weight\n39,State-gov,77516\n50,?,83311\n"


def torn_zip() -> bytes:
    """An archive whose one file cannot be unpacked: its compressed bytes are overwritten."""
    content = bytearray(zipped({"toy.data": BODY}))
    start = content.index(b"toy.data") + len(b"toy.data")
    content[start : start + 4] = b"\xff" * 4
    return bytes(content)


class Web:
    """An opener that knows some addresses and counts what it is asked."""

    def __init__(self, **pages: bytes) -> None:
        self.pages = {"first": pages.get("first"), "second": pages.get("second")}
        self.asked: list[str] = []

    def __call__(self, url: str) -> bytes:
        self.asked.append(url)
        content = self.pages["first" if "first.test" in url else "second"]
        if content is None:
            raise OSError("getaddrinfo failed for a host, seen from user anna's laptop")
        return content


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    monkeypatch.setattr(public_data, "PUBLIC_DATA", {**PUBLIC_DATA, "toy": TOY})

    def refuse(*arguments, **options):
        raise AssertionError("a test asked for a real address")

    monkeypatch.setattr(public_data.urllib.request, "urlopen", refuse)


def test_zip_is_unpacked_verified_and_given_a_header(tmp_path):
    web = Web(first=zipped({"notes.txt": b"no", "inner/toy.data": BODY}))
    assert load_public("toy", tmp_path, opener=web) == CSV
    assert web.asked == [TOY.urls[0]]
    assert (tmp_path / "toy" / "toy.data").read_bytes() == BODY
    assert [path.name for path in (tmp_path / "toy").iterdir()] == ["toy.data"]


def test_kept_file_is_used_without_a_second_request(tmp_path):
    load_public("toy", tmp_path, opener=Web(second=BODY))
    silent = Web()
    assert load_public("toy", tmp_path, opener=silent) == CSV
    assert silent.asked == []


def test_second_address_when_the_first_fails_or_sends_something_else(tmp_path):
    wrong = (None, b"<html>moved</html>", zipped({"other.txt": BODY}), b"PK\x03\x04 broken", torn_zip())
    for place, first in enumerate(wrong):
        web = Web(second=BODY) if first is None else Web(first=first, second=BODY)
        assert load_public("toy", tmp_path / str(place), opener=web) == CSV
        assert web.asked == list(TOY.urls)


@pytest.mark.parametrize("changed", [BODY.replace(b"39", b"38"), BODY[:-1], b""])
def test_changed_kept_file_is_refused_and_left_alone(tmp_path, changed):
    web = Web(second=BODY)
    load_public("toy", tmp_path, opener=web)
    kept = tmp_path / "toy" / "toy.data"
    kept.write_bytes(changed)
    with refused("checksum-wrong") as caught:
        load_public("toy", tmp_path, opener=web)
    assert str(kept) in str(caught.value)
    assert kept.read_bytes() == changed
    assert len(web.asked) == 2


def test_wrong_download_is_not_kept(tmp_path):
    wrong = BODY.replace(b"50", b"51")
    with refused("download-failed"):
        load_public("toy", tmp_path, opener=Web(first=zipped({"toy.data": wrong}), second=wrong))
    assert not list(tmp_path.rglob("*.*"))


def test_offline_sentence_says_what_was_tried_and_what_to_do(tmp_path):
    with refused("download-failed") as caught:
        load_public("toy", tmp_path, opener=Web())
    sentence = str(caught.value)
    for part in (*TOY.urls, "no connection", "toy.data", str(tmp_path / "toy")):
        assert part in sentence
    assert "anna" not in sentence  # the network library's own words
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


@pytest.mark.parametrize(("name", "content"), [("toy.zip", zipped({"toy.data": BODY})), ("toy.data", BODY)])
def test_file_put_there_by_hand_is_used(tmp_path, name, content):
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / name).write_bytes(content)
    assert load_public("toy", tmp_path, opener=Web()) == CSV


def test_cache_that_cannot_be_written_to_still_gives_the_data(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    assert load_public("toy", tmp_path / "file", opener=Web(second=BODY)) == CSV


def test_unknown_key_names_the_known_ones(tmp_path):
    with refused("choice-unknown"):
        load_public("nothing", tmp_path, opener=Web())


def test_file_with_a_header_is_given_as_it_is(tmp_path, monkeypatch):
    body = b"a,b\r\n1,?\r\n"
    plain = replace(TOY, columns=(), sha256=hashlib.sha256(body).hexdigest())
    monkeypatch.setattr(public_data, "PUBLIC_DATA", {"toy": plain})
    assert load_public("toy", tmp_path, opener=Web(second=body)) == body


def test_member_too_large_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(public_data, "MAX_BYTES", 10)
    with refused("download-failed"):
        load_public("toy", tmp_path, opener=Web(first=zipped({"toy.data": BODY})))


def test_cache_folder_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("ANONSCOPE_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"
    load_public("toy", opener=Web(second=BODY))
    assert (tmp_path / "own" / "toy" / "toy.data").exists()
    monkeypatch.delenv("ANONSCOPE_CACHE")
    monkeypatch.setattr(public_data.os, "name", "posix")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "anonscope"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == Path.home() / ".cache" / "anonscope"


# Over a real connection, to this machine only


@pytest.fixture
def server(monkeypatch) -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            content = {"/toy.zip": zipped({"toy.data": BODY}), "/huge": b"x" * 5_000}.get(self.path)
            self.send_response(404 if content is None else 200)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *arguments) -> None:
            pass

    monkeypatch.undo()  # the real urlopen again
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}", asked
        http.shutdown()
        thread.join()


def test_default_opener_downloads_once(server, tmp_path, monkeypatch):
    address, asked = server
    local = replace(TOY, urls=(f"{address}/gone", f"{address}/toy.zip"))
    monkeypatch.setattr(public_data, "PUBLIC_DATA", {"toy": local})
    assert load_public("toy", tmp_path) == CSV
    assert load_public("toy", tmp_path) == CSV
    assert asked == ["/gone", "/toy.zip"]


def test_default_opener_refuses_what_is_too_large(server, tmp_path, monkeypatch):
    address, _ = server
    monkeypatch.setattr(public_data, "PUBLIC_DATA", {"toy": replace(TOY, urls=(f"{address}/huge",))})
    monkeypatch.setattr(public_data, "MAX_BYTES", 1_000)
    with refused("download-failed"):
        load_public("toy", tmp_path)


def test_registry_is_complete():
    assert list(PUBLIC_DATA) == ["adult", "diabetes", "cervical_cancer", "heart_disease"]
    for key, data in PUBLIC_DATA.items():
        assert data.key == key
        assert len(data.sha256) == 64 and int(data.sha256, 16)
        assert all(url.startswith("https://archive.ics.uci.edu/") for url in (*data.urls, data.page))
        assert data.licence == "CC BY 4.0"
        assert len(set(data.columns)) == len(data.columns)
    assert [len(data.columns) for data in PUBLIC_DATA.values()] == [15, 0, 0, 14]


def test_adult_checksum_and_form(tmp_path, shared_data):
    rows = list(csv.reader(io.StringIO(shared_data("adult.csv").read_text())))
    # The published file: a blank after each comma, no header, one empty line at the end.
    published = "".join(", ".join(row) + "\n" for row in rows[1:]) + "\n"
    csv_bytes = load_public("adult", tmp_path, opener=lambda url: published.encode())
    assert list(csv.reader(io.StringIO(csv_bytes.decode()))) == rows
    assert len(rows) - 1 == PUBLIC_DATA["adult"].rows


def test_cervical_cancer_checksum_and_form(tmp_path, shared_data):
    data = shared_data("cervical_cancer.csv").read_bytes()
    content = load_public("cervical_cancer", tmp_path, opener=lambda url: data)
    assert content == data
    assert len(content.splitlines()) - 1 == PUBLIC_DATA["cervical_cancer"].rows

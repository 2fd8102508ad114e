"""The files of deploy/ name what is there, shut what they must, and are what the programs that read them take."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from anonlib.filing.department.person import TeamRole
from anonlib.filing.department.settings import read_team

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
TRY = yaml.safe_load((DEPLOY / "try" / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
CONTAINERFILE = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
UNIT = (DEPLOY / "anonscope.service").read_text(encoding="utf-8")
RELAY = "172.30.61.3"


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


# ---- The containers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_has_no_rights_and_a_bounded_share_of_the_machine(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] and service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "caddy" else [])
    assert service["mem_limit"] == service["memswap_limit"], "what is in memory is not swapped"
    assert ("cpus" in service or "cpuset" in service) and service["pids_limit"] and service["ulimits"] == {"core": 0}
    assert not {"privileged", "devices", "pid", "ipc", "network_mode", "userns_mode"} & set(service)


def test_only_the_proxy_is_reached_and_only_the_relay_leads_out() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["caddy"]
    inside = {name for name, network in COMPOSE["networks"].items() if network.get("internal")}
    assert inside == {"inside", "database"}
    assert set(SERVICES["anonscope"]["networks"]) == inside and set(SERVICES["postgres"]["networks"]) == {"database"}
    assert {name for name, service in SERVICES.items() if "outside" in service["networks"]} == {"caddy", "relay"}
    assert SERVICES["relay"]["networks"]["inside"]["ipv4_address"] == RELAY
    assert [host.rpartition(":")[2] for host in SERVICES["anonscope"]["extra_hosts"]] == [RELAY]


def test_anonscope_writes_into_its_volume_alone() -> None:
    service = SERVICES["anonscope"]
    assert "tmpfs" not in service
    written = [volume for volume in service["volumes"] if not volume.endswith(":ro")]
    assert written == ["department:/var/lib/anonscope"]


@pytest.mark.parametrize("document", [COMPOSE, TRY], ids=["compose", "try"])
def test_what_is_mounted_is_there(document: dict[str, Any]) -> None:
    for service in document["services"].values():
        for volume in service.get("volumes", []):
            source = volume.rsplit(":", 2 if volume.endswith(":ro") else 1)[0]
            assert source in COMPOSE["volumes"] or source.startswith("${") or (DEPLOY / source).is_file(), source
        for secret in service.get("secrets", []):
            assert (secret["source"] if isinstance(secret, dict) else secret) in COMPOSE["secrets"]


def test_a_secret_is_in_no_environment_and_for_who_needs_it() -> None:
    given = {
        name: {secret["source"] if isinstance(secret, dict) else secret for secret in service.get("secrets", [])}
        for name, service in SERVICES.items()
    }
    assert given == {
        "anonscope": {"team", "client-secret", "cookie-secret", "database"},
        "caddy": {"certificate.pem", "certificate.key"},
        "relay": set(),
        "postgres": {"database-password"},
    }
    for service in SERVICES.values():
        assert not [name for name in service.get("environment", {}) if re.search("PASSWORD$|SECRET", name)]


def test_the_image_is_built_of_named_bytes_and_is_not_root() -> None:
    bases = re.findall(r"^FROM (\S+)", CONTAINERFILE, re.M)
    assert bases == ["${PYTHON}"] * 2
    assert re.search(
        r"^ARG PYTHON=docker\.io/library/python:3\.11-slim-bookworm@sha256:[0-9a-f]{64}$", CONTAINERFILE, re.M
    )
    installs = re.findall(r"pip install ([^&\\]+)", CONTAINERFILE)
    assert len(installs) == 3
    assert all("--require-hashes" in words or {"--no-deps", "--no-index"} <= set(words.split()) for words in installs)
    last = CONTAINERFILE.rpartition("\nFROM ")[2]
    assert re.findall(r"^(USER|STOPSIGNAL|ENTRYPOINT|CMD) (.*)$", last, re.M) == [
        ("USER", "anonscope"), ("STOPSIGNAL", "SIGTERM"), ("ENTRYPOINT", '["anonscope"]'),
        ("CMD", '["serve", "--no-browser"]'),
    ]  # fmt: skip
    for name in re.findall(r"^COPY (?!--from)(.*) \S+$", CONTAINERFILE, re.M):
        assert all((ROOT / file).exists() for file in name.split())


def test_accounts_have_the_numbers_to_which_the_files_are_given() -> None:
    given = re.search(r"^container\) (.*) ;;$", (DEPLOY / "make-secrets").read_text(), re.M)[1]
    numbers = dict(word.split("=") for word in given.split())
    assert f"useradd --uid {numbers['anonscope']} " in CONTAINERFILE
    assert SERVICES["caddy"]["user"] == numbers["caddy"]
    assert SERVICES["postgres"]["user"] == f"{numbers['postgres']}:{numbers['postgres']}"


def test_the_example_provider_knows_the_client_and_the_groups_of_the_settings() -> None:
    realm = json.loads((DEPLOY / "try" / "realm.json").read_text(encoding="utf-8"))
    (client,) = realm["clients"]
    environment = dict(
        line.split("=") for line in (DEPLOY / "try" / "env").read_text().splitlines() if not line.startswith("#")
    )
    address = f"https://{environment['ANONSCOPE_HOST']}"
    assert client["redirectUris"] == [f"{address}/anonscope/signed-in"]
    assert client["attributes"]["post.logout.redirect.uris"] == f"{address}/anonscope/signed-out"
    assert TRY["services"]["keycloak"]["environment"]["KC_HOSTNAME"] == f"https://{environment['PROVIDER']}"
    assert client["secret"] in (DEPLOY / "try" / "make-files").read_text()
    settings = (DEPLOY / "team.toml").read_text(encoding="utf-8")
    groups = {group["name"] for group in realm["groups"]}
    assert groups == set(re.findall(r'^(?:officer|reviewer|administrator) = \["(.*)"\]', settings, re.M))
    assert {group.strip("/") for user in realm["users"] for group in user["groups"]} == groups
    assert f'/realms/{realm["realm"]}"' in settings and f'client = "{client["clientId"]}"' in settings


# ---- Settings and secrets -------------------------------------------------------------------------------------------


def made(tmp_path: Path, way: str, secret: str) -> subprocess.CompletedProcess[str]:
    """What make-secrets does; as somebody who is not root it keeps the group of files."""
    program = tmp_path / "bin" / "chgrp"
    program.parent.mkdir(exist_ok=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    return subprocess.run(
        [str(DEPLOY / "make-secrets"), way, str(tmp_path / "files")],
        input=secret, capture_output=True, text=True, check=True,
        env={**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"},
    )  # fmt: skip


@needs("openssl")
@pytest.mark.parametrize("way", ["service", "container"])
def test_the_example_settings_and_the_secrets_that_are_made_are_taken(tmp_path: Path, way: str) -> None:
    files, store = tmp_path / "files", tmp_path / "store"
    store.mkdir(mode=0o700)
    for name in ("certificate.pem", "certificate.key"):
        files.mkdir(exist_ok=True)
        (files / name).write_text("")
    secret = "of the provider, and long enough for that"
    assert made(tmp_path, way, f"{secret}\n").stderr == ""
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in files.iterdir()}
    assert set(modes.values()) == {0o640}, modes
    for_databases = {"database", "database-password"} if way == "container" else set()
    assert (
        set(modes)
        == {"team.toml", "client-secret", "cookie-secret", "certificate.pem", "certificate.key"} | for_databases
    )

    settings = files / "team.toml"
    text = settings.read_text(encoding="utf-8")
    text = text.replace("/etc/anonscope", str(files)).replace("/var/lib/anonscope", str(store))
    settings.write_text(text.replace("# database_file", "database_file") if way == "container" else text)
    team = read_team(settings)
    assert team.sign_in.secret == secret and team.listen == ("127.0.0.1" if way == "service" else "0.0.0.0", 8501)
    assert set(team.roles) == set(TeamRole) and all(team.roles.values())
    if way == "container":
        assert (
            team.store.database
            == f"postgresql://anonscope:{(files / 'database-password').read_text().strip()}@postgres/anonscope"
        )
    assert re.search(r"^# workers = ", text, re.M), "machines differ in how many there can be"

    before = {path.name: path.read_bytes() for path in files.iterdir()}
    made(tmp_path, way, "")
    assert {path.name: path.read_bytes() for path in files.iterdir()} == before, "what is there stays as it is"


def test_every_setting_of_the_example_has_a_line_of_what_it_is() -> None:
    lines = (DEPLOY / "team.toml").read_text(encoding="utf-8").splitlines()
    tables = [i for i, line in enumerate(lines) if line.startswith("[")]
    assert [lines[i] for i in tables] == ["[sign_in]", "[roles]", "[store]", "[limits]", "[requests]"]
    assert all(lines[i + 1].startswith("# ") for i in tables)


# ---- The service ----------------------------------------------------------------------------------------------------


def test_the_unit_shuts_what_it_must() -> None:
    settings = re.findall(r"^(\w+)=(.*)$", UNIT, re.M)
    must = {
        "User": "anonscope", "NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "yes",
        "PrivateTmp": "yes", "CapabilityBoundingSet": "", "MemorySwapMax": "0", "LimitCORE": "0",
        "StateDirectory": "anonscope", "StateDirectoryMode": "0700", "UMask": "0077", "RestrictNamespaces": "yes",
        "RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6",
    }  # fmt: skip
    assert must.items() <= dict(settings).items()
    assert {"MemoryMax", "TasksMax"} <= dict(settings).keys()
    assert [value for name, value in settings if name == "SystemCallFilter"] == [
        "@system-service",
        "~@privileged @keyring",
    ]
    assert "MemoryDenyWriteExecute" not in dict(settings), "searches are compiled while it serves"


@needs("systemd-analyze")
def test_systemd_takes_the_unit_and_finds_it_shut(tmp_path: Path) -> None:
    unit = tmp_path / "anonscope.service"
    unit.write_text(UNIT.replace("/opt/anonscope/bin/anonscope", "/bin/true"))
    verified = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=15", str(unit)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert rated.returncode == 0, rated.stdout[-300:]


# ---- Proxies --------------------------------------------------------------------------------------------------------


@needs("caddy")
def test_caddy_takes_its_files(tmp_path: Path) -> None:
    (tmp_path / "anonscope").write_text((DEPLOY / "Caddyfile").read_text())
    (tmp_path / "Caddyfile").write_text((DEPLOY / "try" / "Caddyfile").read_text())
    for file in (DEPLOY / "Caddyfile", tmp_path / "Caddyfile"):
        adapted = subprocess.run(
            ["caddy", "adapt", "--adapter", "caddyfile", "--config", str(file)],
            capture_output=True, text=True, check=False,
            env={**os.environ, "ANONSCOPE_CERTIFICATE": "c.pem", "ANONSCOPE_CERTIFICATE_KEY": "c.key"},
        )  # fmt: skip
        assert adapted.returncode == 0, adapted.stderr
        servers = json.loads(adapted.stdout)["apps"]["http"]["servers"]
        assert all("logs" not in server for server in servers.values()), "requests are not logged"
    formatted = subprocess.run(["caddy", "fmt", str(DEPLOY / "Caddyfile")], capture_output=True, text=True, check=False)
    assert formatted.stdout == (DEPLOY / "Caddyfile").read_text()


@needs("haproxy")
def test_haproxy_takes_its_file() -> None:
    checked = subprocess.run(
        ["haproxy", "-c", "-f", str(DEPLOY / "relay.cfg")],
        capture_output=True, text=True, check=False, env={**os.environ, "PROVIDER": "login.hospital.example"},
    )  # fmt: skip
    assert checked.returncode == 0, checked.stderr

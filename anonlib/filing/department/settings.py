"""The settings of a server for a department: one file in TOML, read once and refused where a part is missing.

Secrets stand in files of their own, which the settings name.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from anonlib.basics import words
from anonlib.basics.cores import n_threads
from anonlib.basics.errors import InputError
from anonlib.filing.department.person import TeamRole

LISTEN = "127.0.0.1:8501"
IDLE_MINUTES, LONGEST_HOURS = 30.0, 10.0
REQUEST_DAYS = 90
LEAST_SECRET = 32
"""Bytes that a secret has at least."""
_MOST_DAYS = 3_650
_MOST_BYTES = 100_000  # of a file of settings or of a secret
_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?(MB|GB)")
_UNITS = {"MB": 10**6, "GB": 10**9}
_PARTS = {
    "": {"address", "listen", "sign_in", "roles", "store", "limits", "requests"},
    "sign_in": {
        "provider", "client", "secret_file", "cookie_secret_file", "groups_claim", "idle_minutes", "longest_hours",
    },
    "roles": {role.value for role in TeamRole},
    "store": {"folder", "database_file"},
    "limits": {"session", "all", "workers"},
    "requests": {"expire_days"},
}  # fmt: skip


@dataclass(frozen=True)
class SignInSettings:
    """How people sign in.

    Attributes
    ----------
    provider : str
        Address of the OpenID provider, as it names itself (its issuer).
    client : str
        What Anonscope is called there.
    secret : str
        What Anonscope shows the provider to be that client.
    cookie_secret : bytes
        What signs the cookie of a sign-in that is under way; at least 32 bytes.
    groups_claim : str
        In which claim the provider names a person's groups.
    idle : float
        Seconds without a sign of the person until a sign-in ends.
    longest : float
        Seconds after which every sign-in ends; not fewer than `idle`.
    """

    provider: str
    client: str
    secret: str = field(repr=False)
    cookie_secret: bytes = field(repr=False)
    groups_claim: str
    idle: float
    longest: float


@dataclass(frozen=True)
class StoreSettings:
    """Where the department keeps its register, requests, audit log and keys.

    Attributes
    ----------
    folder : Path
        A folder for the database and the keys.
    database : str or None
        A ``postgresql://`` address; None for SQLite in the folder. It may hold a password.
    """

    folder: Path
    database: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class TeamLimits:
    """What sessions may take.

    Attributes
    ----------
    session, all : int
        Memory of one session's data, and of all together, in bytes; the first is not more than the second.
    workers : int
        How many processes compute at a time: at least 1, and at most one fewer than there are cores where these are
        several.
    """

    session: int
    all: int
    workers: int


@dataclass(frozen=True)
class Team:
    """A department and its server.

    Attributes
    ----------
    address : str
        Under which browsers reach it: ``https://`` and a host, with a port where it is not 443, without a path.
    listen : tuple of str and int
        The address of this machine, and the port, at which the proxy reaches it.
    sign_in : SignInSettings
        How people sign in.
    roles : Mapping of TeamRole to frozenset of str
        The provider's groups whose members have a role, by role; some role has one.
    store : StoreSettings
        Where it keeps what the department decides.
    limits : TeamLimits
        What sessions may take.
    request_days : int
        After how many days a request expires by which nothing left.
    """

    address: str
    listen: tuple[str, int]
    sign_in: SignInSettings
    roles: Mapping[TeamRole, frozenset[str]]
    store: StoreSettings
    limits: TeamLimits
    request_days: int = REQUEST_DAYS

    @property
    def host(self) -> str:
        """The host of `address`, as browsers name it: with the port where it is not 443."""
        return urlsplit(self.address).netloc

    def roles_of(self, groups: frozenset[str]) -> frozenset[TeamRole]:
        """The roles of somebody in these groups; empty for somebody who may not enter."""
        return frozenset(role for role, named in self.roles.items() if named & groups)


def read_team(path: Path) -> Team:
    """Read the settings of a department's server.

    Parameters
    ----------
    path : Path
        A file in TOML that not everybody on the computer may read.

    Raises
    ------
    InputError
        Where the file or one that it names is missing or open to all, and where a setting is missing, unknown or cannot
        be used; the sentence names it.
    """
    text = _text(path, "The file of settings")
    try:
        document = tomllib.loads(text)
    except ValueError:
        sentence = "The file of settings is not valid TOML. Look for a missing quotation mark or bracket."
        raise InputError(sentence, code="file-not-of-this-kind") from None
    parts = {name: _part(document, name) for name in _PARTS}
    return Team(
        address=_address(parts[""]),
        listen=_listen(_word(parts[""], "listen", LISTEN)),
        sign_in=_sign_in(parts["sign_in"]),
        roles=_roles(parts["roles"]),
        store=_store(parts["store"]),
        limits=_limits(parts["limits"]),
        request_days=_days(parts["requests"]),
    )


def _part(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The settings of a table, by their full names as ``[sign_in] provider``."""
    table = document if not name else document.get(name, {})
    where = f"[{name}]" if name else "The file of settings"
    if not isinstance(table, Mapping):
        raise InputError(
            f"“{name}” is a table of settings. Begin it with a line {where}.", code="setting-of-other-type"
        ) from None
    if unknown := sorted(set(table) - _PARTS[name]):
        known = words.listed(sorted(_PARTS[name]), len(_PARTS[name]))
        raise InputError(
            f"{where} has a setting that is not known, “{unknown[0]}”. There are: {known}.", code="setting-unknown"
        ) from None
    return {f"[{name}] {key}" if name else key: value for key, value in table.items()}


def _word(part: Mapping[str, Any], name: str, usual: str | None = None) -> str:
    """A setting that is text; where it is missing, what is usual."""
    value = part.get(name, usual)
    if value is None:
        raise InputError(
            f"The setting {name} is missing. Give it in the file of settings.", code="setting-missing"
        ) from None
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"The setting {name} must be text in quotation marks.", code="setting-of-other-type") from None
    return value.strip()


def _number(part: Mapping[str, Any], name: str, usual: float) -> float:
    value = part.get(name, usual)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise InputError(f"The setting {name} must be a number above 0.", code="setting-of-other-type") from None
    return float(value)


def _address(part: Mapping[str, Any]) -> str:
    address = _secure(part, "address")
    if urlsplit(address).path.strip("/"):
        raise InputError(
            "The setting address names a path. Give Anonscope a host of its own, without a path.", code="address-wrong"
        ) from None
    return f"https://{urlsplit(address).netloc.lower().removesuffix(':443')}"


def _secure(part: Mapping[str, Any], name: str) -> str:
    """An address that begins with ``https://`` and names a host."""
    address = _word(part, name)
    try:
        parsed = urlsplit(address)
        is_whole = bool(parsed.hostname) and (parsed.port or 1) > 0 and "@" not in parsed.netloc
    except ValueError:
        is_whole = False
    if not is_whole or parsed.query or parsed.fragment or not address.isascii() or re.search(r"[\s\\;,'\"]", address):
        raise InputError(
            f"The setting {name} must be https:// and the name of a host, without a password.", code="address-wrong"
        ) from None
    if parsed.scheme != "https":
        raise InputError(
            f"The setting {name} must begin with https://, so that nobody on the way reads or changes what is sent.",
            code="address-not-secure",
        ) from None
    return address


def _listen(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    host = host.strip("[]")
    try:
        ip_address(host)
        if 0 < int(port) < 65536:
            return host, int(port)
    except ValueError:
        pass
    raise InputError(
        f"The setting listen must be an address of this machine in numbers and a port, such as {LISTEN}.",
        code="address-wrong",
    ) from None


def _sign_in(part: Mapping[str, Any]) -> SignInSettings:
    idle = _number(part, "[sign_in] idle_minutes", IDLE_MINUTES) * 60
    longest = _number(part, "[sign_in] longest_hours", LONGEST_HOURS) * 3600
    if idle > longest:
        raise InputError(
            "The setting [sign_in] idle_minutes is longer than longest_hours. Let a sign-in end earlier without a sign "
            "of the person.",
            code="number-out-of-range",
        ) from None
    return SignInSettings(
        provider=_secure(part, "[sign_in] provider"),
        client=_word(part, "[sign_in] client"),
        secret=_secret(part, "[sign_in] secret_file"),
        cookie_secret=_secret(part, "[sign_in] cookie_secret_file").encode(),
        groups_claim=_word(part, "[sign_in] groups_claim", "groups"),
        idle=idle,
        longest=longest,
    )


def _roles(part: Mapping[str, Any]) -> Mapping[TeamRole, frozenset[str]]:
    roles = {}
    for role in TeamRole:
        name = f"[roles] {role.value}"
        groups = part.get(name, [])
        if not isinstance(groups, list) or not all(isinstance(group, str) and group.strip() for group in groups):
            raise InputError(
                f"The setting {name} must be a list of groups, each in quotation marks.", code="setting-of-other-type"
            ) from None
        roles[role] = frozenset(groups)
    if not any(roles.values()):
        raise InputError(
            "No role has a group, so that nobody could enter. Name the provider's groups under [roles]: "
            f"{words.listed([role.value for role in TeamRole])}.",
            code="setting-missing",
        ) from None
    return MappingProxyType(roles)


def _store(part: Mapping[str, Any]) -> StoreSettings:
    folder = Path(_word(part, "[store] folder"))
    if not folder.is_dir():
        raise InputError(
            "The folder that the setting [store] folder names is not there. Make it, for the account that runs "
            "Anonscope alone.",
            code="folder-missing",
        ) from None
    if os.name != "nt" and stat.S_IMODE(folder.stat().st_mode) & (stat.S_IRWXO):
        raise InputError(
            "The folder that the setting [store] folder names is open to everybody on this computer. Close it: "
            "chmod 0700.",
            code="folder-open-to-all",
        ) from None
    name = "[store] database_file"
    if name not in part:
        return StoreSettings(folder)
    address = _text(Path(_word(part, name)), f"The file that the setting {name} names").strip()
    if not address.startswith("postgresql://"):
        raise InputError(
            f"The file that the setting {name} names must hold an address that begins with postgresql://.",
            code="address-wrong",
        ) from None
    return StoreSettings(folder, address)


def _limits(part: Mapping[str, Any]) -> TeamLimits:
    session, all_sessions = _size(part, "[limits] session", "1 GB"), _size(part, "[limits] all", "8 GB")
    if session > all_sessions:
        raise InputError(
            "The setting [limits] session is more than all. A session is one of all.", code="number-out-of-range"
        ) from None
    most, name = max(1, n_threads() - 1), "[limits] workers"
    workers = part.get(name, most)
    if isinstance(workers, bool) or not isinstance(workers, int):
        raise InputError(f"The setting {name} must be a whole number.", code="setting-of-other-type") from None
    if not 1 <= workers <= most:
        raise InputError(
            f"The setting {name} must be from 1 to {most}: this machine has {words.count(n_threads(), 'cores')}, and "
            "one is left for the pages.",
            code="number-out-of-range",
        ) from None
    return TeamLimits(session, all_sessions, workers)


def _days(part: Mapping[str, Any]) -> int:
    name = "[requests] expire_days"
    days = part.get(name, REQUEST_DAYS)
    if isinstance(days, bool) or not isinstance(days, int) or not 1 <= days <= _MOST_DAYS:
        raise InputError(
            f"The setting {name} must be a whole number of days from 1 to {_MOST_DAYS:,}.", code="number-out-of-range"
        ) from None
    return days


def _size(part: Mapping[str, Any], name: str, usual: str) -> int:
    """Bytes of a size such as ``1.5 GB``."""
    match = _SIZE.fullmatch(_word(part, name, usual))
    size = 0 if match is None else round(float(match[1]) * _UNITS[match[2]])
    if not size:
        raise InputError(
            f"The setting {name} must be a size such as 500 MB or {usual}.", code="setting-of-other-type"
        ) from None
    return size


def _secret(part: Mapping[str, Any], name: str) -> str:
    """What a file holds that only this account, and at most its group, may read."""
    secret = _text(Path(_word(part, name)), f"The file that the setting {name} names").strip()
    if len(secret.encode()) < LEAST_SECRET:
        raise InputError(
            f"The file that the setting {name} names holds fewer than {LEAST_SECRET} bytes, which could be guessed. "
            "Make a new secret, such as by openssl rand -base64 48.",
            code="secret-too-short",
        ) from None
    return secret


def _text(path: Path, what: str) -> str:
    """What a file holds that not everybody on the computer may read or change."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(_MOST_BYTES + 1) if stat.S_ISREG(mode) else b""
    except FileNotFoundError:
        raise InputError(f"{what} is not there. Check its path.", code="file-missing") from None
    except OSError:
        raise InputError(
            f"{what} cannot be read. Let the account that runs Anonscope read it.", code="file-unreadable"
        ) from None
    if os.name != "nt" and mode & stat.S_IRWXO:
        raise InputError(
            f"{what} is open to everybody on this computer. Close it: chmod 0640.", code="file-open-to-all"
        ) from None
    if len(data) > _MOST_BYTES:
        raise InputError(
            f"{what} is larger than {words.size(_MOST_BYTES)}. Name another one.", code="file-too-large"
        ) from None
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InputError(f"{what} is not text. Save it as UTF-8.", code="file-not-of-this-kind") from None

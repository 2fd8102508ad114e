"""What a browser brings back from the provider is believed only where all of it is right.

The real provider of ``tests/browser/test_team.py`` sends nothing wrong, so that here one of the test's own answers,
within the process.
"""

from __future__ import annotations

import json
import time
from base64 import b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey
from starlette.requests import Request

from anonlib.filing.department.person import TeamRole
from anonlib.filing.department.settings import SignInSettings, StoreSettings, Team, TeamLimits
from tests.helpers import loops
from ui.server.sign_in.provider import Entered, Provider, SignInFailed

ISSUER, CLIENT, SECRET = "https://login.example/realm", "anonscope", "s" * 32
TEAM = Team(
    "https://anonscope.example", ("127.0.0.1", 8501),
    SignInSettings(ISSUER, CLIENT, SECRET, b"c" * 32, "groups", 1800, 36_000),
    MappingProxyType({TeamRole.OFFICER: frozenset({"officers"}), TeamRole.REVIEWER: frozenset({"reviewers"})}),
    StoreSettings(Path("store")), TeamLimits(1, 1, 1),
)  # fmt: skip
KEY = RSAKey.generate_key(2048, {"kid": "1"})
OTHER_KEY = RSAKey.generate_key(2048, {"kid": "1"})


@dataclass
class Answers:
    """A provider that answers as a test wants it; what it was asked is noted."""

    metadata: dict[str, Any] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] = field(default_factory=dict)
    key: Any = None
    algorithm: str = "RS256"
    silent: str = ""
    asked: list[httpx.Request] = field(default_factory=list)
    nonce: str = ""
    challenge: str = ""

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        path = request.url.path.removeprefix("/realm")
        if path == self.silent:
            raise httpx.ConnectError("secret words of the network")
        if path == "/.well-known/openid-configuration":
            own = {
                "issuer": ISSUER, "authorization_endpoint": f"{ISSUER}/authorize", "token_endpoint": f"{ISSUER}/token",
                "jwks_uri": f"{ISSUER}/keys", "userinfo_endpoint": f"{ISSUER}/me",
                "end_session_endpoint": f"{ISSUER}/out",
                "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
                "scopes_supported": ["openid", "profile", "groups"],
            }  # fmt: skip
            return httpx.Response(200, json=own | self.metadata)
        if path == "/keys":
            return httpx.Response(200, json=KeySet([KEY]).as_dict(private=False))
        if path == "/me":
            return httpx.Response(200, json={"sub": "1", "groups": ["officers"]} | self.userinfo)
        assert path == "/token"
        sent = parse_qs(request.content.decode())
        verifier = sent["code_verifier"][0].encode()
        assert urlsafe_b64encode(sha256(verifier).digest()).rstrip(b"=").decode() == self.challenge
        assert b64decode(request.headers["authorization"].split()[1]).decode() == f"{CLIENT}:{SECRET}"
        return httpx.Response(200, json={"access_token": "a", "token_type": "Bearer", "id_token": self.id_token()})

    def id_token(self) -> str:
        now = int(time.time())
        claims = {
            "iss": ISSUER, "sub": "1", "aud": CLIENT, "exp": now + 60, "iat": now, "nonce": self.nonce, "name": "Olga",
            "groups": ["officers"],
        } | self.claims  # fmt: skip
        claims = {name: value for name, value in claims.items() if value is not None}
        header = {"alg": self.algorithm, "kid": "1"}
        if self.algorithm == "none":
            parts = [urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in (header, claims)]
            return ".".join([*parts, ""])
        return jwt.encode(header, claims, self.key or KEY, algorithms=[self.algorithm])


def request(session: dict[str, Any], query: str = "") -> Request:
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": query.encode(), "headers": []}
    return Request(scope | {"session": session, "server": ("127.0.0.1", 8501), "scheme": "http"})


def entered(answers: Answers, query: str = "code=x&state={state}", session: dict[str, Any] | None = None) -> Entered:
    """Who comes back, from the way there on; ``session`` is the browser's on the way back, where it is another one."""
    provider = Provider(TEAM)
    provider._client.client_kwargs["transport"] = httpx.MockTransport(answers)

    async def there_and_back() -> Entered:
        held: dict[str, Any] = {}
        asked = dict(parse_qsl(urlsplit(await provider.where_to_sign_in(request(held))).query))
        assert asked["redirect_uri"] == "https://anonscope.example/anonscope/signed-in"
        assert (asked["code_challenge_method"], asked["response_type"]) == ("S256", "code")
        assert asked["scope"].split() == ["openid", "profile", "groups"]
        answers.nonce, answers.challenge = asked["nonce"], asked["code_challenge"]
        return await provider.who_comes_back(request(held if session is None else session, query.format(**asked)))

    return loops.run(there_and_back())


def test_who_comes_back_is_known_with_name_and_roles() -> None:
    answers = Answers()
    came = entered(answers)
    assert came.person.subject == f"{ISSUER} 1" and came.person.name == "Olga"
    assert came.person.roles == {TeamRole.OFFICER} and came.id_token.count(".") == 2
    assert "/realm/me" not in [asked.url.path for asked in answers.asked], "all was in what it signed"
    assert entered(answers, f"code=x&state={{state}}&iss={ISSUER}").person == came.person


@pytest.mark.parametrize(("claims", "roles"), [
    ({"groups": ["reviewers", "officers"]}, {TeamRole.OFFICER, TeamRole.REVIEWER}),
    ({"groups": "officers"}, {TeamRole.OFFICER}),
    ({"groups": ["staff"]}, set()),
    ({"groups": []}, set()),
    ({"groups": {"officers": True}}, set()),
    ({"groups": [["officers"], 7]}, set()),
    ({"groups": None}, {TeamRole.OFFICER}),  # which it states when it is asked for more
])  # fmt: skip
def test_roles_are_by_groups(claims: dict[str, Any], roles: set[TeamRole]) -> None:
    assert entered(Answers(claims=claims)).person.roles == roles


@pytest.mark.parametrize(("claims", "name"), [
    ({"name": None}, "1"), ({"name": " ", "preferred_username": "olga"}, "olga"), ({"name": 7}, "1"),
    ({"name": "Olga\nOfficer\u202e x"}, "Olga Officer x"), ({"name": "x" * 500}, "x" * 80),
])  # fmt: skip
def test_a_name_is_one_line(claims: dict[str, Any], name: str) -> None:
    assert entered(Answers(claims=claims)).person.name == name


WRONG = {
    "issuer": Answers(claims={"iss": "https://other.example"}),
    "audience": Answers(claims={"aud": "another client"}),
    "audience, though it is authorised": Answers(claims={"aud": "another client", "azp": CLIENT}),
    "no audience": Answers(claims={"aud": None}),
    "authorised": Answers(claims={"aud": [CLIENT, "another"], "azp": "another"}),
    "nonce": Answers(claims={"nonce": "another"}),
    "no nonce": Answers(claims={"nonce": None}),
    "expired": Answers(claims={"exp": int(time.time()) - 120, "iat": int(time.time()) - 300}),
    "without end": Answers(claims={"exp": None}),
    "of later": Answers(claims={"iat": int(time.time()) + 86_400}),
    "nobody": Answers(claims={"sub": None}),
    "blank": Answers(claims={"sub": " "}),
    "another key": Answers(key=OTHER_KEY),
    "by the shared secret": Answers(key=OctKey.import_key(SECRET), algorithm="HS256"),
    "unsigned": Answers(algorithm="none"),
    "metadata of another": Answers(metadata={"issuer": "https://other.example"}),
    "more of another person": Answers(claims={"groups": None}, userinfo={"sub": "2"}),
    "no answer": Answers(silent="/token"),
    "no keys": Answers(silent="/keys"),
    "not there": Answers(silent="/.well-known/openid-configuration"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_not_as_it_must_be_fails_without_a_word_of_it(wrong: str, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(SignInFailed) as failed:
        entered(WRONG[wrong])
    assert not failed.value.args and failed.value.__suppress_context__
    assert "a sign-in failed" in caplog.text
    assert "secret" not in caplog.text and "another" not in caplog.text and "example" not in caplog.text


@pytest.mark.parametrize("query", [
    "code=x&state=forged", "code=x", "state={state}&error=access_denied&error_description=secret", "",
    "code=x&state={state}&iss=https://other.example",
])  # fmt: skip
def test_a_forged_answer_fails(query: str) -> None:
    with pytest.raises(SignInFailed):
        entered(Answers(), query)


def test_the_answer_of_another_browser_fails() -> None:
    with pytest.raises(SignInFailed):
        entered(Answers(), session={})


def test_a_clock_may_differ_by_a_minute() -> None:
    now = int(time.time())
    assert entered(Answers(claims={"exp": now - 30, "iat": now - 90})).person.name == "Olga"


def test_the_way_out_names_whose_sign_in_is_to_end() -> None:
    async def way_out(answers: Answers) -> str | None:
        provider = Provider(TEAM)
        provider._client.client_kwargs["transport"] = httpx.MockTransport(answers)
        return await provider.where_to_sign_out("stated")

    way = loops.run(way_out(Answers()))
    assert way is not None and way.startswith(f"{ISSUER}/out?")
    asked = dict(parse_qsl(urlsplit(way).query))
    assert asked["id_token_hint"] == "stated" and asked["client_id"] == CLIENT
    assert asked["post_logout_redirect_uri"] == "https://anonscope.example/anonscope/signed-out"
    assert loops.run(way_out(Answers(metadata={"end_session_endpoint": None}))) is None
    assert loops.run(way_out(Answers(silent="/.well-known/openid-configuration"))) is None

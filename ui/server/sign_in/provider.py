"""The hospital's OpenID provider: a browser is sent there, and what it brings back is checked.

The code flow with PKCE. Nothing that the provider sends is shown or logged.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from authlib.integrations.starlette_client import OAuth
from starlette.requests import Request

from anonlib.filing.department.person import Person
from anonlib.filing.department.settings import Team
from ui.server.quiet import describe_without_text

RETURN = "/anonscope/signed-in"
"""Where the provider sends a browser back to."""
GOODBYE = "/anonscope/signed-out"
"""Where the provider sends a browser to that has signed out there too."""
_SKEW = 60  # seconds that the provider's clock may differ
_TIMEOUT = 10.0  # seconds for an answer of the provider
_SIGNED = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""By a key of the provider's own; not by the secret that Anonscope has too, and not unsigned."""
_LONGEST_NAME = 80
_LOG = logging.getLogger("anonscope")


class SignInFailed(Exception):
    """The provider cannot be asked, or what came back is not what it must be."""


@dataclass(frozen=True)
class Entered:
    """Somebody whom the provider knows.

    Attributes
    ----------
    person : Person
        Who it is; without a role where no group of the person may enter.
    id_token : str
        What the provider stated, as it signed it.
    """

    person: Person
    id_token: str = field(repr=False)


class Provider:
    """The OpenID provider of a department.

    Parameters
    ----------
    team : Team
        The settings, of which it uses the provider's address, client and secret, the roles and the server's address.
    """

    def __init__(self, team: Team) -> None:
        self._team = team
        self._asked = team.sign_in
        self._client = OAuth().register(
            "provider",
            client_id=self._asked.client,
            client_secret=self._asked.secret,
            server_metadata_url=f"{self._asked.provider.rstrip('/')}/.well-known/openid-configuration",
            client_kwargs={"code_challenge_method": "S256", "timeout": _TIMEOUT},
        )

    async def where_to_sign_in(self, request: Request) -> str:
        """The address to which a browser is sent; what is to be checked later is put into the request's session.

        Raises
        ------
        SignInFailed
        """
        try:
            scopes = ["openid", "profile"]
            offered = (await self._metadata()).get("scopes_supported") or []
            if self._asked.groups_claim in offered:
                scopes.append(self._asked.groups_claim)
            to = f"{self._team.address}{RETURN}"
            answer = await self._client.authorize_redirect(request, to, scope=" ".join(scopes))
        except Exception as error:  # of the network, or of what was answered
            raise _failed(error) from None
        return answer.headers["location"]

    async def who_comes_back(self, request: Request) -> Entered:
        """Who a browser that the provider sent back is of: state, code, signature, issuer, audience, nonce and expiry
        are checked.

        Raises
        ------
        SignInFailed
        """
        try:
            issuer = (await self._metadata())["issuer"]
            if request.query_params.get("iss", issuer) != issuer:
                raise SignInFailed
            must = {
                "iss": {"essential": True, "value": issuer},
                "aud": {"essential": True, "value": self._asked.client},
                "exp": {"essential": True},
                "sub": {"essential": True},
            }
            token = await self._client.authorize_access_token(request, claims_options=must, leeway=_SKEW)
            claims = dict(token["userinfo"])
            if self._asked.groups_claim not in claims:
                claims |= await self._more(token, claims["sub"])
            return Entered(self._person(issuer, claims), token["id_token"])
        except Exception as error:  # of the network, or of what was answered
            raise _failed(error) from None

    async def where_to_sign_out(self, id_token: str) -> str | None:
        """The address at which a browser signs out at the provider; None where it has none, or does not answer."""
        try:
            if not (await self._metadata()).get("end_session_endpoint"):
                return None
            leaving = await self._client.create_logout_url(
                f"{self._team.address}{GOODBYE}", id_token, client_id=self._asked.client
            )
        except Exception as error:
            _failed(error)
            return None
        return leaving["url"]

    async def _metadata(self) -> Mapping[str, Any]:
        """What the provider says of itself, asked for once; it must be the one that the settings name."""
        metadata = await self._client.load_server_metadata()
        if metadata.get("issuer") != self._asked.provider:
            raise SignInFailed
        offered = metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
        metadata["id_token_signing_alg_values_supported"] = [way for way in offered if way in _SIGNED] or ["RS256"]
        return metadata

    async def _more(self, token: Mapping[str, Any], subject: str) -> dict[str, Any]:
        """What the provider knows of the person beside what it signed, where it is of the same person."""
        if not (await self._metadata()).get("userinfo_endpoint"):
            return {}
        more = dict(await self._client.userinfo(token=token))
        if more.get("sub") != subject:
            raise SignInFailed
        return more

    def _person(self, issuer: str, claims: Mapping[str, Any]) -> Person:
        subject = claims["sub"]
        if not isinstance(subject, str) or not subject.strip():
            raise SignInFailed
        groups = claims.get(self._asked.groups_claim, [])
        groups = [groups] if isinstance(groups, str) else groups if isinstance(groups, list) else []
        names = (claims.get("name"), claims.get("preferred_username"), subject)
        name = next(name for name in names if isinstance(name, str) and name.strip())
        name = " ".join("".join(mark if mark.isprintable() else " " for mark in name).split())[:_LONGEST_NAME]
        roles = self._team.roles_of(frozenset(group for group in groups if isinstance(group, str)))
        return Person(f"{issuer} {subject}", name, roles)


def _failed(error: Exception) -> SignInFailed:
    _LOG.error("a sign-in failed\n%s", describe_without_text(error))
    return SignInFailed()

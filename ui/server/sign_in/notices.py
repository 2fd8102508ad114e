"""The few pages that are there without a sign-in: one sentence and one way on each, and nothing from outside."""

from __future__ import annotations

from html import escape

from starlette.responses import HTMLResponse, Response

_STYLE = (
    "body{font:16px/1.5 sans-serif;color:#1b2733;background:#f4f6f8;margin:0}"
    "main{max-width:34rem;margin:15vh auto 0;padding:2rem;background:#fff;border:1px solid #d5dbe1;border-radius:.5rem}"
    "h1{font-size:1.4rem;margin:0 0 .5rem}a{color:#1f5f8b;margin-right:1.5rem}"
    "@media(prefers-color-scheme:dark){body{color:#e6ebf0;background:#11161c}main{background:#1a222b;"
    "border-color:#33404d}a{color:#7db8e8}}"
)


def _page(title: str, sentence: str, *ways: tuple[str, str], status: int = 200) -> Response:
    """A page with links. Without ``<head>``, which HTML lets out, so that the script of tabs is not put into it."""
    links = "".join(f'<a href="{escape(address)}">{escape(label)}</a>' for label, address in ways)
    return HTMLResponse(
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{escape(title)} - Anonscope</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
        f"<body><main><h1>{escape(title)}</h1><p>{escape(sentence)}</p><p>{links}</p></main></body></html>",
        status,
        headers={"Cache-Control": "no-store"},
    )


def ended(page: str) -> Response:
    """A sign-in ended by itself, or elsewhere."""
    return _page(
        "Your sign-in has ended",
        "It ends after a while without a click, after the longest time that your department allows, and when you sign "
        "out everywhere. What you had open is held for two more minutes: sign in within them, in this tab, to find it "
        "as it was.",
        ("Sign in again", page),
    )


def signed_out() -> Response:
    """A person signed out."""
    return _page("You are signed out", "Close the browser where others use this computer too.", ("Sign in", "/"))


def asks_whether_to_sign_out(here: str, everywhere: str) -> Response:
    """A person is to choose; the two addresses sign out."""
    return _page(
        "Sign out?",
        "Here ends this browser’s sign-in. Everywhere ends those of your other browsers too.",
        ("Sign out here", here),
        ("Sign out everywhere", everywhere),
        ("Stay signed in", "/"),
    )


def not_allowed_in(name: str) -> Response:
    """The provider knows a person of this name, in no group that may enter."""
    return _page(
        "You are not allowed in",
        f"You are known as {name}, and none of your groups may use Anonscope. Ask those who administer it in your "
        "department to add you to one, and sign in again.",
        ("Sign in again", "/anonscope/sign-in"),
        status=403,
    )


def failed() -> Response:
    """The provider cannot be asked, or what came back is not believed."""
    return _page(
        "The sign-in failed",
        "The sign-in service did not answer, or what came back from it does not belong to this browser. Try again; "
        "where it fails again, ask those who administer Anonscope in your department.",
        ("Try again", "/anonscope/sign-in"),
        status=400,
    )

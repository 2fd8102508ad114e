"""Sign-in in front of every path of a department's server (docs/decisions/sign-in.md).

:mod:`~ui.server.sign_in.entrance` is what every request passes, :mod:`~ui.server.sign_in.sign_ins` who is signed in,
:mod:`~ui.server.sign_in.owners` whose a session and its files are, :mod:`~ui.server.sign_in.provider` asks the
hospital's OpenID provider, and :mod:`~ui.server.sign_in.notices` are the few pages that are there without a sign-in.
"""

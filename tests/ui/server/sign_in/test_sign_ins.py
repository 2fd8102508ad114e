"""How long a sign-in lasts, by a clock of the test, and how it is ended."""

from __future__ import annotations

from anonlib.basics.errors import InputError
from anonlib.filing.department.acts import Act
from anonlib.filing.department.person import Person, TeamRole
from tests.helpers.errors import refused
from ui.server.sign_in.sign_ins import SignIn, SignIns, key_of

OLGA = Person("https://login.example olga", "Olga", frozenset({TeamRole.OFFICER}))
OTTO = Person("https://login.example otto", "Otto", frozenset({TeamRole.OFFICER}))
IDLE, LONGEST = 30.0, 100.0


class Clock:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def begun(clock: Clock) -> tuple[SignIns, str]:
    sign_ins = SignIns(IDLE, LONGEST, clock)
    return sign_ins, key_of(sign_ins.begin(OLGA, "stated"))


def held(sign_ins: SignIns, key: str) -> SignIn:
    sign_in = sign_ins.of(key)
    assert sign_in is not None
    return sign_in


def test_a_sign_in_is_known_by_the_secret_that_only_its_browser_holds() -> None:
    sign_ins, key = begun(Clock())
    secret = sign_ins.begin(OLGA)
    assert sign_ins.of(key) is not sign_ins.of(key_of(secret))
    assert held(sign_ins, key_of(secret)).person == OLGA
    assert len(secret) >= 43 and secret not in repr(vars(sign_ins)), "the server keeps no secret"
    for other in ("", secret, key_of(""), key_of(key), key_of(secret + "x")):
        assert sign_ins.of(other) is None
    assert "stated" not in repr(held(sign_ins, key))


def test_a_sign_in_ends_without_a_sign_of_its_person() -> None:
    sign_ins, key = begun(clock := Clock())
    clock.time += IDLE - 1
    sign_ins.note_activity(held(sign_ins, key))
    clock.time += IDLE - 1
    assert sign_ins.of(key) is not None, "asking whether it lasts is no sign of the person"
    clock.time += 1
    assert sign_ins.of(key) is None
    clock.time -= 1
    assert sign_ins.of(key) is not None, "by the clock alone"


def test_a_sign_in_ends_after_the_longest_time_whatever_its_person_does() -> None:
    sign_ins, key = begun(clock := Clock())
    for _ in range(9):
        clock.time += 11
        sign_ins.note_activity(held(sign_ins, key))
    clock.time += 1
    assert sign_ins.of(key) is None


def test_what_has_ended_is_dropped_when_the_next_one_begins() -> None:
    sign_ins, key = begun(clock := Clock())
    clock.time += IDLE
    sign_ins.begin(OTTO)
    clock.time -= IDLE
    assert sign_ins.of(key) is None


def test_signing_out_here_ends_one_and_everywhere_all_of_the_same_person() -> None:
    sign_ins, here = begun(Clock())
    there, others = key_of(sign_ins.begin(OLGA)), key_of(sign_ins.begin(OTTO))
    sign_ins.sign_out("of nobody", everywhere=True)
    sign_ins.sign_out(here)
    assert sign_ins.of(here) is None and sign_ins.of(there) is not None
    again = key_of(sign_ins.begin(OLGA))
    sign_ins.sign_out(again, everywhere=True)
    assert sign_ins.of(there) is sign_ins.of(again) is None and sign_ins.of(others) is not None


def test_who_signed_out_is_led_to_the_provider_once_and_soon() -> None:
    sign_ins, key = begun(clock := Clock())
    assert sign_ins.take_leave(key) is None, "not while the sign-in lasts"
    sign_ins.sign_out(key)
    assert (sign_ins.take_leave(key), sign_ins.take_leave(key)) == ("stated", None)
    late = key_of(sign_ins.begin(OLGA, "late"))
    sign_ins.sign_out(late)
    clock.time += 600
    assert sign_ins.take_leave(late) is None
    replaced = key_of(sign_ins.begin(OLGA, "replaced"))
    sign_ins.end(replaced)
    assert sign_ins.of(replaced) is None and sign_ins.take_leave(replaced) is None


def test_each_sign_in_and_out_is_noted_and_nobody_is_signed_in_who_cannot_be() -> None:
    noted: list[tuple[str, Act]] = []

    def note(person: Person, act: Act, **facts: str) -> None:
        if len(noted) == 3:
            raise InputError("The store is away.", code="store-not-readable")
        noted.append((person.name, act))

    sign_ins = SignIns(IDLE, LONGEST, Clock(), note)
    key = key_of(sign_ins.begin(OLGA))
    sign_ins.sign_out(key)
    sign_ins.sign_out(key)
    other = key_of(sign_ins.begin(OTTO))
    assert noted == [(OLGA.name, Act.SIGNED_IN), (OLGA.name, Act.SIGNED_OUT), (OTTO.name, Act.SIGNED_IN)]
    with refused("store-not-readable"):
        sign_ins.begin(OLGA)
    assert [sign_in.person for sign_in in sign_ins.lasting()] == [OTTO]
    sign_ins.sign_out(other)
    assert sign_ins.lasting() == (), "who goes is not held back"


def test_all_that_last_are_known() -> None:
    sign_ins, key = begun(clock := Clock())
    clock.time += IDLE - 1
    sign_ins.begin(OTTO)
    assert {sign_in.person for sign_in in sign_ins.lasting()} == {OLGA, OTTO}
    clock.time += 1
    assert [sign_in.person for sign_in in sign_ins.lasting()] == [OTTO] and sign_ins.of(key) is None

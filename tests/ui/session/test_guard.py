"""What got past everything else is a sentence on the page."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

SECRET = "SECRET-CELL-7731"


def test_what_got_past_all_else_is_a_sentence_without_its_text() -> None:
    def page() -> None:
        from ui.session import guard

        assert guard.show_fault(ValueError("SECRET-CELL-7731")), "Streamlit shows nothing of its own then"

    at = AppTest.from_function(page, default_timeout=60).run()
    (shown,) = at.error
    assert "Something went wrong" in shown.value and SECRET not in shown.value


def test_a_machine_without_memory_or_room_is_a_sentence_and_no_fault_of_ours() -> None:
    def page() -> None:
        import errno

        from ui.session import guard

        for error in (MemoryError("SECRET-CELL-7731"), OSError(errno.ENOSPC, "SECRET-CELL-7731")):
            with guard.sentences():
                raise error

    at = AppTest.from_function(page, default_timeout=60).run()
    memory, disk = (each.value for each in at.error)
    assert "not enough memory" in memory and "no room left on the disk" in disk
    for sentence in (memory, disk):
        assert SECRET not in sentence and "Something went wrong" not in sentence and "still here" in sentence

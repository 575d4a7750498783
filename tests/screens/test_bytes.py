"""What the wizard sends: bytes are what a slow line costs, and they are the same on every machine."""

import pytest

from terminal_session import TerminalSession

UP, DOWN, ENTER, RIGHT, TAB, ESCAPE = b"\x1b[A", b"\x1b[B", b"\r", b"\x1b[C", b"\t", b"\x1b"
SMALL, LARGE = (80, 24), (120, 40)
MAX_AT_FIRST = {SMALL: 9_000, LARGE: 16_000}
"""Up to the first page: a second or two on a line of 64 kbit/s."""
MAX_FOR_A_PAGE = {SMALL: 6_000, LARGE: 10_000}
MAX_FOR_AN_ARROW = {SMALL: 700, LARGE: 1_500}
"""What a line of 64 kbit/s carries within a tenth of a second; a larger terminal shows more beside a list."""
TO_THE_ADVICE = ("3/8 server", "4/8 workload", "5/8 risk", "6/8 recommendations")

SIZES = pytest.mark.parametrize(
    "size", [SMALL, pytest.param(LARGE, marks=pytest.mark.slow)], ids=["80x24", "120x40"]
)


def cost(session: TerminalSession, *keys: bytes) -> int:
    """Bytes that keys take."""
    before = len(session.received)
    session.press(*keys)
    session.settle()
    return len(session.received) - before


@SIZES
def test_the_first_page_costs_few_bytes(size: tuple[int, int]) -> None:
    with TerminalSession(size=size) as session:
        session.see("Which machine")
        session.settle()
        assert len(session.received) <= MAX_AT_FIRST[size]
        assert cost(session, *[DOWN] * 3) <= 3 * MAX_FOR_AN_ARROW[size]


@SIZES
def test_a_change_of_page_costs_few_bytes(size: tuple[int, int]) -> None:
    with TerminalSession("--demo", "small-vm", size=size) as session:
        session.see("saved")
        session.settle()
        costs = dict[str, int]()
        way = (
            *((ENTER, observed) for observed in TO_THE_ADVICE),
            (RIGHT, "7/8 review"),
            (ENTER, "8/8 write"),
        )
        for key, observation in way:
            before = len(session.received)
            session.press(key)
            session.see(observation)
            session.settle()
            costs[observation] = len(session.received) - before
        assert max(costs.values()) <= MAX_FOR_A_PAGE[size], costs


@SIZES
@pytest.mark.slow
def test_an_arrow_key_costs_few_bytes_in_every_list(size: tuple[int, int]) -> None:
    with TerminalSession("--demo", "small-vm", size=size) as session:
        session.see("saved")
        session.settle()
        costs = {"machine": [cost(session, DOWN) for _ in range(3)]}
        for observation in TO_THE_ADVICE:
            session.press(ENTER)
            session.see(observation)
            session.settle()
            # Back up: enter goes on only from the answer that is chosen.
            costs[observation] = [cost(session, key) for key in (*[DOWN] * 3, *[UP] * 3)]
        assert all(number <= MAX_FOR_AN_ARROW[size] for step in costs.values() for number in step), costs


@pytest.mark.slow
def test_arrow_keys_that_scroll_a_list_or_a_text_cost_few_bytes() -> None:
    with TerminalSession("--demo", "small-vm") as session:
        session.see("saved")
        for observation in TO_THE_ADVICE:
            session.press(ENTER)
            session.see(observation)
        session.settle()
        # On a busy machine a key's second frame may come with the next key: the sum is the same.
        assert cost(session, *[DOWN] * 14) <= 14 * MAX_FOR_AN_ARROW[SMALL]
        session.press(ENTER)
        session.see("1 what")
        assert cost(session, *[DOWN] * 3) <= 3 * MAX_FOR_AN_ARROW[SMALL]


OVER_A_PAGE = {
    "help": (b"?", "What is asked"),
    "commands": (b":", "Commands:"),
    "explanation": (ENTER, "1 what"),
}


@SIZES
@pytest.mark.slow
def test_what_stands_over_a_page_costs_no_more_than_a_page(size: tuple[int, int]) -> None:
    with TerminalSession("--demo", "small-vm", size=size) as session:
        session.see("saved")
        for observation in TO_THE_ADVICE:
            session.press(ENTER)
            session.see(observation)
        session.settle()
        costs = dict[str, list[int]]()
        for name, (key, observation) in OVER_A_PAGE.items():
            opened = cost(session, key)
            session.see(observation)
            costs[name] = [opened, cost(session, DOWN), cost(session, ESCAPE)]
        assert max(max(row) for row in costs.values()) <= MAX_FOR_A_PAGE[size], costs


def test_an_idle_page_sends_nothing_with_a_field_in_focus_too() -> None:
    with TerminalSession("--demo", "small-vm") as session:
        session.see("saved")
        session.press(ENTER, ENTER)
        session.see("4/8 workload")
        session.press(TAB)
        session.settle()
        before = len(session.received)
        session.watch(1.5)
        assert len(session.received) == before


def test_the_mouse_costs_nothing_since_it_is_not_asked_for() -> None:
    with TerminalSession() as session:
        session.see("Which machine")
        session.settle()
        for mode in (9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016):
            assert f"\x1b[?{mode}h".encode() not in session.received

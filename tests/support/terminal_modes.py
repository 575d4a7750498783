"""Which modes a program has left on in the terminal, by what it sent."""

import re

MODE = re.compile(rb"\x1b\[\?([\d;]+)([hl])")
KEYBOARD = re.compile(rb"\x1b\[([<>])\d*u")
VISIBLE_CURSOR, LINE_WRAP = 25, 7
USUALLY_ON = frozenset({VISIBLE_CURSOR, LINE_WRAP})


def left_on(received: bytes) -> frozenset[str]:
    """Modes that are not as they were before the program."""
    on: dict[int, bool] = {}
    for numbers, word in MODE.findall(received):
        on |= {int(number): word == b"h" for number in numbers.split(b";")}
    changed = {number for number, state in on.items() if state != (number in USUALLY_ON)}
    keyboard = sum(1 if way == b">" else -1 for way in KEYBOARD.findall(received))
    return frozenset({*map(str, changed), *(["keyboard protocol"] if keyboard > 0 else [])})

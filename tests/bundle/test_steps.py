"""What the scripts read is data to every shell, whatever it holds."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shells import EVERY_SHELL
from tunewiz.bundle.steps import escaped

BUNDLE = Path(__file__).resolve().parents[2] / "tunewiz" / "bundle" / "scripts"
DECODE = '. "$1/base.sh"; decode "$2"; printf "%s." "$FIELD"'

texts = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=60)


def test_fields_hold_no_byte_that_means_something_to_a_shell() -> None:
    hostile = "".join(map(chr, range(1, 128)))
    assert set(escaped(hostile)) <= set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_.-+:=@%, \\"
    )


def test_a_field_has_neither_bars_nor_line_ends() -> None:
    assert escaped("a|b\nc") == "a\\0174b\\0012c"


def test_a_digit_after_an_escape_stays_a_digit() -> None:
    assert decoded("'7", ("sh",)) == "'7"


@given(texts)
def test_what_is_escaped_comes_back(text: str) -> None:
    assert decoded(text, ("sh",)) == text


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_every_shell_reads_the_same(shell: tuple[str, ...]) -> None:
    for text in ("$(id) `id` \\0101 \\c %s", "'\"\n\n", "-n", "a\tb ", "~ * ?", "é"):
        assert decoded(text, shell) == text


def decoded(text: str, shell: tuple[str, ...]) -> str:
    """The field as a script sees it."""
    done = subprocess.run(
        (*shell, "-c", DECODE, "sh", BUNDLE, escaped(text)), capture_output=True, check=True
    )
    return done.stdout.decode().removesuffix(".")

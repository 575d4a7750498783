"""What is written as TOML comes back as it was, or is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_up import TEXTS
from tunewiz.core.values.errors import InputError
from tunewiz.formats import toml
from tunewiz.formats.toml import NotWritableError

MIXED: dict[str, object] = {}
KEYS = st.text(st.sampled_from("abc_-1"), min_size=1)


@given(st.dictionaries(KEYS, TEXTS | st.integers(-(2**63), 2**63 - 1) | st.booleans() | st.lists(TEXTS)))
def test_what_was_written_comes_back(data: dict[str, object]) -> None:
    assert toml.loads(toml.dumps(data), "test") == data


@pytest.mark.parametrize(
    "text", ["C:\\xdir", "a\\x41", "\\\\x", "nb\u00a0sp", "\x7f", "\x00", "\u2028", "😀"]
)
def test_texts_that_the_library_corrupts_are_written_whole(text: str) -> None:
    assert toml.loads(toml.dumps({"note": text}), "test") == {"note": text}


def test_tables_within_tables_keep_keys_with_dots_apart() -> None:
    data = {"schema": 1, "decisions": {"pg.work_mem": {"set": "24MB"}, "pg": {"accept": True}}}
    assert toml.loads(toml.dumps(data), "test") == data


@pytest.mark.parametrize(
    "data", [{"a": None}, {"a": "\ud800"}, {"a\\x": 1}, {"a": [MIXED, 1]}, {"a": float("nan")}]
)
def test_what_would_not_come_back_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(NotWritableError, match="TOML"):
        toml.dumps(data)


@pytest.mark.parametrize(
    ("text", "place"),
    [("a = \n", "line 1"), ("a = 1\na = 2\n", "line 2"), ("[" * 100_000, "a.toml"), ("= 1", "line 1")],
)
def test_what_is_no_toml_is_told_with_its_file_and_place(text: str, place: str) -> None:
    with pytest.raises(InputError, match=r"a\.toml: not valid TOML") as refused:
        toml.loads(text, "a.toml")
    assert place in str(refused.value)

"""The list of libraries that a server loads: what is there stays, in its order."""

from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.server.preload_libraries import libraries_in, with_libraries

NAMES = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=12)
LISTS = st.lists(NAMES, max_size=5)


@given(LISTS, st.sampled_from((",", ", ", " , ")))
def test_a_list_is_read_as_the_server_reads_it(names: list[str], between: str) -> None:
    assert libraries_in(between.join(names)) == tuple(names)
    assert libraries_in(between.join(f'"{name}"' for name in names)) == tuple(names)
    assert libraries_in(between.join(f"$libdir/{name}.so" for name in names)) == tuple(names)


@given(LISTS, st.lists(NAMES, min_size=1, max_size=2))
def test_names_are_added_behind_what_is_there(names: list[str], added: list[str]) -> None:
    before = ", ".join(names)
    after = with_libraries(before, tuple(added))
    assert libraries_in(after) == (*names, *added)
    assert after.startswith(before)


def test_nothing_is_no_empty_name() -> None:
    assert libraries_in("") == ()
    assert with_libraries("", ("pg_prewarm",)) == "pg_prewarm"
    assert with_libraries("  ", ("pg_prewarm",)) == "pg_prewarm"

"""What `tunewiz watch` keeps is bounded, written by one, and readable after any end."""

import os
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from tunewiz.collect.ring.reading import read_ring
from tunewiz.collect.ring.writing import RingWriter
from tunewiz.core.facts.look import ServerSample
from tunewiz.core.values.errors import InputError, TunewizError
from tunewiz.formats.ring import (
    HEAD,
    LARGEST,
    LATEST,
    MOST_BYTES,
    RingHead,
    head_bytes,
    head_from_bytes,
    slot_bytes,
    slot_from_bytes,
)

FIELDS = ("commits", "wal_position")
NUMBERS = st.dictionaries(st.sampled_from(FIELDS), st.integers(-LARGEST, LARGEST))
LOOKS = st.builds(
    ServerSample,
    run=st.integers(0, LARGEST),
    at=st.integers(0, LATEST),
    passed=st.integers(0, LARGEST),
    numbers=NUMBERS,
)


def head(slots: int = 4, directory: str = "/data", fields: tuple[str, ...] = FIELDS) -> RingHead:
    return RingHead(directory=directory, every=10, slots=slots, fields=fields)


def look(number: int) -> ServerSample:
    return ServerSample(run=1, at=1000 * number, passed=1000 * number, numbers={"commits": number})


def numbers(path: Path) -> list[int]:
    return [sample.numbers["commits"] for sample in read_ring(path).looks]


def write(path: Path, *looks: int, ring: RingHead | None = None) -> None:
    with RingWriter(path, ring or head()) as writer:
        for number in looks:
            writer.append(look(number))


@given(LOOKS, st.integers(0, 2**40))
def test_a_look_reads_back_as_it_was_written(sample: ServerSample, number: int) -> None:
    ring = head()
    slot = slot_bytes(ring, number, sample)
    assert len(slot) == ring.slot
    assert slot_from_bytes(ring, number % ring.slots, slot) == (number, sample)


@given(LOOKS, st.data())
def test_a_slot_of_which_one_byte_is_wrong_is_damaged(sample: ServerSample, data: st.DataObject) -> None:
    ring = head()
    slot = bytearray(slot_bytes(ring, 5, sample))
    place = data.draw(st.integers(0, len(slot) - 1))
    slot[place] ^= data.draw(st.integers(1, 255))
    assert slot_from_bytes(ring, 1, bytes(slot)) is None


@given(st.binary(max_size=200))
def test_any_bytes_with_a_right_checksum_are_a_look_or_damaged(rest: bytes) -> None:
    ring = head()
    line = rest.ljust(ring.slot - 9)[: ring.slot - 9]
    test_any_bytes = slot_from_bytes(ring, 0, b"%08x %s" % (zlib.crc32(line), line))
    assert test_any_bytes is None or test_any_bytes[0] % ring.slots == 0


def test_the_oldest_make_room_for_the_newest_and_the_size_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "ring"
    write(path, *range(10))
    assert numbers(path) == [6, 7, 8, 9]
    assert path.stat().st_size == head().size


def test_another_run_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    path = tmp_path / "ring"
    for index in range(6):
        write(path, index)
    assert numbers(path) == [2, 3, 4, 5]


def test_two_cannot_write_at_once_and_anybody_may_read(tmp_path: Path) -> None:
    path = tmp_path / "ring"
    with RingWriter(path, head()) as writer:
        writer.append(look(1))
        with pytest.raises(TunewizError, match="another `tunewiz watch` is writing it"):
            RingWriter(path, head())
        assert numbers(path) == [1]
    write(path, 2)
    assert numbers(path) == [1, 2]


def test_a_ring_for_another_time_or_with_other_numbers_keeps_what_it_held(tmp_path: Path) -> None:
    path = tmp_path / "ring"
    write(path, 1, 2, 3)
    write(path, 4, ring=head(slots=2))
    assert numbers(path) == [3, 4]
    write(path, 5, ring=head(slots=9, fields=("commits", "temp_bytes", "wal_position")))
    assert numbers(path) == [3, 4, 5]
    assert [path.name for path in tmp_path.iterdir()] == ["ring"]


def test_another_servers_ring_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "ring"
    write(path, 1)
    before = path.read_bytes()
    with pytest.raises(InputError, match="found samples of the server in /data, expected /other"):
        RingWriter(path, head(directory="/other"))
    assert path.read_bytes() == before


DAMAGED = [b"x", b"{}", b"\0" * HEAD, b"[1]".ljust(HEAD - 1) + b"\n", b'{"kind"'.ljust(HEAD - 1) + b"\n"]


@pytest.mark.parametrize("content", DAMAGED)
def test_where_the_program_chose_the_name_a_damaged_file_is_set_aside(tmp_path: Path, content: bytes) -> None:
    path, aside = tmp_path / "ring", tmp_path / "ring.damaged"
    path.write_bytes(content)
    aside.write_bytes(b"of the last time")
    with RingWriter(path, head(), unreadable="set aside") as writer:
        assert writer.set_aside == aside
        writer.append(look(1))
        with pytest.raises(TunewizError, match="another"):
            RingWriter(path, head())
    assert numbers(path) == [1]
    assert aside.read_bytes() == content
    with RingWriter(path, head(), unreadable="set aside") as again:
        assert again.set_aside is None


@pytest.mark.parametrize("content", DAMAGED)
def test_a_file_that_somebody_named_is_never_moved(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ring"
    path.write_bytes(content)
    with pytest.raises(InputError, match=str(path)):
        RingWriter(path, head())
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [content]


def test_what_a_newer_program_or_another_server_keeps_is_never_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "ring"
    newer = b'{"kind": "tunewiz-watch", "schema": 9, "seconds": 10}'.ljust(HEAD - 1) + b"\n"
    for content in (newer, head_bytes(head(directory="/other"))):
        path.write_bytes(content)
        with pytest.raises(InputError, match="expected"):
            RingWriter(path, head(), unreadable="set aside")
        assert [path.read_bytes() for path in tmp_path.iterdir()] == [content]


@pytest.mark.parametrize("content", [b"", b"x", b"{}", b"\0" * HEAD, b"[1]".ljust(HEAD - 1) + b"\n"])
def test_a_file_of_another_kind_is_refused_for_reading(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ring"
    path.write_bytes(content)
    with pytest.raises(InputError, match=str(path)):
        read_ring(path)


@pytest.mark.parametrize(
    "changed", [b'"schema": 1', b'"slots": 4', b'"every": 10', b'"kind": "tunewiz-watch"']
)
def test_a_head_that_cannot_be_is_refused(changed: bytes) -> None:
    name = changed.partition(b":")[0]
    wrong = head_bytes(head()).replace(changed, name + b": -1" if b"kind" not in name else name + b': "x"')
    with pytest.raises(InputError):
        head_from_bytes(wrong.ljust(HEAD)[: HEAD - 1] + b"\n", "ring")


def test_a_newer_schema_says_so() -> None:
    newer = head_bytes(head()).replace(b'"schema": 1', b'"schema": 9')
    with pytest.raises(InputError, match="schema 9, expected tunewiz-watch of schema 1") as refused:
        head_from_bytes(newer, "ring")
    assert "newer tunewiz" in refused.value.hint


def test_links_pipes_and_directories_of_others_are_refused(tmp_path: Path) -> None:
    target = tmp_path / "target"
    write(target, 1)
    (tmp_path / "link").symlink_to(target)
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe"):
        with pytest.raises(TunewizError):
            read_ring(tmp_path / name)
        with pytest.raises(TunewizError):
            RingWriter(tmp_path / name, head())
    everybodys = tmp_path / "everybodys"
    everybodys.mkdir()
    everybodys.chmod(0o777)
    with pytest.raises(InputError, match="others may write there"):
        RingWriter(everybodys / "ring", head())


@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
def test_root_writes_below_no_directory_of_others(tmp_path: Path) -> None:
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    theirs.mkdir()
    (ours / "below").mkdir(parents=True)
    os.chown(theirs, 65_534, 65_534)
    (theirs / "link").symlink_to(ours)
    (theirs / "directory").mkdir()
    for place in ("directory", "directory/new", "new", "link", "link/below"):
        with pytest.raises(InputError, match="theirs: others may write there"):
            RingWriter(theirs / place / "ring", head())
    assert sorted(path.name for path in theirs.iterdir()) == ["directory", "link"]
    tmp_path.chmod(0o1777)
    (tmp_path / "link").symlink_to(ours)
    os.chown(tmp_path / "link", 65_534, 65_534, follow_symlinks=False)
    for place in ("link", "link/below"):
        with pytest.raises(InputError, match="link: others may write there"):
            RingWriter(tmp_path / place / "ring", head())
    assert [path.name for path in ours.rglob("*")] == ["below"]


def test_links_of_ours_lead_to_a_ring(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with RingWriter(tmp_path / "link" / "ring", head()) as writer:
        assert writer.path == tmp_path / "real" / "ring"


def test_no_more_is_read_than_a_bound_whatever_the_head_says(tmp_path: Path) -> None:
    most, place = (MOST_BYTES.count - HEAD) // head().slot, tmp_path / "ring"
    assert head_from_bytes(head_bytes(head(most)), "ring").slots == most
    for slots, actual in ((most + 1, "512 MiB"), (10 * most, "5.0 GiB")):
        place.write_bytes(head_bytes(head(slots)))
        with pytest.raises(InputError, match=f"found {actual} of samples, expected at most 512 MiB"):
            read_ring(place)
        with pytest.raises(InputError, match=f"found {actual} of samples, expected at most 512 MiB"):
            RingWriter(place, head(slots))

"""What the collector wrote comes back as a machine, or is refused in one message that names the line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.collect.collected import read_collection
from tunewiz.collect.everything import read_facts
from tunewiz.collect.system import FileSystemSpace, ReadError
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known

RECORDS = b"""T /.tunewiz/machine
 s390x
T /.tunewiz/page-size
 65536
T /.tunewiz/identity
 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
T /proc/meminfo
 MemTotal:       1024 kB

A /proc/7/cmdline
 postgres
 -D
 /srv/a b
B /srv/pg_control
  de ad be ef
L /dev/mapper/a
 ../dm-0
D /sys/block
E /.dockerenv
N /etc/secret
O /srv
 26 27
S /srv
 100 40
I /srv
 500 20
""".replace(b"kB\n\n", b"kB\n \n")


def whole(records: bytes = RECORDS, header: bytes = b"tunewiz-collection 1\n") -> bytes:
    lines = header + records + b"end\n"
    return lines + str(lines.count(b"\n")).encode() + b"\n"


def refusal(content: bytes) -> str:
    with pytest.raises(InputError) as refused:
        read_collection(content, "c.txt")
    return refused.value.message


def test_every_kind_of_record_is_read() -> None:
    system = read_collection(whole(), "c.txt")
    assert system.read_text("/proc/meminfo") == "MemTotal:       1024 kB\n\n"
    assert system.read_bytes("/proc/7/cmdline") == b"postgres\0-D\0/srv/a b\0"
    assert system.read_bytes("/srv/pg_control") == b"\xde\xad\xbe\xef"
    assert system.readlink("/dev/mapper/a") == "../dm-0"
    assert system.listdir("/sys/block") == ()
    assert system.exists("/.dockerenv")
    assert (system.stat("/srv").uid, system.stat("/srv").gid) == (26, 27)
    assert system.space("/srv") == FileSystemSpace(total=102400, free=40960, inodes=(500, 20))
    assert system.page_size() == 65536
    assert system.uname().machine == Known("s390x", "uname -m")
    assert not system.live


def test_the_identity_is_the_hash_that_was_made_on_the_server() -> None:
    identity = read_facts(read_collection(whole(), "c.txt")).host.identity
    assert identity == Known("0123456789abcdef" * 4, "/.tunewiz/identity")


@pytest.mark.parametrize(
    ("path", "reason"), [("/etc/secret", "denied"), ("/.dockerenv", "failed"), ("/x", "missing")]
)
def test_what_was_not_taken_says_why(path: str, reason: str) -> None:
    with pytest.raises(ReadError) as error:
        read_collection(whole(), "c.txt").read_bytes(path)
    assert error.value.reason == reason


def test_a_directory_that_might_not_be_listed_is_denied() -> None:
    with pytest.raises(ReadError) as error:
        read_collection(whole(), "c.txt").listdir("/etc/secret")
    assert error.value.reason == "denied"


@pytest.mark.parametrize("path", ["/proc/7", "/dev"])
def test_what_was_not_asked_for_is_unknown(path: str) -> None:
    system = read_collection(whole(), "c.txt")
    with pytest.raises(ReadError):
        system.stat(path)
    with pytest.raises(ReadError):
        system.space(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "c.txt: line 1: found nothing, expected tunewiz-collection 1"),
        (b"{}\n", "c.txt: line 1: found '{}', expected tunewiz-collection 1"),
        (
            whole(header=b"tunewiz-collection 2\n"),
            "c.txt: line 1: found 'tunewiz-collection 2', expected tunewiz-",
        ),
        (
            whole().replace(b"\n", b"\r\n"),
            "c.txt: line 1: found a carriage return, expected lines as Linux ends",
        ),
        (whole()[:60], "c.txt: line 4: found 'T /.tunewiz/', expected `end` and a number: it was cut off"),
        (
            b"tunewiz-collection 1\n",
            "c.txt: line 1: found 'tunewiz-collection 1', expected `end` and a number",
        ),
        (whole().replace(b"E /.dockerenv\n", b""), "c.txt: line 28: found 27 lines before it, expected 28"),
        (
            whole(b"x\n"),
            "c.txt: line 2: found 'x', expected a path after one of T, A, B, L, D, E, N, O, S, I",
        ),
        (whole(b" x\n"), "c.txt: line 2: found ' x', expected a path after one of"),
        (whole(b"X /x\n"), "c.txt: line 2: found 'X /x', expected a path after one of"),
        (whole(b"T x\n"), "c.txt: line 2: found 'T x', expected a path after one of"),
        (whole(b"\xff\x00\n"), "c.txt: line 2: found '\\\\xff\\x00', expected a path after one of"),
        (whole(b"D /\nB /x\n zz\n"), "c.txt: line 3: found 'zz', expected bytes in hexadecimal"),
        (whole(b"L /x\n"), "c.txt: line 2: found 0 lines, expected one with the target of a link"),
        (whole(b"O /x\n a b\n"), "c.txt: line 2: found 'a b', expected user and group as numbers"),
        (whole(b"I /x\n 5 -\n"), "c.txt: line 2: found '5 -', expected inodes and free ones as numbers"),
        (whole(b"S /x\n 1\n"), "c.txt: line 2: found '1', expected size and free space as numbers"),
    ],
)
def test_what_is_no_collection_is_refused_with_its_line(content: bytes, message: str) -> None:
    assert refusal(content).startswith(message)


@given(st.integers(0, len(whole()) - 2))
def test_wherever_it_is_cut_it_is_refused(length: int) -> None:
    assert refusal(whole()[:length]).startswith("c.txt: line ")


@given(st.integers(0, len(whole()) - 1), st.binary(min_size=1, max_size=3))
def test_noise_is_refused_in_one_message_or_stays_inside_a_record(place: int, noise: bytes) -> None:
    text = outcome(whole()[:place] + noise + whole()[place + len(noise) :])
    assert text == "read" or (text.startswith("c.txt: line ") and "\n" not in text)


def outcome(content: bytes) -> str:
    """That facts came of it, or the message."""
    try:
        read_facts(read_collection(content, "c.txt"))
    except InputError as error:
        return error.message
    return "read"

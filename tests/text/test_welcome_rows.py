"""The first page: what is there is offered in four groups, and nothing that is not there."""

from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.facts.server_here import ServerHere
from tunewiz.core.values.units import Bytes
from tunewiz.text.welcome import Offer, welcome_rows

EXAMPLES = {"nvme-server": "256 GiB, local NVMe", "z13-lpar": "IBM Z"}
RUNNING = ServerHere(
    version="15.18",
    port="5432",
    directory="/var/lib/postgresql/15/main",
    size=Bytes(346030080),
    is_running=True,
)
STOPPED = ServerHere(version="16", port="5433", directory="/srv/pg16", size=None, is_running=False)
WIDE = 79


def shown(offer: Offer) -> str:
    return "\n".join(row.text.plain for row in welcome_rows(offer))


def keys(offer: Offer) -> list[str]:
    return [row.key for row in welcome_rows(offer)]


def test_examples_are_folded_until_they_are_wanted() -> None:
    assert keys(Offer(examples=EXAMPLES)) == ["host", "file", "fleet", "examples"]
    unfolded = Offer(examples=EXAMPLES, unfolded=True)
    assert keys(unfolded)[-2:] == ["example nvme-server", "example z13-lpar"]
    assert "2 example machines" in shown(Offer(examples=EXAMPLES))


def test_a_server_says_version_port_directory_size_and_state() -> None:
    text = shown(Offer(examples=EXAMPLES, servers=(RUNNING, STOPPED)))
    first, second = (line for line in text.splitlines() if ":54" in line)
    assert first.split() == ["15.18", ":5432", RUNNING.directory, "330", "MiB", "running"]
    assert second.split() == ["16", ":5433", STOPPED.directory, "stopped"]


def test_what_continues_says_what_it_is() -> None:
    text = shown(Offer(examples=EXAMPLES, saved="db1 · recommendations · 13 changes · 12 min ago"))
    assert text.startswith("Continue    db1 · recommendations · 13 changes · 12 min ago")
    assert "Continue    with db1" in shown(Offer(examples=EXAMPLES, saved="other", begun="db1"))
    assert "Continue" not in shown(Offer(examples=EXAMPLES))


def test_a_server_in_a_container_cannot_be_chosen_from_outside() -> None:
    inside = ServerHere(version="", port="", directory="", size=None, is_running=True)
    assert keys(Offer(examples=EXAMPLES, servers=(inside,)))[:2] == ["host", ""]


@given(st.text(min_size=1, max_size=60))
def test_a_row_of_a_server_fits_whatever_its_directory_is_called(directory: str) -> None:
    server = ServerHere(
        version="15.18", port="65432", directory=directory, size=Bytes(10**12), is_running=False
    )
    row = welcome_rows(Offer(examples=EXAMPLES, servers=(server,)))[1]
    assert "\x1b" not in row.text.plain
    assert len(row.text.plain) <= WIDE
    assert row.text.plain.endswith("stopped")

"""What the connection options refuse before anything is read."""

import os

import pytest

from command_line import tunewiz
from tunewiz.commands.connection import VARIABLES, hand_to_libpq
from tunewiz.commands.connection_options import CONNECTION
from tunewiz.commands.options import parse
from tunewiz.core.values.errors import UsageError


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("plan", "--host", "192.0.2.7"), "--host: found '192.0.2.7', another machine (192.0.2.7), expected"),
        (("plan", "--host", "::ffff:192.0.2.7"), "another machine"),
        (
            ("facts", "--host", "no..where"),
            "--host: found 'no..where', which has no address here",
        ),
        (("bundle", "--answers", "a", "-o", "b", "--host", "/run/pg,192.0.2.7"), "found '192.0.2.7'"),
        (
            ("plan", "--service", "main", "--port", "5433"),
            "--service: found --port beside it, expected it alone",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(arguments: tuple[str, ...], message: str) -> None:
    ended = tunewiz(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.one_message


def test_the_refusal_of_another_machine_names_the_collector() -> None:
    assert "`tunewiz facts --collector`" in tunewiz("plan", "--host", "192.0.2.7").err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("plan", "--port", "0"), "--port: found '0', expected 1 to 65535"),
        (("plan", "--port", "65536"), "--port: found '65536', expected"),
        (("plan", "--port", "main"), "--port: found 'main', expected"),
        (("plan", "--demo", "z13-lpar", "--port", "5432"), "--port: not allowed with --demo"),
        (("facts", "--root", "/", "--host", "/run/pg"), "--host: not allowed with --root"),
        (("facts", "--from", "x", "--user", "me"), "--username: not allowed with --from"),
        (("facts", "--collector", "--dbname", "me"), "--dbname: not allowed with --collector"),
        (("--facts", "x", "--service", "main"), "--service: not allowed with --facts"),
        (("--port", "5432", "plan"), "--port before `plan` is an option of the wizard"),
        (("plan", "--password", "secret"), "unrecognized arguments: --password"),
    ],
)
def test_wrong_usage_is_told_by_its_option(arguments: tuple[str, ...], message: str) -> None:
    ended = tunewiz(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err


@pytest.fixture(name="variables")
def _variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that names another server; whatever the test sets is gone after it."""
    for name in VARIABLES.values():
        monkeypatch.setenv(name, "other")
    monkeypatch.setenv("PGHOSTADDR", "192.0.2.7")


@pytest.mark.usefixtures("variables")
def test_what_was_typed_goes_to_libpq_and_what_would_win_over_it_goes_away() -> None:
    hand_to_libpq(parse(["plan", "--host", "/run/pg", "--port", "5433"]))
    assert (os.environ["PGHOST"], os.environ["PGPORT"]) == ("/run/pg", "5433")
    assert (os.environ["PGDATABASE"], os.environ["PGUSER"]) == ("other", "other")
    assert not {"PGHOSTADDR", "PGSERVICE"} & os.environ.keys()


@pytest.mark.usefixtures("variables")
def test_a_role_alone_leaves_the_place_alone() -> None:
    hand_to_libpq(parse(["--user", "me"]))
    assert (os.environ["PGUSER"], os.environ["PGHOST"], os.environ["PGSERVICE"]) == ("me", "other", "other")


@pytest.mark.usefixtures("variables")
@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "/var/run/postgresql", "@abstract", "127.0.0.1,/run/pg"]
)
def test_this_host_is_known_by_its_addresses(host: str) -> None:
    hand_to_libpq(parse(["plan", "--host", host]))
    assert os.environ["PGHOST"] == host


@pytest.mark.usefixtures("variables")
def test_nothing_is_set_when_another_machine_is_refused() -> None:
    with pytest.raises(UsageError):
        hand_to_libpq(parse(["plan", "--host", "192.0.2.7", "--user", "me"]))
    assert os.environ["PGUSER"] == "other"


def test_every_option_has_its_variable() -> None:
    assert set(VARIABLES) == set(CONNECTION)

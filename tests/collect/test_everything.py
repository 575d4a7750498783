"""The limits of a machine are those of the one server that runs on it."""

from recorded_machines import machine
from tunewiz.collect.everything import only_process
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.known import Absent, Known, Unknown

UNREAD = Unknown("not asked")


def server(directory: str, *, running: bool = True) -> PostgresServer:
    return PostgresServer(
        version=UNREAD,
        major=UNREAD,
        data_directory=Known(directory, "test"),
        config_file=UNREAD,
        port=UNREAD,
        running=running,
        owner="source",
        os_user=UNREAD,
        role=UNREAD,
        system_identifier=UNREAD,
        socket_directory=Absent("test"),
        include_directory=Absent("test"),
        shared_memory_pages=UNREAD,
        settings=UNREAD,
        activity=UNREAD,
    )


def pid_file(pid: int) -> str:
    return f"{pid}\n/pg\n1700000000\n5432\n/run\nlocalhost\n"


def test_the_one_running_server_is_asked_for_its_limits() -> None:
    system = machine({"pg/postmaster.pid": pid_file(77)})
    assert only_process(system, (server("/pg"), server("/old", running=False))) == (77,)


def test_of_several_servers_none_speaks_for_all() -> None:
    system = machine({"a/postmaster.pid": pid_file(77), "b/postmaster.pid": pid_file(78)})
    assert only_process(system, (server("/a"), server("/b"))) == ()


def test_a_server_that_does_not_tell_its_process_is_passed_by() -> None:
    assert only_process(machine({}), (server("/pg"),)) == ()
    assert only_process(machine({}), ()) == ()

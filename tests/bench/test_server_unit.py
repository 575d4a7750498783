"""Which service is started where the server is down: none that its owner has only named."""

import pytest

from tunewiz.bench.starting import unit_of

RUNS = {
    "postgresql@15-main.service": "/system.slice/system-postgresql.slice/postgresql@15-main.service",
    "patroni.service": "/system.slice/patroni.service",
    "user@112.service": "/user.slice/user-112.slice/user@112.service",
}
LOGIN = "/user.slice/user-112.slice/user@112.service"


def control_group(unit: str) -> str:
    return RUNS.get(unit, "")


@pytest.mark.parametrize("unit", RUNS)
def test_the_service_that_has_the_process_is_found(unit: str) -> None:
    assert unit_of(f"0::{RUNS[unit]}\n", control_group) == unit
    assert unit_of(f"4:memory:/\n1:name=systemd:{RUNS[unit]}\n", control_group) == unit


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/user.slice/user-112.slice/session-3.scope",
        f"{LOGIN}/app.slice/debug-shell.service",
        f"{LOGIN}/patroni.service",
        f"{LOGIN}/system.slice/patroni.service",
        f"{LOGIN}/--root=there.service",
        f"{LOGIN}/.service",
    ],
)
def test_a_group_that_is_only_called_like_a_service_is_none(path: str) -> None:
    assert unit_of(f"0::{path}\n", control_group) == ""

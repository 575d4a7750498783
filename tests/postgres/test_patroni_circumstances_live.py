"""A bundle on clusters of Patroni's as they are kept: synchronous, tagged, with slots, TLS, paused."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import pytest
from test_patroni_live import AFTER, BEFORE, bundle, shown

from fixtures_patroni import PatroniCluster
from patroni_members import await_members, configuration, patroni_members, undo
from real_postgres import Programs

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("patroni")]

MEMBERS = 2


def with_password(text: str, _: PatroniCluster) -> str:
    """The REST API asks for a name and a password."""
    return text.replace("restapi: {", 'restapi: {authentication: {username: keeper, password: "se:cret"}, ')


def with_certificate(text: str, cluster: PatroniCluster) -> str:
    """The REST API speaks TLS, by a certificate that it has signed itself."""
    files = cluster.directory / "api.crt", cluster.directory / "api.key"
    if not files[0].exists():
        cluster.run(
            *(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-subj",
                "/CN=127.0.0.1",
                "-days",
                "2",
            ),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-out", files[0], "-keyout", files[1]),
        )
    api = f'restapi: {{certfile: "{files[0]}", keyfile: "{files[1]}", '
    return f'{text.replace("restapi: {", api)}ctl: {{cacert: "{files[0]}"}}\n'


def tagged(text: str, _: PatroniCluster) -> str:
    """Nobody balances load on the members, nor clones from them."""
    return f"{text}tags: {{noloadbalance: true, clonefrom: false}}\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Circumstances:
    """How a cluster differs from a plain one."""

    change: Callable[[str, PatroniCluster], str] = lambda text, _: text
    commands: tuple[tuple[str, ...], ...] = ()
    """Of patronictl, before."""
    kept: Mapping[str, str] = field(default_factory=dict[str, str])
    """What its configuration has besides, and keeps."""


EDIT = ("edit-config", "--force")
KEPT_AS_THEY_ARE: Mapping[str, Circumstances] = MappingProxyType(
    {
        "a password": Circumstances(change=with_password),
        "TLS": Circumstances(change=with_certificate),
        "tags": Circumstances(change=tagged),
        "synchronous": Circumstances(
            commands=((*EDIT, "-s", "synchronous_mode=true"),), kept={"synchronous_mode": "True"}
        ),
        "slots": Circumstances(
            commands=((*EDIT, "-s", "slots.backup.type=physical"),),
            kept={"slots": "{'backup': {'type': 'physical'}}"},
        ),
    }
)


@pytest.mark.parametrize("name", KEPT_AS_THEY_ARE)
def test_a_cluster_is_changed_and_put_back_and_keeps_what_is_its_own(
    name: str, postgres_programs: Programs, next_port: Callable[[], int], tmp_path: Path
) -> None:
    circumstances = KEPT_AS_THEY_ARE[name]
    with patroni_members(postgres_programs, next_port, MEMBERS, circumstances.change) as (cluster, _):
        for command in circumstances.commands:
            cluster.control(*command)
        await_members(cluster)
        made, before, leader = bundle(tmp_path / "b"), configuration(cluster), cluster.leader()
        assert {key: str(before.get(key)) for key in circumstances.kept} == circumstances.kept

        applied = cluster.script(made / "apply.sh")
        assert applied.status == 0, applied.said
        assert (shown(cluster), cluster.leader()) == ([AFTER] * MEMBERS, leader)
        kept = {key: str(configuration(cluster).get(key)) for key in circumstances.kept}
        assert kept == circumstances.kept
        assert cluster.script(made / "verify.sh").status == 0

        undone = undo(cluster, made, before)
        assert undone.status == 0, undone.said
        assert (shown(cluster), cluster.leader()) == ([BEFORE] * MEMBERS, leader)


def test_a_standby_with_a_smaller_limit_of_its_own_is_named_and_nothing_is_changed(
    postgres_programs: Programs, next_port: Callable[[], int], tmp_path: Path
) -> None:
    def small_sorts(text: str, _: PatroniCluster) -> str:
        own = "  parameters: {work_mem: 3MB, unix_socket_directories:"
        return text.replace("  parameters: {unix_socket_directories:", own) if "name: pg2" in text else text

    with patroni_members(postgres_programs, next_port, MEMBERS, small_sorts) as (cluster, _):
        before = configuration(cluster)
        refused = cluster.script(bundle(tmp_path / "b") / "apply.sh")
        assert refused.status == 4, refused.said
        assert "work_mem on pg2: 4MB when planned, found 3MB" in refused.err, refused.said
        assert configuration(cluster) == before


def test_a_paused_cluster_and_one_without_patronictl_are_left_alone_with_the_reason(
    postgres_programs: Programs, next_port: Callable[[], int], tmp_path: Path
) -> None:
    with patroni_members(postgres_programs, next_port, MEMBERS) as (cluster, _):
        made, before = bundle(tmp_path / "b"), configuration(cluster)
        real = cluster.patronictl.rename(cluster.patronictl.with_name("elsewhere"))
        missing = cluster.script(made / "apply.sh")
        real.rename(cluster.patronictl)
        assert (missing.status, "patronictl was not found" in missing.err) == (4, True), missing.said

        cluster.control("pause", "--wait")
        paused = cluster.script(made / "apply.sh")
        assert (paused.status, "maintenance mode (patronictl resume" in paused.err) == (4, True), paused.said
        cluster.control("resume", "--wait")
        assert {**configuration(cluster), "pause": None} == {**before, "pause": None}
        assert shown(cluster) == [BEFORE] * MEMBERS

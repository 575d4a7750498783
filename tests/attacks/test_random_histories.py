"""Whatever happens in whatever order, what the scripts say is so, and one rollback later all is as before."""

import os
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, get_args

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from faulty_calls import cannot_trace
from fixtures_postgres import MakeCluster
from history_bundles import HistoryBundle, Name, Way, make_history_bundle
from history_machine import BASE, LETS_NONE_IN, HistoryMachine
from history_scripts import Cut
from history_steps import History
from history_truth import ACCESS, AUTO, CONFIG, DROP_IN, LATER, SITE, SWAPPINESS, SYSCTL_FILE, auto_line

STEPS: Final = 6
"""Of a history, the choice of a way among them; a last one takes everything back."""
SHARDS: Final = 20
HISTORIES_A_SHARD: Final = 15
A_FEW: Final = 3
AT_LEAST: Final = 300
"""Histories in CI, over all shards."""
SECONDS_A_SHARD: Final = 1200
"""Far more than it takes on a machine that has nothing else to do."""

WAYS: Final[tuple[Way, ...]] = ("drop-in", "ALTER SYSTEM")
NAMES: Final[tuple[Name, ...]] = ("first", "upon", "apart")
Opening = Literal["nothing", "applied", "waits for a restart", "is waiting for confirmation", "killed"]
OPENINGS: Final[tuple[Opening, ...]] = get_args(Opening)
BROKEN: Final = "no_such_setting = 1\n"

names = st.sampled_from(("first", "first", "first", "first", "upon", "apart"))
"""Most often the one that changes the most."""
moments = st.integers(30, 300)
"""Where a script's work begins and ends, in processes that its shell has made."""
cuts = st.none() | st.builds(Cut, signal=st.sampled_from(("KILL", "KILL", "TERM")), at=moments)
no_restart = st.sampled_from(((), (), ("--no-restart",)))
others_settings = st.sampled_from(
    (
        ("work_mem", "9MB"),
        ("shared_buffers", "3MB"),
        ("random_page_cost", "2"),
        ("max_connections", "12"),
        ("maintenance_work_mem", "20MB"),
        ("shared_preload_libraries", "no_such_library"),
    )
)
lines = others_settings.map(lambda given: f"{given[0]} = '{given[1]}'") | st.just(
    "# as agreed with the application team"
)


class Histories(RuleBasedStateMachine):
    """What may happen, in any order."""

    machine: HistoryMachine
    made: dict[Way, dict[Name, HistoryBundle]]
    kept: list[History]
    """Histories that came to their end with every rule kept."""

    def __init__(self) -> None:
        super().__init__()
        self.history = History(self.machine, self.made["drop-in"])

    @initialize(way=st.sampled_from(WAYS), opening=st.sampled_from(OPENINGS), at=moments)
    def begin(self, way: Way, opening: Opening, at: int) -> None:
        """Where the settings go; and most histories begin with what there is to take back."""
        if way == "ALTER SYSTEM":
            self.history.use(self.made[way])
        match opening:
            case "applied":
                self.history.apply("first")
            case "waits for a restart":
                self.history.apply("first", "--no-restart")
            case "is waiting for confirmation":
                self.history.apply("first", within=True)
            case "killed":
                self.history.apply("first", cut=Cut(signal="KILL", at=at))
            case "nothing":
                pass

    def teardown(self) -> None:
        """One rollback later; where nothing has come about, a look at least."""
        if not self.history.told:
            self.history.run("verify", "first")
        self.history.settle()
        if not self.history.is_over:
            self.kept.append(self.history)

    # The bundle's scripts.

    @rule(name=names, options=no_restart, within=st.booleans(), cut=cuts)
    def apply(self, name: Name, options: tuple[str, ...], within: bool, cut: Cut | None) -> None:  # noqa: FBT001
        """Puts a bundle in force."""
        self.history.apply(name, *options, within=within, cut=cut)

    @rule(name=names, options=no_restart, cut=cuts)
    def rollback(self, name: Name, options: tuple[str, ...], cut: Cut | None) -> None:
        """Takes it back."""
        self.history.run("rollback", name, *options, cut=cut)

    @rule(name=names, confirming=st.booleans())
    def look(self, name: Name, confirming: bool) -> None:  # noqa: FBT001
        """Verify; or confirm, where something waits for it."""
        self.history.run("confirm" if confirming and self.history.someone_waits else "verify", name)

    @rule(name=names, options=no_restart)
    def wait(self, name: Name, options: tuple[str, ...]) -> None:
        """Nobody confirms; where nothing waits for that, something is made to."""
        if not self.history.someone_waits:
            self.history.apply(name, *options, within=True)
        else:
            self.history.expire()

    # Others, by the server.

    @rule(given=others_settings, resets=st.booleans(), reload=st.booleans())
    def alter_system(self, given: tuple[str, str], resets: bool, reload: bool) -> None:  # noqa: FBT001
        """In ALTER SYSTEM's file, of our settings or theirs."""
        name, value = given
        if resets and auto_line(self.history.now, name) is not None:
            self._set_by_server(f"ALTER SYSTEM RESET {name}", reload=reload)
        else:
            self._set_by_server(f"ALTER SYSTEM SET {name} = '{value}'", reload=reload)

    def _set_by_server(self, sql: str, *, reload: bool) -> None:
        def change() -> None:
            self.machine.ask(sql)
            self._reload_if(wanted=reload)

        if self.history.now.up:
            self.history.others(f"{sql}{', reload' if reload else ''}", change)

    @rule(whose=st.sampled_from(("ROLE {user}", "DATABASE postgres", "ROLE {user} IN DATABASE postgres")))
    def give_settings_to_who_asks(self, whose: str) -> None:
        """What the role that the scripts ask as has in its own sessions."""
        who = whose.format(user=self.machine.cluster.os_user)

        def change() -> None:
            self.machine.script_user_has_settings = True
            self.machine.ask(f"ALTER {who} SET work_mem = '7MB'")

        if self.history.now.up:
            self.history.others(f"ALTER {who} SET work_mem", change)

    # Others, in files.

    @rule(path=st.sampled_from((CONFIG, SITE, LATER, AUTO)), line=lines, reload=st.booleans())
    def edit(self, path: str, line: str, reload: bool) -> None:  # noqa: FBT001
        """In a file of the server's configuration."""
        self._edit(path, f"{line}\n", reload=reload)

    @rule(
        what=st.sampled_from((DROP_IN, SYSCTL_FILE, SWAPPINESS, SWAPPINESS)),
        change=st.sampled_from(("add", "remove")),
    )
    def touch_ours(self, what: str, change: Literal["add", "remove"]) -> None:
        """What a bundle has put in place."""
        file = self.machine.root.path(what)
        if what == SWAPPINESS:
            value = "77" if change == "add" else "60"
            self.history.others(f"swappiness {value}", lambda: self.machine.write(SWAPPINESS, f"{value}\n"))
        elif file.exists() and change == "add":
            self._edit(what, "# by hand\n", reload=False)
        elif file.exists():
            self.history.others(f"rm {what}", file.unlink)

    @rule(how=st.sampled_from(("files", "connections")))
    def break_something(self, how: Literal["files", "connections"]) -> None:
        """What is broken already is put right."""
        if self.history.is_broken:
            self.history.put_right()
        elif how == "files":
            self._edit(CONFIG, BROKEN, reload=False)
        else:
            self.history.others("let nobody in", self._let_nobody_in)

    def _let_nobody_in(self) -> None:
        self.machine.write(ACCESS, LETS_NONE_IN)
        self.history.model.locked_out = True
        self._reload_if(wanted=True)

    def _edit(self, path: str, line: str, *, reload: bool) -> None:
        def change() -> None:
            self.machine.append(path, line)
            self._reload_if(wanted=reload)

        self.history.others(f"add {line.strip()} to {path}{', reload' if reload else ''}", change)

    def _reload_if(self, *, wanted: bool) -> None:
        if wanted and self.history.now.up and self.machine.truth().configured is not None:
            self.machine.reload()

    # Others, with the server as a whole.

    @rule(how=st.sampled_from(("restart", "stop", "crash")))
    def end(self, how: Literal["restart", "stop", "crash"]) -> None:
        """A server that is down is started."""
        machine = self.machine
        deeds = {"restart": machine.restart, "stop": machine.stop, "crash": machine.crash}
        if self.history.now.up and (how != "restart" or self.history.can_start):
            self.history.others(f"{how} the server", deeds[how])
        elif not self.history.now.up and self.history.can_start:
            self.history.others("start the server", machine.start)


@pytest.fixture
def histories(make_cluster: MakeCluster) -> Iterator[type[Histories]]:
    """The rules, on a machine of this test's own."""
    if cannot_trace():
        pytest.skip(cannot_trace())
    with _own_directory() as beside:
        cluster = make_cluster(settings=BASE)
        made = {
            way: {name: make_history_bundle(cluster, beside, name, way) for name in NAMES} for way in WAYS
        }
        machine = HistoryMachine(cluster, beside)
        yield type("Histories", (Histories,), {"machine": machine, "made": made, "kept": []})
        machine.close()


@contextmanager
def _own_directory() -> Generator[Path]:
    with tempfile.TemporaryDirectory(prefix="tunewiz-histories-") as name:
        yield Path(name)


def run(histories: type[Histories], number: int, shard: int) -> None:
    """So many histories, to their end; the same in every run of CI."""
    if os.environ.get("CI"):
        seed(shard)(histories)
    run_state_machine_as_test(
        histories,
        settings=settings(
            max_examples=number,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            phases=(Phase.generate,),
            suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
        ),
    )
    assert len(histories.kept) >= number, "fewer histories were drawn than were asked for"


@pytest.mark.timeout(SECONDS_A_SHARD)
def test_a_few_histories_keep_every_rule(histories: type[Histories]) -> None:
    run(histories, A_FEW, SHARDS)


def test_ci_runs_no_fewer_histories_than_promised() -> None:
    assert SHARDS * HISTORIES_A_SHARD >= AT_LEAST


@pytest.mark.slow
@pytest.mark.timeout(SECONDS_A_SHARD)
@pytest.mark.parametrize("shard", range(SHARDS))
def test_random_histories_keep_every_rule(histories: type[Histories], shard: int) -> None:
    run(histories, HISTORIES_A_SHARD, shard)

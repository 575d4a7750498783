"""When a server is called unhealthy: the rule on made-up samples, in the shells that a system may have."""

import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from test_numbers import HOSTILE

from shells import EVERY_SHELL

SCRIPTS = Path(__file__).resolve().parents[2] / "tunewiz" / "bundle" / "scripts"
SPANS = 12
PRELUDE = """
. "$1/base.sh"; . "$1/guard_rule.sh"; . "$1/guard_samples.sh"
GUARD_RESTARTED=$3
GUARD_SAMPLES=$4
guard_judge "$2"
printf '%s\\n' "$JUDGED"
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Load:
    """What a server does in one interval of five seconds."""

    transactions: float = 5000
    milliseconds: float = 1.0
    rollbacks: float = 10
    deadlocks: float = 0
    reads: float = 2000
    sessions: float = 4
    pressure: float = 0.5
    swapped_out: float = 0
    killed: float = 0
    killed_in_group: float = 0
    standbys: int = 1


class Counters:
    """The counters of a server, as samples of them."""

    def __init__(self) -> None:
        self.clock = 100_000
        self.lines: list[str] = []
        self.sums: dict[str, int] = dict.fromkeys(
            ("commits", "rollbacks", "deadlocks", "reads", "us", "out", "oom", "group"), 0
        )

    def sample(self, side: str, load: Load) -> None:
        """A line."""
        sums = self.sums
        values = (
            self.clock, sums["commits"], sums["rollbacks"], sums["deadlocks"], 0, sums["reads"], sums["us"],
            sums["commits"] + sums["rollbacks"], 0, 3, load.standbys, round(load.sessions), 0, 0,
            0, sums["out"], sums["oom"], sums["group"], 8_000_000, 0, round(load.pressure * 100), 0, 0,
        )  # fmt: skip
        self.lines.append(" ".join((side, *map(str, values))))

    def work(self, load: Load) -> None:
        """Five seconds."""
        done = max(0, load.transactions)
        for name, more in (
            ("commits", done),
            ("rollbacks", load.rollbacks),
            ("deadlocks", load.deadlocks),
            ("reads", load.reads),
            ("us", done * load.milliseconds * 1000),
            ("out", load.swapped_out),
            ("oom", load.killed),
            ("group", load.killed_in_group),
        ):
            self.sums[name] += round(more)
        self.clock += 500


def samples(before: list[Load], after: list[Load]) -> str:
    """Of a baseline and a window."""
    counters = Counters()
    for side, loads in (("b", before), ("w", after)):
        counters.sample(side, loads[0])
        for load in loads:
            counters.work(load)
            counters.sample(side, load)
    return "\n".join(counters.lines) + "\n"


def judged(
    text: str, *, look: str = "last", restarted: int = 0, shell: tuple[str, ...] = ("sh",)
) -> list[str]:
    """What the rule prints."""
    ran = subprocess.run(
        (*shell, "-c", PRELUDE, "sh", SCRIPTS, look, str(restarted), text),
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.splitlines()


ALL = """
. "$1/base.sh"; . "$1/guard_rule.sh"; . "$1/guard_samples.sh"
GUARD_RESTARTED=0
shift
for GUARD_SAMPLES in "$@"; do guard_judge last; printf '%s\\n' "${JUDGED##*"$NL"}"; done
"""


def ends(texts: list[str]) -> list[str]:
    """The verdict on each."""
    ran = subprocess.run(
        ("sh", "-c", ALL, "sh", SCRIPTS, *texts), capture_output=True, check=True, text=True, timeout=60
    )
    return [line.split()[0] for line in ran.stdout.splitlines()]


def verdict(before: Load, after: Load, *, spans: int = 2 * SPANS, restarted: int = 0) -> str:
    """The last line of a window in which nothing varies."""
    return judged(samples([before] * SPANS, [after] * spans), restarted=restarted)[-1]


USUAL = Load()

WORSE = {
    "time per transaction": replace(USUAL, milliseconds=2.2),
    "transactions": replace(USUAL, transactions=2000),
    "rollbacks": replace(USUAL, rollbacks=1500),
    "deadlocks": replace(USUAL, deadlocks=2),
    "time lost for want of memory": replace(USUAL, pressure=45),
}
"""What is judged, each made worse alone."""


@pytest.mark.parametrize("measure", WORSE)
def test_what_is_judged_and_became_twice_as_bad_is_unhealthy(measure: str) -> None:
    assert verdict(USUAL, WORSE[measure]).startswith(f"unhealthy {measure}")


NOT_WORSE = {
    "a little slower": replace(USUAL, milliseconds=1.7),
    "faster": replace(USUAL, milliseconds=0.3, transactions=15000),
    "a little less done": replace(USUAL, transactions=3000),
    "some rollbacks": replace(USUAL, rollbacks=150),
    "more reads alone": replace(USUAL, reads=9000),
    "some pressure": replace(USUAL, pressure=15),
}


@pytest.mark.parametrize("change", NOT_WORSE)
def test_what_is_not_twice_as_bad_is_healthy(change: str) -> None:
    assert verdict(USUAL, NOT_WORSE[change]) == "healthy"


def test_less_work_that_was_asked_for_by_fewer_sessions_is_undecided() -> None:
    said = verdict(USUAL, replace(USUAL, transactions=1500, sessions=1))
    assert said.startswith("undecided transactions 1002/s -> 302/s")
    assert "less may be asked of it" in said


def test_less_work_of_a_server_that_waits_for_its_clients_is_undecided() -> None:
    quiet = replace(USUAL, transactions=125, rollbacks=0, sessions=0)
    said = verdict(quiet, replace(quiet, transactions=48))
    assert said.startswith("undecided transactions 25.0/s -> 9.60/s")
    assert said.endswith("with hardly a session at work: less may be asked of it")


def test_less_work_of_a_single_session_that_is_nearly_always_at_work_is_unhealthy() -> None:
    alone = replace(USUAL, sessions=1)
    after = [replace(alone, transactions=1500, sessions=min(1, number % 6)) for number in range(2 * SPANS)]
    assert judged(samples([alone] * SPANS, after))[-1].startswith("unhealthy transactions")


def test_a_quiet_server_of_which_less_is_asked_is_never_reverted() -> None:
    def quieter(load: Load) -> Load:
        return replace(load, transactions=load.transactions / 3)

    texts = [drawn(seed, quieter).splitlines() for seed in range(40)]
    quiet = [
        "\n".join(" ".join((*line.split()[:12], "0", *line.split()[13:])) for line in text) for text in texts
    ]
    assert "unhealthy" not in ends([f"{text}\n" for text in quiet])


def test_a_restarted_server_that_reads_more_is_undecided_and_one_that_runs_on_is_unhealthy() -> None:
    cold = replace(USUAL, milliseconds=3, reads=20000)
    assert "its cache may be cold" in verdict(USUAL, cold, restarted=1)
    assert verdict(USUAL, cold).startswith("unhealthy time per transaction 1.00 ms -> 2.99 ms in 12 of 12")
    assert verdict(USUAL, replace(cold, deadlocks=3), restarted=1).startswith("unhealthy deadlocks")


def test_a_server_that_stands_still_beside_its_sessions_is_unhealthy() -> None:
    assert verdict(USUAL, replace(USUAL, transactions=0, rollbacks=0)).startswith("unhealthy transactions")


@pytest.mark.parametrize("idle", [Load(transactions=3, rollbacks=0), Load(transactions=0, rollbacks=0)])
def test_too_little_work_is_undecided_and_says_so(idle: Load) -> None:
    for before, after in ((idle, idle), (idle, USUAL)):
        assert "too little work" in verdict(before, after)


def test_counters_that_are_missing_are_named() -> None:
    lines = samples([USUAL] * SPANS, [USUAL] * 2 * SPANS).splitlines()
    without = [" ".join((*line.split()[:2], *"-" * 13, *line.split()[15:])) for line in lines]
    said = judged("\n".join(without) + "\n")
    assert said[-1].startswith("undecided neither time nor transactions could be compared")
    missing = next(line for line in said if line.startswith("line not compared: "))
    for name in ("time per transaction", "transactions", "deadlocks", "WAL", "checkpoints"):
        assert name in missing


def test_statistics_that_were_reset_meanwhile_are_undecided() -> None:
    first = samples([USUAL] * SPANS, [USUAL] * 2 * SPANS).splitlines()
    started = samples([USUAL], [USUAL] * 3).splitlines()[2:]
    broken: list[str] = []
    for number, line in enumerate(first):
        words = line.split()
        if number > SPANS and number % 2:
            words[2:11] = started[0].split()[2:11]
        broken.append(" ".join(words))
    said = judged("\n".join(broken) + "\n")[-1]
    assert said.startswith("undecided")
    assert "were reset meanwhile" in said


def test_the_first_look_finds_what_is_worse_and_never_calls_anything_healthy_for_good() -> None:
    worse = samples([USUAL] * SPANS, [WORSE["time per transaction"]] * 2 * SPANS)
    assert judged(worse, look="first")[-1].startswith("unhealthy time per transaction")
    late = samples([USUAL] * SPANS, [USUAL] * 3 * SPANS + [WORSE["transactions"]] * 3 * SPANS)
    assert judged(late, look="first")[-1] == "healthy"
    assert judged(late)[-1].startswith("unhealthy transactions")


TROUBLE = {
    "the kernel killed 2 processes": replace(USUAL, killed=2),
    "the kernel killed a process of the server's control group": replace(USUAL, killed_in_group=1),
    "replication: 0 streaming, 1 before": replace(USUAL, standbys=0),
    "memory is swapped out: 2000 KiB/s": replace(USUAL, swapped_out=2500),
}


@pytest.mark.parametrize("trouble", TROUBLE)
def test_what_cannot_wait_is_told_at_once_and_only_where_it_was_not_so_before(trouble: str) -> None:
    after = TROUBLE[trouble]
    said = judged(samples([USUAL] * SPANS, [after] * 8), look="trouble")
    assert len(said) == 1
    assert said[0].startswith(trouble) or trouble.startswith("the kernel killed 2")
    assert judged(samples([USUAL] * SPANS, [USUAL] * 8), look="trouble") == [""]
    if "control group" not in trouble:
        assert judged(samples([after] * SPANS, [after] * 8), look="trouble") == [""]


def test_a_standby_that_comes_back_in_time_is_no_trouble() -> None:
    gone = replace(USUAL, standbys=0)
    for away, told in ((5, 0), (8, 1)):
        text = samples([USUAL] * SPANS, [gone] * away + [USUAL] * 4)
        assert len(judged(text, look="trouble")[0]) > 0 if told else judged(text, look="trouble") == [""]


def noisy(random_source: random.Random, spread: float) -> Callable[[], Load]:
    """A server whose load wanders (AR(1), 0.6), with a spike in one of twenty intervals."""
    level = {"transactions": 0.0, "milliseconds": 0.0}

    def one() -> Load:
        for name, last in level.items():
            level[name] = 0.6 * last + random_source.gauss(0, spread * 0.8)
        spike = random_source.choice((1.5, 3.0)) if random_source.random() < 0.05 else 1.0
        return Load(
            transactions=5000 * 2.718 ** level["transactions"] / spike,
            milliseconds=2.718 ** level["milliseconds"] * spike,
            rollbacks=max(0, random_source.gauss(10, 5)),
            deadlocks=random_source.choice((0, 0, 0, 1)),
            sessions=random_source.choice((2, 3, 4, 5)),
            pressure=max(0, random_source.gauss(2, 2)),
        )

    return one


def drawn(seed: int, after: Callable[[Load], Load]) -> str:
    """Samples of a noisy server whose window is made from what it would have been."""
    source = random.Random(seed)  # noqa: S311 - made-up measurements
    one = noisy(source, source.choice((0.05, 0.15, 0.3)))
    return samples([one() for _ in range(SPANS)], [after(one()) for _ in range(2 * SPANS)])


APPLICATIONS = 100


def test_where_nothing_changed_at_most_one_of_a_hundred_is_reverted() -> None:
    verdicts = ends([drawn(seed, lambda load: load) for seed in range(APPLICATIONS)])
    assert verdicts.count("unhealthy") <= APPLICATIONS // 100, verdicts
    assert verdicts.count("healthy") >= APPLICATIONS * 9 // 10, verdicts


def test_a_third_of_the_speed_is_found_nearly_always() -> None:
    def slowed(load: Load) -> Load:
        return replace(load, milliseconds=load.milliseconds * 3.5, transactions=load.transactions / 3.5)

    verdicts = ends([drawn(seed, slowed) for seed in range(40)])
    assert verdicts.count("unhealthy") >= 36, verdicts


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_every_shell_comes_to_the_same(shell: tuple[str, ...]) -> None:
    text = samples([USUAL] * SPANS, [WORSE["time per transaction"]] * 2 * SPANS)
    assert judged(text, shell=shell) == judged(text)
    assert judged(text, shell=shell)[-1].startswith("unhealthy time per transaction 1.00 ms -> 2.20 ms in 12")


AWKS = [awk for awk in (("mawk",), ("gawk", "--posix"), ("busybox", "awk")) if shutil.which(awk[0])]


@pytest.mark.parametrize("awk", AWKS, ids=" ".join)
@pytest.mark.parametrize("look", ["trouble", "first", "last"])
def test_every_awk_comes_to_the_same(
    awk: tuple[str, ...], look: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [samples([USUAL] * SPANS, [after] * 2 * SPANS) for after in (*WORSE.values(), *TROUBLE.values())]
    expected = [judged(text, look=look) for text in texts]
    (tmp_path / "awk").write_text(f'#!/bin/sh\nexec {" ".join(awk)} "$@"\n')
    (tmp_path / "awk").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert [judged(text, look=look) for text in texts] == expected


CLEAN = """
. "$1/base.sh"; . "$1/guard_samples.sh"
US=$(printf '\\037')
ROOT=$2/root PSQL_SESSION='' SECONDS_TO_ANSWER=9 SAFE_SESSION='' GUARD_GROUP='' GUARD_SQL=one
read_clock() { CLOCK=17; }
ask() { printf '%s\\n' "$ANSWER"; }
ANSWER=$3
guard_sample w
printf '%s' "$GUARD_SAMPLES"
"""


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_what_a_server_prints_is_a_number_or_counts_for_nothing(
    shell: tuple[str, ...], tmp_path: Path
) -> None:
    canary = tmp_path / "canary"
    for number, hostile in enumerate(HOSTILE):
        place = tmp_path / str(number) / "root" / "proc" / "pressure"
        place.mkdir(parents=True)
        text = hostile.replace("CANARY", str(canary))
        (place.parent / "vmstat").write_text(f"pswpin {text}\npswpout 7\noom_kill {text}\n")
        (place.parent / "meminfo").write_text(
            f"MemAvailable: {text} kB\nSwapFree: {text} kB\nSwapTotal: 1 kB\n"
        )
        (place / "memory").write_text(f"some avg10={text} avg60=0.00\nfull avg10=0.00\n")
        answer = "\x1f".join(["12", text, *[text] * 12])
        ran = subprocess.run(
            (*shell, "-c", CLEAN, "sh", SCRIPTS, place.parents[2], answer),
            capture_output=True,
            check=False,
            text=True,
            timeout=60,
        )
        assert not canary.exists(), hostile
        (line,) = ran.stdout.splitlines()
        side, *fields = line.split(" ")
        assert (side, fields[0], fields[1], len(fields)) == ("w", "17", "12", 23), (hostile, line)
        assert all(field == "-" or (field.isdigit() and len(field) < 16) for field in fields), line
        assert ran.stderr == ""
        assert judged(f"{line}\n" * 3, shell=shell)[-1].startswith("undecided")

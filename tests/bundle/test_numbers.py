"""Root calculates with nothing that another user's program printed, unless it is a number."""

import re
import subprocess
from pathlib import Path

import pytest

from shells import EVERY_SHELL

PROGRAM = Path(__file__).resolve().parents[2] / "tunewiz"
SCRIPTS = sorted([*(PROGRAM / "bundle" / "scripts").glob("*.sh"), *(PROGRAM / "kinds").glob("*/*.sh")])

HOSTILE = (
    "x[$(touch CANARY)]",
    "PROBLEMS[$(touch CANARY)]",
    "PROBLEMS[`touch CANARY`]",
    "",
    "08",
    "9" * 16,
    "1 2",
    "-1",
    "\x1b[2J",
    "1\n2",
)
"""What a program may print in the place of a number; some shells run what stands in brackets."""

PRELUDE = """
. "$1/bundle/scripts/base.sh"; . "$1/bundle/scripts/fitness.sh"; . "$1/bundle/scripts/carry.sh"
. "$1/kinds/wal/wal_check.sh"; . "$1/kinds/patroni/patroni_follow.sh"; . "$1/kinds/swap/swap.sh"
. "$1/bundle/scripts/order.sh"; . "$1/bundle/scripts/revert.sh"
TEXT=$2 DRY='' ROOT='' DATA=$3 LOG='' BIN=/bin OWN=$3 STATE=$3 MAJOR=15 POSTMASTER=1
BUNDLE_ID=own KEPT=$3/own/kept BUNDLE=$3
"""

USES = {
    "pg_controldata": """
mkdir "$DATA/pg_wal"
find_log() { :; }
setting_of() { return 1; }
look_as_owner() { [ "$1" = test ] || printf 'Bytes per WAL segment:                %s\\n' "$TEXT"; }
check_places""",
    "df": """
look_as_owner() { :; }
df() { printf 'Filesystem\\n/dev/x 1 1 %s 1%% /\\n' "$TEXT"; }
check_place_of "$DATA" 0
free_mebibytes "$DATA" """,
    "du": """
du() { printf '%s\\t/\\n' "$TEXT"; }
mebibytes /""",
    "psql": """
each_setting() { F1=max_wal_size F6=64; wal_may_grow; }
setting_of() { SETTING=$TEXT; }
find_wal_limit
MAJOR=9.6
find_wal_limit""",
    "postgres -C": """
POSTMASTER=
each_setting() { F1=max_wal_size F6=64; wal_may_grow; }
configured() { CONFIGURED=$TEXT; }
find_wal_limit""",
    "psql of a member": """
F1=max_connections RAISED='' LOWERED=''
goal_of() { GOAL=100; }
shown_of() { SHOWN_VALUE=$TEXT; }
compare_watched
goal_of() { GOAL=$TEXT; }
shown_of() { SHOWN_VALUE=100; }
compare_watched""",
    "the server's niceness": """
can() { THEIRS=$TEXT OURS=0; [ "$1" = nice ]; }
with_memory() { :; }
with_scheduling true""",
    "a later bundle's records": """
mkdir -p "$KEPT" "$STATE/later/kept"
printf '%s\\n' "$TEXT" >"$STATE/later/kept/order"
echo 1 >"$KEPT/order"
: >"$BUNDLE/steps.txt"
find_later
printf '%s\\n' "$TEXT" >"$KEPT/order"
find_later""",
    "boots": """
printf '%s\\n' "$TEXT" >"$OWN/boots"
BOOTS_TO_TRY=3
sync() { :; }
count_boot""",
}
"""Where scripts calculate or compare, with what others print or write put in by hand."""


@pytest.mark.parametrize("shell", EVERY_SHELL)
@pytest.mark.parametrize("source", USES)
def test_nothing_that_others_print_is_run_or_stops_a_script(
    source: str, shell: tuple[str, ...], tmp_path: Path
) -> None:
    for number, hostile in enumerate(HOSTILE):
        canary, place = tmp_path / "canary", tmp_path / str(number)
        place.mkdir()
        script = f"{PRELUDE}{USES[source]}\necho reached"
        text = hostile.replace("CANARY", str(canary))
        ran = run(shell, script, PROGRAM, text, place)
        assert not canary.exists(), f"{source}: {hostile!r} was run"
        assert ran.stdout.endswith("reached\n"), (hostile, ran.stdout, ran.stderr)
        assert "arithmetic" not in ran.stderr, ran.stderr


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_no_shell_takes_anything_but_a_number_for_one(shell: tuple[str, ...]) -> None:
    script = '. "$1/bundle/scripts/base.sh"; number_of "$2" 7; echo "$((NUMBER + 1))"'
    answers = {"0": "1", "16777216": "16777217", **dict.fromkeys(HOSTILE, "8")}
    assert {text: run(shell, script, PROGRAM, text).stdout.strip() for text in answers} == answers


NUMERIC = re.compile(r'\[ "?\$\{?(\w+)[^]"]*"? -(?:lt|le|gt|ge|eq|ne) "?\$?\{?(\w+)')
ARITHMETIC = re.compile(r"\$\(\((.*?)\)\)")
OF_THE_KERNEL = {"MEMINFO", "VALUE", "USED", "own_size", "fd"}
OF_THE_SYSTEM = {"service_version", "ME", "STEPS", "check_size", "wal_free", "wal_need", "left", "order_last"}
"""Of wc, id and root's systemctl, or of a function of ours that prints nothing but numbers."""
COPIED = {"in_force_last", "trial_port"}
"""From a number that was looked at, or out of a list in the script."""
OF_THE_PLAN = {"F2", "F3", "F6", "F7", "MAJOR"}
BY_A_PATTERN = {"SERVER_PAGES"}
"""Looked at by a pattern of its own."""


def test_every_variable_that_scripts_calculate_with_is_checked_or_their_own() -> None:
    everything = "\n".join(file.read_text() for file in SCRIPTS)
    names = {name for pair in NUMERIC.findall(everything) for name in pair if not name[0].isdigit()}
    names |= {name for value in ARITHMETIC.findall(everything) for name in re.findall(r"[A-Za-z_]\w*", value)}
    assert len(names) > 40
    unchecked = {name for name in names if not is_checked(name, everything)}
    assert unchecked <= OF_THE_KERNEL | OF_THE_SYSTEM | OF_THE_PLAN | BY_A_PATTERN | COPIED


def is_checked(name: str, everything: str) -> bool:
    """Whether it is looked at before it is used, or only ever a number of the scripts' own."""
    if re.search(rf'(?:is_number|number_of) "\$\{{?{name}\b', everything):
        return True
    values = re.findall(rf"(?<![\w${{]){name}=(\S*)", everything)
    own = r"\d+|\$\(\(.*|\$[?#\d]|\$[A-Z_]+|''"
    return bool(values) and all(re.match(own, value) for value in values)


def run(shell: tuple[str, ...], script: str, *arguments: Path | str) -> subprocess.CompletedProcess[str]:
    """A script's end, in one of the shells."""
    return subprocess.run(
        (*shell, "-c", script, "sh", *arguments), capture_output=True, check=False, text=True, timeout=60
    )

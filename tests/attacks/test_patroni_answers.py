"""What a member of Patroni's cluster answers is not said to the others as it is."""

import os
import subprocess

import pytest

from tunewiz.package_files import package_file

FOLLOW = """
. "$1"
exec 7>&2
LOWERED=1 MEMBER=pg1 NL='
'
is_leader() { return 0; }
is_listed_pending() { return 0; }
load() { F1=15; }
complain() { printf '%s\n' "$*"; }
as_superuser() {
    case $1 in
        *current_wal_lsn*) printf '%s\n' "$TOLD" ;;
        *) printf 'asked: %s\n' "$1" >&7 && echo t ;;
    esac
}
learn_lowered && await_replay
"""


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("0/3000148", "asked: SELECT pg_last_wal_replay_lsn() >= '0/3000148'\n"),
        ("FFFFFFFF/A0", "asked: SELECT pg_last_wal_replay_lsn() >= 'FFFFFFFF/A0'\n"),
        ("0/0'; COPY t TO PROGRAM 'id'; --", ""),
        ("0/0\n'", ""),
        ("", ""),
    ],
)
def test_what_a_primary_says_of_its_log_is_no_statement_for_its_standbys(told: str, asked: str) -> None:
    part = package_file("tunewiz.kinds.patroni", "patroni_follow.sh")
    done = subprocess.run(
        ["sh", "-c", FOLLOW, "sh", part],
        env={"PATH": os.environ["PATH"], "TOLD": told},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stderr, done.returncode) == (asked, 0 if asked else 1)

"""What a member of Patroni's cluster answers is never taken for more than an answer, nor without a bound."""

import os
import subprocess
from pathlib import Path

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


PRINTED = """
. "$1"
at_most 1000 sh -c "$2"
status=$?
echo
echo "$status"
"""


@pytest.mark.parametrize("shell", ["dash", "bash"])
@pytest.mark.parametrize(
    ("command", "length", "status"),
    [
        ("printf %1000s", 1000, 0),
        ("printf %1001s", 1000, 1),
        ("yes", 1000, 1),
        ("printf text; exit 3", 4, 3),
        ("printf text >&2", 0, 0),
        (":", 0, 0),
    ],
)
def test_an_answer_is_read_up_to_a_bound_and_refused_beyond_it(
    shell: str, command: str, length: int, status: int
) -> None:
    part = package_file("tunewiz.kinds.patroni", "patroni_members.sh")
    done = subprocess.run([shell, "-c", PRINTED, shell, part, command], capture_output=True, check=True)
    *printed, data = done.stdout.removesuffix(b"\n").rsplit(b"\n", 1)
    assert (len(b"\n".join(printed)), int(data)) == (length, status)


RESTART = """
. "$1"
exec 7>&1
SCOPE=$2 MEMBER=$3 ROLE=Replica NL='
'
is_listed_pending() { return 0; }
say() { :; }
complain() { :; }
await_member() { :; }
patroni_for() { shift; printf '%s\n' "$@" >&7; echo "Success: restart on member $MEMBER"; }
restart_member
"""


@pytest.mark.parametrize(
    ("scope", "member"), [("demo", "pg1"), ("-c/tmp/evil.yml", "--scheduled=now"), ("-", "--")]
)
def test_names_of_clusters_and_members_are_never_options(scope: str, member: str) -> None:
    part = package_file("tunewiz.kinds.patroni", "patroni_follow.sh")
    done = subprocess.run(
        ["sh", "-c", RESTART, "sh", part, scope, member], capture_output=True, text=True, check=True
    )
    words = done.stdout.splitlines()
    assert words[words.index("--") + 1 :] == [scope, member]
    assert "--pending" in words[: words.index("--")]


LISTED = """
. "$1"
NL='
'
patroni() { printf '%s\\n' "$ANSWER"; }
scope_in "$TEXT"
read_members
printf '%s|%s' "$?" "$SCOPE"
"""
MEMBERS = '[{"Member": "pg1", "Host": "db1", "Role": "Leader", "State": "running"}]'


@pytest.mark.parametrize("shell", ["dash", "bash"])
@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("scope: demo\nname: pg1", "demo"),
        ("namespace: /service/\nscope:   'eu-db.1'  # of the shop", "eu-db.1"),
        ('scope: "demo"', "demo"),
        ("scope: demo\nscope: other", "demo"),
        ("scope: $(id)", ""),
        ("scope: 'demo", ""),
        ("  scope: demo", ""),
        ("scope:", ""),
    ],
)
def test_a_list_without_the_clusters_name_leaves_it_to_a_plain_word_in_the_file(
    shell: str, text: str, scope: str
) -> None:
    part = package_file("tunewiz.kinds.patroni", "patroni_members.sh")
    for answer, expected in (
        (MEMBERS, scope),
        (MEMBERS.replace('[{"', '[{"Cluster": "listed", "'), "listed"),
    ):
        done = subprocess.run(
            [shell, "-c", LISTED, shell, part],
            env={"PATH": os.environ["PATH"], "ANSWER": answer, "TEXT": text, "PATRONI_FILE": "patroni.yml"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == f"{0 if expected else 1}|{expected}"


HANGS = """
. "$1"
. "$2"
NL='
'
STEPS=0 UNFINISHED='' KEPT=/nowhere
find_patroni() { :; }
was_given_up() { [ "$1" -eq 124 ]; }
problem() { printf '%s\n' "$1"; }
patroni() { echo "$1" >>"$ASKED"; return "$STATUS"; }
state_patroni 1
check_patroni 1
"""


@pytest.mark.parametrize(
    ("status", "asked", "told"),
    [
        ("124", ["show-config"], "patronictl did not answer within 60 s"),
        ("1", ["show-config", "show-config", "list"], "patronictl does not list the members"),
    ],
)
def test_a_patronictl_that_hangs_is_waited_for_once(
    tmp_path: Path, status: str, asked: list[str], told: str
) -> None:
    parts = [package_file("tunewiz.kinds.patroni", name) for name in ("patroni.sh", "patroni_members.sh")]
    done = subprocess.run(
        ["sh", "-c", HANGS, "sh", *parts],
        env={"PATH": os.environ["PATH"], "STATUS": status, "ASKED": str(tmp_path / "asked"), "CARRIERS": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(told)
    assert (tmp_path / "asked").read_text().splitlines() == asked

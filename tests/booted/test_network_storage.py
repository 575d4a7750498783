"""A server whose data directory really lies on NFS, with root's rights there and with root squashed."""

from collections.abc import Iterator

import pytest

from pretend_root import Ran
from small_plans import small_plan
from virtual_machine import VirtualMachine, virtual_machine

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("virtual"), pytest.mark.timeout(3000)]

DATA = "/srv/nfs/data"
PROGRAMS = "/usr/lib/postgresql/15/bin"
AS_POSTGRES = "cd /tmp && runuser -u postgres --"
ASK = f"{AS_POSTGRES} psql -XAtqc"
UNIT = f"""
[Unit]
RequiresMountsFor=/srv/nfs
[Service]
User=postgres
ExecStart={PROGRAMS}/postgres -D {DATA}
KillSignal=SIGINT
"""
# The question is the storage: Debian's policy of SELinux lets no confined server use NFS.
MAKE = f"""
set -e
setenforce 0
pg_dropcluster --stop 15 main
mkdir -p /srv/export /srv/nfs
chown postgres:postgres /srv/export
echo '/srv/export 127.0.0.1(rw,sync,no_subtree_check,no_root_squash)' >/etc/exports
systemctl start nfs-server
mount -t nfs 127.0.0.1:/srv/export /srv/nfs
cd /tmp
runuser -u postgres -- {PROGRAMS}/initdb -D {DATA} >/dev/null
runuser -u postgres -- mkdir {DATA}/conf.d
echo "include_dir = 'conf.d'" >>{DATA}/postgresql.conf
cat >/etc/systemd/system/database.service <<'END'
{UNIT}END
systemctl daemon-reload
systemctl start database.service
"""
# A mount remembers what root could do.
SQUASH = """
set -e
systemctl stop database.service
umount /srv/nfs
sed -i s/no_root_squash/root_squash/ /etc/exports
exportfs -ra
mount -t nfs 127.0.0.1:/srv/export /srv/nfs
systemctl start database.service
"""
CONFIGURATION = f"{AS_POSTGRES} find {DATA} -maxdepth 2 -name '*.conf'"
FILES = f"{CONFIGURATION} -exec stat -c '%n %a %u %g' {{}} + -exec sha256sum {{}} +"


@pytest.fixture(scope="module")
def machine() -> Iterator[VirtualMachine]:
    """With a server on storage that a server of NFS gives, beside it in the same machine."""
    with virtual_machine() as machine:
        machine.out_of(MAKE, seconds=900)
        machine.wait_until(f'{ASK} "SELECT 1"', 120)
        yield machine


def shown(machine: VirtualMachine) -> str:
    """The values that are planned for, in force."""
    return machine.out_of(f'{ASK} "SHOW shared_buffers" -c "SHOW work_mem"')


def there_and_back(machine: VirtualMachine) -> None:
    """Applied, compared and taken back."""
    facts = machine.facts()
    bundle = machine.put_bundle(small_plan(facts, {"pg.shared_buffers": "96MB", "pg.work_mem": "9MB"}))
    before = machine.out_of(FILES)

    def run(script: str) -> Ran:
        return machine.run(f"sh {bundle}/{script}.sh", seconds=600)

    applied = run("apply")
    assert (applied.status, shown(machine)) == (0, "96MB\n9MB\n"), applied.said
    assert machine.out_of(FILES) != before
    verified = run("verify")
    assert verified.status == 0, verified.said
    rolled_back = run("rollback")
    assert (rolled_back.status, shown(machine)) == (0, "128MB\n4MB\n"), rolled_back.said
    assert machine.out_of(FILES) == before


def test_on_nfs_where_root_has_its_rights_every_file_comes_back(machine: VirtualMachine) -> None:
    there_and_back(machine)


def test_on_nfs_with_root_squashed_every_file_comes_back(machine: VirtualMachine) -> None:
    machine.out_of(SQUASH, seconds=600)
    machine.wait_until(f'{ASK} "SELECT 1"', 120)
    assert machine.run(f"ls {DATA}").status != 0
    there_and_back(machine)

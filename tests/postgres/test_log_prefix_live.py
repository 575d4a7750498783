"""The proposed prefix ends with a space: a real server takes it as it stands, and gets its own back."""

from pathlib import Path

import pytest

from real_postgres import Cluster
from server_in_root import bundle_for, machine_of
from tunewiz.catalogue.pg_log_line_prefix import PREFIX

pytestmark = pytest.mark.postgres


def test_a_prefix_with_a_space_at_its_end_is_set_verified_and_taken_back(
    database: Cluster, tmp_path: Path
) -> None:
    usual = database.query("SHOW log_line_prefix")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.log_line_prefix": PREFIX})
    machine = machine_of(database, tmp_path / "state")
    for script, expected in (("apply.sh", PREFIX), ("verify.sh", PREFIX), ("rollback.sh", usual)):
        ran = machine.run(bundle / script)
        assert ran.status == 0, ran.said
        assert database.query("SELECT pg_sleep(0.2)", "SHOW log_line_prefix").splitlines()[-1] == expected

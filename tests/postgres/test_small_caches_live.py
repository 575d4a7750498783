"""The caches of transactions' states are as large on real servers as is said, and their counts are read."""

import dataclasses

import pytest

from live_servers import the_server_alone, value
from real_postgres import Cluster
from situations import situation
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.server.slru import its_own_size
from tunewiz.core.values.units import Bytes

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]

SIZES = ("16MB", "128MB", "1GB", "4GB")


@pytest.mark.parametrize("major", ["17", "18", "19"])
def test_a_cache_that_sizes_itself_takes_what_is_said(matrix_cluster: Cluster, major: str) -> None:
    for size in SIZES:
        (matrix_cluster.data_directory / "conf.d" / "size.conf").write_text(f"shared_buffers = {size}\n")
        matrix_cluster.start()
        try:
            shown = {
                matrix_cluster.query(f"show {name}_buffers") for name in ("transaction", "subtransaction")
            }
            caches = {slru_cache.name for slru_cache in value(the_server_alone(matrix_cluster).slru)}
        finally:
            matrix_cluster.stop()
        result = situation(dataclasses.replace(Given(), major=major, settings={"shared_buffers": size}))
        assert {Bytes.parse(text) for text in shown} == {its_own_size(result)}
        assert caches >= {"transaction", "subtransaction", "multixact_offset", "multixact_member"}

"""The server's own keepalives count only where somebody set them: over TCP it shows the kernel's."""

import dataclasses

import pytest

from situations import situation
from small_plans import with_settings
from tunewiz.catalogue.kernel_tcp_keepalive_time import KNOB, decide
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Proposal


@pytest.mark.parametrize(
    ("value", "source", "proposed"),
    [
        ("7200", "default", True),
        ("0", "default", True),
        ("0", "configuration file", True),
        ("120", "configuration file", False),
    ],
)
def test_the_kernels_time_is_left_alone_only_for_the_servers_own(
    value: str,
    source: str,
    proposed: bool,  # noqa: FBT001 - a case
) -> None:
    result = situation(Given(kernel={KNOB: 7200}))
    assert isinstance(result.server, PostgresServer)
    server = with_settings(result.server, tcp_keepalives_idle=Setting(value=value, unit="s", source=source))
    facts = dataclasses.replace(result.facts, postgres=(server,))
    assert isinstance(decide(dataclasses.replace(result, server=server, facts=facts)), Proposal) is proposed

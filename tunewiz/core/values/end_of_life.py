"""When the community's support of a major version ended, or will end."""

from __future__ import annotations

from tunewiz.core.values.versions import Major

END_OF_LIFE = {
    Major(905): "2021-02-11",
    Major(906): "2021-11-11",
    Major(1000): "2022-11-10",
    Major(1100): "2023-11-09",
    Major(1200): "2024-11-21",
    Major(1300): "2025-11-13",
    Major(1400): "2026-11-12",
}
"""Last minor release of each major that has ended (postgresql.org, versioning policy)."""
SUPPORTED_UNTIL = {
    Major(1500): "2027-11-11",
    Major(1600): "2028-11-09",
    Major(1700): "2029-11-08",
    Major(1800): "2030-11-14",
}
"""Day of the last minor release of those that have not, as the same page announces it."""
POLICY = "https://www.postgresql.org/support/versioning/"
"""Where both are from."""

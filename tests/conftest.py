"""What holds for every test: an environment of its own, and what this machine does not let it prove."""

import gc
import getpass
import os
import signal
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from collected import remove_script

pytest_plugins = [
    "fixtures_bundles",
    "fixtures_golden",
    "fixtures_installed",
    "fixtures_postgres",
    "fixtures_initialized",
    "fixtures_matrix",
    "fixtures_onefile",
    "fixtures_patroni",
    "fixtures_subject",
    "fixtures_wal",
    "fixtures_attacks",
    "sweeps",
]

# Said to the tests on purpose; every other variable of ours and of PostgreSQL's is the developer's affair.
FOR_TESTS = {
    "TUNEWIZ_BOOTCTL",
    "TUNEWIZ_DEBIAN_ROOT",
    "TUNEWIZ_FOREIGN",
    "TUNEWIZ_PATRONI",
    "TUNEWIZ_PG_BIN",
    "TUNEWIZ_PG_MATRIX",
    "TUNEWIZ_PROGRAM",
    "TUNEWIZ_TEST_KERNEL",
    "TUNEWIZ_TEST_SLOW",
    "TUNEWIZ_CAPTURES",
}
TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
XDG_FOLDERS = {
    "XDG_CACHE_HOME": ".cache",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
}
FROM_THE_DESK = (
    "NO_COLOR",
    "FORCE_COLOR",
    "COLUMNS",
    "LINES",
    "LANG",
    "LANGUAGE",
    "SSH_CONNECTION",
    "SSH_TTY",
    "TMUX",
    "PYTHONDONTWRITEBYTECODE",  # every start of the program would compile it anew
)

# Examples that take long on a busy machine are no failure; CI runs the same examples each time.
settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("nightly", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(
    "nightly" if os.environ.get("TUNEWIZ_TEST_NIGHTLY") else "ci" if os.environ.get("CI") else "desk"
)


YOUNG_OBJECTS = 50_000
"""So many new ones before the collector looks at them: tests make, and forget, records by the thousand."""


def kernel_tests_are_on() -> bool:
    """Whether tests may change real kernel settings (and restore them)."""
    return os.environ.get("TUNEWIZ_TEST_KERNEL") == "1"


def pytest_sessionfinish() -> None:
    """Removed here: a worker that is slow to end is killed before it would do so itself."""
    remove_script()


def pytest_collection_finish() -> None:
    """Has the collector of garbage leave alone what lives as long as the run, and look more rarely."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)


def pytest_configure() -> None:
    """What runs in the background ignores these signals, and so does what it starts: tests send them."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    kernel = "on" if kernel_tests_are_on() else "off (TUNEWIZ_TEST_KERNEL=1 turns them on)"
    captures = os.environ.get(
        "TUNEWIZ_CAPTURES", "none (TUNEWIZ_CAPTURES names a folder of recorded machines)"
    )
    # pytest keeps the folders of its last three runs, and says so nowhere.
    folders = Path(tempfile.gettempdir(), f"pytest-of-{getpass.getuser()}")
    return f"tunewiz: kernel tests {kernel}; captures {captures}; what tests leave stays in {folders}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keeps tests that change the kernel on one worker, one after another, or leaves them out."""
    for item in items:
        if item.get_closest_marker("kernel") is not None:
            item.add_marker(pytest.mark.xdist_group("kernel"))
            if not kernel_tests_are_on():
                item.add_marker(
                    pytest.mark.skip("changes real kernel settings: only with TUNEWIZ_TEST_KERNEL=1")
                )


@pytest.hookimpl(specname="pytest_collection_modifyitems", trylast=True)
def longest_first(items: list[pytest.Item]) -> None:
    """Has no worker begin with a test of minutes when the others are done: those ask for more time."""
    items.sort(key=seconds_asked_for, reverse=True)


def seconds_asked_for(item: pytest.Item) -> int:
    """What a test has in place of the usual two minutes; 0 where it asks for nothing."""
    marker = item.get_closest_marker("timeout")
    return int(marker.args[0]) if marker and marker.args else 0


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Homes that do not exist yet, one for each test, apart from the test's own tmp_path."""
    parent = tmp_path_factory.mktemp("homes")
    return (parent / str(number) for number in count())


@pytest.fixture(autouse=True)
def own_environment(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A home and a terminal that do not depend on who runs the tests; nothing of theirs is touched."""
    for name in list(os.environ):
        if (name.startswith(("TUNEWIZ_", "PG")) and name not in FOR_TESTS) or name in FROM_THE_DESK:
            monkeypatch.delenv(name)
    for name, value in TERMINAL.items():
        monkeypatch.setenv(name, value)
    home = next(homes)
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TUNEWIZ_PRESENCE", str(home))
    for name, folder in XDG_FOLDERS.items():
        monkeypatch.setenv(name, str(home / folder))

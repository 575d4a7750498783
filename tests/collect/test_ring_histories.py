"""Whatever happens to server, clock and program: what was kept is read, and no hour is invented."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tunewiz.collect.ring.busiest import HOUR, busiest
from tunewiz.collect.ring.history import history_of
from tunewiz.collect.ring.reading import read_ring
from tunewiz.collect.ring.stretches import stretches
from tunewiz.collect.ring.writing import RingWriter
from tunewiz.core.facts.look import RESET, STARTED, ServerSample
from tunewiz.formats.ring import HEAD, RingHead

EVERY = 600
FIELDS = ("commits", "wal_position", "connections", STARTED, RESET)


class Watched(RuleBasedStateMachine):
    """A server at work, a program that looks at it, and a file; the machine knows what really happened."""

    def __init__(self) -> None:
        super().__init__()
        self.directory = Path(tempfile.mkdtemp())
        self.path = self.directory / "ring"
        self.clock, self.going_on = 1_800_000_000_000, 0
        self.started = self.reset = 1_700_000_000
        self.commits = self.wal = 0
        self.run = self.begun = 0
        self.kept = list[tuple[ServerSample, int]]()
        """What was written, with the work that was really done until then."""
        self.done = 0
        self.before = b""
        self.has_just_looked = False
        """Whether the last look is the newest in the file still, and what its slot held is known."""

    @initialize(slots=st.integers(2, 12))
    def begin(self, slots: int) -> None:
        """The first run."""
        self.head = RingHead(directory="/data", every=EVERY, slots=slots, fields=FIELDS)
        self.begin_again()

    def begin_again(self) -> None:
        """Open the file as another run does."""
        self.run += 1
        self.begun = self.going_on
        self.writer = RingWriter(self.path, self.head)

    @rule(work=st.integers(0, 10**9), late=st.integers(0, 3))
    def look(self, work: int, late: int) -> None:
        """Time passes, the server works, and the program looks."""
        self.going_on += 1000 * EVERY + late
        self.clock += 1000 * EVERY
        self.commits, self.wal, self.done = self.commits + work, self.wal + 10 * work, self.done + work
        numbers = {
            "commits": self.commits,
            "wal_position": self.wal,
            "connections": work % 7,
            STARTED: self.started,
            RESET: self.reset,
        }
        server_sample = ServerSample(
            run=self.run, at=self.clock, passed=self.going_on - self.begun, numbers=numbers
        )
        content, place = self.path.read_bytes(), self.head.place(read_ring(self.path).last + 1)
        self.before = content[place : place + self.head.slot]
        self.writer.append(server_sample)
        self.kept.append((server_sample, self.done))
        self.has_just_looked = True

    @rule(hours=st.integers(1, 5), work=st.integers(0, 10**9))
    def nobody_looks(self, hours: int, work: int) -> None:
        """The connection is lost for a while."""
        self.going_on += 3_600_000 * hours
        self.clock += 3_600_000 * hours
        self.commits, self.done = self.commits + work, self.done + work

    @rule(crash=st.booleans())
    def server_restarts(self, *, crash: bool) -> None:
        """Its counters survive unless it crashed."""
        self.started += 60
        if crash:
            self.commits = 0
            self.reset = self.started

    @rule()
    def statistics_are_reset(self) -> None:
        """pg_stat_reset."""
        self.commits, self.reset = 0, self.reset + 1

    @rule(hours=st.integers(-48, 48))
    def clock_is_set(self, hours: int) -> None:
        """Back, or forward."""
        self.clock += 3_600_000 * hours

    @rule()
    def program_ends(self) -> None:
        """A clean end, and another run."""
        self.writer.close()
        self.begin_again()

    @precondition(lambda self: self.kept and self.has_just_looked)
    @rule(data=st.data())
    def power_fails(self, data: st.DataObject) -> None:
        """Of the last look some bytes reached the disk; behind them is the old look, nothing, or no file."""
        self.writer.close()
        place = self.head.place(self._last_number())
        content = self.path.read_bytes()
        whole = content[place : place + self.head.slot]
        cut = data.draw(st.integers(0, self.head.slot - 1))
        behind = data.draw(st.sampled_from([self.before, bytes(self.head.slot), b""]))
        torn = whole[:cut] + behind[cut:]
        if behind == b"" and place + self.head.slot < len(content):
            torn = whole[:cut] + bytes(self.head.slot - cut)
        self.path.write_bytes(content[:place] + torn + content[place + self.head.slot :])
        if torn == whole:
            self.begin_again()
            return
        self.kept.pop()
        self.has_just_looked = False
        # The slot held an older look before, which is gone as well unless nothing was written yet.
        if torn != self.before:
            del self.kept[: max(0, len(self.kept) - self.head.slots + 1)]
        self.begin_again()

    def _last_number(self) -> int:
        return read_ring(self.path).last

    @rule(slots=st.integers(2, 12))
    def another_time_is_wanted(self, slots: int) -> None:
        """`--keep` with another value."""
        self.writer.close()
        self.has_just_looked = False
        kept = len(read_ring(self.path).looks)
        self.head = RingHead(directory="/data", every=EVERY, slots=slots, fields=FIELDS)
        del self.kept[: len(self.kept) - min(kept, slots)]
        self.begin_again()

    @invariant()
    def what_was_kept_is_read(self) -> None:
        """The newest looks in their order, in a file that never grows beyond its bounds."""
        if not hasattr(self, "writer"):
            return
        ring = read_ring(self.path)
        expected = [look for look, _ in self.kept][-self.head.slots :]
        assert list(ring.looks) == expected[-len(ring.looks) :] if ring.looks else not expected
        assert len(expected) - len(ring.looks) <= 1
        assert HEAD <= self.path.stat().st_size <= self.head.size

    @invariant()
    def no_hour_is_invented(self) -> None:
        """What the busiest hour tells was done in it, and it is no longer than an hour."""
        if not hasattr(self, "writer"):
            return
        ring = read_ring(self.path)
        really = {id_of(look): done for look, done in self.kept}
        for part in stretches(ring.looks, EVERY):
            number = part[-1].numbers["commits"] - part[0].numbers["commits"]
            assert number == really[id_of(part[-1])] - really[id_of(part[0])]
        looks = busiest(ring.looks, EVERY)
        if looks:
            assert 0 < looks[-1].passed - looks[0].passed <= 1000 * HOUR
            assert tuple(looks) == ring.looks[(at := ring.looks.index(looks[0])) : at + len(looks)]
        if len(ring.looks) > 1:
            history = history_of(ring)
            assert history is not None
            assert (history.busiest is None) is (not looks)
            assert history.begin <= history.end

    def teardown(self) -> None:
        """Close and remove the file."""
        if hasattr(self, "writer"):
            self.writer.close()
        shutil.rmtree(self.directory)


def id_of(look: ServerSample) -> tuple[int, int]:
    return look.run, look.passed


TestWatched = Watched.TestCase
TestWatched.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)

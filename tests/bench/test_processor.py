import os
import time
from pathlib import Path

from bench.processor import between, seconds_of


def test_the_processor_time_of_a_session_grows_with_work() -> None:
    session = {os.getsid(0)}
    before = seconds_of(session)
    end = time.process_time() + 0.1
    while time.process_time() < end:
        pass
    after = seconds_of(session)
    if Path("/proc/self/stat").exists():
        assert after[os.getpid()] > before[os.getpid()]
    else:
        assert after == before == {}


def test_what_was_used_is_the_sum_over_all_processes() -> None:
    assert between({1: 0.5, 2: 1.0}, {1: 0.75, 2: 2.0}) == 1.25


def test_nothing_is_said_when_a_process_came_or_went_or_none_is_known() -> None:
    assert between({1: 0.5}, {1: 0.5, 2: 1.0}) is None
    assert between({1: 0.5, 2: 1.0}, {1: 0.5}) is None
    assert between({}, {}) is None

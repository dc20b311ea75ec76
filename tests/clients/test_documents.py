"""What the guide and the README tell is done as it stands, and works."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import PATIENCE

CLIENT = Path("clients/python").resolve()
README = (CLIENT / "README.md").read_text()
GUIDE = Path("docs/guides/bot-in-ten-minutes.md").read_text()
BOT = CLIENT / "examples" / "bot.py"


def blocks(text: str, kind: str) -> list[str]:
    """The code blocks of a page that are marked so, exactly."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def run(folder: Path, *command: str, given: str = "", **environ: str) -> str:
    """What a program prints, run in a folder with hardly any environment."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), **environ},
        input=given,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_who_follows_the_guide_in_an_empty_folder_has_a_bot_playing(base: str, tmp_path: Path) -> None:
    steps = blocks(GUIDE, "sh")
    assert len(steps) == 7
    printed = run(tmp_path, "sh", "-eu", given="\n".join(steps), BASE=base).splitlines()
    assert re.fullmatch(r"/v1/games/[0-9a-f]{24}", printed[0])
    assert printed[1].startswith("version ")
    assert any("play_character" in line for line in printed)
    assert re.match(r"I (won|lost)\. Points: \[\d+, \d+\]$", printed[-2])
    assert printed[-1] == "verified"


def test_the_sample_bot_is_short_and_plays_a_whole_game(base: str, tmp_path: Path) -> None:
    assert len(BOT.read_text().splitlines()) < 50
    printed = run(tmp_path, sys.executable, str(BOT), base, "kreta", PYTHONPATH=str(CLIENT))
    assert "'winners': [" in printed
    assert printed.endswith("The log is verified.\n")


@pytest.mark.parametrize(
    ("block", "expected"), [(0, r"'winners': .*\nverified\n$"), (1, r"^1 \w.*\n2 \w"), (2, r"emperor")]
)
def test_the_readme_of_the_client_does_what_it_says(base: str, tmp_path: Path, block: int, expected: str) -> None:
    examples = blocks(README, "python")
    assert len(examples) == 3
    code = examples[block].replace("http://127.0.0.1:8000", base)
    assert re.search(expected, run(tmp_path, sys.executable, "-c", code, PYTHONPATH=str(CLIENT)))

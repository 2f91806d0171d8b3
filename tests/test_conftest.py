"""The fixtures that all tests share keep their promises."""

import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")


def run_pytest(folder, *arguments):
    """Run the tests of ``folder`` under our conftest; return what was printed."""
    (folder / "conftest.py").write_text(CONFTEST.read_text())
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rs"]
    done = subprocess.run(
        [*command, *arguments], cwd=folder, capture_output=True, text=True, timeout=120
    )
    return done.stdout


@pytest.mark.slow
def test_seed_can_be_set_and_is_told_on_failure(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "def test_good(seed): assert seed == 7\ndef test_bad(seed): assert seed == 8\n"
    )
    for options in ["--seed=7"], ["--seed=7", "-n", "1", "-q"]:
        printed = run_pytest(tmp_path, *options)
        assert "1 failed, 1 passed" in printed
        assert "Run this test again with --seed=7" in printed


@pytest.mark.slow
def test_runs_repeat_each_other_unless_a_fresh_seed_is_wanted(tmp_path):
    # Two runs draw the same of 2**31 seeds by chance once in two thousand million.
    (tmp_path / "test_it.py").write_text(
        "import numpy as np\n"
        "def test_it(seed): assert False, f'drawn {np.random.random()}'\n"
    )
    for options, n_seeds in ((), 1), (["--seed=fresh"], 2):
        printed = [run_pytest(tmp_path, *options) for _ in range(2)]
        assert len({one.split("--seed=")[1].split()[0] for one in printed}) == n_seeds
        assert (
            len({one.split("Error: drawn ")[1].split()[0] for one in printed})
            == n_seeds
        )


def test_missing_data_is_a_skip_with_its_reason(tmp_path, monkeypatch):
    (tmp_path / "test_it.py").write_text("def test_it(shared_data): pass\n")
    monkeypatch.setenv("MANYMINDS_DATA", str(tmp_path / "nowhere"))
    printed = run_pytest(tmp_path)
    assert "1 skipped" in printed
    assert "set MANYMINDS_DATA" in printed
    monkeypatch.setenv("MANYMINDS_DATA", str(tmp_path))
    assert "1 passed" in run_pytest(tmp_path)

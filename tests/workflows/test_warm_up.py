"""A warm-up compiles what later processes then load."""

import json
import os
import subprocess
import sys

import numba
import numpy as np
import pandas as pd
import pytest

from manyminds.kernels._jit import kernel
from manyminds.utils.errors import InputError, ParameterError, WriteError
from manyminds.workflows import run_warm_up
from manyminds.workflows.warm_up import _find_folder
from manyminds.workflows.warm_up_calls import Fit

# Two groups that compile within seconds and share no kernel.
FEW = """
import json
from manyminds.workflows.warm_up import run_warm_up
from manyminds.workflows.warm_up_calls import WAVES

def few():
    return [{name: WAVES[0][name] for name in ("projections", "separability")}]

def describe(result):
    new = {one.name: one.n_new for one in result.kernels if one.n_new}
    return [new, result.n_cached, result.compile_seconds, str(result.folder)]
"""
WARM_UP = """
if __name__ == "__main__":
    seen = []
    result = run_warm_up(waves=few(), n_jobs=2, on_progress=seen.append)
    calls = [[one.done, one.total] for one in seen]
    print(json.dumps([*describe(result), calls, len(result.cold)]))
"""
USE = """
import numpy as np
import pandas as pd
from manyminds.ensemble import RpBoostClassifier
from manyminds.feature_selection import SSVSelector
from manyminds.kernels._jit import time_compiling

X = np.random.default_rng(1).normal(size=(80, 7))
y = (X[:, 0] > 0.3).astype(int) + (X[:, 1] > 0)
with time_compiling() as clock:
    for table in X, pd.DataFrame(X).add_prefix("x"):
        RpBoostClassifier(3, random_state=0).fit(table, y).predict(table)
        SSVSelector(2).fit(table, y).transform(table)
print(json.dumps([clock.seconds, *describe(run_warm_up(waves=few()))]))
"""


def run(code, folder):
    """Run code in a new process with a cache of its own; return what it prints."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")}
    env |= {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"}
    env.pop("NUMBA_DISABLE_JIT", None)
    script = folder / "script.py"  # processes of loky import it
    script.write_text(FEW + code)
    done = subprocess.run(
        [sys.executable, str(script)], env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_a_process_after_the_warm_up_compiles_nothing(tmp_path):
    new, n_cached, seconds, folder, calls, n_cold = run(WARM_UP, tmp_path)
    # For an array, and for that of a frame, which is read-only from pandas 3 on.
    is_writable = np.asarray(pd.DataFrame([[0.0]])).flags.writeable
    assert new["stumps.add_stumps"] == (1 if is_writable else 2)
    assert new["separability.score_columns"] == 1
    assert n_cached == sum(new.values()) and seconds > 0.0
    assert folder == str(tmp_path / "cache")
    assert calls == [[1, 2], [2, 2]]
    assert n_cold > 10  # of the kernels that the two groups do not need

    seconds, *again = run(USE, tmp_path)
    assert seconds == 0.0
    assert again == [{}, n_cached, 0.0, folder]


def test_a_failed_call_does_not_stop_the_others():
    bad = Fit("trees.MDLTreeClassifier", parameters={"max_bins": 1})
    good = Fit("feature_selection.SSVSelector", ("numbers",))
    seen = []
    result = run_warm_up(
        waves=[{"bad": [bad], "good": [good]}], on_progress=seen.append
    )
    assert not result.succeeded
    assert "max_bins" in result.failures.pop("trees.MDLTreeClassifier")
    assert not result.failures
    assert [(one.done, one.failed) for one in seen] == [(1, 1), (2, 1)]
    cached = {one.name for one in result.kernels if one.n_cached}
    assert "separability.score_columns" in cached


def test_wrong_numbers_of_jobs_are_refused():
    with pytest.raises(ParameterError, match="n_jobs must be from 1 to 1024"):
        run_warm_up(n_jobs=0)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="is about compiling")
def test_without_a_folder_for_the_cache_there_is_an_error(monkeypatch):
    # Numba has no place for a function without a file, unless the user sets one.
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    namespace = {"__name__": "nowhere"}
    exec("def double(x):\n    return 2 * x", namespace)
    with pytest.raises(WriteError, match="Set NUMBA_CACHE_DIR to a folder that can"):
        _find_folder({"double": kernel()(namespace["double"])})


def test_without_a_compiler_there_is_an_error(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    with pytest.raises(InputError, match="NUMBA_DISABLE_JIT is set"):
        run_warm_up()


def test_a_cache_elsewhere_is_noted(monkeypatch):
    # Numba goes on to the next folder if it cannot write the one of the user.
    wanted = os.path.join(os.sep, "no", "such", "folder")
    monkeypatch.setattr(numba.config, "CACHE_DIR", wanted)
    result = run_warm_up(waves=[])
    assert f"NUMBA_CACHE_DIR={wanted} cannot be written" in result.note
    assert str(result.folder) in result.note
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(result.folder))
    assert run_warm_up(waves=[]).note == ""

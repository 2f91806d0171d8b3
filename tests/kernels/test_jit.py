"""Kernels and their cache on disk."""

import os
import subprocess
import sys
from pathlib import Path

import manyminds

SOURCE = """
from typing import NamedTuple
from manyminds.kernels._jit import kernel

class {name}(NamedTuple):
    value: float

@kernel(nogil=True)
def double(pair):
    return 2.0 * pair.value

print(double({name}(21.0)), sum(double.stats.cache_misses.values()))
"""


def test_a_cache_that_names_a_class_that_is_gone_is_made_anew(tmp_path):
    # What an upgrade may leave behind: Numba itself raises AttributeError here.
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    env["PYTHONPATH"] = str(Path(manyminds.__file__).parents[1])
    env.pop("NUMBA_DISABLE_JIT", None)
    script = tmp_path / "module_of_kernels.py"
    said = []
    for name in ("Before", "After", "After"):
        script.write_text(SOURCE.format(name=name))
        os.utime(script, (1_700_000_000, 1_700_000_000))  # Numba looks at the time
        run = [sys.executable, "-c", "import module_of_kernels"]
        found = subprocess.run(
            run, cwd=tmp_path, env=env, capture_output=True, text=True, check=True
        )
        said.append(found.stdout.split())
    assert said == [["42.0", "1"], ["42.0", "1"], ["42.0", "0"]]

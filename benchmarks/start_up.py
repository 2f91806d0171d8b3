"""Seconds that a new process spends before and besides growing trees.

``cold_compile`` and ``warm_start`` start processes that run this file.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

MODULES = {"manyminds": "manyminds.ensemble", "scikit-learn": "sklearn.ensemble"}


def cold_compile(folder):
    """Seconds to compile with an empty cache, and how many the processor worked.

    They are of the first fit and predict less the second, classifier and regressor
    added. Where the machine does other work meanwhile, the processor's are the fairer.
    """
    with tempfile.TemporaryDirectory() as cache:
        environment = dict(os.environ, NUMBA_CACHE_DIR=cache)
        printed = _run_here("compile", folder, environment)
    return json.loads(printed.strip().splitlines()[-1])


def warm_start(folder, repeats=5):
    """Median wall seconds, by library, of a process that imports and fits once."""
    for library in MODULES:  # fills the disk caches, and is not counted
        _run_here(library, folder)
    seconds = {library: [] for library in MODULES}
    for _ in range(repeats):
        for library, walls in seconds.items():
            start = time.perf_counter()
            _run_here(library, folder)
            walls.append(time.perf_counter() - start)
    return {library: statistics.median(walls) for library, walls in seconds.items()}


def _run_here(job, folder, environment=None):
    command = [sys.executable, __file__, job, str(folder)]
    done = subprocess.run(
        command, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


def _fit_once(library, X, y):
    """What the process of a warm start does."""
    ensemble = import_module(MODULES[library])
    ensemble.RandomForestClassifier(100, n_jobs=2, random_state=0).fit(X, y)


def _print_compile_seconds(X, y):
    """What the process of a cold start does: each call twice, the difference."""
    ensemble = import_module(MODULES["manyminds"])
    wall = worked = 0.0
    for kind in ("Classifier", "Regressor"):
        forest = getattr(ensemble, f"RandomForest{kind}")(100, n_jobs=2, random_state=0)
        target = y if kind == "Classifier" else X[:, 0]
        first = _time_fit_predict(forest, X, target)
        second = _time_fit_predict(forest, X, target)
        wall += first[0] - second[0]
        worked += first[1] - second[1]
    print(json.dumps([wall, worked]))


def _time_fit_predict(forest, X, y):
    wall, worked = time.perf_counter(), time.process_time()
    forest.fit(X, y).predict(X)
    return time.perf_counter() - wall, time.process_time() - worked


if __name__ == "__main__":
    import numpy as np

    job, folder = sys.argv[1], Path(sys.argv[2])
    X, y = np.load(folder / "X.npy"), np.load(folder / "y.npy")
    if job == "compile":
        _print_compile_seconds(X, y)
    else:
        _fit_once(job, X, y)

"""Time one library on one data folder and print the figures as a line of JSON.

A process of its own for each library: nothing that another library has loaded,
allocated or set up can speed it up or slow it down.
"""

import argparse
import json
import resource
import sys
import time
from importlib import import_module
from pathlib import Path

import numpy as np

from rows import read_rows

FAST_ENOUGH = 1.0  # seconds: calls go on until they add up to this much ...
MAX_CALLS = 50  # ... or are this many


def main():
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module", help="with a dict PEERS of libraries")
    parser.add_argument("library", help="a key of that dict")
    parser.add_argument("folder", type=Path, help="what write_rows has written")
    parser.add_argument("--task", required=True)
    parser.add_argument("--trees", type=int, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--patience", type=float, default=180.0)
    parser.add_argument("--max-leaves", type=int)
    parser.add_argument(
        "--held-out",
        action="store_true",
        help="predict held-out rows, not those of fit",
    )
    parser.add_argument(
        "--only-warm", action="store_true", help="load and compile, measure nothing"
    )
    options = parser.parse_args()
    try:
        figures = measure(options)
    except Exception as error:  # any failure of a peer is a line in the table
        first_line = str(error).strip().split("\n")[0]
        figures = {"error": f"{type(error).__name__}: {first_line[:80]}"}
    sys.stdout.flush()
    print("\n" + json.dumps(figures))


def measure(options):
    """Warm up, then time fit and predict; return all figures in a dict."""
    X, y, X_test, y_test = read_rows(options.folder)
    peer = import_module(options.module).PEERS[options.library]
    size = (options.trees, options.threads, options.max_leaves)
    warm_up(peer(options.task, 5, options.threads), X, y)
    if options.only_warm:
        return {}
    model = peer(options.task, *size)
    rows = X_test if options.held_out else X

    before = peak_memory()
    limits = (options.repeats, options.patience)
    fit_seconds = time_calls(lambda: fit_afresh(model, X, y), *limits)
    rise = peak_memory() - before
    predict_seconds = time_calls(lambda: model.predict(rows), *limits)
    peak = peak_memory()
    leaves, depth = model.tree_shape()
    return {
        "fit": float(np.median(fit_seconds)),
        "predict": float(np.median(predict_seconds)),
        "n_fits": len(fit_seconds),
        "score": model.score(y_test, model.predict(X_test)),
        "leaves": leaves and float(leaves),
        "depth": depth and float(depth),
        "peak_mb": peak,
        "rise_mb": rise,
        "remark": model.remark(),
        "settings": model.settings(),
    }


def warm_up(model, X, y):
    """One small fit and predict, so that everything is loaded and compiled."""
    part = slice(0, min(400, len(X)))
    model.fit(X[part], y[part])
    model.predict(X[part])


def fit_afresh(peer, X, y):
    """Fit again, without the last model in memory beside the new one."""
    peer.model = None
    peer.fit(X, y)


def time_calls(call, repeats, patience):
    """Seconds of each call: ``repeats`` of them, more where they are short.

    Once the calls have taken ``patience`` seconds together, there are no more.
    """
    seconds = []
    while len(seconds) < repeats or (
        sum(seconds) < FAST_ENOUGH and len(seconds) < MAX_CALLS
    ):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
        if sum(seconds) > patience:
            break
    return seconds


def peak_memory():
    """Most resident memory this process has had so far, in MB.

    On Linux the figure of ``getrusage`` begins with that of the process which
    started this one, so the memory map's own high-water mark is preferred.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    per_mb = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / per_mb


if __name__ == "__main__":
    main()

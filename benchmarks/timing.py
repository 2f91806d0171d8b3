"""Run the functions ``bench_*`` of a file: ``python benchmarks/bench_forests.py``.

Such a function takes ``benchmark`` and calls it once, as with pytest-benchmark's
fixture of that name, so the files run under that plug-in as well.
"""

import statistics
import sys
import time


def benchmark(function, *args):
    """Call once to compile, then print the median time of five calls or more."""
    result = function(*args)
    seconds = []
    while len(seconds) < 5 or (sum(seconds) < 0.5 and len(seconds) < 50):
        start = time.perf_counter()
        function(*args)
        seconds.append(time.perf_counter() - start)
    print(f"{1e3 * statistics.median(seconds):12.3f} ms, median of {len(seconds)}")
    return result


def run_all(functions, chosen=None):
    """Run the benchmarks among ``functions`` whose names contain ``chosen``."""
    chosen = sys.argv[1] if chosen is None and len(sys.argv) > 1 else chosen or ""
    for name, function in functions.items():
        if name.startswith("bench_") and chosen in name:
            print(f"{name:45s}", end="", flush=True)
            function(benchmark)

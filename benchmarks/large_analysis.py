"""Analyses that compare all pairs of rows, on a million rows: time, memory, error.

    python benchmarks/large_analysis.py [part of a case, e.g. complexity]
        [--store FILE.jsonl] [--out FILE.md] [--rows 1000000] [--small 20000]

Each analysis runs twice on ``--small`` rows, over all pairs and on drawn rows, which
gives the error of the drawn rows; then on ``--rows`` rows on drawn rows only. Rows have
20 numbers in two classes. Every measurement is a process of its own: its peak memory
includes that of Python, the libraries and the table. Seconds of the processor are given
beside those of the clock, since the clock also counts what other processes take.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification

from machine import describe_machine, markdown_table

N_COLUMNS, N_JOBS = 20, 2
REMARKS = """
Drawn rows: 5,000 and 10,000 for complexity, 1,000 for NRBF, 5,000 and 20,000 for the
distance correlation, 4,000 for neighbors. The proximity graph draws nothing: it has the
ten highest proximities of each row, and its error is that of the tenth. Time is that of
a forest of 30 trees, each of a tenth of the rows, and of the graph.
"""


def measure_complexity(X, y, exact):
    from manyminds.analysis import MultiResolutionComplexity

    size = None if exact else min(10_000, len(X) // 4)
    model = MultiResolutionComplexity(max_samples=size, n_jobs=N_JOBS, random_state=0)
    model.fit(X, y)
    return model.mri_, model.mri_std_errors_


def measure_nrbf(X, y, exact):
    from manyminds.learners import NRBFClassifier

    size = None if exact else 1_000
    model = NRBFClassifier(max_samples=size, n_jobs=N_JOBS, random_state=0).fit(X, y)
    return model.loo_errors_, model.loo_std_errors_


def measure_distance(X, y, exact):
    from manyminds.analysis import estimate_correlation_score

    size = len(X) if exact else min(20_000, len(X) // 4)
    score = estimate_correlation_score(X, y, max_samples=size, random_state=0)
    return [score.value], [score.std_error]


def measure_disagreement(X, y, exact):
    from manyminds.analysis import estimate_disagreement

    size = len(X) if exact else min(4_000, len(X) // 4)
    score = estimate_disagreement(X, y, max_samples=size, random_state=0, n_jobs=N_JOBS)
    return [score.value], [score.std_error]


def measure_proximity(X, y, exact):
    """Return the proximities to the tenth neighbor, without the time of the forest."""
    from manyminds.ensemble import forest_neighbors, forest_proximity

    forest = grow(X, y)
    if not exact:
        graph = forest_neighbors(forest, X, n_neighbors=10)
        tenth = np.zeros(len(X))
        full = np.flatnonzero(np.diff(graph.indptr) == 10)
        tenth[full] = np.minimum.reduceat(graph.data, graph.indptr[:-1])[full]
        return tenth, np.zeros(len(X))
    near = forest_proximity(forest, X)
    np.fill_diagonal(near, 0.0)
    near.partition(len(X) - 10, axis=1)
    return near[:, len(X) - 10], np.zeros(len(X))


def grow(X, y):
    from manyminds.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(30, max_samples=0.1, n_jobs=N_JOBS, random_state=0)
    return forest.fit(X, y)


CASES = {
    "complexity (MRI)": measure_complexity,
    "NRBF: leave-one-out errors of widths": measure_nrbf,
    "distance correlation": measure_distance,
    "mean disagreement of neighbors": measure_disagreement,
    "forest and its proximity graph": measure_proximity,
}


def main():
    options = parse_arguments()
    if options.run:
        return print(json.dumps(run(*options.run)))
    done = read_store(options.store)
    for case in CASES:
        for n_rows, mode in plan(options):
            key = (case, n_rows, mode)
            if options.part not in case or key in done:
                continue
            done[key] = start(key)
            with options.store.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"key": key, "result": done[key]}) + "\n")
    text = write_report(done)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--small", type=int, default=20_000)
    parser.add_argument("--store", type=Path, default=Path("large_analysis.jsonl"))
    parser.add_argument("--out", type=Path)
    parser.add_argument("--run", nargs=3, help=argparse.SUPPRESS)
    return parser.parse_args()


def plan(options):
    small, large = options.small, options.rows
    return [(small, "exact"), (small, "drawn"), (large, "drawn")]


def start(key):
    """Measure in a process of its own."""
    command = [sys.executable, __file__, "--run", *map(str, key)]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(found.stdout.strip().splitlines()[-1])


def run(case, n_rows, mode):
    """Return seconds, memory and result of one case; kernels are compiled before."""
    X, y = draw(int(n_rows))
    CASES[case](X[:2000], y[:2000], mode == "exact")
    clock, cpu = time.perf_counter(), time.process_time()
    values, std_errors = CASES[case](X, y, mode == "exact")
    return {
        "clock": time.perf_counter() - clock,
        "cpu": time.process_time() - cpu,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "mean": float(np.mean(values)),
        "std_error": float(np.mean(std_errors)),
        # Enough to compare with: the first values, which are those of the same rows.
        "values": np.asarray(values)[:2000].tolist(),
        "std_errors": np.asarray(std_errors)[:2000].tolist(),
    }


def draw(n_rows):
    return make_classification(
        n_rows, N_COLUMNS, n_informative=8, flip_y=0.1, random_state=0
    )


def read_store(path):
    if not path.exists():
        return {}
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {tuple(line["key"]): line["result"] for line in lines}


def write_report(done):
    head = ("analysis", "rows", "pairs", "clock, s", "processor, s", "memory, GB")
    head += ("mean", "standard error", "error against exact", "within 2 s.e.")
    rows = []
    for (case, n_rows, mode), found in done.items():
        exact = done.get((case, n_rows, "exact"))
        error, within = compare(found, exact) if mode == "drawn" and exact else ("", "")
        figures = [f"{found[name]:.1f}" for name in ("clock", "cpu", "memory")]
        std_error = f"{found['std_error']:.4f}" if mode == "drawn" else ""
        mean = f"{found['mean']:.4f}"
        mode = "all" if mode == "exact" else "drawn"
        rows.append(
            [case, f"{n_rows:,}", mode, *figures, mean, std_error, error, within]
        )
    machine = describe_machine(("manyminds", "scikit-learn", "numba"))
    about = " ".join(__doc__.split("\n\n")[2].split())
    table = markdown_table(head, rows)
    title = "# Analyses of all pairs on large tables"
    return "\n\n".join([title, machine, about, table, REMARKS.strip()]) + "\n"


def compare(found, exact):
    """Return the root mean squared error, and how often it is within its bars."""
    error = np.array(found["values"]) - np.array(exact["values"])
    within = np.abs(error) <= 2.0 * np.array(found["std_errors"]) + 1e-12
    return f"{np.sqrt(np.mean(error**2)):.4f}", f"{within.mean():.0%}"


if __name__ == "__main__":
    main()

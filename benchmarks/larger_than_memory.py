"""Fit models to Parquet files of growing length: time, peak memory, slope.

    python benchmarks/larger_than_memory.py --folder DIR [--rows 10000,100000,1000000]
        [--columns 30] [--peers NAMES] [--rounds 20] [--max-memory-mb MB]
        [--store FILE.jsonl] [--out FILE.md]

The tables have columns of numbers and two classes. Every fit runs in a process of
its own, on two threads, after a small fit that loads and compiles. "file" reads the
Parquet file by ParquetTable, "memory" reads it whole by pandas first. LightGBM reads
it through a Sequence, XGBoost in batches into an ExtMemQuantileDMatrix, whose pages are
on disk: the mode that the documentation of each recommends for tables in files. Time
includes reading; seconds of the processor are those of all threads, and do not count
what other processes take. The rise is the peak of resident memory during the fit less
that before it; memory-mapped pages count. The slope is that of the logarithm of the
seconds over the logarithm of the rows, from 100,000 rows on: 1 is linear. A fit that
the store has is not run again.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from machine import describe_machine, markdown_table
from measure import peak_memory
from side_by_side import names_among, save, seconds

BATCH_ROWS = 200_000
MIN_SLOPE_ROWS = 100_000
COLUMNS = []  # names, as many as asked for


def main():
    """Measure each library on each length; print the table and keep it."""
    options = parse_arguments()
    COLUMNS[:] = [f"x{j}" for j in range(options.columns)]
    if options.child:
        print("\n" + json.dumps(measure(options)))
        return
    results = read_store(options.store)
    for n_rows in options.rows:
        file = write_table(options.folder, n_rows)
        for name in options.peers:
            key = (name if options.max_memory_mb is None else f"{name}, mapped", n_rows)
            if key not in results:
                results[key] = run_child(name, file, options)
                print(*key, json.dumps(results[key]), file=sys.stderr)
                append(options.store, key, results[key])
            save(options.out, report(options, results))
    print(report(options, results))


def read_store(path):
    """Figures by library and number of rows, of this run and earlier ones."""
    if path is None or not path.exists():
        return {}
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {tuple(line["key"]): line["figures"] for line in lines}


def append(path, key, figures):
    """Add a line to the store, if there is one."""
    if path is not None:
        with path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"key": key, "figures": figures}) + "\n")


def parse_arguments():
    """The command line, with lists already split and checked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--folder", type=Path, required=True, help="for the Parquet files")
    add("--rows", type=split_numbers, default=[10_000, 100_000, 1_000_000])
    add("--columns", type=int, default=30, help="ten or more")
    add("--peers", type=names_among(PEERS), default=list(PEERS))
    add("--rounds", type=int, default=20, help="of boosting")
    add("--trees", type=int, default=5, help="of forests")
    add("--threads", type=int, default=2)
    add("--max-memory-mb", type=int, help="beyond it, bins are mapped from a file")
    add("--timeout", type=float, default=3600)
    add("--store", type=Path, help="keep figures here, and go on from there")
    add("--out", type=Path, help="also write the table to this file")
    add("--child", help=argparse.SUPPRESS)
    add("--file", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def split_numbers(text):
    """Numbers such as 2e7, separated by commas."""
    return [int(float(number)) for number in text.split(",")]


# ---------------------------------------------------------------- tables


def write_table(folder, n_rows):
    """Write a table batch by batch, unless it is there; return its file."""
    from manyminds.datasets import ParquetTable

    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"rows_{n_rows}_of_{len(COLUMNS)}.parquet"
    if not file.exists():
        ParquetTable.from_batches(file, draw_batches(n_rows), target="y")
    return file


def draw_batches(n_rows, seed=0):
    """Yield dataframes: ten columns matter, alone, in pairs and by a sine."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    for first in range(0, n_rows, BATCH_ROWS):
        X = rng.normal(size=(min(BATCH_ROWS, n_rows - first), len(COLUMNS)))
        odds = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3.0 * X[:, 3]) + X[:, 4:10].sum(1)
        y = rng.random(len(X)) < 1.0 / (1.0 + np.exp(-odds))
        yield pd.DataFrame(X, columns=COLUMNS).assign(y=y.astype(np.int64))


# ---------------------------------------------------------------- libraries


def open_table(file, options):
    from manyminds.datasets import ParquetTable

    limit = options.max_memory_mb
    limit = None if limit is None else limit * 2**20
    table = ParquetTable(file, target="y", max_memory=limit)
    return table, table.read_target()


def read_whole(file, options):
    import pandas as pd

    frame = pd.read_parquet(file)
    return frame[COLUMNS], frame["y"]


def fit_ours(name, read, **parameters):
    """A function that fits one of our classifiers to what ``read`` returns."""

    def fit(file, options):
        from manyminds import ensemble

        size = {"max_iter": options.rounds}
        if not name.startswith("GradientBoosting"):
            size = {"n_estimators": options.trees}
        model = getattr(ensemble, name)(
            **size, **parameters, n_jobs=options.threads, random_state=0
        )
        return model.fit(*read(file, options)).predict

    return fit


def boost_lightgbm(file, options):
    """A Sequence gives rows of the file: LightGBM samples, then reads in batches."""
    import lightgbm
    import pyarrow.parquet as pq

    class Rows(lightgbm.Sequence):
        def __init__(self):
            self.file = pq.ParquetFile(file)
            groups = range(self.file.num_row_groups)
            sizes = [self.file.metadata.row_group(g).num_rows for g in groups]
            self.starts = np.concatenate([[0], np.cumsum(sizes)])
            self.batch_size, self.group, self.rows = BATCH_ROWS, -1, None

        def __len__(self):
            return int(self.starts[-1])

        def __getitem__(self, at):
            if isinstance(at, slice):
                return np.concatenate(
                    list(self.read(at.start or 0, min(at.stop, len(self))))
                )
            return next(self.read(int(at), int(at) + 1))[0]

        def read(self, first, stop):
            while first < stop:
                group = int(np.searchsorted(self.starts, first, "right")) - 1
                if group != self.group:
                    table = self.file.read_row_group(group, COLUMNS)
                    self.group, self.rows = group, table.to_pandas().to_numpy()
                start, end = self.starts[group], min(stop, self.starts[group + 1])
                yield self.rows[first - start : end - start]
                first = int(end)

    y = pq.read_table(file, columns=["y"])["y"].to_numpy()
    parameters = {
        "objective": "binary",
        "num_threads": options.threads,
        "lambda_l2": 1.0,
        "verbose": -1,
    }
    data = lightgbm.Dataset(Rows(), y, params=parameters)
    model = lightgbm.train(parameters, data, options.rounds)
    return lambda X: model.predict(X) > 0.5


def boost_xgboost(file, options):
    """Pages of bins in files of a temporary folder."""
    import pyarrow.parquet as pq
    import xgboost

    class Batches(xgboost.DataIter):
        def __init__(self, folder):
            self.batches = None
            super().__init__(cache_prefix=str(Path(folder) / "cache"))

        def reset(self):
            self.batches = pq.ParquetFile(file).iter_batches(BATCH_ROWS)

        def next(self, input_data):
            batch = next(self.batches, None)
            if batch is None:
                return False
            frame = batch.to_pandas()
            input_data(data=frame[COLUMNS].to_numpy(), label=frame["y"])
            return True

    parameters = {
        "objective": "binary:logistic",
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_leaves": 31,
        "max_depth": 0,
        "max_bin": 255,
        "eta": 0.1,
        "nthread": options.threads,
    }
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        data = xgboost.ExtMemQuantileDMatrix(
            Batches(folder), max_bin=255, nthread=options.threads
        )
        model = xgboost.train(parameters, data, options.rounds)
    return lambda X: model.inplace_predict(X) > 0.5


ROUNDS = {
    "early_stopping": False,
    "learning_rate": 0.1,
    "max_features": None,
    "subsample": 1.0,
}
LEAVES = {"min_samples_leaf": 20}
PEERS = {
    "boosting file": fit_ours("GradientBoostingClassifier", open_table, **ROUNDS),
    "boosting memory": fit_ours("GradientBoostingClassifier", read_whole, **ROUNDS),
    "forest file": fit_ours("RandomForestClassifier", open_table, **LEAVES),
    "extra-trees file": fit_ours("ExtraTreesClassifier", open_table, **LEAVES),
    "LightGBM Sequence": boost_lightgbm,
    "XGBoost external": boost_xgboost,
}


# ---------------------------------------------------------------- measuring


def run_child(name, file, options):
    """Measure a fit in a process of its own; a failure is a figure, too."""
    command = [sys.executable, __file__, "--folder", str(options.folder)]
    command += ["--child", name, "--file", str(file), "--rounds", str(options.rounds)]
    command += ["--trees", str(options.trees), "--threads", str(options.threads)]
    command += ["--columns", str(options.columns)]
    if options.max_memory_mb is not None:
        command += ["--max-memory-mb", str(options.max_memory_mb)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=options.timeout
        )
    except subprocess.TimeoutExpired:
        return {"error": f"not finished after {options.timeout:.0f} s"}
    if done.returncode:
        last = (done.stderr.strip() or "no message").splitlines()[-1]
        return {"error": last[:80]}
    return json.loads(done.stdout.strip().splitlines()[-1])


def measure(options):
    """Fit a small table, then this one; return seconds, peak, rise and accuracy."""
    fit = PEERS[options.child]
    fit(write_table(options.folder, 2_000), options)
    before, start, cpu = peak_memory(), time.perf_counter(), time.process_time()
    predict = fit(options.file, options)
    figures = {"seconds": time.perf_counter() - start, "peak": peak_memory()}
    figures["processor"] = time.process_time() - cpu
    test = next(draw_batches(20_000, seed=1))
    right = predict(test[COLUMNS]) == test["y"]
    return {**figures, "rise": figures["peak"] - before, "accuracy": right.mean()}


def report(options, results):
    """The table as Markdown."""
    packages = ["numpy", "manyminds", "pyarrow", "lightgbm", "xgboost-cpu"]
    header = ["library", "rows", "fit s", "processor s", "peak MB", "rise MB"]
    names = list(dict.fromkeys(name for name, _ in results))
    order = sorted(results, key=lambda key: (names.index(key[0]), key[1]))
    rows = [table_row(*key, results[key]) for key in order]
    slopes = [
        [name, *(find_slope(name, results, kind) for kind in ("seconds", "processor"))]
        for name in names
    ]
    return "\n\n".join(
        [
            "# Fits of tables in files",
            describe_machine(packages),
            f"{len(COLUMNS)} columns, {options.rounds} rounds of 31 leaves, forests of "
            f"{options.trees} trees with 20 rows or more in a leaf, {options.threads} "
            "threads; one fit each.",
            markdown_table([*header, "bytes per cell", "accuracy"], rows),
            "## Slope of log seconds over log rows, from 100,000 rows on",
            markdown_table(["library", "of the clock", "of the processor"], slopes)
            + "\n",
        ]
    )


def table_row(name, n_rows, figures):
    """Figures of one fit, or why there are none."""
    if "error" in figures:
        return [name, f"{n_rows:,}", figures["error"], "-", "-", "-", "-", "-"]
    per_cell = figures["rise"] * 2**20 / (n_rows * len(COLUMNS))
    return [
        name,
        f"{n_rows:,}",
        seconds(figures["seconds"]),
        seconds(figures["processor"]),
        f"{figures['peak']:,.0f}",
        f"{figures['rise']:,.0f}",
        f"{per_cell:.1f}",
        f"{100 * figures['accuracy']:.2f}",
    ]


def find_slope(name, results, kind):
    """Slope of these seconds on the long tables; "-" with fewer than two of them."""
    points = [
        (n_rows, figures[kind])
        for (other, n_rows), figures in results.items()
        if other == name and n_rows >= MIN_SLOPE_ROWS and kind in figures
    ]
    if len(points) < 2:
        return "-"
    return f"{np.polyfit(*np.log(points).T, 1)[0]:.2f}"


if __name__ == "__main__":
    main()

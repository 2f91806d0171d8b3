"""Search a model for a made-up table of a million rows: time, memory and quality.

    python benchmarks/million_rows.py --folder DIR [--rows 1000000] [--budget 120]
        [--format csv] [--system ours] [--store FILE.jsonl] [--out FILE.md]

The table has 20 numbers, 10 categories of 3 to 200 levels, missing values in a third of
the columns, and two classes whose log odds are known: the log loss of the truth is the
best that any model can have. ``ours`` is the whole command from file to report, and
then ``manyminds predict`` of 100,000 new rows; ``flaml`` reads the same file and fits
for the same seconds. Peak memory is that of the process and its children, sampled ten
times a second (resident, shared pages counted once for each).
"""

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import psutil

from machine import describe_machine, markdown_table

N_NUMBERS, N_CATEGORIES, N_TEST = 20, 10, 100_000
LEVELS = (3, 4, 5, 8, 12, 20, 30, 60, 120, 200)


def main():
    options = parse_arguments()
    train, test = write_tables(options)
    done = read_store(options.store)
    key = (options.system, options.format, options.rows, options.budget)
    if key not in done:
        run = {"ours": run_ours, "flaml": run_flaml}[options.system]
        done[key] = run(train, test, options)
        with options.store.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"key": key, "result": done[key]}) + "\n")
    text = write_report(done)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True, help="for the tables")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--budget", type=float, default=120.0)
    parser.add_argument("--format", choices=("csv", "parquet"), default="csv")
    parser.add_argument("--system", choices=("ours", "flaml"), default="ours")
    parser.add_argument("--store", type=Path, default=Path("million_rows.jsonl"))
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def draw_table(n_rows, seed):
    """Draw rows; return them with the probability of the second class."""
    rng, layout = np.random.default_rng(seed), np.random.default_rng(0)
    numbers = rng.normal(size=(n_rows, N_NUMBERS))
    odds = 1.2 * numbers[:, 0] - numbers[:, 1] * numbers[:, 2]
    odds += np.sin(2.0 * numbers[:, 3]) + 0.7 * np.abs(numbers[:, 4])
    table = {f"x{place}": numbers[:, place] for place in range(N_NUMBERS)}
    for place, n_levels in enumerate(LEVELS):
        codes = (n_levels * rng.random(n_rows) ** 1.5).astype(int)
        effects = layout.normal(size=n_levels) * (0.6 if place % 2 else 0.0)
        odds += effects[codes]
        names = np.array([f"level {code}" for code in range(n_levels)])
        table[f"c{place}"] = names[codes]
    frame = pd.DataFrame(table)
    for place in range(0, N_NUMBERS, 3):  # at random, after the effect
        frame.loc[rng.random(n_rows) < 0.1, f"x{place}"] = np.nan
    share = 1.0 / (1.0 + np.exp(-odds))
    frame["target"] = np.where(rng.random(n_rows) < share, "yes", "no")
    return frame, share


def write_tables(options):
    """Write training and test rows, once."""
    paths = []
    for part, n_rows, seed in (("train", options.rows, 1), ("test", N_TEST, 2)):
        path = options.folder / f"{part}-{n_rows}.{options.format}"
        if not path.exists():
            frame, share = draw_table(n_rows, seed)
            write = frame.to_csv if options.format == "csv" else frame.to_parquet
            write(path, index=False)
            np.save(path.with_suffix(".npy"), share)
        paths.append(path)
    return paths


def run_ours(train, test, options):
    out = options.folder / f"found-{time.time():.0f}"
    search = [
        sys.executable, "-m", "manyminds", "search", str(train), "--target", "target",
        "--metric", "log_loss", "--budget", f"{options.budget:g}s", "--out", str(out),
    ]  # fmt: skip
    seconds, memory = watch(search)
    predictions = out / "predictions-of-test.csv"
    predict = [
        sys.executable, "-m", "manyminds", "predict", str(out), str(test), "--out",
        str(predictions),
    ]  # fmt: skip
    predict_seconds, _ = watch(predict)
    made = pd.read_csv(predictions)
    name = next(one for one in made if one.endswith("yes"))
    trace = pd.read_csv(out / "trace.csv")
    loss, best = measure(made[name].to_numpy(), test)
    return {
        "seconds": round(seconds, 1), "memory": round(memory, 2), "loss": loss,
        "truth": best, "predict": round(predict_seconds, 1), "trials": len(trace),
    }  # fmt: skip


def run_flaml(train, test, options):
    code = Path(__file__).with_name("million_rows_peer.py")
    out = options.folder / "flaml.npy"
    command = [sys.executable, str(code), str(train), str(test), str(options.budget)]
    seconds, memory = watch([*command, str(out)])
    loss, best = measure(np.load(out), test)
    return {
        "seconds": round(seconds, 1), "memory": round(memory, 2), "loss": loss,
        "truth": best,
    }  # fmt: skip


def measure(made, test):
    """Log loss of predictions, and of the true probabilities."""
    share = np.load(test.with_suffix(".npy"))
    frame = pd.read_csv(test) if test.suffix == ".csv" else pd.read_parquet(test)
    is_yes = frame["target"].to_numpy() == "yes"
    losses = []
    for one in (made, share):
        given = np.clip(np.where(is_yes, one, 1.0 - one), 1e-7, 1.0)
        losses.append(round(float(-np.log(given).mean()), 4))
    return losses


def watch(command):
    """Run a command; return its seconds and peak memory in GB."""
    start, peak = time.monotonic(), 0.0
    process = subprocess.Popen(command, env=os.environ)
    ended = threading.Event()

    def sample():
        nonlocal peak
        while not ended.wait(0.1):
            try:
                family = [psutil.Process(process.pid)]
                family += family[0].children(recursive=True)
                peak = max(peak, sum(one.memory_info().rss for one in family) / 1e9)
            except psutil.Error:
                continue

    thread = threading.Thread(target=sample)
    thread.start()
    code = process.wait()
    ended.set()
    thread.join()
    if code:
        raise SystemExit(f"{command[:4]} ended with {code}")
    return time.monotonic() - start, peak


def read_store(file):
    if not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return {tuple(one["key"]): one["result"] for one in lines}


def write_report(done):
    lines = []
    for (system, kind, rows, budget), found in done.items():
        more = [str(found.get(name, "")) for name in ("predict", "trials")]
        lines.append(
            [system, kind, f"{rows:,}", f"{budget:g}", f"{found['seconds']:.1f}",
             f"{found['memory']:.1f}", f"{found['loss']:.4f}", f"{found['truth']:.4f}",
             *more]
        )  # fmt: skip
    header = [
        "system", "file", "rows", "budget, s", "wall time, s", "peak memory, GB",
        "log loss", "of the truth", "predict 100,000 rows, s", "trials",
    ]  # fmt: skip
    parts = [
        "# A table of a million rows, from file to report",
        describe_machine(["manyminds", "scikit-learn", "numba", "flaml", "lightgbm"]),
        markdown_table(header, lines),
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()

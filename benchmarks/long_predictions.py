"""Predict Parquet files of growing length by ``manyminds predict``: time, peak memory.

    python benchmarks/long_predictions.py --folder DIR [--rows 1000000,5000000]
        [--out FILE.md]

The tables are those of ``larger_than_memory.py``, without the target and with it: then
the command also prints a score, for which it keeps the probabilities of all rows. The
models are fitted to 10,000 rows: a forest of 20 trees and 50 rounds of boosting. Time
and peak of resident memory are those of the whole command, in a process of its own.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

from larger_than_memory import split_numbers, write_table
from machine import describe_machine, markdown_table
from side_by_side import save, seconds

# Prints the peak of its own memory, in MB, after the command has ended.
RUN = """
import sys
from measure import peak_memory
from manyminds.cli.main import main
try:
    main()
except SystemExit as end:
    if end.code:
        raise
print(peak_memory())
"""
SUFFIXES = (".csv", ".parquet")


def main():
    """Measure each model on each length and form of output; print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True, help="for all files")
    parser.add_argument("--rows", type=split_numbers, default=[1_000_000, 5_000_000])
    parser.add_argument("--out", type=Path, help="also write the table to this file")
    options = parser.parse_args()
    models, rows = save_models(options.folder), []
    for n_rows in options.rows:
        scored = write_table(options.folder, n_rows)
        files = {"no": drop_target(scored), "yes": scored}
        for name, model in models.items():
            for target, file in files.items():
                for suffix in SUFFIXES if target == "no" else SUFFIXES[-1:]:
                    out = options.folder / f"predictions{suffix}"
                    time_spent, peak = run(model, file, out)
                    size = out.stat().st_size / 2**20
                    figures = [seconds(time_spent), f"{peak:,.0f}", f"{size:,.0f}"]
                    rows.append([name, f"{n_rows:,}", target, suffix[1:], *figures])
                    save(options.out, report(rows))
    print(report(rows))


def save_models(folder):
    """Fit and save the models; return their files by name."""
    from manyminds.datasets import read_table
    from manyminds.ensemble import GradientBoostingClassifier, RandomForestClassifier
    from manyminds.persistence import save_model

    data = read_table(write_table(folder, 10_000), target="y", task="classification")
    models = {
        "forest": RandomForestClassifier(20, min_samples_leaf=5, random_state=0),
        "boosting": GradientBoostingClassifier(max_iter=50, random_state=0),
    }
    files = {}
    for name, model in models.items():
        files[name] = folder / f"{name}.skops"
        save_model(files[name], model.fit(data.X, data.y), data, target="y")
    return files


def drop_target(file):
    """Write the table without its target, unless it is there; return its file."""
    import pyarrow.parquet as pq

    from manyminds.datasets import ParquetTable

    new = file.with_name(f"features_{file.name}")
    if not new.exists():
        batches = pq.ParquetFile(file).iter_batches(200_000)
        ParquetTable.from_batches(
            new, (one.to_pandas().drop(columns="y") for one in batches)
        )
    return new


def run(model, file, out):
    """Run the command; return its seconds and the peak of its memory in MB."""
    command = [sys.executable, "-c", RUN, "predict", str(model), str(file)]
    start = time.perf_counter()
    done = subprocess.run(
        [*command, "--out", str(out)],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
    )
    return time.perf_counter() - start, float(done.stdout.splitlines()[-1])


def report(rows):
    """The table as Markdown."""
    header = ["model", "rows", "target", "output", "seconds", "peak MB", "written MB"]
    machine = describe_machine(["numpy", "manyminds", "pyarrow", "pandas"])
    about = " ".join(__doc__.split("\n\n")[2].split())
    title = "# Predictions of long files by the command"
    return "\n\n".join([title, machine, about, markdown_table(header, rows)]) + "\n"


if __name__ == "__main__":
    main()

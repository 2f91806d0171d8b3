"""Measure how soon commands start: their imports, and the first trial of a search.

    python benchmarks/command_start.py [--sources DIR,DIR] [--repeats 5] [--out FILE.md]

Each command is a process of its own, with kernels compiled before; those of several
sources of the package (folders for ``PYTHONPATH``) take turns. "processor" is the time
of the process and of those that it waited for, the fairer where the machine does other
work. The start of the first trial is read from the study: when it ended, less its
seconds. Its processor time is that of the command's own process until it sends a trial
to a worker, which is what the trial waits for.
"""

import argparse
import json
import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

from machine import describe_machine, markdown_table

SOURCE = Path(__file__).parents[1] / "src"
SEARCH = """
import sys, time
from manyminds.cli import main
from manyminds.utils.fork_server import ForkedProcess

submit, worked = ForkedProcess.submit, []

def watch(*arguments):
    worked.append(time.process_time())
    return submit(*arguments)

ForkedProcess.submit = watch
try:
    main(sys.argv[1:])
finally:
    print("worked", worked[0])
"""
RESULTS = """
SELECT t.datetime_complete, a.value_json
FROM trials t
JOIN trial_user_attributes a ON a.trial_id = t.trial_id AND a.key = 'result'
WHERE t.datetime_complete IS NOT NULL
"""


def main():
    """Measure all commands in turns, then print and write the table."""
    options = parse_arguments()
    measured = {}
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), options.sources[0])
        for repeat in range(options.repeats + 1):
            for source in options.sources:
                found = measure_all(Path(folder), source, options.budget)
                for what, values in found.items() if repeat else ():  # one to warm up
                    measured.setdefault(what, {}).setdefault(source, []).append(values)
                print(source, found, flush=True)
    text = write_report(measured, options)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--sources", type=lambda text: text.split(","), default=[str(SOURCE)]
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--budget", type=float, default=10.0)
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def prepare(folder, source):
    """Search a model to show and to predict with, and write rows to predict."""
    run(source, "-m", "manyminds", "search", "iris", "--trials", "2", "--out",
        folder / "found", "--no-report")  # fmt: skip
    code = "from manyminds.datasets import load_dataset as load; load('iris').X.head(5)"
    run(source, "-c", f"{code}.to_csv({str(folder / 'new.csv')!r}, index=False)")


def measure_all(folder, source, budget):
    """Return wall and processor seconds of each command, and the start of a search."""
    command = ("-m", "manyminds")
    words_of = {
        "import manyminds.workflows": ("-c", "import manyminds.workflows"),
        "manyminds --help": (*command, "--help"),
        "manyminds show": (*command, "show", folder / "found"),
        "manyminds predict": (
            *command, "predict", folder / "found", folder / "new.csv"
        ),
    }  # fmt: skip
    found = {what: run(source, *words)[:2] for what, words in words_of.items()}
    with tempfile.TemporaryDirectory() as place:
        started = time.time()
        out, seconds = Path(place) / "found", f"{budget:g}s"
        words = ("search", "iris", "--budget", seconds, "--out", out)
        *whole, printed = run(source, "-c", SEARCH, *words)
        first, n_trials = read_study(out / "study.sqlite")
    found["manyminds search"] = tuple(whole)
    worked = float(printed.split()[-1])
    found["first trial"] = (first - started, worked)
    found["trials"] = (n_trials, None)
    return found


def run(source, *words):
    """Run Python; return wall and processor seconds, and what it printed."""
    environment = {**os.environ, "PYTHONPATH": source}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # each start would compile modules
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(
        command, env=environment, check=True, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, worked, done.stdout


def read_study(file):
    """Return when the first trial started, and the number of trials that ended."""
    connection = sqlite3.connect(file)
    rows = connection.execute(RESULTS).fetchall()
    connection.close()
    starts = [
        datetime.fromisoformat(ended).timestamp() - json.loads(result)["seconds"]
        for ended, result in rows
        if json.loads(result).get("seconds")
    ]
    return min(starts), len(rows)


def write_report(measured, options):
    """Format medians: a column of wall and one of processor seconds per source."""
    header = ["command"]
    for place in range(len(options.sources)):
        which = f" ({place + 1})" if len(options.sources) > 1 else ""
        header += [f"wall, s{which}", f"processor, s{which}"]
    lines = []
    for what, by_source in measured.items():
        lines.append([what])
        for source in options.sources:
            for values in zip(*by_source[source], strict=True):
                is_timed = None not in values
                lines[-1].append(f"{statistics.median(values):.2f}" if is_timed else "")
    parts = [
        "# Start of commands",
        describe_machine(["manyminds", "scikit-learn", "numba", "optuna"]),
        f"Medians of {options.repeats} runs in turns, kernels compiled before. First "
        f"trial and trials: of `manyminds search iris --budget {options.budget:g}s`.",
        markdown_table(header, lines),
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()

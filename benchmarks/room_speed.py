"""Measure a room beside other libraries, and write down what was printed.

    python benchmarks/room_speed.py selection [--out FILE.md] [--only part of a command]
    python benchmarks/room_speed.py analysis [--out FILE.md]

Runs the benchmarks of this folder that have to do with the room, one after another,
each in a process of its own, and keeps their words. A library that is missing is left
out by the benchmark itself.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from machine import describe_machine

HERE = Path(__file__).parent
SELECTION = {
    "mRMR by F and correlation, 1,000 x 1,000, k=20": ["bench_mrmr.py", "square"],
    "mRMR by F and correlation, 500 x 20,000, k=50": ["bench_mrmr.py", "wide", "slow"],
    "mRMR by mutual information, 1,000 x 1,000 and 200 x 5,000, k=20": [
        "bench_mrmr.py",
        "information",
    ],
    "Ensembles of 20 mRMR, 1,000 x 1,000 and 500 x 20,000, k=20": [
        "bench_mrmr.py",
        "ensembles",
    ],
    "FCBF and CFS": ["bench_fcbf.py"],
    "Filters at the size of the challenge": ["bench_selection_filters.py"],
    "Stability, and Boruta": ["bench_stability.py"],
    "Out-of-bag permutation importance": ["bench_permutation_importance.py"],
    "Relevance by forests": ["bench_forest_relevance.py"],
    "Local relevance": ["bench_local_relevance.py"],
}
ANALYSIS = {
    "Complexity beside the direct way": ["bench_mrca.py", "direct"],
    "Complexity of many rows": ["bench_mrca.py", "many"],
    "Diversity of 500 members on 50,000 rows": ["bench_diversity.py"],
}
ROOMS = {"selection": SELECTION, "analysis": ANALYSIS}
PACKAGES = [
    "manyminds", "numpy", "scikit-learn", "mrmrs", "scikit-lego", "mrmr-selection",
    "fast-select", "fcbf", "Boruta",
]  # fmt: skip


def main():
    """Measure, print and write."""
    options = parse_arguments()
    parts = [f"# The speed of {options.room}", describe_machine(PACKAGES)]
    for title, command in ROOMS[options.room].items():
        if options.only in " ".join(command):
            print(f"{title} ...", flush=True)
            parts += [f"## {title}", listen_to(command)]
    text = "\n\n".join(parts) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("room", choices=list(ROOMS))
    parser.add_argument("--out", type=Path, help="also write the text to this file")
    parser.add_argument("--only", default="", help="a part of the commands to run")
    return parser.parse_args()


def listen_to(command):
    """The command and what it prints, as it stands."""
    script, *arguments = command
    done = subprocess.run(
        [sys.executable, str(HERE / script), *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    words = done.stdout.rstrip().replace("\n", "\n    ")
    return f"    $ python benchmarks/{' '.join(command)}\n    {words}"


if __name__ == "__main__":
    main()

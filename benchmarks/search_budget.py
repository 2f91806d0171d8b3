"""Measure the wall time of whole searches against their budgets.

    python benchmarks/search_budget.py --data DIR [--budgets 10,60,300] [--sets a,b]
        [--store FILE.jsonl] [--out FILE.md]

Each search is the command ``manyminds search`` in a process of its own, from its start
to its end: reading, compiled kernels, search, judging, final fit, model, tables and
report. What is done is kept in the store and not done again. "models" is the number of
pipelines that were evaluated on all rows, "trials" that of all trials.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

from machine import describe_machine, markdown_table

SETS = (
    "iris", "sonar", "credit-g", "madelon", "housing", "kin8nm", "letter", "dry-bean",
    "bank-marketing", "arcene",
)  # fmt: skip
BUDGETS = (10.0, 60.0, 300.0)


def main():
    """Do what is not done yet, then print and write the table."""
    options = parse_arguments()
    done = read_store(options.store)
    for budget in options.budgets:
        for name in options.sets:
            if (name, budget) not in done:
                done[name, budget] = run_search(name, budget, options.data)
                append(options.store, name, budget, done[name, budget])
                print(name, budget, done[name, budget], flush=True)
    text = write_report(done, options)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="folder of data sets")
    parser.add_argument("--budgets", type=read_numbers, default=BUDGETS)
    parser.add_argument("--sets", type=lambda text: text.split(","), default=SETS)
    parser.add_argument("--store", type=Path, default=Path("search_budget.jsonl"))
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def read_numbers(text):
    return [float(word) for word in text.split(",")]


def run_search(name, budget, data):
    """Run the command; return its wall time and what it found."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "found"
        command = [
            sys.executable, "-m", "manyminds", "search", name, "--data", data,
            "--budget", f"{budget:g}s", "--out", str(out), "--json",
        ]  # fmt: skip
        start = time.monotonic()
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - start
        if ended.returncode:
            return {"seconds": round(seconds, 1), "error": ended.stderr[-500:]}
        trace = pd.read_csv(out / "trace.csv")
        summary = json.loads(ended.stdout)["summary"]
    return {
        "seconds": round(seconds, 1),
        "trials": len(trace),
        "models": int((trace["state"] == "complete").sum()),
        "first": round(float(trace["second"].min()), 1),
        "score": summary["honest"]["score"],
    }


def read_store(file):
    if not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return {(one["set"], one["budget"]): one["result"] for one in lines}


def append(file, name, budget, result):
    with file.open("a", encoding="utf-8") as stream:
        line = {"set": name, "budget": budget, "result": result}
        stream.write(json.dumps(line) + "\n")


def write_report(done, options):
    """The table, and how many searches kept their budget."""
    lines, ratios = [], []
    for budget in options.budgets:
        for name in options.sets:
            found = done[name, budget]
            ratio = found["seconds"] / budget
            ratios.append(ratio)
            more = [str(found.get(one, "failed")) for one in ("trials", "models")]
            lines.append(
                [name, f"{budget:g}", f"{found['seconds']:.1f}", f"{ratio:.2f}", *more]
            )
    header = ["data set", "budget, s", "wall time, s", "ratio", "trials", "models"]
    within = sum(0.9 <= ratio <= 1.05 for ratio in ratios)
    parts = [
        "# Wall time of searches against their budgets",
        describe_machine(["manyminds", "scikit-learn", "numba"]),
        "`manyminds search NAME --budget S`, the whole command on two cores, kernels "
        "compiled before.",
        markdown_table(header, lines),
        f"Of {len(ratios)} searches {within} took 90 to 105 % of their budget; the "
        f"longest {max(ratios):.2f} of it.",
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()

"""Time random forests of several libraries side by side and print the ratios.

    python benchmarks/forest_speed.py [--workloads tiny,wide] [--peers NAMES]
                                      [--out FILE.md] [--repeats 3] [--quick]

Every library runs in a process of its own, on two threads, after one small call
that loads and compiles. A ratio is another library's time over that of manyminds:
above 1, manyminds is faster.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from machine import describe_machine, markdown_table
from peers import PEERS
from rows import write_rows
from side_by_side import (
    OURS,
    add_measuring_options,
    list_packages,
    met,
    names_among,
    peers_row,
    ratio,
    ratio_row,
    remark_lines,
    run_peer,
    save,
    seconds,
    times,
)
from start_up import cold_compile, warm_start
from workloads import TALLER_WORKLOADS, WORKLOADS

REFERENCE = "scikit-learn"
COMPILE_GOAL, START_GOAL = 15.0, 0.7  # seconds


@dataclass(frozen=True)
class Target:
    """Least ratios to scikit-learn, and whether every peer must be beaten at fit."""

    fit: float
    predict: float
    ahead_of_all: bool = False


TARGETS = {
    "tall_multiclass": Target(7.0, 2.0, ahead_of_all=True),
    "binary": Target(6.0, 1.5, ahead_of_all=True),
    "tall_regression": Target(6.0, 2.0),
    "wide": Target(3.0, 2.0),
    "tiny": Target(10.0, 2.0),
    "taller_multiclass": Target(7.0, 2.0),
    "taller_regression": Target(6.0, 2.0),
}
KNOWN = WORKLOADS | TALLER_WORKLOADS


def main():
    """Measure what was asked for; print the tables and keep them."""
    options = parse_arguments()
    results, start = {}, None
    for name in options.workloads:
        workload = KNOWN[name].quick() if options.quick else KNOWN[name]
        results[workload] = measure_workload(workload, options)
        save(options.out, report(options, results, start))
    if OURS in options.peers and not options.no_start:
        start = measure_start()
    text = report(options, results, start)
    save(options.out, text)
    print(text)


def parse_arguments():
    """The command line, with lists already split and checked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--workloads", type=names_among(KNOWN), default=list(WORKLOADS))
    add("--peers", type=names_among(PEERS), default=list(PEERS))
    add("--out", type=Path, help="also write the tables to this file")
    add("--quick", action="store_true", help="tiny sizes, to try the script out")
    add("--no-start", action="store_true", help="leave compile and start times out")
    add_measuring_options(parser)
    return parser.parse_args()


def measure_workload(workload, options):
    """Figures of each peer on one workload, by the peer's name."""
    figures, more = {}, []
    peers = [name for name in options.peers if suits(PEERS[name], workload)]
    order = sorted(peers, key=lambda name: name != REFERENCE)
    with tempfile.TemporaryDirectory() as folder:
        write_rows(workload.draw(), Path(folder))
        for name in order:  # scikit-learn first: it tells how large full trees are
            figures[name] = run_peer("peers", name, folder, workload, options, *more)
            if name == REFERENCE and figures[name].get("leaves"):
                more = ["--max-leaves", str(int(1.1 * figures[name]["leaves"]))]
            print(workload.name, name, json.dumps(figures[name]), file=sys.stderr)
    return {name: figures[name] for name in peers}


def suits(peer, workload):
    """Whether a peer that is meant for small data only has a place here."""
    return peer.most_rows is None or workload.n_samples <= peer.most_rows


def measure_start():
    """Compile and start-up seconds on the smallest workload."""
    with tempfile.TemporaryDirectory() as folder:
        write_rows(WORKLOADS["tiny"].draw(), Path(folder))
        return {"compile": cold_compile(folder), "warm": warm_start(folder)}


def report(options, results, start):
    """All tables as one Markdown text."""
    packages = list_packages([PEERS[name] for name in options.peers])
    parts = ["# Speed of random forests", describe_machine(packages)]
    parts.append(
        f"Every library on {options.threads} threads in a process of its own, after "
        f"one small call that loads and compiles; medians of {options.repeats} calls, "
        "of more where a call is short. A ratio is the library's time over that of "
        "manyminds: above 1, manyminds is faster. Predict is over as many rows as "
        "fit; accuracy (%) and RMSE are on held-out rows; leaves and depth are means "
        "over the trees; peak is all resident memory of the process, rise what the "
        "fits added to it."
    )
    if options.quick:
        parts.append("**Quick run on tiny sizes: these figures mean nothing.**")
    if OURS in options.peers and REFERENCE in options.peers:
        parts += ["## Targets", headline(results, start)]
    for workload, figures in results.items():
        parts.append(f"## {workload.name}: {workload.title}")
        parts.append(workload_table(workload, figures))
        if remarks := remark_lines(figures, options.repeats):
            parts.append(remarks)
    return "\n\n".join(parts) + "\n"


def headline(results, start):
    """Measured ratios beside their targets, with a verdict for each."""
    rows = []
    for workload, figures in results.items():
        target = TARGETS[workload.name]
        for call in ("fit", "predict"):
            goal = getattr(target, call)
            rows.append(ratio_row(workload, figures, REFERENCE, call, goal))
        if target.ahead_of_all:
            rows.append(peers_row(workload, figures))
    if start:
        rows += start_rows(start)
    return markdown_table(["target", "goal", "measured", "verdict"], rows)


def start_rows(start):
    """The lines on compiling and starting."""
    extra = start["warm"][OURS] - start["warm"][REFERENCE]
    walls = f"{start['warm'][OURS]:.2f} - {start['warm'][REFERENCE]:.2f}"
    wall, worked = start["compile"]
    return [
        [
            "cold compile, classifier and regressor",
            f"< {COMPILE_GOAL:g} s",
            f"{wall:.1f} s ({worked:.1f} s of processor time)",
            met(COMPILE_GOAL, wall),
        ],
        [
            f"start of a process over that of {REFERENCE}",
            f"<= {START_GOAL:g} s",
            f"{extra:.2f} s ({walls})",
            met(START_GOAL, extra),
        ],
    ]


def workload_table(workload, figures):
    """One line per library."""
    measure = "accuracy" if workload.task == "classification" else "RMSE"
    header = ["library", "fit s", "ratio", "predict s", "ratio", measure]
    header += ["leaves", "depth", "peak MB", "rise MB"]
    return markdown_table(header, [table_row(figures, name) for name in figures])


def table_row(figures, name):
    """Figures of one library, or the reason why there are none."""
    row = figures[name]
    if "error" in row:
        return [f"{name}: {row['error']}"] + ["-"] * 9
    return [
        name,
        seconds(row["fit"]),
        times(ratio(figures, name, "fit")),
        seconds(row["predict"]),
        times(ratio(figures, name, "predict")),
        f"{row['score']:.2f}",
        f"{row['leaves']:,.0f}" if row["leaves"] else "-",
        f"{row['depth']:.1f}" if row["depth"] else "-",
        f"{row['peak_mb']:,.0f}",
        f"{row['rise_mb']:,.0f}",
    ]


if __name__ == "__main__":
    main()

"""Time gradient boosting of several libraries side by side; judge ratios and quality.

    python benchmarks/boosting_speed.py [--workloads tiny,binary] [--peers NAMES]
                                        [--out FILE.md] [--repeats 3] [--draws 20]
                                        [--quick]

Every library runs in a process of its own, on two threads, after one small call that
loads and compiles: 100 rounds of 31 leaves at equal settings. A ratio is another
library's time over that of manyminds: above 1, manyminds is faster. The loss of a few
hundred rows depends on the draw: below 2,000 rows it is the mean over several.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from boosting_peers import PEERS
from machine import describe_machine, markdown_table
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
from workloads import BOOSTING_WORKLOADS

SCIKIT_LEARN, LIGHTGBM = "scikit-learn", "lightgbm"
MAX_LOSS = 1.005  # of the better one of scikit-learn and LightGBM
MAX_MEMORY = 1.5  # of LightGBM's high-water mark
FEW_ROWS = 2_000  # below which losses are means over draws


@dataclass(frozen=True)
class Goal:
    """Least ratios of fit to two peers; without LightGBM's, every peer is to be beaten.

    To predict, every peer is to be beaten everywhere.
    """

    scikit_learn: float
    lightgbm: float | None = None


GOALS = {
    "tiny": Goal(3.0),
    "small": Goal(3.0),
    "wide_2000": Goal(3.0),
    "binary": Goal(1.5),
    "regression": Goal(1.5),
    "tall_multiclass": Goal(1.5, 0.9),
    "categorical": Goal(1.5, 0.9),
    "large": Goal(1.2, 0.8),
}


def main():
    """Measure what was asked for; print the tables and keep them."""
    options = parse_arguments()
    results = {}
    for name in options.workloads:
        workload = BOOSTING_WORKLOADS[name]
        workload = workload.quick() if options.quick else workload
        results[workload] = measure_workload(workload, options)
        if workload.n_samples < FEW_ROWS and options.draws:
            average_losses(workload, results[workload], options)
        save(options.out, report(options, results))
    print(report(options, results))


def parse_arguments():
    """The command line, with lists already split and checked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add, known = parser.add_argument, list(BOOSTING_WORKLOADS)
    add("--workloads", type=names_among(known), default=known)
    add("--peers", type=names_among(PEERS), default=list(PEERS))
    add("--out", type=Path, help="also write the tables to this file")
    add("--draws", type=int, default=20, help="for the losses below 2,000 rows")
    add("--quick", action="store_true", help="tiny sizes, to try the script out")
    add_measuring_options(parser)
    options = parser.parse_args()
    if OURS in options.peers and not is_ours_there():
        print("manyminds has no gradient boosting yet: left out", file=sys.stderr)
        options.peers.remove(OURS)
    return options


def is_ours_there():
    """Whether the library that is installed has gradient boosting."""
    import manyminds.ensemble

    return hasattr(manyminds.ensemble, "GradientBoostingClassifier")


def measure_workload(workload, options):
    """Figures of each peer on one workload, by the peer's name."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        write_rows(workload.draw(), Path(folder))
        for name in options.peers:
            call = "boosting_peers", name, folder, workload, options
            if PEERS[name].compiles:  # in another process: compiling takes memory
                run_peer(*call, "--only-warm")
            figures[name] = run_peer(*call, "--held-out")
            print(workload.name, name, json.dumps(figures[name]), file=sys.stderr)
    return figures


def average_losses(workload, figures, options):
    """Replace the losses of one draw by the means over several.

    All libraries share this process: nothing is timed here.
    """
    draws = [
        replace(workload, seed=100 + number).draw() for number in range(options.draws)
    ]
    for name, measured in figures.items():
        if "score" not in measured:
            continue
        losses = []
        for X, y, X_test, y_test in draws:
            peer = PEERS[name](workload.task, workload.n_estimators, options.threads)
            peer.fit(X, y)
            losses.append(peer.score(y_test, peer.predict(X_test)))
        measured["score"] = float(np.mean(losses))


def report(options, results):
    """All tables as one Markdown text."""
    packages = list_packages([PEERS[name] for name in options.peers])
    parts = ["# Speed of gradient boosting", describe_machine(packages)]
    parts.append(
        f"Every library on {options.threads} threads in a process of its own, after "
        f"one small call that loads and compiles; medians of {options.repeats} calls, "
        "of more where a call is short. A ratio is the library's time over that of "
        "manyminds: above 1, manyminds is faster. To predict is to compute the "
        "probabilities, or means, of the held-out rows, on which log loss and RMSE are "
        "measured, too (tables below 2,000 rows: means over several draws); leaves are "
        "means over the trees; peak is all resident memory "
        "of the process, rise what the fits added to it. A peak contains what a "
        "library is made of, such as a compiler, which outweighs small data."
    )
    if options.quick:
        parts.append("**Quick run on tiny sizes: these figures mean nothing.**")
    if OURS in options.peers:
        parts += ["## Goals", headline(results)]
    for workload, figures in results.items():
        parts.append(f"## {workload.name}: {workload.title}")
        parts.append(workload_table(workload, figures))
        if remarks := remark_lines(figures, options.repeats):
            parts.append(remarks)
    parts += ["## Settings", settings_table(results)]
    return "\n\n".join(parts) + "\n"


def headline(results):
    """Measured figures beside their goals, with a verdict for each."""
    rows = []
    for workload, figures in results.items():
        goal = GOALS[workload.name]
        rows.append(
            ratio_row(workload, figures, SCIKIT_LEARN, "fit", goal.scikit_learn)
        )
        if goal.lightgbm:
            rows.append(ratio_row(workload, figures, LIGHTGBM, "fit", goal.lightgbm))
        else:
            rows.append(peers_row(workload, figures))
        rows.append(peers_row(workload, figures, "predict"))
        rows.append(quality_row(workload, figures))
        rows.append(memory_row(workload, figures))
    return markdown_table(["goal", "limit", "measured", "verdict"], rows)


def quality_row(workload, figures):
    """The line on the loss beside the better one of two peers."""
    peers = [figures.get(name, {}) for name in (SCIKIT_LEARN, LIGHTGBM)]
    losses = [peer["score"] for peer in peers if "score" in peer]
    return share_row(
        f"{workload.name}: {measure_name(workload)} beside the best of two",
        figures.get(OURS, {}).get("score"),
        min(losses, default=None),
        MAX_LOSS,
    )


def memory_row(workload, figures):
    """The line on the high-water mark beside LightGBM's."""
    return share_row(
        f"{workload.name}: peak memory beside {LIGHTGBM}",
        figures.get(OURS, {}).get("peak_mb"),
        figures.get(LIGHTGBM, {}).get("peak_mb"),
        MAX_MEMORY,
    )


def share_row(label, ours, theirs, limit):
    """A line on a figure of ours that should be at most ``limit`` times theirs."""
    share = ours / theirs if ours is not None and theirs else None
    verdict = met(share and -share, -limit)
    shown = "-" if share is None else f"{share:.4g}x"
    return [label, f"<= {limit:g}x", shown, verdict]


def workload_table(workload, figures):
    """One line per library."""
    header = ["library", "fit s", "ratio", "predict s", "ratio"]
    header += [measure_name(workload), "leaves", "peak MB", "rise MB"]
    return markdown_table(header, [table_row(figures, name) for name in figures])


def measure_name(workload):
    """What the quality is measured by."""
    return "log loss" if workload.task == "classification" else "RMSE"


def table_row(figures, name):
    """Figures of one library, or the reason why there are none."""
    row = figures[name]
    if "error" in row:
        return [f"{name}: {row['error']}"] + ["-"] * 8
    return [
        name,
        seconds(row["fit"]),
        times(ratio(figures, name, "fit")),
        seconds(row["predict"]),
        times(ratio(figures, name, "predict")),
        f"{row['score']:.4f}",
        f"{row['leaves']:.1f}" if row["leaves"] else "-",
        f"{row['peak_mb']:,.0f}",
        f"{row['rise_mb']:,.0f}",
    ]


def settings_table(results):
    """The parameters of each library, by task."""
    rows = {}
    for workload, figures in results.items():
        for name, row in figures.items():
            if "settings" in row:
                rows[name, workload.task] = [name, workload.task, row["settings"]]
    return markdown_table(["library", "task", "settings"], rows.values())


if __name__ == "__main__":
    main()

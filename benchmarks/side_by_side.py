"""What the benchmarks of speed share: running each library in a process, ratios, goals.

A ratio is another library's time over that of manyminds: above 1, manyminds is faster.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

OURS = "manyminds"


def add_measuring_options(parser):
    """Add the options that ``run_peer`` reads."""
    add = parser.add_argument
    add("--repeats", type=int, default=3)
    add("--threads", type=int, default=2)
    add("--patience", type=float, default=180, help="stop repeating after (seconds)")
    add("--timeout", type=float, default=900, help="give a library up after (seconds)")


def names_among(known):
    """A parser of comma-separated names that must all be ``known``."""

    def split(text):
        names = [name.strip() for name in text.split(",")]
        if unknown := [name for name in names if name not in known]:
            raise argparse.ArgumentTypeError(
                f"unknown: {', '.join(unknown)}; known: {', '.join(known)}"
            )
        return names

    return split


def run_peer(module, name, folder, workload, options, *more):
    """Run ``measure.py`` for one library; a failure is a figure, too.

    ``module`` has the dict ``PEERS`` with the library; ``more`` are further arguments.
    """
    script = Path(__file__).with_name("measure.py")
    command = [sys.executable, str(script), module, name, str(folder)]
    command += ["--task", workload.task, "--trees", str(workload.n_estimators)]
    command += ["--threads", str(options.threads), "--repeats", str(options.repeats)]
    command += ["--patience", str(options.patience), *more]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=options.timeout
        )
    except subprocess.TimeoutExpired:
        return {"error": f"not finished after {options.timeout:.0f} s"}
    if done.returncode != 0:
        last = (done.stderr.strip() or "no message").splitlines()[-1]
        return {"error": f"process ended with {done.returncode}: {last[:80]}"}
    return json.loads(done.stdout.strip().splitlines()[-1])


def list_packages(peers):
    """Distributions behind the classes of peers, each once."""
    names = ["numpy", *(name for peer in peers for name in peer.packages)]
    return list(dict.fromkeys(names))


def ratio(figures, name, call):
    """Time of ``name`` over ours; None where either is missing."""
    ours, theirs = figures.get(OURS, {}), figures.get(name, {})
    return theirs[call] / ours[call] if call in ours and call in theirs else None


def peers_row(workload, figures, call="fit"):
    """The line that compares a call with the fastest of all other libraries."""
    label = f"{workload.name}: {call} against every peer"
    ratios = {
        name: ratio(figures, name, call)
        for name in figures
        if name != OURS and ratio(figures, name, call)
    }
    if not ratios:
        return [label, "> 1x", "-", "not measured"]
    fastest = min(ratios, key=ratios.get)
    measured = f"{times(ratios[fastest])} ({fastest})"
    return [label, "> 1x", measured, met(ratios[fastest], 1.0)]


def ratio_row(workload, figures, name, call, goal):
    """The line that compares a call with one library."""
    measured = ratio(figures, name, call)
    label = f"{workload.name}: {call} against {name}"
    return [label, f">= {goal:g}x", times(measured), met(measured, goal)]


def remark_lines(figures, repeats):
    """Remarks of the peers, and who was too slow to be repeated."""
    lines = []
    for name, row in figures.items():
        if row.get("remark"):
            lines.append(f"- {name}: {row['remark']}")
        if row.get("n_fits", repeats) < repeats:
            lines.append(f"- {name}: only {row['n_fits']} fit(s), as they are long")
    return "\n".join(lines)


def seconds(value):
    """Three significant digits, also for milliseconds."""
    return f"{value:.2f}" if value >= 1 else f"{value:.3g}"


def times(value):
    """A ratio as text."""
    return "-" if value is None else f"{value:.2f}x"


def met(measured, goal):
    """Verdict on a figure that should be at least ``goal``."""
    if measured is None:
        return "not measured"
    return "met" if measured >= goal else "NOT MET"


def save(path, text):
    """Write a report where one was asked for, making its folder."""
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

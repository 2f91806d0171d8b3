"""Break running commands, and count what is lost: kill -9 at random moments.

    python benchmarks/faults.py --count 100 --seed 0 --out benchmarks/results/faults.md

``search``, ``compare`` and ``reproduce`` are started as processes, each at a terminal
of its own: one in five as a new process with two workers, the others as forks of this
process, which saves their imports. At a random moment after the store was opened (or,
one time in ten, before) the process, or its whole group, is killed: after a random
number of new records, and up to 0.3 seconds later. Then the store is read, and the same
command is started again in the same folder, to be killed again, until it ends by
itself. Checked each time:

- what was stored before is there, with the same values (else it is *lost*);
- there are at least as many records as the progress bar had shown (else *lost*);
- no fold and no pipeline has two records (*doubled*);
- a command that ends by itself has all records of an undisturbed run, and no other;
- no process stays, no traceback is shown, and the command can be resumed.

Other faults (full disk, lost folder, signals, ...) are in ``fault_cases.py``.
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from fault_commands import (
    COMMANDS,
    Running,
    count_ended,
    import_for_forks,
    list_doubled,
    read_records,
)
from machine import describe_machine, markdown_table

PACKAGES = ("manyminds", "sqlalchemy", "optuna", "joblib", "loky", "psutil")
COLUMNS = (
    "killed", "before the store", "with workers", "whole group", "ended by itself",
    "records seen", "reported", "lost", "doubled", "different", "processes left",
    "not resumed", "tracebacks", "temporary files left",
)  # fmt: skip
MAX_RECORDS = 10  # new ones, after which a command is killed


class Loop:
    """Kill a command again and again; count what happens."""

    def __init__(self, command, seed):
        self.command, self.counts = command, Counter()
        self.random = random.Random(f"{command.name} {seed}")
        self.reference, self.folder = None, None

    def run(self):
        """Kill the command once, or begin anew where it has ended by itself."""
        if self.reference is None:
            self.measure_undisturbed()
            self.begin()
        if self.step():
            self.begin()
        print(self.command.name, dict(self.counts), flush=True)

    def end(self):
        """Let the last command end by itself."""
        self.step(with_kill=False)
        shutil.rmtree(self.folder)

    def begin(self):
        if self.folder is not None:
            shutil.rmtree(self.folder)
        self.folder = Path(tempfile.mkdtemp(prefix="faults-"))
        (self.folder / "temporary").mkdir()
        self.before, self.n_ended = {}, 0

    def measure_undisturbed(self):
        """Run the command once, and keep its records."""
        self.begin()
        code, shown = Running(self.command, self.folder, 1, self.env, True).finish()
        assert code == 0, shown
        self.reference = read_records(self.command, self.folder)

    @property
    def env(self):
        return {"TMPDIR": str(self.folder / "temporary")}

    def step(self, with_kill=True):
        """Start the command and kill it; return whether it ended by itself."""
        is_early = with_kill and self.random.random() < 0.1
        jobs = 2 if is_early or self.random.random() < 0.2 else 1
        group = self.random.random() < 0.3
        n_more = self.random.randint(0, MAX_RECORDS) if with_kill else 1_000_000
        delay = self.random.uniform(0.0, 3.0 if is_early else 0.3)
        store = self.folder / self.command.store
        running = Running(self.command, self.folder, jobs, self.env, jobs == 1)
        if not is_early:
            running.wait_until(lambda one: store.exists())
            running.wait_until(lambda one: one.n_stored >= len(self.before) + n_more)
        end = time.monotonic() + delay
        runs = running.wait_until(lambda one: time.monotonic() > end)
        n_reported = running.n_reported
        if runs:
            self.counts["killed"] += 1
            self.counts["before the store"] += is_early
            self.counts["with workers"] += jobs > 1
            self.counts["whole group"] += group
            self.counts["processes left"] += running.kill(group)
            self.check(running, n_reported)
            return False
        code, shown = running.finish()
        self.check(running, n_reported)
        self.check_end(code, shown)
        return True

    def check(self, running, n_reported):
        """Compare the store with what was in it before, and with what was shown."""
        after = read_records(self.command, self.folder)
        lost = [key for key, value in self.before.items() if after.get(key) != value]
        n_ended = count_ended(self.command, self.folder)
        n_known = 0 if self.command.counts_all else self.n_ended
        n_missing = max(0, n_known + n_reported - n_ended)
        self.n_ended = n_ended
        self.counts["lost"] += len(lost) + n_missing
        self.counts["reported"] += n_reported
        self.counts["records seen"] += len(after) - len(self.before)
        self.counts["doubled"] += len(list_doubled(self.command, self.folder))
        self.counts["tracebacks"] += "Traceback" in running.shown
        if lost or n_missing or "Traceback" in running.shown:
            print(running.shown[-3000:], lost, n_missing, file=sys.stderr, flush=True)
        self.before = after

    def check_end(self, code, shown):
        """Compare the records of a command that ended with an undisturbed one's."""
        self.counts["ended by itself"] += 1
        if code != 0:
            self.counts["not resumed"] += 1
            print(shown[-3000:], file=sys.stderr, flush=True)
        if self.command.name != "search":  # it proposes by what it has seen
            self.counts["different"] += self.before != self.reference
        left = list((self.folder / "temporary").iterdir())
        left += [one for one in self.folder.rglob(".*.*") if one.is_file()]
        self.counts["temporary files left"] += len(left)
        if left:
            print("left:", *left, file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100, help="kills of each command")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--commands", default="search,compare,reproduce")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--minutes", type=float, default=1e9, help="at most")
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    import_for_forks()
    loops = [Loop(COMMANDS[name], options.seed) for name in options.commands.split(",")]
    while any(loop.counts["killed"] < options.count for loop in loops):
        if time.monotonic() > end:
            break
        for loop in loops:
            if loop.counts["killed"] < options.count:
                loop.run()
    for loop in loops:
        loop.end()
    rows = [
        [f"`{loop.command.name}`", *(loop.counts[one] for one in COLUMNS)]
        for loop in loops
    ]
    table = markdown_table(["command", *COLUMNS], rows)
    words = f"--count {options.count} --seed {options.seed}"
    words += f" --minutes {options.minutes:g}" if options.minutes < 1e9 else ""
    text = f"`python benchmarks/faults.py {words}`\n\n{table}\n"
    text += f"\n{describe_machine(PACKAGES)}\n"
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

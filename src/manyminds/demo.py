"""Search a model for a bundled table in under a minute, and write its report."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from manyminds.cli import main as run

DATA = "wdbc"
BUDGET = "45s"
FOLDER = Path("demo-search")


def main() -> None:
    """Print what the demo does, search, and print where the report is."""
    words = list_words()
    print(
        f"569 tumors, 30 measurements each: which are malignant? Searching {BUDGET},\n"
        "after about half a minute of compiling on a new installation.\n"
        f"$ manyminds {' '.join(words)}\n",
        flush=True,
    )
    code = call(words)
    if code:
        sys.exit(code)
    page = (FOLDER / "report.html").resolve()
    print(f"\nOpen {page.as_uri()} in a browser. Run the demo again to continue.")
    print(
        f"Explore the result, and try the model, in a browser:  {name_command()} serve"
    )


def list_words() -> list[str]:
    """Return the words of the command; an existing search is resumed."""
    words = ["search", DATA, "--budget", BUDGET, "--out", str(FOLDER)]
    words += ["--metric", "balanced_accuracy"]
    return [*words, "--resume"] if (FOLDER / "search.json").exists() else words


def name_command() -> str:
    """Return how a shell calls the command of this environment."""
    script = Path(sys.executable).with_name("manyminds")
    return os.path.relpath(script) if script.exists() else "manyminds"


def call(words: Sequence[str]) -> int:
    """Run a command; return its exit code."""
    try:
        run(words)
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


if __name__ == "__main__":
    main()

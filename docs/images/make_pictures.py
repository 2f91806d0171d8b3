"""Run the commands of the tutorials; write their figures and their terminal output.

The figures are those that the reports draw: they are taken from the files that the
commands write. Run it again after a change of the reports or of the commands::

    make pictures

It takes a few minutes on two cores. The files it writes are committed.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

IMAGES = Path(__file__).parent
OUTPUT = IMAGES.parent / "tutorials" / "output"
PICTURE = re.compile(r'<figure[^>]*aria-label="([^"]*)"[^>]*>\s*(<svg.*?</svg>)', re.S)
METADATA = re.compile(r"<metadata>.*?</metadata>", re.S)
HEADING = re.compile(r"<h2[^>]*>([^<]*)</h2>")
TITLE_SIZE = 15
SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')

SEARCH = "search wine --trials 12 --jobs 1 --out wine-search"
SELECT = "select wine -k 5 --out wine-selection"
COMPARE = (
    'compare iris wine wdbc balance-scale tic-tac-toe --methods "rf, knn, logistic, '
    'tree" --cv 5x2 --out comparison'
)
# What the tutorials show of the search's report: part of a figure's label, file.
SEARCH_FIGURES = {
    "Scores of the best": "search_leaderboard",
    "Score of every trial": "search_trace",
    "How important": "search_importance",
    "True against predicted": "search_confusion",
}


def main():
    """Write all pictures and all outputs."""
    OUTPUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_search_pictures(folder)
        run(SELECT, "first_selection", folder)
        save("selection", (folder / "wine-selection" / "stability.svg").read_text())
        run(COMPARE, "first_comparison", folder)
        save("comparison", (folder / "comparison" / "comparison.svg").read_text())


def make_search_pictures(folder):
    """Search, and save single figures of the report and four of them in one."""
    run(SEARCH, "first_search", folder)
    report = (folder / "wine-search" / "report.html").read_text(encoding="utf-8")
    chosen = []
    for found in PICTURE.finditer(report):
        label, svg = found.groups()
        for start, name in SEARCH_FIGURES.items():
            if label.startswith(start):
                save(name, svg)
                title = HEADING.findall(report[: found.start()])[-1]
                chosen.append((title, svg))
    (IMAGES / "report.svg").write_text(join(chosen), encoding="utf-8")


def run(command, name, folder):
    """Run a command in ``folder`` and save what it prints."""
    words = [sys.executable, "-m", "manyminds", *shlex.split(command)]
    environment = {**os.environ, "COLUMNS": "100"}
    environment.pop("MANYMINDS_STORE", None)
    done = subprocess.run(
        words, cwd=folder, env=environment, check=True, capture_output=True, text=True
    )
    lines = [f"$ manyminds {command}", *map(str.rstrip, done.stdout.splitlines())]
    (OUTPUT / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def save(name, svg):
    """Write a figure as a file of its own, on white."""
    path = IMAGES / f"{name}.svg"
    path.write_text(f"{whiten(clean(svg))}\n", encoding="utf-8")


def clean(svg):
    """Return the figure without XML header and metadata."""
    return METADATA.sub("", svg[svg.index("<svg") :]).strip()


def whiten(svg):
    """Return the figure with a white background, for pages with a dark one."""
    opening, rest = svg.split(">", 1)
    return f'{opening}><rect width="100%" height="100%" fill="#ffffff"/>{rest}'


def join(figures, width=540.0, gap=18.0):
    """Return titled figures in two columns as one figure; none is enlarged."""
    places, heights = [], [gap, gap]
    for title, figure in figures:
        old_width, old_height = map(float, SIZE.search(figure).groups())
        scale = min(1.0, width / old_width)
        column = heights.index(min(heights))
        left, top = gap + column * (width + gap), heights[column] + TITLE_SIZE
        middle = left + (width - scale * old_width) / 2
        places.append(
            f'<text x="{left:g}" y="{top:g}" font-family="sans-serif" '
            f'font-weight="bold" font-size="{TITLE_SIZE}">{title}</text>'
            f'<svg x="{middle:g}" y="{top + gap / 2:g}" width="{scale * old_width:g}" '
            f'height="{scale * old_height:g}" viewBox="0 0 {old_width:g} '
            f'{old_height:g}">{inner(clean(figure))}</svg>'
        )
        heights[column] = top + scale * old_height + 2 * gap
    size = f"{2 * width + 3 * gap:g} {max(heights):g}"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 {size}">'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(places)}</svg>\n'
    )


def inner(svg):
    """Return what is inside the outermost element."""
    return svg[svg.index(">") + 1 : svg.rindex("</svg>")]


if __name__ == "__main__":
    main()

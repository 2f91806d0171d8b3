"""What a result was measured on, and how the tables are written."""

import os
import platform
from datetime import date
from importlib import import_module, metadata
from pathlib import Path


def describe_machine(packages):
    """Markdown list: processor, cores, Python, date, versions of ``packages``."""
    versions = ", ".join(f"{name} {package_version(name)}" for name in packages)
    return "\n".join(
        [
            f"- processor: {cpu_model()}, {count_cores()} cores",
            f"- Python {platform.python_version()} on {platform.system()}",
            f"- {versions}",
            f"- measured on {date.today().isoformat()}",
        ]
    )


def cpu_model():
    """The processor's own name, or its family where the system keeps no name."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def count_cores():
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count()


def package_version(name):
    """Installed version of a distribution; "absent" where it cannot be found."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        pass
    try:
        return getattr(import_module(name), "__version__", "(source tree)")
    except ImportError:
        return "absent"


def markdown_table(header, rows):
    """A Markdown table: first column to the left, the others to the right."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    width = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    lines = [_table_row(row, width) for row in cells]
    rule = ["-" * width[0], *("-" * (w - 1) + ":" for w in width[1:])]
    return "\n".join([lines[0], _table_row(rule, width), *lines[1:]])


def _table_row(cells, width):
    first = cells[0].ljust(width[0])
    rest = [cell.rjust(w) for cell, w in zip(cells[1:], width[1:], strict=True)]
    return "| " + " | ".join([first, *rest]) + " |"

"""Settings of the documentation: Sphinx, numpydoc, and a gallery that is run."""

import os
import re
import subprocess
import sys
from importlib.metadata import version as installed_version
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent

project = "manyminds"
author = "The manyminds developers"
copyright = "2026, The manyminds developers"
version = release = installed_version("manyminds")

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "myst_parser",
]
exclude_patterns = ["_build", "gallery/**/*.ipynb", "gallery/**/*.py"]
templates_path = ["_templates"]

html_theme = "furo"
html_title = f"manyminds {release}"
html_show_sphinx = False

autosummary_generate = True
numpydoc_show_class_members = False  # the template of a class lists its methods
numpydoc_xref_param_type = False

os.environ.setdefault("MPLBACKEND", "agg")
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "doc_module": ("manyminds",),
    "reference_url": {"manyminds": None},
    "backreferences_dir": None,
    "abort_on_example_error": True,
    "remove_config_comments": True,
    "show_memory": False,
    "plot_gallery": "True",
    "download_all_examples": False,
}
# What the gallery's settings hold cannot be pickled; only incremental builds mind.
suppress_warnings = ["config.cache"]


def collect_measurements():
    """Write the page of measurements from the committed tables of the benchmarks."""
    files = sorted((ROOT / "benchmarks" / "results").glob("*.md"))
    parts = ["# Measurements", "As recorded by the scripts in `benchmarks/`."]
    for file in files:
        text = re.sub(r"^#", "##", file.read_text(), flags=re.MULTILINE)
        text = re.sub(r"\[(\w+\.md)\]\(\1\)", r"`\1`", text)  # tables on this page
        has_title = text.lstrip().startswith("#")
        parts += [text if has_title else f"## {file.stem.replace('_', ' ')}\n\n{text}"]
    if not files:
        parts.append("Nothing is recorded yet.")
    page = HERE / "explanation" / "measurements.md"
    page.write_text("\n\n".join(parts) + "\n")


def collect_release_notes():
    """Write the release notes: those of releases, and a draft of the next ones."""
    command = ["towncrier", "build", "--draft", "--version", f"{release} (unreleased)"]
    draft = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    released = ROOT / "CHANGES.md"
    parts = ["# Release notes", draft]
    parts += [released.read_text()] if released.exists() else []
    (HERE / "release_notes.md").write_text("\n\n".join(parts) + "\n")


def skip_inherited(app, what, name, obj, skip, options):
    """Leave out members inherited from scikit-learn: its own pages describe them."""
    module = getattr(obj, "__module__", None) or type(obj).__module__
    return True if module.split(".")[0] == "sklearn" else None


def setup(app):
    collect_measurements()
    collect_release_notes()
    app.connect("autodoc-skip-member", skip_inherited)

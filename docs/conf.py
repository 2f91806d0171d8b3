"""Settings of the documentation: Sphinx, numpydoc, and a gallery that is run."""

import os
import re
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
    """Write docs/measurements.md from what the benchmarks recorded, if they have."""
    files = sorted((ROOT / "benchmarks" / "results").glob("*.md"))
    parts = ["# Measurements", "As recorded by the scripts in `benchmarks/`."]
    for file in files:
        text = re.sub(r"^#", "##", file.read_text(), flags=re.MULTILINE)
        has_title = text.lstrip().startswith("#")
        parts += [text if has_title else f"## {file.stem.replace('_', ' ')}\n\n{text}"]
    if not files:
        parts.append("Nothing is recorded yet.")
    (HERE / "measurements.md").write_text("\n\n".join(parts) + "\n")


def skip_inherited(app, what, name, obj, skip, options):
    """Leave out what scikit-learn gives every estimator: its pages describe it."""
    module = getattr(obj, "__module__", None) or type(obj).__module__
    return True if module.split(".")[0] == "sklearn" else None


def setup(app):
    collect_measurements()
    app.connect("autodoc-skip-member", skip_inherited)

"""Gallery scripts run, and stay short."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted((ROOT / "examples").glob("*/plot_*.py"))


def name(script):
    return script.stem


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=name)
def test_gallery_script_runs(script):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    try:
        runpy.run_path(str(script))
        assert pyplot.get_fignums(), "a gallery script draws something"
    finally:
        pyplot.close("all")


@pytest.mark.parametrize("script", SCRIPTS, ids=name)
def test_gallery_script_is_short(script):
    assert len(script.read_text().splitlines()) < 60

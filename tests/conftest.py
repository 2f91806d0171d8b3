"""What every test may ask for: a seed, and the folder of the reproduction data."""

import importlib.util
import os
import secrets
import sys
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

ROOT = Path(__file__).parents[1]


# The estimators whose checks ``make test-quick`` runs: a forest, a selector, a learner.
QUICK_ESTIMATORS = ("RandomForestClassifier", "MRMRSelector", "NRBFRegressor")


def pytest_addoption(parser):
    parser.addoption(
        "--seed",
        default="0",
        help="what the seed fixture gives: a number, or 'fresh' to draw one",
    )


def pytest_configure(config):
    # Drawn once here; the processes of pytest-xdist inherit the options.
    if config.option.seed == "fresh":
        config.option.seed = secrets.randbelow(2**31)
    config.option.seed = int(config.option.seed)
    # Each of two processes would start a thread of BLAS for each processor.
    threadpool_limits(1, user_api="blas")


def pytest_collection_modifyitems(items):
    """Mark as slow the checks of all estimators but a few, one of each base."""
    for item in items:
        checks = item.path.name == "test_all_estimators.py" and "[" in item.name
        if checks and not any(f"[{name}" in item.name for name in QUICK_ESTIMATORS):
            item.add_marker(pytest.mark.slow)


def pytest_report_header(config):
    return f"seed: {config.option.seed}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed and "seed" in getattr(item, "fixturenames", ()):
        again = f"Run this test again with --seed={item.config.option.seed}"
        report.sections.append(("Seed", again))
    return report


@pytest.fixture
def seed(pytestconfig):
    """Return the seed of this run. Tests hold for any seed: try `--seed=fresh`."""
    return pytestconfig.option.seed


@pytest.fixture(autouse=True)
def _repeatable(pytestconfig):
    # Checks of scikit-learn leave some estimators without a seed of their own.
    np.random.seed(pytestconfig.option.seed)  # noqa: NPY002


@pytest.fixture(scope="session")
def shared_data():
    """Return the folder of the reproduction data, or skip where it is missing."""
    folder = Path(os.environ.get("MANYMINDS_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(
            "The reproduction data is not here: set MANYMINDS_DATA to its folder "
            "to run the tests that read it."
        )
    return folder


def _sibling(name):
    # Test folders are no packages: files of one name may live in several rooms.
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"tests_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def postgresql_url():
    """Return the URL of a real PostgreSQL, or skip and say why there is none."""
    pytest.importorskip("pg8000", reason="a store in PostgreSQL needs pg8000")
    postgresql = _sibling("postgresql")
    try:
        server = postgresql.running_server()
        url = server.__enter__()
    except postgresql.NoServerError as reason:
        pytest.skip(f"No PostgreSQL to test with: {reason}")
    yield url
    server.__exit__(None, None, None)

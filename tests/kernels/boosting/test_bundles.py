"""The bundles that a booster allocates are as their docstrings tell."""

import inspect
import re

import numpy as np
import pytest
from plain_boosting import make_booster

from manyminds.kernels.boosting import bundles

FIELD = re.compile(
    r"^(\w+) +\(([^)]*(?:\([^)]*\)[^)]*)*)\)[^\n]*?  (\w+\d+|bool)", re.M
)


@pytest.fixture(scope="module")
def booster():
    X = np.random.default_rng(0).normal(size=(30, 3))
    booster = make_booster(X, X[:, 0], "huber", sampling=("bootstrap", 30))
    booster.run(1)
    return booster


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("table", 5),
        ("target", 2),
        ("memory", 5),
        ("leaves", 8),
        ("candidates", 2),
        ("state", 6),
    ],
)
def test_arrays_have_the_documented_types_and_dimensions(booster, name, least):
    bundle = getattr(booster, f"_{name}")
    described = FIELD.findall(inspect.getdoc(type(bundle)))
    assert len(described) >= least
    for field, shape, dtype in described:
        array = getattr(bundle, field)
        assert array.dtype == dtype, field
        assert array.ndim == len([part for part in shape.split(",") if part.strip()])


def test_places_of_numbers_are_distinct():
    for names, n in (
        (
            "START END NODE DEPTH SLOT TOTAL FEATURE CODE KIND LEFT_TOTAL",
            bundles.N_INTS,
        ),
        ("GAIN LOWER UPPER", bundles.N_REALS),
        ("STOP N_DRAWN BEST_ROUND N_DONE", 4),
    ):
        places = [getattr(bundles, name) for name in names.split()]
        assert sorted(places) == list(range(n))

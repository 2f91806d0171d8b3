"""The claims on nets: their trends, and the data sets of the paper."""

import pytest

from manyminds.analysis.decomposition import bias_variance_of_problem
from manyminds.datasets.folder import DataFolder
from manyminds.datasets.generators import make_artificial_multi2, make_threenorm
from manyminds.reproductions.bias_variance.nets import (
    NetClassifier,
)
from manyminds.reproductions.bias_variance.protocol import (
    load_problem,
)


def measure_nets(make, family, n_hidden, epoch, n_members, n_predictors, seed):
    """Measure nets as the paper did, but fewer of them: it has 50 of 50."""
    return bias_variance_of_problem(
        NetClassifier(family, n_hidden, (epoch,), n_members), make, n_test=1000,
        n_predictors=n_predictors, n_runs=1, random_state=seed,
    ).mean  # fmt: skip


@pytest.mark.slow
def test_trends_of_nine_classes(seed):
    # Item 8 of the acceptance list. Measured over 10 seeds, with 15 nets instead of 30,
    # errors were 57.6 to 61.5, 39.1 to 45.9 and 32.7 to 36.6 %, and the least distances
    # of single nets from bags 14, 13 and 1.9 points in error, variance and its effect.
    single, bagging, code = (
        measure_nets(make_artificial_multi2, family, 2, 5, 30, 20, seed)
        for family in ("single", "bagging", "ECOC")
    )
    assert single["error"] > bagging["error"] + 0.05
    assert bagging["error"] > code["error"]
    for ensemble in (bagging, code):
        assert ensemble["variance_effect"] < single["variance_effect"]
        assert ensemble["variance"] < single["variance"]


@pytest.mark.slow
def test_strong_nets_err_alike_in_the_end(seed):
    # Item 8: measured over 10 seeds, 1.2 to 2.7 points apart.
    bagging, code = (
        measure_nets(make_artificial_multi2, family, 16, 15, 15, 5, seed)
        for family in ("bagging", "ECOC")
    )
    assert abs(bagging["error"] - code["error"]) < 0.06


@pytest.mark.slow
def test_trends_of_two_classes(seed):
    # Item 8, second half. Measured over 10 seeds, systematic effects were at most 0.7
    # points apart, and variance effects 1.1 points or more.
    single, bagging = (
        measure_nets(make_threenorm, family, 2, 15, 15, 20, seed)
        for family in ("single", "bagging")
    )
    gap = bagging["systematic_effect"] - single["systematic_effect"]
    assert abs(gap) < 0.02
    assert bagging["variance_effect"] < single["variance_effect"]


def test_real_tables_are_as_the_paper_has_them(shared_data):
    find = DataFolder(shared_data).load
    shapes = {
        name: load_problem(find, name).X.shape
        for name in ("glass", "dermatology", "segment", "yeast")
    }
    assert shapes == {
        "glass": (214, 9),
        "dermatology": (358, 34),
        "segment": (2310, 19),
        "yeast": (1484, 8),
    }

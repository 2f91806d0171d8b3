"""Regions, routes and constants of local classifiers."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.ensemble.experts.base import (
    fit_expert,
    fit_point_scaler,
    group_rows,
    look_up_regions,
    number_regions,
    scale_points,
    share_classes,
)


def test_groups_cover_all_rows_once(seed):
    region = np.random.default_rng(seed).integers(5, size=60)
    groups = group_rows(region, 7)
    assert len(groups) == 7
    assert_array_equal(np.sort(np.concatenate(groups)), np.arange(60))
    assert all((region[rows] == e).all() for e, rows in enumerate(groups))


def test_unknown_regions_go_to_the_largest():
    names, region = number_regions(np.array([3, 7, 3]))
    assert_array_equal(region, [0, 1, 0])
    found = look_up_regions(np.array([7, 3, 5, 9]), names, np.array([2, 1]))
    assert_array_equal(found, [1, 0, 0, 0])


def test_constant_for_one_class_and_weights_of_pipelines():
    X, label = np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1])
    assert isinstance(
        fit_expert(LogisticRegression(), X[:3], label[:3], None), DummyClassifier
    )
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    weight = np.array([1.0, 2.0, 3.0, 3.0, 2.0, 1.0])
    fitted = fit_expert(pipeline, X, label, weight)
    rows = np.repeat(np.arange(6), weight.astype(int))
    repeated = make_pipeline(StandardScaler(), LogisticRegression())
    repeated.fit(X[rows], label[rows])
    assert fitted[-1].coef_ == pytest.approx(repeated[-1].coef_, abs=1e-4)


def test_shares_and_scales():
    assert_array_equal(share_classes(np.array([0, 2]), None, 3), [0.5, 0.0, 0.5])
    assert_array_equal(
        share_classes(np.array([0, 2]), np.array([3, 1]), 3), [0.75, 0, 0.25]
    )
    X = np.array([[0.0], [2.0]])
    assert scale_points(fit_point_scaler(X, None, None), X) is X
    assert_array_equal(scale_points(fit_point_scaler(X, None, "standard"), X), X)

"""What all code classifiers share: outputs, blocks, probabilities, errors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris, make_blobs
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from manyminds.ensemble import ECOCClassifier, decode
from manyminds.ensemble.codes import decoders


def test_scores_are_negative_losses(seed, monkeypatch):
    X, y = make_blobs(150, centers=5, random_state=seed)
    model = ECOCClassifier(
        LogisticRegression(solver="liblinear"), code="dense", random_state=seed
    )
    model.fit(X, y)
    losses = decode(model.column_outputs(X), model.code_, "hinge")
    assert_allclose(model.decision_function(X), -losses)
    whole = model.predict(X)
    assert_array_equal(whole, losses.argmin(axis=1))
    monkeypatch.setattr(decoders, "BLOCK_CELLS", 40)  # blocks of eight rows
    assert_array_equal(model.predict(X), whole)
    p = model.predict_proba(X)
    assert_allclose(p.sum(axis=1), 1.0)
    assert_array_equal(p.argmax(axis=1), whole)


def test_without_folds_there_are_no_probabilities():
    X, y = load_iris(return_X_y=True)
    model = ECOCClassifier(cv=None).fit(X, y)
    assert not hasattr(model, "predict_proba") and not hasattr(model, "temperature_")


def test_rows_of_weight_zero_are_absent():
    X, y = load_iris(return_X_y=True)
    weight = (np.arange(150) % 3 > 0).astype(float)
    model = ECOCClassifier(
        LogisticRegression(solver="liblinear"), code="one_vs_one", random_state=0
    )
    with_zeros = model.fit(X, y, sample_weight=weight).predict_proba(X)
    kept = weight > 0
    assert_allclose(with_zeros, model.fit(X[kept], y[kept]).predict_proba(X))


def test_weights_need_a_learner_that_takes_them():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="sample_weight needs an estimator"):
        ECOCClassifier(KNeighborsClassifier()).fit(X, y, sample_weight=np.ones(150))
    with pytest.raises(ValueError, match="estimator must be a classifier"):
        ECOCClassifier(LinearRegression()).fit(X, y)


def test_classes_of_one_row_have_no_folds():
    X, y = np.arange(4.0)[:, None], np.array(list("abcd"))
    model = ECOCClassifier(KNeighborsClassifier(1), code="one_vs_all").fit(X, y)
    assert_array_equal(model.predict(X), y)
    assert np.isfinite(model.predict_proba(X)).all()

"""TunedSVC: genes by hand, the best of all candidates, all three searches."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from manyminds.learners import TunedSVC
from manyminds.learners.tuned_svc import _TwoFoldErrors, read_genes


def test_genes_by_hand():
    bits = np.zeros(20, bool)
    assert read_genes(bits) == (-5.0, -15.0)
    bits[[0, 19]] = True  # 512 and 1 of 1023
    assert_allclose(read_genes(bits), [-5 + 20 * 512 / 1023, -15 + 18 / 1023])


def test_errors_are_those_of_two_folds(seed):
    rng = np.random.default_rng(seed)
    X, label = rng.normal(size=(40, 2)), np.arange(40) % 2
    fold = np.arange(40) // 20
    wrong = [
        SVC(C=4.0, gamma=0.5).fit(X[fold != f], label[fold != f]).predict(X[fold == f])
        != label[fold == f]
        for f in (0, 1)
    ]
    errors = _TwoFoldErrors(X, label, None, fold)
    assert errors(2.0, -1.0) == np.mean(wrong)
    weight = np.arange(40.0)
    weighted = _TwoFoldErrors(X, label, weight, fold)
    guess = weighted(2.0, -1.0)
    assert 0.0 <= guess <= 1.0 and len(errors.known) == 1


@pytest.mark.parametrize("search", ["ga", "pbil", "optuna"])
def test_searches_beat_a_bad_start(search):
    X, y = load_breast_cancer(return_X_y=True)
    X, y, X_new, y_new = X[:200], y[:200], X[200:], y[200:]
    model = TunedSVC(search, n_generations=5, n_trials=30, random_state=0).fit(X, y)
    again = TunedSVC(search, n_generations=5, n_trials=30, random_state=0).fit(X, y)
    assert model.C_ == again.C_ and model.gamma_ == again.gamma_
    assert model.n_candidates_ >= 20
    assert model.search_error_ < 0.05
    assert model.score(X_new, y_new) > 0.93
    scaler = StandardScaler().fit(X)
    plain = SVC(C=model.C_, gamma=model.gamma_).fit(scaler.transform(X), y)
    assert_array_equal(plain.predict(scaler.transform(X_new)), model.predict(X_new))


def test_a_class_of_one_row_is_learned():
    X = np.arange(7.0)[:, None]
    model = TunedSVC(n_generations=1, random_state=0).fit(X, [0, 0, 0, 0, 0, 0, 1])
    assert set(model.predict(X)) <= {0, 1}

"""LabelGroupClassifier: item 5, scores by hand, calibration, odd labels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import hamming_loss, roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from manyminds.datasets import make_label_groups
from manyminds.ensemble import LabelGroupClassifier, WeightedECOCClassifier
from manyminds.learners import LMNetClassifier

BAYES = GaussianNB()
QUICK = WeightedECOCClassifier(LMNetClassifier(2, max_iter=4), 40)


def faces(seed, n_samples=900, signal=3.0):
    X, Y = make_label_groups(n_samples, signal=signal, random_state=seed)
    return X[:400], Y[:400], X[400:], Y[400:]


@pytest.mark.parametrize("normalize", ["sum", "n_classes"])
def test_scores_by_hand(normalize):
    X, Y, X_new, _ = faces(0)
    model = LabelGroupClassifier(BAYES, normalize=normalize, calibration="train")
    model.fit(X, Y)
    p = model.estimator_.predict_proba(X_new)
    total = p.sum(axis=1) if normalize == "sum" else len(model.groups_)
    for k in range(6):
        expected = sum(p[:, i] for i in np.flatnonzero(model.groups_[:, k])) / total
        assert_allclose(model.label_scores(X_new)[:, k], expected)


def test_item_5_certain_groups_are_certain_labels():
    X, Y, _, _ = faces(0)
    model = LabelGroupClassifier(KNeighborsClassifier(1), calibration="train")
    # Each row is its own neighbor: one-hot scores of groups.
    assert_array_equal(model.fit(X, Y).label_scores(X), Y)


def test_item_5_sigmoids_keep_the_order_and_halve_the_error():
    X, Y, X_new, Y_new = faces(0)
    raw = LabelGroupClassifier(QUICK, calibration=None, random_state=0).fit(X, Y)
    model = LabelGroupClassifier(QUICK, random_state=0).fit(X, Y)
    before, after = raw.predict_proba(X_new), model.predict_proba(X_new)
    assert_allclose(raw.label_scores(X_new), model.label_scores(X_new))
    for k in range(6):
        assert_allclose(
            roc_auc_score(Y_new[:, k], after[:, k]),
            roc_auc_score(Y_new[:, k], before[:, k]),
            atol=1e-12,
        )
    assert (model.sigmoids_[:, 0] < 0.0).all()
    # Labels 2, 5, 6 and 7 are in at most four of twelve groups: never above one half.
    errors = [hamming_loss(Y_new, m.predict(X_new)) for m in (raw, model)]
    assert errors[1] < 0.6 * errors[0]  # measured: 0.19 and 0.085


def test_the_printed_divisor_predicts_no_label_without_sigmoids():
    X, Y, X_new, Y_new = faces(0)
    model = LabelGroupClassifier(
        QUICK, normalize="n_classes", calibration=None, random_state=0
    ).fit(X, Y)
    assert not model.predict(X_new).any()
    assert_allclose(hamming_loss(Y_new, model.predict(X_new)), Y_new.mean())


@pytest.mark.parametrize("calibration", ["oob", "cv", "train"])
def test_every_calibration_learns(calibration):
    X, Y, X_new, Y_new = faces(1)
    model = LabelGroupClassifier(QUICK, calibration=calibration, random_state=0)
    assert hamming_loss(Y_new, model.fit(X, Y).predict(X_new)) < 0.12
    p = model.predict_proba(X_new)
    brier = np.mean((p - Y_new) ** 2)
    assert brier < 0.7 * np.mean((Y.mean(axis=0) - Y_new) ** 2)


def test_training_scores_of_strong_learners_are_optimistic():
    X, Y, X_new, Y_new = faces(2, signal=1.5)
    forest = RandomForestClassifier(30)
    briers = {}
    for kind in ("train", "cv"):
        model = LabelGroupClassifier(forest, calibration=kind, random_state=0)
        briers[kind] = np.mean((model.fit(X, Y).predict_proba(X_new) - Y_new) ** 2)
    assert briers["cv"] < briers["train"]


def test_labels_that_never_or_always_occur():
    X, y = load_iris(return_X_y=True)
    Y = np.column_stack([y == 0, np.zeros(150), y == 2, np.ones(150)]).astype(int)
    model = LabelGroupClassifier(BAYES, random_state=0).fit(X, Y)
    p = model.predict_proba(X)
    assert_array_equal(p[:, 1], 0.0)
    assert_array_equal(p[:, 3], 1.0)
    assert_array_equal(model.predict(X)[:, [1, 3]], Y[:, [1, 3]])


def test_a_vector_is_a_single_label():
    X, y = load_iris(return_X_y=True)
    flat = LabelGroupClassifier(BAYES, random_state=0).fit(X, y > 0)
    table = LabelGroupClassifier(BAYES, random_state=0).fit(X, (y > 0)[:, None])
    assert_array_equal(flat.predict(X), table.predict(X)[:, 0])
    assert_allclose(flat.predict_proba(X)[:, 1], table.predict_proba(X)[:, 0])


def test_labels_of_other_values():
    X, y = load_iris(return_X_y=True)
    Y = np.where(np.column_stack([y == 0, y == 1]), "yes", "no")
    model = LabelGroupClassifier(BAYES, random_state=0).fit(X, Y)
    assert set(model.predict(X)[:, 0]) == {"yes", "no"}
    assert np.mean(model.predict(X)[:, 0] == Y[:, 0]) > 0.93


def test_wrong_arguments_are_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="column 0 of y has 3 values"):
        LabelGroupClassifier().fit(X, y)
    with pytest.raises(ValueError, match="inconsistent numbers"):
        LabelGroupClassifier().fit(X, np.eye(3)[y][1:])
    with pytest.raises(ValueError, match="column 0 of y has 3 values"):
        LabelGroupClassifier().fit(X, y[:, None])
    with pytest.raises(ValueError, match="all rows have the same labels"):
        LabelGroupClassifier().fit(X, np.ones((150, 2)))
    with pytest.raises(ValueError, match='calibration="oob" needs an estimator'):
        LabelGroupClassifier(BAYES, calibration="oob").fit(
            X, np.stack([y > 0, y > 1], 1)
        )


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("calibration", ["cv", "train", None])
def test_values_that_overflow_are_refused(seed, calibration):
    rng = np.random.default_rng(seed)
    X = rng.choice([-1e308, 1e308, 0.0, 1.0], size=(40, 4))
    Y = (rng.random((40, 3)) < 0.5).astype(int)
    model = LabelGroupClassifier(calibration=calibration, random_state=0)
    with pytest.raises(ValueError, match="column 0 of X overflow:"):
        model.fit(X, Y).predict_proba(X)

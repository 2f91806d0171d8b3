import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from manyminds.feature_selection.base import (
    ScoreSelector,
    Selector,
    count_to_select,
    rank_scores,
    read_target,
    read_weight,
)


class Variances(ScoreSelector):
    def __init__(self, n_features_to_select=1):
        self.n_features_to_select = n_features_to_select

    def fit(self, X, y=None):
        X, self.is_categorical_ = self._read_features(X)
        self.scores_ = X.var(axis=0)
        return self


class Everything(Selector):
    def fit(self, X, y=None):
        X, _ = self._read_features(X)
        self.support_ = np.ones(X.shape[1], dtype=bool)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def test_scores_become_a_mask():
    X = np.array([[0.0, 0.0, 5.0], [1.0, 0.0, 9.0]])
    selector = Variances(2).fit(X)
    assert selector.get_support().tolist() == [True, False, True]
    assert selector.ranking_.tolist() == [2, 3, 1]
    assert selector.set_params(n_features_to_select=1).transform(X).tolist() == [
        [5.0],
        [9.0],
    ]


def test_ranks():
    assert rank_scores([1.0, np.nan, 2.0, 1.0, -np.inf]).tolist() == [2, 4, 1, 3, 5]


@pytest.mark.parametrize(
    ("wanted", "count"), [(3, 3), (9, 5), (0.4, 2), (0.5, 2), (1.0, 5), (0.01, 1)]
)
def test_count_of_five(wanted, count):
    assert count_to_select(wanted, 5) == count


def test_categories_are_read_as_codes_and_kept_in_frames():
    X = pd.DataFrame({"a": [1.0, 2.0, 4.0], "b": pd.Categorical(["u", "v", "u"])})
    selector = Variances(2).set_output(transform="pandas").fit(X)
    assert selector.is_categorical_.tolist() == [False, True]
    assert selector.scores_[1] == pytest.approx(2 / 9)
    pd.testing.assert_frame_equal(selector.transform(X), X)
    assert selector.get_feature_names_out().tolist() == ["a", "b"]


def test_missing_values_and_sparse_tables_pass_by_tag():
    holes = np.array([[np.nan, 1.0], [0.0, 2.0]])
    assert Everything().fit(holes).get_support().all()
    with pytest.raises(ValueError, match="X contains NaN"):
        Variances().fit(holes)
    with pytest.raises(ValueError, match="X contains infinity"):
        Everything().fit(holes).transform(pd.DataFrame([[np.inf, 1.0]]))
    sparse = csr_array(np.eye(3))
    assert Everything().fit(sparse).transform(sparse).shape == (3, 3)
    with pytest.raises(TypeError, match="Variances does not take"):
        Variances().fit(sparse)


def test_targets():
    X = np.zeros((4, 1))
    y, classes = read_target(Variances(), X, ["b", "a", "b", "c"])
    assert y.tolist() == [1, 0, 1, 2] and classes.tolist() == ["a", "b", "c"]
    y, classes = read_target(Variances(), X, [0.5, 1.0, 2.0, 3.0])
    assert y.dtype == np.float64 and classes is None
    y, classes = read_target(Variances(), X, [0, 1, 2, 3], task="regression")
    assert y.dtype == np.float64 and classes is None
    with pytest.raises(ValueError, match="requires y to be passed"):
        read_target(Variances(), X, None)
    with pytest.raises(ValueError, match="y contains NaN"):
        read_target(Variances(), X, [0.0, np.nan, 1.0, 2.0])


def test_weights():
    X = np.zeros((2, 1))
    assert read_weight(X, None).tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match=r"positive weight|non-zero"):
        read_weight(X, [0.0, 0.0])

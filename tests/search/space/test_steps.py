"""Steps before the learner: they fit what problems are like, in every fold."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array, issparse
from sklearn.base import clone
from sklearn.decomposition import TruncatedSVD

from manyminds.preprocessing import RoundedPCA
from manyminds.search import Problem
from manyminds.search.space.steps import (
    ENCODERS,
    REDUCERS,
    SCALERS,
    SELECTORS,
    count_components,
    count_one_hot,
    count_ordinal,
    count_target_means,
    make_mrmr,
    make_one_hot,
    make_ordinal,
    make_target_encoding,
    suits_pca,
)

PLAIN = Problem("classification", 200, 30, 2, 100, n_encoded=30)
FRAME = pd.DataFrame(
    {
        "size": [1.0, np.nan, 3.0, 8.0] * 10,
        "hue": pd.Categorical(["red", "blue", "red", None] * 10),
    }
)
Y = np.arange(40) % 2
PROBLEM = Problem.of(FRAME, Y, "classification")


def test_numbers_are_filled_by_medians_and_levels_have_columns():
    made = make_one_hot(PROBLEM).fit_transform(FRAME)
    assert_allclose(made[:4, 0], [1.0, 3.0, 3.0, 8.0])
    assert_allclose(made[:4, 1:].sum(axis=1), 1.0)
    assert made.shape == (40, count_one_hot(PROBLEM)) == (40, 4)


def test_unknown_and_missing_levels_have_codes():
    encoder = make_ordinal(PROBLEM).fit(FRAME)
    new = FRAME.head(3).assign(hue=pd.Categorical(["green", None, "red"]))
    assert_allclose(encoder.transform(new)[:, 1], [-1.0, -1.0, 1.0])
    assert count_ordinal(PROBLEM) == 2


def test_an_indicator_marks_what_was_missing():
    made = make_ordinal(PROBLEM, indicator=True).fit_transform(FRAME)
    assert_allclose(made[:4, 1], [0.0, 1.0, 0.0, 0.0])


def test_a_level_becomes_the_mean_target_of_numbers(seed):
    # Whole numbers are no classes of a regression.
    X = pd.DataFrame({"size": np.arange(8.0), "hue": pd.Categorical(list("abababab"))})
    problem = Problem.of(X, np.arange(8.0), "regression", "rmse")
    made = make_target_encoding(problem).fit_transform(X, np.arange(8.0))
    assert made.shape == (8, 2)


@pytest.mark.parametrize(("n_classes", "n_columns"), [(0, 4), (2, 4), (5, 12)])
def test_target_means_of_many_classes_are_many_columns(n_classes, n_columns):
    # Two numbers, and two columns of more than one common level.
    task = "classification" if n_classes else "regression"
    problem = Problem(
        task, 200, 5, n_classes, n_encoded=20, n_numbers=2, levels=(3, 1, 7)
    )
    assert count_target_means(problem) == n_columns
    assert count_one_hot(problem) == 2 + 11 and count_ordinal(problem) == 4


def test_a_table_of_numbers_needs_no_encoder():
    assert make_one_hot(PLAIN) is None
    filler = make_one_hot(replace(PLAIN, has_missing=True))
    assert_allclose(filler.fit_transform([[1.0], [np.nan], [3.0]]).ravel(), [1, 2, 3])
    X = csr_array(np.eye(3))
    assert issparse(make_one_hot(replace(PLAIN, sparse=True)).fit_transform(X))


@pytest.mark.parametrize("sparse", [False, True])
def test_every_scaler_takes_its_tables(sparse, seed):
    problem = replace(PLAIN, sparse=sparse, n_samples=40)
    X = np.random.default_rng(seed).poisson(1.0, size=(40, 5)).astype(float)
    X = csr_array(X) if sparse else X
    for option in SCALERS:
        if option.suits(problem) and (scaler := option.make(problem)) is not None:
            made = scaler.fit_transform(X)
            assert issparse(made) == sparse and made.shape == X.shape, option.name


@pytest.mark.parametrize(
    ("n_samples", "n_encoded", "share", "n_expected"),
    [
        (200, 30, 0.5, 15),
        (200, 5, 0.98, 4),  # at least one component fewer than columns
        (20, 30, 0.5, 4),  # of 8 rows, which a fold of two in a committee has
        (200, 30, 0.001, 1),
        (2, 5, 0.98, 1),
    ],
)
def test_components_suit_the_rows_of_any_fold(n_samples, n_encoded, share, n_expected):
    problem = replace(PLAIN, n_samples=n_samples, n_encoded=n_encoded)
    assert count_components(problem, share) == n_expected


def test_components_suit_a_small_first_fold():
    problem = replace(PLAIN, n_samples=60, n_encoded=500, fit_share=0.1)
    assert count_components(problem, 0.98) == 5


def test_sparse_tables_are_reduced_without_their_means():
    [pca] = [one for one in REDUCERS if one.name == "pca"]
    assert type(pca.make(PLAIN, components=0.5)) is RoundedPCA
    sparse = replace(PLAIN, sparse=True, n_samples=5_000, n_encoded=900)
    made = pca.make(sparse, components=0.5)
    assert type(made) is TruncatedSVD and made.n_components == 100
    assert not suits_pca(replace(PLAIN, n_encoded=4))
    assert not suits_pca(replace(PLAIN, n_samples=10_000, n_encoded=2_000))


def test_no_more_columns_are_selected_than_there_are():
    assert make_mrmr(PLAIN, 100).n_features_to_select == 30
    assert make_mrmr(PLAIN, 7).n_features_to_select == 7


@pytest.mark.parametrize("stage", [ENCODERS, SCALERS, REDUCERS, SELECTORS])
def test_steps_can_be_made_of_their_defaults(stage):
    names = [option.name for option in stage]
    assert len(set(names)) == len(names)
    for option in stage:
        values = {name: one.default for name, one in option.parameters.items()}
        step = option.make(PLAIN, **values)
        assert (
            step is None or clone(step).get_params().keys() == step.get_params().keys()
        )


def test_selectors_with_a_share_can_be_ranked():
    for option in SELECTORS:
        assert option.ranks == ("share" in option.parameters), option.name


def test_selection_needs_five_columns_and_often_classes():
    few = replace(PLAIN, n_encoded=4)
    assert [one.name for one in SELECTORS if one.suits(few)] == ["unselected"]
    numbers = {one.name for one in SELECTORS if one.suits(replace(PLAIN, task="x"))}
    assert not numbers & {"ssv", "ssv_tree", "selection_committee"}
    sparse = {one.name for one in SELECTORS if one.suits(replace(PLAIN, sparse=True))}
    assert sparse == {"unselected", "correlation", "ssv", "mrmr"}

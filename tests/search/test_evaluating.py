"""Trying chains on folds: shared work changes nothing, hopeless chains are stopped."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.model_selection import cross_val_predict

from manyminds.search import Learner, Problem, default_space
from manyminds.search.evaluating import Evaluator, is_hopeless
from manyminds.search.folds import make_folds
from manyminds.search.measuring import Measurer

QUICK = ("logistic", "naive_bayes", "nrbf")


def make_evaluator(X, y, seed, metric="accuracy", space=None):
    problem = Problem.of(X, y, "classification", metric)
    space = (space or default_space("classification")).suiting(problem)
    measure = Measurer(metric, "classification", np.unique(y))
    folds = make_folds(3, X, y, "classification", seed)
    return Evaluator(X, y, folds, space, problem, measure)


CHAINS = (
    {"learner": "logistic", "select": "ssv", "ssv.share": 0.3},
    {"learner": "logistic", "select": "ssv", "ssv.share": 0.7},
    {"learner": "logistic", "select": "correlation", "correlation.share": 0.2},
    {"learner": "naive_bayes", "reduce": "pca", "pca.components": 0.3},
    {"learner": "naive_bayes", "select": "selection_committee"},
    {"learner": "forest", "select": "forest_gain", "forest_gain.share": 0.4},
    {"learner": "logistic", "scale": "quantile", "select": "mrmr", "mrmr.count": 5},
    {"learner": "naive_bayes", "committee": "committee"},
)


def test_shared_work_changes_nothing(seed):
    """Predictions equal those of whole pipelines, fitted anew in every fold."""
    X, y = make_classification(150, 20, n_informative=5, random_state=seed)
    evaluator = make_evaluator(X, y, seed)
    for partial in (*CHAINS, *reversed(CHAINS)):
        chain = evaluator.space.complete(partial, evaluator.problem)
        found = evaluator(chain)
        assert found.reason == ""
        model = evaluator.space.build(chain, evaluator.problem)
        whole = cross_val_predict(
            model, X, y, cv=evaluator.folds, method="predict_proba"
        )
        np.testing.assert_allclose(found.predictions, whole, atol=1e-6)


def test_labels_never_leak_into_a_fold():
    """Item 7 of the acceptance list: columns of noise, chosen inside of each fold."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 10_000)), rng.permutation(np.arange(100) % 2)
    evaluator = make_evaluator(X, y, 0)
    wish = {
        "learner": "linear_svm",
        "select": "correlation",
        "correlation.share": 0.005,
    }
    chain = evaluator.space.complete(wish, evaluator.problem)
    honest = 1.0 - np.mean(evaluator(chain).fold_scores)
    best = np.argsort(-np.abs(np.corrcoef(X.T, y)[-1, :-1]))[:50]
    outside = make_evaluator(X[:, best], y, 0)
    chain = outside.space.complete({"learner": "linear_svm"}, outside.problem)
    fooled = 1.0 - np.mean(outside(chain).fold_scores)
    assert fooled < 0.2
    assert 0.4 <= honest <= 0.6


def test_categories_and_gaps_go_through_every_encoder(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(90, 3)), columns=list("abc"))
    X.loc[rng.random(90) < 0.2, "a"] = np.nan
    y = rng.integers(2, size=90)
    X["hue"] = pd.Categorical(np.where(y == 1, "red", rng.choice(["blue", None], 90)))
    evaluator = make_evaluator(X, y, seed)
    for encoder in ("one_hot", "target_means", "codes"):
        for indicator in (False, True):
            chain = {
                "learner": "logistic",
                "encode": encoder,
                f"{encoder}.indicator": indicator,
            }
            found = evaluator(evaluator.space.complete(chain, evaluator.problem))
            assert found.reason == ""
            assert np.mean(found.fold_scores) > 0.8


def test_selected_columns_are_told_in_the_tables_own_positions():
    X, y = load_breast_cancer(return_X_y=True)
    evaluator = make_evaluator(X, y, 0)
    wish = {
        "learner": "logistic", "reduce": "unreduced", "select": "correlation",
        "correlation.share": 0.1,
    }  # fmt: skip
    found = evaluator(evaluator.space.complete(wish, evaluator.problem))
    assert [len(one) for one in found.selected] == [3, 3, 3]
    train = evaluator.folds[0][0]
    strength = np.abs(np.corrcoef(X[train].T, y[train])[-1, :-1])
    assert set(found.selected[0]) == set(np.argsort(-strength)[:3])


def test_a_committee_tells_what_its_members_were_given():
    X, y = load_breast_cancer(return_X_y=True)
    evaluator = make_evaluator(X, y, 0)
    wish = {"learner": "logistic", "committee": "committee"}
    found = evaluator(evaluator.space.complete(wish, evaluator.problem))
    assert [len(one) for one in found.selected] == [30, 30, 30]
    wish |= {"select": "correlation", "correlation.share": 0.1}
    found = evaluator(evaluator.space.complete(wish, evaluator.problem))
    assert all(3 <= len(one) <= 8 for one in found.selected)
    wish |= {"reduce": "pca"}
    found = evaluator(evaluator.space.complete(wish, evaluator.problem))
    assert found.selected == []


def make_failing(problem):
    raise RuntimeError("no such machine")


def test_a_chain_that_fails_says_why():
    X, y = load_breast_cancer(return_X_y=True)
    broken = Learner("broken", make_failing)
    space = default_space("classification").adding("learner", broken)
    evaluator = make_evaluator(X, y, 0, space=space)
    chain = evaluator.space.complete({"learner": "broken"}, evaluator.problem)
    found = evaluator(chain)
    assert evaluator.space.describe(chain, evaluator.problem) == "broken"
    assert found.state == "failed"
    assert found.reason == "RuntimeError: no such machine"


def test_a_hopeless_chain_is_stopped_after_two_folds():
    X, y = load_breast_cancer(return_X_y=True)
    evaluator = make_evaluator(X, y, 0)
    chain = evaluator.space.complete({"learner": "naive_bayes"}, evaluator.problem)
    assert evaluator(chain).state == "complete"
    stopped = evaluator(chain, rival=[0.999, 0.998, 0.999])
    assert stopped.state == "stopped"
    assert len(stopped.fold_scores) == 2


def test_a_slow_chain_is_stopped():
    X, y = load_breast_cancer(return_X_y=True)
    evaluator = make_evaluator(X, y, 0)
    chain = evaluator.space.complete({"learner": "forest"}, evaluator.problem)
    assert evaluator(chain, limit=1e-6).state == "slow"


def test_an_equal_chain_is_seldom_stopped():
    rng = np.random.default_rng(0)
    stopped = 0
    for _ in range(400):
        both = rng.normal(0.9, 0.02, 10) + rng.normal(0, 0.01, (2, 10))
        stopped += any(is_hopeless(both[0, :n], both[1]) for n in range(2, 10))
    assert stopped / 400 < 0.15


def test_a_worse_chain_is_nearly_always_stopped():
    rng = np.random.default_rng(0)
    stopped = 0
    for _ in range(200):
        both = rng.normal(0.9, 0.02, 10) + rng.normal(0, 0.01, (2, 10))
        both[0] -= 0.05
        stopped += any(is_hopeless(both[0, :n], both[1]) for n in range(2, 10))
    assert stopped / 200 > 0.95


@pytest.mark.parametrize("rival", [[], [0.9]])
def test_nothing_is_told_by_less_than_two_folds(rival):
    assert not is_hopeless([0.1, 0.1], rival)

"""Linear models do not depend on the unit of the target; signs of sparse tables."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.naive_bayes import BernoulliNB, GaussianNB

from manyminds.search import Problem
from manyminds.search.space.linear_learners import make_elastic_net, make_nb


def test_penalties_do_not_depend_on_the_unit_of_the_target(seed):
    X = np.random.default_rng(seed).normal(size=(80, 3))
    y = X @ [3.0, 0.0, -1.0] + 5.0
    problem = Problem.of(X, y, "regression")
    meters = make_elastic_net(problem, 0.1, 0.5).fit(X, y)
    millimeters = make_elastic_net(problem, 0.1, 0.5).fit(X, 1000.0 * y)
    assert_allclose(millimeters.predict(X), 1000.0 * meters.predict(X))


def test_naive_bayes_of_a_sparse_table_is_one_of_signs():
    X, y = np.eye(4), np.array([0, 1, 0, 1])
    assert type(make_nb(Problem.of(X, y, "classification"))) is GaussianNB
    sparse = Problem.of(csr_array(X), y, "classification")
    assert type(make_nb(sparse)) is BernoulliNB

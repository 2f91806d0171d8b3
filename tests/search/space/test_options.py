"""Options of a stage: names of their parameters in pipelines, and defaults."""

import pickle
from dataclasses import FrozenInstanceError, replace

import pytest
from sklearn.decomposition import PCA

from manyminds.search import Choice, Learner, Number, Option, Problem
from manyminds.search.space.options import suits_all


def make_pca(problem, n_components, whiten=False):
    return PCA(n_components, whiten=whiten)


OPTION = Option(
    "pca",
    make_pca,
    {
        "n_components": Number(1, 9, 2, whole=True),
        "whiten": Choice([False, True], default=True),
    },
)


def test_defaults_have_the_names_of_pipelines():
    assert OPTION.defaults() == {"pca.n_components": 2, "pca.whiten": True}
    assert Option("none", make_pca).defaults() == {}


def test_two_options_do_not_share_a_name():
    other = replace(OPTION, name="other")
    assert not set(other.defaults()) & set(OPTION.defaults())
    assert OPTION.key("x") == "pca.x"


def test_an_option_suits_every_problem_unless_it_says_otherwise():
    problem = Problem("regression", 2, 1)
    assert OPTION.suits is suits_all and OPTION.suits(problem)
    assert not replace(OPTION, suits=lambda one: one.n_features > 5).suits(problem)


def test_learners_ask_for_nothing_by_default():
    learner = Learner("pca", make_pca)
    assert isinstance(learner, Option)
    assert not (learner.reads_tables or learner.needs_scaling or learner.takes_sparse)


def test_options_reach_other_processes():
    assert pickle.loads(pickle.dumps(PICKLED)) == PICKLED
    with pytest.raises(FrozenInstanceError):
        OPTION.name = "other"


PICKLED = Option("all", suits_all, OPTION.parameters)

"""Linear models and Bayesian classifiers as learners of a search."""

from typing import Any

from sklearn.compose import TransformedTargetRegressor
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.preprocessing import StandardScaler

from manyminds.networks import AODEClassifier, TANClassifier
from manyminds.search.space.options import Learner
from manyminds.search.space.parameters import Number
from manyminds.search.space.problem import Problem
from manyminds.search.space.suitability import is_narrow, suits_dependence


def make_logistic(problem: Problem, C: float) -> Any:
    """Make a logistic regression."""
    return LogisticRegression(C=C, max_iter=500)


def make_lda(problem: Problem) -> Any:
    """Make a linear discriminant analysis with a shrunken covariance."""
    return LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")


def make_ridge(problem: Problem, alpha: float) -> Any:
    """Make a ridge regression."""
    return Ridge(alpha=alpha)


def make_elastic_net(problem: Problem, alpha: float, l1_ratio: float) -> Any:
    """Make an elastic net."""
    return with_scaled_target(ElasticNet(alpha=alpha, l1_ratio=l1_ratio))


def with_scaled_target(model: Any) -> Any:
    """Fit a regressor to a target of mean 0 and variance 1."""
    return TransformedTargetRegressor(model, transformer=StandardScaler())


def make_nb(problem: Problem) -> Any:
    """Make a Gaussian naive Bayes; of a sparse table, one of signs.

    A complement naive Bayes takes no negative numbers, so no principal components.
    """
    return BernoulliNB() if problem.sparse else GaussianNB()


def make_aode(problem: Problem, smoothing: float) -> Any:
    """Make averaged one-dependence estimators of categories and cut numbers."""
    return AODEClassifier(smoothing=smoothing)


def make_tan(problem: Problem, smoothing: float) -> Any:
    """Make a tree-augmented naive Bayes of categories and cut numbers."""
    return TANClassifier(smoothing=smoothing)


C = Number(0.001, 1000, default=1, log=True)
SMOOTHING = {"smoothing": Number(0.1, 30, default=1.0, log=True)}
LOGISTIC = Learner(
    "logistic", make_logistic, {"C": C}, needs_scaling=True, takes_sparse=True
)
LDA = Learner("lda", make_lda, {}, is_narrow, needs_scaling=True)
RIDGE = Learner(
    "ridge",
    make_ridge,
    {"alpha": Number(1e-4, 1e4, 1.0, log=True)},
    needs_scaling=True,
    takes_sparse=True,
)
ELASTIC_NET = Learner(
    "elastic_net",
    make_elastic_net,
    {
        "alpha": Number(1e-4, 10.0, default=0.01, log=True),
        "l1_ratio": Number(0.05, 1.0, default=0.5),
    },
    needs_scaling=True,
    takes_sparse=True,
)
NB = Learner("nb", make_nb, {}, takes_sparse=True)
AODE = Learner("aode", make_aode, SMOOTHING, suits_dependence, reads_tables=True)
TAN = Learner("tan", make_tan, SMOOTHING, suits_dependence, reads_tables=True)

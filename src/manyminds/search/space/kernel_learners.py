"""Kernels, neighbors and nets as learners of a search."""

from typing import Any

from sklearn.calibration import CalibratedClassifierCV
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

from manyminds.learners import (
    ELMClassifier,
    ELMRegressor,
    KernelWidthSVC,
    KernelWidthSVR,
    KNeighborsClassifierCV,
    KNeighborsRegressorCV,
    NRBFClassifier,
    NRBFRegressor,
    RealMLPClassifier,
    RealMLPRegressor,
)
from manyminds.search.space.linear_learners import C, with_scaled_target
from manyminds.search.space.options import Learner, pick
from manyminds.search.space.parameters import Choice, Number
from manyminds.search.space.problem import Problem
from manyminds.search.space.suitability import (
    N_CALIBRATING,
    has_few_columns,
    has_very_few_rows,
    suits_elm,
    suits_net,
    suits_svm,
)

MAX_EMBEDDED = 200  # columns that a net embeds by cosines, each as four inputs
MAX_NET_ROWS = 12_000_000  # that nets see in all epochs, of few columns: a minute
MIN_EPOCHS = 8
MIN_NET_EPOCHS = 24  # of each of several nets; with less time there is one


def make_linear_svm(problem: Problem, C: float) -> Any:
    """Make a linear support vector machine."""
    return make_svm(problem, kernel="linear", C=C)


def make_gaussian_svm(problem: Problem, C: float, width: float) -> Any:
    """Make a support vector machine with a Gaussian kernel."""
    return make_svm(problem, kernel="gaussian", C=C, width_factor=width)


def make_exponential_svm(problem: Problem, C: float, width: float) -> Any:
    """Make a support vector machine with an exponential kernel."""
    return make_svm(problem, kernel="exponential", C=C, width_factor=width)


def make_svm(problem: Problem, **values: Any) -> Any:
    """Make a support vector machine; for regression, of a standardized target."""
    if problem.task == "classification":
        return KernelWidthSVC(probability=True, cv=N_CALIBRATING, **values)
    return with_scaled_target(KernelWidthSVR(**values))


def make_gp(problem: Problem) -> Any:
    """Make a Gaussian process that optimizes its kernel."""
    kernel = ConstantKernel(1.0) * Matern(length_scale=3.0, nu=1.5)
    return GaussianProcessRegressor(
        kernel + WhiteKernel(0.1), normalize_y=True, random_state=0
    )


def make_nrbf(problem: Problem) -> Any:
    """Make a normalized RBF network; its width is chosen by leave-one-out."""
    return pick(problem, NRBFClassifier, NRBFRegressor)(random_state=0)


def make_knn_cv(problem: Problem, metric: str, weights: str) -> Any:
    """Make nearest neighbors; their number is chosen by cross-validation."""
    kind = pick(problem, KNeighborsClassifierCV, KNeighborsRegressorCV)
    return kind("cv", metric=metric, weights=weights)


def make_elm(problem: Problem, n_hidden: int, alpha: float) -> Any:
    """Make an extreme learning machine; class probabilities are calibrated."""
    kind = pick(problem, ELMClassifier, ELMRegressor)
    model = kind(int(n_hidden), alpha=alpha, random_state=0)
    if problem.task == "regression":
        return model
    return CalibratedClassifierCV(model, cv=N_CALIBRATING, ensemble=False)


def make_real_mlp(
    problem: Problem,
    width: int,
    rate: float,
    dropout: float,
    epochs: int,
    embed: str,
    nets: int,
) -> Any:
    """Make nets with three hidden layers of equal width; ``rate`` is a factor."""
    kind = pick(problem, RealMLPClassifier, RealMLPRegressor)
    n_nets, n_epochs = limit_epochs(int(nets), int(epochs), problem)
    return kind(
        (int(width),) * 3,
        learning_rate=rate * pick(problem, 0.04, 0.2),
        dropout=dropout,
        numeric_embedding=embed == "cosines" and problem.n_encoded <= MAX_EMBEDDED,
        batch_size="auto",  # few epochs of few samples need small batches
        max_epochs=n_epochs,
        n_estimators=n_nets,
        random_state=0,
    )


def limit_epochs(nets: int, epochs: int, problem: Problem) -> tuple[int, int]:
    """Return fewer nets, and epochs, for a table that they would take minutes for."""
    per_row = 1.0 + problem.n_encoded / 128  # the hidden layers cost about as many
    limit = int(MAX_NET_ROWS / (problem.n_samples * per_row))
    nets = max(1, min(nets, limit // min(epochs, MIN_NET_EPOCHS)))
    return nets, min(epochs, max(limit // nets, MIN_EPOCHS))


RADIAL = {
    "C": Number(0.01, 3000, default=3, log=True),
    "width": Number(0.03, 30, default=1, log=True),
}
NET: dict[str, Number | Choice] = {
    "width": Number(32, 512, default=128, log=True, whole=True),
    "rate": Number(0.1, 3.0, default=1.0, log=True),
    "dropout": Number(0.0, 0.5, default=0.15),
    "epochs": Number(16, 256, default=32, log=True, whole=True),
    "embed": Choice(["cosines", "none"], default="cosines"),
    "nets": Number(1, 8, default=3, log=True, whole=True),
}
# Numbers take more epochs than classes.
NUMBER_NET = NET | {"epochs": Number(16, 256, default=48, log=True, whole=True)}
GAUSSIAN_SVM = Learner(
    "gaussian_svm",
    make_gaussian_svm,
    RADIAL,
    suits_svm,
    needs_scaling=True,
    takes_sparse=True,
)
EXPONENTIAL_SVM = Learner(
    "exponential_svm",
    make_exponential_svm,
    RADIAL,
    suits_svm,
    needs_scaling=True,
    takes_sparse=True,
)
LINEAR_SVM = Learner(
    "linear_svm",
    make_linear_svm,
    {"C": C},
    suits_svm,
    needs_scaling=True,
    takes_sparse=True,
)
GP = Learner("gp", make_gp, {}, has_very_few_rows, needs_scaling=True)
KNN_CV = Learner(
    "knn_cv",
    make_knn_cv,
    {
        "metric": Choice(
            ["euclidean", "manhattan", "chebyshev", "canberra"], default="euclidean"
        ),
        "weights": Choice(["uniform", "distance"], default="distance"),
    },
    has_few_columns,
    needs_scaling=True,
)
NRBF = Learner("nrbf", make_nrbf, {}, has_few_columns, needs_scaling=True)
ELM = Learner(
    "elm",
    make_elm,
    {
        "n_hidden": Number(10, 1000, default=100, log=True, whole=True),
        "alpha": Number(1e-4, 100, default=1.0, log=True),
    },
    suits_elm,
    needs_scaling=True,
)
REAL_MLP = Learner("real_mlp", make_real_mlp, NET, suits_net, reads_tables=True)
REAL_MLP_OF_NUMBERS = Learner(
    "real_mlp", make_real_mlp, NUMBER_NET, suits_net, reads_tables=True
)

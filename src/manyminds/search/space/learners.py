"""Options of the last stage: classifiers and regressors.

A learner has the name of the same method in ``manyminds compare``.
"""

from typing import Any

from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.preprocessing import StandardScaler

from manyminds.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    ForestOfLocalTreesClassifier,
    ForestOfLocalTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    RotationForestClassifier,
    RotationForestRegressor,
    RpBoostClassifier,
)
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
from manyminds.networks import AODEClassifier, TANClassifier
from manyminds.search.space.options import Learner
from manyminds.search.space.parameters import Choice, Number
from manyminds.search.space.problem import Problem
from manyminds.search.space.suitability import (
    N_CALIBRATING,
    count_outputs,
    has_few_cells,
    has_few_columns,
    has_very_few_rows,
    is_large,
    is_narrow,
    suits_boosting,
    suits_dependence,
    suits_elm,
    suits_net,
    suits_quick_boosting,
    suits_svm,
)
from manyminds.trees import SSVTreeClassifier

N_TREES = 200
MIN_TREES = 10  # of a forest that is bounded by its memory
MAX_FOREST_VALUES = 15_000_000  # class shares in all leaves: below 1 GB while growing
N_QUICK_TREES = 50
MAX_EMBEDDED = 200  # columns that a net embeds by cosines, each as four inputs
MAX_NET_ROWS = 12_000_000  # that nets see in all epochs, of few columns: a minute
MIN_EPOCHS = 8
MIN_NET_EPOCHS = 24  # of each of several nets; with less time there is one
MAX_QUICK_ROWS = 20_000  # that each tree of a quick forest draws
MIN_AVERAGED = 5_000  # rows from which on models of folds stay in a mean
MAX_ROUNDS = 2000  # of boosting, which stops early
MAX_BOOSTED_TREES = 20_000  # each round grows a tree for each class
N_QUICK_ROUNDS = 30
MAX_QUICK_BOOSTED_TREES = 3000
MAX_QUICK_BOOSTED_ROWS = 200_000  # that each round of quick boosting draws


def pick(problem: Problem, classifier: Any, regressor: Any) -> Any:
    """Return the classifier or the regressor, as the task requires."""
    return classifier if problem.task == "classification" else regressor


# ------------------------------------------------------------------ trees

FOREST = {
    "max_features": Number(0.02, 1.0, default=0.3, log=True),
    "min_samples_leaf": Number(1, 20, default=1, log=True, whole=True),
}


def make_rf(problem: Problem, max_features: Any, min_samples_leaf: int) -> Any:
    """Make a random forest."""
    kind = pick(problem, RandomForestClassifier, RandomForestRegressor)
    return _make_forest(kind, problem, max_features, min_samples_leaf)


def make_quick_rf(problem: Problem) -> Any:
    """Make a random forest of few trees, each of a bounded number of samples."""
    kind = pick(problem, RandomForestClassifier, RandomForestRegressor)
    share = MAX_QUICK_ROWS / problem.n_samples
    n_rows = min(problem.n_samples, MAX_QUICK_ROWS)
    return kind(
        **bound_forest(problem, N_QUICK_TREES, n_rows),
        max_features="sqrt" if problem.n_classes else 0.3,
        max_samples=share if share < 1.0 else None,
        random_state=0,
    )


def make_et(problem: Problem, max_features: Any, min_samples_leaf: int) -> Any:
    """Make extremely randomized trees."""
    kind = pick(problem, ExtraTreesClassifier, ExtraTreesRegressor)
    return _make_forest(kind, problem, max_features, min_samples_leaf)


def _make_forest(
    kind: Any, problem: Problem, max_features: Any, min_samples_leaf: int
) -> Any:
    return kind(
        **bound_forest(problem, N_TREES, problem.n_samples // min_samples_leaf),
        max_features=max_features,
        min_samples_leaf=min_samples_leaf,
        random_state=0,
    )


def bound_forest(problem: Problem, n_trees: int, max_leaves: int) -> dict[str, Any]:
    """Return the number of trees and of their leaves that fit into memory.

    A leaf holds a share of each class. Of very many classes, there are fewer trees, and
    if even ten are too large, trees of fewer leaves.

    Parameters
    ----------
    problem : Problem
    n_trees : int
        Number of trees if they are small enough.
    max_leaves : int
        That a tree can have; it usually has a quarter of them.

    Returns
    -------
    parameters : dict
        Of a forest.
    """
    room = MAX_FOREST_VALUES // max(1, problem.n_classes)
    if not problem.n_classes or n_trees * max_leaves <= 2 * room:
        return {"n_estimators": n_trees}
    n_trees = max(MIN_TREES, min(n_trees, 4 * room // max_leaves))
    return {"n_estimators": n_trees, "max_leaf_nodes": max(2, room // n_trees)}


def make_rotation_forest(
    problem: Problem, features_per_block: int, max_features: float
) -> Any:
    """Make a rotation forest."""
    kind = pick(problem, RotationForestClassifier, RotationForestRegressor)
    return kind(
        N_TREES // 2,
        features_per_block=int(features_per_block),
        max_features=float(max_features),
        random_state=0,
    )


def make_flt(
    problem: Problem, n_estimators: int, max_features: float, precision: float
) -> Any:
    """Make a forest of local trees."""
    kind = pick(problem, ForestOfLocalTreesClassifier, ForestOfLocalTreesRegressor)
    return kind(
        int(n_estimators),
        max_features=max_features,
        precision=precision,
        random_state=0,
    )


def make_gb(
    problem: Problem,
    learning_rate: float,
    max_leaf_nodes: int,
    min_samples_leaf: int,
    l2: float,
    max_features: float,
    random_thresholds: bool = False,
) -> Any:
    """Make gradient boosting that stops early: on folds of a small table.

    The number of rounds is no parameter of the search. It is found on folds, for all
    rounds at once, and on held-out rows of a large table. Of many rows, the models of
    the folds stay in the mean.
    """
    kind = pick(problem, GradientBoostingClassifier, GradientBoostingRegressor)
    return kind(
        learning_rate=learning_rate,
        max_iter=bound_rounds(problem, learning_rate),
        max_leaf_nodes=int(max_leaf_nodes),
        min_samples_leaf=int(min_samples_leaf),
        l2_regularization=l2,
        max_features=max_features,
        random_thresholds=random_thresholds,
        early_stopping=True,
        cv=count_stopping_folds(problem),
        validation_fraction=choose_held_out_share(problem),
        refit="average" if problem.n_samples >= MIN_AVERAGED else "replay",
        random_state=0,
    )


def make_extra_gb(problem: Problem, **values: Any) -> Any:
    """Make gradient boosting of trees with random thresholds, which stops early."""
    return make_gb(problem, **values, random_thresholds=True)


def bound_rounds(problem: Problem, learning_rate: float) -> int:
    """Return the maximum number of rounds: fewer for a high rate or many classes."""
    n_trees = MAX_BOOSTED_TREES // count_outputs(problem)
    return int(max(1, min(MAX_ROUNDS, 60 / learning_rate, n_trees)))


def count_stopping_folds(problem: Problem) -> int | None:
    """Return the number of folds on which boosting stops; None: held-out rows.

    Each class has trees of its own, so that rows of many classes take as long as more
    rows of two.
    """
    n_values = problem.n_samples * count_outputs(problem)
    if n_values <= 2_000 or (problem.n_samples >= MIN_AVERAGED and n_values <= 20_000):
        return 5
    return 3 if n_values <= 50_000 else None


def choose_held_out_share(problem: Problem) -> float:
    """Return the share of rows on which boosting stops: at most 50,000 rows."""
    return float(min(0.15, 50_000 / problem.n_samples))


def make_quick_gb(problem: Problem) -> Any:
    """Make gradient boosting of few rounds, each of a bounded number of samples."""
    kind = pick(problem, GradientBoostingClassifier, GradientBoostingRegressor)
    n_rounds = MAX_QUICK_BOOSTED_TREES // count_outputs(problem)
    return kind(
        learning_rate=0.1,
        max_iter=max(1, min(N_QUICK_ROUNDS, n_rounds)),
        max_features=None,
        subsample=min(0.8, MAX_QUICK_BOOSTED_ROWS / problem.n_samples),
        random_state=0,
    )


def make_ssv_tree(problem: Problem) -> Any:
    """Make a single SSV tree, pruned by cross-validation."""
    return SSVTreeClassifier(random_state=0)


# ------------------------------------------------------------------ linear


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


# ------------------------------------------------------------------ kernels


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


def with_scaled_target(model: Any) -> Any:
    """Fit a regressor to a target of mean 0 and variance 1."""
    return TransformedTargetRegressor(model, transformer=StandardScaler())


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


def make_gp(problem: Problem) -> Any:
    """Make a Gaussian process that optimizes its kernel."""
    kernel = ConstantKernel(1.0) * Matern(length_scale=3.0, nu=1.5)
    return GaussianProcessRegressor(
        kernel + WhiteKernel(0.1), normalize_y=True, random_state=0
    )


def make_rpboost(problem: Problem, learning_rate: float) -> Any:
    """Make boosting along random projections."""
    return RpBoostClassifier(300, learning_rate=learning_rate, random_state=0)


# ------------------------------------------------------------------ options

C = Number(0.001, 1000, default=1, log=True)
RADIAL = {
    "C": Number(0.01, 3000, default=3, log=True),
    "width": Number(0.03, 30, default=1, log=True),
}
BOOSTING = {
    "learning_rate": Number(0.01, 0.5, default=0.05, log=True),
    "max_leaf_nodes": Number(3, 127, default=31, log=True, whole=True),
    "min_samples_leaf": Number(1, 50, default=20, log=True, whole=True),
    "l2": Number(1e-6, 30, default=1.0, log=True),
    "max_features": Number(0.1, 1.0, default=0.5, log=True),
}
# Random thresholds need more rounds and less of the other regularization.
EXTRA_BOOSTING = BOOSTING | {
    "learning_rate": Number(0.01, 0.5, default=0.03, log=True),
    "max_features": Number(0.1, 1.0, default=0.8, log=True),
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
SMOOTHING = {"smoothing": Number(0.1, 30, default=1.0, log=True)}
BOTH = (
    Learner("gb", make_gb, BOOSTING, suits_boosting, reads_tables=True),
    Learner(
        "extra_gb", make_extra_gb, EXTRA_BOOSTING, suits_boosting, reads_tables=True
    ),
    Learner("quick_gb", make_quick_gb, {}, suits_quick_boosting, reads_tables=True),
    Learner("rf", make_rf, FOREST, reads_tables=True),
    Learner("quick_rf", make_quick_rf, {}, is_large, reads_tables=True),
    Learner("et", make_et, FOREST, reads_tables=True),
    Learner(
        "rotation_forest",
        make_rotation_forest,
        {
            "features_per_block": Number(2, 10, default=3, whole=True),
            "max_features": Number(0.05, 1.0, default=1.0, log=True),
        },
        has_few_cells,
    ),
    Learner(
        "flt",
        make_flt,
        {
            "n_estimators": Number(10, 200, default=50, log=True, whole=True),
            "max_features": Number(0.05, 1.0, default=0.3, log=True),
            "precision": Number(0.1, 10, default=1.0, log=True),
        },
        has_few_cells,
    ),
    Learner(
        "gaussian_svm",
        make_gaussian_svm,
        RADIAL,
        suits_svm,
        needs_scaling=True,
        takes_sparse=True,
    ),
    Learner(
        "exponential_svm",
        make_exponential_svm,
        RADIAL,
        suits_svm,
        needs_scaling=True,
        takes_sparse=True,
    ),
    Learner(
        "linear_svm",
        make_linear_svm,
        {"C": C},
        suits_svm,
        needs_scaling=True,
        takes_sparse=True,
    ),
    Learner(
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
    ),
    Learner("nrbf", make_nrbf, {}, has_few_columns, needs_scaling=True),
    Learner(
        "elm",
        make_elm,
        {
            "n_hidden": Number(10, 1000, default=100, log=True, whole=True),
            "alpha": Number(1e-4, 100, default=1.0, log=True),
        },
        suits_elm,
        needs_scaling=True,
    ),
)
CLASSIFIERS = (
    *BOTH,
    Learner("real_mlp", make_real_mlp, NET, suits_net, reads_tables=True),
    Learner("logistic", make_logistic, {"C": C}, needs_scaling=True, takes_sparse=True),
    Learner("lda", make_lda, {}, is_narrow, needs_scaling=True),
    Learner("nb", make_nb, {}, takes_sparse=True),
    Learner("aode", make_aode, SMOOTHING, suits_dependence, reads_tables=True),
    Learner("tan", make_tan, SMOOTHING, suits_dependence, reads_tables=True),
    Learner("ssv_tree", make_ssv_tree, {}, is_narrow),
    Learner(
        "rpboost",
        make_rpboost,
        {"learning_rate": Number(0.03, 1.0, default=0.3, log=True)},
        has_few_cells,
        needs_scaling=True,
    ),
)
REGRESSORS = (
    *BOTH,
    Learner("real_mlp", make_real_mlp, NUMBER_NET, suits_net, reads_tables=True),
    Learner("gp", make_gp, {}, has_very_few_rows, needs_scaling=True),
    Learner(
        "ridge",
        make_ridge,
        {"alpha": Number(1e-4, 1e4, 1.0, log=True)},
        needs_scaling=True,
        takes_sparse=True,
    ),
    Learner(
        "elastic_net",
        make_elastic_net,
        {
            "alpha": Number(1e-4, 10.0, default=0.01, log=True),
            "l1_ratio": Number(0.05, 1.0, default=0.5),
        },
        needs_scaling=True,
        takes_sparse=True,
    ),
)

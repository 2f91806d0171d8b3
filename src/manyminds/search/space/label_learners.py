"""Options of the last stage for many labels: forests, chains, label sets, neighbors."""

from typing import Any

from sklearn.linear_model import LogisticRegression

from manyminds.ensemble import (
    BinaryRelevanceClassifier,
    EnsembleOfChainsClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    MLkNNClassifier,
    MultiLabelForestClassifier,
    RAkELClassifier,
    RandomForestClassifier,
)
from manyminds.search.space.options import Learner
from manyminds.search.space.parameters import Choice, Number
from manyminds.search.space.problem import Problem
from manyminds.search.space.suitability import has_few_columns, is_narrow
from manyminds.trees import DecisionTreeClassifier

N_TREES = 100
N_MEMBER_TREES = 10  # of forests inside chains and label sets
MAX_MODELS = 60  # of RAkEL, whatever the number of labels

MAX_FEATURES = Number(0.02, 1.0, default=0.2, log=True)
MIN_LEAF = Number(1, 20, default=1, log=True, whole=True)


def make_mlforest(problem: Problem, max_features: float, min_samples_leaf: int) -> Any:
    """Make a forest whose trees predict all labels."""
    return MultiLabelForestClassifier(
        N_TREES,
        max_features=max_features,
        min_samples_leaf=int(min_samples_leaf),
        random_state=0,
    )


def make_ecc(
    problem: Problem, n_estimators: int, base: str, min_samples_leaf: int
) -> Any:
    """Make an ensemble of classifier chains of trees."""
    member = _make_member(base, min_samples_leaf)
    return EnsembleOfChainsClassifier(member, int(n_estimators), random_state=0)


def make_rakel(
    problem: Problem, labelset_size: int, base: str, min_samples_leaf: int
) -> Any:
    """Make random k-labelsets of trees."""
    size = min(int(labelset_size), problem.n_labels)
    return RAkELClassifier(
        _make_member(base, min_samples_leaf),
        labelset_size=size,
        n_estimators=min(2 * problem.n_labels, MAX_MODELS),
        voting="soft",
        random_state=0,
    )


def _make_member(base: str, min_samples_leaf: int) -> Any:
    """Return a tree, or a small forest, of our engine."""
    limits = {"min_samples_leaf": int(min_samples_leaf)}
    if base == "tree":
        return DecisionTreeClassifier(**limits)
    kind = RandomForestClassifier if base == "rf" else ExtraTreesClassifier
    return kind(N_MEMBER_TREES, **limits)


def make_mlknn(problem: Problem, n_neighbors: int) -> Any:
    """Make nearest neighbors with a Bayes rule for each label."""
    return MLkNNClassifier(int(n_neighbors))


def make_br_rf(problem: Problem, max_features: float, min_samples_leaf: int) -> Any:
    """Make a random forest for each label."""
    forest = RandomForestClassifier(
        N_TREES, max_features=max_features, min_samples_leaf=int(min_samples_leaf)
    )
    return BinaryRelevanceClassifier(forest, random_state=0)


def make_br_gb(
    problem: Problem, learning_rate: float, max_iter: int, max_leaf_nodes: int
) -> Any:
    """Make gradient boosting for each label."""
    boosting = GradientBoostingClassifier(
        learning_rate=learning_rate,
        max_iter=int(max_iter),
        max_leaf_nodes=int(max_leaf_nodes),
    )
    return BinaryRelevanceClassifier(boosting, random_state=0)


def make_br_logistic(problem: Problem, C: float) -> Any:
    """Make a logistic regression for each label."""
    return BinaryRelevanceClassifier(LogisticRegression(C=C, max_iter=500))


BASE: dict[str, Number | Choice] = {
    "base": Choice(["tree", "rf", "et"], default="rf"),
    "min_samples_leaf": MIN_LEAF,
}
FOREST = {"max_features": MAX_FEATURES, "min_samples_leaf": MIN_LEAF}
# In their initial order: those that are quick or usually good come first.
LABEL_LEARNERS = (
    Learner("mlforest", make_mlforest, FOREST, reads_tables=True, takes_sparse=True),
    Learner(
        "mlknn",
        make_mlknn,
        {"n_neighbors": Number(3, 50, default=10, log=True, whole=True)},
        has_few_columns,
        needs_scaling=True,
    ),
    Learner(
        "ecc",
        make_ecc,
        {"n_estimators": Number(5, 50, default=10, log=True, whole=True), **BASE},
        reads_tables=True,
    ),
    Learner(
        "rakel",
        make_rakel,
        {"labelset_size": Number(2, 6, default=3, whole=True), **BASE},
        reads_tables=True,
    ),
    Learner("br_rf", make_br_rf, FOREST, reads_tables=True),
    Learner(
        "br_logistic",
        make_br_logistic,
        {"C": Number(0.001, 1000, default=0.1, log=True)},
        is_narrow,
        needs_scaling=True,
    ),
    Learner(
        "br_gb",
        make_br_gb,
        {
            "learning_rate": Number(0.01, 0.5, default=0.1, log=True),
            "max_iter": Number(20, 300, default=50, log=True, whole=True),
            "max_leaf_nodes": Number(3, 63, default=8, log=True, whole=True),
        },
    ),
)

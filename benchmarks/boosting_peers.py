"""One face for every library of gradient boosting, at equal settings.

Every peer is asked for the same model: so many rounds of trees with 31 leaves, learning
rate 0.1, 255 bins, leaves of 20 rows or more, no regularization, no early stopping, one
Newton step for a leaf. Where a library cannot do just that, its class says what it does
instead. Categories of a dataframe go in as the library takes them natively.
"""

import os
from importlib import import_module

import numpy as np

from peers import Peer, root_mean_square

LEAVES, RATE, BINS, MIN_ROWS = 31, 0.1, 255, 20
MIN_HESSIAN = 1.0  # for libraries that bound a leaf's sum of Hessians, not its rows
SMALLEST_PROBABILITY = 1e-15


class Booster(Peer):
    """A library whose estimators have scikit-learn's methods."""

    module = ""
    prefix = ""  # of the classes' names
    compiles = False  # at the first call, which takes memory

    def load(self):
        os.environ["OMP_NUM_THREADS"] = str(
            self.n_threads
        )  # read when OpenMP is loaded
        kind = "Classifier" if self.classifies else "Regressor"
        self.make = getattr(import_module(self.module), f"{self.prefix}{kind}")

    def options(self):
        """Parameters of the estimator; those of the machine left out."""
        raise NotImplementedError

    def technical(self):
        """Parameters that do not change the model."""
        return {"n_jobs": self.n_threads, "random_state": 0}

    def fit(self, X, y):
        self.model = self.make(**self.options(), **self.technical())
        self.model.fit(X, y)

    def predict(self, X):
        """Probabilities of the classes, or means."""
        return self.model.predict_proba(X) if self.classifies else self.model.predict(X)

    def score(self, truth, predicted):
        """Log loss, or the root of the mean squared error."""
        if not self.classifies:
            return root_mean_square(np.asarray(predicted) - truth)
        return log_loss(truth, np.asarray(predicted))

    def settings(self):
        return ", ".join(f"{key}={value!r}" for key, value in self.options().items())


def log_loss(truth, probabilities):
    """Mean negative logarithm of the probability of the true class 0, 1, ..."""
    own = probabilities[np.arange(len(truth)), np.asarray(truth).astype(np.intp)]
    return float(-np.mean(np.log(np.maximum(own, SMALLEST_PROBABILITY))))


def find_categories(X):
    """Names of the categorical columns of a dataframe; none of an array."""
    if not hasattr(X, "dtypes"):
        return []
    return [name for name, dtype in X.dtypes.items() if str(dtype) == "category"]


class ScikitLearn(Booster):
    packages = ("scikit-learn",)
    module = "sklearn.ensemble"
    prefix = "HistGradientBoosting"

    def options(self):
        return {
            "max_iter": self.n_estimators,
            "learning_rate": RATE,
            "max_leaf_nodes": LEAVES,
            "max_depth": None,
            "min_samples_leaf": MIN_ROWS,
            "max_bins": BINS,
            "l2_regularization": 0.0,
            "early_stopping": False,
            "categorical_features": "from_dtype",
        }

    def technical(self):
        return {"random_state": 0}

    def tree_shape(self):
        trees = [tree for trees in self.model._predictors for tree in trees]
        leaves = np.mean([tree.get_n_leaf_nodes() for tree in trees])
        return leaves, np.mean([tree.get_max_depth() for tree in trees])


class ManyMinds(ScikitLearn):
    packages = ("manyminds", "numba")
    module = "manyminds.ensemble"
    prefix = "GradientBoosting"
    compiles = True

    def options(self):
        return {**super().options(), "subsample": 1.0, "max_features": None}

    def technical(self):
        return {"n_jobs": self.n_threads, "random_state": 0}

    def tree_shape(self):
        trees = self.model.trees_
        return np.mean(trees.n_leaves), np.mean(trees.max_depth)


class LightGBM(Booster):
    """Category splits keep the library's own regularization."""

    packages = ("lightgbm",)
    module = "lightgbm"
    prefix = "LGBM"

    def options(self):
        return {
            "n_estimators": self.n_estimators,
            "learning_rate": RATE,
            "num_leaves": LEAVES,
            "max_depth": -1,
            "min_child_samples": MIN_ROWS,
            "max_bin": BINS,
            "reg_lambda": 0.0,
        }

    def technical(self):
        return {**super().technical(), "verbose": -1}

    def tree_shape(self):
        trees = self.model.booster_.dump_model()["tree_info"]
        return np.mean([tree["num_leaves"] for tree in trees]), None


class XGBoost(Booster):
    """It bounds a leaf's sum of Hessians; only in regression is that its rows."""

    packages = ("xgboost",)
    module = "xgboost"
    prefix = "XGB"

    def options(self):
        return {
            "n_estimators": self.n_estimators,
            "learning_rate": RATE,
            "tree_method": "hist",
            "grow_policy": "lossguide",
            "max_leaves": LEAVES,
            "max_depth": 0,
            "min_child_weight": MIN_HESSIAN if self.classifies else MIN_ROWS,
            "max_bin": BINS,
            "reg_lambda": 0.0,
            "enable_categorical": True,
        }

    def remark(self):
        return "bounds Hessians of a leaf, not rows" if self.classifies else ""

    def tree_shape(self):
        trees = self.model.get_booster().get_dump()
        return np.mean([tree.count("leaf=") for tree in trees]), None


class CatBoost(Booster):
    """Leaf-wise trees instead of its usual oblivious ones; no sampling of rows.

    Lossguide trees have at most 16 levels, and ``min_data_in_leaf`` is the least number
    of rows of a leaf that is split, not of the new ones.
    """

    packages = ("catboost",)
    note = "bounds the rows of a leaf to split, not of the new ones"
    module = "catboost"
    prefix = "CatBoost"

    def options(self):
        return {
            "iterations": self.n_estimators,
            "learning_rate": RATE,
            "grow_policy": "Lossguide",
            "max_leaves": LEAVES,
            "depth": 16,
            "min_data_in_leaf": MIN_ROWS,
            "border_count": BINS - 1,
            "l2_leaf_reg": 0.0,
            "boosting_type": "Plain",
            "bootstrap_type": "No",
            "random_strength": 0.0,
            "leaf_estimation_iterations": 1,
        }

    def technical(self):
        return {
            "thread_count": self.n_threads,
            "random_seed": 0,
            "verbose": False,
            "allow_writing_files": False,
        }

    def fit(self, X, y):
        self.model = self.make(
            **self.options(), **self.technical(), cat_features=find_categories(X)
        )
        self.model.fit(X, y)

    def tree_shape(self):
        return np.mean(self.model.get_tree_leaf_counts()), None


class ChimeraBoost(Booster):
    """Oblivious trees of depth 5, that is 32 leaves; linear leaves and pairs are off.

    It bounds a leaf's sum of Hessians, as XGBoost does.
    """

    packages = ("chimeraboost",)
    module = "chimeraboost"
    prefix = "ChimeraBoost"
    compiles = True
    note = "oblivious trees of 32 leaves"

    def options(self):
        return {
            "n_estimators": self.n_estimators,
            "learning_rate": RATE,
            "depth": 5,
            "max_bins": BINS,
            "l2_leaf_reg": 0.0,
            "min_child_weight": MIN_HESSIAN if self.classifies else MIN_ROWS,
            "early_stopping": False,
            "linear_leaves": False,
            "cross_features": False,
            "cat_combinations": False,
            "leaf_estimation_iterations": 1,
        }

    def technical(self):
        return {"thread_count": self.n_threads, "random_state": 0}

    def fit(self, X, y):
        self.model = self.make(**self.options(), **self.technical())
        self.model.fit(X, y, cat_features=find_categories(X) or None)


PEERS = {
    "manyminds": ManyMinds,
    "scikit-learn": ScikitLearn,
    "lightgbm": LightGBM,
    "xgboost": XGBoost,
    "catboost": CatBoost,
    "chimeraboost": ChimeraBoost,
}

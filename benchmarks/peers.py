"""One face for every forest library: ``fit``, ``predict``, ``tree_shape``.

Every peer grows the forest that scikit-learn grows by default: bootstrap samples,
trees down to pure leaves, the square root of the features tried at each node for
classification and all of them for regression. Where a library cannot do just that,
its class says what it does instead. Libraries are imported when a peer is made, so
that a process loads only the one it measures.
"""

import math
import os
import re
from importlib import import_module

import numpy as np


class Peer:
    """A forest of one library.

    Parameters
    ----------
    task : {"classification", "regression"}
    n_estimators : int
    n_threads : int
    max_leaves : int or None
        Leaves that a full tree of these data has, for a library that must be told.
    """

    packages = ()
    note = ""
    most_rows = None  # larger workloads are left out

    def __init__(self, task, n_estimators, n_threads, max_leaves=None):
        self.classifies = task == "classification"
        self.n_estimators = n_estimators
        self.n_threads = n_threads
        self.max_leaves = max_leaves
        self.load()

    def load(self):
        """Import the library."""

    def fit(self, X, y):
        """Grow the forest into ``self.model``."""
        raise NotImplementedError

    def predict(self, X):
        """Classes or means, one per row of X."""
        return self.model.predict(X)

    def score(self, truth, predicted):
        """Accuracy in percent, or the root of the mean squared error."""
        if self.classifies:
            return float(100.0 * np.mean(np.asarray(predicted) == truth))
        return root_mean_square(np.asarray(predicted) - truth)

    def tree_shape(self):
        """Mean leaves and mean depth of a tree; None for what is not told."""
        return None, None

    def settings(self):
        """The settings in words, where a report lists them."""
        return ""

    def remark(self):
        """What a reader should know about this fit."""
        return self.note


def root_mean_square(errors):
    """The root of the mean of squares."""
    return float(np.sqrt(np.mean(np.square(errors))))


class ScikitLearn(Peer):
    packages = ("scikit-learn",)
    module = "sklearn.ensemble"

    def load(self):
        kind = "Classifier" if self.classifies else "Regressor"
        self.make = getattr(import_module(self.module), f"RandomForest{kind}")

    def fit(self, X, y):
        self.model = self.make(self.n_estimators, n_jobs=self.n_threads, random_state=0)
        self.model.fit(X, y)

    def tree_shape(self):
        trees = self.model.estimators_
        leaves = np.mean([tree.get_n_leaves() for tree in trees])
        return leaves, np.mean([tree.get_depth() for tree in trees])


class ScikitLearnOneThread(ScikitLearn):
    """The same on one thread, lest the start of threads be taken for slow growing.

    It is meant for small data; on large data it is left out, for it takes long.
    """

    note = "on one thread"
    most_rows = 1_000

    def __init__(self, task, n_estimators, n_threads, max_leaves=None):
        super().__init__(task, n_estimators, 1, max_leaves)


class ManyMinds(ScikitLearn):
    packages = ("manyminds", "numba")
    module = "manyminds.ensemble"


class Intelex(ScikitLearn):
    """oneDAL behind scikit-learn's names; it bins columns to 256 values."""

    packages = ("scikit-learn-intelex",)
    module = "sklearnex.ensemble"

    def remark(self):
        accelerated = hasattr(self.model, "_onedal_estimator")
        return "" if accelerated else "fell back to scikit-learn"


class FastForest(Peer):
    """Chooses each split from at most 320 rows of the node, as the library is meant.

    Its only thread setting is Rayon's environment variable, read at the first fit.
    """

    packages = ("fastforest",)
    note = "splits chosen from at most 320 rows"

    def load(self):
        os.environ["RAYON_NUM_THREADS"] = str(self.n_threads)
        kind = "Classifier" if self.classifies else ""
        self.make = getattr(import_module("fastforest"), f"FastForest{kind}")

    def options(self):
        return {
            "min_node_size": 2,
            "max_features": "sqrt" if self.classifies else 1.0,
            "replacement": True,
            "bootstrap_fraction": 1.0,
            "bootstrap_max": None,
        }

    def fit(self, X, y):
        self.model = self.make(self.n_estimators, seed=0, **self.options())
        self.model.fit(X, y)

    def tree_shape(self):
        model = self.model
        return np.mean(model.tree_leaf_counts_), np.mean(model.tree_depths_)


class FastForestDefaults(FastForest):
    """As shipped, but for the number of trees: larger leaves, more features."""

    note = "its own defaults: nodes below 8 rows are leaves"

    def options(self):
        return {}


class LightGBM(Peer):
    """Mode ``rf``: rows drawn without replacement, one tree per class and round.

    Trees grow best-first, so their size must be bounded beforehand; the pool of
    histograms is bounded too, else it takes ``num_leaves`` histograms of memory.
    """

    packages = ("lightgbm",)
    note = "one tree per class and round beyond two classes"

    def load(self):
        kind = "Classifier" if self.classifies else "Regressor"
        self.make = getattr(import_module("lightgbm"), f"LGBM{kind}")

    def fit(self, X, y):
        n_samples, n_features = X.shape
        share = int(math.sqrt(n_features)) / n_features if self.classifies else 1.0
        self.model = self.make(
            boosting_type="rf",
            n_estimators=self.n_estimators,
            num_leaves=max(2, self.max_leaves or int(0.64 * n_samples)),
            subsample=0.632,
            subsample_freq=1,
            feature_fraction_bynode=share,
            min_child_samples=1,
            min_child_weight=0.0,
            min_data_in_bin=1,
            histogram_pool_size=512,
            n_jobs=self.n_threads,
            random_state=0,
            verbose=-1,
        )
        self.model.fit(X, y)

    def tree_shape(self):
        text = self.model.booster_.model_to_string()
        return np.mean([int(n) for n in re.findall(r"num_leaves=(\d+)", text)]), None


class LightGBMOneThread(LightGBM):
    """The same on one thread, lest waiting of threads be taken for slow growing."""

    note = "on one thread"

    def __init__(self, task, n_estimators, n_threads, max_leaves=None):
        super().__init__(task, n_estimators, 1, max_leaves)


class YDF(Peer):
    """Yggdrasil, exact splits; its conversion of the data is part of the time."""

    packages = ("ydf",)

    def load(self):
        self.ydf = import_module("ydf")
        self.ydf.verbose(0)

    def fit(self, X, y):
        tasks = self.ydf.Task
        learner = self.ydf.RandomForestLearner(
            label="y",
            task=tasks.CLASSIFICATION if self.classifies else tasks.REGRESSION,
            num_trees=self.n_estimators,
            max_depth=-1,
            min_examples=1,
            num_candidate_attributes=int(math.sqrt(X.shape[1]))
            if self.classifies
            else -1,
            winner_take_all=False,
            compute_oob_performances=False,
            num_threads=self.n_threads,
        )
        self.model = learner.train({"x": X, "y": y})

    def predict(self, X):
        output = self.model.predict({"x": X}, num_threads=self.n_threads)
        if not self.classifies:
            return output
        labels = np.array(self.model.label_classes()).astype(np.int64)
        best = output.argmax(axis=1) if output.ndim == 2 else output > 0.5
        return labels[best.astype(np.intp)]

    def tree_shape(self):
        text = self.model.describe("text")
        n_nodes = int(re.search(r"Total number of nodes: (\d+)", text)[1])
        return (n_nodes / self.n_estimators + 1) / 2, None


PEERS = {
    "manyminds": ManyMinds,
    "scikit-learn": ScikitLearn,
    "scikit-learn-one-thread": ScikitLearnOneThread,
    "scikit-learn-intelex": Intelex,
    "fastforest": FastForest,
    "fastforest-defaults": FastForestDefaults,
    "lightgbm": LightGBM,
    "lightgbm-one-thread": LightGBMOneThread,
    "ydf": YDF,
}

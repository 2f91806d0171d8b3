"""The calls that compile all kernels: small fits of estimators that use them."""

import inspect
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix
from sklearn.base import is_regressor

__all__ = ["WAVES", "Fit"]

N_ROWS = 300  # more than 255, for which columns get codes of two bytes
N_COLUMNS, N_WIDE = 5, 40  # more than 32 columns make distances by a matrix product

# Names of tables. Some kernels are compiled anew for read-only arrays, such as those of
# dataframes and memory maps.
DENSE = ("numbers", "frame", "read_only")
MISSING = ("missing", "missing_frame", "read_only_missing")
SPARSE = ("sparse",)
MIXED = ("mixed",)
WIDE = ("wide",)
BINARY = ("binary",)
OUTPUTS = ("predict", "predict_proba", "transform")


@dataclass(frozen=True)
class Fit:
    """Calls of an estimator on small tables: fit, then predict or transform.

    Parameters
    ----------
    estimator : str
        Room and class, such as "ensemble.RandomForestClassifier".
    tables : sequence of str, default=DENSE
        Names of the tables.
    methods : sequence of str, default=()
        Further methods to call with the table, and with the target if they take ``y``.
    parameters : dict, default={}
        Parameters of the estimator.
    functions : sequence of str, default=()
        Functions of its room to call with the fitted estimator and the table.
    """

    estimator: str
    tables: Sequence[str] = DENSE
    methods: Sequence[str] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    functions: Sequence[str] = ()

    def __call__(self) -> None:
        """Make the calls."""
        room_name, name = self.estimator.split(".")
        room = import_module(f"manyminds.{room_name}")
        make = getattr(room, name)
        for table in self.tables:
            estimator = make(**self.parameters)
            X, score = make_table(table)
            y = score if is_regressor(estimator) else (score > 0.0).astype(np.int64)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                estimator.fit(X, y)
                outputs = [name for name in OUTPUTS if hasattr(estimator, name)]
                for method in (*outputs, *self.methods):
                    _call(getattr(estimator, method), X, y)
                for function in self.functions:
                    getattr(room, function)(estimator, X)
                if "predict" in outputs:  # a few rows walk where many go by masks
                    estimator.predict(X[:2])


# The groups of a wave run in parallel, the calls of a group one after the other. No two
# groups of a wave may compile the same kernel, since Numba does not lock its cache. The
# first wave compiles what groups of the second share: binning, growing and walking of
# trees. An estimator with kernels of its own is one more line, as a group of its own.
_FEW = {"n_estimators": 2, "random_state": 0}
_ONE = {"random_state": 0}
_EPOCH = {"max_epochs": 1, "random_state": 0}
_UNIFORM = {"discretize": "uniform"}
_BRIEF = {"max_iter": 2, "early_stopping": True, "cv": None, "random_state": 0}
WAVES: tuple[dict[str, tuple[Fit, ...]], ...] = (
    {
        "forests": (
            Fit(
                "ensemble.RandomForestClassifier",
                methods=("oob_permutation_importance", "predict_contributions"),
                parameters={**_FEW, "oob_score": True},
                functions=("forest_neighbors",),
            ),
            Fit(
                "ensemble.ExtraTreesRegressor",
                (*DENSE, *MISSING, *MIXED, *SPARSE),
                parameters=_FEW,
            ),
            Fit("trees.SSVTreeClassifier", (*DENSE, *MIXED, *SPARSE)),
            Fit("trees.DecisionTreeClassifier", methods=("decision_path",)),
            Fit("trees.DecisionTreeClassifier", BINARY),  # lists of rare codes
        ),
        "counts": (
            Fit(
                "feature_selection.MRMRSelector",
                parameters={"redundancy": "mutual_information"},
            ),
        ),
        "neighborhoods": (
            Fit("analysis.MultiResolutionComplexity", (*DENSE, *WIDE)),
            Fit(
                "analysis.MultiResolutionComplexity",
                parameters={"probe": "discriminant"},
            ),
        ),
        "pairs of classes": (
            Fit(
                "ensemble.PairwiseCouplingClassifier",
                ("numbers",),
                parameters={"coupling": "divergence"},
            ),
        ),
        "nets": (Fit("learners.LMNetClassifier", ("numbers",)),),
        "deep nets": (
            Fit("learners.RealMLPClassifier", ("numbers",), parameters=_EPOCH),
        ),
        "experts": (
            Fit("ensemble.MRPEClassifier", ("numbers",), parameters={"max_iter": 1}),
        ),
        "labels": (Fit("ensemble.AdaBoostMHClassifier", ("numbers",)),),
        "images": (
            Fit(
                "preprocessing.LocalBinaryPatterns",
                WIDE,
                parameters={"radii": (1,), "tile_sizes": (2,), "image_shape": (5, 8)},
            ),
        ),
        "networks": (
            # Uniform bins: cuts by description length compile trees of the next wave.
            Fit("networks.AODEClassifier", ("numbers",), parameters=_UNIFORM),
            Fit("networks.TANClassifier", ("numbers",), parameters=_UNIFORM),
            Fit("networks.HillClimbingSearch", ("numbers",)),
            Fit(
                "networks.AnnealingSearch",
                ("numbers",),
                parameters={"n_resamples": 2, "n_operations": 10, **_ONE},
            ),
        ),
        "clusterings": (
            Fit("feature_selection.RCESelector", ("numbers",), parameters=_FEW),
            Fit("learners.SelfOrganizingMap", ("numbers",), parameters=_ONE),
        ),
        "projections": (Fit("ensemble.RpBoostClassifier", parameters=_FEW),),
        "separability": (Fit("feature_selection.SSVSelector"),),
        "independence": (
            Fit("feature_selection.PCSelector", DENSE),
            Fit("feature_selection.IAMBSelector", MIXED),
            Fit("feature_selection.MMMBSelector", ("numbers",)),
            *(
                Fit(
                    "feature_selection.IAMBSelector",
                    ("numbers",),
                    parameters={"test": test, "task": "classification"},
                )
                for test in ("permutation", "mixed")
            ),
        ),
    },
    {
        "boosting": (
            Fit(
                "ensemble.GradientBoostingClassifier",
                (*DENSE, *MISSING, *MIXED),
                parameters=_BRIEF,
            ),
            Fit(
                "ensemble.GradientBoostingRegressor",
                DENSE,
                parameters={**_BRIEF, "symmetric": True},
            ),
            Fit(
                "ensemble.GradientBoostingRegressor",
                DENSE,
                parameters={**_BRIEF, "linear_leaves": True},
            ),
        ),
        "single trees": (
            Fit(
                "trees.DecisionTreeClassifier",
                methods=("surrogate_splits",),
                parameters={**_ONE, "ccp_alpha": 0.01},
            ),
            Fit("trees.REPTreeClassifier", parameters=_ONE),
            Fit(  # a level at which columns are relevant, and masking is measured
                "feature_selection.ACESelector",
                ("numbers",),
                parameters={
                    **_FEW,
                    "n_replicates": 2,
                    "max_iter": 1,
                    "alpha": 0.999,
                    "correction": "none",
                },
            ),
        ),
        "descriptions": (
            Fit("trees.MDLTreeClassifier"),
            Fit("feature_selection.FCBFSelector"),
            Fit("feature_selection.TreeCandidateSelector"),
        ),
        "labels of forests": (
            Fit(
                "ensemble.MultiLabelForestClassifier",
                ("numbers", *MIXED),
                parameters=_FEW,
            ),
        ),
        "local trees": (
            Fit("ensemble.RFLocalClassifier", parameters=_FEW),
            Fit("feature_selection.LocalRelevance", parameters=_ONE),
        ),
        "pruning": (
            Fit("ensemble.FitselectClassifier", ("numbers",), parameters=_FEW),
            *(
                Fit(
                    "ensemble.PrunedClassifier",
                    ("numbers",),
                    parameters={**_ONE, "method": method},
                )
                for method in ("reduced-error", "backward")
            ),
            *(
                Fit(
                    "ensemble.DynamicSelectionClassifier",
                    # Neighbors in few columns are those of a tree.
                    WIDE if method == "ola" else ("numbers",),
                    parameters={**_ONE, "method": method},
                )
                for method in ("ola", "lca", "knora-e", "des-knn", "mcb")
            ),
            Fit("ensemble.InstancePruningClassifier", ("numbers",), parameters=_ONE),
        ),
        "relevance": (
            Fit("feature_selection.ForestGainTestSelector", parameters=_FEW),
            Fit(
                "feature_selection.ForestGainThresholdSelector",
                parameters={**_FEW, "expected_gain": "exact"},
            ),
        ),
    },
)


@cache
def make_table(name: str) -> tuple[Any, np.ndarray]:
    """Return a table of one kind, and a target that depends on its first columns."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(N_ROWS, N_WIDE if name == "wide" else N_COLUMNS))
    score = numbers[:, 0] + 0.5 * numbers[:, 1]
    if name == "binary":
        return (numbers > 1.0).astype(np.float64), score
    if name == "sparse":
        return csr_matrix(np.where(numbers > 0.0, numbers, 0.0)), score
    if name in (*MISSING, *MIXED):
        numbers[::7, 1] = np.nan
    if name in ("read_only", "read_only_missing"):
        numbers.flags.writeable = False
    if "frame" not in name and name not in MIXED:
        return numbers, score
    frame = pd.DataFrame(numbers, columns=[f"x{j}" for j in range(numbers.shape[1])])
    if name == "mixed":
        frame["hue"] = pd.Categorical(rng.choice(["red", "green", "blue"], N_ROWS))
    return frame, score


def _call(method: Any, X: Any, y: np.ndarray) -> None:
    takes_target = "y" in inspect.signature(method).parameters
    method(X, y) if takes_target else method(X)

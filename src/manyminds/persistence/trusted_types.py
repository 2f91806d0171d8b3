"""The types that a model file may contain: estimators, and what they consist of."""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

from sklearn.base import BaseEstimator

__all__ = ["find_refused", "list_nodes"]

# Rooms whose public estimators are trusted. They are imported by these names, never by
# a name in a file: importing runs code.
ROOMS = (
    "analysis",
    "ensemble",
    "feature_selection",
    "learners",
    "networks",
    "preprocessing",
    "trees",
)
# Types in fitted estimators of ours other than arrays and public estimators. They are
# names only: nothing of these modules is imported here.
OURS = """
    analysis.complexity.gathering.Reference
    analysis.complexity.gathering.Rings
    analysis.complexity.profiling.Profiler
    analysis.distance_space.DistanceSpace
    ensemble.bagging.hyperplanes.Hyperplanes
    ensemble.bagging.oracle_members.OracleMembers
    ensemble.bagging.random_oracle._Pair
    ensemble.base.EstimatorMembers
    ensemble.base.TreeMembers
    ensemble.local.centroids.Locality
    ensemble.multilabel.binary_relevance.Relevance
    ensemble.multilabel.classifier_chain.Chain
    ensemble.multilabel.label_powerset.Powerset
    ensemble.neighbors.Neighbors
    ensemble.rules.part.TreeRule
    ensemble.rotations.pair_rotations.PairRotation
    ensemble.rotations.rotation.BlockRotation
    experiments.preparation.Columns
    kernels.network_classes.SuperParents
    trees.nodes.gain_statistics.GainStatistics
    feature_selection.stability.nogueira.StabilityEstimate
    learners.kernel_sums.Points
    learners.real_mlp_columns.NetColumns
    learners.tied_neighbors.TiedNeighbors
    learners.width_kernels.WidthKernel
    search.choice.fold_vote.FoldVoteClassifier
    search.choice.fold_vote.FoldVoteRegressor
    search.choice.label_committee.LabelCommittee
    search.choice.stacked.StackedClassifier
    search.choice.stacked.StackedRegressor
    search.choice.vote.VoteClassifier
    search.choice.vote.VoteRegressor
    search.space.boosters.BoosterClassifier
    search.space.boosters.BoosterRegressor
    search.space.prior_correction.PriorCorrectedClassifier
    trees.columns.ColumnEncoder
    trees.structure.Trees
    trees.surrogates.Surrogates
""".split()
# The same of scikit-learn, whose public estimators skops trusts.
SKLEARN = """
    calibration._CalibratedClassifier
    calibration._SigmoidCalibration
    calibration._TemperatureScaling
    compose._column_transformer._RemainderColsList
    compose._column_transformer.make_column_selector
    ensemble._hist_gradient_boosting.binning._BinMapper
    ensemble._hist_gradient_boosting.predictor.TreePredictor
    gaussian_process._gpc._BinaryGaussianProcessClassifierLaplace
    model_selection._split.GroupKFold
    model_selection._split.KFold
    model_selection._split.LeaveOneOut
    model_selection._split.RepeatedKFold
    model_selection._split.RepeatedStratifiedKFold
    model_selection._split.ShuffleSplit
    model_selection._split.StratifiedGroupKFold
    model_selection._split.StratifiedKFold
    model_selection._split.StratifiedShuffleSplit
    model_selection._split.TimeSeriesSplit
    multiclass._ConstantPredictor
    neural_network._stochastic_optimizers.AdamOptimizer
    neural_network._stochastic_optimizers.SGDOptimizer
    tree._tree.Tree
    utils._bunch.Bunch
""".split()
KERNELS = """
    CompoundKernel ConstantKernel DotProduct Exponentiation ExpSineSquared Matern
    PairwiseKernel Product RationalQuadratic RBF Sum WhiteKernel
""".split()
INDEXES = ("neighbors._ball_tree.BallTree", "neighbors._kd_tree.KDTree")
DISTANCES = """
    BrayCurtis Canberra Chebyshev Dice Euclidean Hamming Haversine Jaccard Mahalanobis
    Manhattan Matching Minkowski RogersTanimoto RussellRao SEuclidean SokalMichener
    SokalSneath
""".split()
LINKS = "HalfLogitLink IdentityLink Interval LogitLink LogLink MultinomialLogit".split()
LOSSES = """
    AbsoluteError ExponentialLoss HalfBinomialLoss HalfGammaLoss HalfMultinomialLoss
    HalfPoissonLoss HalfSquaredError HalfTweedieLoss HalfTweedieLossIdentity HuberLoss
    PinballLoss
""".split()
SCORES = """
    _mutual_info.mutual_info_classif _mutual_info.mutual_info_regression
    _univariate_selection.chi2 _univariate_selection.f_classif
    _univariate_selection.f_regression _univariate_selection.r_regression
""".split()
SPARSE = ("_csc.csc_array", "_csc.csc_matrix", "_csr.csr_array", "_csr.csr_matrix")
# Boosting over categories contains a `functools.partial` of this function. No other is
# loaded: a partial may be any call.
PARTIAL, CALLED = "functools.partial", "sklearn.utils.validation.check_array"
TRUSTED = frozenset(
    [
        "numpy.dtype",
        CALLED,
        PARTIAL,
        *(f"manyminds.{name}" for name in OURS),
        *(f"sklearn.{name}" for name in SKLEARN),
        *(f"sklearn.gaussian_process.kernels.{name}" for name in KERNELS),
        *(f"sklearn.{name}{bits}" for name in INDEXES for bits in ("", "32", "64")),
        *(
            f"sklearn.metrics._dist_metrics.{name}Distance{bits}"
            for name in DISTANCES
            for bits in ("", "32", "64")
        ),
        *(f"sklearn._loss.link.{name}" for name in LINKS),
        *(f"sklearn._loss.loss.{name}" for name in LOSSES),
        *(f"sklearn._loss._loss.Cy{name}" for name in LOSSES),
        # In older versions, compiled losses do not name their package.
        *(f"_loss.Cy{name}" for name in LOSSES),
        *(f"sklearn.feature_selection.{name}" for name in SCORES),
        *(f"scipy.sparse.{name}" for name in SPARSE),
    ]
)


def find_refused(names: Iterable[str], schema: Any) -> list[str]:
    """List the types of a model file that are not trusted.

    No name of the file is imported, and no object of it is created.

    Parameters
    ----------
    names : iterable of str
        Types that skops does not trust.
    schema : object
        Description of the objects of the file, as plain values.

    Returns
    -------
    refused : list of str
        Sorted full names.
    """
    refused = {name for name in names if not _is_trusted(name)}
    if any(called != CALLED for called in _find_called(schema)):
        refused.add(PARTIAL)
    return sorted(refused)


def _is_trusted(name: str) -> bool:
    if name in TRUSTED:
        return True
    package, _, rest = name.partition(".")
    return package == "manyminds" and name in _list_estimators(rest.partition(".")[0])


@cache
def _list_estimators(room: str) -> frozenset[str]:
    """List the public estimators of a room by their full names."""
    if room not in ROOMS:
        return frozenset()
    public = import_module(f"manyminds.{room}")
    found = (getattr(public, name) for name in public.__all__)
    return frozenset(
        f"{one.__module__}.{one.__qualname__}"
        for one in found
        if isinstance(one, type) and issubclass(one, BaseEstimator)
    )


def _find_called(schema: Any) -> Iterator[str]:
    """Yield the name of the function that each partial of a file calls."""
    for node in list_nodes(schema):
        if node.get("__loader__") == "PartialNode":
            function = node["content"]["func"]
            yield f"{function['__module__']}.{function['__class__']}"


def list_nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield all mappings of nested plain values, the outer ones first.

    Without recursion: a forged file may be nested very deeply.
    """
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict):
            yield node
            waiting += node.values()

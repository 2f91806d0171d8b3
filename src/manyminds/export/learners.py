"""Convert fitted learners, pipelines and committees: probabilities or numbers."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.ensemble import (
    CVCommittee,
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
from manyminds.export.bayes import convert_dependence, convert_tan
from manyminds.export.graph import ExportError, Graph
from manyminds.export.kernels import (
    calibrate,
    convert_nrbf_classifier,
    convert_nrbf_regressor,
    convert_svc,
    convert_svr,
)
from manyminds.export.neighbors import convert_neighbors
from manyminds.export.nets import (
    convert_elm,
    convert_net_classifier,
    convert_net_regressor,
)
from manyminds.export.other_learners import (
    convert_gp,
    convert_local_trees,
    convert_rp_boost,
)
from manyminds.export.steps import convert_step
from manyminds.export.table import Table, refuse_rotated
from manyminds.export.trees import (
    average_rotated_trees,
    average_trees,
    read_codes,
    sum_trees,
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
from manyminds.networks import (
    AnDEClassifier,
    AODEClassifier,
    NaiveBayesClassifier,
    TANClassifier,
)
from manyminds.search import PriorCorrectedClassifier
from manyminds.search.choice.fold_vote import FoldVoteClassifier, FoldVoteRegressor
from manyminds.search.choice.vote import VoteClassifier, VoteRegressor
from manyminds.search.evaluation.temperature import TINY
from manyminds.trees import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    MDLTreeClassifier,
    REPTreeClassifier,
    REPTreeRegressor,
    SSVTreeClassifier,
)

__all__ = ["convert_learner", "place_classes"]


@singledispatch
def convert_learner(model: Any, graph: Graph, table: Table) -> str:
    """Convert a fitted model; return its probabilities or numbers.

    Parameters
    ----------
    model : estimator
        Fitted.
    graph : Graph
    table : Table

    Returns
    -------
    values : str
        Of shape (n_rows, n_classes) for a classifier, (n_rows, 1) for a regressor.

    Raises
    ------
    ExportError
        If there is no conversion of its class.
    """
    raise ExportError(
        f"The learner {type(model).__name__} cannot be converted to ONNX; manyminds "
        "search --exportable finds a model without it."
    )


@convert_learner.register
def _(model: Pipeline, graph: Graph, table: Table) -> str:
    for _name, step in model.steps[:-1]:
        if step is not None and not isinstance(step, str):  # "passthrough"
            table = convert_step(step, graph, table)
    return convert_learner(model.steps[-1][1], graph, table)


# ---------------------------------------------------------------- trees


@convert_learner.register(RandomForestClassifier)
@convert_learner.register(RandomForestRegressor)
@convert_learner.register(ExtraTreesClassifier)
@convert_learner.register(ExtraTreesRegressor)
def _(model: Any, graph: Graph, table: Table) -> str:
    refuse_rotated(table, model)
    matrix = read_codes(graph, table, model)
    return average_trees(graph, matrix, model.trees_, len(table.columns))


@convert_learner.register(DecisionTreeClassifier)
@convert_learner.register(DecisionTreeRegressor)
@convert_learner.register(MDLTreeClassifier)
@convert_learner.register(REPTreeClassifier)
@convert_learner.register(REPTreeRegressor)
@convert_learner.register(SSVTreeClassifier)
def _(model: Any, graph: Graph, table: Table) -> str:
    refuse_rotated(table, model)
    matrix = read_codes(graph, table, model)
    return average_trees(graph, matrix, model.tree_, len(table.columns))


@convert_learner.register(RotationForestClassifier)
@convert_learner.register(RotationForestRegressor)
def _(model: Any, graph: Graph, table: Table) -> str:
    refuse_rotated(table, model)
    return average_rotated_trees(graph, table.matrix, model)


@convert_learner.register(GradientBoostingClassifier)
@convert_learner.register(GradientBoostingRegressor)
def _(model: Any, graph: Graph, table: Table) -> str:
    if model._lines is not None:
        raise ExportError(
            "Gradient boosting with linear_leaves=True cannot be converted to ONNX."
        )
    refuse_rotated(table, model)
    matrix = read_codes(graph, table, model)
    n_columns = len(table.columns)
    raw = sum_trees(graph, matrix, model.trees_, n_columns, model._baseline)
    if model._loss == "log_loss":
        return graph.pair(graph.add("Sigmoid", raw))
    if model._loss == "softmax":
        return graph.softmax(raw)
    return graph.add("Exp", raw) if model._loss in ("poisson", "gamma") else raw


# ---------------------------------------------------------------- linear models


@convert_learner.register(LogisticRegression)
@convert_learner.register(LinearDiscriminantAnalysis)
def _(model: Any, graph: Graph, table: Table) -> str:
    logits = _multiply(graph, table, model.coef_, model.intercept_)
    if len(model.classes_) == 2:
        return graph.pair(graph.add("Sigmoid", logits))
    return graph.softmax(logits)


@convert_learner.register(Ridge)
@convert_learner.register(ElasticNet)
def _(model: Any, graph: Graph, table: Table) -> str:
    return _multiply(graph, table, np.atleast_2d(model.coef_), model.intercept_)


def _multiply(graph: Graph, table: Table, coef: np.ndarray, intercept: Any) -> str:
    """Return linear combinations of the columns."""
    made = graph.multiply(table.matrix, coef.T)
    return graph.add("Add", made, graph.row(intercept, len(coef)))


@convert_learner.register
def _(model: TransformedTargetRegressor, graph: Graph, table: Table) -> str:
    scaler = model.transformer_
    if not isinstance(scaler, StandardScaler):
        raise ExportError(
            f"A target transformed by {type(scaler).__name__} cannot be converted to "
            "ONNX."
        )
    made = convert_learner(model.regressor_, graph, table)
    made = graph.add("Mul", made, graph.constant(scaler.scale_[np.newaxis]))
    return graph.add("Add", made, graph.constant(scaler.mean_[np.newaxis]))


@convert_learner.register
def _(model: GaussianNB, graph: Graph, table: Table) -> str:
    axis = graph.constant(np.array([1]))
    rows = graph.add("Unsqueeze", table.matrix, axis)  # (n_rows, 1, n_columns)
    away = graph.add("Sub", rows, graph.constant(model.theta_[np.newaxis]))
    squares = graph.add("Mul", away, away)
    scaled = graph.add("Div", squares, graph.constant(model.var_[np.newaxis]))
    last, n_classes = graph.constant(np.array([2])), len(model.classes_)
    distance = graph.add("ReduceSum", scaled, last, keepdims=0)
    distance = graph.add("Mul", distance, graph.row(0.5, n_classes))
    spread = -0.5 * np.sum(np.log(2.0 * np.pi * model.var_), axis=1)
    density = graph.add("Sub", graph.row(spread, n_classes), distance)
    prior = graph.row(np.log(model.class_prior_), n_classes)
    return graph.softmax(graph.add("Add", prior, density))


@convert_learner.register
def _(model: DummyClassifier, graph: Graph, table: Table) -> str:
    """Return the same probabilities for all rows."""
    if model.strategy not in ("most_frequent", "prior"):
        raise ExportError(
            f"DummyClassifier with strategy={model.strategy!r} cannot be converted to "
            'ONNX; "most_frequent" and "prior" can.'
        )
    if model.n_outputs_ > 1:
        raise ExportError(
            f"DummyClassifier of {model.n_outputs_} targets cannot be converted to "
            "ONNX; that of one target can."
        )
    shares = model.predict_proba(np.zeros((1, 1)))
    is_missing = graph.add("IsNaN", graph.take_columns(table.matrix, [0]))
    number = graph.add("Cast", is_missing, to=11)  # double
    zeros = graph.add("Mul", number, graph.row(0.0, shares.shape[1]))
    return graph.add("Add", zeros, graph.constant(shares))


# ---------------------------------------------------------------- nets, kernels, tables

convert_learner.register(AnDEClassifier, convert_dependence)
convert_learner.register(AODEClassifier, convert_dependence)
convert_learner.register(ELMRegressor, convert_elm)
convert_learner.register(ForestOfLocalTreesClassifier, convert_local_trees)
convert_learner.register(ForestOfLocalTreesRegressor, convert_local_trees)
convert_learner.register(GaussianProcessRegressor, convert_gp)
convert_learner.register(KernelWidthSVC, convert_svc)
convert_learner.register(KernelWidthSVR, convert_svr)
convert_learner.register(KNeighborsClassifierCV, convert_neighbors)
convert_learner.register(KNeighborsRegressorCV, convert_neighbors)
convert_learner.register(NaiveBayesClassifier, convert_dependence)
convert_learner.register(NRBFClassifier, convert_nrbf_classifier)
convert_learner.register(NRBFRegressor, convert_nrbf_regressor)
convert_learner.register(RealMLPClassifier, convert_net_classifier)
convert_learner.register(RealMLPRegressor, convert_net_regressor)
convert_learner.register(RpBoostClassifier, convert_rp_boost)
convert_learner.register(TANClassifier, convert_tan)


@convert_learner.register
def _(model: CalibratedClassifierCV, graph: Graph, table: Table) -> str:
    learner = model.calibrated_classifiers_[0].estimator
    if not isinstance(learner, ELMClassifier):
        raise ExportError(
            f"CalibratedClassifierCV of {type(learner).__name__} cannot be converted "
            "to ONNX; that of ELMClassifier can."
        )
    return calibrate(graph, convert_elm(learner, graph, table), model)


# ---------------------------------------------------------------- committees


@convert_learner.register
def _(model: PriorCorrectedClassifier, graph: Graph, table: Table) -> str:
    made = convert_learner(model.estimator_, graph, table)
    priors = model.priors_
    inverse = np.divide(1.0, priors, out=np.zeros_like(priors), where=priors > 0)
    even = graph.add("Mul", made, graph.constant(inverse[np.newaxis]))
    return graph.normalize(even)


@convert_learner.register
def _(model: CVCommittee, graph: Graph, table: Table) -> str:
    members = model.estimators_
    if is_classifier(members[0]) and model.voting != "mean":
        raise ExportError(
            f"CVCommittee with voting={model.voting!r} cannot be converted to ONNX; "
            'voting="mean" can.'
        )
    classes = getattr(model, "classes_", None)
    return _average(graph, table, members, None, classes)


@convert_learner.register
def _(model: VoteClassifier, graph: Graph, table: Table) -> str:
    made = _average(graph, table, model.estimators_, model.weights, model.classes_)
    if model.temperature == 1.0:
        return made
    n_classes = len(model.classes_)
    logits = graph.add("Log", graph.add("Max", made, graph.row(TINY, n_classes)))
    temperature = graph.row(model.temperature, n_classes)
    return graph.softmax(graph.add("Div", logits, temperature))


@convert_learner.register
def _(model: VoteRegressor, graph: Graph, table: Table) -> str:
    return _average(graph, table, model.estimators_, model.weights, None)


@convert_learner.register
def _(model: FoldVoteClassifier, graph: Graph, table: Table) -> str:
    codes = np.arange(len(model.classes_))
    return _average(graph, table, model.estimators_, None, codes)


@convert_learner.register
def _(model: FoldVoteRegressor, graph: Graph, table: Table) -> str:
    return _average(graph, table, model.estimators_, None, None)


def _average(
    graph: Graph,
    table: Table,
    members: Sequence[Any],
    weights: Sequence[float] | None,
    classes: np.ndarray | None,
) -> str:
    """Return the mean of members, each of all or of some classes.

    The order of additions is that of the committee, so that equal probabilities of two
    classes stay equal.
    """
    parts, n_values = [], 1 if classes is None else len(classes)
    for k, member in enumerate(members):
        made = convert_learner(member, graph, table)
        if classes is not None:
            made = place_classes(graph, made, member.classes_, classes)
        if weights is not None:
            made = graph.add("Mul", made, graph.row(weights[k], n_values))
        parts.append(made)
    if weights is not None:
        return graph.total(parts)
    return graph.add("Div", graph.total(parts), graph.row(len(parts), n_values))


def place_classes(graph: Graph, made: str, some: np.ndarray, every: np.ndarray) -> str:
    """Return the probabilities of all classes, by those of some of them.

    Parameters
    ----------
    graph : Graph
    made : str
        Probabilities of some classes.
    some : ndarray
        These classes.
    every : ndarray
        All classes, sorted.

    Returns
    -------
    probabilities : str
    """
    if len(some) == len(every):
        return made
    place = np.zeros((len(some), len(every)))
    place[np.arange(len(some)), np.searchsorted(every, some)] = 1.0
    return graph.multiply(made, place)

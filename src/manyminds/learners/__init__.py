"""Single learners that scikit-learn lacks: extreme learning machines, kernels."""

from manyminds.learners.elm import ELMClassifier, ELMRegressor
from manyminds.learners.knn import KNNClassifier, KNNRegressor
from manyminds.learners.nrbf import NRBFClassifier, NRBFRegressor
from manyminds.learners.opelm import OPELMClassifier
from manyminds.learners.svm import SVMClassifier, SVMRegressor

__all__ = [
    "ELMClassifier",
    "ELMRegressor",
    "KNNClassifier",
    "KNNRegressor",
    "NRBFClassifier",
    "NRBFRegressor",
    "OPELMClassifier",
    "SVMClassifier",
    "SVMRegressor",
]

"""Single learners that scikit-learn lacks: extreme learning machines, kernels."""

from manyminds.learners.elm import ELMClassifier, ELMRegressor
from manyminds.learners.knn import KNeighborsClassifierCV, KNeighborsRegressorCV
from manyminds.learners.nrbf import NRBFClassifier, NRBFRegressor
from manyminds.learners.opelm import OPELMClassifier
from manyminds.learners.svm import KernelWidthSVC, KernelWidthSVR

__all__ = [
    "ELMClassifier",
    "ELMRegressor",
    "KNeighborsClassifierCV",
    "KNeighborsRegressorCV",
    "KernelWidthSVC",
    "KernelWidthSVR",
    "NRBFClassifier",
    "NRBFRegressor",
    "OPELMClassifier",
]

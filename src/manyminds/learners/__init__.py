"""Single learners that scikit-learn lacks: random networks, kernels, neighbors."""

from manyminds.learners.elm import ELMClassifier, ELMRegressor
from manyminds.learners.kernel_width_svm import KernelWidthSVC, KernelWidthSVR
from manyminds.learners.kneighbors_cv import (
    KNeighborsClassifierCV,
    KNeighborsRegressorCV,
)
from manyminds.learners.nrbf import NRBFClassifier, NRBFRegressor
from manyminds.learners.opelm import OPELMClassifier

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

INTERNALS = ()  # other rooms import public names only

"""Single learners that scikit-learn lacks: random networks, kernels, neighbors."""

from manyminds.learners.elm import ELMClassifier, ELMRegressor
from manyminds.learners.fisher_subspace import FisherSubspace
from manyminds.learners.kernel_tipcac import KernelTIPCACClassifier
from manyminds.learners.kernel_width_svm import KernelWidthSVC, KernelWidthSVR
from manyminds.learners.kneighbors_cv import (
    KNeighborsClassifierCV,
    KNeighborsRegressorCV,
)
from manyminds.learners.lm_net import LMNetClassifier, LMNetRegressor
from manyminds.learners.nrbf import NRBFClassifier, NRBFRegressor
from manyminds.learners.opelm import OPELMClassifier
from manyminds.learners.real_mlp import RealMLPClassifier, RealMLPRegressor
from manyminds.learners.self_organizing_map import SelfOrganizingMap
from manyminds.learners.tipcac import TIPCACClassifier
from manyminds.learners.tuned_svc import TunedSVC

__all__ = [
    "ELMClassifier",
    "ELMRegressor",
    "FisherSubspace",
    "KNeighborsClassifierCV",
    "KNeighborsRegressorCV",
    "KernelTIPCACClassifier",
    "KernelWidthSVC",
    "KernelWidthSVR",
    "LMNetClassifier",
    "LMNetRegressor",
    "NRBFClassifier",
    "NRBFRegressor",
    "OPELMClassifier",
    "RealMLPClassifier",
    "RealMLPRegressor",
    "SelfOrganizingMap",
    "TIPCACClassifier",
    "TunedSVC",
]

# What other rooms import from this one besides the public names.
INTERNALS = (  # that other rooms import
    "lm_net.train_nets",
    "output_layer.fit_scaler",
    "real_mlp_columns.CLIP",
    "real_mlp_columns.MAX_SCALED",
    "tied_neighbors.RTOL",
    "tied_neighbors.ZERO",
)

"""Single learners that scikit-learn lacks: extreme learning machines."""

from manyminds.learners.elm import ELMClassifier, ELMRegressor
from manyminds.learners.opelm import OPELMClassifier

__all__ = ["ELMClassifier", "ELMRegressor", "OPELMClassifier"]

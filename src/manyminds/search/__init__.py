"""Search for complex models: chains of steps and learners, validated as one."""

from manyminds.search.choice.committee import grow_committee
from manyminds.search.choice.criterion import (
    choose_by_mean_minus_std,
    mean_minus_std,
)
from manyminds.search.choice.honest import HonestScore, correct_selection_bias
from manyminds.search.complex_model_search import (
    ComplexModelSearchClassifier,
    ComplexModelSearchRegressor,
)
from manyminds.search.space import (
    Choice,
    Learner,
    Number,
    Option,
    Problem,
    Space,
    UninformativeTableError,
    default_space,
)
from manyminds.search.space.balancing import PriorCorrectedClassifier
from manyminds.search.study.study import SearchProgress

__all__ = [
    "Choice",
    "ComplexModelSearchClassifier",
    "ComplexModelSearchRegressor",
    "HonestScore",
    "Learner",
    "Number",
    "Option",
    "PriorCorrectedClassifier",
    "Problem",
    "SearchProgress",
    "Space",
    "UninformativeTableError",
    "choose_by_mean_minus_std",
    "correct_selection_bias",
    "default_space",
    "grow_committee",
    "mean_minus_std",
]

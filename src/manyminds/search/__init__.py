"""Search for complex models: chains of steps and learners, validated as one."""

from manyminds.search.choice.committee import grow_committee
from manyminds.search.choice.criterion import (
    choose_by_mean_minus_deviation,
    mean_minus_deviation,
)
from manyminds.search.choice.honest import HonestScore, correct_for_choosing
from manyminds.search.complex_model_search import (
    ComplexModelSearch,
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
    "ComplexModelSearch",
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
    "choose_by_mean_minus_deviation",
    "correct_for_choosing",
    "default_space",
    "grow_committee",
    "mean_minus_deviation",
]

"""Search for complex models: chains of steps and learners, validated as one."""

from manyminds.search.balancing import PriorCorrectedClassifier
from manyminds.search.committee import grow_committee
from manyminds.search.complex_model_search import (
    ComplexModelSearch,
    ComplexModelSearchRegressor,
)
from manyminds.search.criterion import (
    choose_by_mean_minus_deviation,
    mean_minus_deviation,
)
from manyminds.search.honest import HonestScore, correct_for_choosing
from manyminds.search.model_file import TableModel, load_model, save_model
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
from manyminds.search.study import SearchProgress

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
    "TableModel",
    "UninformativeTableError",
    "choose_by_mean_minus_deviation",
    "correct_for_choosing",
    "default_space",
    "grow_committee",
    "load_model",
    "mean_minus_deviation",
    "save_model",
]

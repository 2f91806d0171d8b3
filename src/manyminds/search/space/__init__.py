"""The search space: stages of pipelines, their options and hyperparameters."""

from manyminds.search.space.options import Learner, Option
from manyminds.search.space.parameters import Choice, Number
from manyminds.search.space.problem import Problem, UninformativeTableError
from manyminds.search.space.space import Space, default_space

__all__ = [
    "Choice",
    "Learner",
    "Number",
    "Option",
    "Problem",
    "Space",
    "UninformativeTableError",
    "default_space",
]

"""Options of the last stage: classifiers and regressors.

A learner has the name of the same method in ``manyminds compare``.
"""

from manyminds.search.space.boosting_learners import (
    EXTRA_GB,
    GB,
    QUICK_GB,
    RPBOOST,
    SYMMETRIC_GB,
)
from manyminds.search.space.kernel_learners import (
    ELM,
    EXPONENTIAL_SVM,
    GAUSSIAN_SVM,
    GP,
    KNN_CV,
    LINEAR_SVM,
    NRBF,
    REAL_MLP,
    REAL_MLP_OF_NUMBERS,
)
from manyminds.search.space.linear_learners import (
    AODE,
    ELASTIC_NET,
    LDA,
    LOGISTIC,
    NB,
    RIDGE,
    TAN,
)
from manyminds.search.space.tree_learners import (
    ET,
    FLT,
    QUICK_RF,
    RF,
    ROTATION_FOREST,
    SSV_TREE,
)

__all__ = ["CLASSIFIERS", "REGRESSORS"]

BOTH = (
    GB, EXTRA_GB, SYMMETRIC_GB, QUICK_GB, RF, QUICK_RF, ET, ROTATION_FOREST, FLT,
    GAUSSIAN_SVM, EXPONENTIAL_SVM, LINEAR_SVM, KNN_CV, NRBF, ELM,
)  # fmt: skip
CLASSIFIERS = (*BOTH, REAL_MLP, LOGISTIC, LDA, NB, AODE, TAN, SSV_TREE, RPBOOST)
REGRESSORS = (*BOTH, REAL_MLP_OF_NUMBERS, GP, RIDGE, ELASTIC_NET)

"""
Bias and variance of classifiers
================================

A learner is trained on fifty new samples of a problem whose class probabilities are
known. Where its predictions agree on a wrong class, the error is systematic; where they
vary, it is an effect of variance; the rest is noise, which no learner can avoid.
"""

import matplotlib.pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from manyminds.analysis import BiasVarianceDisplay, bias_variance_of_problem
from manyminds.datasets.generators import make_threenorm
from manyminds.ensemble import RandomForestClassifier
from manyminds.trees import DecisionTreeClassifier


def measure(learner):
    return bias_variance_of_problem(
        learner, make_threenorm, n_test=1000, n_runs=1, random_state=0
    )


learners = {
    "stump": DecisionTreeClassifier(max_depth=1),
    "tree": DecisionTreeClassifier(),
    "forest": RandomForestClassifier(30),
    "logistic\nregression": LogisticRegression(),
}
by_learner = {name: measure(learner) for name, learner in learners.items()}
neighbors = (1, 3, 9, 25, 75, 199)
by_neighbors = {k: measure(KNeighborsClassifier(k)) for k in neighbors}

# %%
# A forest errs less than its trees because two thirds of the effect of variance have
# gone; a stump and a linear model have a bias that no averaging will cure. On the
# right: with more neighbors there is less variance and more bias.
fig, axes = plt.subplots(1, 2, figsize=(13, 4.6), layout="constrained")
BiasVarianceDisplay.from_results(by_learner, ax=axes[0])
BiasVarianceDisplay.from_results(
    by_neighbors, parameter_name="neighbors that vote", ax=axes[1]
)
axes[1].set_xscale("log")
axes[1].minorticks_off()
axes[1].set_xticks(neighbors, neighbors)
plt.show()

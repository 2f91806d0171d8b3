"""
Out-of-bag permutation importance with standard errors
======================================================

Impurity importance is measured on the training rows of the trees. A column of noise
with many distinct values gets a share of it, because some threshold always helps by
random variation. Out-of-bag permutation importance uses the rows that a tree has not
seen, and has a standard error.

We add two columns of noise to the breast cancer data, and compare both.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from manyminds.ensemble import RandomForestClassifier

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X[["mean radius", "mean texture", "mean smoothness", "mean symmetry"]]
rng = np.random.default_rng(0)
X = X.assign(**{"noise 1": rng.normal(size=len(X)), "noise 2": rng.random(len(X))})

forest = RandomForestClassifier(n_estimators=500, random_state=0).fit(X, y)
importance = forest.oob_permutation_importance(X, y, n_repeats=5, random_state=0)

# %%
# Bars are two standard errors to each side. The noise gets a share of the impurity, but
# no permutation importance that its error could not explain.
place = np.arange(X.shape[1])
fig, (left, right) = plt.subplots(
    1, 2, sharey=True, figsize=(8, 3), layout="constrained"
)
left.barh(place, forest.feature_importances_, color="0.7")
left.set(xlabel="impurity importance", yticks=place, yticklabels=X.columns)
left.invert_yaxis()
right.errorbar(
    importance.importances_mean, place, xerr=2 * importance.importances_se, fmt="o"
)
right.axvline(0, color="0.7", zorder=0)
right.set(xlabel="loss of accuracy when shuffled, out of bag")
plt.show()

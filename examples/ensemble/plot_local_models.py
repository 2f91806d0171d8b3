"""
Which expert owns which region, and does splitting pay?
=======================================================

Four clouds of points, whose classes no straight line separates. A logistic regression
of all rows fails; one for each cluster does not. The map shows which expert owns which
region, the bars show what each gets wrong on rows that none has seen. Random subsets of
the rows, the control, gain nothing: it is the regions that help.
"""

import matplotlib.pyplot as plt
import numpy as np

from manyminds.ensemble import (
    ClusterLocalClassifier,
    RandomSubsetLocalClassifier,
    compare_with_one_model,
    plot_experts,
)
from manyminds.ensemble.experts.base import make_default_expert

rng = np.random.default_rng(0)
centers = np.array([[0.0, 0.0], [4.5, 3.0], [1.0, 3.0], [3.0, 0.1]])
X = np.repeat(centers, 300, axis=0) + rng.normal(size=(1200, 2))
y = np.repeat([0, 0, 1, 1], 300)
local = ClusterLocalClassifier(n_regions=4, random_state=0).fit(X[::2], y[::2])
one = make_default_expert().fit(X[::2], y[::2])

# %%
# Regions and the classes of the rows, and the errors of the experts on their regions.
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
first, second = np.meshgrid(np.linspace(-4.5, 8.5, 300), np.linspace(-4, 7, 300))
owner = local.route(np.column_stack([first.ravel(), second.ravel()]))
left.pcolormesh(first, second, owner.reshape(first.shape), cmap="Pastel1")
for c, mark in enumerate("o^"):
    left.scatter(*X[1::2][y[1::2] == c].T, s=8, marker=mark, label=f"class {c}")
center = local.clusterer_.cluster_centers_ * local.scaler_.scale_
paper = {"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 2}
for e, place in enumerate(center):
    left.text(*place, f"expert {e}", ha="center", weight="bold", bbox=paper)
left.legend(loc="lower right")
plot_experts(local, X[1::2], y[1::2], one, ax=right)
plt.show()

# %%
# Cross-validated: splitting pays if the whole interval of the gain is above 0.
print(compare_with_one_model(local, X, y).round(3))
print(
    compare_with_one_model(RandomSubsetLocalClassifier(random_state=0), X, y).round(3)
)

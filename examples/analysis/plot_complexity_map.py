"""
Which rows are hard, and why
============================

Two overlapping moons, and a patch of one class in the middle of the other. Around each
row there are neighborhoods of growing radius; how well they support the row's label is
its complexity profile. Rows that are contradicted at all radii are the hardest; those
that are contradicted only at large radii lie near a class boundary.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons
from sklearn.model_selection import cross_val_predict

from manyminds.analysis import ComplexityDisplay, MultiResolutionComplexity
from manyminds.ensemble import RandomForestClassifier

X, y = make_moons(600, noise=0.2, random_state=0)
y[np.linalg.norm(X - [-0.7, 0.7], axis=1) < 0.2] = 1
complexity = MultiResolutionComplexity(n_clusters=4).fit(X, y)

# %%
# No classifier was fitted for the map. A random forest, asked about rows that it has
# not seen, makes its errors where the map is dark.
forest = RandomForestClassifier(random_state=0)
is_error = cross_val_predict(forest, X, y, cv=5) != y
fig, axes = plt.subplots(1, 3, figsize=(14, 4.6), layout="constrained")
display = ComplexityDisplay.from_estimator(
    complexity, kind="map", embedding=X, is_error=is_error, ax=axes[0]
)
axes[0].scatter(*X[is_error].T, marker="x", color="black", s=30, linewidth=0.9)
axes[0].set(title="The map; crosses: errors of a forest", xlabel="x", ylabel="y")
display.plot(kind="profiles", ax=axes[1])
display.plot(kind="errors", ax=axes[2])
plt.show()

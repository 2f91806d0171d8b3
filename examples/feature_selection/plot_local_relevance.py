"""
Where each of two features matters
==================================

Two features, two classes, and a steep boundary that crosses the square between 0.3 and
0.7 of the first feature. To the left and right of this band the first feature
determines the class. Inside the band the second one is needed. A global importance
would be one number for each feature; local relevance is one number for each row.
"""

import matplotlib.pyplot as plt
import numpy as np

from manyminds.feature_selection import LocalRelevance

X = np.random.default_rng(0).uniform(size=(1500, 2))
y = X[:, 1] > 2.5 * X[:, 0] - 0.75
relevance = LocalRelevance(random_state=0).fit(X, y).relevance_

# %%
# Each point is a training row; its color tells how many bits it gains, on average,
# whenever a tree of the forest splits by the feature. Below zero the splits mislead.
fig, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained", sharey=True)
limits = np.quantile(relevance, [0.02, 0.98])
for ax, j, name in zip(axes, (0, 1), ("first", "second")):
    points = ax.scatter(
        *X.T, c=relevance[:, j], s=14, cmap="cividis", vmin=limits[0], vmax=limits[1]
    )
    ax.plot([0.3, 0.7], [0.0, 1.0], color="white", linewidth=4)
    ax.plot([0.3, 0.7], [0.0, 1.0], color="black", linewidth=1.5)
    for edge in (0.3, 0.7):
        ax.axvline(edge, color="gray", linestyle=":", linewidth=1)
    ax.set(aspect="equal", xlim=(0, 1), ylim=(0, 1), xlabel="first feature")
    ax.set_title(f"Relevance of the {name} feature")
axes[0].set_ylabel("second feature")
fig.colorbar(points, ax=axes, label="mean gain (bits per split)", extend="both")
plt.show()

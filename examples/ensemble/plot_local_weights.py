"""
Local weights over a plane
==========================

Each tree of a forest of local trees sees all rows, but the weight of a row falls with
its distance from the tree's centroid. With the default precision of 1 the weights
hardly fall within the unit square, and the trees are nearly ordinary ones; with 20 each
tree specializes in its neighborhood. Centroids (crosses) are drawn so that they spread
over the rows.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from manyminds.ensemble import ForestOfLocalTreesClassifier

X, y = make_moons(300, noise=0.25, random_state=0)
X_new, y_new = make_moons(5_000, noise=0.25, random_state=1)
low, high = X.min(axis=0), X.max(axis=0)
X, X_new = (X - low) / (high - low), (X_new - low) / (high - low)

# %%
# The first two panels have the weights around the first centroid, by color. The third
# shows which of the ten trees is the most competent one at each place: the tree whose
# weighted mean of the rows is nearest.
first, second = np.meshgrid(np.linspace(0, 1, 200), np.linspace(0, 1, 200))
grid = np.column_stack([first.ravel(), second.ravel()])
fig, axes = plt.subplots(1, 3, figsize=(10, 3.4), sharey=True, layout="constrained")
for ax, precision in zip(axes, (1, 20)):
    forest = ForestOfLocalTreesClassifier(precision=precision, random_state=3)
    forest.fit(X, y)
    distance = np.linalg.norm(grid - forest.centroids_[0], axis=1)
    weight = np.exp(-0.5 * precision * distance).reshape(first.shape)
    image = ax.pcolormesh(first, second, weight, cmap="Purples", vmin=0, vmax=1)
    ax.scatter(*X.T, c=y, cmap="RdBu", s=8, edgecolor="k", linewidth=0.3)
    ax.scatter(*forest.centroids_.T, marker="x", color="k", s=40)
    accuracy = 100 * forest.score(X_new, y_new)
    ax.set_title(f"precision {precision}: {accuracy:.1f} %", fontsize=10)
fig.colorbar(image, ax=axes[:2], label="weight for the first tree", shrink=0.9)

means = forest.sample_centroids_
nearest = np.linalg.norm(grid[:, None] - means, axis=2).argmin(axis=1)
axes[2].pcolormesh(first, second, nearest.reshape(first.shape), cmap="tab10", alpha=0.6)
axes[2].scatter(*means.T, marker="o", color="k", s=20)
path = 100 * forest.score_path(X_new, y_new)
title = f"nearest tree {path[0]:.1f} %, three {path[2]:.1f} %"
axes[2].set_title(title, fontsize=10)
plt.show()

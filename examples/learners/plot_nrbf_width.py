"""
How wide a Gaussian should be
=============================

A normalized radial basis function network puts one Gaussian on each training row, and
they vote. Nothing is trained: everything depends on the width. If it is too small, each
row dominates its own neighborhood; if it is too large, boundaries are blurred. Leaving
rows out finds the right width, for all widths at the cost of one.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from manyminds.learners import NRBFClassifier

X, y = make_moons(150, noise=0.3, random_state=0)
X_new, y_new = make_moons(5_000, noise=0.3, random_state=1)
chosen = NRBFClassifier().fit(X, y)
models = {
    "too narrow": NRBFClassifier(chosen.width_ / 50).fit(X, y),
    "chosen": chosen,
    "too wide": NRBFClassifier(chosen.width_ * 30).fit(X, y),
}

# %%
# The color is the probability, the title has the accuracy on new points. The last
# picture shows the squared error at rows left out, and at new points.
first, second = np.meshgrid(np.linspace(-2, 3, 150), np.linspace(-1.5, 2, 150))
grid = np.column_stack([first.ravel(), second.ravel()])
fig, axes = plt.subplots(2, 2, figsize=(8, 6), layout="constrained")
for ax, (name, model) in zip(axes.flat, models.items()):
    share = model.predict_proba(grid)[:, 1].reshape(first.shape)
    ax.pcolormesh(first, second, share, cmap="RdBu", vmin=0, vmax=1, alpha=0.6)
    ax.contour(first, second, share, levels=[0.5], colors="k", linewidths=1)
    ax.scatter(*X.T, c=y, cmap="RdBu", s=8, edgecolor="k", linewidth=0.3)
    ax.set_title(f"{name}: {100 * model.score(X_new, y_new):.1f} %")

ax = axes.flat[3]
errors = [
    2 * np.mean((NRBFClassifier(w).fit(X, y).predict_proba(X_new)[:, 1] - y_new) ** 2)
    for w in chosen.widths_
]
ax.semilogx(chosen.widths_, chosen.loo_errors_, label="rows left out")
ax.semilogx(chosen.widths_, errors, label="new points")
ax.axvline(chosen.width_, color="k", linestyle=":")
ax.set(xlabel="width", ylabel="squared error")
ax.legend()
plt.show()

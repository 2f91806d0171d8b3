"""
Rotated trees draw oblique boundaries
=====================================

Three long clouds lie side by side, oblique to both features. Trees that split along the
features approximate the boundaries between them in steps, and so does their average. A
rotation forest trains each tree on principal components of the features instead: along
those, one split replaces a staircase. Random rotations do without components: the steps
of many trees, each in its own rotation, average to an oblique boundary as well.
"""

import matplotlib.pyplot as plt
import numpy as np

from manyminds.ensemble import RandomForestClassifier, RotationForestClassifier


def draw_clouds(n_samples, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, size=n_samples)
    along, across = rng.normal(size=(2, n_samples)) * [[2.0], [0.35]]
    across += y - 1.0
    return np.column_stack([along - across, along + across]) / 2**0.5, y


X, y = draw_clouds(150, seed=0)
X_new, y_new = draw_clouds(5_000, seed=1)
size = {"n_estimators": 100, "random_state": 0}
models = {
    "random forest": RandomForestClassifier(**size),
    "rotation forest": RotationForestClassifier(**size),
    "random rotations": RotationForestClassifier(rotation="random", **size),
}

# %%
# The color is the predicted class; the title has the accuracy on new points.
first, second = np.meshgrid(np.linspace(-4, 4, 150), np.linspace(-4, 4, 150))
grid = np.column_stack([first.ravel(), second.ravel()])
fig, axes = plt.subplots(1, 3, figsize=(9, 3.2), sharey=True, layout="constrained")
colors = {"cmap": "viridis", "vmin": 0, "vmax": 2}
for ax, (name, model) in zip(axes, models.items()):
    model.fit(X, y)
    label = model.predict(grid).reshape(first.shape)
    ax.pcolormesh(first, second, label, alpha=0.35, **colors)
    ax.scatter(*X.T, c=y, s=8, edgecolor="k", linewidth=0.3, **colors)
    ax.set_title(f"{name}: {100 * model.score(X_new, y_new):.1f} %")
    ax.set(xlim=(-4, 4), ylim=(-4, 4), xlabel="feature 1")
axes[0].set_ylabel("feature 2")
plt.show()

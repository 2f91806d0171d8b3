"""
Decision boundaries of a tree, a random forest and extra-trees
==============================================================

The same two half moons, three ways. One tree draws boxes and overfits single points. A
random forest averages many trees grown on bootstrap samples: the boundary is smoother,
but thresholds still lie halfway between neighboring points. Extra-trees draw their
thresholds at random, and the average of many random steps is nearly smooth.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from manyminds.ensemble import ExtraTreesClassifier, RandomForestClassifier
from manyminds.trees import DecisionTreeClassifier

X, y = make_moons(300, noise=0.3, random_state=0)
X_new, y_new = make_moons(5_000, noise=0.3, random_state=1)
size = {"min_samples_leaf": 3, "random_state": 0}
models = {
    "decision tree": DecisionTreeClassifier(**size),
    "random forest": RandomForestClassifier(n_estimators=300, **size),
    "extra-trees": ExtraTreesClassifier(n_estimators=300, **size),
}

# %%
# The color is the predicted probability; the title has the accuracy on new points.
first, second = np.meshgrid(np.linspace(-2, 3, 200), np.linspace(-1.5, 2, 200))
grid = np.column_stack([first.ravel(), second.ravel()])
fig, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items()):
    model.fit(X, y)
    probability = model.predict_proba(grid)[:, 1].reshape(first.shape)
    ax.pcolormesh(first, second, probability, cmap="RdBu", vmin=0, vmax=1, alpha=0.6)
    ax.scatter(*X.T, c=y, cmap="RdBu", s=8, edgecolor="k", linewidth=0.3)
    ax.set_title(f"{name}: {100 * model.score(X_new, y_new):.1f} %")
plt.show()

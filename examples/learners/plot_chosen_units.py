"""
How many random hidden units are enough
=======================================

An extreme learning machine draws its hidden units at random and solves for the output
weights. With 100 units for 150 points, plain least squares overfits. A ridge penalty
keeps all units and shrinks their weights. OP-ELM ranks the units and keeps the number
with the smallest leave-one-out error. Both give a smoother boundary.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from manyminds.learners import ELMClassifier, OPELMClassifier

X, y = make_moons(150, noise=0.3, random_state=0)
X_new, y_new = make_moons(5_000, noise=0.3, random_state=1)
models = {
    "least squares": ELMClassifier(100, alpha=0.0, random_state=0),
    "ridge": ELMClassifier(100, random_state=0),
    "OP-ELM": OPELMClassifier(100, random_state=0),
}

# %%
# The color is the output, the title has the accuracy on new points. The last picture
# shows how OP-ELM chose: errors rise once there are more units than the data can tell
# apart.
first, second = np.meshgrid(np.linspace(-2, 3, 200), np.linspace(-1.5, 2, 200))
grid = np.column_stack([first.ravel(), second.ravel()])
fig, axes = plt.subplots(2, 2, figsize=(8, 6), layout="constrained")
for ax, (name, model) in zip(axes.flat, models.items()):
    output = model.fit(X, y).decision_function(grid).reshape(first.shape)
    ax.pcolormesh(first, second, output, cmap="RdBu", vmin=-1.5, vmax=1.5, alpha=0.6)
    ax.contour(first, second, output, levels=[0.0], colors="k", linewidths=1)
    ax.scatter(*X.T, c=y, cmap="RdBu", s=8, edgecolor="k", linewidth=0.3)
    ax.set_title(f"{name}: {100 * model.score(X_new, y_new):.1f} %")

ax = axes.flat[3]
ax.plot(model.loo_errors_)
ax.axvline(model.n_kept_, color="k", linestyle=":")
ax.text(model.n_kept_ + 2, 0.1, f"{model.n_kept_} units are kept")
ax.set(ylim=(0, 1.2), xlabel="units, the most useful first", ylabel="error")
ax.set_title("leave-one-out error of OP-ELM")
plt.show()

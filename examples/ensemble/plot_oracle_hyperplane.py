"""
A random hyperplane makes trees diverse
=======================================

A random oracle draws two training rows and fits a tree to the rows nearest to each of
them. A new row is predicted by the tree of the nearer one. The boundary between the two
is a line that no single tree would draw, and it is a different line in each member: the
average of many such pairs is smoother than a tree, though every pair saw all the rows.
"""

import matplotlib.pyplot as plt
import numpy as np

from manyminds.ensemble import BaggingRegressor, RandomOracleRegressor
from manyminds.trees import REPTreeRegressor

rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, size=(150, 2))
y = np.sin(3 * (X[:, 0] + X[:, 1])) + 0.1 * rng.normal(size=len(X))
tree = REPTreeRegressor(prune=False)
models = {
    "one tree": tree,
    "one oracle, two trees": RandomOracleRegressor(tree, random_state=3),
    "100 oracles, all on all rows": BaggingRegressor(
        RandomOracleRegressor(tree), bootstrap=False, random_state=0
    ),
}

# %%
# The truth is a wave along the diagonal. The dashed line is the oracle's; its two rows
# are the triangles.
side = np.linspace(-1, 1, 200)
first, second = np.meshgrid(side, side)
grid = np.column_stack([first.ravel(), second.ravel()])
truth = np.sin(3 * (grid[:, 0] + grid[:, 1]))
fig, axes = plt.subplots(1, 3, figsize=(9, 3.3), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items()):
    answer = model.fit(X, y).predict(grid)
    ax.pcolormesh(first, second, answer.reshape(first.shape), cmap="RdBu", alpha=0.7)
    ax.scatter(*X.T, s=4, color="k", alpha=0.4, lw=0)
    rmse = np.sqrt(np.mean((answer - truth) ** 2))
    ax.set(title=f"{name}\nRMSE {rmse:.2f}", xticks=[], yticks=[])
oracle = models["one oracle, two trees"]
axes[1].contour(
    first, second, oracle.decide(grid).reshape(first.shape), [0.5],
    colors="k", linestyles="--",
)  # fmt: skip
axes[1].scatter(*oracle.anchors_.T, marker="^", s=90, color="gold", ec="k")
plt.show()

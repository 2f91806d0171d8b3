"""
Boosted stumps on a checkerboard
================================

A stump splits one column, and a sum of stumps is a sum of functions of single columns.
No such sum can represent a checkerboard: whatever it adds to the middle column and to
the middle row, their crossing gets both. RpBoost lets each stump split along a random
direction, and a sum of oblique splits can have any shape.

Both boost 500 stumps by least squares on the same 1,000 points.
"""

import matplotlib.pyplot as plt
import numpy as np

from manyminds.datasets import make_test_pattern
from manyminds.ensemble import RpBoostClassifier

X, y = make_test_pattern(1000, pattern="checkerboard", random_state=0)
X_all, y_all = make_test_pattern(pattern="checkerboard")
models = {
    "no projection": RpBoostClassifier(projection=None, learning_rate=1.0),
    "signs": RpBoostClassifier(projection="sign", learning_rate=1.0, random_state=0),
    "normal draws": RpBoostClassifier(learning_rate=1.0, random_state=0),
}

# %%
# The color is the sum of the stumps; the title has the accuracy on all 6,561 points of
# the board. With signs there are only two oblique directions in the plane, along the
# diagonals; normal draws have every direction.
fig, axes = plt.subplots(2, 3, figsize=(9, 5.6), layout="constrained")
for (board, course), (name, model) in zip(axes.T, models.items()):
    model.fit(X, y)
    total = model.decision_function(X_all).reshape(81, 81).T
    board.imshow(
        total, extent=(0, 4, 0, 4), origin="lower", cmap="RdBu", vmin=-1.5, vmax=1.5
    )
    board.scatter(*X[:300].T, c=y[:300], cmap="RdBu", s=6, edgecolor="k", linewidth=0.2)
    board.set(title=f"{name}: {100 * model.score(X_all, y_all):.1f} %")
    right = [100 * np.mean(guess == y_all) for guess in model.staged_predict(X_all)]
    course.plot(np.arange(1, 501), right, label="whole board")
    fitted = [100 * np.mean(guess == y) for guess in model.staged_predict(X)]
    course.plot(np.arange(1, 501), fitted, "0.6", label="training points")
    course.set(xlabel="rounds", ylim=(50, 101))
axes[1, 0].set_ylabel("accuracy in %")
axes[1, 0].legend(loc="lower right")
plt.show()

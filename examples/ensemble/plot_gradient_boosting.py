"""
Loss curves and contributions of gradient boosting
==================================================

Left: the loss of training rows keeps falling, that of held-out folds does not; the
model keeps the round where it is least. Right: what each feature adds to the
prediction, for every row a point, colored by the feature's value.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes

from manyminds.ensemble import GradientBoostingRegressor

X, y = load_diabetes(return_X_y=True, as_frame=True)
model = GradientBoostingRegressor(n_iter_no_change=150, random_state=0).fit(X, y)

fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
rounds = np.arange(1, len(model.validation_score_) + 1)
left.plot(rounds, model.train_score_, label="training rows")
left.plot(rounds, model.validation_score_, label="held-out folds")
left.axvline(model.n_iter_, color="gray", linestyle=":", label="rounds kept")
left.set(xlabel="rounds", ylabel="half the mean squared error")
left.set_title("Losses, mean of five folds")
left.legend()

contributions = model.predict_contributions(X)[:, :-1]
order = np.abs(contributions).mean(axis=0).argsort()[-6:]
rng = np.random.default_rng(0)
for height, j in enumerate(order):
    shift = height + rng.uniform(-0.3, 0.3, size=len(X))
    color = X.iloc[:, j].rank(pct=True)
    points = right.scatter(
        contributions[:, j], shift, c=color, s=7, cmap="coolwarm", rasterized=True
    )
right.axvline(0.0, color="gray", linewidth=0.8)
right.set_yticks(range(len(order)), X.columns[order])
right.set(xlabel="contribution to the prediction", title="Six strongest features")
fig.colorbar(points, ax=right, label="rank of the feature's value")
plt.show()

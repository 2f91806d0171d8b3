"""
Which features make a prediction high or low
============================================

``predict_contributions`` divides each prediction of a forest among the features. The
contributions of a row, and the expected prediction, add up to what the forest predicts.

We grow a forest on the diabetes data, whose target is the progress of the disease.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes

from manyminds.ensemble import RandomForestRegressor

X, y = load_diabetes(return_X_y=True, as_frame=True)
forest = RandomForestRegressor(n_estimators=300, min_samples_leaf=3, random_state=0)
contributions = forest.fit(X, y).predict_contributions(X)
values, expected = contributions[:, :-1], contributions[0, -1]
order = np.argsort(np.abs(values).mean(axis=0))  # the largest ends on top
place = np.arange(len(order))

# %%
# On the left, one patient: red bars raise the prediction, blue ones lower it. On the
# right, all patients: each dot is a row, spread up and down where many are alike, and
# its color is the value of the feature. A high body mass index (``bmi``) raises the
# prediction, a low one lowers it.
row = 9
fig, (left, right) = plt.subplots(
    1, 2, sharey=True, figsize=(9, 4), layout="constrained"
)
bars = values[row, order]
left.barh(place, bars, color=np.where(bars > 0, "tab:red", "tab:blue"))
left.set(yticks=place, yticklabels=X.columns[order], xlabel="contribution")
left.set_title(
    f"Row {row}: {expected:.1f} + {bars.sum():.1f} = {bars.sum() + expected:.1f}"
)

edges = np.linspace(values.min(), values.max(), 80)
for k, j in enumerate(order):
    column = np.digitize(values[:, j], edges)
    turn = np.array([np.sum(column[:i] == c) for i, c in enumerate(column)])
    spread = (-1.0) ** turn * ((turn + 1) // 2)
    height = k + 0.4 * spread / max(1, np.abs(spread).max())
    dots = right.scatter(
        values[:, j], height, c=X.iloc[:, j].rank(pct=True), cmap="coolwarm", s=5
    )
right.axvline(0, color="0.7", zorder=0)
right.set(xlabel="contribution", title=f"All {len(X)} rows")
fig.colorbar(dots, label="value of the feature, as rank")
plt.show()

"""
How often each feature is selected on resamples
===============================================

A selection depends on the rows. Would other rows lead to the same one? Two selectors
choose the best ten features of the breast cancer data on fifty halves of the rows, and
we count.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import SelectFromModel, SelectKBest

from manyminds.ensemble import RandomForestClassifier
from manyminds.feature_selection import StableSelector
from manyminds.feature_selection.stability import StabilityDisplay

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
forest = RandomForestClassifier(50)
selectors = {
    "F-test": SelectKBest(k=10),
    "forest": SelectFromModel(forest, threshold=-1.0, max_features=10),
}

# %%
# Left: how often a feature is among the ten; blue features reach the threshold. Right:
# how far the best k features agree from half to half, for every k, with a 95 %
# interval; 0 is chance, 1 is full agreement. The agreement falls where a group of
# features that are about as good is cut in two, and rises where the cut is in a gap.
fig, axes = plt.subplots(1, 3, figsize=(12, 4.5), layout="constrained")
colors = "#3d8bc9", "#d9822b"
for ax, color, (name, selector) in zip(axes, colors, selectors.items()):
    stable = StableSelector(selector, random_state=0).fit(X, y)
    display = StabilityDisplay.from_selector(
        stable, X, y, sizes=range(1, 30), n_shown=18, ax=ax
    )
    ax.set_title(f"{name}: {ax.get_title()}", fontsize="medium")
    display.plot("stability", ax=axes[2], color=color, label=name)
axes[2].set_title("the best k features", fontsize="medium")
axes[2].legend()
plt.show()

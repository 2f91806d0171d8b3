"""
Accuracy and diversity of the trees of a forest
===============================================

Every pair of trees is a point: its agreement beyond random agreement (kappa), and its
mean error. Bagged trees are the most accurate and the least diverse. A random forest
trades some accuracy for diversity, extremely randomized trees more. Whether that helps
shows in the error of the vote; no place in the diagram is the best for all data.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from manyminds.analysis.diversity import (
    KappaErrorDisplay,
    measure_diversity,
    measure_strength,
)
from manyminds.ensemble import ExtraTreesClassifier, RandomForestClassifier

X, y = load_digits(return_X_y=True)
X, X_new, y, y_new = train_test_split(X, y, test_size=0.5, random_state=0)
options = {"n_estimators": 60, "random_state": 0}
forests = {
    "bagged trees": RandomForestClassifier(max_features=None, **options),
    "random forest": RandomForestClassifier(**options),
    "extra trees, one column": ExtraTreesClassifier(max_features=1, **options),
}

# %%
# Each line is the lower left of a hull: its corners are the best pairs, if kappa counts
# for something against error, and how much that is differs from corner to corner.
_, ax = plt.subplots(figsize=(8, 5.5), layout="constrained")
rows = {}
for name, forest in forests.items():
    forest.fit(X, y)
    KappaErrorDisplay.from_estimator(forest, X_new, y_new, name=name, ax=ax, hull=True)
    found = measure_diversity(y_new, forest.predict_all(X_new))
    bound = measure_strength(y_new, forest.predict_all(X_new)).bound
    rows[name] = {
        "error of the vote": 1 - forest.score(X_new, y_new),
        "mean error of a tree": found.mean_error,
        "Q": found.q_statistic,
        "strength": found.strength,
        "Breiman's bound": bound,
    }
plt.show()

# %%
print(pd.DataFrame(rows).T.round(3).to_string())

"""
Which methods differ significantly
==================================

Five methods, twelve data sets: one of them has the best mean rank, but is it better, or
is that random variation? A critical-difference diagram shows the mean ranks, and joins
methods that cannot be distinguished by a bar.

Here the data sets are small samples of one problem each, with more or fewer relevant
columns, and more or less noise.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from manyminds.analysis import compare_methods, plot_critical_difference
from manyminds.ensemble import ExtraTreesClassifier
from manyminds.trees import DecisionTreeClassifier

methods = {
    "extra-trees": ExtraTreesClassifier(n_estimators=50, random_state=0),
    "one tree": DecisionTreeClassifier(random_state=0),
    "nearest neighbors": KNeighborsClassifier(),
    "logistic regression": LogisticRegression(),
    "naive Bayes": GaussianNB(),
}
rows = []
for number in range(12):
    X, y = make_classification(
        n_samples=200,
        n_features=12,
        n_informative=3 + number % 6,
        n_clusters_per_class=2,
        flip_y=0.02 * number,
        random_state=number,
    )
    rows.append(
        {name: cross_val_score(method, X, y).mean() for name, method in methods.items()}
    )
comparison = compare_methods(pd.DataFrame(rows))
print(comparison)

# %%
# The bars are read one by one: within a bar, nothing can be said. A method under two
# bars does not belong to two groups; the data are not enough to tell where it belongs.
plot_critical_difference(comparison.critical_difference)
plt.show()

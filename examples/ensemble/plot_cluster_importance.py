"""
Clusters without labels, and what holds them together
=====================================================

Three groups of rows, each with two columns of its own, among twenty columns of noise.
Four hundred clusterings of random rows and columns agree on the groups, and their
importances show which columns hold each of them together.
"""

import matplotlib.pyplot as plt
import numpy as np

from manyminds.ensemble import ConsensusMatrixDisplay, RandomClusterEnsemble
from manyminds.feature_selection import ClusterImportanceDisplay, RCESelector

rng = np.random.default_rng(0)
group = np.repeat([0, 1, 2], 60)
X = rng.normal(size=(180, 26))
for g in range(3):
    X[group == g, 2 * g : 2 * g + 2] += 6.0

# %%
# No label is used. Dark blocks on the left are rows that most clusterings put together,
# and a dot on the right marks a column that the scree test selects for a cluster.
selector = RCESelector(
    RandomClusterEnsemble(n_estimators=400, n_clusters=3, max_features=6),
    random_state=0,
).fit(X)
fig, axes = plt.subplots(1, 2, figsize=(12, 4.5), layout="constrained")
ConsensusMatrixDisplay.from_estimator(selector.clusterer_, ax=axes[0])
ClusterImportanceDisplay.from_selector(selector, n_shown=15, ax=axes[1])
plt.show()

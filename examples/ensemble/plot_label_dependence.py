"""
Labels that tell about each other
=================================

Binary relevance predicts each label as if there were no others. A classifier chain sees
the labels before it. Where labels depend on each other beyond what the columns explain,
a chain predicts the whole set of a row more often.

Eight labels come in four pairs. The first label of a pair is noisy; the second one is
the exclusive or of the first one and a column, in the first two pairs only.
"""

import matplotlib.pyplot as plt
import numpy as np

from manyminds.datasets import make_multilabel_xor
from manyminds.ensemble import BinaryRelevanceClassifier, ClassifierChain
from manyminds.trees import DecisionTreeClassifier

n_rows = 1200
tables, labels = zip(
    *(make_multilabel_xor(n_rows, label_noise=0.2, random_state=s) for s in range(4))
)
X, Y = np.hstack(tables), np.hstack(labels)
for pair in (2, 3):  # the second label of these pairs follows a column alone
    Y[:, 2 * pair + 1] = X[:, 2 * pair + 1] > 0.5
half = n_rows // 2

# %%
# Left: how many more rows have both labels than if they were independent, in percent of
# all rows. An exclusive or does not show there. Right: how often both labels of each
# pair are predicted, on the rows of the second half.
tree = DecisionTreeClassifier(min_samples_leaf=5)
models = {
    "binary relevance": BinaryRelevanceClassifier(tree, random_state=0),
    "chain": ClassifierChain(tree, random_state=0),
}
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
share = Y.mean(axis=0)
excess = 100 * (Y.T @ Y / n_rows - np.outer(share, share))
np.fill_diagonal(excess, np.nan)
image = left.imshow(excess, cmap="RdBu", vmin=-6, vmax=6)
fig.colorbar(image, ax=left, label="co-occurrence beyond chance, in %")
left.set(xlabel="label", ylabel="label", title="what pairs of labels show")
for k, (name, model) in enumerate(models.items()):
    is_right = model.fit(X[:half], Y[:half]).predict(X[half:]) == Y[half:]
    both = [is_right[:, 2 * p : 2 * p + 2].all(axis=1).mean() for p in range(4)]
    right.bar(np.arange(4) + 0.4 * k, 100 * np.array(both), width=0.38, label=name)
right.set(xlabel="pair of labels", ylabel="both labels right, in %", ylim=(0, 85))
right.set_xticks(np.arange(4) + 0.2, range(4))
right.set_title("what a chain gains: the first two pairs")
right.legend(loc="upper left", ncols=2)
plt.show()

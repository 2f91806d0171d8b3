"""
A committee of three different selectors
========================================

Five features shift with the class, five do so with heavy outliers, two are the axes of
an unbalanced chessboard; 300 others are noise. A correlation finds the first group, a
ranking by splits the second, and a tree, which conditions on its first splits,
sometimes the chessboard. Each selects eight features. A forest does better on their
union than on any of them, and than with two votes of three. Selection and forest are
cross-validated as one pipeline.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from manyminds.ensemble import RandomForestClassifier
from manyminds.feature_selection import (
    CorrelationSelector,
    SelectionCommittee,
    SSVSelector,
)

rng, n = np.random.default_rng(1), 600
corners = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
board = corners[rng.choice(4, size=n, p=[0.42, 0.12, 0.38, 0.08])]
y = (board.prod(axis=1) < 0) ^ (rng.random(n) < 0.15)
sign = np.where(y, 1.0, -1.0)[:, None]
shifted = 0.4 * sign + rng.normal(size=(n, 5))
wild = 0.8 * sign + rng.standard_cauchy(size=(n, 5))
board = board + 0.6 * rng.normal(size=(n, 2))
X = np.hstack([shifted, wild, board, rng.normal(size=(n, 300))])

members = [
    ("correlation", CorrelationSelector(8)),
    ("SSV ranking", SSVSelector(8)),
    ("SSV tree", SSVSelector(8, method="tree", random_state=0)),
]
selectors = dict(members) | {"two votes": SelectionCommittee(members, threshold=2)}
selectors |= {"union": SelectionCommittee(members, threshold=1)}
forest = RandomForestClassifier(50, random_state=0)
models = [make_pipeline(selector, forest) for selector in selectors.values()]
errors = [100 - 100 * cross_val_score(model, X, y) for model in models]

# Left, who selected which feature; all noise shares the last column.
votes = np.array([one.fit(X, y).get_support() for one in selectors.values()])
shown = np.column_stack([votes[:, :12], votes[:, 12:].sum(axis=1)])
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3), sharey=True, layout="tight")
left.pcolormesh(shown > 0, cmap="Blues", vmax=2.0, edgecolors="white")
places = np.arange(len(selectors)) + 0.5
for place, count in zip(places, shown[:, 12]):
    left.text(12.5, place, count, ha="center", va="center")
left.set_yticks(places, list(selectors))
left.set_xticks([2.5, 7.5, 11, 12.5], ["shifted", "wild", "board", "noise"])
left.set_title("selected features")
right.barh(places, [one.mean() for one in errors], color="#0072B2")
right.set(xlabel="error in percent, five folds", title="random forest")
plt.show()

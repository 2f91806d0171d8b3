"""
Which feature masks which
=========================

ACE removes redundant features by masking: feature i masks feature j as far as splits on
j imitate the splits on i. Of two features that mask each other, the more important one
stays.

Here D and E, the products of the causes A, B and C with noise, determine the target.
Their causes are relevant as well, but D and E mask them.
"""

import matplotlib.pyplot as plt
import numpy as np

from manyminds.feature_selection import ACESelector

rng = np.random.default_rng(0)
a, b, c = (rng.normal(mean, 1.0, 1000) for mean in (1, 2, 3))
d, e = a * c + rng.normal(size=1000), a * b + rng.normal(size=1000)
X = np.column_stack([a, b, c, d, e, rng.normal(size=(1000, 2))])
y = d * e + rng.normal(size=1000)
names = [*"ABCDE", "noise 1", "noise 2"]
selector = ACESelector(20, n_replicates=10, random_state=0, n_jobs=2).fit(X, y)

# %%
# Rows are features that split, columns those that imitate them. The masking is divided
# by the largest of its row; a cross marks what is more than masking of shuffled copies.
found = selector.rounds_[0]
relevant = [names[j] for j in found.relevant]
share = found.masking / found.masking.max(axis=1, keepdims=True)

fig, ax = plt.subplots(figsize=(6, 5), layout="constrained")
image = ax.imshow(share, cmap="Blues", vmin=0.0, vmax=1.0)
for i, j in zip(*np.nonzero(found.is_masked)):
    ax.plot(j, i, "x", color="#d9822b")
places = np.arange(len(relevant))
ax.set_xticks(places, relevant)
ax.set_yticks(places, relevant)
kept = ", ".join(names[j] for j in selector.markov_blanket_)
ax.set(xlabel="masked", ylabel="masks", title=f"Round 1; selected in the end: {kept}")
fig.colorbar(image, label="masking, as a share of the row's largest")
plt.show()

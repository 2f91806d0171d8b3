"""
How a tree splits missing values and categories
===============================================

A node compares a number with a threshold, checks whether a category is in a set, and
sends missing values to the side that it has learned for them.

Here the growth of a plant depends on the soil, an unordered category, and on the rain,
which is often not recorded, most often in dry years: missingness is informative.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from manyminds.trees import DecisionTreeRegressor

rng = np.random.default_rng(0)
n_samples = 600
soil = rng.choice(["chalk", "clay", "peat", "sand"], n_samples)
rain = rng.gamma(4.0, 150.0, n_samples)
growth = np.where(np.isin(soil, ["clay", "peat"]), 2.0, 0.0) + 3.0 * (rain > 500)
growth += rng.normal(scale=0.3, size=n_samples)
recorded = rng.random(n_samples) > np.where(rain > 500, 0.05, 0.5)

rain_known = np.where(recorded, rain, np.nan)
X = pd.DataFrame({"soil": pd.Categorical(soil), "rain": rain_known})
tree = DecisionTreeRegressor(max_leaf_nodes=6, min_samples_leaf=20).fit(X, growth)

# %%
# We ask the tree about every soil, over the range of the rain and with rain missing.
# Soils that the tree put on the same side of its splits share a line, and the dots show
# where it sends plants whose rain is not known: to the dry side.
soils = X["soil"].cat.categories
grid = np.linspace(0, 1500, 300)
styles = ["-", "--", "-", "--"]
fig, (ax, ax_missing) = plt.subplots(
    1, 2, sharey=True, width_ratios=[5, 1], figsize=(7, 3.5), layout="constrained"
)
ax.scatter(rain[recorded], growth[recorded], s=5, color="0.8")
for place, name in enumerate(soils):
    kind = pd.Categorical([name] * len(grid), categories=soils)
    line = tree.predict(pd.DataFrame({"soil": kind, "rain": grid}))
    alone = tree.predict(pd.DataFrame({"soil": kind[:1], "rain": [np.nan]}))
    ax.plot(grid, line, styles[place], color=f"C{place}", label=name)
    ax_missing.plot(place, alone, "o", color=f"C{place}")
ax.set(xlabel="rain", ylabel="growth")
ax.legend(title="soil")
ax_missing.set(xlabel="rain missing", xticks=[], xlim=(-1, 4))
plt.show()

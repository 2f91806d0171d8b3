"""
Generated problems with a known Bayes error
===========================================

To evaluate a method it helps to know the best possible result. These two-dimensional
problems show what the generators offer: densities that overlap, so that even the best
classifier errs, and regions with sharp boundaries, where the Bayes error is 0.
"""

import matplotlib.pyplot as plt
from matplotlib.colors import ListedColormap

from manyminds.datasets.generators import (
    bayes_error,
    make_artificial_multi1,
    make_checkerboard,
    make_four_gaussians,
    make_frame,
    make_oblique_border,
    make_test_pattern,
    make_xor,
)

drawn = {
    "four_gaussians": make_four_gaussians(600, random_state=0),
    "artificial_multi1": make_artificial_multi1(600, random_state=0),
    "xor": make_xor(600, n_irrelevant=0, continuous=True, random_state=0),
    "checkerboard": make_checkerboard(600, random_state=0),
    "frame": make_frame(600, random_state=0),
    "oblique_border": make_oblique_border(600, random_state=0),
}
patterns = ["sine", "linear_band", "parity", "annulus", "disjunctive", "polynomial"]

# %%
# Upper half: points drawn at random, with the error that no rule can avoid. Lower half:
# test patterns on the grid of 81 by 81 points, class 1 dark.
colors = ListedColormap(["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#555555"])
fig, axes = plt.subplots(4, 3, figsize=(8, 10.5), layout="constrained")
for axis, (name, (X, y)) in zip(axes[:2].flat, drawn.items()):
    axis.scatter(*X.T, c=y, s=5, cmap=colors, vmin=0, vmax=4)
    axis.set_title(f"{name}\nBayes error {bayes_error(name):.1%}", fontsize="medium")
for axis, name in zip(axes[2:].flat, patterns):
    _, y = make_test_pattern(pattern=name)
    image = y.reshape(81, 81).T
    axis.imshow(image, origin="lower", extent=(0, 4, 0, 4), cmap="Blues", vmax=1.4)
    axis.set_title(name, fontsize="medium")
for axis in axes.flat:
    axis.set(aspect="equal", xticks=[], yticks=[])
plt.show()

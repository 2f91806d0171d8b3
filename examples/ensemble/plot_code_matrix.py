"""
A code matrix and the distances of its rows
===========================================

An output code gives each class a codeword, a row of the matrix on the left. A binary
learner is fitted to each column: classes in blue against classes in red, without those
in white. A sample is of the class whose codeword is nearest to the learners' outputs.

On the right are the distances of all pairs of codewords. With a least distance of
:math:`d`, up to :math:`(d - 1) / 2` wrong learners, rounded down, do no harm. The
shortest code corrects none; a random code of 26 columns corrects several.
"""

import matplotlib.pyplot as plt
import numpy as np

from manyminds.ensemble import (
    dense_random_code,
    minimal_code,
    one_vs_one_code,
    row_distances,
)

codes = {
    "minimal": minimal_code(6, "gray"),
    "one-vs-one": one_vs_one_code(6),
    "dense random": dense_random_code(6, random_state=0),
}

fig, axes = plt.subplots(3, 2, figsize=(8, 6.5), layout="constrained")
for (left, right), (name, code) in zip(axes, codes.items()):
    left.imshow(code, cmap="RdBu", vmin=-1.4, vmax=1.4, aspect="auto")
    left.set(title=f"{name}: {code.shape[1]} columns", ylabel="class")
    left.xaxis.get_major_locator().set_params(integer=True)
    left.set_xticks(np.arange(code.shape[1] + 1) - 0.5, minor=True)
    left.grid(which="minor", axis="x", color="white", linewidth=0.8)
    distances = row_distances(code)
    shown = right.imshow(distances, cmap="viridis", vmin=0.0)
    least = distances[~np.eye(6, dtype=bool)].min()
    n_corrected = max(0, int((np.ceil(least) - 1) // 2))
    right.set(title=f"least distance {least:g}: corrects {n_corrected}")
    fig.colorbar(shown, ax=right)

# %%
# A column that ignores one of two classes counts one half of a difference. Therefore
# the distances of one-vs-one are large, but most of its learners have not seen
# a sample's class at all: attenuated decoding leaves them out.
plt.show()

"""The mean of a model that was boosted on all rows and of those outside each fold."""

from dataclasses import dataclass, replace

import numpy as np

from manyminds.trees.structure import Trees


@dataclass(frozen=True)
class AveragedBoosters:
    """A booster of all rows beside those that have found its number of rounds.

    The mean varies less than a single sequence of trees, and costs no more fits. The
    booster of all rows has half of the weight: those outside a fold have seen less.

    Parameters
    ----------
    whole : Booster
        Of all rows.
    folds : list of Booster
        Of the rows outside each fold; they have run as many rounds, or more.
    """

    whole: object
    folds: list
    lines = None

    def get_trees(self, n_rounds):
        """Return the trees of the first rounds; a sum of them is the mean prediction.

        Those of a round stand together, booster after booster: of each, one tree for
        each output.
        """
        boosters = [self.whole, *self.folds]
        trees = Trees.concatenate([one.get_trees(n_rounds) for one in boosters])
        order = np.arange(trees.n_trees).reshape(len(boosters), n_rounds, -1)
        shares = np.array([0.5] + [0.5 / len(self.folds)] * len(self.folds))
        share = np.repeat(shares, np.diff(trees.starts[:: order[0].size]))
        trees = replace(trees, value=trees.value * share[:, np.newaxis])
        return trees.select(order.transpose(1, 0, 2).ravel())

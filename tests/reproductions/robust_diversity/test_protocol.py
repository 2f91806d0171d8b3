"""Members that see half of the features."""

import numpy as np
from numpy.testing import assert_array_equal

from manyminds.datasets.generators import make_friedman_classes
from manyminds.reproductions.robust_diversity.protocol import SubspaceMember
from manyminds.trees.mdl_tree import MDLTreeClassifier


def test_subspace_members_see_half_of_the_features(seed):
    X, y = make_friedman_classes(100, random_state=seed)
    member = SubspaceMember(MDLTreeClassifier(), random_state=seed).fit(X, y)
    assert len(np.unique(member.features_)) == 5
    assert_array_equal(
        member.predict(X), member.estimator_.predict(X[:, member.features_])
    )

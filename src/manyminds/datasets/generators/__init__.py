"""Data drawn from known laws, for which the best possible answer is often known."""

# Scikit-learn has them already; they are named here so that the room is complete.
from sklearn.datasets import make_friedman1, make_friedman2, make_friedman3

from manyminds.datasets.generators.bayes import bayes_error
from manyminds.datasets.generators.faces import make_faces
from manyminds.datasets.generators.friedman import make_friedman_classes, make_simple
from manyminds.datasets.generators.gaussians import (
    make_artificial_multi1,
    make_artificial_multi2,
    make_blobs_in_noise,
    make_four_gaussians,
)
from manyminds.datasets.generators.led import make_led7
from manyminds.datasets.generators.logic import make_monks, make_multiplexer, make_xor
from manyminds.datasets.generators.lucas import make_lucas
from manyminds.datasets.generators.madelon import make_madelon_like
from manyminds.datasets.generators.multilabel import (
    make_label_groups,
    make_multilabel_xor,
)
from manyminds.datasets.generators.norms import (
    make_ringnorm,
    make_threenorm,
    make_twonorm,
)
from manyminds.datasets.generators.patterns import make_test_pattern
from manyminds.datasets.generators.reading import make_reading_sessions
from manyminds.datasets.generators.regions import (
    make_checkerboard,
    make_frame,
    make_oblique_border,
)
from manyminds.datasets.generators.waveform import make_waveform

__all__ = [
    "bayes_error",
    "make_artificial_multi1",
    "make_artificial_multi2",
    "make_blobs_in_noise",
    "make_checkerboard",
    "make_faces",
    "make_four_gaussians",
    "make_frame",
    "make_friedman1",
    "make_friedman2",
    "make_friedman3",
    "make_friedman_classes",
    "make_label_groups",
    "make_led7",
    "make_lucas",
    "make_madelon_like",
    "make_monks",
    "make_multilabel_xor",
    "make_multiplexer",
    "make_oblique_border",
    "make_reading_sessions",
    "make_ringnorm",
    "make_simple",
    "make_test_pattern",
    "make_threenorm",
    "make_twonorm",
    "make_waveform",
    "make_xor",
]

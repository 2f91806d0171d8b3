"""Made-up faces as data sets, their features, and labels by groups of them."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import PCA
from sklearn.metrics import roc_auc_score

from manyminds.datasets import Dataset, make_faces
from manyminds.ensemble import LabelGroupClassifier, WeightedECOCClassifier
from manyminds.experiments.measures import Fold
from manyminds.feature_selection import FCBFSelector
from manyminds.learners import LMNetClassifier
from manyminds.preprocessing import LocalBinaryPatterns
from manyminds.reproductions.published import Find

HEIGHT, WIDTH = 75, 150
UNITS = (1, 2, 4, 5, 6, 7)
N_TRAIN, N_TEST = 410, 300  # the paper has 410 and 46
FACES, NO_SIGNAL = "faces ", "faces without signal "
VARIANTS = {
    "neither": (False, None),
    "bootstrap": (True, None),
    "CSEP": (False, "csep"),
    "both": (True, "csep"),
}


class PictureFeatures(TransformerMixin, BaseEstimator):
    """Columns of equalized pictures: principal components, or filtered patterns.

    Parameters
    ----------
    kind : {"PCA", "LBP"}, default="LBP"
        Components with 95 % of the variance, or those local binary patterns of radius
        1 to 3 that the fast correlation-based filter selects for the groups; if it
        selects none, the first one.
    """

    def __init__(self, kind: str = "LBP") -> None:
        self.kind = kind

    def fit(self, X: Any, y: Any) -> "PictureFeatures":
        """Find the components, or select the patterns."""
        described = self._describe(X)
        if self.kind == "PCA":
            self.components_ = PCA(0.95, random_state=0).fit(described)
            return self
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # no column is relevant
            selected = FCBFSelector().fit(described, y).get_support(indices=True)
        self.columns_ = selected if len(selected) else np.zeros(1, dtype=np.intp)
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return the columns of pictures."""
        described = self._describe(X)
        if self.kind == "PCA":
            return self.components_.transform(described)
        return described[:, self.columns_]

    def _describe(self, X: Any) -> NDArray[np.float64]:
        images = equalize(np.asarray(X, dtype=np.float64))
        if self.kind == "PCA":
            return images
        patterns = LocalBinaryPatterns(radii=(1, 2, 3))
        return patterns.fit_transform(images.reshape(-1, HEIGHT, WIDTH))


def equalize(images: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spread the brightness of each picture evenly from 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.weighted_output_codes.protocol import equalize
    >>> equalize(np.array([[0.2, 0.9, 0.3]]))
    array([[0. , 1. , 0.5]])
    """
    rank = images.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
    return rank / (images.shape[1] - 1.0)


@dataclass(frozen=True)
class LabelMeasures:
    """Errors and areas of the six labels, with and without bootstrap and weights.

    Parameters
    ----------
    n_columns : int, default=60
        Columns of the code.
    """

    n_columns: int = 60

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Return values in percent under names such as "error both"."""
        estimator.fit(fold.X_train, fold.y_train)
        X, X_new = estimator.transform(fold.X_train), estimator.transform(fold.X_test)
        Y, Y_new = read_labels(fold.y_train), read_labels(fold.y_test)
        values = {"features": float(X.shape[1])}
        for name, (bootstrap, weighting) in VARIANTS.items():
            code = WeightedECOCClassifier(
                LMNetClassifier(16, max_iter=8, alpha=0.0),
                self.n_columns,
                bootstrap=bootstrap,
                weighting=weighting,
            )
            model = LabelGroupClassifier(
                code, calibration="train", random_state=fold.seed
            ).fit(X, Y)
            scores, p = model.label_scores(X_new), model.predict_proba(X_new)
            values |= measure_labels(name, Y_new, scores, p)
        return values


def measure_labels(
    name: str, Y: NDArray[Any], scores: NDArray[Any], p: NDArray[Any]
) -> dict[str, float]:
    """Name the errors and areas of all labels of one variant, in percent."""
    wrong = 100.0 * ((p >= 0.5) != Y).mean(axis=0)
    areas = [100.0 * roc_auc_score(label, score) for label, score in zip(Y.T, scores.T)]
    values = {
        "error": wrong.mean(),
        "error without sigmoids": 100.0 * ((scores >= 0.5) != Y).mean(),
        "AUC": np.mean(areas),
    }
    for k, unit in enumerate(UNITS):
        values |= {f"error of AU {unit}": wrong[k], f"AUC of AU {unit}": areas[k]}
    return {f"{what} {name}": float(value) for what, value in values.items()}


def load_faces(find: Find, name: str) -> Dataset:
    """Draw faces; the number at the end of the name is the seed of the draw."""
    strength = 0.0 if name.startswith(NO_SIGNAL) else 1.0
    seed = int(name.rsplit(" ", 1)[1])
    images, Y = make_faces(N_TRAIN + N_TEST, strength=strength, random_state=seed)
    columns = [f"p{i}" for i in range(HEIGHT * WIDTH)]
    X = pd.DataFrame(images.reshape(len(images), -1), columns=columns)
    return Dataset(name, X, name_groups(Y), "classification")


def name_groups(Y: NDArray[Any]) -> NDArray[np.str_]:
    """Name the combination of labels of each row, such as "1+2"; "0" for none.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.weighted_output_codes.protocol import (
    ...     name_groups,
    ...     read_labels,
    ... )
    >>> name_groups(np.array([[1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]])).tolist()
    ['1+2', '0']
    >>> read_labels(["1+2", "0"])[0]
    array([1, 1, 0, 0, 0, 0])
    """
    names = ["+".join(str(u) for u, one in zip(UNITS, row) if one) for row in Y]
    return np.array([name or "0" for name in names])


def read_labels(groups: Any) -> NDArray[np.intp]:
    """Return the labels of rows by the names of their groups."""
    named = [set(str(group).split("+")) for group in groups]
    return np.array([[str(u) in one for u in UNITS] for one in named], dtype=np.intp)

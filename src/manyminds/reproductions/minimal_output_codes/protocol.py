"""The data of the paper on minimal codes, its learners, and what codes cost."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.svm import SVC

from manyminds.datasets import Dataset
from manyminds.ensemble import ECOCClassifier, MinimalECOCClassifier
from manyminds.experiments.measures import Fold
from manyminds.experiments.preparation import prepared
from manyminds.learners import TunedSVC
from manyminds.reproductions.published import Find

MAX_ROWS = 500  # drawn of larger data sets
MIN_OF_CLASS = 10  # rows of a class that a draw keeps, if there are so many
VOWEL_NOT_USED = ["Train_or_Test", "Speaker_Number", "Sex"]
N_CLASSES, N_OF_CLASS, N_DIMENSIONS = 100, 9, 16  # of the generated data sets
SPREADS = {"grouped-100": 2.0, "unrelated-100": 0.0}  # of the ten groups of classes
NOISE = 0.7  # standard deviation within a class, where that of class means is 1
N_COMPONENTS = 30  # of the pictures of two digits
LETTERS_OF_CLASS = 30


@dataclass(frozen=True)
class CodeMeasures:
    """Accuracy of a code, its columns, and the kernel values of a prediction."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Return "accuracy" in percent, "columns" and "support_vectors"."""
        estimator.fit(fold.X_train, fold.y_train)
        model = estimator[-1]
        return {
            "accuracy": 100.0 * float(estimator.score(fold.X_test, fold.y_test)),
            "columns": float(model.code_.shape[1]),
            "support_vectors": float(sum(map(count_support, model.estimators_))),
        }


def count_support(member: Any) -> int:
    """Count the support vectors of the learner of a column; a constant has none."""
    machine = getattr(member, "svc_", member)
    return int(np.sum(getattr(machine, "n_support_", 0)))


def make_tuned_methods() -> dict[str, Any]:
    """Return the four codes of table 1 and two more, each column tuned on its own.

    A genetic algorithm tries about 40 pairs of cost and width for each column. While
    it searches for a code, the machines have the cost 10 and the width of SVC.
    """
    tuned = TunedSVC(population_size=8, n_generations=4, patience=None, scale=None)
    shared = {"decoder": "hamming", "cv": None}
    searched = MinimalECOCClassifier(
        tuned, search="ga", search_estimator=SVC(C=10.0), **shared
    )
    codes = {
        "Binary minimal": ECOCClassifier(tuned, code="binary", **shared),
        "Evolved minimal": searched,
        "One-vs-all": ECOCClassifier(tuned, code="one_vs_all", **shared),
        "One-vs-one": ECOCClassifier(tuned, code="one_vs_one", **shared),
        "Gray minimal": ECOCClassifier(tuned, code="gray", **shared),
        "Dense random": ECOCClassifier(tuned, code="dense", **shared),
    }
    return {name: prepared(model, scale=True) for name, model in codes.items()}


def make_untuned_methods() -> dict[str, Any]:
    """Return the codes of table 2 and two more, by machines with the cost 10."""
    machine, shared = SVC(C=10.0), {"cv": None}
    search = {
        **shared,
        "decoder": "hamming",
        "population_size": 20,
        "n_generations": 10,
        "n_islands": 2,
        "patience": None,
    }
    codes = {
        "Binary minimal": ("binary", "hamming"),
        "One-vs-all": ("one_vs_all", "hamming"),
        "One-vs-all, ties to the first": ("one_vs_all", "strict_hamming"),
        "Dense random": ("dense", "hamming"),
    }
    methods: dict[str, Any] = {
        name: ECOCClassifier(machine, code=code, decoder=decoder, **shared)
        for name, (code, decoder) in codes.items()
    }
    methods["GA minimal"] = MinimalECOCClassifier(machine, search="ga", **search)
    methods["PBIL minimal"] = MinimalECOCClassifier(machine, search="pbil", **search)
    return {name: prepared(model, scale=True) for name, model in methods.items()}


def load_few_classes(find: Find, name: str) -> Dataset:
    """Load a data set of table 1, of large ones a draw of 500 rows."""
    data = find(name)
    if name == "vowel":
        data = replace(data, X=data.X.drop(columns=VOWEL_NOT_USED))
    return data.take(draw_rows(np.asarray(data.y), MAX_ROWS))


def draw_rows(y: NDArray[Any], n_rows: int) -> NDArray[np.intp]:
    """Draw rows at random, but at least ten of each class that has so many.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
    n_rows : int

    Returns
    -------
    rows : ndarray of shape (min(n_samples, n_rows),)
        Sorted.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.minimal_output_codes.protocol import draw_rows
    >>> y = np.repeat([0, 1, 2], [900, 95, 5])
    >>> np.bincount(y[draw_rows(y, 50)]).tolist()
    [35, 10, 5]
    """
    order = np.random.default_rng(0).permutation(len(y))
    place = pd.Series(y[order]).groupby(y[order]).cumcount().to_numpy()
    first = np.argsort(place >= MIN_OF_CLASS, kind="stable")
    return np.sort(order[first[:n_rows]])


def load_many_classes(find: Find, name: str) -> Dataset:
    """Load, or generate, a data set of 26 or 100 classes."""
    if name == "letter":
        data = find(name)
        place = pd.Series(data.y).groupby(np.asarray(data.y)).cumcount().to_numpy()
        return data.take(np.flatnonzero(place < LETTERS_OF_CLASS))
    X, y = draw_digit_pairs() if name == "digit-pairs" else draw_classes(SPREADS[name])
    columns = [f"x{i}" for i in range(X.shape[1])]
    return Dataset(name, pd.DataFrame(X, columns=columns), y, "classification")


def draw_digit_pairs() -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Draw two digits side by side: 100 classes, in 30 principal components."""
    rng = np.random.default_rng(0)
    images, digit = load_digits(return_X_y=True)
    y = np.arange(N_CLASSES * N_OF_CLASS) % N_CLASSES
    halves = [
        images[[rng.choice(np.flatnonzero(digit == one)) for one in half]]
        for half in (y // 10, y % 10)
    ]
    pictures = np.hstack(halves)
    return PCA(N_COMPONENTS, random_state=0).fit_transform(pictures), y


def draw_classes(spread: float) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Draw 100 Gaussian classes, whose means come in ten groups if ``spread`` > 0."""
    rng = np.random.default_rng(0)
    y = np.arange(N_CLASSES * N_OF_CLASS) % N_CLASSES
    groups = spread * rng.normal(size=(10, N_DIMENSIONS))
    means = groups[np.arange(N_CLASSES) % 10]
    means = means + rng.normal(size=(N_CLASSES, N_DIMENSIONS))
    return means[y] + NOISE * rng.normal(size=(len(y), N_DIMENSIONS)), y

"""LUCAS: a small causal network around lung cancer, made for teaching."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds.datasets.generators._drawing import check_count
from manyminds.datasets.generators._paragraphs import document_generator

LUCAS_FEATURES = (
    "Smoking",
    "Yellow_Fingers",
    "Anxiety",
    "Peer_Pressure",
    "Genetics",
    "Attention_Disorder",
    "Born_an_Even_Day",
    "Car_Accident",
    "Fatigue",
    "Allergy",
    "Coughing",
)
# Given these five the class is independent of all others.
LUCAS_BLANKET = ("Smoking", "Genetics", "Fatigue", "Allergy", "Coughing")

# Probability of a one, by the values of the parents: [first parent, second parent].
_SMOKING = np.array([[0.43118, 0.8686], [0.74591, 0.91576]])  # peer pressure, anxiety
_YELLOW_FINGERS = np.array([0.23119, 0.95372])  # smoking
_LUNG_CANCER = np.array([[0.23146, 0.83934], [0.86996, 0.99351]])  # genetics, smoking
_ATTENTION_DISORDER = np.array([0.28956, 0.68706])  # genetics
_COUGHING = np.array([[0.1347, 0.7664], [0.64592, 0.99947]])  # allergy, lung cancer
_FATIGUE = np.array([[0.35212, 0.80016], [0.56514, 0.89589]])  # lung cancer, coughing
_CAR_ACCIDENT = np.array([[0.2274, 0.78861], [0.779, 0.97169]])  # attention, fatigue


@document_generator
def make_lucas(n_samples=2000, *, return_posterior=False, random_state=None):
    """Draw rows of the causal network LUCAS, whose class is lung cancer.

    Eleven binary columns [1]_: two are causes of the class, two its effects, one shares
    an effect with it; one has nothing to do with it, and the others are related to it
    only by way of these five. Nothing in it is medical fact. Bayes error 13.03 %.

    Parameters
    ----------
    n_samples : int, default=2000
        Number of rows.
    {posterior_and_state}

    Returns
    -------
    X : ndarray of shape (n_samples, 11)
        Zeros and ones; the columns are called ``LUCAS_FEATURES``, and those of
        ``LUCAS_BLANKET`` are the Markov blanket of the class.
    y : ndarray of shape (n_samples,)
        1 for lung cancer, 0 for none.
    {posterior}

    References
    ----------
    .. [1] Guyon et al., "Causality workbench: LUCAS and LUCAP", 2008.

    Examples
    --------
    >>> from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
    >>> X, y = make_lucas(20_000, random_state=0)
    >>> print(X.shape, y.mean().round(2))
    (20000, 11) 0.74
    >>> print(X[:, LUCAS_FEATURES.index("Born_an_Even_Day")].mean().round(1))
    0.5
    """
    n_samples = check_count("n_samples", n_samples)
    rng = check_random_state(random_state)

    def draw(probability):
        return (rng.uniform(size=n_samples) < probability).astype(np.intp)

    anxiety, peer_pressure = draw(0.64277), draw(0.32997)
    smoking = draw(_SMOKING[peer_pressure, anxiety])
    yellow_fingers = draw(_YELLOW_FINGERS[smoking])
    genetics, even_day, allergy = draw(0.15953), draw(0.5), draw(0.32841)
    attention_disorder = draw(_ATTENTION_DISORDER[genetics])
    y = draw(_LUNG_CANCER[genetics, smoking])
    coughing = draw(_COUGHING[allergy, y])
    fatigue = draw(_FATIGUE[y, coughing])
    car_accident = draw(_CAR_ACCIDENT[attention_disorder, fatigue])
    X = np.column_stack(
        [
            smoking, yellow_fingers, anxiety, peer_pressure, genetics,
            attention_disorder, even_day, car_accident, fatigue, allergy, coughing,
        ]
    ).astype(np.float64)  # fmt: skip
    if not return_posterior:
        return X, y
    return X, y, _posterior(smoking, genetics, fatigue, allergy, coughing)


def _posterior(smoking, genetics, fatigue, allergy, coughing):
    """Return the probability of each class given its Markov blanket."""
    joint = _join_class(smoking, genetics, fatigue, allergy, coughing)
    return (joint / joint.sum(axis=0)).T


def _join_class(smoking, genetics, fatigue, allergy, coughing):
    """Return the probability of each class and its effects given its causes."""
    joint = np.empty((2, len(smoking)))
    for c in (0, 1):
        joint[c] = _bernoulli(c, _LUNG_CANCER[genetics, smoking])
        joint[c] *= _bernoulli(coughing, _COUGHING[allergy, c])
        joint[c] *= _bernoulli(fatigue, _FATIGUE[c, coughing])
    return joint


def lucas_error():
    """The Bayes error, by a sum over all states of the Markov blanket."""
    states = np.indices((2,) * 5).reshape(5, -1)
    smoking, genetics, fatigue, allergy, coughing = states
    pressure, anxiety = 0.32997, 0.64277
    odds = np.outer([1.0 - pressure, pressure], [1.0 - anxiety, anxiety])
    smokes = float((odds * _SMOKING).sum())
    weight = _bernoulli(smoking, smokes) * _bernoulli(genetics, 0.15953)
    weight = weight * _bernoulli(allergy, 0.32841)
    joint = weight * _join_class(smoking, genetics, fatigue, allergy, coughing)
    return float(joint.min(axis=0).sum())


def _bernoulli(value, probability):
    """Return the probability of a zero or a one, given that of a one."""
    return np.where(np.asarray(value) == 1, probability, 1.0 - probability)

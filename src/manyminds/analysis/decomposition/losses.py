"""James's decomposition for any symmetric loss, from responses and predictions."""

import numpy as np

LOSSES = {
    "squared": lambda a, b: np.square(a - b),
    "absolute": lambda a, b: np.abs(a - b),
    "zero_one": lambda a, b: (a != b).astype(np.float64),
}


def split_any_loss(loss, responses, predictions, candidates=None):
    """Split the expected loss at each point into noise and the two effects.

    loss         name of `LOSSES`, or ``loss(a, b)`` of two arrays, symmetric
    responses    (n_points, n_draws)       float64, NaN if missing
    predictions  (n_points, n_predictors)  float64, NaN if missing
    candidates   (n_candidates,)           float64, candidates for the center
    """
    measure = LOSSES[loss] if isinstance(loss, str) else loss
    response = find_center(loss, responses, candidates)
    central = find_center(loss, predictions, candidates)
    noise = _mean_loss(measure, responses, response)
    off_center = _mean_loss(measure, responses, central)
    error = _mean_of_pairs(measure, responses, predictions)
    return {
        "noise": noise,
        "bias": np.asarray(measure(response, central), dtype=np.float64),
        "variance": _mean_loss(measure, predictions, central),
        "systematic_effect": off_center - noise,
        "variance_effect": error - off_center,
        "error": error,
        "response": response,
        "central": central,
    }


def find_center(loss, values, candidates=None):
    """Return the number with the smallest mean loss to each row of values.

    It is the mean for the squared and the median for the absolute loss, and otherwise
    the best of the candidates; of ties, the first.
    """
    if loss == "squared":
        return np.nanmean(values, axis=1)
    if loss == "absolute":
        return np.nanmedian(values, axis=1)
    if candidates is None:
        candidates = np.unique(values[~np.isnan(values)])
    measure = LOSSES[loss] if isinstance(loss, str) else loss
    least = np.full(len(values), np.inf)
    center = np.empty(len(values))
    for candidate in candidates:
        mean = _mean_loss(measure, values, np.full(len(values), candidate))
        # Means of the same losses in another order differ by rounding errors.
        better = mean < least - 1e-12 * np.abs(mean)
        least[better], center[better] = mean[better], candidate
    return center


def _mean_loss(measure, values, center):
    lost = np.asarray(measure(values, center[:, None]), dtype=np.float64)
    return np.nanmean(np.where(np.isnan(values), np.nan, lost), axis=1)


def _mean_of_pairs(measure, responses, predictions):
    """Return the mean loss of all pairs, one column of responses at a time."""
    n_drawn = (~np.isnan(responses)).sum(axis=1)
    total = np.zeros(len(responses))
    for column in responses.T:
        drawn = ~np.isnan(column)
        total[drawn] += _mean_loss(measure, predictions[drawn], column[drawn])
    return total / n_drawn

"""Decompositions of the 0/1 error at a point by several papers."""

import numpy as np

KINDS = ("james", "kohavi_wolpert", "domingos", "kong_dietterich", "breiman", "webb")


def central_weights(votes, ties):
    """Return the weights of the classes with most votes: the lowest, or all tied."""
    if ties == "lowest":
        return np.eye(votes.shape[1])[votes.argmax(axis=1)]
    # Votes are fractions: equal counts may differ by rounding errors.
    tied = votes >= votes.max(axis=1, keepdims=True) - 1e-12
    return tied / tied.sum(axis=1, keepdims=True)


def zero_one_parts(posterior, votes, ties):
    """Compute the terms of James's decomposition at each point.

    posterior  (n_points, n_classes)  float64, P(Y = i)
    votes      (n_points, n_classes)  float64, fractions of the predictors
    ties       "lowest" or "average"
    """
    central = central_weights(votes, ties)
    best = posterior.argmax(axis=1)
    right_best = posterior[np.arange(len(best)), best]
    right_central = (central * posterior).sum(axis=1)
    right = (posterior * votes).sum(axis=1)
    return {
        "noise": 1.0 - right_best,
        "bias": 1.0 - central[np.arange(len(best)), best],
        "variance": 1.0 - votes.max(axis=1),
        "systematic_effect": right_best - right_central,
        "variance_effect": right_central - right,
        "error": 1.0 - right,
    }


def split_zero_one(kind, posterior, votes, ties, n_predictions=None):
    """Split the error at each point into the terms of a paper.

    ``n_predictions`` corrects the terms of Kohavi and Wolpert for bias.
    """
    parts = zero_one_parts(posterior, votes, ties)
    if kind == "kohavi_wolpert":
        return _kohavi_wolpert(posterior, votes, n_predictions)
    if kind == "webb":
        central = central_weights(votes, ties)
        bias = (central * votes * (1.0 - posterior)).sum(axis=1)
        return {"bias": bias, "variance": parts["error"] - bias}
    return _SPLITS[kind](parts, posterior, votes)


def domingos_factors(parts, posterior, votes):
    """Return the factors of noise and variance for which the sum is the error.

    If noise or variance is 0, its factor is that of two classes.
    """
    best = posterior.argmax(axis=1)
    votes_best = votes[np.arange(len(best)), best]
    noise, variance = parts["noise"], parts["variance"]
    rest = parts["error"] - (1.0 - votes_best)
    noise_factor = np.divide(rest, noise, out=2.0 * votes_best - 1.0, where=noise > 0.0)
    rest = 1.0 - votes_best - parts["bias"]
    signs = np.where(parts["bias"] < 0.5, 1.0, -1.0)
    return noise_factor, np.divide(rest, variance, out=signs, where=variance > 0.0)


def _james(parts, posterior, votes):
    names = ("noise", "systematic_effect", "variance_effect")
    return {name: parts[name] for name in names}


def _kohavi_wolpert(posterior, votes, n_predictions):
    noise = (1.0 - np.square(posterior).sum(axis=1)) / 2.0
    bias = np.square(posterior - votes).sum(axis=1) / 2.0
    variance = (1.0 - np.square(votes).sum(axis=1)) / 2.0
    if n_predictions is not None:
        # Random variation of the votes of few predictors is variance, not bias.
        moved = variance / (n_predictions - 1.0)
        bias, variance = bias - moved, variance + moved
    return {"noise": noise, "squared_bias": bias, "variance": variance}


def _domingos(parts, posterior, votes):
    noise_factor, variance_factor = domingos_factors(parts, posterior, votes)
    return {
        "net_noise": noise_factor * parts["noise"],
        "bias": parts["bias"],
        "net_variance": variance_factor * parts["variance"],
    }


def _kong_dietterich(parts, posterior, votes):
    return {"bias": parts["bias"], "variance": parts["error"] - parts["bias"]}


def _breiman(parts, posterior, votes):
    excess = parts["systematic_effect"] + parts["variance_effect"]
    return {
        "noise": parts["noise"],
        "bias": excess * parts["bias"],
        "variance": excess * (1.0 - parts["bias"]),
    }


_SPLITS = {
    "james": _james,
    "domingos": _domingos,
    "kong_dietterich": _kong_dietterich,
    "breiman": _breiman,
}

"""Decompose the error of votes or of numeric predictions."""

import numpy as np

from manyminds.analysis._checks import check_option
from manyminds.analysis.decomposition.losses import LOSSES, split_any_loss
from manyminds.analysis.decomposition.result import BiasVariance
from manyminds.analysis.decomposition.terms import zero_one_parts
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import JAMES_2003, cite


@fill_docstring(references=cite(JAMES_2003))
def decompose_votes(
    posterior, votes, *, classes=None, n_predictions=None, ties="lowest"
):
    r"""Decompose the 0/1 error of predictors from their votes.

    With :math:`p_i` the probability of class :math:`i` at a point, :math:`q_i` the
    fraction of the predictors that predict :math:`i`, :math:`s = \arg\max_i p_i` and
    :math:`\tilde s = \arg\max_i q_i`, the error is the sum of [1]_

    .. math::
       1 - p_s, \qquad p_s - p_{\tilde s}, \qquad
       p_{\tilde s} - \textstyle\sum_i p_i q_i:

    noise, systematic effect and variance effect.

    Parameters
    ----------
    posterior : array-like of shape (n_points, n_classes)
        Probability of each class at each point.
    votes : array-like of shape (n_points, n_classes)
        Number, or fraction, of the predictors that predict each class.
    classes : array-like of shape (n_classes,), default=None
        Class labels; 0, 1, ... by default.
    n_predictions : int or array-like of shape (n_points,), default=None
        Number of predictors; by default the sum of each row of votes.
    ties : {"lowest", "average"}, default="lowest"
        Treatment of classes that tie for most votes: take the lowest, or average bias
        and effects over all of them.

    Returns
    -------
    result : BiasVariance

    {references}

    Examples
    --------
    The predictors are biased here, and their variance reduces the error:

    >>> from manyminds.analysis import decompose_votes
    >>> decompose_votes([[0.8, 0.2]], [[10, 40]])
    BiasVariance(error=0.68, noise=0.2, systematic_effect=0.6, variance_effect=-0.12)
    """
    check_option("ties", ties, ("lowest", "average"))
    posterior = read_posterior(posterior)
    votes = np.asarray(votes, dtype=np.float64)
    if votes.shape != posterior.shape:
        raise ValueError(
            "posterior and votes must have the same shape, a column for each class; "
            f"got {posterior.shape} and {votes.shape}."
        )
    total = votes.sum(axis=1)
    if not np.isfinite(votes).all() or votes.min() < 0.0 or total.min() <= 0.0:
        raise ValueError(
            "votes must be finite, not negative, and not all 0 at any point."
        )
    classes = np.arange(votes.shape[1]) if classes is None else np.asarray(classes)
    if classes.shape != votes.shape[1:]:
        raise ValueError(
            f"classes must have a label for each of the {votes.shape[1]} columns of "
            f"votes; got shape {classes.shape}."
        )

    votes = votes / total[:, None]
    n_predictions = total if n_predictions is None else n_predictions
    return BiasVariance(
        "zero_one",
        **zero_one_parts(posterior, votes, ties),
        response=classes[posterior.argmax(axis=1)],
        central=classes[votes.argmax(axis=1)],
        n_predictions=np.broadcast_to(n_predictions, total.shape),
        run=np.zeros(len(votes), dtype=np.intp),
        classes=classes,
        posterior=posterior,
        votes=votes,
        ties=ties,
    )


@fill_docstring(references=cite(JAMES_2003))
def decompose_predictions(
    responses, predictions, *, loss="squared", expected=None, candidates=None
):
    r"""Decompose the error of numeric predictions under a symmetric loss.

    With :math:`S_Y` the number of smallest mean loss to the responses at a point, and
    :math:`S_{\tilde Y}` that to the predictions, the mean loss is the sum of [1]_

    .. math::
       E\, L(Y, S_Y), \qquad E[L(Y, S_{\tilde Y}) - L(Y, S_Y)], \qquad
       E[L(Y, \tilde Y) - L(Y, S_{\tilde Y})]:

    noise, systematic effect and variance effect. Under squared loss, these are noise,
    squared bias and variance.

    Parameters
    ----------
    responses : array-like of shape (n_points,) or (n_points, n_draws)
        True responses, or several draws of the response at each point. With one draw
        and no ``expected``, the noise is 0 and counts as bias.
    predictions : array-like of shape (n_points, n_predictors)
        Predictions; NaN if a predictor did not predict a point.
    loss : {"squared", "absolute", "zero_one"} or callable, default="squared"
        Loss; a callable ``loss(a, b)`` of two arrays must be symmetric.
    expected : array-like of shape (n_points,), default=None
        Expected response, for squared loss. The noise at a point is then the squared
        distance of the responses from it, and the error is that on new responses.
    candidates : array-like, default=None
        Candidates for the center, for a callable loss; by default all values that
        occur.

    Returns
    -------
    result : BiasVariance

    {references}

    Examples
    --------
    >>> from manyminds.analysis import decompose_predictions
    >>> decompose_predictions([1.0], [[2.0, 4.0]])
    BiasVariance(error=5, noise=0, systematic_effect=4, variance_effect=1)
    """
    if not callable(loss):
        check_option("loss", loss, tuple(LOSSES))
    predictions = _read_draws("predictions", predictions)
    responses = np.asarray(responses, dtype=np.float64)
    if responses.ndim == 1:
        responses = responses[:, None]
    responses = _read_draws("responses", responses)
    if len(responses) != len(predictions):
        raise ValueError(
            "responses and predictions must have the same number of points; got "
            f"{len(responses)} and {len(predictions)}."
        )
    if expected is not None and loss != "squared":
        raise ValueError(f"expected is for squared loss; got loss={loss!r}.")

    if expected is None:
        parts = split_any_loss(loss, responses, predictions, candidates)
    else:
        parts = _split_around(
            _read_expected(expected, responses), responses, predictions
        )
    return BiasVariance(
        "callable" if callable(loss) else loss,
        **parts,
        n_predictions=(~np.isnan(predictions)).sum(axis=1),
        run=np.zeros(len(predictions), dtype=np.intp),
    )


def read_posterior(posterior):
    """Check class probabilities, and return them as an array."""
    posterior = np.asarray(posterior, dtype=np.float64)
    if posterior.ndim != 2 or posterior.size == 0:
        raise ValueError(
            f"posterior must have shape (n_points, n_classes); got {posterior.shape}."
        )
    off = np.abs(posterior.sum(axis=1) - 1.0).max()
    if not off < 1e-6 or posterior.min() < 0.0:
        raise ValueError(
            "posterior must have rows of probabilities that sum to 1; got a minimum of "
            f"{posterior.min():g} and sums that differ from 1 by {off:g}."
        )
    return posterior


def _read_draws(name, values):
    values = np.asarray(values, dtype=np.float64)
    if values.ndim != 2 or values.size == 0:
        raise ValueError(f"{name} must be a table, a row for each point; got shape "
                         f"{values.shape}.")  # fmt: skip
    if np.isinf(values).any() or np.isnan(values).all(axis=1).any():
        raise ValueError(f"{name} must be finite, and at least one for each point.")
    return values


def _read_expected(expected, responses):
    expected = np.asarray(expected, dtype=np.float64)
    if expected.shape != (len(responses),) or not np.isfinite(expected).all():
        raise ValueError(
            f"expected must have a finite number for each of the {len(responses)} "
            f"points; got shape {expected.shape}."
        )
    return expected


def _split_around(expected, responses, predictions):
    """Split squared loss around the expected response."""
    parts = split_any_loss("squared", expected[:, None], predictions)
    noise = np.nanmean(np.square(responses - expected[:, None]), axis=1)
    return parts | {"noise": noise, "error": parts["error"] + noise}

"""Result of a bias-variance decomposition, per point and on average."""

from dataclasses import dataclass, field, fields

import numpy as np
import pandas as pd

from manyminds.analysis._checks import check_option
from manyminds.analysis.decomposition.terms import KINDS, split_zero_one
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import JAMES_2003, cite

PARTS = (
    "error",
    "noise",
    "bias",
    "variance",
    "systematic_effect",
    "variance_effect",
)


@fill_docstring(references=cite(JAMES_2003))
@dataclass(frozen=True, eq=False)
class BiasVariance:
    r"""Bias-variance decomposition of an error, per point and on average.

    The error is the sum of the noise, the systematic effect and the variance effect, at
    each point and on average [1]_.

    Parameters
    ----------
    loss : str
        "zero_one", "squared", "absolute" or "callable".
    error : ndarray of shape (n_points,)
        Expected loss.
    noise : ndarray of shape (n_points,)
        Loss of the optimal prediction; the Bayes error under 0/1 loss.
    bias : ndarray of shape (n_points,)
        Loss between the optimal and the central prediction. Under squared loss it is
        the *squared* bias.
    variance : ndarray of shape (n_points,)
        Mean loss between the predictions and the central one.
    systematic_effect : ndarray of shape (n_points,)
        Contribution of the bias to the error; never negative.
    variance_effect : ndarray of shape (n_points,)
        Contribution of the variance to the error; negative if it reduces the error.
    response : ndarray of shape (n_points,)
        Optimal prediction.
    central : ndarray of shape (n_points,)
        Central prediction: the mode, mean or median.
    n_predictions : ndarray of shape (n_points,)
        Number of predictions.
    run : ndarray of shape (n_points,)
        Run of the point.
    classes : ndarray of shape (n_classes,) or None
        Class labels, under 0/1 loss of classes.
    posterior : ndarray of shape (n_points, n_classes) or None
        Probability of each class at each point.
    votes : ndarray of shape (n_points, n_classes) or None
        Fraction of the predictors that predicted each class.
    ties : str
        "lowest" or "average".

    {references}

    Examples
    --------
    >>> from manyminds.analysis import decompose_votes
    >>> found = decompose_votes([[0.75, 0.25]], [[1, 3]])
    >>> found
    BiasVariance(error=0.625, noise=0.25, systematic_effect=0.5, variance_effect=-0.125)
    >>> found.mean["bias"], found.mean["variance"]
    (1.0, 0.25)
    """

    loss: str
    error: np.ndarray
    noise: np.ndarray
    bias: np.ndarray
    variance: np.ndarray
    systematic_effect: np.ndarray
    variance_effect: np.ndarray
    response: np.ndarray
    central: np.ndarray
    n_predictions: np.ndarray
    run: np.ndarray
    classes: np.ndarray | None = field(default=None)
    posterior: np.ndarray | None = field(default=None)
    votes: np.ndarray | None = field(default=None)
    ties: str = "lowest"

    def __repr__(self):
        shown = ("error", "noise", "systematic_effect", "variance_effect")
        values = ", ".join(f"{name}={self.mean[name]:.3g}" for name in shown)
        return f"{type(self).__name__}({values})"

    @property
    def mean(self):
        """Mean of each term over the points, as a dict."""
        return {name: float(getattr(self, name).mean()) for name in PARTS}

    @property
    def run_means(self):
        """Means of each run, as a DataFrame with a row for each."""
        table = pd.DataFrame({name: getattr(self, name) for name in PARTS})
        means = table.groupby(np.asarray(self.run)).mean()
        return means.rename_axis("run")

    def terms(self, kind="james", *, unbiased=False):
        r"""Split the error at each point into the terms of a paper.

        Parameters
        ----------
        kind : str, default="james"
            - "james": noise, systematic effect, variance effect.
            - "kohavi_wolpert": noise, squared bias, variance.
            - "domingos": noise and variance multiplied by factors such that the sum is
              the error: net noise, bias, net variance.
            - "kong_dietterich": bias, and the rest as variance.
            - "breiman": noise, and the rest as bias or as variance of the point.
            - "webb": errors of the central prediction, and those of other predictions.

            Losses other than 0/1 of classes only have "james".
        unbiased : bool, default=False
            Whether to correct the squared bias and the variance for the finite number
            of predictors. The bias may become negative. Available for "kohavi_wolpert"
            and for squared loss.

        Returns
        -------
        terms : dict of str to ndarray of shape (n_points,)
            Their sum is ``error``.
        """
        check_option("kind", kind, KINDS)
        if self.votes is None and kind != "james":
            raise ValueError(
                f"kind must be 'james' for {self.loss} loss; got {kind!r}, which is "
                "for 0/1 loss of classes."
            )
        squared = self.loss == "squared"
        if unbiased:
            self._check_can_be_unbiased(kind == "kohavi_wolpert" or squared)
        if self.votes is None:
            return self._split_james(unbiased)
        n_predictions = self.n_predictions if unbiased else None
        return split_zero_one(
            kind, self.posterior, self.votes, self.ties, n_predictions
        )

    def summarize(self, kinds=KINDS):
        """Average the terms of several papers over the points.

        Parameters
        ----------
        kinds : sequence of str
            See `terms`; those that are not available for the loss are left out.

        Returns
        -------
        table : DataFrame
            One row for each kind, one column for each term.
        """
        if self.votes is None:
            kinds = [kind for kind in kinds if kind == "james"]
        rows = {
            kind: {name: term.mean() for name, term in self.terms(kind).items()}
            for kind in kinds
        }
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("kind")

    def _check_can_be_unbiased(self, has_formula):
        if not has_formula:
            raise ValueError(
                "unbiased=True requires kind='kohavi_wolpert' or squared loss; there "
                "is no correction of a mode."
            )
        if self.n_predictions.min() < 2:
            raise ValueError(
                "unbiased=True requires two predictions or more of each point; some "
                "have only one."
            )

    def _split_james(self, unbiased):
        moved = self.variance / (self.n_predictions - 1.0) if unbiased else 0.0
        return {
            "noise": self.noise,
            "systematic_effect": self.systematic_effect - moved,
            "variance_effect": self.variance_effect + moved,
        }


def join_runs(results):
    """Concatenate the points of several runs."""
    joined = {}
    for one in fields(BiasVariance):
        values = [getattr(result, one.name) for result in results]
        per_point = one.name not in ("loss", "ties", "classes")
        if per_point and values[0] is not None:
            joined[one.name] = np.concatenate(values)
        else:
            joined[one.name] = values[0]
    sizes = [len(result.error) for result in results]
    joined["run"] = np.repeat(np.arange(len(results)), sizes)
    return BiasVariance(**joined)

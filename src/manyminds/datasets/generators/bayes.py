"""Bayes errors of the generated problems."""

from inspect import signature

from manyminds.datasets.generators._drawing import check_option
from manyminds.datasets.generators.friedman import friedman_classes_error
from manyminds.datasets.generators.gaussians import (
    artificial_multi1_error,
    artificial_multi2_error,
    blobs_in_noise_error,
    four_gaussians_error,
)
from manyminds.datasets.generators.led import led7_error
from manyminds.datasets.generators.logic import exact_rule_error
from manyminds.datasets.generators.lucas import lucas_error
from manyminds.datasets.generators.norms import (
    ringnorm_error,
    threenorm_error,
    twonorm_error,
)
from manyminds.datasets.generators.waveform import waveform_error


def bayes_error(problem, **parameters):
    """Compute the Bayes error of a generated problem.

    It is the error rate of the optimal classifier, which knows the densities. It is
    computed without random numbers:

    ====================== =========================================================
    ``twonorm``            closed form, :math:`\\Phi(-2)`
    ``threenorm``          integral over one dimension
    ``ringnorm``           closed form, by non-central chi-squares; ``n_features``
    ``four_gaussians``     sum over a grid of the plane, to 1e-6
    ``artificial_multi1``  sum over a grid of one dimension, to 1e-6
    ``artificial_multi2``  sum over a grid of the plane, to 1e-6
    ``blobs_in_noise``     closed form; ``separation``
    ``waveform``           sum over a grid of the plane, to 1e-6
    ``led7``               sum over all states; ``segment_noise``
    ``lucas``              sum over all states
    ``friedman_classes``   Gauss-Legendre sum, to 1e-6; ``threshold``, ``noise``
    ``xor``                0, or the rate of flipped labels; ``label_noise``
    ``monks``              as ``xor``
    ``multiplexer``        as ``xor``
    ``checkerboard``       as ``xor``
    ``simple``             0
    ``frame``              0
    ``oblique_border``     0
    ``test_pattern``       0
    ====================== =========================================================

    Parameters
    ----------
    problem : str
        Name of the problem: that of its generator without ``make_``.
    **parameters : dict
        Parameters of the generator that are named in the table; the others do not
        change the Bayes error.

    Returns
    -------
    error : float
        The Bayes error, between 0 and 1.

    Examples
    --------
    >>> from manyminds.datasets.generators import bayes_error
    >>> print(round(bayes_error("twonorm"), 5), round(bayes_error("led7"), 5))
    0.02275 0.25998
    >>> bayes_error("led7", segment_noise=0.0)
    0.0
    """
    check_option("problem", problem, tuple(_ERRORS))
    known = signature(_ERRORS[problem]).parameters
    for name in parameters:
        check_option(f"parameters of {problem!r}", name, tuple(known))
    return _ERRORS[problem](**parameters)


def _no_error():
    return 0.0


_ERRORS = {
    "twonorm": twonorm_error,
    "threenorm": threenorm_error,
    "ringnorm": ringnorm_error,
    "four_gaussians": four_gaussians_error,
    "artificial_multi1": artificial_multi1_error,
    "artificial_multi2": artificial_multi2_error,
    "blobs_in_noise": blobs_in_noise_error,
    "waveform": waveform_error,
    "led7": led7_error,
    "lucas": lucas_error,
    "friedman_classes": friedman_classes_error,
    "xor": exact_rule_error,
    "monks": exact_rule_error,
    "multiplexer": exact_rule_error,
    "checkerboard": exact_rule_error,
    "simple": _no_error,
    "frame": _no_error,
    "oblique_border": _no_error,
    "test_pattern": _no_error,
}

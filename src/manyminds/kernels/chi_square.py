"""The upper tail of the chi-square distribution, as a logarithm."""

import math

from manyminds.kernels._jit import helper

_TINY = 1e-300
_PRECISION = 1e-14
_MAX_TERMS = 100_000


@helper(nogil=True, error_model="numpy")
def log_chi_square_tail(statistic, dof):
    """Return the logarithm of P(chi-square with ``dof`` degrees > ``statistic``).

    The logarithm does not underflow, so that strong dependences can still be compared.
    Without degrees of freedom nothing can be dependent: the result is 0.
    """
    if dof <= 0.0 or statistic <= 0.0:
        return 0.0
    a, x = 0.5 * dof, 0.5 * statistic
    scale = a * math.log(x) - x - math.lgamma(a)
    if x < a + 1.0:  # the series of the lower tail converges fast
        term = 1.0 / a
        total = term
        for k in range(1, _MAX_TERMS):
            term *= x / (a + k)
            total += term
            if term < total * _PRECISION:
                break
        lower = math.exp(scale) * total
        return math.log1p(-lower) if lower < 1.0 else math.log(_TINY)
    # The continued fraction of the upper tail, by Lentz's method.
    b = x + 1.0 - a
    c, d = 1.0 / _TINY, 1.0 / b
    fraction = d
    for k in range(1, _MAX_TERMS):
        factor = -k * (k - a)
        b += 2.0
        d = factor * d + b
        d = _TINY if abs(d) < _TINY else d
        c = b + factor / c
        c = _TINY if abs(c) < _TINY else c
        d = 1.0 / d
        step = c * d
        fraction *= step
        if abs(step - 1.0) < _PRECISION:
            break
    return min(scale + math.log(fraction), 0.0)

"""Decoders: how far the outputs of the columns are from each class's codeword."""

import numpy as np

MAX_EXPONENT = 30.0  # of the exponential loss: greater ones would swamp all others
MIN_PROBABILITY = 1e-12
MAX_LOOKUP = 16  # columns up to which codewords are looked up
MIN_OUTPUT = 1e-9  # outputs below it have hardly a sign
BLOCK_CELLS = 2**22  # losses held at once: samples by classes
DECIMALS = 12  # equal losses stay equal, in whatever order the columns are added


def decode(outputs, code, decoder="hinge"):
    r"""Return the loss of each class: the distance of outputs from its codeword.

    With outputs :math:`x_j`, codeword :math:`y_j` and :math:`z_j = x_j y_j`:

    ==================  ============================================================
    "hamming"           :math:`\sum (1 - \mathrm{sign}\, z_j) / 2`; ties by margin
    "strict_hamming"    the same, ties left as they are: the first class wins
    "attenuated"        :math:`\sqrt{\sum |y_j| (\mathrm{sign}\, x_j - y_j)^2}`;
                        ties by margin
    "euclidean"         :math:`\sqrt{\sum (x_j - y_j)^2}`, outputs within -1 and 1
    "l1"                :math:`\sum |x_j - y_j| / 2`, outputs within -1 and 1
    "hinge"             :math:`\sum \max(0, 1 - z_j)`
    "exponential"       :math:`\sum \exp(-z_j)`
    "probabilistic"     :math:`-\sum_{y_j \neq 0} \log \frac{1 + z_j}{2}`, outputs
                        being :math:`2 p_j - 1`
    ==================  ============================================================

    Losses other than distances are those of [2]_, the probabilistic decoder that of
    [3]_, and the attenuated one, which leaves zeros out, that of [4]_.

    An output of 0 has the sign 0 and is half wrong for all classes. "Ties by margin":
    of the classes with the same number of wrong columns, that with the least sum of
    :math:`|x_j|` over its wrong columns wins [1]_. This sum, as a share of that over
    all columns, is added to the number, divided by four: it decides between equals and
    nothing else.

    Parameters
    ----------
    outputs : array-like of shape (n_samples, n_columns)
        Outputs of the learners: positive for the classes with 1 in the column.
    code : array-like of shape (n_classes, n_columns)
        Code matrix of 1, -1 and 0.
    decoder : str or callable, default="hinge"
        One of the names above, or a function of outputs and code that returns losses.

    Returns
    -------
    losses : ndarray of shape (n_samples, n_classes)
        The least is that of the predicted class.

    References
    ----------
    .. [1] Bautista, Baró, Pujol, Radeva, Vitrià and Escalera, "Compact evolutive design
       of error-correcting output codes", SUEMA, 2010, leave the rule for ties open.
    .. [2] Allwein, Schapire and Singer, "Reducing multiclass to binary", Journal of
       Machine Learning Research 1, 2000 (loss-based decoding).
    .. [3] Passerini, Pontil and Frasconi, "New results on error correcting output codes
       of kernel machines", IEEE Transactions on Neural Networks 15, 2004
       (probabilistic decoding).
    .. [4] Escalera, Pujol and Radeva, "On the decoding process in ternary
       error-correcting output codes", IEEE Transactions on Pattern Analysis and Machine
       Intelligence 32, 2010 (attenuated decoding).

    Examples
    --------
    >>> from manyminds.ensemble import decode, minimal_code
    >>> decode([[0.9, -0.2]], minimal_code(3), "l1").round(2)  # -1 -1, -1 1, 1 -1
    array([[1.35, 1.55, 0.45]])
    """
    outputs = np.asarray(outputs, dtype=np.float64)
    code = np.asarray(code, dtype=np.float64)
    if outputs.ndim != 2 or code.ndim != 2 or outputs.shape[1] != code.shape[1]:
        raise ValueError(
            "outputs and code must be matrices with as many columns; got the shapes "
            f"{outputs.shape} and {code.shape}."
        )
    if callable(decoder):
        losses = np.asarray(decoder(outputs, code))
        if losses.shape != (len(outputs), len(code)):
            raise ValueError(
                f"decoder must return losses of shape {(len(outputs), len(code))}; got "
                f"{losses.shape}."
            )
        return losses
    if decoder not in DECODERS:
        raise ValueError(
            f"decoder must be one of {sorted(DECODERS)} or a function; got {decoder!r}."
        )
    return DECODERS[decoder](outputs, code).round(DECIMALS)


def map_losses(function, outputs, code, decoder):
    """Apply a function to the losses of the samples, a block at a time."""
    step = max(1, BLOCK_CELLS // len(code))
    blocks = (outputs[i : i + step] for i in range(0, max(1, len(outputs)), step))
    return np.concatenate([function(decode(part, code, decoder)) for part in blocks])


def find_nearest(outputs, code, decoder):
    """Return the number of the class with the least loss; the first of equals.

    If the signs of the outputs are a codeword, no other has a lower loss in any
    column, whatever the decoder. It is looked up: most samples of a short code cost as
    much as its columns, not as its classes. Only the others are compared with all
    codewords.

    Parameters
    ----------
    outputs : ndarray of shape (n_samples, n_columns)
        Outputs of the learners.
    code : ndarray of shape (n_classes, n_columns)
        Code matrix of 1, -1 and 0.
    decoder : str or callable
        As `decode` takes it.

    Returns
    -------
    label : ndarray of shape (n_samples,)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble import minimal_code
    >>> from manyminds.ensemble.codes.decoders import find_nearest
    >>> find_nearest(np.array([[0.3, -0.2], [0.1, 0.4]]), minimal_code(3), "hamming")
    array([2, 1])
    """
    n_columns = code.shape[1]
    label = np.full(len(outputs), -1)
    if n_columns <= MAX_LOOKUP and not callable(decoder) and code.all():
        place = 1 << np.arange(n_columns)
        class_of = np.full(2**n_columns, -1)
        class_of[(code > 0) @ place] = np.arange(len(code))
        label = class_of[(outputs > 0.0) @ place]
        label[(np.abs(outputs) < MIN_OUTPUT).any(axis=1)] = -1
    rest = np.flatnonzero(label < 0)
    if len(rest):
        label[rest] = map_losses(
            lambda losses: losses.argmin(axis=1), outputs[rest], code, decoder
        )
    return label


def _strict_hamming(outputs, code):
    return (code.shape[1] - np.sign(outputs) @ code.T) / 2.0


def _hamming(outputs, code):
    return _strict_hamming(outputs, code) + 0.25 * _wrong_share(outputs, code)


def _attenuated(outputs, code):
    n_wrong = (np.abs(code).sum(axis=1) - np.sign(outputs) @ code.T) / 2.0
    return 2.0 * np.sqrt(n_wrong + 0.25 * _wrong_share(outputs, code))


def _euclidean(outputs, code):
    x = outputs.clip(-1.0, 1.0)
    squared = (x**2).sum(axis=1)[:, None] + (code**2).sum(axis=1) - 2.0 * x @ code.T
    return np.sqrt(squared.clip(0.0))


def _l1(outputs, code):
    # |x - y| is 1 - x y for y of 1 or -1, and |x| for a 0.
    x, used = outputs.clip(-1.0, 1.0), np.abs(code)
    losses = used.sum(axis=1) - x @ code.T
    if not used.all():
        losses += np.abs(x) @ (1.0 - used).T
    return losses / 2.0


def _by_sign(loss):
    """Return a decoder that adds ``loss(z)``: two products, not a loop over classes."""

    def add_losses(outputs, code):
        right, wrong = (code > 0).astype(float), (code < 0).astype(float)
        losses = loss(outputs) @ right.T + loss(-outputs) @ wrong.T
        return losses + loss(np.zeros(1)) * (code == 0).sum(axis=1)

    return add_losses


def _probabilistic(outputs, code):
    share = ((1.0 + outputs) / 2.0).clip(MIN_PROBABILITY, 1.0 - MIN_PROBABILITY)
    right, wrong = (code > 0).astype(float), (code < 0).astype(float)
    return -(np.log(share) @ right.T + np.log1p(-share) @ wrong.T)


DECODERS = {
    "attenuated": _attenuated,
    "euclidean": _euclidean,
    "exponential": _by_sign(lambda z: np.exp((-z).clip(-MAX_EXPONENT, MAX_EXPONENT))),
    "hamming": _hamming,
    "hinge": _by_sign(lambda z: (1.0 - z).clip(0.0)),
    "l1": _l1,
    "probabilistic": _probabilistic,
    "strict_hamming": _strict_hamming,
}


def _wrong_share(outputs, code):
    """Return the sum of the margins of wrong columns, as a share of all margins."""
    size, used = np.abs(outputs), np.abs(code)
    wrong = (size @ used.T - outputs @ code.T) / 2.0
    total = size.sum(axis=1, keepdims=True)
    share = np.divide(wrong, total, out=np.zeros_like(wrong), where=total > 0.0)
    return share.round(DECIMALS)

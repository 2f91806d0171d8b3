"""MMPC and MMMB as selectors."""

from manyminds.feature_selection.causal._parameters import PARAMETERS
from manyminds.feature_selection.causal.base import LocalBlanketSelector
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class MMMBSelector(LocalBlanketSelector):
    """Select the Markov blanket of the target by the max-min algorithm.

    MMPC adds the feature whose weakest dependence on the target, given any small set of
    those added so far, is strongest, and removes what such a set separates from it.
    MMMB adds the spouses: neighbors of neighbors that depend on the target once a
    shared neighbor is given [1]_, see :func:`~manyminds.networks.find_blanket`.

    Parameters
    ----------
    {test}
    {max_condition_size}
    spouses : bool, default=True
        Whether to add the other parents of the children, which makes the Markov blanket
        of the neighbors.
    {coded}

    Attributes
    ----------
    {causal_attributes}

    See Also
    --------
    HITONSelector : Adds features in a fixed order, and is faster.

    Notes
    -----
    Tests condition on at most ``max_condition_size`` columns, so that few samples
    suffice for large blankets. Edges of ``graph_`` have directions where a shared child
    shows them.

    References
    ----------
    .. [1] Tsamardinos, Aliferis and Statnikov, "Time and sample efficient discovery of
       Markov blankets and direct causal relations", KDD, 2003.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
    >>> from manyminds.feature_selection import MMMBSelector
    >>> X, y = make_lucas(random_state=0)
    >>> X = pd.DataFrame(X, columns=LUCAS_FEATURES)
    >>> selector = MMMBSelector().fit(X, y)
    >>> print(*selector.get_feature_names_out())
    Smoking Genetics Fatigue Allergy Coughing
    """

    _methods = {True: "mmmb", False: "mmpc"}

"""HITON-PC and HITON-MB as selectors."""

from manyminds.feature_selection.causal._parameters import PARAMETERS
from manyminds.feature_selection.causal.base import LocalBlanketSelector
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class HITONSelector(LocalBlanketSelector):
    """Select the Markov blanket of the target by HITON.

    HITON-PC adds features in the order of their dependence on the target, and removes
    after each addition what a small set of the others separates from it. HITON-MB adds
    the spouses: neighbors of neighbors that depend on the target once a shared neighbor
    is given [1]_, see :func:`~manyminds.networks.find_blanket`.

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
    MMMBSelector : Chooses the next feature anew after each addition.

    Notes
    -----
    Tests condition on at most ``max_condition_size`` columns, so that few samples
    suffice for large blankets. Edges of ``graph_`` have directions where a shared child
    shows them.

    References
    ----------
    .. [1] Aliferis, Tsamardinos and Statnikov, "HITON: a novel Markov blanket algorithm
       for optimal variable selection", AMIA, 2003.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
    >>> from manyminds.feature_selection import HITONSelector
    >>> X, y = make_lucas(random_state=0)
    >>> X = pd.DataFrame(X, columns=LUCAS_FEATURES)
    >>> selector = HITONSelector().fit(X, y)
    >>> print(*selector.get_feature_names_out())
    Smoking Genetics Fatigue Allergy Coughing
    """

    _methods = {True: "hiton_mb", False: "hiton_pc"}

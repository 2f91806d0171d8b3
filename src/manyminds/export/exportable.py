"""Which options of the search space can be converted to ONNX: one table."""

from manyminds.search import Space

__all__ = ["EXPORTABLE", "only_exportable"]

# All options of a stage that is not named here can be converted. Two are left out, as
# they put thresholds between sums that differ by rounding errors alone, and onnxruntime
# has other ones: boosting along random projections (rpboost), and principal components
# (pca), which trees may read; other learners after them are converted. Learners of
# other libraries that are added to a space are left out, too. Columns of free text have
# no input in the file, and sparse tables no conversion. All learners of many labels are
# converted.
EXPORTABLE = {
    "learner": (
        "gb",
        "extra_gb",
        "quick_gb",
        "rf",
        "quick_rf",
        "et",
        "rotation_forest",
        "flt",
        "ssv_tree",
        "logistic",
        "lda",
        "nb",
        "aode",
        "tan",
        "ridge",
        "elastic_net",
        "real_mlp",
        "gaussian_svm",
        "exponential_svm",
        "linear_svm",
        "knn_cv",
        "nrbf",
        "elm",
        "gp",
        # Of many labels.
        "mlforest",
        "mlknn",
        "ecc",
        "rakel",
        "br_rf",
        "br_logistic",
        "br_gb",
    ),
    "reduce": ("unreduced", "high_variance"),
}


def only_exportable(space: Space) -> Space:
    """Return a space with those options alone that can be converted to ONNX.

    Parameters
    ----------
    space : Space

    Returns
    -------
    space : Space

    Examples
    --------
    >>> from manyminds.export import only_exportable
    >>> from manyminds.search import default_space
    >>> space = only_exportable(default_space("regression"))
    >>> [one.name for one in space.learner][-3:]
    ['gp', 'ridge', 'elastic_net']
    """
    for stage, names in EXPORTABLE.items():
        known = {option.name for option in getattr(space, stage)}
        space = space.only(stage, *(name for name in names if name in known))
    return space

"""Backends of joblib: how they return results."""

from joblib.parallel import get_active_backend

__all__ = ["choose_return"]


def choose_return(return_as: str = "generator") -> str:
    """Return how results of joblib's backend can be returned.

    Parameters
    ----------
    return_as : {"generator", "generator_unordered"}, default="generator"
        What is wanted; see `joblib.Parallel`.

    Returns
    -------
    return_as : str
        The same, or "list" if the backend that ``joblib.parallel_config`` has set knows
        no generators, such as Ray's.

    Examples
    --------
    >>> import joblib
    >>> from manyminds.utils.backends import choose_return
    >>> choose_return("generator")
    'generator'
    >>> with joblib.parallel_config(backend="multiprocessing"):
    ...     choose_return("generator")
    'list'
    """
    backend, _ = get_active_backend()
    return return_as if backend.supports_return_generator else "list"

"""Backends of joblib: how they return results, and what a closed terminal ends."""

import signal

from joblib import effective_n_jobs
from joblib.parallel import get_active_backend

__all__ = ["choose_return", "shelter_tracker"]


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


def shelter_tracker(n_jobs: int | None) -> None:
    """Start the resource tracker of joblib's processes so that SIGHUP does not end it.

    A terminal that is closed sends this signal to all processes. The tracker ignores
    Ctrl-C and SIGTERM, but not this one, and would be missed with a traceback for each
    of its resources.

    Parameters
    ----------
    n_jobs : int or None
        Number of processes, as of `joblib.Parallel`. Nothing is done for one, or if
        joblib uses another backend than loky.
    """
    backend, _ = get_active_backend()
    is_loky = type(backend).__name__ == "LokyBackend"
    if not (is_loky and hasattr(signal, "SIGHUP") and effective_n_jobs(n_jobs) > 1):
        return
    from joblib.externals.loky.backend.resource_tracker import ensure_running

    # A process inherits which signals the thread that starts it has blocked.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])
    try:
        ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

"""Collect the warnings of a call as sentences for a page."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from manyminds.serve.wording import describe_message

__all__ = ["collect_notes"]

_ONE_AT_A_TIME = Lock()  # the filters of warnings belong to the process


@contextmanager
def collect_notes() -> Iterator[list[str]]:
    """Collect the warnings for users that are raised within the block.

    Returns
    -------
    notes : list of str
        Without repetitions, filled when the block ends.

    Examples
    --------
    >>> import warnings
    >>> from manyminds.serve.notes import collect_notes
    >>> with collect_notes() as notes:
    ...     warnings.warn("a column is unknown")
    >>> notes
    ['a column is unknown']
    """
    notes: list[str] = []
    with _ONE_AT_A_TIME, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield notes
        finally:
            texts = [
                describe_message(one.message)
                for one in caught
                if issubclass(one.category, UserWarning)
            ]
            notes += dict.fromkeys(texts)

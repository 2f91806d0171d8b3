"""Share paragraphs among docstrings of a family."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from inspect import isclass, isfunction
from textwrap import dedent, indent
from typing import Any, TypeVar

__all__ = ["fill_docstring"]

T = TypeVar("T")
PLACEHOLDER = re.compile(r"(?m)^( *)\{(\w+)\}$")


def fill_docstring(**paragraphs: str) -> Callable[[T], T]:
    """Return a decorator that replaces placeholders of a docstring by shared text.

    Estimators of one family share most of their parameters. Each paragraph is written
    once; the docstring names it by a line of its own.

    Parameters
    ----------
    **paragraphs : str
        Text for each placeholder. The first line may be empty, and the indentation is
        that of the placeholder.

    Returns
    -------
    decorate : callable
        Takes a class, whose methods are filled as well, or a function; returns it.

    Examples
    --------
    >>> from manyminds.utils.docstrings import fill_docstring
    >>> N_JOBS = '''
    ... n_jobs : int, default=None
    ...     Number of threads.
    ... '''
    >>> @fill_docstring(n_jobs=N_JOBS)
    ... def grow():
    ...     '''Grow a tree.
    ...
    ...     {n_jobs}
    ...     '''
    >>> print(grow.__doc__.splitlines()[3].strip())
    Number of threads.
    """
    texts = {name: dedent(text).strip("\n") for name, text in paragraphs.items()}

    def decorate(target: T) -> T:
        methods = vars(target).values() if isclass(target) else ()
        for one in (target, *filter(isfunction, methods)):
            if one.__doc__ is not None:  # python -OO has none
                one.__doc__ = PLACEHOLDER.sub(partial(_fill, texts, one), one.__doc__)
        return target

    return decorate


def _fill(texts: Mapping[str, str], target: Any, match: re.Match[str]) -> str:
    margin, name = match.groups()
    if name not in texts:
        raise KeyError(f"no text for {{{name}}} in the docstring of {target.__name__}")
    return indent(texts[name], margin)

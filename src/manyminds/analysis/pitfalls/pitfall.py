"""A pitfall of a table: a column, the evidence, and what to do."""

import shlex
from dataclasses import dataclass

from manyminds.utils.errors import Parameter, PythonHint

__all__ = ["Pitfall"]


@dataclass(frozen=True)
class Pitfall:
    """A property of a table that misleads models or their validation.

    Parameters
    ----------
    kind : {"identifier", "leak", "repeats", "order", "groups"}
    column : str
        Name of the column; empty if it is about rows.
    evidence : str
        What was found, with a figure: the beginning of a sentence.
    advice : str
        What to do: its end. ``{}`` stands for the parameter.
    parameter : str
        Name of the parameter that follows the advice: "drop", "group" or "time"; empty
        for none.
    is_serious : bool
        Whether a search warns of it before it starts.

    Examples
    --------
    >>> from manyminds.analysis import Pitfall
    >>> found = Pitfall("leak", "fee", "fee equals the target", "use {}", "drop", True)
    >>> found.message
    "fee equals the target; use drop=['fee']."
    >>> found.command
    'fee equals the target; use --drop fee.'
    """

    kind: str
    column: str
    evidence: str
    advice: str
    parameter: str
    is_serious: bool

    @property
    def pieces(self) -> tuple:
        """The sentence in pieces, of which one may be a parameter."""
        if not self.parameter:
            return (f"{self.evidence}; {self.advice}.",)
        before, _, after = self.advice.partition("{}")
        value = repr([self.column]) if self.parameter == "drop" else repr(self.column)
        hint = (PythonHint(f"={value}"),) if self.column else ()
        begin = f"{self.evidence}; {before}"
        return (begin, Parameter(self.parameter), *hint, f"{after}.")

    @property
    def message(self) -> str:
        """The sentence, as Python shows it."""
        return "".join(self.pieces)

    @property
    def command(self) -> str:
        """The sentence, with the option of a command instead of the parameter."""
        column = f" {shlex.quote(self.column)}" if self.column else ""
        option = f"--{self.parameter}{column}"
        return f"{self.evidence}; {self.advice.format(option)}."

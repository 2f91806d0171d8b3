"""BIF: the interchange format of Bayesian networks with tables, in and out."""

import gzip
import re
from pathlib import Path

import numpy as np

from manyminds.datasets.networks.table_network import TableNetwork

_TOKEN = re.compile(r'"[^"]*"|[{}()\[\];,|]|[^\s{}()\[\];,|"]+')
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def read_bif(source):
    """Read a network from a BIF file.

    Parameters
    ----------
    source : str or path
        Path of the file, which may be compressed (``.gz``); or the text itself, if it
        has a line break.

    Returns
    -------
    network : TableNetwork
        Rows of probabilities are scaled to add up to 1: published ones are rounded.

    Examples
    --------
    >>> from manyminds.datasets import read_bif
    >>> text = '''network coin { }
    ... variable side { type discrete [ 2 ] { head, tail }; }
    ... probability ( side ) { table 0.5, 0.5; }'''
    >>> read_bif(text).states
    (('head', 'tail'),)
    """
    text = source if isinstance(source, str) and "\n" in source else _read_text(source)
    tokens = _Tokens(text)
    states, families = {}, {}
    while (word := tokens.next()) is not None:
        if word == "network":
            tokens.skip_block()
        elif word == "variable":
            name, found = _read_variable(tokens)
            states[name] = found
        elif word == "probability":
            _read_probability(tokens, families)
        else:
            raise ValueError(
                "A BIF file has blocks called network, variable and probability; got "
                f"{word!r}."
            )
    return _make_network(states, families)


def write_bif(network, path=None):
    """Write a network as BIF.

    Parameters
    ----------
    network : TableNetwork
        The network.
    path : str or path, default=None
        File to write, compressed if it ends with ``.gz``.

    Returns
    -------
    text : str
        Text of the file.

    Notes
    -----
    A name or state with spaces or punctuation is put in quotes. BIF has no way to
    write a quote inside.
    """
    lines = ["network unknown {", "}"]
    for name, states in zip(network.names, network.states):
        listed = ", ".join(map(_quote, states))
        lines += [
            f"variable {_quote(name)} {{",
            f"  type discrete [ {len(states)} ] {{ {listed} }};",
            "}",
        ]
    for j, name in enumerate(network.names):
        lines += _format_family(network, j, name)
    text = "\n".join(lines) + "\n"
    if path is not None:
        path = Path(path)
        content = text.encode()
        if path.suffix == ".gz":
            content = gzip.compress(content, mtime=0)
        path.write_bytes(content)
    return text


class _Tokens:
    """Words and signs of a text, one after the other."""

    def __init__(self, text):
        self._words = _TOKEN.findall(_COMMENT.sub(" ", text))
        self._at = 0

    def next(self):
        """Return the next word, None at the end."""
        if self._at >= len(self._words):
            return None
        word = self._words[self._at]
        self._at += 1
        return word[1:-1] if word.startswith('"') else word

    def until(self, *ends):
        """List the words before one of ``ends``, without commas; and that end."""
        found = []
        while (word := self.next()) not in ends:
            if word is None:
                raise ValueError(f"The BIF text ends where {ends[0]!r} is expected.")
            if word != ",":
                found.append(word)
        return found, word

    def skip_block(self):
        """Skip to the end of a block in braces."""
        self.until("{")
        depth = 1
        while depth:
            _, end = self.until("{", "}")
            depth += 1 if end == "{" else -1


def _read_text(path):
    content = Path(path).read_bytes()
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    return content.decode()


def _read_variable(tokens):
    """Return the name and the states of a variable."""
    (name,), _ = tokens.until("{")
    states = None
    while True:
        words, end = tokens.until("[", ";", "}")
        if end == "}":
            break
        if words[:1] == ["type"] and end == "[":
            (n_states,), _ = tokens.until("]")
            tokens.until("{")
            states, _ = tokens.until("}")
            tokens.until(";")
            if len(states) != int(n_states):
                raise ValueError(
                    f"Variable {name!r} must have {n_states} states; got {states}."
                )
    if states is None:
        raise ValueError(f"Variable {name!r} has no states.")
    return name, tuple(states)


def _read_probability(tokens, families):
    """Add a node's parents and rows of probabilities, by the parents' states."""
    tokens.until("(")
    words, end = tokens.until("|", ")")
    parents = tokens.until(")")[0] if end == "|" else []
    tokens.until("{")
    rows = {}
    while True:
        words_before, end = tokens.until("(", ";", "}")
        if end == "}":
            break
        if end == "(":
            key, _ = tokens.until(")")
            numbers, _ = tokens.until(";")
            rows[tuple(key)] = numbers
        elif words_before[:1] in (["table"], ["default"]):
            rows[words_before[0]] = words_before[1:]
    families[words[0]] = parents, rows


def _make_network(states, families):
    """Turn parsed blocks into a network."""
    names = tuple(states)
    at = {name: j for j, name in enumerate(names)}
    parents, tables = [], []
    for name in names:
        if name not in families:
            raise ValueError(f"Variable {name!r} has no probability block.")
        of_node, rows = families[name]
        unknown = [parent for parent in of_node if parent not in at]
        if unknown:
            raise ValueError(f"The parents {unknown} of {name!r} are no variables.")
        parents.append(tuple(at[parent] for parent in of_node))
        tables.append(_make_table(name, of_node, rows, states))
    return TableNetwork(names, tuple(states.values()), tuple(parents), tuple(tables))


def _make_table(name, parents, rows, states):
    """Return the probabilities of a node as an array with an axis for each parent."""
    shape = (*(len(states[parent]) for parent in parents), len(states[name]))
    try:
        if "table" in rows:
            # In a flat table the states of the node change slowest.
            table = np.array(rows.pop("table"), dtype=np.float64)
            table = np.moveaxis(table.reshape(shape[-1], *shape[:-1]), 0, -1).copy()
        else:
            table = np.empty(shape)
            table[...] = np.array(
                rows.pop("default", [np.nan] * shape[-1]), dtype=np.float64
            )
        for key, numbers in rows.items():
            place = tuple(
                states[parent].index(state) for parent, state in zip(parents, key)
            )
            table[place] = np.array(numbers, dtype=np.float64)
    except ValueError as error:
        raise ValueError(
            f"The probabilities of {name!r} do not fit its states and its parents: "
            f"{error}"
        ) from error
    if np.isnan(table).any():
        raise ValueError(f"Some rows of the probabilities of {name!r} are missing.")
    total = table.sum(axis=-1, keepdims=True)
    return table / np.where((total > 0.99) & (total < 1.01), total, 1.0)


def _format_family(network, j, name):
    """Return the lines of a probability block."""
    table, parents = network.tables[j], network.parents[j]
    if not parents:
        numbers = _format_numbers(table)
        return [f"probability ( {_quote(name)} ) {{", f"  table {numbers};", "}"]
    listed = ", ".join(_quote(network.names[parent]) for parent in parents)
    lines = [f"probability ( {_quote(name)} | {listed} ) {{"]
    for place in np.ndindex(table.shape[:-1]):
        key = (network.states[parent][at] for parent, at in zip(parents, place))
        numbers = _format_numbers(table[place])
        lines.append(f"  ({', '.join(map(_quote, key))}) {numbers};")
    return [*lines, "}"]


def _format_numbers(numbers):
    return ", ".join(repr(float(number)) for number in numbers)


def _quote(name):
    """Put a name in quotes if it is more than one plain word."""
    text = str(name)
    if '"' in text:
        raise ValueError(f"BIF cannot write a name with a quote in it; got {text!r}.")
    plain = re.fullmatch(r"[^\s{}()\[\];,|/]+", text) is not None
    return text if plain else f'"{text}"'

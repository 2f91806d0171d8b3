"""Load a network that comes with the package."""

from functools import cache
from importlib.resources import files

from manyminds.datasets.dataset import DatasetNotFoundError
from manyminds.datasets.names import suggest_close
from manyminds.datasets.networks.bif import read_bif
from manyminds.utils.errors import PythonHint

_END = ".bif.gz"


def list_networks():
    """Return the names of the networks that come with the package.

    Returns
    -------
    names : list of str
        Names for `load_network`, sorted.

    Examples
    --------
    >>> from manyminds.datasets import list_networks
    >>> list_networks()
    ['alarm', 'andes', 'asia', 'cancer', 'child', 'earthquake', 'hailfinder',
    'hepar2', 'insurance', 'link', 'pigs', 'sachs', 'survey', 'water', 'win95pts']
    """
    names = (file.name for file in _folder().iterdir())
    return sorted(name.removesuffix(_END) for name in names if name.endswith(_END))


@cache
def load_network(name):
    """Load a public Bayesian network of the literature.

    Structure learning is measured on rows drawn from such networks: the graph that
    generated the rows is known.

    Parameters
    ----------
    name : str
        One of `list_networks`, such as "asia" (8 nodes), "alarm" (37) or "win95pts"
        (76).

    Returns
    -------
    network : TableNetwork
        Its ``sample`` draws rows, its ``arcs`` are the graph.

    Notes
    -----
    The networks are those of the bnlearn Bayesian network repository (M. Scutari),
    read from the copy in pgmpy (MIT license); ``files/README.md`` in this folder
    names the papers. Nothing in them is advice on health, weather or printers.

    Examples
    --------
    >>> from manyminds.datasets import load_network
    >>> alarm = load_network("alarm")
    >>> print(len(alarm.names), len(alarm.arcs), alarm.n_parameters)
    37 46 509
    >>> alarm.sample(5, random_state=0)["HR"].tolist()
    ['HIGH', 'HIGH', 'HIGH', 'HIGH', 'NORMAL']
    """
    if name not in list_networks():
        raise DatasetNotFoundError(
            f"No network is called {name!r}. {suggest_close(name, list_networks())}",
            PythonHint("See list_networks()."),
            name=name,
        )
    return read_bif(_folder() / f"{name}{_END}")


def _folder():
    return files("manyminds.datasets.networks") / "files"

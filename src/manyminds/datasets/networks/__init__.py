"""Public Bayesian networks of the literature, to draw rows from."""

from manyminds.datasets.networks.bif import read_bif, write_bif
from manyminds.datasets.networks.loading import list_networks, load_network
from manyminds.datasets.networks.table_network import TableNetwork

__all__ = ["TableNetwork", "list_networks", "load_network", "read_bif", "write_bif"]

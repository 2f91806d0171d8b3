"""Networks to draw rows from: public ones of the literature, and a made-up study."""

from manyminds.datasets.networks.bif import read_bif, write_bif
from manyminds.datasets.networks.loading import list_networks, load_network
from manyminds.datasets.networks.table_network import TableNetwork
from manyminds.datasets.networks.visual_field_study import make_visual_field_study

__all__ = [
    "TableNetwork",
    "list_networks",
    "load_network",
    "make_visual_field_study",
    "read_bif",
    "write_bif",
]

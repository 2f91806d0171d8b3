"""Data sets: readers, generators and bundled sets."""

from manyminds.datasets.bundled import (
    bundled_datasets,
    load_dataset,
)
from manyminds.datasets.dataset import (
    Dataset,
    DatasetNotFoundError,
)
from manyminds.datasets.errors import (
    TableError,
)
from manyminds.datasets.folder import (
    DataFolder,
)
from manyminds.datasets.frames import (
    from_arrays,
    from_frame,
)
from manyminds.datasets.generators import (
    bayes_error,
    make_artificial_multi1,
    make_artificial_multi2,
    make_blobs_in_noise,
    make_checkerboard,
    make_faces,
    make_four_gaussians,
    make_frame,
    make_friedman1,
    make_friedman2,
    make_friedman3,
    make_friedman_classes,
    make_label_groups,
    make_led7,
    make_lucas,
    make_madelon_like,
    make_monks,
    make_multilabel_xor,
    make_multiplexer,
    make_oblique_border,
    make_reading_sessions,
    make_ringnorm,
    make_simple,
    make_test_pattern,
    make_threenorm,
    make_twonorm,
    make_waveform,
    make_xor,
)
from manyminds.datasets.identifiers import (
    find_identifiers,
)
from manyminds.datasets.lookup import (
    find_dataset,
)
from manyminds.datasets.model_columns import (
    Column,
    describe_columns,
    match_columns,
)
from manyminds.datasets.networks import (
    TableNetwork,
    list_networks,
    load_network,
    make_visual_field_study,
    read_bif,
    write_bif,
)
from manyminds.datasets.openml import (
    fetch_openml_dataset,
)
from manyminds.datasets.parquet_table import (
    ParquetTable,
)
from manyminds.datasets.reading import (
    read_features,
    read_table,
)

# Names of this room that other rooms import, besides those in __all__.
INTERNALS = (
    "columns.Cells",
    "columns.MISSING_VALUES",
    "columns.format_value",
    "columns.parse_number",
    "columns.read_column",
    "dates.DATE_DTYPE",
    "dates.as_dates",
    "dates.holds_dates",
    "fingerprint.fingerprint",
    "formats.text_format.find_separator",
    "frames.as_pandas",
    "generators.lucas.LUCAS_BLANKET",
    "generators.lucas.LUCAS_FEATURES",
    "identifiers.list_candidates",
    "lookup.DATA_VARIABLE",
    "marked_numbers.NumberMark",
    "model_input.as_table",
    "model_input.as_target",
    "model_input.list_dates",
    "model_input.read_many_labels",
    "networks.table_network.sort_topologically",
    "reading.SUFFIXES",
    "reading.iterate_features",
    "schema.Schema",
    "sparse.shorten_indices",
    "target.read_label_columns",
    "texts.is_free_text",
    "texts.list_texts",
)

__all__ = [
    "Column",
    "DataFolder",
    "Dataset",
    "DatasetNotFoundError",
    "ParquetTable",
    "TableError",
    "TableNetwork",
    "bayes_error",
    "bundled_datasets",
    "describe_columns",
    "fetch_openml_dataset",
    "find_dataset",
    "find_identifiers",
    "from_arrays",
    "from_frame",
    "list_networks",
    "load_dataset",
    "load_network",
    "make_artificial_multi1",
    "make_artificial_multi2",
    "make_blobs_in_noise",
    "make_checkerboard",
    "make_faces",
    "make_four_gaussians",
    "make_frame",
    "make_friedman1",
    "make_friedman2",
    "make_friedman3",
    "make_friedman_classes",
    "make_label_groups",
    "make_led7",
    "make_lucas",
    "make_madelon_like",
    "make_monks",
    "make_multilabel_xor",
    "make_multiplexer",
    "make_oblique_border",
    "make_reading_sessions",
    "make_ringnorm",
    "make_simple",
    "make_test_pattern",
    "make_threenorm",
    "make_twonorm",
    "make_visual_field_study",
    "make_waveform",
    "make_xor",
    "match_columns",
    "read_bif",
    "read_features",
    "read_table",
    "write_bif",
]

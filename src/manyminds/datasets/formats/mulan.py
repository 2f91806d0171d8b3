"""Read the names of labels from an XML file of Mulan, next to an ARFF file."""

from pathlib import Path
from xml.etree import ElementTree

from manyminds.datasets.errors import TableError

__all__ = ["find_label_file", "read_label_names"]

PARTS = ("", "-train", "-test")


def find_label_file(path: Path) -> Path | None:
    """Return the XML file with the labels of an ARFF file, None if there is none.

    Parameters
    ----------
    path : Path
        The ARFF file, such as ``scene.arff`` or ``scene-train.arff.gz``; both have
        ``scene.xml``.

    Returns
    -------
    file : Path or None
    """
    stem = path.name.removesuffix(".gz").rpartition(".")[0]
    for part in PARTS:
        if stem.endswith(part):
            file = path.with_name(f"{stem.removesuffix(part)}.xml")
            if file.is_file():
                return file
    return None


def read_label_names(file: Path) -> tuple[str, ...]:
    """Return the names of the labels, also of those inside other labels.

    Parameters
    ----------
    file : Path
        XML file with elements ``<label name="..."/>``.

    Returns
    -------
    names : tuple of str
        In the order of the file; empty if it is another kind of XML file.
    """
    try:
        root = ElementTree.parse(file).getroot()
    except ElementTree.ParseError as error:
        raise TableError(
            f"the labels of the table cannot be read: {error}.", file=file.name
        ) from None
    labels = (one for one in root.iter() if one.tag.rpartition("}")[2] == "label")
    return tuple(label.get("name", "") for label in labels)

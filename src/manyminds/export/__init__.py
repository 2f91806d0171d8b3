"""Models that leave home: conversion to other formats."""

from manyminds.export.exportable import EXPORTABLE, only_exportable
from manyminds.export.graph import ExportError
from manyminds.export.onnx_model import to_onnx
from manyminds.export.skl2onnx_converters import register_with_skl2onnx
from manyminds.export.trial import find_obstacle

__all__ = [
    "EXPORTABLE",
    "ExportError",
    "find_obstacle",
    "only_exportable",
    "register_with_skl2onnx",
    "to_onnx",
]

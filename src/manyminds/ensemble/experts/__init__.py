"""Local models: experts that own regions of the data, and gates that choose."""

"""Selection without a target: features that hold clusters together."""

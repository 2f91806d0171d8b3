"""Score columns by themselves, or by how they go together, without a model."""

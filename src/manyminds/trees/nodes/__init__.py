"""Statistics of the nodes of trees, which forests and selectors share."""

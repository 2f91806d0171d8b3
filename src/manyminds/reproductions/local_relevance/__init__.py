"""Local relevance: draws of features by the rows at hand, votes weighted by place."""

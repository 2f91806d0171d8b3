"""Local relevance: draws of features by the rows at hand, votes weighed by place."""

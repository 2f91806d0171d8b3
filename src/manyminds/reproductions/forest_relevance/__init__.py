"""Forest relevance: what irrelevant features do to forests, and ways to drop them."""

"""Evidence pages: what was printed, what was measured, and the verdict."""

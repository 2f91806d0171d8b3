"""Structure learning from tests of independence."""

"""Selection by artificial contrasts: columns that are compared with shuffled copies."""

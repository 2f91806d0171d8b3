"""Which columns to keep: filters, forests' own judgement, committees, stability."""

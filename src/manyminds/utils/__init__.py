"""What every room needs: tables, files, databases, leases, hashing, texts."""

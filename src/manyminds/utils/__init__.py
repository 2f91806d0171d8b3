"""What every room needs: tables, files, databases, leases, hashing, docstrings, text.

Each file offers what its ``__all__`` lists; other rooms import from the files.
"""

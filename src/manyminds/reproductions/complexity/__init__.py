"""Multi-resolution complexity: does the index go with the errors of a forest?"""

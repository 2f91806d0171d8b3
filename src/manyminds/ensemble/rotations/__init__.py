"""Forests on rotated columns, and hybrid forests of several families."""

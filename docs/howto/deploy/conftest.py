"""Files that the page on deployment shows; tests/test_deploy.py runs them."""

collect_ignore_glob = ["*.py"]

"""Jobs: processes of the command line, whose state is on disk."""

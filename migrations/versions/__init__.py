"""The revisions, one a file."""

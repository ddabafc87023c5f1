"""The documentation under test: what it shows runs, and what it lists is what there is."""

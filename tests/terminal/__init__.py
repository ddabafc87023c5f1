"""The terminal client, played by tests."""

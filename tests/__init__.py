"""Tests, in folders and files named as those of the application."""

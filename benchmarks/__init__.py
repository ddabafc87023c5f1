"""Measurements: whole games over HTTP beside a minimal server, and the rules alone."""

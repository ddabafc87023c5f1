"""The server over HTTP, each sentence of the API contract a test."""

"""Clients as others make them: generated from the document, and written as the page says."""

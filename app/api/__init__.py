"""The routes of the HTTP API, thin: each names a verb, what it needs and how it is answered."""

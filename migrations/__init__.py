"""The steps that bring a database to the schema of the store, in order."""

"""The database: what is kept of players and games, and the one writer that changes it."""

"""Exact play, proven: by brute force, by identities, by simulation, by what the advice claims."""

"""The rules, proven: examples, exhaustive counts, random games, replayed transcripts."""

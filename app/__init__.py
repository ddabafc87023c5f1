"""A REST game server for the dice game Yacht."""

"""The server as a process of its own: how it starts, stops, dies, and what it makes of the net."""

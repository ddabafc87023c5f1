"""Streams, clocks, rematches and ends, over real connections to real servers."""

"""The wire models: what clients send, what they get, and how it is made from rules and store.

Requests are pydantic models. Answers are typed dictionaries: they document the answer, mypy
compares them with the code that makes them, and they become bytes without being validated again.
"""

"""How Hypothesis searches here: no time limit an example, since a loaded machine is no fault."""

from hypothesis import settings

settings.register_profile("rules", deadline=None)
settings.load_profile("rules")

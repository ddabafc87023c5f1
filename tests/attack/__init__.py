"""The whole contract under attack: by the document's own words, and by play against a model."""

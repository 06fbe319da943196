"""The compiled code of the environments."""

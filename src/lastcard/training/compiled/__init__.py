"""The compiled code of training."""

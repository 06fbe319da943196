"""Training of the bots: weights for the rules of thumb, and networks. Needs the extra ``learn``."""

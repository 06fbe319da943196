"""What the bots learn before they play: weights for the rules of thumb, and networks. Needs the extra ``learn``."""

"""Random rounds on two implementations at once: everything is compared after each move."""

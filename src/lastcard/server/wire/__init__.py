"""The messages between server and browser, and their transport."""

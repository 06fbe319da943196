"""A table as a state machine without I/O: functions from a state and a command to a new state."""

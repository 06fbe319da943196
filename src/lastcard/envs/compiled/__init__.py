"""What research doors run in compiled code."""

"""What training runs in compiled code."""

"""What runs on a PC: `python3 -m tools COMMAND`."""

"""Tables that the games' hot functions look up, worked out on a PC."""

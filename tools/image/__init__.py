"""The image: which files go onto the device, byte-compiled, listed and packed."""

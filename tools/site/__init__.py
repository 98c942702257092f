"""The static site of the handheld in the browser: its page, the firmware for it, images to flash, icons, rules."""

"""Board files: what a Pico can do with its pins, whether a board file asks for that, and the diagram of its wires."""

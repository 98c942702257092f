"""The drawings of fonts and pictures, and what turns them into device code."""

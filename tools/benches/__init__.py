"""Benchmarks: what is measured, and on what."""

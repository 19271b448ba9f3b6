"""Tests of the examples in deploy/."""

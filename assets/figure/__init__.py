"""The parts of make_figure.py: the character that ships with Sinew."""

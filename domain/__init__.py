"""The rules: commands become events, events become state, state becomes views. No I/O, no clock, no randomness of its own."""

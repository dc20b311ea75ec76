"""How many examples a property test tries where one example is a whole game."""

from hypothesis import settings


def examples(number: int) -> int:
    """`number` as things are, more with ANNALES_FUZZ, in the proportion that the profile says."""
    profile = settings.get_profile("annales")
    return max(1, number * profile.max_examples // 100)

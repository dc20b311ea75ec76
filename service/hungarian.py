"""What Hungarian asks of a sentence that is put together: the article before a word or a number."""

_VOWELS = frozenset("aáeéiíoóöőuúüű")


def article(text: str) -> str:
    """`a` or `az`, by the sound with which `text` begins: `az 1. hely`, `a 2. hely`, `az őrtorony`."""
    word = text.lstrip("„\"'( ").lower()
    digits = word[: len(word) - len(word.lstrip("0123456789"))]
    if not digits:
        return "az" if word[:1] in _VOWELS else "a"
    leading = digits[: len(digits) % 3 or 3]
    return "az" if leading == "1" or leading.startswith("5") else "a"

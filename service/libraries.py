"""What libraries say of a mistake, recognised by its form so that it can be said in other languages too."""

import re
from collections.abc import Sequence
from string import Formatter

from domain.wording import Phrase

OF_MARSHMALLOW: Sequence[Phrase] = (
    Phrase("Missing data for required field."),
    Phrase("Field may not be null."),
    Phrase("Invalid value."),
    Phrase("Unknown field."),
    Phrase("Invalid input type."),
    Phrase("Invalid type."),
    Phrase("Not a valid string."),
    Phrase("Not a valid utf-8 string."),
    Phrase("Not a valid integer."),
    Phrase("Not a valid number."),
    Phrase("Number too large."),
    Phrase("Not a valid boolean."),
    Phrase("Not a valid list."),
    Phrase("Not a valid mapping type."),
    Phrase("String does not match expected pattern."),
    Phrase("Must be one of: {choices}."),
    Phrase("Must be greater than or equal to {min} and less than or equal to {max}."),
    Phrase("Must be greater than or equal to {min}."),
    Phrase("Must be less than or equal to {max}."),
    Phrase("Shorter than minimum length {min}."),
    Phrase("Longer than maximum length {max}."),
    Phrase("Length must be between {min} and {max}."),
    Phrase("Length must be {equal}."),
    Phrase("Not a valid {obj_type}."),
    Phrase('"{input}" cannot be formatted as a {obj_type}.'),
)

OF_SCHEMAS: Sequence[Phrase] = (Phrase("No control characters."),)
"""What our own schemas have marshmallow say."""

OF_MSGSPEC: Sequence[Phrase] = (
    Phrase("Expected `{expected}`, got `{given}`"),
    Phrase("Expected `int` >= {least}"),
    Phrase("Expected `int` <= {most}"),
    Phrase("Expected `{expected}` of length >= {least}"),
    Phrase("Expected `{expected}` of length <= {most}"),
    Phrase("Expected `array` of length {count}, got {given}"),
    Phrase("Object contains unknown field `{field}`"),
    Phrase("Object missing required field `{field}`"),
    Phrase("Invalid enum value {value}"),
    Phrase("Invalid value {value}"),
    Phrase("Integer value out of range"),
    Phrase("Number out of range"),
    Phrase("number out of range"),
    Phrase("Input data was truncated"),
    Phrase("Invalid UTF-8 encoded string"),
    Phrase("JSON is malformed: {what} (byte {at})"),
    Phrase("invalid character"),
    Phrase("invalid character in unicode escape"),
    Phrase("invalid escape character in string"),
    Phrase("invalid escaped character"),
    Phrase("invalid number"),
    Phrase("invalid utf-16 surrogate pair"),
    Phrase("unexpected end of escaped utf-16 surrogate pair"),
    Phrase("unexpected end of hex escape"),
    Phrase("trailing characters"),
    Phrase("trailing comma in array"),
    Phrase("trailing comma in object"),
    Phrase("object keys must be strings"),
    Phrase("expected ':'"),
    Phrase("expected ',' or ']'"),
    Phrase("expected ',' or '}}'"),
    Phrase("expected '\"'"),
)


def _form(template: str) -> re.Pattern[str]:
    parts = (
        re.escape(text) + (f"(?P<{field}>.+)" if field else "") for text, field, _, _ in Formatter().parse(template)
    )
    return re.compile("".join(parts), re.DOTALL)


_FORMS = [(phrase.template, _form(phrase.template)) for phrase in (*OF_MARSHMALLOW, *OF_SCHEMAS, *OF_MSGSPEC)]


def recognised(text: str) -> Phrase | str:
    """The phrase that `text` is, as far as it is known; else the text as it stands."""
    for template, form in _FORMS:
        if (found := form.fullmatch(text)) is not None:
            parts = found.groupdict()
            return Phrase(
                template, {name: recognised(part) if name == "what" else part for name, part in parts.items()}
            )
    return text

"""The contract: `openapi.yaml`, generated from the very types and schemas that the service reads and writes.

`python -m service.openapi --write` writes it, `--check` says whether it is up to date.
"""

from service.openapi.document import as_json, as_yaml, document

__all__ = ["as_json", "as_yaml", "document"]

"""Where the processes of the service write their log."""

import logging
import sys


def log_to_stdout() -> None:
    """Send the log of this process to its standard output."""
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")

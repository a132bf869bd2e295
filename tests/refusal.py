"""What is refused in one line."""

import pytest


def refused(error, call, *fragments):
    """The call raises this error, in one line that has these fragments."""
    with pytest.raises(error) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    for fragment in fragments:
        assert fragment in message, message

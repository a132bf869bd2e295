"""A ledger goes to its file and back with every value that a row may hold; the rest is refused in one line."""

import generators
import made_rows
from hypothesis import example, given, settings
from hypothesis import strategies as st

from derl.inputs import Invalid
from derl.ledger import Ledger
from derl.ledger.ledger import seal

NUMBERS = st.one_of(st.floats(), st.integers(), st.sampled_from([10**400, 2**64, "1/3", "0.1", None, -0.0]))
WORDS = st.one_of(st.text(max_size=20), st.sampled_from(["\u2028", "\x00", "\ud800", "]]>", "a\nb", "", "nan"]),
                  generators.written())


@given(NUMBERS, NUMBERS, NUMBERS, WORDS, WORDS, st.floats(0, 1e9))
@example(float("nan"), float("inf"), None, "a", "b", 0.0)
@settings(max_examples=300, deadline=None)
def test_what_is_written_is_read_again(tmp_path_factory, measured, claimed, margin, title, witness, seconds):
    path = tmp_path_factory.mktemp("ledgers") / "ledger.json"
    try:
        check = made_rows.check(measured=measured, claimed=claimed, margin=margin, title=title, seconds=seconds,
                                steps=[{"name": witness or "x"}], controls=[{"witness": witness, "measured": measured}])
        ledger = Ledger("quick", {"x": made_rows.statement(check)}, {"python": witness}, "", digest="0" * 64)
        ledger.save(path)
    except Invalid as error:
        assert "\n" not in str(error) and not path.exists()
        return
    again = Ledger.load(path)
    assert seal(again.claims) == seal(ledger.claims)  # not a number is not itself
    again.save(path.with_name("again.json"))
    assert path.with_name("again.json").read_bytes() == path.read_bytes()

"""What the page of formal statements says of its definitions."""

import pytest
import rules

from derl.show.drawing import evaluated

RECORDED = rules.ROOT / "proofs" / "recorded" / "evaluated.txt"


@pytest.mark.parametrize(("source", "kind"), [
    ("Definition sym A := forall i j, A i j = A j i.", "a sentence"),
    ("Definition clip (x : R) : R := Num.min x 1.", "a value"),
    ("Definition half_root3 : R := Num.sqrt 3%:R / 2%:R.", "a root"),
    ("Definition in_all := forall x, ln x <= x.", "a root")])
def test_kinds(source, kind):
    assert evaluated.kind(source).startswith(kind)


def test_every_definition_is_counted_once(tmp_path):
    run = RECORDED.read_text(encoding="utf-8").split()
    text = evaluated.summary(RECORDED).data
    total = int(text.split(" definitions")[0].split()[-1])
    assert text.startswith(f"{len(run)} of {total}") and run == sorted(set(run))
    assert text.count("`") == 2 * (total - len(run))
    assert all(f"`{name.removeprefix('derl.')}`" not in text for name in run)
    fewer = tmp_path / "evaluated.txt"
    fewer.write_text("\n".join(run[1:]), encoding="utf-8")
    assert f"`{run[0].removeprefix('derl.')}`" in evaluated.summary(fewer).data
    fewer.write_text("derl.no.such", encoding="utf-8")
    with pytest.raises(ValueError, match="derl.no.such occurs in no formal statement"):
        evaluated.summary(fewer)

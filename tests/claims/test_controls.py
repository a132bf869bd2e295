"""No planted falsehood is hidden: what each control changes can be read where the control is shown."""

import inspect

from derl.claims import PAPER
from derl.ledger.arguments import changed

OPAQUE = ("dict(arguments)", "**arguments", "return arguments", " at 0x", "without source", "an object of class")


def hidden(check, control) -> list[str]:
    """What a reader of the text of a control is not told."""
    text, parameters = changed(control), inspect.signature(check.function).parameters
    found = [word for word in OPAQUE if word in text] + ([] if text.strip() else ["there is no text"])
    for name, value in control.plant().items():
        if f"{name} = " not in text and f"'{name}': " not in text:
            found.append(f"{name} is not named")
        if name not in parameters and not any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
            found.append(f"{name} is not a parameter")
        if inspect.isfunction(value) and value.__module__.startswith("derl.") and value.__name__ != "<lambda>" \
                and f"def {value.__name__}(" not in text:
            found.append(f"{name} is a function without its source")
    return found


def test_every_control_says_what_it_changes():
    controls = [(check, control) for check in PAPER.register().checks for control in check.controls]
    assert len(controls) > 800
    assert [(check.name, control.plants, found) for check, control in controls
            if (found := hidden(check, control))] == []


def test_every_row_stands_below_its_check_or_in_a_file_of_the_same_chapter():
    for check in PAPER.register().checks:
        chapter = check.function.__module__.rpartition(".")[0].replace(".", "/")
        for control in check.controls if check.method != "kernel" else ():
            assert control.place.file.startswith(chapter) and control.place.line > 0, control
